"""Apply the fixes of one file until nothing is left to do, each pass proved before it counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from crdlint.crd.model import KIND, SPEC_SCHEMA
from crdlint.findings import Applicability, FileResult, Finding, refused
from crdlint.linter import Linter, Parsed
from crdlint.yamltext.edit import Operation, Refused, plan, splice
from crdlint.yamltext.verify import prove

# More passes than any file needs: a fix that still finds work then is fighting another one.
MAX_PASSES = 10

Identity = tuple[str | None, ...]


@dataclass
class FixOutcome:
    """What became of one file. ``data`` are its new bytes; ``result`` is what a check of them finds."""

    data: bytes
    result: FileResult
    applied: list[Finding] = field(default_factory=list)

    @property
    def refused(self) -> list[Finding]:
        return [finding for finding in self.result.findings if finding.fix is not None and finding.fix.refused is not None]


def fix(linter: Linter, path: str, data: bytes, allowed: Applicability) -> FixOutcome:
    """Fix what ``allowed`` (safe, or unsafe as well) admits in the bytes of one file."""
    result, parsed = linter.lint_parsed(path, data)
    if parsed is None:
        return FixOutcome(data, result)
    return _Fixer(linter, path, allowed, result, parsed).run(data)


class _Fixer:
    def __init__(self, linter: Linter, path: str, allowed: Applicability, result: FileResult, parsed: Parsed) -> None:
        self.linter = linter
        self.path = path
        self.allowed = allowed
        self.first = self.result = result
        self.parsed = parsed
        self.applied: dict[Identity, Finding] = {}
        self.refusals: dict[Identity, str] = {}

    def run(self, data: bytes) -> FixOutcome:
        for _ in range(MAX_PASSES):
            batch = self.next_batch()
            if not batch:
                return self.outcome(data)
            self.apply_as_much_as_possible(batch)
        why = f"the fixes of this file do not come to rest within {MAX_PASSES} passes, so nothing was written"
        return FixOutcome(data, _mark(self.first, {finding.identity: why for finding in self.candidates(self.first)}))

    def outcome(self, data: bytes) -> FixOutcome:
        if self.applied:
            data = self.parsed.source.to_bytes()
        return FixOutcome(data, _mark(self.result, self.refusals), list(self.applied.values()))

    def candidates(self, result: FileResult) -> list[Finding]:
        return [
            finding
            for finding in result.findings
            if finding.fix is not None
            and finding.fix.applicability.rank <= self.allowed.rank
            and finding.fix.operations
            and finding.identity not in self.refusals
        ]

    def next_batch(self) -> list[Finding]:
        """The findings of the earliest stage that has any: later stages are judged anew once it is done."""
        candidates = self.candidates(self.result)
        stage = min((finding.fix.stage for finding in candidates if finding.fix), default=0)
        return [finding for finding in candidates if finding.fix and finding.fix.stage == stage]

    def apply_as_much_as_possible(self, batch: list[Finding]) -> None:
        try:
            self.apply(batch)
        except Refused as error:
            groups = _groups(batch)
            if len(groups) == 1:
                self.refusals.update({finding.identity: str(error) for finding in batch})
                return
            # They stand in each other's way: one of them, and the others against what it leaves.
            self.apply_as_much_as_possible(groups[0])

    def apply(self, batch: list[Finding]) -> None:
        """Apply the operations of all findings at once. Raises `Refused`, and changes nothing then."""
        by_document: dict[int, list[Operation]] = {}
        for finding in batch:
            assert finding.fix is not None
            operations = by_document.setdefault(finding.fix.document, [])
            operations += [operation for operation in finding.fix.operations if operation not in operations]
        stream = self.parsed.stream
        splices = [
            one for index, operations in by_document.items() for one in plan(stream, stream.documents[index], operations)
        ]
        text = splice(stream.text, splices)
        after = prove(stream, by_document, splices, text, wanted=KIND, defer=SPEC_SCHEMA)
        self.parsed = self.parsed.changed(text, after)
        self.result = self.linter.lint_source(self.path, self.parsed)
        self.applied.update({finding.identity: finding for finding in batch})


def _groups(batch: Iterable[Finding]) -> list[list[Finding]]:
    """What has to be done together: the defaults of all versions of a CRD; any other finding by itself."""
    groups: dict[Identity, list[Finding]] = {}
    for finding in batch:
        assert finding.fix is not None
        key = ("defaults", finding.crd) if finding.fix.stage else finding.identity
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _mark(result: FileResult, refusals: dict[Identity, str]) -> FileResult:
    result.findings = [
        refused(finding, refusals[finding.identity]) if finding.identity in refusals and finding.fix else finding
        for finding in result.findings
    ]
    return result
