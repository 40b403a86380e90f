"""One run of ``check`` or ``fix``: which files, what is written, what is printed, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crdlint.cli import options
from crdlint.cli.failures import EXIT_FINDINGS, complain
from crdlint.cli.output import wants_color, width, write_file, write_out
from crdlint.errors import UsageError
from crdlint.files import STDIN, discover
from crdlint.findings import Applicability, Finding, Report, Severity, refused
from crdlint.report import Options, renderer
from crdlint.runner import Choices, FileRun, Job, linter_for, run_files, without_excluded

GENERATOR_ANNOTATION = b"controller-gen.kubebuilder.io/version"
# Formats that show the text of the files.
_SHOWS_TEXT = ("text",)


@dataclass
class Session:
    """What the command line asked for."""

    choices: Choices
    fixes: Applicability | None
    shows_diff: bool
    format: str
    output: str | None
    reports: tuple[str, ...]
    fail_on: Severity
    jobs: int
    quiet: bool
    color: options.Color
    stdin_filename: str | None
    # Did anything go wrong that the report does not show?
    failed: bool = False

    def run(self, paths: Sequence[str]) -> int:
        """Do it; returns the exit code."""
        targets = [(self.format, self.output), *map(_target, self.reports)]
        renderers = [(renderer(name), name, path) for name, path in targets]
        linter_for(self.choices.config or os.path.join(os.curdir, "-"), self.choices)  # wrong choices fail before any work
        runs = self.run_standard_input(paths) if STDIN in paths else self.run_files(paths)
        if self.shows_diff:
            return self.print_diffs(runs)
        if self.fixes is not None:
            runs = [self.write(run) for run in runs]
        applied = [finding for run in runs for finding in run.applied]
        report = Report([run.result for run in runs], applied)
        for render, name, path in renderers:
            self.deliver(render(report, self.options_for(name, path)), path, is_filter=self.is_filter(paths))
        return self.exit_code(report)

    def is_filter(self, paths: Sequence[str]) -> bool:
        """Is standard output taken by the fixed text of standard input?"""
        return self.fixes is not None and STDIN in paths

    def run_files(self, paths: Sequence[str]) -> list[FileRun]:
        files = discover(paths, on_error=lambda path, error: self.complain(f"{path}: cannot be listed: {error.strerror}"))
        named = {os.path.normpath(path) for path in paths}
        files = without_excluded(files, lambda path: os.path.normpath(path) in named, self.choices)
        runs = []
        for run in run_files(files, self.job(), self.jobs):
            if run.error is not None:
                self.complain(f"{run.path}: cannot be read: {run.error}")
            runs.append(run)
        return runs

    def run_standard_input(self, paths: Sequence[str]) -> list[FileRun]:
        if len(paths) > 1:
            raise UsageError("- (standard input) cannot be checked together with files: run crdlint twice")
        run = self.job().run_bytes(self.stdin_filename or STDIN, sys.stdin.buffer.read())
        return [run]

    def job(self) -> Job:
        names = [self.format, *(report.partition("=")[0] for report in self.reports)]
        return Job(self.choices, self.fixes, keeps_text=any(name in _SHOWS_TEXT for name in names))

    def write(self, run: FileRun) -> FileRun:
        """Write what the fixes made of a file; standard input goes on to standard output."""
        if run.path == STDIN or run.path == self.stdin_filename:
            write_out(run.after)
            return run
        from crdlint.fix.write import NotWritten, remove_leftovers, replace_file

        remove_leftovers({os.path.dirname(run.path)})
        if run.before == run.after:
            return run
        try:
            replace_file(run.path, run.before, run.after)
        except NotWritten as error:
            self.complain(f"{run.path}: not fixed: it {error}")
            return self.unfixed(run, str(error))
        if GENERATOR_ANNOTATION in run.after:
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

    def print_diffs(self, runs: Sequence[FileRun]) -> int:
        from crdlint.report.diff import unified

        paint = wants_color(self.color, sys.stdout)
        diffs = [unified(run.path, run.before, run.after, paint) for run in runs if run.before != run.after]
        self.deliver("".join(diffs), self.output)
        report = Report([run.result for run in runs])
        return EXIT_FINDINGS if diffs else self.exit_code(report)

    def options_for(self, name: str, path: str | None) -> Options:
        from crdlint.cli.rules import rule_texts

        folder = os.getcwd().replace(os.sep, "/")
        return Options(
            color=path is None and wants_color(self.color, sys.stdout),
            width=width(sys.stdout) if path is None else 80,
            quiet=self.quiet,
            rules=rule_texts(self.choices) if name == "sarif" else (),
            root=_repository_root(folder),
            folder=folder,
        )

    def deliver(self, text: str, path: str | None, is_filter: bool = False) -> None:
        if path is not None:
            write_file(path, text)
        elif is_filter:
            sys.stderr.write(text)
        else:
            write_out(text)

    def exit_code(self, report: Report) -> int:
        loud = any(finding.severity.rank >= self.fail_on.rank for finding in report.findings)
        return EXIT_FINDINGS if loud or self.failed else 0

    def complain(self, message: str) -> None:
        self.failed = True
        complain(message)


def _target(report: str) -> tuple[str, str | None]:
    name, equals, path = report.partition("=")
    if not equals or not path:
        raise UsageError(f"--report {report}: write it as FORMAT=FILE, sarif=out.sarif for example")
    return name, path


def _markers(applied: Sequence[Finding]) -> str:
    markers = [marker for finding in applied for marker in (finding.marker or "").split("\n") if marker]
    if not markers:
        return "make the same change in the Go types"
    return "add to the Go types " + ", ".join(f"`// {marker}`" for marker in dict.fromkeys(markers))


def _repository_root(folder: str) -> str | None:
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
