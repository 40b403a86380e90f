"""Objects are taken for ready before their controller has seen them: so it is before the fix, and not after."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from crdlint.consumers import kstatus
from crdlint.findings import Applicability
from tests.e2e.crds import CAPI, INTEGER, METAV1, crd, fixed, status_schema, version
from tests.e2e.helm_chart import install, waited_for, write_chart
from tests.e2e.objects import condition, create, write_status
from tests.upstream.controlplane.api_client import ApiClient, Json, Resource
from tests.upstream.controlplane.cluster import Cluster

NOT_SEEN = "Widget generation is 1, but latest observed generation is -1"


@pytest.fixture(params=["metav1", "capi", "required"])
def racing(request: pytest.FixtureRequest) -> Json:
    """CRDs whose objects are taken for ready at once."""
    statuses = {
        "metav1": status_schema({"observedGeneration": INTEGER, "conditions": METAV1}),
        "capi": status_schema({"conditions": CAPI, "ready": {"type": "boolean"}}),
        "required": status_schema(
            {"observedGeneration": {**INTEGER, "minimum": 1}, "phase": {"type": "string"}}, required=["phase"]
        ),
    }
    return crd(version(statuses[request.param]))


def test_kstatus_takes_an_object_for_ready_only_before_the_fix(api: ApiClient, racing: Json) -> None:
    resource = api.apply_crd(racing)
    assert kstatus.compute(create(api, resource, "before")).status == kstatus.CURRENT
    api.apply_crd(fixed(racing)[0])
    assert kstatus.compute(create(api, resource, "after")) == (kstatus.IN_PROGRESS, NOT_SEEN)
    assert kstatus.compute(api.get(resource.path("before"))) == (kstatus.IN_PROGRESS, NOT_SEEN)


def test_helm_waits_only_after_the_fix(cluster: Cluster, racing: Json, tmp_path: Path) -> None:
    resource = cluster.api.apply_crd(racing)
    cluster.api.wait_until_discovered(resource)
    done = install(cluster, chart(tmp_path / "before", resource, "before"), release(resource, "before"), "20s")
    assert (done.returncode, done.stderr) == (0, "")
    assert "STATUS: deployed" in done.stdout

    cluster.api.apply_crd(fixed(racing)[0])
    done = install(cluster, chart(tmp_path / "after", resource, "after"), release(resource, "after"), "2s")
    assert waited_for(done) == {"after": ("InProgress", NOT_SEEN)}
    assert done.returncode == 1


def test_helm_goes_on_when_the_controller_has_seen_the_object(cluster: Cluster, tmp_path: Path) -> None:
    api = cluster.api
    made, _ = fixed(
        crd(version(status_schema({"observedGeneration": INTEGER, "conditions": METAV1}))), Applicability.SAFE
    )
    resource = api.apply_crd(made)
    api.wait_until_discovered(resource)
    ready = {"observedGeneration": 1, "conditions": [condition("Ready", observedGeneration=1)]}
    seconds = 2.0

    def controller() -> None:
        time.sleep(seconds)
        write_status(api, resource, ready, "waited")

    started = time.monotonic()
    thread = threading.Thread(target=controller)
    thread.start()
    done = install(cluster, chart(tmp_path / "chart", resource, "waited"), release(resource, "waited"), "30s")
    thread.join()
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - started > seconds


def chart(folder: Path, resource: Resource, name: str) -> Path:
    return write_chart(folder, [resource.new(name, spec={"size": 1})])


def release(resource: Resource, name: str) -> str:
    """A name that no other test's release has."""
    return f"{name}-{resource.group.partition('.')[0]}"
