"""Where output goes, and whether it is coloured."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from typing import TextIO

from crdlint.cli.options import Color
from crdlint.errors import UsageError

# Below these a file, too, is somebody's open stream.
_SPECIAL = ("/dev/", "/proc/")


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


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def read_standard_input() -> bytes:
    """All of it. Raises `UsageError` where it is closed, or cannot be read."""
    if sys.stdin is None:
        raise UsageError("standard input is closed: there is nothing to read")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(f"standard input cannot be read: {error.strerror}") from None


def open_closed_streams() -> None:
    """Send standard output and error nowhere if they were closed from the start; Python has none then."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def write_out(data: bytes | str, stream: TextIO | None = None) -> None:
    """Write to standard output, or another stream, in UTF-8 whatever the locale is.

    Raises `BrokenPipeError` where nobody reads any more, and `UsageError` where it cannot be written.
    """
    stream = stream or sys.stdout
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
        write_whole(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{path}: the report cannot be written: {error.strerror}") from None


def write_whole(path: str, data: bytes) -> None:
    """Write all of a file, or leave what is there as it is. Raises `OSError`.

    Devices and pipes are written to, and so is the file that a device stands for.
    """
    if os.path.abspath(path).startswith(_SPECIAL) or (os.path.exists(path) and not os.path.isfile(path)):
        with open(path, "wb") as file:
            file.write(data)
        return
    from crdlint.fix.write import temporary_beside

    target = os.path.realpath(path)
    mode = _mode_for(target)
    temporary = temporary_beside(target)
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _mode_for(target: str) -> int | None:
    """The mode that a file keeps; None for a new one. Raises `OSError` where it must not be written."""
    if not os.path.exists(target):
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return stat.S_IMODE(os.stat(target).st_mode)


def deliver(text: str, path: str | None, stream: TextIO | None = None) -> None:
    """Write to the file that was named, or else to a stream, by default standard output."""
    if path is not None:
        write_file(path, text)
    else:
        write_out(text, stream)
