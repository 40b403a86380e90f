"""The command line: the only code that prints or exits. One module per command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer

from crdlint.cli.failures import report_failures
from crdlint.cli.help import epilog
from crdlint.cli.output import open_closed_streams
from crdlint.errors import EXIT_INTERRUPTED

# Where each command is: only the one that is asked for is loaded, which is most of the time that a short run takes.
COMMANDS = {
    "check": "crdlint.cli.check",
    "fix": "crdlint.cli.fix",
    "migrate": "crdlint.cli.migrate",
    "baseline": "crdlint.cli.baseline",
    "cache": "crdlint.cli.cache",
    "simulate": "crdlint.cli.simulate",
    "status": "crdlint.cli.status",
    "healthchecks": "crdlint.cli.healthchecks",
    "rules": "crdlint.cli.rules",
    "explain": "crdlint.cli.rules",
    "config": "crdlint.cli.config",
    "init": "crdlint.cli.init",
}


def application(commands: Iterable[str] = COMMANDS, completes: bool = False) -> typer.Typer:
    """The command line with these commands; with ``completes`` it serves the shells' completion too."""
    app = typer.Typer(
        name="crdlint",
        help="Says whether the status that a Kubernetes CRD declares can be trusted by the tools that wait on it, and "
        "fixes the schema in place.",
        epilog="`crdlint COMMAND --help` tells more, with examples and exit codes.",
        no_args_is_help=True,
        add_completion=completes,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in commands:
        command = getattr(import_module(COMMANDS[name]), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, epilog=epilog(name))
        else:
            app.command(name, epilog=epilog(name))(command)
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
    open_closed_streams()
    wanted = sys.argv[1:2]
    is_command = bool(wanted) and wanted[0] in COMMANDS
    # kubectl finds its plug-ins as programs whose names begin with its own.
    is_plugin = os.path.basename(sys.argv[0]).startswith("kubectl-")
    try:
        with report_failures(debug="--debug" in sys.argv):
            commands = wanted if is_command else COMMANDS
            name = "kubectl crdlint" if is_plugin else "crdlint"
            application(commands, completes=not is_command and not is_plugin)(prog_name=name)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
