"""What a migration is going to do: plain data, made by `planner`, carried out by `apply`, shown by the reports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from crdlint.findings import Applicability, Finding, Severity
from crdlint.gosource import ByHand, Edit, Evidence, Question, SourceChange, Verdict
from crdlint.gosource import Place as GoPlace
from crdlint.migrate.capi_stage import Stage
from crdlint.migrate.chosen import StepKey
from crdlint.migrate.copies import CopyState, Group
from crdlint.migrate.json_patches import JsonPatch
from crdlint.migrate.repository import Copy, Place
from crdlint.yamltext.operations import Operation

REJECTED = "rejected-default"
_STRATEGY = "/spec/conversion/strategy"


class Cure(str, Enum):
    """Where a finding is cured."""

    SOURCE = "source"  # in the Go types, and in the YAML that is made from them
    YAML = "yaml"
    HAND = "hand"


class Task(str, Enum):
    """What a step is for."""

    FIX = "fix"
    TO_V1 = "to-v1"
    CAPI_STAGE1 = "capi-stage1"


def go_place(place: GoPlace) -> Place:
    """A place in the Go sources, spelt as those in CRDs are."""
    return Place(os.path.normpath(place.path), place.line)


@dataclass(frozen=True)
class Spot:
    """A step in one copy of its CRD; ``why_not`` says why the copy cannot follow where it is not planned."""

    place: Place
    planned: bool
    why_not: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One thing to be done with one CRD, in all of its copies."""

    task: Task
    severity: Severity
    title: str
    message: str
    applicability: Applicability
    spots: tuple[Spot, ...]
    rule: str | None = None
    version: str | None = None
    pointer: str | None = None
    reasons: tuple[str, ...] = ()
    marker: str | None = None
    # The steps of a default go into all versions of a CRD or none.
    is_default: bool = False
    # What leaves the step out of a plan; tasks are asked for, or not.
    key: StepKey | None = None
    # Was there an edit, which the migration does not make? The reasons say why.
    is_left_out: bool = False
    # The edit of the leading copy, or of the first that has the step.
    operations: tuple[Operation, ...] = ()
    # Further findings that the same edit cures.
    also: tuple[Step, ...] = ()
    # The same change in the Go types, where the CRD is generated from them.
    source: SourceChange | ByHand | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the step cures; none for a task that is no rule's."""
        return tuple(step.rule for step in (self, *self.also) if step.rule is not None)

    @property
    def name(self) -> str:
        """What it is called in a plan: its rules, or its task."""
        return ", ".join(self.rules) or self.task.value

    @property
    def keys(self) -> tuple[StepKey, ...]:
        """What leaves the step out, with all that it cures."""
        return tuple(step.key for step in (self, *self.also) if step.key is not None)

    @property
    def cure(self) -> Cure:
        if not any(spot.planned for spot in self.spots):
            return Cure.HAND
        return Cure.YAML if self.source_change is None else Cure.SOURCE

    @property
    def source_change(self) -> SourceChange | None:
        return self.source if isinstance(self.source, SourceChange) else None

    @property
    def source_text(self) -> str:
        """What is to be changed in the Go types, and for whom."""
        change = self.source_change
        if change is None:
            return ""
        shared = f" (the types are shared: {', '.join(change.shared_with)} change too)" if change.shared_with else ""
        return change.description + shared

    @property
    def by_hand(self) -> ByHand | None:
        """What only a person can change in the Go types."""
        return self.source if isinstance(self.source, ByHand) else None

    @property
    def source_place(self) -> Place | None:
        """The line of Go that is to be changed."""
        return None if self.source is None else go_place(self.source.place)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What is to change in Go files."""
        change = self.source_change
        return () if change is None or not self.is_planned else change.edits

    @property
    def is_planned(self) -> bool:
        return self.cure is not Cure.HAND

    @property
    def place(self) -> Place:
        """Where it is shown: in the leading copy, or the first that it concerns."""
        return self.spots[0].place

    def is_same_edit(self, other: Step) -> bool:
        """Do both come to one edit, made in the same copies?"""
        ours, theirs = ([(spot.place.path, spot.planned) for spot in step.spots] for step in (self, other))
        is_same = (self.version, self.operations, self.source) == (other.version, other.operations, other.source)
        return bool(self.operations) and is_same and ours == theirs

    @property
    def left_behind(self) -> list[Spot]:
        """The copies that cannot follow."""
        return [spot for spot in self.spots if not spot.planned] if self.is_planned else []


@dataclass(frozen=True)
class CrdPlan:
    """All that concerns one CRD."""

    group: Group
    steps: tuple[Step, ...]
    stages: tuple[Stage, ...] = ()
    # What the controllers of the kind are seen to write.
    evidence: Evidence | None = None

    @property
    def leading(self) -> Copy:
        return self.group.leading

    @property
    def refusal(self) -> Step | None:
        """The finding for which the API server refuses the CRD, whatever else is done, until a person mends it."""
        return next((step for step in self.steps if step.rule == REJECTED and not step.is_planned), None)

    @property
    def copies(self) -> tuple[CopyState, ...]:
        return self.group.others

    @property
    def patches(self) -> tuple[Copy, ...]:
        return self.group.patches

    @property
    def name(self) -> str:
        return self.leading.crd.name or ""

    @property
    def kind(self) -> str:
        return self.leading.crd.kind or ""

    @property
    def storage_version(self) -> str | None:
        return next((version.name for version in self.leading.crd.versions if version.storage), None)

    @property
    def listing(self) -> str:
        """The command that gives the objects of a cluster in the version in which they are stored."""
        plural, group = self.leading.crd.data("/spec/names/plural"), self.leading.crd.group
        return f"kubectl get {plural}.{self.storage_version}.{group} -A -o yaml"

    @property
    def webhooks(self) -> list[Place]:
        """Where a conversion webhook is declared: in the CRD itself, or in the patches of a kustomization."""
        declared = (copy for copy in (self.leading, *self.patches) if copy.crd.data(_STRATEGY) == "Webhook")
        return [copy.place("/spec/conversion") for copy in declared]

    def sightings(self) -> Iterator[tuple[Question, Verdict, list[tuple[Place, str]]]]:
        """What the controllers are seen to write or not, with the lines of Go that tell so and what they do."""
        if self.evidence is None:
            return
        for question, verdict in self.evidence.verdicts.items():
            lines = [line for line in self.evidence.lines if line.question is question]
            telling = [line for line in lines if line.verdict is verdict]
            yield question, verdict, [(Place(os.path.normpath(line.path), line.line), line.what) for line in telling]

    def answer(self, question: Question) -> Verdict:
        """What the Go sources tell of the controllers of the kind."""
        return Verdict.UNKNOWN if self.evidence is None else self.evidence.verdicts[question]


@dataclass(frozen=True)
class FilePlan:
    """What a file is to become. ``findings`` are what a check of the result finds."""

    path: str
    before: bytes
    after: bytes
    findings: tuple[Finding, ...] = ()
    # Is it a Go file, from which others are generated?
    is_source: bool = False


@dataclass
class Plan:
    """The whole migration; ``others`` are findings that belong to no CRD, those of unreadable files among them."""

    root: str | None
    crds: list[CrdPlan] = field(default_factory=list)
    files: dict[str, FilePlan] = field(default_factory=dict)
    others: list[Finding] = field(default_factory=list)
    # The bytes of manifests with roles in them.
    roles: dict[str, bytes] = field(default_factory=dict)
    # JSON patches of what the conversion to v1 moves.
    json_patches: list[JsonPatch] = field(default_factory=list)
    # Findings in files that cannot be understood.
    unreadable: list[Finding] = field(default_factory=list)
    # What a person should know of how the plan was made.
    notices: list[str] = field(default_factory=list)

    @property
    def changed(self) -> list[FilePlan]:
        return [file for file in self.files.values() if file.before != file.after]

    def steps(self) -> Iterator[tuple[CrdPlan, Step]]:
        for crd in self.crds:
            for step in crd.steps:
                yield crd, step

    def copies(self) -> Iterator[Copy]:
        """All places where a CRD stands."""
        for crd in self.crds:
            yield from (*crd.group.copies, *crd.patches)

    @property
    def remaining(self) -> list[Finding]:
        """What a check will find once all that is planned is done."""
        return [*(finding for file in self.files.values() for finding in file.findings), *self.unreadable]
