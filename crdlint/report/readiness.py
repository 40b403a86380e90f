"""What each version of each CRD offers to those who wait on it, and what they make of it before and after the fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from crdlint.checks.races import has_integer_type, is_taken_as_ready
from crdlint.consumers.timeline import ARGOCD, FLUX, KSTATUS, NEVER, TOO_EARLY, WAIT, Timeline, simulate
from crdlint.crd.conditions import differences
from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, Version, crds_of, mapping
from crdlint.findings import Applicability
from crdlint.yamltext.data import Templated
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

if TYPE_CHECKING:
    from crdlint.findings import FileResult, Report
    from crdlint.report import Files, Options


# Where no schema helps: a controller that writes no condition together with the generation that it has seen is taken as
# done, whatever the CRD declares.
UP_TO_THE_CONTROLLER = frozenset(("generation-observed",))


class Mark(str, Enum):
    """What a cell of the table comes to."""

    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Cell:
    mark: Mark
    text: str


_TEMPLATED = Cell(Mark.UNKNOWN, "templated")
_NOTHING = Cell(Mark.NONE, "")


@dataclass(frozen=True)
class Row:
    """One version of one CRD."""

    path: str
    version: Version
    race: bool
    cells: dict[str, Cell]
    # None where there is nothing to wait for; ``after`` also where no fix changes anything.
    before: Timeline | None = None
    after: Timeline | None = None

    @property
    def crd(self) -> Crd:
        return self.version.crd

    @property
    def wrong_answers(self) -> int:
        """How many answers in the life of an object are wrong as it is, and not up to the controller alone."""
        states = [] if self.before is None else self.before.states
        decided = (state for state in states if state.name not in UP_TO_THE_CONTROLLER)
        # Flux decides by kstatus.
        return sum(consumer != FLUX for state in decided for consumer, _ in state.wrong())


@dataclass(frozen=True)
class View:
    """One file with CRDs: its bytes as they are and as all fixes would leave them, and a row for each version."""

    path: str
    now: bytes
    fixed: bytes
    rows: tuple[Row, ...]


def views(report: Report, options: Options, *, with_fixes: bool = True) -> Iterator[View]:
    """The files whose CRDs can be read, in their order."""
    for result in report.results:
        data = _data(result, options.files) if result.has_crd else None
        if data is not None and (crds := _crds(data)):
            fixed = _fixed(result, data, options.files) if with_fixes else data
            after = [] if fixed == data else _crds(fixed)
            yield View(result.path, data, fixed, tuple(_rows(result.path, crds, after, options.files)))


def _data(result: FileResult, files: Files | None) -> bytes | None:
    data = None if files is None else files.read(result.path)
    if data is None and result.text is not None:
        return result.text.encode("utf-8", "surrogatepass")
    return data


def _fixed(result: FileResult, data: bytes, files: Files | None) -> bytes:
    fixes = [finding.fix for finding in result.findings]
    may_change = any(fix is not None and fix.applicability is not Applicability.MANUAL for fix in fixes)
    return files.fixed(result.path, data) if files is not None and may_change else data


def _rows(path: str, crds: list[Crd], after: list[Crd], files: Files | None) -> Iterator[Row]:
    for index, crd in enumerate(crds):
        is_stateless = crd.is_template_kind if files is None else files.is_stateless(path, crd)
        fixed = {version.pointer: version for version in after[index].versions} if index < len(after) else {}
        for version in crd.judged_versions:
            yield _row(path, version, fixed.get(version.pointer), is_stateless)


def _row(path: str, version: Version, fixed: Version | None, is_stateless: bool) -> Row:
    if version.status is None or is_stateless:
        return Row(path, version, False, _without_status(version, is_stateless))
    before = simulate(version)
    after = simulate(fixed) if fixed is not None and not _is_same(version, fixed) else None
    race = is_taken_as_ready(version)
    return Row(path, version, race, _cells(version, before, race), before, after)


def _crds(data: bytes) -> list[Crd]:
    try:
        documents = parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents
    except Unreadable:
        return []
    return [crd for document in documents if document.root is not None for crd in crds_of(document.root)]


def _is_same(one: Version, other: Version) -> bool:
    return (one.status, one.root, one.subresources) == (other.status, other.root, other.subresources)


COLUMNS = {
    "subresource": "Subresource",
    "observed": "Observed generation",
    "default": "Its default",
    "conditions": "Conditions",
    KSTATUS: "kstatus",
    WAIT: "kubectl wait",
    ARGOCD: "Argo CD",
}
"""The columns of the table and their titles."""

_AWAITED = "up to controller"
_WORDS = {
    TOO_EARLY: "goes on before the object is ready",
    NEVER: "waits although the object is ready",
    _AWAITED: "right, if the controller writes a condition together with the generation that it has observed",
    "none": "a new object gets no observed generation",
    "not metav1": "differs from metav1.Condition",
    "metav1 beside": "the old list of the Cluster API, with a metav1 list beside it",
    "no generation": "metav1.Condition, but without observedGeneration",
    "no script": "Argo CD has no health check for this kind",
    "not run": "Argo CD's health check cannot be run here",
    "pruned": "what a controller writes to status is dropped",
    "stateless": "there is nothing to wait for, by its kind or by the configuration",
    "templated": "filled in by Helm",
}


def words(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """What the words mean that stand in the cells of these rows and are not plain."""
    said = {word for row in rows for cell in row.cells.values() for word in cell.text.split(", ")}
    return ((word, meaning) for word, meaning in _WORDS.items() if word in said)


def _without_status(version: Version, is_stateless: bool) -> dict[str, Cell]:
    """The cells of a version with nothing to wait for."""
    cells = dict.fromkeys(COLUMNS, _NOTHING)
    cells["observed"] = Cell(Mark.NONE, "stateless" if is_stateless else "no status")
    if version.status is not None or version.has_status_subresource is True:
        cells["subresource"] = _subresource(version)
    return cells


def _cells(version: Version, timeline: Timeline, race: bool) -> dict[str, Cell]:
    return {
        "subresource": _subresource(version),
        "observed": _observed_generation(version),
        "default": _default(version, race),
        "conditions": _conditions(version),
        KSTATUS: _answers(timeline, KSTATUS),
        WAIT: _answers(timeline, WAIT),
        ARGOCD: _argocd(timeline),
    }


def _subresource(version: Version) -> Cell:
    on = version.has_status_subresource
    if on is None:
        return _TEMPLATED
    return Cell(Mark.GOOD, "on") if on else Cell(Mark.BAD, "off")


def _observed_generation(version: Version) -> Cell:
    if version.is_opaque or version.is_pruned:
        return Cell(Mark.WARNING, "not declared" if version.is_opaque else "pruned")
    field = version.observed_generation
    if field is None:
        return Cell(Mark.BAD, "absent")
    if any(isinstance(part, Templated) for part in (field.get("type"), *field)):
        return _TEMPLATED
    kind = "int-or-string" if field.get("x-kubernetes-int-or-string") is True else str(field.get("type", "no type"))
    return Cell(Mark.GOOD if has_integer_type(field) else Mark.BAD, kind)


def _default(version: Version, race: bool) -> Cell:
    """What a new object's observed generation is."""
    observed = mapping(version.fresh_status).get("observedGeneration")
    if isinstance(observed, bool | int | str):
        is_low = isinstance(observed, int) and not isinstance(observed, bool) and observed <= 0
        return Cell(Mark.GOOD if is_low else Mark.BAD, str(observed))
    return Cell(Mark.BAD, "none") if race else Cell(Mark.NONE, "none")


