"""Where output goes, and whether it is coloured."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from crdlint.cli.options import Color
from crdlint.errors import UsageError


def wants_color(choice: Color, stream: TextIO) -> bool:
    """The option wins, then NO_COLOR and TERM=dumb, then FORCE_COLOR, then whether the stream is a terminal."""
    if choice is not Color.AUTO:
        return choice is Color.ALWAYS
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width(stream: TextIO) -> int:
    """Columns of the terminal; 80 where there is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def write_out(data: bytes | str) -> None:
    """Write to standard output, in UTF-8 whatever the locale is."""
    if isinstance(data, str):
        data = data.encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_file(path: str, text: str) -> None:
    """Write a report. Raises `UsageError` where the file cannot be written."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path}: the report cannot be written: {error.strerror}") from None
