"""``crdlint config schema`` and ``crdlint config show``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from crdlint.cli import options
from crdlint.cli.help import epilog
from crdlint.cli.output import deliver, write_out
from crdlint.errors import UsageError

config = typer.Typer(
    help="What a configuration may say, and what applies to a file.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@config.command(epilog=epilog("config schema"))
def schema(output: options.Output = None, debug: options.Debug = False) -> None:
    """Print the JSON Schema of configurations, for editors.

    Editors read it where the configuration begins with
    "# yaml-language-server: $schema=FILE", FILE being what -o wrote.
    """
    from crdlint.config.editors import schema_for_editors

    deliver(schema_for_editors(), output)


@config.command(epilog=epilog("config show"))
def show(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, or a folder for what applies to files in it.")],
    config: options.Config = None,
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")] = "text",
    debug: options.Debug = False,
) -> None:
    """Show what applies to a file, and where each setting comes from."""
    options.check_text_or_json(format_)
    if not os.path.lexists(path):
        raise UsageError(f"{path}: there is no such file or folder")
    from crdlint.choices import Choices
    from crdlint.report.configuration import as_json, as_text
    from crdlint.setup.show import settings_of_file

    shown = settings_of_file(path, Choices(config=config))
    write_out(as_json(shown) if format_ == "json" else as_text(shown))
