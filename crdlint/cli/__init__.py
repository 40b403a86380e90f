"""The command line: the only code that prints or exits. One module per command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from crdlint.cli import check, rules, simulate, status
from crdlint.cli.failures import EXIT_INTERRUPTED, report_failures

app = typer.Typer(
    name="crdlint",
    help="Says whether the status that a Kubernetes CRD declares can be trusted by the tools that wait on it, and "
    "fixes the schema in place.",
    epilog="Exit codes: 0 nothing at or above --fail-on; 1 findings, a difference or a file that could not be written; "
    "2 wrong usage or a failure of crdlint itself; 130 an interrupt.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check.check)
app.command("fix")(check.fix)
app.command("simulate")(simulate.simulate)
app.command("status")(status.status)
app.command("rules")(rules.rules)
app.command("explain")(rules.explain)


def _print_version(wanted: bool) -> None:
    if wanted:
        from crdlint import project

        typer.echo(f"crdlint {project.version()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """The console script."""
    try:
        with report_failures(debug="--debug" in sys.argv):
            app()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
