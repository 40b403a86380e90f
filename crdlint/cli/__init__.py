"""The command line: the only code that prints or exits. One module per command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer

from crdlint.cli.failures import report_failures
from crdlint.errors import EXIT_INTERRUPTED

# Where each command is: only the one that is asked for is loaded, which is most of the time that a short run takes.
COMMANDS = {
    "check": "crdlint.cli.check",
    "fix": "crdlint.cli.fix",
    "simulate": "crdlint.cli.simulate",
    "status": "crdlint.cli.status",
    "rules": "crdlint.cli.rules",
    "explain": "crdlint.cli.rules",
}


def application(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands."""
    app = typer.Typer(
        name="crdlint",
        help="Says whether the status that a Kubernetes CRD declares can be trusted by the tools that wait on it, and "
        "fixes the schema in place.",
        epilog="Exit codes: 0 nothing at or above --fail-on; 1 findings, a difference or a file that could not be "
        "written; 2 wrong usage or a failure of crdlint itself; 130 an interrupt.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in commands:
        app.command(name)(getattr(import_module(COMMANDS[name]), name))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from crdlint import project

        typer.echo(f"crdlint {project.version()}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """The console script."""
    wanted = sys.argv[1:2]
    try:
        with report_failures(debug="--debug" in sys.argv):
            application(wanted if wanted and wanted[0] in COMMANDS else COMMANDS)()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
