"""What the readers of YAML and JSON share: a window on the stream, and how they say that something is wrong."""

from __future__ import annotations

import codecs
from typing import Any, BinaryIO

from crdlint.yamltext.wellformed import MAX_DEPTH

# etcd refuses requests above 1.5 MiB; YAML with long indentation is a few times as long as what is stored.
MAX_OBJECT_BYTES = 16 * 1024 * 1024
_CHUNK = 64 * 1024
_WHITE = b" \t\r\n"


class BadInput(Exception):
    """What stands at a line is no object that Kubernetes could have stored; the message says why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def too_deep(line: int) -> BadInput:
    """Collections inside collections inside collections."""
    return BadInput(line, f"collections are nested deeper than {MAX_DEPTH} levels")


class TooLarge(Exception):
    """One object takes more bytes than any that Kubernetes stores."""

    def at(self, line: int) -> BadInput:
        """The same, for a person."""
        mebibytes = MAX_OBJECT_BYTES // 1024**2
        return BadInput(line, f"one object takes more than {mebibytes} MiB, which Kubernetes could not have stored")


class Window:
    """A stream of bytes of which only a part is held at any time.

    A parser reads from it, and says with `release` whenever it has got hold of an object.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._head = stream.read(_CHUNK).removeprefix(codecs.BOM_UTF8)
        self._since_release = 0

    def first_character(self) -> str:
        """The first character that is no white space; "" where none is near the start."""
        return self._head.lstrip(_WHITE)[:1].decode("ascii", "replace")

    def read(self, size: int = _CHUNK) -> bytes:
        """The next bytes, b"" at the end. Raises `TooLarge`."""
        if self._since_release > MAX_OBJECT_BYTES:
            raise TooLarge
        data, self._head = self._head[:size], self._head[size:]
        data = data or self._stream.read(size)
        self._since_release += len(data)
        return data

    def release(self) -> None:
        """An object is complete: what was read until now does not count any more."""
        self._since_release = 0


def is_list(head: dict[str, Any]) -> bool:
    """Does the object hold a list of others?"""
    kind = head.get("kind")
    return isinstance(kind, str) and kind.endswith("List")


def check_is_list(head: dict[str, Any], line: int) -> None:
    """Raise `BadInput` unless what had ``items`` turns out to be a list."""
    if not is_list(head):
        raise BadInput(line, f"an object of kind {head.get('kind')} has items, but only a List may have them")
