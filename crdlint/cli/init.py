"""``crdlint init``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from crdlint.cli import options
from crdlint.cli.failures import complain
from crdlint.cli.output import write_out, write_whole
from crdlint.cli.places import repository_root
from crdlint.errors import UsageError


def init(
    path: Annotated[str, typer.Argument(metavar="[PATH]", help="A folder of the repository.")] = ".",
    to_stdout: Annotated[bool, typer.Option("--stdout", help="Print the configuration, and write nothing.")] = False,
    debug: options.Debug = False,
) -> None:
    """Write a starting configuration.

    It is .crdlint.yaml at the root of the repository, made from what that holds. It changes no finding: most of it are
    suggestions, in comments.
    """
    if not os.path.isdir(path):
        raise UsageError(f"{path}: there is no such folder")
    from crdlint.config.lookup import FILE_NAME
    from crdlint.setup.starting import starting_config
    from crdlint.setup.survey import survey

    folder = os.path.abspath(path)
    root = repository_root(folder) or folder
    target = os.path.relpath(os.path.join(root, FILE_NAME))
    if not to_stdout:
        _check_none(root)
    text = starting_config(survey(root))
    if to_stdout:
        write_out(text)
        complain(f"nothing was written: save this as {target}, then run `crdlint check`")
        return
    try:
        write_whole(target, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror}") from None
    write_out(f"{target} is written: look through its suggestions, then run `crdlint check`\n")


def _check_none(root: str) -> None:
    """Raises `UsageError` where there is a configuration already."""
    from crdlint.config.lookup import config_for

    there = config_for(os.path.join(root, "-")).path
    if there is not None:
        there = os.path.relpath(there)
        raise UsageError(f"{there}: there is a configuration already; `crdlint init --stdout` prints another one")
