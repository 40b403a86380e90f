"""``crdlint check``."""

from __future__ import annotations

from typing import Annotated

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.cli.failures import complain
from crdlint.cli.session import Session
from crdlint.findings import Applicability, Severity
from crdlint.runner import default_jobs


def check(
    paths: options.Paths = None,
    fix: Annotated[bool, typer.Option("--fix", help="Make the safe fixes, in place.")] = False,
    unsafe_fixes: options.UnsafeFixes = False,
    diff: options.Diff = False,
    format_: options.Format = "text",
    output: options.Output = None,
    report: options.Reports = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    fail_on: options.FailOn = Severity.WARNING,
    config: options.Config = None,
    rules: options.Rules = None,
    baseline: options.Baseline = None,
    since: options.Since = None,
    no_cache: options.NoCache = False,
    jobs: options.Jobs = None,
    quiet: options.Quiet = False,
    color: options.ColorOption = options.Color.AUTO,
    stdin_filename: options.StdinFilename = None,
    force_exclude: options.ForceExclude = False,
    debug: options.Debug = False,
) -> None:
    """Check CRDs: can the status that they declare be trusted?"""
    if unsafe_fixes and not (fix or diff):
        complain("--unsafe-fixes does nothing by itself: add --fix to make them, or --diff to see them")
    allowed = Applicability.UNSAFE if unsafe_fixes else Applicability.SAFE
    session = Session(
        choices=Choices(
            options.selection(select),
            options.names(ignore),
            tuple(rules or ()),
            config,
            force_exclude,
        ),
        fixes=allowed if fix or diff else None,
        shows_diff=diff,
        format=format_,
        output=output,
        reports=tuple(report or ()),
        fail_on=fail_on,
        jobs=jobs or default_jobs(),
        quiet=quiet,
        color=color,
        stdin_filename=stdin_filename,
        uses_cache=not no_cache,
        baseline=baseline,
        since=since,
    )
    raise typer.Exit(session.run(paths or ["."]))
