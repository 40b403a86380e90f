"""Which Cluster of Cluster API an object belongs to, by what the objects of one input say.

Controllers go by the label or by the owner (cluster-api, util: GetClusterFromMetadata, GetOwnerCluster), the core ones
by ``spec.clusterName``. An object that nobody has labelled yet is still known by the Cluster that refers to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from crdlint.consumers.unstructured import group_and_kind
from crdlint.crd.clusterapi import DOMAIN, is_in_domain
from crdlint.crd.model import mapping

_KIND = "Cluster"
_LABEL = f"{DOMAIN}/cluster-name"
_REFERENCES = ("infrastructureRef", "controlPlaneRef")

ClusterKey = tuple[str, str]
"""Namespace and name of a Cluster."""


class ObjectKey(NamedTuple):
    """What tells an object from all others; its version does not."""

    group: str
    kind: str
    namespace: str
    name: str

    @property
    def is_cluster(self) -> bool:
        return (self.group, self.kind) == (DOMAIN, _KIND)

    @property
    def cluster(self) -> ClusterKey:
        """Its key as a Cluster."""
        return self.namespace, self.name


class Members:
    """What the objects of one input say of the Cluster that they belong to."""

    def __init__(self) -> None:
        self._stated: dict[ObjectKey, ClusterKey] = {}
        self._referred: dict[ObjectKey, ClusterKey] = {}
        self._owners: dict[ObjectKey, list[ObjectKey]] = {}
        # What `cluster_of` answers, until another object is added.
        self._known: dict[ObjectKey, ClusterKey] | None = None

    def add(self, resource: dict[str, Any]) -> ObjectKey:
        key = key_of(resource)
        owners = list(_owners(resource, key.namespace))
        self._owners[key] = owners
        self._known = None
        if key.is_cluster:
            self._stated[key] = key.cluster
            self._referred |= dict.fromkeys(_referred(resource, key.namespace), key.cluster)
            return key
        names = [mapping(mapping(resource.get("metadata")).get("labels")).get(_LABEL)]
        if is_in_domain(key.group):
            # Elsewhere a field of this name speaks of other clusters.
            names.append(_spec(resource).get("clusterName"))
        clusters = [(key.namespace, name) for name in names if isinstance(name, str) and name]
        clusters += [owner.cluster for owner in owners if owner.is_cluster]
        if clusters:
            self._stated[key] = clusters[0]
        return key

    def stated(self, key: ObjectKey) -> ClusterKey | None:
        """The Cluster that the object itself names, or that refers to it."""
        return self._stated.get(key, self._referred.get(key))

    def cluster_of(self, key: ObjectKey) -> ClusterKey | None:
        """That Cluster, or else the one of the nearest owner, however far up."""
        if self._known is None:
            self._known = self._passed_down()
        return self._known.get(key)

    def _passed_down(self) -> dict[ObjectKey, ClusterKey]:
        """The Cluster of each object, found from the owners down: each object is reached once, whoever owns whom."""
        owned: dict[ObjectKey, list[ObjectKey]] = {}
        for key, owners in self._owners.items():
            for owner in owners:
                owned.setdefault(owner, []).append(key)
        known = self._referred | self._stated
        reached = list(known)
        while reached:
            below = {key for owner in reached for key in owned.get(owner, ()) if key not in known}
            # All known owners are equally near here, and the first counts.
            passed = {key: next(known[owner] for owner in self._owners[key] if owner in known) for key in below}
            known |= passed
            reached = list(passed)
        return known


def key_of(resource: dict[str, Any]) -> ObjectKey:
    metadata = mapping(resource.get("metadata"))
    return ObjectKey(*group_and_kind(resource), text(metadata.get("namespace")), text(metadata.get("name")))


def _owners(resource: dict[str, Any], namespace: str) -> Iterator[ObjectKey]:
    """The owners: they stand in the namespace of the object."""
    references = mapping(resource.get("metadata")).get("ownerReferences")
    for reference in references if isinstance(references, list) else []:
        if isinstance(reference, dict):
            yield ObjectKey(*group_and_kind(reference), namespace, text(reference.get("name")))


def _referred(cluster: dict[str, Any], namespace: str) -> Iterator[ObjectKey]:
    """What a Cluster refers to: with ``apiVersion`` and a namespace in v1beta1, with ``apiGroup`` since."""
    for name in _REFERENCES:
        reference = mapping(_spec(cluster).get(name))
        if reference:
            group, kind = group_and_kind(reference)
            group = text(reference.get("apiGroup")) or group
            kind = kind or text(reference.get("kind"))
            yield ObjectKey(group, kind, text(reference.get("namespace")) or namespace, text(reference.get("name")))


def _spec(resource: dict[str, Any]) -> dict[str, Any]:
    return mapping(resource.get("spec"))


def text(value: Any) -> str:
    return value if isinstance(value, str) else ""
