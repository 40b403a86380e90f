"""Addresses of places in the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from crdlint.files import STDIN

if TYPE_CHECKING:
    from crdlint.report import Options


def percent_encoded(path: str) -> str:
    """A path as a part of an address."""
    try:
        # The bytes that the file system has.
        return quote(path.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:
        return quote(path, safe="/", errors="backslashreplace")


def source_link(path: str, line: int, options: Options) -> str | None:
    """Where a line can be seen; None where that is not known, or the file lies outside the repository."""
    shown = from_root(path, options)
    if options.blob is None or path == STDIN or shown.startswith(("/", "../")):
        return None
    return f"{options.blob}{percent_encoded(shown)}#L{line}"


def from_root(path: str, options: Options) -> str:
    """The path from the repository's root, without a dot before it."""
    return options.from_root(path).removeprefix("./")
