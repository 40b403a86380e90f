"""Code frames: the line of a finding with its neighbours, cropped to a width, and carets under the span."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from crdlint.report.sanitise import dangerous, escape

if TYPE_CHECKING:
    from crdlint.findings import Finding
    from crdlint.yamltext.source import Source

TAB = "    "
CUT = "…"
NARROWEST = 20


@dataclass(frozen=True)
class FrameLine:
    """One line to show. ``number`` is None below the finding's line, where the carets stand."""

    number: int | None
    text: str


class _Cropped(NamedTuple):
    text: str
    # Where the span is shown, in columns of a terminal.
    caret: int
    length: int


def frame(source: Source, finding: Finding, width: int, context: int = 1) -> list[FrameLine]:
    """The lines to show for a finding, harmless on a terminal, within ``width`` columns; none if it is off the text."""
    if not 1 <= finding.line <= source.line_count:
        return []
    width = max(width, NARROWEST)
    lines: list[FrameLine] = []
    last = min(finding.line + context, source.line_count)
    for number in range(max(1, finding.line - context), last + 1):
        text = source.line(number)
        start, end = _span(finding, text) if number == finding.line else (0, 0)
        cropped = _crop(text, start, end, width)
        if number != source.line_count or cropped.text or number == finding.line:
            lines.append(FrameLine(number, cropped.text))
        if number == finding.line:
            lines.append(FrameLine(None, " " * cropped.caret + "^" * cropped.length))
    return lines


def _span(finding: Finding, line: str) -> tuple[int, int]:
    """The finding's part of its first line, in characters from 0."""
    start = min(finding.column - 1, len(line))
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line.rstrip())
    return start, max(start, min(end, len(line)))


def _crop(line: str, start: int, end: int, width: int) -> _Cropped:
    first = _first_shown(line, start, end, width)
    if _is_plain(line[first : first + width]):
        return _crop_plain(line, start, end, width, first)
    shown, used = ([CUT], 1) if first else ([], 0)
    caret, length = used, 0
    index = first
    while index < len(line):
        cell, cost = _cell(line, index)
        room_for_cut = 1 if index + 1 < len(line) else 0
        if used + cost > width - room_for_cut:
            shown.append(CUT)
            break
        if index < start:
            caret += cost
        elif index < end:
            length += cost
        shown.append(cell)
        used += cost
        index += 1
    return _Cropped("".join(shown).rstrip(), caret, max(length, 1))


def _is_plain(text: str) -> bool:
    """Does each character take a column, as it does in most lines?"""
    return text.isascii() and text.isprintable() and "[" not in text


def _crop_plain(line: str, start: int, end: int, width: int, first: int) -> _Cropped:
    head = CUT if first else ""
    room, rest = width - len(head), len(line) - first
    last = len(line) if rest <= room else first + room - 1
    text = head + line[first:last] + ("" if rest <= room else CUT)
    return _Cropped(text.rstrip(), len(head) + min(start, last) - first, max(min(end, last) - start, 1))


def _first_shown(line: str, start: int, end: int, width: int) -> int:
    """Where to begin so that the span is in sight: at the line's start, or a third of the width before the span."""
    if end < width and sum(_cell(line, index)[1] for index in range(end)) < width:
        return 0
    room, first = width // 3, start
    while first > 0:
        room -= _cell(line, first - 1)[1]
        if room < 0:
            break
        first -= 1
    return first


def _cell(line: str, index: int) -> tuple[str, int]:
    """What is shown for a character, and how many columns it takes."""
    char = line[index]
    if " " <= char <= "~" and char != "[":
        return char, 1
    if char == "\t":
        return TAB, len(TAB)
    if dangerous().match(line, index):
        stand_in = escape(char)
        return stand_in, len(stand_in)
    return char, columns(char)


def columns(char: str) -> int:
    """How many columns of a terminal a harmless character takes."""
    if char.isascii():
        return 1
    from unicodedata import category, east_asian_width

    if category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
