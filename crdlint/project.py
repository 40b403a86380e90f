"""What crdlint is called, where it lives and which version runs: said here and read from here."""

from __future__ import annotations

from functools import lru_cache

NAME = "crdlint"
HOME = "https://github.com/crdlint/crdlint"


@lru_cache(maxsize=1)
def version() -> str:
    """The installed version; a checkout that was never installed has none to tell."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(NAME)
    except PackageNotFoundError:
        return "0+unknown"
