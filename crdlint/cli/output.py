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


def read_standard_input() -> bytes:
    """All of it. Raises `UsageError` where it is closed, or cannot be read."""
    if sys.stdin is None:
        raise UsageError("standard input is closed: there is nothing to read")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(f"standard input cannot be read: {error.strerror}") from None


def write_out(data: bytes | str, stream: TextIO | None = None) -> None:
    """Write to standard output, or another stream, in UTF-8 whatever the locale is.

    Raises `BrokenPipeError` where nobody reads any more, and `UsageError` where it cannot be written.
    """
    stream = stream or sys.stdout
    if stream is None:
        return  # it was closed from the start
    if isinstance(data, str):
        data = data.encode("utf-8", "backslashreplace")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError as error:
        silence(stream)
        if isinstance(error, BrokenPipeError):
            raise
        raise UsageError(f"the output cannot be written: {error.strerror}") from None


def silence(stream: TextIO) -> None:
    """Send what is still to be written to a stream nowhere: it must not fail again when Python ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return


def check_target(path: str | None) -> None:
    """Raises `UsageError` where a report cannot possibly be written."""
    if path is not None and not os.path.isdir(os.path.dirname(path) or "."):
        raise UsageError(f"{path}: the report cannot be written: there is no such folder")


def write_file(path: str, text: str) -> None:
    """Write a report. Raises `UsageError` where the file cannot be written."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path}: the report cannot be written: {error.strerror}") from None


def deliver(text: str, path: str | None, stream: TextIO | None = None) -> None:
    """Write to the file that was named, or else to a stream, by default standard output."""
    if path is not None:
        write_file(path, text)
    else:
        write_out(text, stream)
