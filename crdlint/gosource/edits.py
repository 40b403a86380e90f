"""Changes of Go files as splices of their text, and the columns of the fields that they moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crdlint.gosource.layout import is_aligned, misaligned, structs_of
from crdlint.gosource.syntax import GoFile


@dataclass(frozen=True)
class Edit:
    """Put ``new`` in the place of the bytes from ``start`` to ``end`` of a file."""

    path: str
    start: int
    end: int
    new: bytes


class EditConflict(Exception):
    """Two edits that want different things of one place; the message names it."""


def apply_edits(path: str, data: bytes, edits: Iterable[Edit]) -> bytes:
    """The text of one file with the edits made, equal ones once; structs that gofmt had set stay set.

    Raises `EditConflict`, or `NotParsed` where the file is no Go.
    """
    before = GoFile(path, data)
    after = GoFile(path, _spliced(before, [edit for edit in dict.fromkeys(edits) if edit.path == path]))
    was_aligned = [is_aligned(before, struct) for struct in structs_of(before)]
    gaps = [
        Edit(path, *gap)
        for struct, aligned in zip(structs_of(after), was_aligned, strict=True)
        if aligned
        for gap in misaligned(after, struct)
    ]
    return _spliced(after, gaps)


def _spliced(file: GoFile, edits: list[Edit]) -> bytes:
    parts, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise EditConflict(f"{file.place(edit.start)}: two changes of one place")
        parts += [file.data[position : edit.start], edit.new]
        position = edit.end
    return b"".join([*parts, file.data[position:]])
