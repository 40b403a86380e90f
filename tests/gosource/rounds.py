"""Findings, their fixes at the source, and the CRDs that are generated again: one round after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crdlint.choices import Choices, linter_for
from crdlint.findings import Applicability, Finding
from crdlint.gosource import ByHand, GoKind, GoRepository, SourceChange, plan
from crdlint.linter import Linter

UNSAFE = Applicability.UNSAFE
Identity = tuple[str | None, ...]


def linter(*rules: str) -> Linter:
    return linter_for("x.yaml", Choices(select=rules or ("core",)))


class Asked(NamedTuple):
    """One finding that has a fix, and the API group of its CRD."""

    group: str
    finding: Finding

    def kind_in(self, repository: GoRepository) -> GoKind:
        found = repository.kind(self.group, self.finding.kind or "", self.finding.version or "")
        assert found is not None
        return found


def fixable(crds: dict[str, bytes], *rules: str, aside: Iterable[Identity] = ()) -> Iterator[Asked]:
    """The findings that would be fixed first: those of the earliest stage that has any, file by file.

    Those ``aside`` are left to people.
    """
    for name, data in crds.items():
        found = [one for one in linter(*rules).lint(name, data).findings if one.identity not in aside]
        fixes = [one for one in found if one.fix and one.fix.operations and one.fix.applicability.rank <= UNSAFE.rank]
        first = min((one.fix.stage for one in fixes if one.fix), default=0)
        for finding in fixes:
            if finding.fix and finding.fix.stage == first:
                yield Asked(name.partition("_")[0], finding)


def plans(asked: list[Asked], repository: GoRepository) -> list[SourceChange | ByHand]:
    """The source side of each finding; each of those that have operations has one."""
    found = [plan(repository, one.kind_in(repository), one.finding.rule, one.finding) for one in asked]
    assert None not in found
    return [one for one in found if one is not None]
