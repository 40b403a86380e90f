"""Unified diffs of what fixes change."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator

from crdlint.report.sanitise import clean

# What stands in a header as it is: printable ASCII but quotes and backslashes.
_PLAIN = re.compile(rb"[ !#-\[\]-~]+")
_COLORS = {"-": "31", "+": "32", "@": "36"}


def unified(path: str, before: bytes, after: bytes, color: bool) -> str:
    """The change of one file, for ``patch -p0`` and, since the ``./`` counts as a folder, for ``git apply``.

    ``path`` leads there from the folder in which it will be applied. Line endings stay.
    """
    name = _name(path if os.path.isabs(path) else f"./{path}")
    lines = _lines(name, before.decode("utf-8"), after.decode("utf-8"))
    return "".join(_painted(line) for line in lines) if color else "".join(lines)


def _lines(name: str, before: str, after: str) -> Iterator[str]:
    old, new = (text.split("\n") for text in (before, after))
    old, new = ([*(line + "\n" for line in lines[:-1]), *lines[-1:]] for lines in (old, new))
    old, new = ([line for line in lines if line] for lines in (old, new))
    for line in difflib.unified_diff(old, new, name, name):
        yield line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"


def _name(path: str) -> str:
    """A path as Git and patch read it in a header: in quotes where they need them; a tab ends one with spaces."""
    data = os.fsencode(path)
    if _PLAIN.fullmatch(data):
        return path + "\t" if " " in path else path
    return '"' + "".join(chr(byte) if _PLAIN.fullmatch(bytes([byte])) else f"\\{byte:03o}" for byte in data) + '"'


def _painted(line: str) -> str:
    shown = clean(line.rstrip("\r\n"))
    code = _COLORS.get(line[:1])
    return f"\x1b[{code}m{shown}\x1b[0m\n" if code else shown + "\n"
