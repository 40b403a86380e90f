"""Apply the fixes of one file until nothing is left to do, each pass proved before it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, crds_of
from crdlint.findings import Applicability, FileResult, Finding, refused
from crdlint.linter import Linter, Parsed
from crdlint.yamltext.edit import plan, splice
from crdlint.yamltext.operations import Operation, Refused
from crdlint.yamltext.parse import Stream
from crdlint.yamltext.verify import prove

# More passes than any file needs: a fix that still finds work then is fighting another one.
MAX_PASSES = 10

# What a finding is about, and the document of the file that it speaks of: a file may hold one CRD twice.
Key = tuple[object, ...]


@dataclass
class FixOutcome:
    """What became of one file. ``data`` are its new bytes; ``result`` is what a check of them finds."""

    data: bytes
    result: FileResult
    applied: list[Finding] = field(default_factory=list)

    @property
    def refused(self) -> list[Finding]:
        return self.result.refused


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
        self.applied: dict[Key, Finding] = {}
        self.refusals: dict[Key, str] = {}

    def run(self, data: bytes) -> FixOutcome:
        for _ in range(MAX_PASSES):
            batch = self.next_batch()
            if not batch:
                return self.outcome(data)
            self.apply_as_much_as_possible(batch)
        why = f"the fixes of this file do not come to rest within {MAX_PASSES} passes, so nothing was written"
        unfinished = {_key(finding): why for finding in self.candidates(self.first)}
        return FixOutcome(data, _mark(self.first, self.refusals | unfinished))

    def outcome(self, data: bytes) -> FixOutcome:
        if self.applied:
            data = self.parsed.source.to_bytes()
        remaining = set(map(_key, self.result.findings))
        cured = [finding for key, finding in self.applied.items() if key not in remaining]
        return FixOutcome(data, _mark(self.result, self.waiting() | self.refusals), cured)

    def waiting(self) -> dict[Key, str]:
        """The fixes that rest on another one, which could not be made."""
        why = "it rests on another fix of this file, which was refused"
        return {
            _key(finding): why
            for finding in self.result.findings
            if finding.fix is not None
            and finding.fix.refused is None
            and finding.fix.applicability.rank <= self.allowed.rank
            and not finding.fix.operations
        }

    def candidates(self, result: FileResult) -> list[Finding]:
        return [
            finding
            for finding in result.findings
            if finding.fix is not None
            and finding.fix.refused is None
            and finding.fix.applicability.rank <= self.allowed.rank
            and finding.fix.operations
            and _key(finding) not in self.refusals
        ]

    def next_batch(self) -> list[Finding]:
        """The findings of the earliest stage that has any: later stages are judged anew once it is done."""
        candidates = self.candidates(self.result)
        stage = min((finding.fix.stage for finding in candidates if finding.fix), default=0)
        return [finding for finding in candidates if finding.fix and finding.fix.stage == stage]

    def apply_as_much_as_possible(self, batch: list[Finding]) -> None:
        """Apply all findings of the batch at once, or else, where some are refused, find out which."""
        try:
            self.apply(batch)
        except Refused as error:
            groups = _groups(batch)
            if len(groups) == 1:
                self.refusals.update({_key(finding): str(error) for finding in batch})
                return
            half = len(groups) // 2
            for part in (groups[:half], groups[half:]):
                wanted = {_key(finding) for group in part for finding in group}
                # As they are now: what was just applied may have cured or changed them.
                remaining = [finding for finding in self.next_batch() if _key(finding) in wanted]
                if remaining:
                    self.apply_as_much_as_possible(remaining)

    def apply(self, batch: list[Finding]) -> None:
        """Apply the operations of all findings at once. Raises `Refused`, and changes nothing then."""
        by_document: dict[int, list[Operation]] = {}
        for finding in batch:
            assert finding.fix is not None
            operations = by_document.setdefault(finding.fix.document, [])
            operations += [operation for operation in finding.fix.operations if operation not in operations]
        stream = self.parsed.stream
        splices = [
            one
            for index, operations in by_document.items()
            for one in plan(stream, stream.documents[index], operations)
        ]
        if not splices:
            raise Refused("the fix would change nothing in the text")
        text = splice(stream.text, splices)
        after = prove(stream, by_document, splices, text, wanted=KIND, defer=SPEC_SCHEMA)
        if all(finding.fix and finding.fix.applicability is Applicability.SAFE for finding in batch):
            self.check_consequences(stream, after)
        self.parsed = self.parsed.changed(text, after)
        self.result = self.linter.lint_source(self.path, self.parsed)
        self.applied.update({_key(finding): finding for finding in batch})

    def check_consequences(self, before: Stream, after: Stream) -> None:
        """Play the life of an object before and after safe fixes. Raises `Refused` where a consumer gets worse."""
        from crdlint.consumers.timeline import fix_makes_worse

        for old, new in zip(_crds(before), _crds(after), strict=True):
            found = fix_makes_worse(old, new, self.linter.settings.controllers_of(old).writes)
            if found:
                raise Refused("it would make things worse for " + "; ".join(found))


def _key(finding: Finding) -> Key:
    return (None if finding.fix is None else finding.fix.document, *finding.identity)


def _crds(stream: Stream) -> Iterator[Crd]:
    """The CRDs of a file that rules speak of, those of apiextensions v1."""
    for document in stream.documents:
        for crd in crds_of(document.root) if document.root is not None else ():
            if not crd.is_obsolete:
                yield crd


def _groups(batch: Iterable[Finding]) -> list[list[Finding]]:
    """What has to be done together: the defaults of all versions of a CRD; any other finding by itself."""
    groups: dict[Key, list[Finding]] = {}
    for finding in batch:
        assert finding.fix is not None
        key = ("defaults", finding.fix.document, finding.crd) if finding.fix.stage else _key(finding)
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _mark(result: FileResult, refusals: dict[Key, str]) -> FileResult:
    result.findings = [
        refused(finding, refusals[_key(finding)]) if finding.fix and _key(finding) in refusals else finding
        for finding in result.findings
    ]
    return result
