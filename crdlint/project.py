"""What crdlint is called, where it lives and which version runs: said here and read from here."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

NAME = "crdlint"
HOME = "https://github.com/crdlint/crdlint"
PACKAGE = Path(__file__).resolve().parent


def pack_directory() -> Path:
    """Where the rule pack lies: inside an installed package, or at the top of a checkout."""
    installed = PACKAGE / "rulepack"
    return installed if installed.is_dir() else PACKAGE.parent / "rules"


@lru_cache(maxsize=1)
def version() -> str:
    """The installed version; a checkout that was never installed has none to tell."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(NAME)
    except PackageNotFoundError:
        return "0+unknown"
