"""What a finding asks of the Go types: each operation of its fix, said in markers and fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crdlint.findings import Finding
from crdlint.gosource.edits import Edit
from crdlint.gosource.kinds import GoKind
from crdlint.gosource.syntax import Place
from crdlint.gosource.translate import STATUS, Refused, Translation

_METAV1 = (
    'declare `Conditions []metav1.Condition` with the tag `json:"conditions,omitempty"` and the markers `+optional`, '
    "`+listType=map` and `+listMapKey=type`, and change what reads and writes the old type"
)
# Findings that no edit of markers and fields cures, and what a person has to change.
_BY_HAND = {
    "conditions-not-a-list": _METAV1,
    "non-metav1-conditions": _METAV1,
    "condition-observed-generation": _METAV1,
    "extra-condition-fields": _METAV1,
    "observed-generation-type": 'declare `ObservedGeneration int64` with the tag `json:"observedGeneration,omitempty"`',
}


@dataclass(frozen=True)
class SourceChange:
    """Edits of Go files that do what the fix of a finding does to the generated YAML.

    Without edits the source says so already, and the CRD only has to be generated again. ``shared_with`` names the
    other kinds (``Kind version``) whose CRDs change too, since they use the same types.
    """

    edits: tuple[Edit, ...]
    description: str
    place: Place
    shared_with: tuple[str, ...] = ()


@dataclass(frozen=True)
class ByHand:
    """What only a person can change at the source: why, the exact change, and where."""

    reason: str
    change: str
    place: Place


def plan_change(kinds: Iterable[GoKind], kind: GoKind, rule: str, finding: Finding) -> SourceChange | ByHand | None:
    """The source side of one finding's fix, among all kinds of the repository; None where there is none."""
    if rule in _BY_HAND:
        return ByHand(_why_by_hand(kind, rule), _BY_HAND[rule], place_of(kind, finding))
    operations = finding.fix.operations if finding.fix is not None else ()
    if not operations:
        return None
    translation = Translation(kind)
    try:
        for operation in operations:
            translation.add(operation)
    except Refused as refused:
        return ByHand(refused.reason, refused.change, refused.place)
    edits = tuple(dict.fromkeys(translation.edits))
    said = "; ".join(dict.fromkeys(translation.said))
    description = said if edits else f"the Go types say so already ({said}): generate the CRD again"
    shared_with = _sharing(kinds, kind, translation) if edits else ()
    return SourceChange(edits, description, translation.place, shared_with)


def place_of(kind: GoKind, finding: Finding) -> Place:
    """The line of Go that a finding is about: a field of the status, or else the type of the kind."""
    inside = STATUS.search(finding.pointer or "")
    if inside is None or kind.status is None:
        return kind.place
    found = kind.field_at(inside[1] or "")
    return found.place if found is not None else kind.status.place


def _why_by_hand(kind: GoKind, rule: str) -> str:
    if rule == "observed-generation-type":
        return "a field of another type is stored otherwise, and all Go code that uses it has to change"
    if kind.has_metav1_conditions:
        return "the Go type is []metav1.Condition already: the CRD was made from an older one, so generate it again"
    return f"the Go type of the conditions is {kind.conditions_type or 'not known'}, not []metav1.Condition"


def _sharing(kinds: Iterable[GoKind], kind: GoKind, changed: Translation) -> tuple[str, ...]:
    """The other kinds whose status is made of what is changed."""
    return tuple(
        f"{other.kind} {other.version}"
        for other in kinds
        if other is not kind
        and (
            changed.structs.intersection(other.status_structs)
            or any(found.type in changed.named for found in other.status_fields())
        )
    )
