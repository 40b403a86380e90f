"""The life of an object of one version, as each consumer sees it; and which of their answers are wrong.

The object is what the API server would make of it: status is pruned and defaulted by the schema of the version, which
is taken for the storage version, and every write of status bumps the generation where the status subresource is off.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from crdlint.consumers import kstatus
from crdlint.consumers.argocd import ArgoCd, Health
from crdlint.consumers.flux import Flux
from crdlint.consumers.kstatus import Result
from crdlint.consumers.kubectl_wait import Answer, ConditionWait, verdict
from crdlint.crd import structural
from crdlint.crd.model import Crd, Version, mapping

CONDITION_TYPES = ("Ready", "Available", "Paused")
"""The conditions that `kubectl wait` is asked for unless somebody names others."""

KSTATUS, WAIT, FLUX, ARGOCD = "kstatus", "kubectl-wait", "flux", "argocd"
TOO_EARLY, NEVER = "too early", "never"
_HOW = {TOO_EARLY: "before it should", NEVER: "never"}

_STARTED = "2024-01-01T00:00:00Z"


class Right(NamedTuple):
    """The right answers in one state."""

    kstatus: frozenset[str]
    """Of kstatus, and of Flux."""
    met: frozenset[str]
    """The conditions for which `kubectl wait` is to return; for all others it is to wait."""
    argocd: frozenset[str | None]


def _right(kstatus: str, met: str, argocd: str) -> Right:
    # An unknown health is one that crdlint has not computed; without a health, Argo CD claims nothing.
    return Right(frozenset(kstatus.split()), frozenset(met.split()), frozenset({None, "Unknown", "", *argocd.split()}))


RIGHT: Mapping[str, Right] = {
    "created": _right("InProgress Unknown", "", "Progressing Suspended Missing"),
    "generation-observed": _right("InProgress Unknown", "", "Progressing Suspended Missing"),
    "in-progress": _right("InProgress Unknown", "", "Progressing Suspended Missing"),
    "ready": _right("Current", "Ready Available", "Healthy"),
    "spec-changed": _right("InProgress Unknown", "", "Progressing Suspended Missing"),
    # A controller that says no more than Ready=False leaves it open whether it goes on trying.
    "failed": _right("Failed InProgress Unknown", "", "Degraded Progressing Suspended Missing"),
    "paused-from-creation": _right("InProgress Unknown", "Paused", "Progressing Suspended Missing"),
    "deleting": _right("Terminating", "", "Progressing"),
}
"""The right answer in each state for each consumer, and the states in their order: *wrong* is what differs from it."""


@dataclass(frozen=True)
class Verdicts:
    """What each consumer says of one object."""

    kstatus: Result
    wait: dict[str, Answer]
    flux: Result
    argocd: Health | None

    def as_data(self) -> dict[str, Any]:
        """As the JSON formats of `simulate` and `status` have it."""
        return {
            KSTATUS: self.kstatus._asdict(),
            WAIT: {name: answer._asdict() for name, answer in self.wait.items()},
            FLUX: self.flux._asdict(),
            ARGOCD: None if self.argocd is None else self.argocd._asdict(),
        }


@dataclass(frozen=True)
class Consumers:
    """The consumers, as they are set up."""

    flux: Flux = field(default_factory=Flux)
    argocd: ArgoCd = field(default_factory=ArgoCd)
    condition_types: tuple[str, ...] = CONDITION_TYPES

    def judge(self, resource: dict[str, Any]) -> Verdicts:
        return Verdicts(
            kstatus.verdict(resource),
            {name: verdict(ConditionWait(name).check, resource) for name in self.condition_types},
            self.flux.verdict(resource),
            self.argocd.health(resource),
        )


@dataclass(frozen=True)
class State:
    """One state of an object's life."""

    name: str
    object: dict[str, Any]
    verdicts: Verdicts

    def wrong(self) -> dict[tuple[str, str], str]:
        """`TOO_EARLY` or `NEVER` for each consumer whose answer is wrong, by its name and the condition asked for."""
        right, found = RIGHT[self.name], {}
        is_ready = self.name == "ready"
        for consumer, answer in ((KSTATUS, self.verdicts.kstatus), (FLUX, self.verdicts.flux)):
            if answer.status not in right.kstatus:
                found[consumer, ""] = NEVER if is_ready else TOO_EARLY
        for condition, waited in self.verdicts.wait.items():
            # What somebody names beside the usual ones is taken for another word for ready.
            meaning = condition if condition in CONDITION_TYPES else "Ready"
            if waited.met is not (meaning in right.met):
                found[WAIT, condition] = TOO_EARLY if waited.met else NEVER
        health = self.verdicts.argocd
        if (None if health is None else health.status) not in right.argocd:
            found[ARGOCD, ""] = NEVER if is_ready else TOO_EARLY
        return found