def _conditions(version: Version) -> Cell:
    found = version.conditions
    if found is None:
        return Cell(Mark.WARNING, "absent")
    if found.is_unknown:
        return _TEMPLATED
    if not found.is_array:
        return Cell(Mark.BAD, f"{found.schema.get('type', 'object')}, no list")
    if not found.is_list_of_conditions:
        return Cell(Mark.BAD, "no conditions")
    if differences(found):
        return Cell(Mark.GOOD, "metav1 beside") if version.in_capi_transition else Cell(Mark.BAD, "not metav1")
    return Cell(Mark.GOOD, "metav1") if found.observes_generation else Cell(Mark.WARNING, "no generation")


def _answers(timeline: Timeline, consumer: str) -> Cell:
    """How the consumer goes wrong; for the waits, with any condition that it is asked for."""
    found = [
        (how, state.name) for state in timeline.states for (who, _), how in state.wrong().items() if who == consumer
    ]
    if not found:
        return Cell(Mark.GOOD, "right")
    if all(state in UP_TO_THE_CONTROLLER for _, state in found):
        return Cell(Mark.WARNING, _AWAITED)
    return Cell(Mark.BAD, ", ".join(sorted({how for how, _ in found}, reverse=True)))


def _argocd(timeline: Timeline) -> Cell:
    health = timeline.states[0].verdicts.argocd
    if health is None:
        return Cell(Mark.NONE, "no script")
    return Cell(Mark.UNKNOWN, "not run") if health.status == "Unknown" else _answers(timeline, ARGOCD)
