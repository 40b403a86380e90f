"""What the fix of a single finding would change in the text of its file: as splices, and as the hunks of a diff."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint.crd.model import KIND, SPEC_SCHEMA
from crdlint.yamltext.edit import plan, splice
from crdlint.yamltext.operations import Operation, Refused, distinct
from crdlint.yamltext.page import Splice
from crdlint.yamltext.parse import Stream, parse
from crdlint.yamltext.source import Source, Unreadable

if TYPE_CHECKING:
    from crdlint.findings import FileResult, Finding, Report

CONTEXT = 2
# The marks of a hunk cannot be taken for a line's: those begin with a space, a plus or a minus.
_HEAD = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def changes_of(report: Report) -> dict[str, FileChanges]:
    """The changes of each file whose text is known."""
    return {result.path: FileChanges(result, result.text) for result in report.results if result.text is not None}


class FileChanges:
    """The findings of one file, and what their fixes would change."""

    def __init__(self, result: FileResult, text: str) -> None:
        self.source = Source(text)
        self.findings = result.findings

    def splices(self, finding: Finding) -> list[Splice]:
        """The splices of the fix that a finding names; none where it is not to be had by itself."""
        operations = self._operations(finding)
        if finding.fix is None or not operations or self._stream is None:
            return []
        documents = self._stream.documents[finding.fix.document :]
        try:
            # A finding that was kept since an earlier run may be forged.
            return plan(self._stream, documents[0], operations) if documents else []
        except Refused:
            return []

    def hunks(self, finding: Finding) -> list[Hunk]:
        """The same as the hunks of a unified diff."""
        return list(_hunks(self.source, self.splices(finding)))

    @cached_property
    def _stream(self) -> Stream | None:
        try:
            return parse(self.source.text, wanted=KIND, defer=SPEC_SCHEMA)
        except Unreadable:
            return None

    def _operations(self, finding: Finding) -> Sequence[Operation]:
        """The defaults of all versions of a CRD come together, or not at all."""
        fix = finding.fix
        if fix is None or fix.refused is not None or not fix.operations:
            return ()
        if not fix.stage:
            return fix.operations
        parts = [other.fix.operations for other in self.findings if _belongs_with(other, finding) and other.fix]
        return distinct(operation for part in parts for operation in part) if all(parts) else ()


@dataclass(frozen=True)
class Hunk:
    """A part of a diff: where it begins before and after, and its lines with their marks."""

    before: int
    after: int
    lines: list[str]


def difference(before: str, after: str) -> list[Hunk]:
    """The hunks between two texts of a file."""
    old, new = (_lines(text) for text in (before, after))
    # Comparing costs: leave out what is alike at both ends.
    ahead = max(0, _alike(old, new) - CONTEXT)
    behind = max(0, _alike(old[:ahead:-1], new[:ahead:-1]) - CONTEXT)
    old, new = old[ahead : len(old) - behind], new[ahead : len(new) - behind]
    hunks: list[Hunk] = []
    for line in list(difflib.unified_diff(old, new, lineterm="", n=CONTEXT))[2:]:
        start = _HEAD.match(line)
        if start is not None:
            hunks.append(Hunk(int(start[1]) + ahead, int(start[2]) + ahead, []))
        else:
            hunks[-1].lines.append(line)
    return hunks


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines at the start are equal."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (line, changed) in pairs if line != changed), min(len(one), len(other)))


def _lines(text: str) -> list[str]:
    return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]


def _belongs_with(other: Finding, finding: Finding) -> bool:
    assert finding.fix is not None
    return (
        other.fix is not None
        and other.fix.stage > 0
        and other.fix.applicability is finding.fix.applicability
        and (other.fix.document, other.crd) == (finding.fix.document, finding.crd)
    )


def _hunks(source: Source, splices: Sequence[Splice]) -> Iterator[Hunk]:
    shift = 0
    for group in _groups(source, splices):
        first = max(1, source.position(group[0].start)[0] - CONTEXT)
        last = min(source.line_count, source.position(group[-1].end)[0] + CONTEXT)
        start, end = source.line_span(first)[0], source.line_span(last)[1]
        before = source.text[start:end]
        moved = [Splice(one.start - start, one.end - start, one.new) for one in group]
        hunk = _hunk(first, first + shift, _lines(before), _lines(splice(before, moved)))
        shift += splice(before, moved).count("\n") - before.count("\n")
        yield hunk


def _groups(source: Source, splices: Sequence[Splice]) -> list[list[Splice]]:
    """Splices so near to each other that they share a hunk."""
    numbered: list[tuple[int, Splice]] = []
    number, reached = 0, 0
    for one in sorted(splices, key=lambda one: (one.start, one.end)):
        if source.position(one.start)[0] - CONTEXT > reached + CONTEXT:
            number += 1
        reached = source.position(one.end)[0]
        numbered.append((number, one))
    return [[one for _, one in group] for _, group in groupby(numbered, key=lambda pair: pair[0])]


def _hunk(before: int, after: int, old: list[str], new: list[str]) -> Hunk:
    """The lines of two texts with their marks, no more than `CONTEXT` of them alike at the ends."""
    lines = list(difflib.unified_diff(old, new, lineterm="", n=len(old)))[3:]
    ahead = next((index for index, line in enumerate(lines) if line[:1] != " "), 0)
    skipped = max(0, ahead - CONTEXT)
    behind = next((index for index, line in enumerate(reversed(lines)) if line[:1] != " "), 0)
    return Hunk(before + skipped, after + skipped, lines[skipped : len(lines) - max(0, behind - CONTEXT)])
