"""kstatus: what Flux, Helm 4 and kpt take as ready (cli-utils, pkg/kstatus/status/{status,generic,util}.go)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from crdlint.consumers.unstructured import MISSING, AccessorError, group_and_kind, nested_int64, nested_string

IN_PROGRESS, FAILED, CURRENT, TERMINATING = "InProgress", "Failed", "Current", "Terminating"
UNKNOWN = "Unknown"

# The groups in which a kind has a rule of its own: see `kstatus_builtin`.
_BUILTIN_GROUPS = frozenset({"", "apps", "extensions", "policy", "batch", "apiextensions.k8s.io"})


class Result(NamedTuple):
    status: str
    message: str


class Condition(NamedTuple):
    """What kstatus reads of a condition: absent and null fields are empty (``BasicCondition``)."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""


class ComputeError(Exception):
    """kstatus cannot compute a status; its callers show Unknown."""


def compute(resource: dict[str, Any], now: datetime | None = None) -> Result:
    """The status of an object. Raises `ComputeError` where a field has a type that kstatus cannot read.

    One without ``apiVersion`` is taken for a custom resource. ``now`` counts for pods only, which are given 15 seconds.
    """
    return _generic(resource) or _builtin(resource, now) or _ready(resource) or Result(CURRENT, "Resource is current")


def verdict(resource: dict[str, Any]) -> Result:
    """The status as pollers and watchers show it: `UNKNOWN` where it cannot be computed."""
    try:
        return compute(resource)
    except ComputeError as error:
        return Result(UNKNOWN, str(error))


def conditions_of(resource: dict[str, Any]) -> list[Condition]:
    """``status.conditions`` as a list of structs (``GetObjectWithConditions``). Raises `ComputeError`."""
    status = resource.get("status")
    if not isinstance(status, dict | None):
        raise ComputeError("status is not an object")
    conditions = (status or {}).get("conditions")
    if not isinstance(conditions, list | None):
        raise ComputeError("status.conditions is not a list")
    return [_condition(item, index) for index, item in enumerate(conditions or [])]


def _condition(item: Any, index: int) -> Condition:
    if not isinstance(item, dict | None):
        raise ComputeError(f"status.conditions[{index}] is not an object")
    values = {name: (item or {}).get(name) for name in Condition._fields}
    for name, value in values.items():
        if not isinstance(value, str | None):
            raise ComputeError(f"status.conditions[{index}].{name} is not a string")
    return Condition(*(value or "" for value in values.values()))


def _generic(resource: dict[str, Any]) -> Result | None:
    """``checkGenericProperties``."""
    try:
        deletion = nested_string(resource, "metadata", "deletionTimestamp")
    except AccessorError as error:
        raise ComputeError(f"looking up metadata.deletionTimestamp from resource: {error}") from None
    if deletion:
        return Result(TERMINATING, "Resource scheduled for deletion")
    return _generation(resource) or _standard_conditions(resource)


def _generation(resource: dict[str, Any]) -> Result | None:
    """``checkGeneration``."""
    generation, observed = generations(resource)
    if generation is None or observed is None or generation == observed:
        return None
    message = f"{_kind(resource)} generation is {generation}, but latest observed generation is {observed}"
    return Result(IN_PROGRESS, message)


def generations(resource: dict[str, Any]) -> tuple[int | None, int | None]:
    """The generation and, where there is one, the observed generation. Raises `ComputeError`."""
    found: list[int | None] = []
    for path in (("metadata", "generation"), ("status", "observedGeneration")):
        try:
            value = nested_int64(resource, *path)
        except AccessorError as error:
            raise ComputeError(f"looking up {'.'.join(path)} from resource: {error}") from None
        if value is MISSING and not found:
            return None, None
        found.append(value if isinstance(value, int) else None)
    return found[0], found[1]


def _standard_conditions(resource: dict[str, Any]) -> Result | None:
    """The conditions of kstatus' own making, in the order of the list."""
    for condition in conditions_of(resource):
        if condition.type == "Reconciling" and condition.status == "True":
            return Result(IN_PROGRESS, condition.message)
        if condition.type == "Stalled" and condition.status == "True":
            return Result(FAILED, condition.message)
    return None


def _builtin(resource: dict[str, Any], now: datetime | None) -> Result | None:
    group, kind = group_and_kind(resource)
    if group not in _BUILTIN_GROUPS or "apiVersion" not in resource:
        return None
    from crdlint.consumers.kstatus_builtin import RULES

    rule = RULES.get(f"{group}/{kind}" if group else kind)
    return None if rule is None else rule(resource, now)


def _ready(resource: dict[str, Any]) -> Result | None:
    """``checkReadyCondition``."""
    for condition in conditions_of(resource):
        if condition.type == "Ready" and condition.status == "True":
            return Result(CURRENT, "Resource is Ready")
        if condition.type == "Ready" and condition.status in ("False", "Unknown"):
            return Result(IN_PROGRESS, condition.message)
    return None


def _kind(resource: dict[str, Any]) -> str:
    kind = resource.get("kind")
    return kind if isinstance(kind, str) else ""
