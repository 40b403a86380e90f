"""``crdlint baseline``: write down today's findings, so that checks report only new ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.cli.output import check_target, write_file, write_out
from crdlint.cli.session import Session
from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.runner import default_jobs
from crdlint.words import count

if TYPE_CHECKING:
    from crdlint.known.renewal import Renewal


def baseline(
    paths: options.Paths = None,
    output: Annotated[
        Optional[str],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
        typer.Option(
            "--output", "-o", metavar="FILE", help="By default .crdlint-baseline.json at the repository's root."
        ),
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Only drop findings that are no more: take no new ones.")
    ] = False,
    select: options.Select = None,
    ignore: options.Ignore = None,
    config: options.Config = None,
    rules: options.Rules = None,
    no_cache: options.NoCache = False,
    jobs: options.Jobs = None,
    force_exclude: options.ForceExclude = False,
    debug: options.Debug = False,
) -> None:
    """Record today's findings as known.

    `crdlint check --baseline FILE` reports only new ones then. Findings are told apart by path, rule, CRD, version and
    place in the CRD, not by lines: commit the file. What it holds of files beside those named, and of rules that are
    not selected, stays as it is.
    """
    from crdlint.cli.known import BaselineFiles, surroundings
    from crdlint.known.baseline import FILE_NAME, as_text, read
    from crdlint.known.comparison import Known
    from crdlint.known.renewal import renewed

    paths = paths or ["."]
    if STDIN in paths:
        raise UsageError("- (standard input) is no file of the repository: name files or folders")
    where = surroundings()
    target = output or os.path.relpath(os.path.join(where.root or "", FILE_NAME))
    check_target(target)
    is_there = os.path.exists(target)
    old = read(target) if is_there or prune else Known()
    choices = Choices(
        options.selection(select), options.names(ignore), tuple(rules or ()), config, force_exclude=force_exclude
    )
    session = Session(choices, jobs=jobs or default_jobs(), uses_cache=not no_cache)
    _, report, _ = session.check(paths)
    if session.failed:
        raise UsageError("no baseline was written: it would lack the findings of what could not be read")
    files = BaselineFiles(choices, where, paths, report)
    renewal = renewed(report.findings, old, where, files, takes_new=not prune)
    write_file(target, as_text(renewal.known))
    changes = "".join(f"; {change}" for change in _changes(renewal, prune)) if is_there else ""
    held = count(renewal.known.total(), "finding")
    write_out(f"{target} holds {held}{changes}; `crdlint check --baseline {target}` reports new ones only.\n")


def _changes(renewal: Renewal, prune: bool) -> Iterator[str]:
    """How a baseline differs from what it was."""
    if renewal.new:
        yield f"{count(renewal.new, 'new one')} {'left out' if prune else 'taken'}"
    if renewal.gone:
        yield f"{renewal.gone} dropped, being no more"
    if renewal.kept:
        yield f"{renewal.kept} kept, of what was not checked"
