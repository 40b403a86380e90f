"""``crdlint cache``: where results of earlier runs are kept, and their removal."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from crdlint.cli import options
from crdlint.cli.output import write_out
from crdlint.errors import UsageError


class Action(str, Enum):
    DIR = "dir"
    CLEAR = "clear"


def cache(
    action: Annotated[Action, typer.Argument(help="dir: print where the cache is. clear: remove what it holds.")],
    debug: options.Debug = False,
) -> None:
    """Show or clear the cache.

    It holds the results of earlier checks, by content: a file, configuration or rule that has changed is checked anew.
    CRDLINT_CACHE_DIR says where it is; --no-cache does without it.
    """
    from crdlint.cache.results import cache_folder

    folder = cache_folder()
    if folder is None:
        raise UsageError("there is no home folder that could hold a cache: say in CRDLINT_CACHE_DIR where it is to be")
    if action is Action.DIR:
        write_out(folder + "\n")
        return
    from crdlint.cache.pack import clear

    try:
        files, size = clear(folder)
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be removed: {error.strerror}") from None
    write_out(f"{folder}: removed {files} {'file' if files == 1 else 'files'}, {size / 1e6:.1f} MB.\n")
