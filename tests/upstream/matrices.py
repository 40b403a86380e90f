"""Generated objects: all built-in kinds and custom ones, with fields of right and wrong types."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

ABSENT = object()
SEED = 5

_NUMBERS = (ABSENT, 0, 1, 1, 2, 2, 3, 5)
_ODD: tuple[Any, ...] = (None, "x", 1.5, True, [], {}, -1, 2**70)
_STATUSES = ("True", "True", "False", "Unknown", "", "true")
_GENERIC_TYPES = ("Ready", "Ready", "Reconciling", "Stalled", "Available", "Paused")

# By apiVersion and kind: conditions, their reasons, and fields with the values that they take.
KINDS: dict[tuple[str, str], dict[str, Any]] = {
    ("example.com/v1", "Widget"): {"conditions": _GENERIC_TYPES},
    ("cluster.x-k8s.io/v1beta1", "Machine"): {
        "conditions": _GENERIC_TYPES,
        "status.phase": ("Running", "Failed", ABSENT),
    },
    ("v1", "Secret"): {},
    ("v1", "ConfigMap"): {},
    ("batch/v1", "CronJob"): {},
    ("policy/v1", "PodDisruptionBudget"): {"conditions": ("DisruptionAllowed",)},
    ("v1", "Service"): {
        "spec.type": ("LoadBalancer", "LoadBalancer", "ClusterIP", ABSENT, 1),
        "spec.clusterIP": ("", "10.0.0.1", ABSENT, None),
    },
    ("v1", "PersistentVolumeClaim"): {"status.phase": ("Bound", "Pending", ABSENT, "", 3)},
    ("v1", "Pod"): {
        "conditions": ("Ready", "PodScheduled", "Initialized"),
        "reasons": ("Unschedulable", "Other", ""),
        "status.phase": ("Succeeded", "Failed", "Running", "Running", "Pending", "Pending", "", ABSENT, "Odd", 7),
        "status.containerStatuses": (
            ABSENT,
            ABSENT,
            None,
            [],
            "x",
            [None],
            [{"name": "a", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}],
            [{"name": "a", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}] * 2,
            [{"name": "a", "state": {"waiting": {"reason": "Pulling"}}}, {"name": "b", "state": {"running": {}}}],
            [{"state": {"waiting": {"reason": "CrashLoopBackOff"}}}],
            [{"name": 1}],
            [{"name": "a", "state": None}],
            [{"name": "a", "state": {"waiting": {"reason": 4}}}],
            [{"name": "a"}, {"name": "b", "state": {"waiting": {}}}],
        ),
    },
    ("apps/v1", "Deployment"): {
        "conditions": ("Progressing", "Progressing", "Available", "Available", "ReplicaFailure"),
        "reasons": ("NewReplicaSetAvailable", "NewReplicaSetAvailable", "ProgressDeadlineExceeded", ""),
        "spec.replicas": _NUMBERS,
        "spec.progressDeadlineSeconds": (ABSENT, 600, 2**31 - 1),
        "status.replicas": _NUMBERS,
        "status.updatedReplicas": _NUMBERS,
        "status.readyReplicas": _NUMBERS,
        "status.availableReplicas": _NUMBERS,
    },
    ("apps/v1", "ReplicaSet"): {
        "conditions": ("ReplicaFailure", "Other"),
        "spec.replicas": _NUMBERS,
        "status.replicas": _NUMBERS,
        "status.readyReplicas": _NUMBERS,
        "status.availableReplicas": _NUMBERS,
        "status.fullyLabeledReplicas": _NUMBERS,
    },
    ("apps/v1", "StatefulSet"): {
        "spec.updateStrategy": (
            ABSENT,
            ABSENT,
            {"type": "OnDelete"},
            {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}},
            {"rollingUpdate": {"partition": 0}},
            {"rollingUpdate": "x"},
        ),
        "spec.replicas": _NUMBERS,
        "status.replicas": _NUMBERS,
        "status.readyReplicas": _NUMBERS,
        "status.currentReplicas": _NUMBERS,
        "status.updatedReplicas": _NUMBERS,
        "status.currentRevision": (ABSENT, "a", "b"),
        "status.updateRevision": (ABSENT, "a", "b"),
    },
    ("apps/v1", "DaemonSet"): {
        "status.desiredNumberScheduled": _NUMBERS,
        "status.currentNumberScheduled": _NUMBERS,
        "status.updatedNumberScheduled": _NUMBERS,
        "status.numberAvailable": _NUMBERS,
        "status.numberReady": _NUMBERS,
    },
    ("batch/v1", "Job"): {
        "conditions": ("Complete", "Failed", "Suspended"),
        "spec.parallelism": _NUMBERS,
        "spec.completions": _NUMBERS,
        "spec.suspend": (ABSENT, True, False),
        "status.succeeded": _NUMBERS,
        "status.active": _NUMBERS,
        "status.failed": _NUMBERS,
        "status.startTime": (ABSENT, "2024-01-01T00:00:00Z", ""),
    },
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"): {
        "conditions": ("NamesAccepted", "Established", "Established", "Terminating"),
        "reasons": ("Installing", "NoConflicts", "InitialNamesAccepted"),
    },
}
KINDS |= {("extensions/v1beta1", kind): KINDS["apps/v1", kind] for kind in ("Deployment", "ReplicaSet", "DaemonSet")}
# Names like those of built-in kinds, in other groups or in versions that cannot be read.
KINDS |= {
    (version, kind): {"conditions": _GENERIC_TYPES, "status.phase": ("Running", ABSENT)}
    for version, kind in (
        ("serving.knative.dev/v1", "Service"),
        ("a/b/c", "Pod"),
        ("/v1", "Pod"),
        ("apps/", "Deployment"),
    )
}


def objects(each: int) -> Iterator[dict[str, Any]]:
    """So many objects of each kind, always the same."""
    chance = random.Random(SEED)
    for (version, kind), fields in KINDS.items():
        for _ in range(each):
            yield _object(chance, version, kind, fields)


def _object(chance: random.Random, version: str, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"apiVersion": version, "kind": kind, "metadata": _metadata(chance)}
    for path, values in fields.items():
        if "." in path:
            _put(found, path, chance.choice(_ODD) if chance.random() < 0.02 else chance.choice(values))
    _put(found, "status.observedGeneration", _observed(chance))
    types = fields.get("conditions", ("Ready",))
    if chance.random() < 0.85:
        _put(found, "status.conditions", _conditions(chance, types, fields.get("reasons", ("Why", ""))))
    if chance.random() < 0.04:
        found[chance.choice(("status", "spec", "metadata", "kind"))] = chance.choice(_ODD)
    return found


def _metadata(chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {"name": "x"}
    _put(found, "generation", chance.choice(_ODD) if chance.random() < 0.03 else chance.choice((ABSENT, 1, 1, 2, 2)))
    created = ("2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z", ABSENT, "soon", "2999-01-01T00:00:00+02:00")
    _put(found, "creationTimestamp", chance.choice(created))
    if chance.random() < 0.06:
        found["deletionTimestamp"] = chance.choice(("2024-01-01T00:00:00Z", "", None, 5, "never"))
    return found


def _observed(chance: random.Random) -> Any:
    if chance.random() < 0.04:
        return chance.choice(_ODD)
    return chance.choice((ABSENT, ABSENT, 1, 1, 2, 2, -1, 0))


def _conditions(chance: random.Random, types: tuple[str, ...], reasons: tuple[str, ...]) -> Any:
    if chance.random() < 0.05:
        return chance.choice((None, "x", {}, {"Ready": "True"}, [None], ["x"], [[]], 3))
    return [_condition(chance, types, reasons) for _ in range(chance.randrange(4))]


def _condition(chance: random.Random, types: tuple[str, ...], reasons: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": chance.choice((*types, *_GENERIC_TYPES) if chance.random() < 0.15 else types),
        "status": chance.choice(_STATUSES),
        "reason": chance.choice(reasons),
        "message": chance.choice(("all is well", "", "not yet: ünïcode")),
    }
    _put(found, "observedGeneration", _observed(chance) if chance.random() < 0.5 else ABSENT)
    if chance.random() < 0.08:
        found[chance.choice(tuple(found))] = chance.choice(_ODD)
    if chance.random() < 0.08:
        del found[chance.choice(tuple(found))]
    return found


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    if value is ABSENT:
        return
    for part in above:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        data = inner
    data[last] = value
