"""Which pauses are asked for, and which are acknowledged."""

from __future__ import annotations

from typing import Any

import pytest

from crdlint.consumers.paused import Paused, pause_of, paused_cluster

CAPI = "cluster.x-k8s.io/v1beta2"
PAUSED: dict[str, Any] = {"type": "Paused", "status": "True", "observedGeneration": 2}


def machine(status: Any = None, api_version: str = CAPI, kind: str = "Machine", **metadata: Any) -> dict[str, Any]:
    found = {
        "name": "m",
        "namespace": "ns",
        "generation": 2,
        "labels": {"cluster.x-k8s.io/cluster-name": "c"},
        **metadata,
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": found, "status": status}


def paused(resource: dict[str, Any], *clusters: tuple[str, str]) -> Paused:
    pause = pause_of(resource)
    assert pause is not None
    return pause.resolve(clusters.__contains__)


@pytest.mark.parametrize(
    "resource",
    [
        machine(api_version="v1", kind="Secret"),
        machine(api_version="apps/v1", kind="Deployment"),
        machine(api_version="networking.k8s.io/v1", kind="Ingress"),
        machine(kind="MachineTemplate"),
        machine(api_version="ipam.cluster.x-k8s.io/v1beta1", kind="IPAddress"),
        machine(api_version="example.com/v1", labels={}),
    ],
    ids=lambda resource: f"{resource['apiVersion']} {resource['kind']}",
)
def test_objects_that_are_not_paused(resource: dict[str, Any]) -> None:
    assert pause_of(resource) is None


def test_a_cluster_pauses_what_belongs_to_it() -> None:
    resource = machine({"conditions": [PAUSED]})
    assert paused(resource) == (False, True, "the Paused condition says that it is, though nothing here asks for it")
    assert paused(resource, ("ns", "c")).requested
    assert not paused(resource, ("other", "c")).requested
    assert not paused(machine(labels={}), ("ns", "c")).requested


def test_the_cluster_itself() -> None:
    cluster = machine(kind="Cluster") | {"spec": {"paused": True}}
    assert paused_cluster(cluster) == ("ns", "m")
    assert paused(cluster) == (True, False, "spec.paused, but there are no conditions")
    assert paused_cluster(cluster | {"spec": {"paused": False}}) is None
    assert paused_cluster(machine()) is None


def test_the_annotation_counts_whatever_its_value() -> None:
    resource = machine({"conditions": [PAUSED]}, annotations={"cluster.x-k8s.io/paused": "false"})
    asked = "the annotation cluster.x-k8s.io/paused"
    assert paused(resource) == (True, True, f"{asked}, and the Paused condition says that it is")


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (None, "there are no conditions"),
        ({"conditions": []}, "there is no condition Paused"),
        ({"conditions": [{**PAUSED, "status": "False"}]}, "the condition Paused is False"),
        (
            {"conditions": [{**PAUSED, "observedGeneration": 1}]},
            "observedGeneration 1 of the condition Paused is behind generation 2",
        ),
        (
            {"observedGeneration": -1, "conditions": [{"type": "Paused", "status": "True"}]},
            "observedGeneration -1 of status is behind generation 2",
        ),
    ],
)
def test_not_acknowledged(status: Any, why: str) -> None:
    assert paused(machine(status), ("ns", "c")) == (True, False, f"spec.paused of Cluster c, but {why}")


def test_the_list_of_the_transition_counts_too() -> None:
    old = [{"type": "Ready", "status": "True"}]
    assert paused(machine({"conditions": old, "v1beta2": {"conditions": [PAUSED]}})).acknowledged
    stale = {**PAUSED, "observedGeneration": 1}
    pause = paused(machine({"conditions": old, "v1beta2": {"conditions": [stale]}}), ("ns", "c"))
    assert pause.reason.endswith("observedGeneration 1 of the condition Paused is behind generation 2")
