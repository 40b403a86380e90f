"""One run of ``check`` or ``fix``: which files, what is written, what is printed, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TextIO

from crdlint.choices import Choices, catalogue_for, check_choices, files_in, is_excluded, linter_for
from crdlint.cli import options, remarks
from crdlint.cli.checkedfiles import CheckedFiles
from crdlint.cli.failures import EXIT_FINDINGS, complain, unlistable
from crdlint.cli.output import check_target, deliver, is_terminal, read_standard_input, wants_color, width, write_out
from crdlint.cli.places import repository_root, working_folder
from crdlint.cli.progress import progress
from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.findings import Applicability, FileResult, Finding, Report, Severity, refused
from crdlint.report import NEEDS_FILES, SHOWS_TEXT, Options, blob_address, renderer
from crdlint.runner import FileRun, Job, run_files
from crdlint.settings import GENERATOR_ANNOTATION

if TYPE_CHECKING:
    from crdlint.cache.results import ResultCache
    from crdlint.cli.known import KnownBefore
    from crdlint.rules.prose import RuleText

# Formats that tell what the rules say, and those that people read where complaints are shown as well.
_TELLS_RULES = ("sarif", "html")
_READ_AS_LOG = frozenset(("text", "github"))


@dataclass
class Session:
    """What the command line asked for, and what came of it."""

    choices: Choices
    fixes: Applicability | None = None
    shows_diff: bool = False
    format: str = "text"
    output: str | None = None
    reports: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    jobs: int = 1
    quiet: bool = False
    color: options.Color = options.Color.AUTO
    stdin_filename: str | None = None
    uses_cache: bool = True
    # What is known before, and not reported again: the findings in a file, and those of a Git revision.
    baseline: str | None = None
    since: str | None = None
    # Did anything go wrong that the report does not show?
    failed: bool = False
    # The folders that were cleared of what killed runs left there.
    cleared: set[str] = field(default_factory=set)
    # What the findings speak of where no file holds it: standard input, and fixes that are only shown.
    held: dict[str, bytes] = field(default_factory=dict)

    def run(self, paths: Sequence[str]) -> int:
        """Do it; returns the exit code."""
        further: list[tuple[str, str | None]] = []
        further += (options.report_target(report, "sarif=out.sarif") for report in self.reports)
        targets = [*further, (self.format, self.output)]
        for name, path in targets:
            renderer(name)
            check_target(path)
        files, report, diffs = self.check(paths)
        if self.shows_diff:
            deliver("".join(diffs), self.output, sys.stdout)
            targets = further
        # Standard output may be taken by the fixed text of standard input.
        stream = sys.stderr if self.fixes is not None and STDIN in paths else sys.stdout
        for name, path in targets:
            deliver(renderer(name)(report, self.options_for(name, path, stream, files)), path, stream)
        if not self.quiet and not any(path is None and name in _READ_AS_LOG for name, path in targets):
            remarks.of_left_out(report)
        if not self.quiet and not self.failed and self.since is None:
            remarks.of_nothing(paths, report)
        return self.exit_code(report, bool(diffs))

    def check(self, paths: Sequence[str]) -> tuple[list[str], Report, list[str]]:
        """Check the files, and fix them where that is asked for: which they are, what is new, and the differences."""
        if STDIN in paths and len(paths) > 1:
            raise UsageError("- (standard input) cannot be checked together with files: run crdlint twice")
        known_before = self.known_before(paths)
        if STDIN in paths:
            # What it stands for; whether that exists does not matter.
            files = [self.stdin_filename or STDIN]
            check_choices(self.choices, files)
            runs: Iterator[FileRun] = iter([self.run_standard_input(files[0])])
        else:
            files = files_in(paths, self.choices, unlistable(self.complain))
            files = [path for path in files if all(known.concerns(path) for known in known_before)]
            check_choices(self.choices, files)
            runs = run_files(files, self.job(), self.jobs, self.cache(self.fixes))
        report, diffs = self.collect(runs, len(files), STDIN in paths)
        found = report.findings
        for known in known_before:
            report = known.only_new(report, found)
        return files, report, diffs

    def known_before(self, paths: Sequence[str]) -> list[KnownBefore]:
        if self.since is None and self.baseline is None:
            return []
        from crdlint.cli.known import Baseline, Since

        known: list[KnownBefore] = []
        if self.since is not None and STDIN in paths:
            raise UsageError("--since compares files with what they were: standard input is no file of the repository")
        if self.since is not None:
            known.append(Since(self.since, self.choices, self.cache(None)))
        if self.baseline is not None:
            known.append(Baseline(self.baseline, self.choices, paths))
        return known

    def cache(self, fixes: Applicability | None) -> ResultCache | None:
        """What earlier runs found out, if that is wanted, and there is a place for it."""
        from crdlint.cache.results import ResultCache, cache_folder

        folder = cache_folder() if self.uses_cache else None
        return None if folder is None else ResultCache(folder, self.choices, fixes)

    def run_standard_input(self, path: str) -> FileRun:
        data = read_standard_input()
        self.held[path] = data
        if path != STDIN and is_excluded(path, True, self.choices):
            return FileRun(path, FileResult(path), data, data)
        return self.job().run_bytes(path, data)

    def job(self) -> Job:
        names = [self.format, *(report.partition("=")[0] for report in self.reports)]
        return Job(self.choices, self.fixes, keeps_text=any(name in SHOWS_TEXT for name in names))

    def collect(self, runs: Iterator[FileRun], number: int, is_standard_input: bool) -> tuple[Report, list[str]]:
        """The results of all files, each written as it comes if it is to be written, and the differences to show."""
        report = Report([])
        diffs: list[str] = []
        with progress(number, not self.quiet, self.color) as advance:
            for run in runs:
                self.take(run, report, diffs, is_standard_input)
                advance()
        return report, diffs

    def take(self, run: FileRun, report: Report, diffs: list[str], is_standard_input: bool) -> None:
        if run.error is not None:
            self.complain(f"{run.path}: cannot be read: {run.error}")
        if self.shows_diff:
            diffs += self.diff(run, is_standard_input)
        elif self.fixes is not None and is_standard_input:
            write_out(run.after)
        elif self.fixes is not None:
            run = self.write(run)
        if (self.shows_diff or is_standard_input) and run.before != run.after:
            self.held[run.path] = run.after
        report.results.append(run.result)
        report.applied += run.applied

    def write(self, run: FileRun) -> FileRun:
        """Write what the fixes made of a file."""
        from crdlint.fix.write import NotWritten, remove_leftovers, replace_file

        folder = os.path.dirname(run.path)
        if folder not in self.cleared:
            self.cleared.add(folder)
            remove_leftovers(folder)
        if run.before == run.after:
            return run
        try:
            notice = replace_file(run.path, run.before, run.after)
        except NotWritten as error:
            self.complain(f"{run.path}: not fixed: it {error}")
            return self.unfixed(run, str(error))
        if notice is not None:
            complain(f"{run.path}: {notice}")
        if GENERATOR_ANNOTATION.encode() in run.after:
            complain(f"{run.path}: made by controller-gen, whose next run undoes this fix: {_markers(run.applied)}")
        return run

    def unfixed(self, run: FileRun, why: str) -> FileRun:
        """The run of a file that was to be fixed and stayed as it was."""
        result = linter_for(run.path, self.choices).lint(run.path, run.before)
        wanted = {finding.identity for finding in run.applied}
        result.findings = [
            refused(finding, f"the file {why}") if finding.fix and finding.identity in wanted else finding
            for finding in result.findings
        ]
        return replace(run, result=result, after=run.before, applied=[])

    def diff(self, run: FileRun, is_standard_input: bool) -> list[str]:
        """What fixes would change in a file."""
        from crdlint.fix.write import LINK
        from crdlint.report.diff import unified

        if run.before == run.after:
            return []
        if not is_standard_input and os.path.islink(run.path):
            self.complain(f"{run.path}: would not be fixed: it {LINK}")
            return []
        paint = self.output is None and wants_color(self.color, sys.stdout)
        return [unified(_from_working_folder(run.path), run.before, run.after, paint)]

    def options_for(self, name: str, path: str | None, stream: TextIO, files: list[str]) -> Options:
        folder = working_folder()
        return Options(
            color=path is None and wants_color(self.color, stream),
            width=width(stream) if path is None else 80,
            at_terminal=path is None and is_terminal(stream),
            quiet=self.quiet,
            rules=_rule_texts(self.choices, files) if name in _TELLS_RULES else (),
            root=repository_root(folder),
            folder=folder,
            blob=blob_address(os.environ),
            files=CheckedFiles(self.choices, self.held) if name in NEEDS_FILES else None,
        )

    def exit_code(self, report: Report, differs: bool) -> int:
        loud = any(finding.severity.rank >= self.fail_on.rank for finding in report.findings)
        if self.shows_diff and loud and not differs and not self.quiet:
            remarks.of_empty_difference(report, self.fixes)
        return EXIT_FINDINGS if differs or loud or self.failed else 0

    def complain(self, message: str) -> None:
        self.failed = True
        complain(message)


def _rule_texts(choices: Choices, files: list[str]) -> list[RuleText]:
    from crdlint.rules.prose import RuleText

    return [RuleText(rule) for rule in catalogue_for(choices, files)]


def _from_working_folder(path: str) -> str:
    """An absolute path into the working folder as a relative one, as tools that apply differences need it."""
    inside = os.path.join(os.getcwd(), "")
    return path.removeprefix(inside)


def _markers(applied: Sequence[Finding]) -> str:
    markers = [marker for finding in applied for marker in (finding.marker or "").split("\n") if marker]
    if not markers:
        return "make the same change in the Go types"
    return "add to the Go types " + ", ".join(f"`// {marker}`" for marker in dict.fromkeys(markers))
