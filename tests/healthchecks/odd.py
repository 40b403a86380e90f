"""Objects as nobody expects them, and what the consumers are to make of them: by hand, for generation 2."""

from __future__ import annotations

from typing import Any, NamedTuple

from crdlint.crd.model import Crd
from tests.consumers.build import METAV1, OBSERVED, crd_of, status_of
from tests.healthchecks.lives import NEGATIVE, PAUSED, POSITIVE, PROGRESSING, Types

TYPES: Types = {
    "Ready": POSITIVE,
    "Available": POSITIVE,
    "Synced": POSITIVE,
    "Reconciling": PROGRESSING,
    "Stalled": NEGATIVE,
    "Paused": PAUSED,
}
GENERATION = 2


def crd() -> Crd:
    return crd_of(status_of(observedGeneration=OBSERVED, conditions=METAV1))


class Odd(NamedTuple):
    """An object, and the answers that are right: of Flux, Unknown is an evaluation that fails, so that it waits.

    On fields of what is no map its two libraries differ; either answer is right.
    """

    status: Any
    flux: str
    argocd: str
    metadata: dict[str, Any] | None = None

    @property
    def resource(self) -> dict[str, Any]:
        metadata = {"generation": GENERATION} if self.metadata is None else self.metadata
        found: dict[str, Any] = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata}
        return found if self.status is ... else {**found, "status": self.status}


def condition(name: str, status: str = "True", **more: Any) -> dict[str, Any]:
    return {"type": name, "status": status, **more}


def status(*conditions: Any, **more: Any) -> dict[str, Any]:
    """A status in which all is well but for what is given; Synced stands beside it."""
    return {"conditions": [*conditions, condition("Synced")], **more}


_READY = condition("Ready")
_DELETED = {"generation": GENERATION, "deletionTimestamp": "2024-01-01T00:00:00Z"}