@dataclass(frozen=True)
class Timeline:
    """The states of an object of one version."""

    version: Version
    controller: Controller
    states: tuple[State, ...]

    @property
    def race(self) -> bool:
        """Does kstatus call an object Current, whose status no controller has written yet?"""
        return self.version.status is not None and self.states[0].verdicts.kstatus.status == kstatus.CURRENT


@dataclass(frozen=True)
class Controller:
    """A controller that was written for one version: it writes what that version declares.

    ``writes`` names what it is known to write beyond that, in the words of the configuration:
    ``status.observedGeneration``, ``conditions.observedGeneration``, and ``status-endpoint`` for one that writes
    whichever way reaches the object.
    """

    version: Version
    writes: frozenset[str] = frozenset()

    def reaches(self, version: Version) -> bool:
        """Do its writes of status arrive? They are lost on the wrong one of the two endpoints."""
        switched = version.has_status_subresource is not self.version.has_status_subresource
        return not switched or "status-endpoint" in self.writes

    def status(self, generation: int, conditions: list[dict[str, Any]], *, observes: bool = True) -> dict[str, Any]:
        """The fields of status that it writes; conditions only where there are any."""
        written: dict[str, Any] = {}
        if conditions:
            held = self._conditions(conditions)
            written = {"conditions": held} if held else {}
            if mapping(self.version.properties.get("ready")).get("type") == "boolean":
                written["ready"] = any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)
        if not observes:
            return written
        observed = {"observedGeneration": self._as_declared(generation)}
        if "status.observedGeneration" in self.writes:
            return {**observed, **written}
        admitted = _admits(self.version.observed_generation, observed["observedGeneration"])
        return {**mapping(_stored(self.version, observed)), **written} if admitted else written

    def _as_declared(self, generation: int) -> int | str:
        declared = self.version.observed_generation or {}
        is_text = declared.get("type") == "string" and declared.get("x-kubernetes-int-or-string") is not True
        return str(generation) if is_text else generation

    def _conditions(self, conditions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that the schema can hold, with the fields that it has."""
        schema = mapping(self.version.properties.get("conditions"))
        if schema.get("type", "array") != "array":
            return []
        fields = mapping(mapping(schema.get("items")).get("properties"))
        found = []
        for condition in conditions:
            status = mapping(_stored(self.version, {"conditions": [condition]}))
            items = status.get("conditions")
            item = mapping(items[0]) if isinstance(items, list) and items else {}
            item = {name: value for name, value in item.items() if _admits(fields.get(name), value)}
            if "conditions.observedGeneration" in self.writes:
                item["observedGeneration"] = condition["observedGeneration"]
            if "type" in item and "status" in item:
                found.append(item)
        return found


def _admits(schema: Any, value: Any) -> bool:
    return not isinstance(schema, dict) or not structural.validate_value(schema, value)[0]


def _stored(version: Version, status: dict[str, Any]) -> Any:
    """What the API server keeps of a status; `structural.ABSENT` if nothing."""
    if version.status is not None and not version.crd.preserves_unknown_fields:
        return structural.prune(version.status, status)
    return status if version.status is not None or version.preserves_unknown_fields else structural.ABSENT


def _completed(version: Version, status: dict[str, Any]) -> dict[str, Any]:
    """Whoever writes status writes what it requires, too."""
    try:
        return mapping(structural.complete(version.status or {}, status))
    except structural.NoZero:
        return status


class _Live:
    """An object in the cluster."""

    def __init__(self, version: Version, controller: Controller) -> None:
        self.version = version
        self.controller = controller
        self.generation = 1
        self.status: Any = version.fresh_status

    def copy(self) -> _Live:
        other = _Live(self.version, self.controller)
        other.generation, other.status = self.generation, self.status
        return other

    def reconcile(self, conditions: list[dict[str, Any]], *, observes: bool = True) -> None:
        """The controller patches status."""
        if not self.controller.reaches(self.version):
            return
        written = self.controller.status(self.generation, conditions, observes=observes)
        if not written:
            return
        stored = _stored(self.version, _completed(self.controller.version, {**mapping(self.status), **written}))
        if self.version.status is not None and not self.version.crd.is_obsolete and isinstance(stored, dict):
            stored = structural.apply_defaults(self.version.status, stored)
        if stored != self.status and self.version.has_status_subresource is False:
            self.generation += 1
        self.status = stored

    def snapshot(self, *, deleting: bool = False) -> dict[str, Any]:
        crd = self.version.crd
        metadata: dict[str, Any] = {"name": "example"}
        if crd.data("/spec/scope") == "Namespaced":
            metadata["namespace"] = "default"
        metadata["generation"] = self.generation
        if deleting:
            metadata |= {
                "deletionTimestamp": _STARTED,
                "deletionGracePeriodSeconds": 0,
                "finalizers": ["example.com/wait"],
            }
        shown: dict[str, Any] = {
            "apiVersion": f"{crd.group}/{self.version.name}",
            "kind": crd.kind or "",
            "metadata": metadata,
            "spec": {},
        }
        return shown if self.status is structural.ABSENT else {**shown, "status": self.status}


def _condition(kind: str, status: str, reason: str, message: str, severity: str, generation: int) -> dict[str, Any]:
    condition = {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": _STARTED,
        # What some had before metav1 conditions.
        "lastUpdateTime": _STARTED,
        "observedGeneration": generation,
    }
    return condition if status == "True" else {**condition, "severity": severity}


def _summary(generation: int, ready: bool, reason: str, message: str, severity: str = "Info") -> list[dict[str, Any]]:
    """The conditions of a controller that is at work."""
    status = "True" if ready else "False"
    return [
        _condition("Ready", status, reason, message, severity, generation),
        _condition("Available", status, reason, message, severity, generation),
        _condition("Paused", "False", "NotPaused", "not paused", "Info", generation),
    ]


def _objects(version: Version, controller: Controller) -> Iterator[tuple[str, dict[str, Any]]]:
    live = _Live(version, controller)
    yield "created", live.snapshot()
    live.reconcile([])
    yield "generation-observed", live.snapshot()
    live.reconcile(_summary(live.generation, False, "InProgress", "still at work"))
    yield "in-progress", live.snapshot()
    live.reconcile(_summary(live.generation, True, "Succeeded", "all is well"))
    yield "ready", live.snapshot()
    deleted = live.copy()
    live.generation += 1
    yield "spec-changed", live.snapshot()
    live.reconcile(_summary(live.generation, False, "Failed", "cannot be done", "Error"))
    yield "failed", live.snapshot()
    paused = _Live(version, controller)
    paused.reconcile([_condition("Paused", "True", "Paused", "paused", "Info", paused.generation)], observes=False)
    yield "paused-from-creation", paused.snapshot()
    # The API server counts the request to delete as a change of what is wanted.
    deleted.generation += 1
    yield "deleting", deleted.snapshot(deleting=True)


def simulate(version: Version, consumers: Consumers | None = None, controller: Controller | None = None) -> Timeline:
    """The life of an object; by default with a controller that writes what the version declares."""
    consumers = consumers or Consumers()
    controller = controller or Controller(version)
    objects = _objects(version, controller)
    states = tuple(State(name, resource, consumers.judge(resource)) for name, resource in objects)
    return Timeline(version, controller, states)


def worse(before: Timeline, after: Timeline) -> list[str]:
    """Which consumers were right and are wrong, in words.

    Where the status subresource is off, each write of status is a generation that is never observed: to wait in a
    state that the controller wrote is then no answer, and once the writes arrive only the state before any counts.
    """
    is_off = before.version.has_status_subresource is False
    found = []
    for old, new in zip(before.states, after.states, strict=True):
        if is_off and after.controller.reaches(after.version) and old.name != "created":
            continue
        was_wrong = old.wrong()
        for (consumer, condition), how in new.wrong().items():
            if (consumer, condition) not in was_wrong:
                who = f"{consumer} for {condition}" if condition else consumer
                found.append(f"{after.version.name}: in the state {new.name}, {who} answers {_HOW[how]}")
    return found


def fix_makes_worse(before: Crd, after: Crd, writes: Collection[str] = ()) -> list[str]:
    """For which consumers a fix of the CRD made things worse, in words; none for a fix that is safe.

    The controllers are those of the CRD before: they write the fields that it declares, and what ``writes`` names.
    """
    old_versions = {version.name: version for version in before.judged_versions}
    found = []
    for version in after.judged_versions:
        old = old_versions.get(version.name)
        if old is not None:
            controller = Controller(old, frozenset(writes))
            found += worse(simulate(old, controller=controller), simulate(version, controller=controller))
    return found
