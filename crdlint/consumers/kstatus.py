"""kstatus: what Flux, Helm 4 and kpt take as ready (cli-utils, pkg/kstatus/status/{status,generic}.go).

Only the generic rules, which hold for every custom resource.
"""

from __future__ import annotations

from typing import Any, NamedTuple

IN_PROGRESS, FAILED, CURRENT, TERMINATING = "InProgress", "Failed", "Current", "Terminating"


class Result(NamedTuple):
    status: str
    message: str


class ComputeError(Exception):
    """kstatus cannot compute a status; its callers show Unknown."""


def compute(resource: dict[str, Any]) -> Result:
    """The status of a custom resource. Raises `ComputeError` where a field has a type that kstatus cannot read."""
    metadata = resource.get("metadata") or {}
    if "deletionTimestamp" in metadata:
        if not isinstance(metadata["deletionTimestamp"], str):
            raise ComputeError("metadata.deletionTimestamp is not a string")
        if metadata["deletionTimestamp"]:
            return Result(TERMINATING, "Resource scheduled for deletion")
    status = resource.get("status")
    if status is not None and not isinstance(status, dict):
        raise ComputeError("status is not an object")
    return _generation(resource, metadata, status or {}) or _conditions(status or {})


def _generation(resource: dict[str, Any], metadata: dict[str, Any], status: dict[str, Any]) -> Result | None:
    generation, observed = metadata.get("generation"), status.get("observedGeneration")
    if "generation" not in metadata or "observedGeneration" not in status:
        return None
    for value in (generation, observed):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ComputeError(f"{value!r} is not an integer")
    if generation == observed:
        return None
    message = f"{resource.get('kind')} generation is {generation}, but latest observed generation is {observed}"
    return Result(IN_PROGRESS, message)


def _conditions(status: dict[str, Any]) -> Result:
    conditions = status.get("conditions") or []
    if not isinstance(conditions, list) or not all(isinstance(condition, dict) for condition in conditions):
        raise ComputeError("status.conditions is not a list of objects")
    for condition in conditions:
        kind, value, message = (condition.get(key, "") for key in ("type", "status", "message"))
        if kind == "Reconciling" and value == "True":
            return Result(IN_PROGRESS, message)
        if kind == "Stalled" and value == "True":
            return Result(FAILED, message)
    for condition in conditions:
        if condition.get("type") == "Ready":
            if condition.get("status") == "True":
                return Result(CURRENT, "Resource is Ready")
            if condition.get("status") in ("False", "Unknown"):
                return Result(IN_PROGRESS, condition.get("message", ""))
    return Result(CURRENT, "Resource is current")