ODD: dict[str, Odd] = {
    "no status": Odd(..., "Unknown", "Progressing"),
    "status is empty": Odd({}, "InProgress", "Progressing"),
    "status is null": Odd(None, "Unknown|InProgress", "Progressing"),
    "conditions are null": Odd({"conditions": None}, "Unknown", "Progressing"),
    "conditions are empty": Odd({"conditions": []}, "InProgress", "Progressing"),
    "conditions are missing": Odd({"observedGeneration": 2}, "InProgress", "Progressing"),
    "conditions are a map": Odd({"conditions": {"Ready": "True"}}, "Unknown|InProgress", "Progressing"),
    "conditions are an empty map": Odd({"conditions": {}}, "InProgress", "Progressing"),
    "conditions are text": Odd({"conditions": "Ready"}, "Unknown", "Progressing"),
    "one is text": Odd(status(_READY, "Available"), "Unknown|Current", "Healthy"),
    "nothing but type": Odd(status({"type": "Ready"}), "InProgress", "Progressing"),
    "nothing but status": Odd({"conditions": [{"status": "True"}]}, "InProgress", "Progressing"),
    "neither reason nor message": Odd(status(_READY), "Current", "Healthy"),
    "message is null": Odd(status(condition("Ready", "False", message=None)), "InProgress", "Progressing"),
    "message is a number": Odd(status(condition("Ready", "False", message=3)), "InProgress", "Progressing"),
    "Unknown": Odd(status(condition("Ready", "Unknown")), "InProgress", "Progressing"),
    "empty": Odd(status(condition("Ready", "")), "InProgress", "Progressing"),
    "lower case": Odd(status(condition("Ready", "true")), "InProgress", "Progressing"),
    "a boolean": Odd(status({"type": "Ready", "status": True}), "InProgress", "Progressing"),
    "another type": Odd(status(condition("ready")), "InProgress", "Progressing"),
    "only Ready": Odd(status(_READY), "Current", "Healthy"),
    "only Available": Odd(status(condition("Available")), "Current", "Healthy"),
    "both": Odd(status(_READY, condition("Available")), "Current", "Healthy"),
    "Ready without Available": Odd(status(_READY, condition("Available", "False")), "InProgress", "Progressing"),
    "Available without Ready": Odd(
        status(condition("Ready", "False"), condition("Available")), "InProgress", "Progressing"
    ),
    "not Synced": Odd({"conditions": [_READY, condition("Synced", "False")]}, "InProgress", "Progressing"),
    "no Synced": Odd({"conditions": [_READY]}, "InProgress", "Progressing"),
    "twice True": Odd(status(_READY, _READY), "Current", "Healthy"),
    "True, then False": Odd(status(_READY, condition("Ready", "False")), "InProgress", "Progressing"),
    "False, then True": Odd(status(condition("Ready", "False"), _READY), "InProgress", "Progressing"),
    "the condition is stale": Odd(status(condition("Ready", observedGeneration=1)), "InProgress", "Progressing"),
    "the condition is at -1": Odd(status(condition("Ready", observedGeneration=-1)), "InProgress", "Progressing"),
    "the condition is at 0": Odd(status(condition("Ready", observedGeneration=0)), "InProgress", "Progressing"),
    "the condition is ahead": Odd(status(condition("Ready", observedGeneration=3)), "InProgress", "Progressing"),
    "the condition is fresh": Odd(status(condition("Ready", observedGeneration=2)), "Current", "Healthy"),
    "the other one is stale": Odd(
        {"conditions": [_READY, condition("Synced", observedGeneration=1)]}, "InProgress", "Progressing"
    ),
    "status is stale": Odd(status(_READY, observedGeneration=1), "InProgress", "Progressing"),
    "status is at -1": Odd(status(_READY, observedGeneration=-1), "InProgress", "Progressing"),
    "status is ahead": Odd(status(_READY, observedGeneration=3), "InProgress", "Progressing"),
    "status is fresh": Odd(status(_READY, observedGeneration=2), "Current", "Healthy"),
    "status is fresh, the condition is not": Odd(
        status(condition("Ready", observedGeneration=1), observedGeneration=2), "InProgress", "Progressing"
    ),
    "generation of status as text": Odd(status(_READY, observedGeneration="1"), "Current", "Healthy"),
    "deleted": Odd(status(_READY), "InProgress", "Progressing", _DELETED),
    "deleted and stalled": Odd(status(_READY, condition("Stalled")), "InProgress", "Progressing", _DELETED),
    "deleted without a status": Odd(..., "InProgress", "Progressing", _DELETED),
    "no generation": Odd(status(_READY), "Current", "Healthy", {}),
    "no generation but in the condition": Odd(
        status(condition("Ready", observedGeneration=1)), "Unknown", "Progressing", {}
    ),
    "Stalled": Odd(status(_READY, condition("Stalled")), "Failed", "Degraded"),
    "Stalled without Ready": Odd({"conditions": [condition("Stalled")]}, "Failed", "Degraded"),
    "Stalled, before": Odd(status(_READY, condition("Stalled", observedGeneration=1)), "Current", "Healthy"),
    "not Stalled": Odd(status(_READY, condition("Stalled", "False")), "Current", "Healthy"),
    "perhaps Stalled": Odd(status(_READY, condition("Stalled", "Unknown")), "Current", "Healthy"),
    "Stalled, nothing said": Odd(status(_READY, condition("Stalled", "")), "Current", "Healthy"),
    "Reconciling": Odd(status(_READY, condition("Reconciling")), "InProgress", "Progressing"),
    "Reconciling and Stalled": Odd(status(condition("Reconciling"), condition("Stalled")), "InProgress", "Progressing"),
    "Stalled and Reconciling": Odd(status(condition("Stalled"), condition("Reconciling")), "InProgress", "Progressing"),
    "Reconciling, before": Odd(status(_READY, condition("Reconciling", observedGeneration=1)), "Current", "Healthy"),
    "Paused": Odd({"conditions": [condition("Paused")]}, "InProgress", "Suspended"),
    "Paused and ready": Odd(status(_READY, condition("Paused")), "Current", "Suspended"),
    "Paused, before": Odd(status(_READY, condition("Paused", observedGeneration=1)), "Current", "Healthy"),
    "Paused and Stalled": Odd(status(condition("Paused"), condition("Stalled")), "Failed", "Degraded"),
}
