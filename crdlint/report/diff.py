"""Unified diffs of what fixes change."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from crdlint.report.sanitise import clean

_COLORS = {"-": "31", "+": "32", "@": "36"}


def unified(path: str, before: bytes, after: bytes, color: bool) -> str:
    """The change of one file, for ``git apply`` and, by the Index line, for ``patch -p0``. Line endings stay."""
    lines = [f"Index: {path}\n", *_lines(path, before.decode("utf-8"), after.decode("utf-8"))]
    return "".join(_painted(line) for line in lines) if color else "".join(lines)


def _lines(path: str, before: str, after: str) -> Iterator[str]:
    old, new = (text.split("\n") for text in (before, after))
    old, new = ([*(line + "\n" for line in lines[:-1]), *lines[-1:]] for lines in (old, new))
    old, new = ([line for line in lines if line] for lines in (old, new))
    for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"):
        yield line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"


def _painted(line: str) -> str:
    shown = clean(line.rstrip("\r\n"))
    code = _COLORS.get(line[:1])
    return f"\x1b[{code}m{shown}\x1b[0m\n" if code else shown + "\n"
