"""The columns in which gofmt sets the fields of a struct (go/printer's ``fieldList`` on top of text/tabwriter).

Only blanks between the parts of a line are ever changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crdlint.gosource.structs import Field, body_of, fields_of
from crdlint.gosource.syntax import GoFile, descendants

if TYPE_CHECKING:
    from tree_sitter import Node


# Where a part of a line starts and ends; None stands for a column that the line leaves empty.
_Part = tuple[int, int] | None


@dataclass(frozen=True)
class _Row:
    """The line of a field, part by part, and whether the field goes on in the lines that follow.

    Each part but the last ends in a tab. ``kept`` is the part whose column counts even where it is empty.
    """

    line: int
    parts: tuple[_Part, ...]
    kept: int | None
    goes_on: bool


def structs_of(file: GoFile) -> list[Node]:
    """All structs of a file, in the order of the text."""
    return list(descendants(file.root, "struct_type"))


def is_aligned(file: GoFile, struct: Node) -> bool:
    """Does each field stand where gofmt would put it?"""
    return not any(True for _ in misaligned(file, struct))


def misaligned(file: GoFile, struct: Node) -> Iterator[tuple[int, int, bytes]]:
    """The gaps that gofmt would make wider or narrower: start, end, and the blanks that belong there."""
    for section in _sections(file, struct):
        for row, widths in zip(section, _column_widths(file, section), strict=True):
            end, gap = 0, 0
            for part, width, following in zip(row.parts, widths, row.parts[1:], strict=False):
                end = part[1] if part is not None else end
                gap += width - _width(file, part)
                if following is not None:
                    if file.data[end : following[0]] != b" " * gap:
                        yield end, following[0], b" " * gap
                    gap = 0


def _sections(file: GoFile, struct: Node) -> Iterator[list[_Row]]:
    """The rows of a struct, cut where a line in between, or a field of several lines, ends a column."""
    section: list[_Row] = []
    for row in _rows(file, struct):
        if section and (row.line != section[-1].line + 1 or section[-1].goes_on):
            yield section
            section = []
        section.append(row)
    if section:
        yield section


def _rows(file: GoFile, struct: Node) -> Iterator[_Row]:
    comments = {
        file.line_of(node.start_byte): node for node in body_of(struct).named_children if node.type == "comment"
    }
    for found in fields_of(file, struct):
        line = file.line_of(found.node.start_byte)
        comment = comments.get(line)
        yield _row(file, found, line, (comment.start_byte, comment.end_byte) if comment is not None else None)


def _row(file: GoFile, found: Field, line: int, comment: _Part) -> _Row:
    """The parts as go/printer writes them: between type and tag of a named field it leaves a column empty."""
    goes_on = file.line_of(found.node.end_byte) != line
    parts: list[_Part] = [(found.node.start_byte, found.type.end_byte)]
    if found.names:
        names = found.node.children_by_field_name("name")
        parts = [(names[0].start_byte, names[-1].end_byte), (found.type.start_byte, found.type.end_byte)]
    if goes_on:
        return _Row(line, tuple(parts), None, goes_on)
    if found.tag is not None:
        parts += [None] if found.names else []
        parts.append((found.tag.start_byte, found.tag.end_byte))
    kept = len(parts) - 1 if found.tag is not None else None
    if comment is not None:
        parts += [None] if len(parts) == 1 else []
        parts.append(comment)
    return _Row(line, tuple(parts), kept, goes_on)


def _width(file: GoFile, part: _Part) -> int:
    return 0 if part is None else len(file.data[part[0] : part[1]].decode("utf-8", "replace"))


def _column_widths(file: GoFile, rows: Sequence[_Row]) -> list[list[int]]:
    """The width of each part's column: as wide as its widest part in adjacent lines, and a blank (text/tabwriter)."""
    widths: list[list[int]] = [[] for _ in rows]

    def reaches(row: int, column: int) -> bool:
        return column < len(rows[row].parts) - 1

    def fill(column: int, first: int, last: int) -> None:
        row = first
        while row < last:
            end = row
            while end < last and reaches(end, column):
                end += 1
            block = range(row, end)
            width = max((_width(file, rows[index].parts[column]) for index in block), default=0)
            is_kept = width or any(rows[index].kept == column for index in block)
            for index in block:
                widths[index].append(width + 1 if is_kept else 0)
            if block:
                fill(column + 1, row, end)
            row = max(end, row + 1)

    fill(0, 0, len(rows))
    return widths
