"""One run of ``migrate``: what is read, asked, written, checked again and reported."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from crdlint.choices import catalogue_for, check_choices, files_in, linter_for
from crdlint.cli import options
from crdlint.cli.failures import EXIT_FINDINGS, complain, unlistable
from crdlint.cli.output import check_target, deliver, wants_color, width, write_file, write_out
from crdlint.cli.places import working_folder
from crdlint.crd.model import Crd
from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.findings import Severity
from crdlint.migrate.apply import apply
from crdlint.migrate.held import Stored
from crdlint.migrate.objects import Objects
from crdlint.migrate.plan import Plan
from crdlint.migrate.planner import Planner, Wishes
from crdlint.migrate.repository import Repository, check_clean, work_tree_of
from crdlint.report import Options, blob_address
from crdlint.report.migration import Migration, migration

_FORMATS = ("text", "json")
_REPORTS = ("markdown", "html")
_SAVE_FIRST = "save the objects first (kubectl get ... -o yaml > objects.yaml), and name that file"


@dataclass
class MigrationRun:
    """What the command line asked for, and what came of it."""

    wishes: Wishes
    applies: bool
    asks: bool
    allows_dirty: bool
    objects: tuple[str, ...]
    kubernetes: str
    format: str
    output: str | None
    reports: tuple[str, ...]
    fail_on: Severity
    color: options.Color
    # Did anything go wrong that the report does not show?
    failed: bool = False

    def run(self, paths: Sequence[str]) -> int:
        """Do it; returns the exit code."""
        reports = [_target(report) for report in self.reports]
        if self.format not in _FORMATS:
            raise UsageError(f"unknown format {self.format!r}; choose text or json, or --report markdown=FILE")
        for path in (self.output, *(path for _, path in reports)):
            check_target(path)
        if self.asks and not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
            raise UsageError("--ask asks at a terminal, and there is none: choose with --only and --crd")
        objects = self.stored_objects()
        planner = Planner(self.repository(paths), self.wishes)
        planner.check_names()
        plan, stored = planner.plan(), None
        if objects is not None:
            plan, stored = objects.held_against(planner, plan)
        if self.asks:
            from crdlint.cli.asking import NoAnswer, asked

            try:
                plan = asked(planner, plan)
            except NoAnswer:
                complain("the input ended before all was answered: nothing was changed; [q]uit keeps what was answered")
                return EXIT_FINDINGS
            if objects is not None:
                plan, stored = objects.held_against(planner, plan)
        for notice in plan.notices:
            complain(notice)
        told = self.carried_out(planner, plan, stored) if self.applies else migration(plan, self.is_stateless, stored)
        self.tell(told, reports)
        return self.exit_code(told)

    def tell(self, told: Migration, reports: Sequence[tuple[str, str]]) -> None:
        """Print the result, then write each of the reports, also where one of the others cannot be written."""
        with ExitStack() as further:
            for name, path in reversed(reports):
                further.callback(write_file, path, self.rendered(told, name, path))
            try:
                deliver(self.rendered(told, self.format, self.output), self.output)
            except UsageError:
                if self.output is not None:
                    write_out(self.rendered(told, "text", None))
                raise

    def stored_objects(self) -> Objects | None:
        for path in self.objects:
            if path == STDIN or _is_special(path):
                raise UsageError(f"--objects {path}: no regular file, and it is read more than once: {_SAVE_FIRST}")
        return Objects.of(self.objects, self.kubernetes) if self.objects else None

    def repository(self, paths: Sequence[str]) -> Repository:
        """What is there: of one work tree, without what the configuration excludes."""
        if STDIN in paths:
            raise UsageError("migrate changes a repository, and cannot read standard input: try `crdlint fix -`")
        files = files_in(paths, self.wishes.choices, unlistable(self.complain))
        self.check_only(files)
        check_choices(self.wishes.choices, files)
        repository = Repository()
        for path in files:
            try:
                repository.add(path, _read(path))
            except OSError as error:
                self.complain(f"{path}: cannot be read: {error.strerror}")
        repository.root = work_tree_of(file.path for file in repository.files)
        repository.folder = os.path.relpath(repository.root or _common_folder(paths))
        return repository

    def check_only(self, files: Sequence[str]) -> None:
        """Raise `UsageError` for a name in ``--only`` that stands for no rule and no pack."""
        if self.wishes.only:
            catalogue = catalogue_for(replace(self.wishes.choices, select=None), files)
            catalogue.expand(sorted(self.wishes.only), lambda index: "--only")

    def carried_out(self, planner: Planner, plan: Plan, stored: Stored | None) -> Migration:
        """Write what is planned, then look at all of it again."""
        targets = [file.path for file in plan.changed]
        if targets and not self.allows_dirty:
            check_clean(plan.root, targets)
        written = apply(plan, complain)
        for path, why in written.failed.items():
            self.complain(f"{path}: not changed: it {why}")
        again = Planner(self.read_again(planner.repository, plan), self.wishes, planner.left_out).plan()
        if any(step.is_planned for _, step in again.steps()) and not written.failed:
            self.complain("the files that were written need further steps: run crdlint migrate again")
        return migration(plan, self.is_stateless, stored, again, written.changed)

    def read_again(self, repository: Repository, plan: Plan) -> Repository:
        """The same files as they are now; the report names those that are not there any more."""
        again = Repository(repository.root, repository.folder)
        for path in repository.paths:
            try:
                again.add(path, _read(path))
            except OSError as error:
                plan.notices.append(f"{path}: cannot be read again: {error.strerror}")
                self.complain(plan.notices[-1])
        return again

    def is_stateless(self, path: str, crd: Crd) -> bool:
        return linter_for(path, self.wishes.choices).settings.is_stateless(crd)

    def rendered(self, told: Migration, name: str, path: str | None) -> str:
        if name == "json":
            from crdlint.report.migration_json import as_json

            return as_json(told)
        if name == "text":
            from crdlint.report.migration_text import as_text

            to_terminal = path is None
            return as_text(
                told, to_terminal and wants_color(self.color, sys.stdout), width(sys.stdout) if to_terminal else 80
            )
        settings = Options(root=told.plan.root, folder=working_folder(), blob=blob_address(os.environ))
        if name == "markdown":
            from crdlint.report.migration_markdown import as_markdown

            return as_markdown(told, settings)
        from crdlint.report.migration_html import as_html

        return as_html(told, settings)

    def exit_code(self, told: Migration) -> int:
        waits = told.planned and not told.is_done
        loud = any(finding.severity.rank >= self.fail_on.rank for finding in told.remaining)
        return EXIT_FINDINGS if waits or loud or self.failed else 0

    def complain(self, message: str) -> None:
        self.failed = True
        complain(message)


def _target(report: str) -> tuple[str, str]:
    name, path = options.report_target(report, "markdown=migration.md")
    if name not in _REPORTS:
        raise UsageError(f"--report {report}: a migration is reported as markdown or html")
    return name, path


def _common_folder(paths: Sequence[str]) -> str:
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    return os.path.commonpath(folders)


def _is_special(path: str) -> bool:
    """Is it a pipe or a device, which may give its content only once, or have no end?"""
    return os.path.exists(path) and not os.path.isfile(path)


def _read(path: str) -> bytes:
    """Raises `OSError`."""
    if _is_special(path):
        raise OSError(errno.EINVAL, "it is no regular file")
    with open(path, "rb") as file:
        return file.read()
