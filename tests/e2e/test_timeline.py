"""Every state that `crdlint simulate` tells of, brought about on a real server, and what kubectl and Helm say of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.crds import fixed, to_yaml
from tests.e2e.helm_chart import install, waited_for, write_chart
from tests.e2e.objects import resize
from tests.e2e.shapes import SHAPES, shape
from tests.upstream.controlplane.api_client import ApiClient, Json, Resource
from tests.upstream.controlplane.cluster import Cluster

# The states that each state comes after, in the order of an object's life.
LIFE = ("created", "generation-observed", "in-progress", "ready", "spec-changed", "failed")
COURSES = {
    **{state: LIFE[: number + 1] for number, state in enumerate(LIFE)},
    "paused-from-creation": ("created", "paused-from-creation"),
    "deleting": (*LIFE[: LIFE.index("ready") + 1], "deleting"),
}
# What crdlint's fixes make of some of the shapes has a life too.
FIXED = ("observing", "capi-conditions", "loose-conditions-only", "minimum-one", "required-ready", "no-subresource")
_MET = re.compile(r"^[\w.-]+/([\w.-]+) condition met$", re.MULTILINE)


class Lived(NamedTuple):
    """The states of one shape as crdlint tells of them, and as the server has them; both by name."""

    resource: Resource
    told: dict[str, Json]
    seen: dict[str, Json]


@pytest.fixture(scope="module", params=[*SHAPES, *(f"{name} fixed" for name in FIXED)])
def lived(request: pytest.FixtureRequest, cluster: Cluster) -> Lived:
    """The life of objects of one shape."""
    name, _, is_fixed = request.param.partition(" ")
    made = fixed(shape(name))[0] if is_fixed else shape(name)
    resource = cluster.api.apply_crd(made)
    cluster.api.wait_until_discovered(resource)
    has_subresource = "subresources" in made["spec"]["versions"][-1]
    told = simulated(made, resource.version)
    assert told.keys() == COURSES.keys()
    for state in told:
        live(cluster.api, resource, told, state, has_subresource=has_subresource)
    return Lived(resource, told, {state: cluster.api.get(resource.path(state)) for state in told})


def simulated(made: Json, version: str) -> dict[str, Json]:
    """The states of a version by name."""
    command = [sys.executable, "-m", "crdlint", "simulate", "--format", "json", "-"]
    done = subprocess.run(command, input=to_yaml(made), capture_output=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["format"] == "crdlint-simulate/v1"
    timeline = next(life["timeline"] for life in answer["crds"] if life["version"] == version)
    return {state["state"]: state for state in timeline}


def live(api: ApiClient, resource: Resource, told: dict[str, Json], state: str, *, has_subresource: bool) -> None:
    """Bring an object, which has the state's name, into the state, through all states before it."""
    first = resource.new(state, spec={"size": 1})
    first["metadata"]["finalizers"] = ["example.com/wait"] if state == "deleting" else []
    api.create(resource.collection, first)
    endpoint = resource.path(state) + ("/status" if has_subresource else "")
    for number, stage in enumerate(COURSES[state]):
        if stage == "spec-changed":
            resize(api, resource, 2, state)
        elif stage == "deleting":
            api.delete(resource.path(state))
        elif number and "status" in told[stage]["object"]:
            api.patch(endpoint, {"status": told[stage]["object"]["status"]})


def test_the_server_shows_the_objects_that_simulate_shows(lived: Lived) -> None:
    assert {state: essence(found) for state, found in lived.seen.items()} == {
        state: essence(entry["object"]) for state, entry in lived.told.items()
    }


def essence(found: Json) -> Json:
    """What consumers of status look at."""
    metadata = found["metadata"]
    return {
        "apiVersion": found["apiVersion"],
        "kind": found["kind"],
        "generation": metadata["generation"],
        "is deleting": "deletionTimestamp" in metadata,
        "status": found.get("status"),
    }


@pytest.mark.parametrize("condition", ["Ready", "Available", "Paused"])
def test_kubectl_waits_as_simulate_says(cluster: Cluster, lived: Lived, condition: str) -> None:
    kind = f"{lived.resource.plural}.{lived.resource.group}"
    names = [f"{kind}/{state}" for state in lived.told]
    # With one look at each object.
    done = cluster.kubectl("wait", *names, f"--for=condition={condition}", "--timeout=0")
    verdicts = {state: entry["verdicts"]["kubectl-wait"][condition] for state, entry in lived.told.items()}
    assert set(_MET.findall(done.stdout)) == {state for state, verdict in verdicts.items() if verdict["met"]}, done
    for state, verdict in verdicts.items():
        expected = "" if verdict["met"] else f"condition not met for {lived.resource.plural}/{state}"
        assert expected in done.stderr


def test_helm_waits_as_simulate_says(cluster: Cluster, lived: Lived, tmp_path: Path) -> None:
    chart = write_chart(tmp_path, lived.seen.values())
    done = install(cluster, chart, lived.resource.group.replace(".", "-"), "1500ms")
    verdicts = {state: entry["verdicts"]["kstatus"] for state, entry in lived.told.items()}
    expected = {
        # Helm does not show the error that keeps kstatus from an answer.
        state: (verdict["status"], "" if verdict["status"] == "Unknown" else verdict["message"])
        for state, verdict in verdicts.items()
        if verdict["status"] != "Current"
    }
    assert waited_for(done) == expected, done.stderr
    assert (done.returncode == 0) is (not expected)
    # Helm itself has changed nothing that counts.
    for state, found in lived.seen.items():
        assert essence(cluster.api.get(lived.resource.path(state))) == essence(found)


def test_a_wait_is_over_within_its_time_only_where_simulate_says_so(cluster: Cluster, lived: Lived) -> None:
    kind = f"{lived.resource.plural}.{lived.resource.group}"
    done = cluster.kubectl("wait", f"{kind}/ready", "--for=condition=Ready", "--timeout=1s")
    met = lived.told["ready"]["verdicts"]["kubectl-wait"]["Ready"]["met"]
    assert (done.returncode == 0) is met
    assert ("timed out waiting for the condition" in done.stderr) is not met
