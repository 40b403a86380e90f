"""Has a pause that somebody asked of the Cluster API been acknowledged? (cluster-api, util/paused, annotations)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from crdlint.consumers.kubectl_wait import ConditionWait, verdict
from crdlint.consumers.unstructured import group_and_kind

GROUP = "cluster.x-k8s.io"
ANNOTATION = "cluster.x-k8s.io/paused"
CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"
# Kinds of the Cluster API that nothing reconciles, or whose controllers do not look at pauses.
_NEVER_PAUSED = ("Template", "IPAddress", "Binding", "Identity")

ClusterKey = tuple[str, str]
"""Namespace and name of a Cluster."""


class Paused(NamedTuple):
    requested: bool
    acknowledged: bool
    reason: str


@dataclass(frozen=True)
class Pause:
    """What one object says about its pause; whether its Cluster is paused may be known later only."""

    requests: tuple[str, ...]
    acknowledged: bool
    missing: str
    """Why it is not acknowledged."""
    cluster: ClusterKey | None

    def resolve(self, is_paused: Callable[[ClusterKey], bool]) -> Paused:
        requests = list(self.requests)
        if self.cluster is not None and is_paused(self.cluster):
            requests.append(f"spec.paused of Cluster {self.cluster[1]}")
        asked = " and ".join(requests)
        if requests and self.acknowledged:
            reason = f"{asked}, and the Paused condition says that it is"
        elif requests:
            reason = f"{asked}, but {self.missing}"
        elif self.acknowledged:
            reason = "the Paused condition says that it is, though nothing here asks for it"
        else:
            reason = "nothing here asks for it"
        return Paused(bool(requests), self.acknowledged, reason)


def pause_of(resource: dict[str, Any]) -> Pause | None:
    """None for an object that the Cluster API does not pause."""
    group, kind = group_and_kind(resource)
    metadata = _mapping(resource.get("metadata"))
    labels, annotations = _mapping(metadata.get("labels")), _mapping(metadata.get("annotations"))
    is_own = group == GROUP or group.endswith(f".{GROUP}")
    is_others = (
        "." in group and not group.endswith(".k8s.io") and (CLUSTER_LABEL in labels or ANNOTATION in annotations)
    )
    if not (is_own or is_others) or kind.endswith(_NEVER_PAUSED):
        return None
    # Whatever the annotation's value is, it pauses.
    requests = [f"the annotation {ANNOTATION}"] if ANNOTATION in annotations else []
    cluster = None
    if group == GROUP and kind == "Cluster":
        requests += ["spec.paused"] if _mapping(resource.get("spec")).get("paused") is True else []
    elif isinstance(labels.get(CLUSTER_LABEL), str):
        cluster = (_text(metadata.get("namespace")), labels[CLUSTER_LABEL])
    acknowledged, missing = _acknowledged(resource)
    return Pause(tuple(requests), acknowledged, missing, cluster)


def paused_cluster(resource: dict[str, Any]) -> ClusterKey | None:
    """The key of a Cluster with ``spec.paused``; None for every other object."""
    if group_and_kind(resource) != (GROUP, "Cluster") or _mapping(resource.get("spec")).get("paused") is not True:
        return None
    metadata = _mapping(resource.get("metadata"))
    return _text(metadata.get("namespace")), _text(metadata.get("name"))


def _acknowledged(resource: dict[str, Any]) -> tuple[bool, str]:
    """A Paused condition, True for this generation, in either of the two lists of the Cluster API's transition."""
    status = _mapping(resource.get("status"))
    transitional = _mapping(status.get("v1beta2")).get("conditions")
    lists = [conditions for conditions in (status.get("conditions"), transitional) if isinstance(conditions, list)]
    missing = ""
    for conditions in lists:
        answer = verdict(ConditionWait("Paused").check, {**resource, "status": {**status, "conditions": conditions}})
        if answer.met:
            return True, ""
        if not missing or any(isinstance(item, dict) and item.get("type") == "Paused" for item in conditions):
            missing = answer.message
    return False, missing or "there are no conditions"


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
