"""``crdlint status --for paused`` on what kubectl reads from a real server, as a script that waits for a pause has it.

The controllers are played by the test, by the rules of Cluster API's helper (util/paused).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import crdlint
from tests.e2e.crds import INTEGER, METAV1, NOT_OBSERVED, crd, status_schema, version
from tests.e2e.objects import condition
from tests.upstream.controlplane.api_client import CRDS, ApiClient, ApiError, Json, Resource, wait_until
from tests.upstream.controlplane.cluster import Cluster

GROUP = "cluster.x-k8s.io"
LABEL = f"{GROUP}/cluster-name"
ANNOTATION = f"{GROUP}/paused"
CLUSTER, CONTROL_PLANE, MACHINE = "Cluster", "FooControlPlane", "FooMachine"
GROUPS = {CLUSTER: GROUP, CONTROL_PLANE: f"controlplane.{GROUP}", MACHINE: f"infrastructure.{GROUP}"}
STATUS = status_schema({"observedGeneration": INTEGER, "conditions": METAV1}, default=NOT_OBSERVED)
FIELDS: Json = {
    "paused": {"type": "boolean"},
    "size": {"type": "integer"},
    "controlPlaneRef": {"type": "object", "additionalProperties": {"type": "string"}},
}


def crd_of(kind: str) -> Json:
    made = crd(version(STATUS, name="v1beta2"))
    plural, group = f"{kind.lower()}s", GROUPS[kind]
    names = {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()}
    made["metadata"]["name"] = f"{plural}.{group}"
    made["spec"] |= {"group": group, "names": names}
    fields = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
    fields["spec"]["properties"] = FIELDS
    return made


def remove(api: ApiClient, name: str) -> None:
    """Another test may have made a CRD of this name."""
    try:
        api.delete(f"{CRDS}/{name}")
    except ApiError as error:
        if error.code != 404:
            raise
    wait_until(lambda: _is_gone(api, name), f"{name} deleted")


def _is_gone(api: ApiClient, name: str) -> bool:
    try:
        api.get(f"{CRDS}/{name}")
    except ApiError as error:
        return error.code == 404
    return False


@dataclass(frozen=True)
class Clusters:
    """Objects of Clusters on the server, and their controllers."""

    cluster: Cluster
    resources: dict[str, Resource]
    folder: Path

    @property
    def api(self) -> ApiClient:
        return self.cluster.api

    def clear(self) -> None:
        for resource in self.resources.values():
            for found in self.api.get(resource.collection)["items"]:
                self.api.delete(resource.path(found["metadata"]["name"]))

    def create(self, kind: str, name: str, of: str | None = None, **spec: Any) -> None:
        resource = self.resources[kind]
        made = resource.new(name, spec=spec)
        if of is not None:
            made["metadata"]["labels"] = {LABEL: of}
        self.api.create(resource.collection, made)

    def patch(self, kind: str, name: str, **parts: Any) -> None:
        self.api.patch(self.resources[kind].path(name), parts)

    def annotate(self, kind: str, name: str) -> None:
        self.patch(kind, name, metadata={"annotations": {ANNOTATION: "true"}})

    def reconcile(self, kind: str, name: str) -> None:
        """What a controller writes of a pause, before it does or leaves anything else."""
        path = self.resources[kind].path(name)
        found = self.api.get(path)
        owner = found["metadata"].get("labels", {}).get(LABEL, name)
        cluster = self.api.get(self.resources[CLUSTER].path(owner))
        paused = cluster["spec"].get("paused") is True or ANNOTATION in found["metadata"].get("annotations", {})
        status, reason = ("True", "Paused") if paused else ("False", "NotPaused")
        written = condition("Paused", status, reason, observedGeneration=found["metadata"]["generation"])
        self.api.patch(f"{path}/status", {"status": {"conditions": [written]}})

    def reconcile_all(self) -> None:
        for kind in self.resources:
            for found in self.api.get(self.resources[kind].collection)["items"]:
                self.reconcile(kind, found["metadata"]["name"])

    def ask(self, *what: str) -> tuple[int, list[str]]:
        """The exit code, and which objects keep it from being 0."""
        kinds = ",".join(f"{resource.plural}.{resource.group}" for resource in self.resources.values())
        read = self.cluster.kubectl("get", *(what or (kinds,)), "-o", "json")
        done = crdlint(self.folder, "status", "--for", "paused", "-", stdin=read.stdout.encode())
        lines = done.stdout.decode().splitlines()
        return done.returncode, [line.split()[2].partition("/")[2] for line in lines if line.startswith("✗")]


@pytest.fixture(scope="module")
def resources(cluster: Cluster) -> Iterator[dict[str, Resource]]:
    made = {kind: crd_of(kind) for kind in GROUPS}
    for served in made.values():
        remove(cluster.api, served["metadata"]["name"])
    found = {kind: cluster.api.apply_crd(served) for kind, served in made.items()}
    for resource in found.values():
        cluster.api.wait_until_discovered(resource)
    yield found
    for served in made.values():
        remove(cluster.api, served["metadata"]["name"])


@pytest.fixture
def clusters(cluster: Cluster, resources: dict[str, Resource], tmp_path: Path) -> Iterator[Clusters]:
    made = Clusters(cluster, resources, tmp_path)
    yield made
    made.clear()


def make(clusters: Clusters, name: str = "c", *, labelled: bool = True, **spec: Any) -> None:
    """A Cluster with a control plane and a machine; without its label, only the Cluster says that the first is its."""
    reference = {"apiGroup": GROUPS[CONTROL_PLANE], "kind": CONTROL_PLANE, "name": f"{name}-control"}
    clusters.create(CLUSTER, name, controlPlaneRef=reference, **spec)
    clusters.create(CONTROL_PLANE, f"{name}-control", of=name if labelled else None)
    clusters.create(MACHINE, f"{name}-machine", of=name, size=1)


def test_paused_from_birth(clusters: Clusters) -> None:
    make(clusters, labelled=False, paused=True)
    assert clusters.ask() == (1, ["c", "c-control", "c-machine"])
    clusters.reconcile(CLUSTER, "c")
    assert clusters.ask() == (1, ["c-control", "c-machine"])
    clusters.patch(CONTROL_PLANE, "c-control", metadata={"labels": {LABEL: "c"}})
    clusters.reconcile_all()
    # Status-level observedGeneration is still at -1: no controller that pauses moves it.
    found = clusters.api.get(clusters.resources[MACHINE].path("c-machine"))
    assert found["status"]["observedGeneration"] == -1
    assert clusters.ask() == (0, [])
    waited = clusters.cluster.kubectl(
        "wait", f"foomachines.{GROUPS[MACHINE]}/c-machine", "--for=condition=Paused", "--timeout=0"
    )
    assert waited.returncode == 0


def test_paused_later(clusters: Clusters) -> None:
    make(clusters)
    clusters.reconcile_all()
    assert clusters.ask() == (1, ["c", "c-control", "c-machine"])
    clusters.patch(CLUSTER, "c", spec={"paused": True})
    assert clusters.ask() == (1, ["c", "c-control", "c-machine"])
    clusters.reconcile_all()
    assert clusters.ask() == (0, [])


def test_a_stale_acknowledgement(clusters: Clusters) -> None:
    make(clusters, paused=True)
    clusters.reconcile_all()
    clusters.patch(MACHINE, "c-machine", spec={"size": 2})
    assert clusters.ask() == (1, ["c-machine"])
    clusters.reconcile(MACHINE, "c-machine")
    assert clusters.ask() == (0, [])


def test_unpaused(clusters: Clusters) -> None:
    make(clusters, paused=True)
    clusters.reconcile_all()
    clusters.patch(CLUSTER, "c", spec={"paused": False})
    # Their generation is the old one, and their condition still says that they are paused: they are about to go on.
    assert clusters.ask() == (1, ["c", "c-control", "c-machine"])
    clusters.reconcile_all()
    assert clusters.ask() == (1, ["c", "c-control", "c-machine"])


def test_the_annotation_pauses_one_object(clusters: Clusters) -> None:
    make(clusters)
    clusters.annotate(MACHINE, "c-machine")
    clusters.reconcile(CLUSTER, "c")
    assert clusters.ask() == (1, ["c", "c-control", "c-machine"])
    clusters.reconcile(MACHINE, "c-machine")
    assert clusters.ask() == (1, ["c", "c-control"])
    assert clusters.ask(f"foomachines.{GROUPS[MACHINE]}") == (0, [])


@pytest.mark.parametrize("kind", [CLUSTER, CONTROL_PLANE])
def test_the_annotation_pauses_nothing_below(clusters: Clusters, kind: str) -> None:
    make(clusters)
    owner = clusters.api.get(clusters.resources[CONTROL_PLANE].path("c-control"))
    reference = {"apiVersion": owner["apiVersion"], "kind": CONTROL_PLANE, "name": "c-control"}
    clusters.patch(MACHINE, "c-machine", metadata={"ownerReferences": [{**reference, "uid": owner["metadata"]["uid"]}]})
    clusters.annotate(kind, "c" if kind == CLUSTER else "c-control")
    clusters.reconcile_all()
    below = {CLUSTER: ["c-control", "c-machine"], CONTROL_PLANE: ["c", "c-machine"]}
    assert clusters.ask() == (1, below[kind])


def test_two_clusters(clusters: Clusters) -> None:
    make(clusters, "a", paused=True)
    make(clusters, "b")
    clusters.reconcile_all()
    assert clusters.ask() == (1, ["b", "b-control", "b-machine"])
    clusters.patch(CLUSTER, "b", spec={"paused": True})
    clusters.reconcile_all()
    assert clusters.ask() == (0, [])


def test_a_selector_that_finds_nothing(clusters: Clusters) -> None:
    make(clusters, paused=True)
    assert clusters.ask(f"foomachines.{GROUPS[MACHINE]}", "--selector=none=there") == (1, [])


def test_a_kubectl_that_fails(clusters: Clusters, tmp_path: Path) -> None:
    failed = clusters.cluster.kubectl("get", "nothing.example.com", "-o", "json")
    assert failed.returncode != 0
    done = crdlint(tmp_path, "status", "--for", "paused", stdin=failed.stdout.encode())
    assert done.returncode == 1
    assert b"standard input is empty" in done.stderr
