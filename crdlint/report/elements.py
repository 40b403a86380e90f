"""Elements of a page of HTML that draws itself without a script, as text. All that comes from files is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from crdlint.report.html import LONGEST_LINE
from crdlint.report.sanitise import clean, clean_short, shorten

if TYPE_CHECKING:
    from crdlint.report.readiness import Cell

_MARKS = {"good": "\u2713", "bad": "\u2717", "warning": "!", "none": "\u2013", "unknown": "?"}
# After these a name may go on in the next line.
_WORD_END = re.compile(r"(?<=[./_-])(?=.)|(?<=[a-z0-9])(?=[A-Z])")


def tile(value: str, label: str, look: str = "") -> str:
    return f'<li class="{look}"><strong>{value}</strong>{label}</li>'


def table(head: Iterable[str], rows: Iterable[str]) -> str:
    titles = "".join(f"<th>{escaped(title)}</th>" for title in head)
    return (
        f'<div class="scroll"><table class="matrix"><thead><tr>{titles}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def data_cell(title: str, content: str, look: str = "") -> str:
    """A cell says which column it is in, for where there are no columns."""
    return f'<td data-label="{escaped(title)}" class="{look}">{content}</td>'


def mark(cell: Cell) -> str:
    look = cell.mark.value if cell.text else f"{cell.mark.value} nothing"
    return f'<span class="mark {look}"><b>{_MARKS[cell.mark.value]}</b> {escaped(cell.text)}</span>'


def diff_line(line: str) -> str:
    look = {"+": "add", "-": "remove"}.get(line[:1], "")
    return f'<span class="{look}">{escape(shorten(clean(shorten(line, LONGEST_LINE)), LONGEST_LINE)) or " "}</span>'


def escaped(text: str) -> str:
    return escape(clean_short(text))


def breakable(name: str) -> str:
    """A name or a path, which breaks between its words if it has to."""
    return "<wbr>".join(map(escape, _WORD_END.split(clean_short(name))))


def prose(text: str) -> str:
    """Text in which what stands between backticks is code."""
    parts = clean_short(text).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    return "".join(f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(parts))


def code(text: str) -> str:
    return f"<code>{escaped(text)}</code>"
