"""Can a kind of Cluster API acknowledge that it is paused, and can anybody wait for that and see it?

The contracts want it of every object with a reconcile loop (the book, "pausing"; kubernetes-sigs/cluster-api#10130).
The schema shows whether there is room for the acknowledgement, not whether a controller writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from crdlint.checks import conditions as condition_checks
from crdlint.checks import shape, subresource
from crdlint.checks.capi import status as capi_status
from crdlint.checks.capi.contracts import contract_of
from crdlint.checks.capi.roles import NO_ROLE, role_of
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd import structural
from crdlint.crd.clusterapi import DOMAIN, NEVER_PAUSED, is_cluster_api
from crdlint.crd.conditions import ConditionList
from crdlint.crd.model import Version, mapping
from crdlint.findings import Applicability, Severity
from crdlint.yamltext.nodes import Mapping
from crdlint.yamltext.operations import Op, Operation

# What a controller writes into the condition Paused (cluster-api, util/paused).
_WRITTEN = {"type": ("Paused",), "status": ("True", "False"), "reason": ("Paused", "NotPaused")}
# The parts of the domain whose objects describe providers, and belong to no Cluster.
_OF_PROVIDERS = (f"clusterctl.{DOMAIN}", f"operator.{DOMAIN}")
# A pattern that only spells out the words it admits. No other pattern is looked into, and none is ever executed.
_SPELLED_OUT = re.compile(r"\^(?:\((?:\?:)?([\w-]+(?:\|[\w-]+)*)\)|([\w-]+))\$")
_SAYS_PAUSED = re.compile(r"""["']Paused["']""")
_SHOWN = "Reconciliation paused"
_AGE = {"jsonPath": ".metadata.creationTimestamp", "name": "Age", "type": "date"}
_BOUND = "only the author knows what the schema was meant to keep out, and what of it may be let in"
_NO_ROOM = (
    "what the status holds, and who writes it, is for the author to say: conditions are a list of metav1.Condition"
)
_MOVES = "the list moves with the next version of the API, and its controllers with it"
# The rules that speak of what else the acknowledgement needs.
_Rules = dict[str, Callable[[Version, Context], Iterator[Problem]]]
_SHAPE: _Rules = {"non-metav1-conditions": condition_checks.non_metav1_conditions}
_MIRRORED: _Rules = {"capi-conditions": capi_status.conditions}
_ROOM: _Rules = {
    "status-subresource-without-status": subresource.status_subresource_without_status,
    "pruned-status": shape.pruned_status,
    "missing-conditions": condition_checks.missing_conditions,
    "conditions-not-a-list": condition_checks.conditions_not_a_list,
    **_SHAPE,
    **_MIRRORED,
}
_GENERATION: _Rules = {"condition-observed-generation": condition_checks.condition_observed_generation}


def paused_condition(version: Version, context: Context) -> Iterator[Problem]:
    if not _is_paused_kind(version, context):
        return
    conditions = _condition_list(version)
    if conditions is None or not conditions.is_list_of_conditions:
        yield from _without_room(version, context)
        return
    found = [] if conditions.is_unknown else list(_obstacles(conditions, _left_to_say(conditions, version, context)))
    if found:
        operations = tuple(obstacle.operation for obstacle in found if obstacle.operation is not None)
        is_editable = len(operations) == len(found)
        yield Problem(
            conditions.pointer,
            "conditions cannot hold what acknowledges a pause: " + ", ".join(obstacle.text for obstacle in found),
            Draft(Applicability.UNSAFE, (), operations) if is_editable else Draft(Applicability.MANUAL, (_BOUND,)),
        )


def paused_wait(version: Version, context: Context) -> Iterator[Problem]:
    if not _is_paused_kind(version, context):
        return
    if version.in_capi_transition:
        yield from _wait_in_transition(version)
        return
    for problem in _unsaid(_GENERATION, version, context):
        observed = mapping(version.fresh_status).get("observedGeneration")
        cost = "takes the acknowledgement of an older generation for one of this"
        if isinstance(observed, int) and observed < 1:
            cost = f"never sees an object that is paused from its creation: its status stays at {observed}"
        yield Problem(
            problem.pointer,
            f"conditions have no observedGeneration, so `kubectl wait --for=condition=Paused` {cost}",
            problem.fix,
        )


def paused_column(version: Version, context: Context) -> Iterator[Problem]:
    conditions = _condition_list(version) if _is_paused_kind(version, context) else None
    if conditions is None or not conditions.is_list_of_conditions or conditions.is_unknown:
        return
    pointer = f"{version.pointer}/additionalPrinterColumns"
    columns = version.crd.data(pointer)
    if _may_show_pauses(version, columns):
        return
    path = ".status.v1beta2.conditions" if version.in_capi_transition else ".status.conditions"
    path += '[?(@.type=="Paused")].status'
    column = {"description": _SHOWN, "jsonPath": path, "name": "Paused", "priority": 10, "type": "string"}
    # The first column of a kind's own takes away that of the age, which there is without any.
    operation = Operation(Op.APPEND, pointer, column) if columns else Operation(Op.ADD, pointer, [column, _AGE])
    yield Problem(
        pointer if columns else f"{version.pointer}/name",
        "no printer column shows whether an object is paused",
        Draft(Applicability.UNSAFE, (), (operation,)),
        marker=f'+kubebuilder:printcolumn:name="Paused",type=string,JSONPath=`{path}`,description="{_SHOWN}",priority=10',
    )


# Which kinds.


def _is_paused_kind(version: Version, context: Context) -> bool:
    """A kind with a reconcile loop, in a version that Cluster API reads."""
    crd = version.crd
    if crd.is_obsolete or not is_cluster_api(crd, context.capi) or crd.group.startswith(_OF_PROVIDERS):
        return False
    is_exempt = (crd.kind or "").endswith(NEVER_PAUSED) or dict(context.capi.kinds).get(crd.kind or "") == NO_ROLE
    return not is_exempt and contract_of(version, context.capi) is not None


# What keeps the acknowledgement out.


@dataclass(frozen=True)
class _Obstacle:
    """What refuses a value of the condition, and the operation that lets it in where there is one."""

    text: str
    operation: Operation | None = None


def _condition_list(version: Version) -> ConditionList | None:
    """The list that the condition is written to."""
    return next(version.condition_lists(), None)


def _without_room(version: Version, context: Context) -> Iterator[Problem]:
    """A version without a list of conditions."""
    for problem in _unsaid(_ROOM, version, context):
        is_manual = problem.fix is None or problem.fix.applicability is Applicability.MANUAL
        draft = Draft(Applicability.MANUAL, (_NO_ROOM,)) if is_manual else problem.fix
        yield Problem(problem.pointer, f"a pause cannot be acknowledged, as {problem.message}", draft)
        return
    declares = version.status is not None or version.root_is_open or version.preserves_unknown_fields
    is_bare = not declares and version.has_status_subresource is False
    if is_bare and role_of(version.crd, context.capi) is not None:
        message = "a pause cannot be acknowledged, as no status is declared"
        yield Problem(f"{version.pointer}/name", message, Draft(Applicability.MANUAL, (_NO_ROOM,)))


def _left_to_say(conditions: ConditionList, version: Version, context: Context) -> Iterator[str]:
    """The fields of a condition that no other rule speaks of already."""
    is_shape_said = _is_said(_SHAPE, version, context)
    is_status_said = _is_said(_MIRRORED, version, context)
    for name in _WRITTEN:
        field = conditions.fields.get(name)
        said = (is_shape_said and _is_misshapen(field)) or (is_status_said and name == "status")
        if isinstance(field, dict) and not said:
            yield name


def _is_misshapen(field: Any) -> bool:
    """Is it no text, or are its values none?"""
    enum = mapping(field).get("enum")
    is_boolean = isinstance(enum, list) and any(isinstance(value, bool) for value in enum)
    return mapping(field).get("type") != "string" or is_boolean


def _obstacles(conditions: ConditionList, names: Iterable[str]) -> Iterator[_Obstacle]:
    if conditions.schema.get("maxItems") == 0:
        yield _Obstacle("the list has `maxItems: 0`")
    for name in names:
        for value in _WRITTEN[name]:
            yield from _refusal(f"{conditions.pointer}/items/properties/{name}", name, conditions.fields[name], value)


def _refusal(pointer: str, name: str, field: dict[str, Any], value: str) -> Iterator[_Obstacle]:
    without_enum = {key: bound for key, bound in field.items() if key != "enum"}
    errors = structural.validate_value(without_enum, value)[0]
    if errors:
        yield _Obstacle(f"`{name}` refuses {value} ({'; '.join(errors)})")
    elif not spells_out(field.get("pattern"), value):
        yield _Obstacle(f"the pattern of `{name}` lacks {value}")
    elif structural.validate_value(field, value)[0]:
        operation = None if _is_misshapen(field) else Operation(Op.INSERT, f"{pointer}/enum", value)
        yield _Obstacle(f"the enum of `{name}` lacks {value}", operation)


def spells_out(pattern: Any, value: str) -> bool:
    """Is the value among the words that a pattern spells out? Every other pattern counts as admitting it."""
    match = _SPELLED_OUT.fullmatch(pattern) if isinstance(pattern, str) else None
    return match is None or value in (match[1] or match[2]).split("|")


# Who sees it.


def _wait_in_transition(version: Version) -> Iterator[Problem]:
    """Only the old list is where `kubectl wait` looks, and Cluster API's helper writes to the new one."""
    others = (other for other in version.crd.judged_versions if other is not version)
    if any(other.conditions is not None and not other.in_capi_transition for other in others):
        return
    path = '{.status.v1beta2.conditions[?(@.type=="Paused")].status}'
    yield Problem(
        f"{version.status_pointer}/properties/v1beta2",
        "`kubectl wait --for=condition=Paused` reads status.conditions only, and the acknowledgement stands in "
        f"status.v1beta2.conditions: until that moves, wait with --for=jsonpath='{path}'=True",
        Draft(Applicability.MANUAL, (_MOVES,)),
        Severity.INFO,
    )


def _may_show_pauses(version: Version, columns: Any) -> bool:
    """Is there a column for it, by its path or its name, or may a template add one?"""
    node = version.crd.node(version.pointer)
    if columns is None or columns == []:
        return isinstance(node, Mapping) and node.open
    if not isinstance(columns, list) or not all(isinstance(column, dict) for column in columns):
        return True
    return any(
        _SAYS_PAUSED.search(str(column.get("jsonPath"))) is not None or str(column.get("name")).lower() == "paused"
        for column in columns
    )


# One problem is one finding.


def _is_said(rules: _Rules, version: Version, context: Context) -> bool:
    """Does one of these rules say something?"""
    return any(
        context.reports(rule, version, problem.shown_at or problem.pointer)
        for rule, check in rules.items()
        for problem in check(version, context)
    )


def _unsaid(rules: _Rules, version: Version, context: Context) -> Iterator[Problem]:
    """What these rules would say, were they selected and not ignored there; nothing where one of them speaks."""
    if not _is_said(rules, version, context):
        for check in rules.values():
            yield from check(version, context)
