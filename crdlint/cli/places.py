"""Where crdlint is run."""

from __future__ import annotations

import os


def working_folder() -> str:
    """Absolute, with forward slashes."""
    return os.getcwd().replace(os.sep, "/")


def repository_root(folder: str) -> str | None:
    """The nearest folder upward that is the top of a Git working tree."""
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
