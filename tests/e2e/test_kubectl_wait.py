"""What `kubectl wait` does with the generations, on a real server."""

from __future__ import annotations

import pytest

from crdlint.consumers.kubectl_wait import wait_for
from tests.e2e.crds import INTEGER, METAV1, METAV1_ITEM, NOT_OBSERVED, crd, status_schema, version, without
from tests.e2e.objects import condition, create, resize, write_status
from tests.upstream.controlplane.api_client import Json, Resource
from tests.upstream.controlplane.cluster import Cluster

DEFAULTED = status_schema(
    {"observedGeneration": INTEGER, "phase": {"type": "string"}, "conditions": METAV1}, default=NOT_OBSERVED
)
BARE: Json = {**METAV1, "items": without(METAV1_ITEM, "observedGeneration")}
READY = condition("Ready")
NOW = "0"


@pytest.fixture
def resource(cluster: Cluster) -> Resource:
    return served(cluster, crd(version(DEFAULTED)))


def served(cluster: Cluster, made: Json) -> Resource:
    resource = cluster.api.apply_crd(made)
    cluster.api.wait_until_discovered(resource)
    create(cluster.api, resource)
    return resource


def wait(cluster: Cluster, resource: Resource, *wanted: str, timeout: str = NOW, name: str = "one") -> tuple[bool, str]:
    """Was it met, and what did kubectl print? One look at the object answers the same."""
    flags = [f"--for={item}" for item in wanted]
    done = cluster.kubectl("wait", f"{resource.plural}.{resource.group}/{name}", *flags, f"--timeout={timeout}")
    assert (done.returncode == 0) == all(is_met(cluster, resource, name, item) for item in wanted)
    return done.returncode == 0, done.stderr


def is_met(cluster: Cluster, resource: Resource, name: str, wanted: str) -> bool:
    return wait_for(wanted)(cluster.api.get(resource.path(name))).met


def test_a_condition_without_its_own_generation_falls_back_to_the_default(cluster: Cluster, resource: Resource) -> None:
    write_status(cluster.api, resource, {"conditions": [READY]})
    met, complaint = wait(cluster, resource, "condition=Ready", timeout="1s")
    assert (met, complaint) == (False, "error: timed out waiting for the condition on widgets/one\n")
    assert wait(cluster, resource, "condition=Ready") == (False, "error: condition not met for widgets/one\n")

    write_status(cluster.api, resource, {"conditions": [{**READY, "observedGeneration": 1}]})
    assert wait(cluster, resource, "condition=Ready", timeout="30s") == (True, "")


def test_a_paused_object_is_never_seen_as_paused_where_conditions_have_no_generation(cluster: Cluster) -> None:
    status = {**DEFAULTED, "properties": {**DEFAULTED["properties"], "conditions": BARE}}
    resource = served(cluster, crd(version(status)))
    write_status(cluster.api, resource, {"conditions": [condition("Paused", observedGeneration=1)]})
    assert not wait(cluster, resource, "condition=Paused")[0]
    write_status(cluster.api, resource, {"observedGeneration": 1})
    assert wait(cluster, resource, "condition=Paused")[0]


def test_a_condition_of_an_older_generation_does_not_count(cluster: Cluster, resource: Resource) -> None:
    seen = {"observedGeneration": 1, "conditions": [{**READY, "observedGeneration": 1}]}
    write_status(cluster.api, resource, seen)
    assert wait(cluster, resource, "condition=Ready")[0]
    resize(cluster.api, resource, 2)
    assert not wait(cluster, resource, "condition=Ready")[0]
    write_status(cluster.api, resource, {"observedGeneration": 2})
    assert not wait(cluster, resource, "condition=Ready")[0]
    write_status(cluster.api, resource, {"conditions": [{**READY, "observedGeneration": 0}]})
    assert not wait(cluster, resource, "condition=Ready")[0]


def test_without_any_generation_a_stale_condition_counts(cluster: Cluster) -> None:
    resource = served(cluster, crd(version(status_schema({"conditions": BARE}))))
    write_status(cluster.api, resource, {"conditions": [READY]})
    resize(cluster.api, resource, 2)
    assert wait(cluster, resource, "condition=Ready")[0]


def test_names_and_values_are_compared_without_case(cluster: Cluster, resource: Resource) -> None:
    write_status(cluster.api, resource, {"conditions": [condition("Ready", "False", observedGeneration=1)]})
    assert wait(cluster, resource, "condition=READY=fAlSe")[0]
    assert not wait(cluster, resource, "condition=ready")[0]


def test_the_first_of_two_conditions_of_a_type_decides(cluster: Cluster) -> None:
    atomic = {"type": "array", "items": METAV1_ITEM}
    resource = served(cluster, crd(version(status_schema({"conditions": atomic}))))
    write_status(cluster.api, resource, {"conditions": [condition("Ready", "False"), READY]})
    assert not wait(cluster, resource, "condition=Ready")[0]
    assert wait(cluster, resource, "condition=Ready=False")[0]


def test_all_of_several_must_hold(cluster: Cluster, resource: Resource) -> None:
    conditions = [{**READY, "observedGeneration": 1}, condition("Synced", "False", observedGeneration=1)]
    write_status(cluster.api, resource, {"conditions": conditions})
    assert not wait(cluster, resource, "condition=Synced", "condition=Ready")[0]
    assert not wait(cluster, resource, "condition=Ready", "condition=Synced")[0]
    assert wait(cluster, resource, "condition=Ready", "condition=Synced=False")[0]


def test_a_path_is_met_whatever_the_generation(cluster: Cluster, resource: Resource) -> None:
    assert not wait(cluster, resource, "jsonpath={.status.phase}=Running")[0]
    assert not wait(cluster, resource, "jsonpath={.status.phase}")[0]
    write_status(cluster.api, resource, {"phase": "Running"})
    assert wait(cluster, resource, "jsonpath={.status.phase}=Running")[0]
    assert wait(cluster, resource, "jsonpath={.status.phase}")[0]
    assert wait(cluster, resource, "jsonpath={.status.observedGeneration}=-1")[0]


def test_an_object_that_is_not_there_is_an_error_at_once(cluster: Cluster, resource: Resource) -> None:
    kind = f"{resource.plural}.{resource.group}"
    done = cluster.kubectl("wait", f"{kind}/missing", "--for=condition=Ready", "--timeout=30s")
    assert (done.returncode, "not found" in done.stderr) == (1, True)
    done = cluster.kubectl("wait", kind, "--selector=none=there", "--for=condition=Ready", "--timeout=30s")
    assert (done.returncode, done.stderr) == (1, "error: no matching resources found\n")
    done = cluster.kubectl("wait", f"{kind}/missing", "--for=delete", "--timeout=30s")
    assert done.returncode == 0


def test_without_the_subresource_no_wait_is_ever_over(cluster: Cluster) -> None:
    status = {**DEFAULTED, "properties": {**DEFAULTED["properties"], "conditions": BARE}}
    resource = served(cluster, crd(version(status, subresource=False)))
    for generation in (1, 2, 3):
        written = {"observedGeneration": generation, "conditions": [condition("Ready", reason=f"At{generation}")]}
        cluster.api.patch(resource.path("one"), {"status": written})
        assert not wait(cluster, resource, "condition=Ready")[0]


def test_there_is_no_rollout_status_of_a_custom_resource(cluster: Cluster, resource: Resource) -> None:
    done = cluster.kubectl("rollout", "status", f"{resource.plural}.{resource.group}/one")
    assert (done.returncode, 'no kind "Widget" is registered' in done.stderr) == (1, True)
