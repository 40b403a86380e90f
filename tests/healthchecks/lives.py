"""Objects in each state of their life, with conditions of any types, and what each consumer is to answer.

The answers are written down by hand, from what a schema declares: nothing here asks the generators.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crdlint.consumers.timeline import Controller, simulate
from crdlint.crd.model import Version
from crdlint.healthchecks.meanings import Meaning

POSITIVE, NEGATIVE, PROGRESSING, PAUSED = Meaning.POSITIVE, Meaning.NEGATIVE, Meaning.PROGRESSING, Meaning.PAUSED
Types = Mapping[str, Meaning]

_AT_WORK = {POSITIVE: "False", PROGRESSING: "True", NEGATIVE: "False", PAUSED: "False"}
_DONE = {POSITIVE: "True", PROGRESSING: "False", NEGATIVE: "False", PAUSED: "False"}
WRITTEN: Mapping[str, Mapping[Meaning, str]] = {
    "created": {},
    "generation-observed": {},
    "in-progress": _AT_WORK,
    "ready": _DONE,
    "spec-changed": _DONE,
    "failed": {POSITIVE: "False", PROGRESSING: "False", NEGATIVE: "True", PAUSED: "False"},
    "paused-from-creation": {PAUSED: "True"},
    "deleting": _DONE,
}
"""What the controller has written of conditions of each meaning when an object is in that state."""


@dataclass(frozen=True)
class Shape:
    """What a schema says of generations."""

    conditions_tell: bool
    status_tells: bool
    writes_count: bool
    """Is the status subresource off, so that each write of status is a generation?"""
    begins_unobserved: bool
    """Does status begin with a generation that nobody has observed?"""

    @classmethod
    def of(cls, version: Version) -> Shape:
        status = version.status or {"x-kubernetes-preserve-unknown-fields": True}
        keeps_all = status.get("x-kubernetes-preserve-unknown-fields") is True or version.crd.preserves_unknown_fields
        fields = status.get("properties", {})
        items = fields.get("conditions", {}).get("items", {})
        observed = fields.get("observedGeneration", {})
        default = status.get("default", {})
        own = "observedGeneration" in items.get("properties", {})
        return cls(
            conditions_tell=own or (keeps_all and "conditions" not in fields),
            status_tells=observed.get("type") == "integer" or (keeps_all and not observed),
            writes_count=not (isinstance(version.subresources, dict) and "status" in version.subresources),
            begins_unobserved=isinstance(default, dict)
            and default.get("observedGeneration", observed.get("default")) == -1
            and "default" in status,
        )

    @property
    def tells(self) -> bool:
        return self.conditions_tell or self.status_tells

    @property
    def never_converges(self) -> bool:
        return self.writes_count and self.tells


def objects(version: Version, types: Types) -> dict[str, dict[str, Any]]:
    """The object in each state."""
    return {state.name: _with(version, state.name, state.object, types) for state in simulate(version).states}


def _with(version: Version, state: str, example: dict[str, Any], types: Types) -> dict[str, Any]:
    """The example, with conditions of these types in the place of those that it has."""
    found = copy.deepcopy(example)
    written = [
        {
            "type": name,
            "status": WRITTEN[state][meaning],
            "reason": "Because",
            "message": f"{name} in {state}",
            "lastTransitionTime": "2024-01-01T00:00:00Z",
            "lastUpdateTime": "2024-01-01T00:00:00Z",
            "observedGeneration": _generation_of(example),
        }
        for name, meaning in types.items()
        if meaning in WRITTEN[state]
    ]
    held = Controller(version).status(1, written, observes=False).get("conditions")
    if held:
        found.setdefault("status", {})["conditions"] = held
    elif WRITTEN[state]:
        found.get("status", {}).pop("conditions", None)
    return found


def _generation_of(example: dict[str, Any]) -> int:
    """The generation that the controller has seen when it wrote."""
    status = example.get("status", {})
    own = [item["observedGeneration"] for item in status.get("conditions") or [] if "observedGeneration" in item]
    return int(own[0] if own else 1)


def flux_answer(state: str, shape: Shape, types: Types, resource: dict[str, Any]) -> str:
    """Flux cannot ask whether there is a status: without one it answers Unknown, and waits."""
    if "status" not in resource:
        return "InProgress" if state == "deleting" else "Unknown"
    if shape.never_converges or state == "deleting":
        return "InProgress"
    if state == "failed":
        return "Failed" if NEGATIVE in types.values() else "InProgress"
    is_unseen = state == "spec-changed" and not shape.tells
    return "Current" if state == "ready" or is_unseen else "InProgress"


def argocd_answer(state: str, shape: Shape, types: Types) -> str:
    if state == "paused-from-creation" and PAUSED in types.values():
        # It has written this condition, and no generation to status.
        is_behind = shape.begins_unobserved or (shape.writes_count and shape.conditions_tell)
        return "Progressing" if is_behind else "Suspended"
    if shape.never_converges or state == "deleting":
        return "Progressing"
    if state == "failed":
        return "Degraded" if NEGATIVE in types.values() else "Progressing"
    is_unseen = state == "spec-changed" and not shape.tells
    return "Healthy" if state == "ready" or is_unseen else "Progressing"


def wait_answer(state: str, shape: Shape, for_: str) -> bool:
    """Is a wait for a positive condition over?"""
    if for_.startswith("jsonpath=") or not shape.tells:
        return state in ("ready", "spec-changed", "deleting")
    return state == "ready" and not shape.never_converges
