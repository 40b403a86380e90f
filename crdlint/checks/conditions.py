"""``status.conditions``: a list of ``metav1.Condition``, keyed by type, that says which generation it speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.conditions import FIELDS, METAV1_LIST, OBSERVED_GENERATION, ConditionList, Difference, differences
from crdlint.crd.model import Version, lacks
from crdlint.findings import Applicability, Severity
from crdlint.settings import WRITES_CONDITION_GENERATION
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer
from crdlint.yamltext.operations import Op, Operation

_DATA_CHANGE = "it is a change of the stored data and of the Go type, not of the schema alone"
# Fields beyond the six, and who is known to read them.
_READERS = {
    "severity": "Argo CD's health scripts for the Cluster API read it: without it every Ready=False shows as Degraded",
    "lastUpdateTime": "written in every condition by Deployment-like controllers, and shown by `kubectl describe`",
    "lastHeartbeatTime": "written by node-like controllers, and read by their monitors",
    "lastProbeTime": "written by pod-like controllers, and read by their monitors",
}


def missing_conditions(version: Version, context: Context) -> Iterator[Problem]:
    if version.crd.is_obsolete or not version.has_fields or version.fields_are_unknown:
        return
    if not lacks(version.properties, "conditions"):
        return
    yield Problem(
        version.status_pointer,
        "status has no conditions: `kubectl wait --for=condition=…` can only time out, and a controller cannot "
        "acknowledge that it is paused",
        _missing_draft(version),
    )


def _missing_draft(version: Version) -> Draft:
    if not version.properties:
        why = "status is a map (additionalProperties), which cannot have properties beside it"
        return Draft(Applicability.MANUAL, (why,))
    operation = Operation(Op.ADD, f"{version.status_pointer}/properties/conditions", METAV1_LIST)
    reason = "controllers must write the conditions, Ready at least, each with its observedGeneration"
    return Draft(Applicability.UNSAFE, (reason,), (operation,))


def conditions_not_a_list(version: Version, context: Context) -> Iterator[Problem]:
    conditions = version.conditions
    if conditions is None or conditions.is_array or conditions.is_unknown:
        return
    yield Problem(
        conditions.pointer,
        f"conditions is {_shape(conditions.schema)}, not a list: kstatus fails on it, and `kubectl wait` finds none",
        Draft(Applicability.MANUAL),
    )


def non_metav1_conditions(version: Version, context: Context) -> Iterator[Problem]:
    for conditions in version.condition_lists():
        if not conditions.is_array or conditions.is_unknown:
            continue
        if not conditions.is_list_of_conditions:
            yield Problem(
                conditions.pointer,
                f"conditions are no metav1.Condition: {_why_no_condition(conditions)}",
                Draft(Applicability.MANUAL, (_DATA_CHANGE,)),
            )
        elif found := differences(conditions):
            yield Problem(
                conditions.pointer,
                "conditions differ from metav1.Condition: " + ", ".join(difference.text for difference in found),
                _metav1_draft(conditions, found),
            )


def _metav1_draft(conditions: ConditionList, found: list[Difference]) -> Draft:
    obstacles = tuple(difference.why_not for difference in found if difference.why_not)
    if obstacles:
        return Draft(Applicability.MANUAL, obstacles)
    operations = tuple(operation for difference in found for operation in difference.operations)
    reasons = []
    required = [str(operation.value) for operation in operations if operation.op is Op.INSERT]
    if required:
        names = ", ".join(required)
        reasons.append(f"controllers must set {names} in every condition: writes of status that lack one are refused")
    if "severity" in conditions.fields:
        reasons.append(
            "the Cluster API goes another way: a metav1 list at status.v1beta2.conditions, or a new API version"
        )
    return Draft(Applicability.UNSAFE, tuple(reasons), operations)


def extra_condition_fields(version: Version, context: Context) -> Iterator[Problem]:
    for conditions in version.condition_lists():
        extra = [name for name in conditions.fields if name not in FIELDS and not isinstance(name, Templated)]
        if not conditions.is_list_of_conditions or conditions.is_unknown or not extra:
            continue
        readers = tuple(f"{name}: {_READERS[name]}" for name in extra if name in _READERS)
        yield Problem(
            f"{conditions.pointer}/items/properties{join_pointer([extra[0]])}",
            f"conditions have fields that metav1.Condition does not: {', '.join(extra)}",
            Draft(Applicability.MANUAL, readers),
        )


def condition_observed_generation(version: Version, context: Context) -> Iterator[Problem]:
    conditions = version.conditions
    if (
        conditions is None
        or not conditions.is_list_of_conditions
        or conditions.is_unknown
        or conditions.observes_generation
    ):
        return
    has_default = version.status is not None and version.status.get("default") is not None
    if version.in_capi_transition and not has_default and differences(conditions):
        return
    written = WRITES_CONDITION_GENERATION in context.controllers.writes
    reasons = (
        ("the configuration says that the controllers write each condition's observedGeneration",) if written else ()
    )
    operation = Operation(Op.ADD, f"{conditions.pointer}/items/properties/observedGeneration", OBSERVED_GENERATION)
    cost = "falls back to the status-level value, and takes a stale condition as current where that is absent too"
    if has_default:
        cost = "falls back to the status-level value, which the default keeps below the generation, and hangs"
    yield Problem(
        conditions.pointer,
        f"conditions have no observedGeneration: `kubectl wait` {cost}",
        Draft(Applicability.SAFE if written else Applicability.UNSAFE, reasons, (operation,)),
        Severity.ERROR if has_default else None,
    )


def conditions_list_type(version: Version, context: Context) -> Iterator[Problem]:
    for conditions in version.condition_lists():
        if not conditions.is_array or conditions.is_unknown or _is_keyed_by_type(conditions.schema):
            continue
        declared = conditions.schema.get("x-kubernetes-list-type")
        pointer = conditions.pointer + ("" if declared is None else "/x-kubernetes-list-type")
        shown = "without x-kubernetes-list-type" if declared is None else f"of list type {declared}"
        if declared == "map":
            shown = "keyed by " + ", ".join(map(str, _keys(conditions.schema)))
        yield Problem(
            pointer,
            f"conditions are a list {shown}: since it is not a map keyed by `type`, two writers overwrite each other's "
            "conditions",
            _list_type_draft(conditions),
        )


def _list_type_draft(conditions: ConditionList) -> Draft:
    schema, items = conditions.schema, conditions.items
    kind = conditions.fields.get("type")
    if not conditions.is_list_of_conditions:
        return Draft(Applicability.MANUAL, ("only a list of objects with a scalar `type` can be keyed by it",))
    assert isinstance(kind, dict)
    if items.get("nullable") is True or kind.get("nullable") is True:
        return Draft(Applicability.MANUAL, ("the API server refuses a map list whose items or keys are nullable",))
    keys = _keys(schema)
    if any(key != "type" for key in keys):
        return Draft(
            Applicability.MANUAL, (f"the list is keyed by {', '.join(map(str, keys))}: another key would merge items",)
        )
    operations = []
    if keys != ["type"]:
        op = Op.ADD if not keys else Op.REPLACE
        operations.append(Operation(op, f"{conditions.pointer}/x-kubernetes-list-map-keys", ["type"]))
    if schema.get("x-kubernetes-list-type") != "map":
        op = Op.ADD if schema.get("x-kubernetes-list-type") is None else Op.REPLACE
        operations.append(Operation(op, f"{conditions.pointer}/x-kubernetes-list-type", "map"))
    if "type" not in conditions.required and kind.get("default") is None:
        operations.append(Operation(Op.INSERT, f"{conditions.pointer}/items/required", "type"))
    return Draft(Applicability.UNSAFE, (), tuple(operations))


def _is_keyed_by_type(schema: dict[str, Any]) -> bool:
    return schema.get("x-kubernetes-list-type") == "map" and _keys(schema) == ["type"]


def _keys(schema: dict[str, Any]) -> list[Any]:
    keys = schema.get("x-kubernetes-list-map-keys")
    return keys if isinstance(keys, list) else []


def _shape(schema: dict[str, Any]) -> str:
    if schema.get("type") not in (None, "object"):
        return f"a scalar ({schema['type']})"
    if schema.get("properties"):
        return "a single object"
    if schema.get("additionalProperties"):
        return "a map"
    return "an object"


def _why_no_condition(conditions: ConditionList) -> str:
    if not conditions.items:
        return "the list does not say what its items are"
    if conditions.items.get("type", "object") != "object":
        return f"the items are of type {conditions.items['type']}, not objects"
    return "the items declare no scalar `type`"
