"""Bytes and text of one file, and where an offset stands in it."""

from __future__ import annotations

import codecs
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

BOM = "\ufeff"
# Characters between two places of a text whose lines are known.
STRIDE = 1 << 12
_FOREIGN_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Unreadable(Exception):
    """A file that cannot be understood as YAML; ``offset`` counts characters of its text."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True)
class Source:
    """The text of a file without its byte order mark.

    Offsets everywhere in crdlint count characters (code points) of ``text``.
    """

    text: str
    bom: bool = False

    @classmethod
    def from_bytes(cls, data: bytes) -> Source:
        """Decode UTF-8. Raises `Unreadable` for any other encoding."""
        # Half of the bytes, or more, of Latin letters in these encodings are NUL.
        if data.startswith(_FOREIGN_MARKS) or data[:4].count(0) >= 2:
            raise Unreadable("the file is in UTF-16 or UTF-32; Kubernetes tools read UTF-8: convert it to UTF-8")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8", "replace").removeprefix(BOM)
            raise Unreadable(
                f"byte 0x{data[error.start]:02x} is not UTF-8: convert the file to UTF-8", len(before)
            ) from None
        if text.startswith(BOM):
            return cls(text[1:], bom=True)
        return cls(text)

    def to_bytes(self, text: str | None = None) -> bytes:
        """Encode ``text`` (by default this source's own) with this file's byte order mark."""
        return ((BOM if self.bom else "") + (self.text if text is None else text)).encode("utf-8")

    @cached_property
    def _lines_before(self) -> list[int]:
        """How many lines end before each stride of the text: to find one line, not all have to be known."""
        strides = range(0, len(self.text), STRIDE)
        return list(accumulate((self.text.count("\n", start, start + STRIDE) for start in strides), initial=0))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, from 1. Only LF and CRLF end a line, as in editors."""
        stride = offset // STRIDE
        line = self._lines_before[stride] + self.text.count("\n", stride * STRIDE, offset) + 1
        return line, offset - self.text.rfind("\n", 0, offset)

    def line_span(self, line: int) -> tuple[int, int]:
        """Start and end (newline excluded) of line ``line``, counted from 1."""
        start = self._start(line - 1)
        end = self.text.find("\n", start)
        if end < 0:
            end = len(self.text)
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def line(self, line: int) -> str:
        """The text of line ``line``, counted from 1."""
        start, end = self.line_span(line)
        return self.text[start:end]

    @property
    def line_count(self) -> int:
        return self._lines_before[-1] + 1

    def _start(self, lines: int) -> int:
        """Where a line begins that has so many lines before it. The text is not taken apart as a whole for that."""
        if not lines:
            return 0
        stride = bisect_left(self._lines_before, lines) - 1
        end = (stride + 1) * STRIDE
        rest = self.text[stride * STRIDE : end].split("\n", lines - self._lines_before[stride])[-1]
        return min(end, len(self.text)) - len(rest)
