"""``crdlint baseline``: write down today's findings, so that checks report only new ones."""

from __future__ import annotations

import os
from typing import Annotated, Optional

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.cli.output import check_target, write_file, write_out
from crdlint.cli.session import Session
from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.runner import default_jobs


def baseline(
    paths: options.Paths = None,
    output: Annotated[
        Optional[str],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
        typer.Option(
            "--output", "-o", metavar="FILE", help="By default .crdlint-baseline.json at the repository's root."
        ),
    ] = None,
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
    place in the CRD, not by lines: commit the file.
    """
    from crdlint.cli.known import surroundings
    from crdlint.known.baseline import FILE_NAME, as_text
    from crdlint.known.comparison import known_from

    if STDIN in (paths or ()):
        raise UsageError("- (standard input) is no file of the repository: name files or folders")
    where = surroundings()
    target = output or os.path.relpath(os.path.join(where.root or "", FILE_NAME))
    check_target(target)
    choices = Choices(
        options.selection(select), options.names(ignore), tuple(rules or ()), config, force_exclude=force_exclude
    )
    session = Session(choices, jobs=jobs or default_jobs(), uses_cache=not no_cache)
    _, report, _ = session.check(paths or ["."])
    if session.failed:
        raise UsageError("no baseline was written: it would lack the findings of what could not be read")
    write_file(target, as_text(known_from(report.findings, where)))
    number = len(report.findings)
    held = "1 finding" if number == 1 else f"{number} findings"
    write_out(f"{target} holds {held}; `crdlint check --baseline {target}` reports new ones only.\n")
