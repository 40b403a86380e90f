"""The steps of one CRD: what was found in its copies, told once for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from crdlint.crd.model import Version
from crdlint.findings import Applicability, Finding, Severity
from crdlint.gosource import ByHand
from crdlint.migrate.capi_stage import STAGE1_TITLE, stages
from crdlint.migrate.chosen import StepKey
from crdlint.migrate.copies import Group
from crdlint.migrate.plan import CrdPlan, Spot, Step, Task
from crdlint.migrate.repository import Copy, Place, RepositoryFile
from crdlint.migrate.sources import Sources, reworded
from crdlint.migrate.to_v1 import Conversion, Note
from crdlint.settings import Settings

OBSOLETE = "obsolete-crd-version"
_HOW_TO_CONVERT = "`crdlint migrate --to-v1` converts it, or says what stands against that"
# Where the schema of a version begins in the pointer of a step.
SCHEMA = "/schema/openAPIV3Schema"


@dataclass
class Migrated:
    """A file after its migration in memory, and all that was found on the way."""

    file: RepositoryFile
    # What is found in the file as it is.
    first: Mapping[tuple[str | None, ...], Finding]
    conversions: dict[Copy, Conversion] = field(default_factory=dict)
    # The CRDs that got the new list of conditions, or the reason why they could not.
    stage1: list[tuple[Copy, str | None]] = field(default_factory=list)
    after: bytes = b""
    applied: Sequence[Finding] = ()
    remaining: Sequence[Finding] = ()

    @property
    def is_unconverted(self) -> bool:
        """Is there a CRD that was to be converted, and could not be?"""
        return any(conversion.problems for conversion in self.conversions.values())


def crd_plan(group: Group, migrated: Mapping[str, Migrated], settings: Settings, sources: Sources) -> CrdPlan:
    """The plan of one CRD."""
    steps = tuple(_Steps(group, migrated, sources).told())
    return CrdPlan(group, steps, tuple(stages(group.leading, settings)), sources.evidence(group.leading.crd))


@dataclass(frozen=True)
class _Found:
    """A finding in one copy, and whether it is cured there."""

    finding: Finding
    spot: Spot


class _Steps:
    def __init__(self, group: Group, migrated: Mapping[str, Migrated], sources: Sources) -> None:
        self.leading = group.leading
        self.copies = group.copies
        self.migrated = migrated
        self.sources = sources

    def all(self) -> Iterator[Step]:
        converted = [one for copy in self.copies for one in self.conversions_of(copy)]
        if converted:
            yield _conversion_step(converted)
        added = [self.stage1_spot(copy, why) for copy in self.copies for why in self.stage1_of(copy)]
        if added:
            yield _stage1_step(added)
        found: dict[StepKey, dict[Copy, _Found]] = {}
        for copy in self.copies:
            for one in self.found_in(copy):
                found.setdefault(StepKey.of(one.finding), {})[copy] = one
        for key, group in found.items():
            if key.rule == OBSOLETE and not converted:
                yield _obsolete_step(list(group.values()))
            elif key.rule != OBSOLETE:
                left_open = [spot for copy in self.copies if copy not in group for spot in self.left_open(copy, key)]
                yield self.with_source(_step(list(group.values()), left_open), list(group.values()))

    def told(self) -> list[Step]:
        """All steps in the order in which they are told, one where several findings are cured by the same edit."""
        found: list[Step] = []
        for step in sorted(self.all(), key=self.order):
            index = next((index for index, other in enumerate(found) if step.is_same_edit(other)), None)
            if index is None:
                found.append(step)
            else:
                found[index] = replace(found[index], also=(*found[index].also, step))
        return found

    def left_open(self, copy: Copy, key: StepKey) -> Iterator[Spot]:
        """A copy in which a template hides whether it needs the step."""
        version = next((version for version in copy.crd.versions if version.name == key.version), None)
        if copy.is_template and version is not None and _is_open(version):
            inside = key.pointer.removeprefix(SCHEMA)
            pointer = version.pointer + key.pointer if inside == key.pointer else version.schema_pointer + inside
            why = "a template leaves open what stands here: see whether it needs the same change"
            yield Spot(copy.place(pointer), False, (why,))

    def with_source(self, step: Step, group: Sequence[_Found]) -> Step:
        """The step with what the Go sources tell of it."""
        evidence = self.sources.evidence(self.leading.crd)
        step = replace(step, reasons=tuple(reworded(reason, evidence) for reason in step.reasons))
        on_leading = next((one for one in group if one.spot.place.path == self.leading.path), None)
        if on_leading is None or not self.leading.is_generated:
            return step
        side = self.sources.side(self.leading.crd, on_leading.finding)
        # What is not planned is not edited at the source either, but people are told where it is.
        return replace(step, source=side) if on_leading.spot.planned or isinstance(side, ByHand) else step

    def order(self, step: Step) -> tuple[int, int, str]:
        names = [version.name for version in self.leading.crd.versions]
        version = names.index(step.version) if step.version in names else -1
        return version, step.place.line, step.rule or ""

    def found_in(self, copy: Copy) -> Iterator[_Found]:
        one = self.migrated[copy.path]
        for finding in one.applied:
            if finding.crd == copy.crd.name and self.is_of(copy, finding):
                yield _Found(_as_first_judged(finding, one.first), Spot(self.place(copy, finding), planned=True))
        for finding in one.remaining:
            if finding.crd == copy.crd.name and self.is_of(copy, finding):
                yield _Found(finding, Spot(self.place(copy, finding), False, _why_not(finding)))

    def is_of(self, copy: Copy, finding: Finding) -> bool:
        """Is it about this copy, where a file holds two? Only operations name their document."""
        if finding.fix is not None and finding.fix.operations:
            return finding.fix.document == copy.document
        return next(other for other in copy.file.copies if other.crd.name == finding.crd) is copy

    def place(self, copy: Copy, finding: Finding) -> Place:
        first = self.migrated[copy.path].first.get(finding.identity)
        has_twin = sum(other.crd.name == copy.crd.name for other in copy.file.copies) > 1
        if first is None or has_twin:
            return copy.place(finding.pointer or "")
        return Place(copy.path, first.line)

    def conversions_of(self, copy: Copy) -> list[Conversion]:
        found = self.migrated[copy.path].conversions
        return [found[copy]] if copy in found else []

    def stage1_of(self, copy: Copy) -> list[str | None]:
        return [why for other, why in self.migrated[copy.path].stage1 if other is copy]

    def stage1_spot(self, copy: Copy, why_not: str | None) -> Spot:
        return Spot(copy.place(), why_not is None, () if why_not is None else (why_not,))


def _as_first_judged(finding: Finding, first: Mapping[tuple[str | None, ...], Finding]) -> Finding:
    """A finding that was cured, with its fix as it was judged before other fixes were made.

    What the migration itself declares is not yet written by any controller, though a second look would take it so.
    """
    before = first.get(finding.identity)
    if before is None or before.fix is None or finding.fix is None:
        return finding
    is_edit = before.fix.applicability is not Applicability.MANUAL
    if is_edit and before.fix.applicability.rank > finding.fix.applicability.rank:
        return replace(finding, fix=replace(before.fix, operations=finding.fix.operations))
    return finding


def _is_open(version: Version) -> bool:
    """Does a template decide what the status of a version is?"""
    conditions = version.conditions
    unknown_list = conditions is not None and conditions.is_unknown
    unknown_switch = version.has_status_subresource is None
    return version.root_is_open or version.fields_are_unknown or unknown_switch or unknown_list


def _why_not(finding: Finding) -> tuple[str, ...]:
    if finding.fix is None:
        return ()
    return (finding.fix.refused,) if finding.fix.refused is not None else finding.fix.reasons


def _step(group: Sequence[_Found], left_open: Sequence[Spot] = ()) -> Step:
    """One step for a finding in one or several copies; where some are cured, it is told as it is cured there."""
    cured = [one for one in group if one.spot.planned]
    shown = (cured or group)[0].finding
    fix = shown.fix
    applicability = Applicability.MANUAL
    if cured:
        kinds = [one.finding.fix.applicability for one in cured if one.finding.fix is not None]
        applicability = max(kinds, key=lambda kind: kind.rank)
    return Step(
        Task.FIX,
        shown.severity,
        fix.title if fix is not None else "",
        shown.message,
        applicability,
        (*(one.spot for one in group), *left_open),
        rule=shown.rule,
        version=shown.version,
        pointer=shown.pointer,
        reasons=() if fix is None else (fix.reasons if cured else _why_not(shown)),
        marker=shown.marker,
        is_default=fix is not None and bool(fix.stage),
        key=StepKey.of(shown),
        is_left_out=not cured and fix is not None and bool(fix.operations) and fix.refused is not None,
        operations=() if fix is None else fix.operations,
    )


def _obsolete_step(group: Sequence[_Found]) -> Step:
    """An obsolete CRD that nobody has asked to convert."""
    step = _step(group)
    return replace(step, message=f"{step.message}; {_HOW_TO_CONVERT}", reasons=(*step.reasons, _HOW_TO_CONVERT))


def _conversion_step(conversions: Sequence[Conversion]) -> Step:
    spots = [
        Spot(one.copy.place("/apiVersion"), not one.problems, tuple(_told(one, problem) for problem in one.problems))
        for one in conversions
    ]
    first = next((one for one in conversions if not one.problems), conversions[0])
    planned = not first.problems
    told = first.notes if planned else first.problems
    return Step(
        Task.TO_V1,
        Severity.WARNING,
        "convert the CRD to apiextensions.k8s.io/v1",
        "; ".join(first.done) if planned else "v1 does not admit it as it stands",
        Applicability.UNSAFE if planned else Applicability.MANUAL,
        tuple(spots),
        rule=OBSOLETE,
        reasons=tuple(_told(first, note) for note in told),
    )


def _told(conversion: Conversion, note: Note) -> str:
    return f"{conversion.copy.place(note.pointer)}: {note.text}"


def _stage1_step(spots: Sequence[Spot]) -> Step:
    planned = any(spot.planned for spot in spots)
    return Step(
        Task.CAPI_STAGE1,
        Severity.INFO,
        STAGE1_TITLE,
        "status has only the old list of the Cluster API",
        Applicability.UNSAFE if planned else Applicability.MANUAL,
        tuple(spots),
        reasons=("the controllers must write both lists from then on",) if planned else spots[0].why_not,
    )
