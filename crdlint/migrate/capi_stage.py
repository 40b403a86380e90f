"""How far a CRD of the Cluster API is on its way to v1beta2 conditions, and the schema part of the first stage.

The stages are those of the Cluster API's proposal 20240916 (improve status in CAPI resources): the new list stands
beside the old one at first, then takes its place, and in the end the old one goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from crdlint.crd.clusterapi import is_cluster_api
from crdlint.crd.conditions import METAV1_LIST, ConditionList, differences
from crdlint.crd.model import Crd, Version, mapping
from crdlint.migrate.repository import Copy, Place
from crdlint.settings import Settings
from crdlint.yamltext.operations import Op, Operation

# As core CAPI 1.9 and 1.10 have it (api/v1beta1: ClusterV1Beta2Status and its like), descriptions aside.
CONDITIONS: dict[str, Any] = {**METAV1_LIST, "maxItems": 32}
V1BETA2_STATUS: dict[str, Any] = {"properties": {"conditions": CONDITIONS}, "type": "object"}
STAGE1_TITLE = "add the metav1 list of conditions at status.v1beta2.conditions, beside the old list"


class StageNumber(IntEnum):
    """How far a version is. The order is that of the way."""

    NO_CONDITIONS = -1
    OLD_LIST = 0
    BESIDE = 1
    SWAPPED = 2
    DONE = 3


_NOW = {
    StageNumber.NO_CONDITIONS: "status declares no conditions",
    StageNumber.OLD_LIST: "stage 0: only the old list, at status.conditions",
    StageNumber.BESIDE: "stage 1: the metav1 list stands at status.v1beta2.conditions, beside the old one",
    StageNumber.SWAPPED: "stage 2: metav1 at status.conditions, the old list at status.deprecated.v1beta1.conditions",
    StageNumber.DONE: "stage 3: metav1 at status.conditions, no old list any more",
}
_NEXT = {
    StageNumber.NO_CONDITIONS: "declare new conditions as metav1 from the start",
    StageNumber.OLD_LIST: "take stage 1: `crdlint migrate --capi-stage1` adds status.v1beta2.conditions to the "
    "schema; the controllers then write both lists",
    StageNumber.BESIDE: "take stage 2 by hand: a new API version with metav1 at status.conditions, and the old "
    "list, failureReason and failureMessage at status.deprecated.v1beta1; it needs conversion in both directions",
    StageNumber.SWAPPED: "take stage 3 by hand, once the v1beta1 contract has ended (CAPI 1.16, April 2027 as it "
    "stands): drop status.deprecated",
    StageNumber.DONE: "",
}


@dataclass(frozen=True)
class Stage:
    """Where one version of a CRD stands."""

    version: str
    number: StageNumber
    place: Place
    # The version of the CRD that has gone further already.
    overtaken_by: str | None = None

    @property
    def now(self) -> str:
        overtaken = f"; {self.overtaken_by} has gone further" if self.overtaken_by is not None else ""
        return _NOW[self.number] + overtaken

    @property
    def next(self) -> str:
        """What comes next for this version; nothing where another one has taken over."""
        return _NEXT[self.number] if self.overtaken_by is None else ""

    @property
    def with_stage1(self) -> Stage:
        """The same once the first stage, which is planned, is taken."""
        return replace(self, number=StageNumber.BESIDE) if self.number is StageNumber.OLD_LIST else self


def stages(copy: Copy, settings: Settings) -> list[Stage]:
    """The stage of each version of a CRD of the Cluster API; none of any other CRD, or where it cannot be told."""
    if not is_cluster_api(copy.crd, settings.capi) or copy.crd.is_obsolete or settings.is_stateless(copy.crd):
        return []
    found = []
    ahead = _furthest(copy.crd)
    for version in copy.crd.judged_versions:
        number = stage_of(version)
        if number is not None:
            pointer = version.conditions.pointer if version.conditions else version.status_pointer
            overtaken_by = ahead if number < StageNumber.SWAPPED else None
            found.append(Stage(version.name, number, copy.place(pointer), overtaken_by))
    return found


def _furthest(crd: Crd) -> str | None:
    """A version whose ``status.conditions`` are metav1 already: the others need no stage of their own."""
    swapped = (StageNumber.SWAPPED, StageNumber.DONE)
    return next((version.name for version in crd.judged_versions if stage_of(version) in swapped), None)


def stage_of(version: Version) -> StageNumber | None:
    """None where there is no status to judge, or its conditions are neither the old ones nor metav1."""
    if not version.has_fields or version.fields_are_unknown:
        return None
    conditions = version.conditions
    if conditions is None:
        return StageNumber.NO_CONDITIONS
    if not conditions.is_list_of_conditions or conditions.is_unknown:
        return None
    if version.in_capi_transition:
        return StageNumber.BESIDE
    if not differences(conditions):
        return StageNumber.SWAPPED if _has_deprecated_list(version) else StageNumber.DONE
    return StageNumber.OLD_LIST if _is_old(conditions) else None


def _is_old(conditions: ConditionList) -> bool:
    """The Cluster API's own condition: it alone has a severity."""
    return "severity" in conditions.fields


def _has_deprecated_list(version: Version) -> bool:
    found: Any = version.status
    for part in ("deprecated", "v1beta1", "conditions"):
        found = mapping(mapping(found).get("properties")).get(part)
    return isinstance(found, dict)


def stage1_operations(crd: Crd) -> tuple[Operation, ...]:
    """What adds ``status.v1beta2.conditions`` to each version that has only the old list."""
    operations = []
    for version in crd.judged_versions:
        if stage_of(version) is StageNumber.OLD_LIST and _furthest(crd) is None:
            declared = mapping(version.properties.get("v1beta2"))
            below, value = ("", V1BETA2_STATUS) if not declared else ("/properties/conditions", CONDITIONS)
            if not mapping(declared.get("properties")).get("conditions"):
                operations.append(Operation(Op.ADD, f"{version.status_pointer}/properties/v1beta2{below}", value))
    return tuple(operations)


CONDITION_GENERATION = "condition-observed-generation"
_PER_VERSION = {
    "non-metav1-conditions": "the controllers of the Cluster API leave reason and message out of conditions that are "
    "true, which the API server would refuse from then on: the stages of v1beta2 conditions are the way",
    CONDITION_GENERATION: "the Cluster API's own type of condition has no observedGeneration, so that no "
    "controller could write it: the stages of v1beta2 conditions are the way",
}
_DEFAULTS = ("missing-observed-generation", "missing-observed-generation-default")
WHY_NO_DEFAULT = (
    "there are conditions that do not say of which generation they speak: with a default of -1, `kubectl wait` waits "
    "for ever for an object that was paused from the start, or whose controller fails; the default can come once those "
    "of all served versions say it (in the Cluster API that is stage 2), or with --only"
)


def objections(crd: Crd) -> Iterator[tuple[str, str | None, str]]:
    """Rules (and the version; None for all) whose fixes would break a provider whose old list is still in use.

    Each with the reason. They remain possible for whoever asks for exactly that rule.
    """
    on_the_way = [one for one in crd.judged_versions if stage_of(one) in (StageNumber.OLD_LIST, StageNumber.BESIDE)]
    for version in on_the_way:
        for rule, why in _PER_VERSION.items():
            yield rule, version.name, why
    if on_the_way and not any(mapping(version.status).get("default") for version in crd.judged_versions):
        for rule in _DEFAULTS:
            yield rule, None, WHY_NO_DEFAULT
