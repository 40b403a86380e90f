"""Has a pause that somebody asked of Cluster API been acknowledged? (cluster-api, util/paused, util/annotations).

A controller pauses an object where ``spec.paused`` of its Cluster is true, or where the object has the annotation: that
of an owner, or of the Cluster, pauses nothing below it. It says so in the condition Paused of the object.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from crdlint.consumers.clusters import ClusterKey, Members, ObjectKey
from crdlint.consumers.kubectl_wait import ConditionWait, verdict
from crdlint.crd.clusterapi import NEVER_PAUSED, is_in_domain
from crdlint.crd.model import mapping

ANNOTATION = "cluster.x-k8s.io/paused"
CONDITION = "Paused"
# Kinds that the contracts know also in groups of others.
_CONTRACT_KINDS = ("Cluster", "Machine", "MachinePool", "Config", "ControlPlane")


class Paused(NamedTuple):
    """The answer as the ``crdlint-status/v1`` format has it."""

    requested: bool
    acknowledged: bool
    reason: str


class Standing(str, Enum):
    """Is an object paused, by all that is known here?"""

    PAUSED = "Paused"
    NOT_PAUSED = "not paused"
    # It belongs to no Cluster and nothing asks for its pause, or it is no object that is ever paused.
    ASIDE = "-"


@dataclass(frozen=True)
class Pause:
    """What one object says about its pause; what its Cluster says may be known later only."""

    key: ObjectKey
    requests: tuple[str, ...]
    acknowledged: bool
    # Why it is not acknowledged.
    missing: str
    # Does its controller speak of pauses at all?
    has_condition: bool

    @property
    def is_of_the_cluster_api(self) -> bool:
        return is_in_domain(self.key.group)

    @property
    def may_be_paused(self) -> bool:
        """Kubernetes' own groups have no domain, or end in ``.k8s.io``."""
        group, kind = self.key.group, self.key.kind
        if kind.endswith(NEVER_PAUSED):
            return False
        return self.is_of_the_cluster_api or ("." in group and not group.endswith(".k8s.io"))


class Pauses:
    """The pauses of the objects of one input."""

    def __init__(self) -> None:
        self._members = Members()
        # Each Cluster that was seen, and whether it asks for the pause of its objects.
        self._clusters: dict[ClusterKey, bool] = {}

    def add(self, resource: dict[str, Any]) -> Pause:
        key = self._members.add(resource)
        requests = []
        # Whatever the annotation's value is, it pauses.
        if ANNOTATION in mapping(mapping(resource.get("metadata")).get("annotations")):
            requests.append(f"the annotation {ANNOTATION}")
        if key.is_cluster:
            self._clusters[key.cluster] = mapping(resource.get("spec")).get("paused") is True
        return Pause(key, tuple(requests), *_acknowledged(resource))

    def judge(self, pause: Pause) -> tuple[Standing, Paused | None]:
        """The answer for an object, once all have been added; None for one that Cluster API does not pause."""
        cluster = self._cluster_of(pause)
        if not self._concerns(pause, cluster):
            return Standing.ASIDE, None
        requests = list(pause.requests)
        if cluster is not None and self._clusters.get(cluster):
            requests.append("spec.paused" if pause.key.is_cluster else f"spec.paused of Cluster {cluster[1]}")
        if requests:
            standing = Standing.PAUSED if pause.acknowledged else Standing.NOT_PAUSED
            how = "and the Paused condition says that it is" if pause.acknowledged else f"but {pause.missing}"
            return standing, Paused(True, pause.acknowledged, f"{' and '.join(requests)}, {how}")
        standing, reason = self._without_request(pause, cluster)
        return standing, Paused(False, pause.acknowledged, reason)

    def _cluster_of(self, pause: Pause) -> ClusterKey | None:
        """What belongs to another project is not paused for an owner's sake: only what it says itself counts."""
        return self._members.cluster_of(pause.key) if pause.is_of_the_cluster_api else self._members.stated(pause.key)

    def _concerns(self, pause: Pause, cluster: ClusterKey | None) -> bool:
        if not pause.may_be_paused or pause.is_of_the_cluster_api:
            return pause.may_be_paused
        takes_part = pause.has_condition or pause.key.kind.endswith(_CONTRACT_KINDS)
        return bool(pause.requests) or (cluster is not None and takes_part)

    def _without_request(self, pause: Pause, cluster: ClusterKey | None) -> tuple[Standing, str]:
        """An object for whose pause nothing here asks."""
        if cluster is None:
            return Standing.ASIDE, "it belongs to no Cluster, and nothing asks for its pause"
        if cluster in self._clusters:
            whose = "spec.paused is not set" if pause.key.is_cluster else f"Cluster {cluster[1]} is not paused"
            left = ", though the Paused condition still says that it is" if pause.acknowledged else ""
            return Standing.NOT_PAUSED, f"{whose}, and nothing else asks for it{left}"
        unknown = f"its Cluster {cluster[1]} is not among these objects"
        if pause.acknowledged:
            return Standing.PAUSED, f"the Paused condition says that it is; {unknown}"
        return Standing.NOT_PAUSED, f"{unknown}, and {pause.missing}"


def _acknowledged(resource: dict[str, Any]) -> tuple[bool, str, bool]:
    """A Paused condition, True for this generation, in either of the two lists of Cluster API's transition."""
    status = mapping(resource.get("status"))
    transitional = mapping(status.get("v1beta2")).get("conditions")
    lists = [conditions for conditions in (status.get("conditions"), transitional) if isinstance(conditions, list)]
    missing, has_condition = "there are no conditions, in which its controller could say so", False
    for conditions in lists:
        answer = verdict(ConditionWait(CONDITION).check, {**resource, "status": {**status, "conditions": conditions}})
        if answer.met:
            return True, "", True
        if any(isinstance(item, dict) and item.get("type") == CONDITION for item in conditions):
            missing, has_condition = answer.message, True
        elif not has_condition:
            missing = "there is no condition Paused, in which its controller would say so"
    return False, missing, has_condition
