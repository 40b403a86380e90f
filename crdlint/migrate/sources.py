"""The Go side of a migration: what is to change in the types, and what controllers are seen to write."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from crdlint.crd.model import Crd
from crdlint.errors import UsageError
from crdlint.findings import Finding
from crdlint.gosource import (
    ByHand,
    Edit,
    EditConflict,
    Evidence,
    GoRepository,
    Question,
    SourceChange,
    Verdict,
    apply_edits,
    plan,
    scan,
)
from crdlint.migrate.plan import FilePlan, Step
from crdlint.settings import Controllers, ControllersChange, Generated, Override, Settings, Target

CLASHES = "its change of the Go types clashes with that of another step: run crdlint migrate again when that is done"
_WITHOUT_SOURCES = (
    "this plan was made WITHOUT the Go sources that are here: it edits generated files, which the next `make "
    "manifests` undoes, and knows nothing of what controllers write"
)
# What checks say of what `Sources.informed` told them as if it were configured.
_SEEN = (
    (
        "the configuration says that a declared field proves nothing",
        "no controller in these sources is seen to write it",
    ),
    ("the configuration says that", "the Go sources show that"),
)


@dataclass
class Sources:
    """The Go sources of a repository; ``go`` is None where there are none, or where they cannot be read."""

    go: GoRepository | None = None
    # Why they were not read, for a person.
    notice: str | None = None
    _evidence: dict[str, Evidence | None] = field(default_factory=dict)

    @classmethod
    def below(cls, root: str) -> Sources:
        try:
            return cls(scan(os.path.normpath(root)))
        except UsageError as error:
            return cls(notice=f"{_WITHOUT_SOURCES}; {error}" if _has_go_files(root) else None)

    @property
    def problems(self) -> list[str]:
        """The files that could not be read."""
        return [] if self.go is None else self.go.problems

    def side(self, crd: Crd, finding: Finding) -> SourceChange | ByHand | None:
        """What the fix of a finding is in the Go types that the CRD is generated from."""
        if self.go is None or not finding.version:
            return None
        kind = self.go.kind(crd.group, crd.kind or "", finding.version)
        return None if kind is None else plan(self.go, kind, finding.rule, finding)

    def evidence(self, crd: Crd) -> Evidence | None:
        """What the controllers of a kind are seen to write; None where its types are not here."""
        name = crd.name or ""
        if name not in self._evidence:
            kinds = [] if self.go is None else self.go.kinds
            is_here = any((kind.group, kind.kind) == (crd.group, crd.kind) for kind in kinds)
            self._evidence[name] = self.go.evidence(crd.group, crd.kind or "") if self.go and is_here else None
        return self._evidence[name]

    def clashing(self, steps: Iterable[Step]) -> list[Step]:
        """The steps that want something else of a place in the Go files than an earlier one."""
        edits: dict[str, list[Edit]] = {}
        found = []
        for step in steps:
            try:
                for path in {edit.path for edit in step.edits}:
                    self._edited(path, [*edits.get(path, ()), *step.edits])
            except EditConflict:
                found.append(step)
            else:
                for edit in step.edits:
                    edits.setdefault(edit.path, []).append(edit)
        return found

    def changed(self, steps: Iterable[Step]) -> Mapping[str, FilePlan]:
        """What the Go files become that the steps change."""
        edits: dict[str, list[Edit]] = {}
        for step in steps:
            for edit in step.edits:
                edits.setdefault(edit.path, []).append(edit)
        plans = {}
        for path, own in edits.items():
            before, after = self._edited(path, own)
            shown = os.path.normpath(path)
            plans[shown] = FilePlan(shown, before, after, is_source=True)
        return plans

    def _edited(self, path: str, edits: Iterable[Edit]) -> tuple[bytes, bytes]:
        assert self.go is not None
        data = self.go.content(path)
        return data, apply_edits(path, data, edits)

    def informed(self, settings: Settings, crds: Iterable[Crd]) -> Settings:
        """The settings with what the sources tell of the controllers of these CRDs; what is configured stays said.

        CRDs that are only reported on since they are generated are migrated together with their sources.
        """
        if self.go is None:
            return settings
        overrides = []
        for crd in crds:
            evidence = self.evidence(crd)
            if evidence is not None and crd.name:
                known = settings.controllers_of(crd)
                change = ControllersChange(known.writes | evidence.writes, _is_unproven(known, evidence))
                overrides.append(Override(Target(crds=(crd.name,)), controllers=change))
        kept = [replace(one, generated=None) if one.generated is Generated.WARN else one for one in settings.overrides]
        policy = Generated.FIX if settings.generated is Generated.WARN else settings.generated
        return replace(settings, generated=policy, overrides=(*kept, *overrides))


def _has_go_files(root: str) -> bool:
    return any(name.endswith(".go") for _, _, names in os.walk(root) for name in names)


def reworded(reason: str, evidence: Evidence | None) -> str:
    """A reason that cites the configuration, where it is the sources that say so."""
    if evidence is not None:
        for configured, seen in _SEEN:
            reason = reason.replace(configured, seen, 1)
    return reason


def _is_unproven(known: Controllers, evidence: Evidence) -> bool:
    """A declared field counts as written, unless there are controllers here, and none of them writes it."""
    is_missed = bool(evidence.lines) and evidence.verdicts[Question.OBSERVED_GENERATION] is Verdict.NOT_FOUND
    return known.declared_is_unproven or is_missed
