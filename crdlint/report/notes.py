"""What stands below the frame of a finding: its fix, the reasons for how safe that is, and the marker of the Go types.

A rule has much the same reasons wherever it is broken. So each is told in full once in a run. Later it is cut to a
line, and where all is as it was for the rule's last finding, that is said.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from crdlint.report.sanitise import clean_short

if TYPE_CHECKING:
    from crdlint.findings import Finding

CUT = " … (as above)"
_BEFORE_COMMAND = re.compile(" +(?=::)")

BOLD, RED, YELLOW, CYAN, GREEN = "1", "31", "33", "36", "32"
_FIX_COLOR = {"safe": GREEN, "unsafe": YELLOW, "manual": CYAN}


class Note(NamedTuple):
    """The lines of a note; the first begins with ``label``, which is shown in ``color``."""

    label: str
    lines: list[str]
    color: str


class Notes:
    """The notes of one run."""

    def __init__(self) -> None:
        # What was said below the last finding of a rule, but for the fix itself.
        self._last: dict[str, tuple[object, ...]] = {}
        # The reasons of a rule that were told in full.
        self._told: dict[str, set[str]] = {}

    def of(self, finding: Finding, width: int) -> Iterator[Note]:
        """What stands below a finding's frame, its lines up to ``width``."""
        fix = finding.fix
        if fix is not None:
            kind = fix.applicability.value
            yield _note(f"fix ({kind}):", fix.title, _FIX_COLOR[kind], width)
            if fix.refused is not None:
                yield _note("not applied:", fix.refused, RED, width)
        reasons = [clean_short(reason) for reason in fix.reasons] if fix is not None else []
        notes = [_note("because", reason, BOLD, width) for reason in reasons]
        notes += _markers(finding, width)
        if self._is_repeated(finding) and sum(len(note.lines) for note in notes) > 1:
            labels = dict.fromkeys(note.label.rstrip(":") for note in notes)
            yield _note(" and ".join(labels), "as above", BOLD, width)
            return
        told = self._told.setdefault(finding.rule, set())
        for reason, note in zip(reasons, notes, strict=False):
            yield _cut(note, told, width) if reason in told and len(note.lines) > 1 else note
        told.update(reasons)
        yield from notes[len(reasons) :]

    def _is_repeated(self, finding: Finding) -> bool:
        reasons = () if finding.fix is None else finding.fix.reasons
        told = (reasons, finding.marker, finding.marker_on)
        is_repeated = self._last.get(finding.rule) == told
        self._last[finding.rule] = told
        return is_repeated


def _cut(note: Note, told: set[str], width: int) -> Note:
    """A reason in one line, unless another one that was told begins alike."""
    begin = wrapped(note.lines[0], width - len(CUT), "", "")[0]
    alike = sum(reason.startswith(begin.removeprefix("because ")) for reason in told)
    return note if alike > 1 else note._replace(lines=[begin + CUT])


def _markers(finding: Finding, width: int) -> Iterator[Note]:
    where = f"(on {finding.marker_on}):" if finding.marker_on else ""
    for marker in (finding.marker or "").split("\n"):
        if marker.strip():
            code = marker if marker.startswith("//") else f"// {marker}"
            yield _note("marker" if where else "marker:", f"{where} {code}".lstrip(), BOLD, width)


def _note(label: str, text: str, color: str, width: int) -> Note:
    return Note(label, wrapped(f"{label} {clean_short(text)}", width, "", "  "), color)


@lru_cache(maxsize=1024)
def wrapped(text: str, width: int, first: str, others: str) -> list[str]:
    """Prose in lines that begin with these.

    Findings have much the same texts, and wrapping is most of what showing them takes. The slashes of a marker stay
    with it, and no line begins with ``::``, where CI runners look for commands.
    """
    lines = textwrap.wrap(
        _BEFORE_COMMAND.sub(lambda blanks: "\0" * len(blanks[0]), text.replace("// ", "//\0")),
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in lines]
