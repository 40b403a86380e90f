"""Every state that `crdlint simulate` tells of, brought about on a real server, and what kubectl and Helm say of it.

All objects are made first, one for each state of each shape, so that Helm looks at all of them in one run: it names
the kstatus of each that it waits for in vain.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from subprocess import CompletedProcess
from typing import NamedTuple

import pytest

from tests.e2e.crds import fixed, to_yaml
from tests.e2e.helm_chart import install, waited_for, write_chart
from tests.e2e.objects import resize
from tests.e2e.shapes import SHAPES, shape
from tests.upstream.controlplane.api_client import ApiClient, ApiError, Json, Resource
from tests.upstream.controlplane.cluster import Cluster

# The states that each state comes after, in the order of an object's life.
LIFE = ("created", "generation-observed", "in-progress", "ready", "spec-changed", "failed")
COURSES = {
    **{state: LIFE[: number + 1] for number, state in enumerate(LIFE)},
    "paused-from-creation": ("created", "paused-from-creation"),
    "deleting": (*LIFE[: LIFE.index("ready") + 1], "deleting"),
}
CONDITIONS = ("Ready", "Available", "Paused")
# What crdlint's fixes make of some of the shapes has a life too.
FIXED = ("observing", "capi-conditions", "loose-conditions-only", "minimum-one", "required-ready", "no-subresource")
NAMES = (*SHAPES, *(f"{name}-fixed" for name in FIXED))
# Enough to look at all objects once; a busy machine may need the second.
HELM_TIMEOUTS = ("3s", "30s")
_MET = re.compile(r"^[\w.-]+/([\w.-]+) condition met$", re.MULTILINE)
_NOT_MET = re.compile(r"condition not met for [\w.-]+/([\w.-]+)$", re.MULTILINE)

every_shape = pytest.mark.parametrize("name", NAMES)


class Lived(NamedTuple):
    """The states of one shape as crdlint tells of them, and as the server has them; both by name."""

    resource: Resource
    told: dict[str, Json]
    seen: dict[str, Json]


class Lives:
    """The life of objects of each shape."""

    def __init__(self, api: ApiClient) -> None:
        self._lived: dict[str, Lived] = {}
        self._impossible: dict[str, ApiError] = {}
        for name in NAMES:
            made = fixed(shape(name.removesuffix("-fixed")))[0] if name.endswith("-fixed") else shape(name)
            try:
                self._lived[name] = lived(api, name, made)
            except ApiError as error:
                self._impossible[name] = error

    def __getitem__(self, name: str) -> Lived:
        """The life of one shape. Raises `ApiError` if the server refused what simulate shows."""
        if name in self._impossible:
            raise self._impossible[name]
        return self._lived[name]

    def objects(self) -> list[Json]:
        """All objects."""
        return [found for life in self._lived.values() for found in life.seen.values()]

    def to_wait_for(self) -> dict[str, tuple[str, str]]:
        """What Helm has to wait for, as simulate says."""
        return {found: why for name in self._lived for found, why in to_wait_for(name, self[name]).items()}


def to_wait_for(name: str, life: Lived) -> dict[str, tuple[str, str]]:
    """The kstatus and its message of each object of a shape that is not Current."""
    verdicts = {f"{name}-{state}": entry["verdicts"]["kstatus"] for state, entry in life.told.items()}
    return {
        # Helm does not show the error that keeps kstatus from an answer.
        found: (verdict["status"], "" if verdict["status"] == "Unknown" else verdict["message"])
        for found, verdict in verdicts.items()
        if verdict["status"] != "Current"
    }


def lived(api: ApiClient, name: str, made: Json) -> Lived:
    """Bring an object into each state."""
    resource = api.apply_crd(made)
    has_subresource = "subresources" in made["spec"]["versions"][-1]
    told = simulated(made, resource.version)
    assert told.keys() == COURSES.keys()
    for state in told:
        live(api, resource, told, name, state, has_subresource=has_subresource)
    api.wait_until_discovered(resource)
    return Lived(resource, told, {state: api.get(resource.path(f"{name}-{state}")) for state in told})


def simulated(made: Json, version: str) -> dict[str, Json]:
    """The states of a version by name."""
    command = [sys.executable, "-m", "crdlint", "simulate", "--format", "json", "-"]
    done = subprocess.run(command, input=to_yaml(made), capture_output=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["format"] == "crdlint-simulate/v1"
    timeline = next(life["timeline"] for life in answer["crds"] if life["version"] == version)
    return {state["state"]: state for state in timeline}


def live(
    api: ApiClient, resource: Resource, told: dict[str, Json], shape_name: str, state: str, *, has_subresource: bool
) -> None:
    """Bring one object into a state, through all the states before it."""
    name = f"{shape_name}-{state}"
    first = resource.new(name, spec={"size": 1})
    first["metadata"]["finalizers"] = ["example.com/wait"] if state == "deleting" else []
    api.create(resource.collection, first)
    endpoint = resource.path(name) + ("/status" if has_subresource else "")
    for number, stage in enumerate(COURSES[state]):
        if stage == "spec-changed":
            resize(api, resource, 2, name)
        elif stage == "deleting":
            api.delete(resource.path(name))
        elif number and "status" in told[stage]["object"]:
            api.patch(endpoint, {"status": told[stage]["object"]["status"]})


class Asked(NamedTuple):
    """The lives, and what Helm said when it was asked about all of them."""

    lives: Lives
    helm: CompletedProcess[str]


@pytest.fixture(scope="module")
def asked(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    lives = Lives(cluster.api)
    chart = write_chart(tmp_path_factory.mktemp("helm") / "chart", lives.objects())
    for timeout in HELM_TIMEOUTS:
        helm = install(cluster, chart, f"lives-{timeout}", timeout)
        if waited_for(helm) == lives.to_wait_for():
            break
    return Asked(lives, helm)


@every_shape
def test_the_server_shows_the_objects_that_simulate_shows(asked: Asked, name: str) -> None:
    life = asked.lives[name]
    assert {state: essence(found) for state, found in life.seen.items()} == {
        state: essence(entry["object"]) for state, entry in life.told.items()
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


@pytest.mark.parametrize("condition", CONDITIONS)
@every_shape
def test_kubectl_waits_as_simulate_says(cluster: Cluster, asked: Asked, name: str, condition: str) -> None:
    life = asked.lives[name]
    kind = f"{life.resource.plural}.{life.resource.group}"
    # More than ten objects at a time make kubectl slow down. No time to wait is one look at each.
    found = [f"{kind}/{name}-{state}" for state in life.told]
    done = cluster.kubectl("wait", *found, f"--for=condition={condition}", "--timeout=0")
    met, complaints = set(_MET.findall(done.stdout)), set(_NOT_MET.findall(done.stderr))
    for state, entry in life.told.items():
        is_met = entry["verdicts"]["kubectl-wait"][condition]["met"]
        assert (f"{name}-{state}" in met, f"{name}-{state}" in complaints) == (is_met, not is_met), state


@every_shape
def test_helm_waits_as_simulate_says(asked: Asked, name: str) -> None:
    life, waited = asked.lives[name], waited_for(asked.helm)
    expected = to_wait_for(name, life)
    assert {f"{name}-{state}": waited.get(f"{name}-{state}") for state in life.told} == {
        f"{name}-{state}": expected.get(f"{name}-{state}") for state in life.told
    }, asked.helm.stderr


@every_shape
def test_helm_itself_changes_nothing_that_counts(cluster: Cluster, asked: Asked, name: str) -> None:
    life = asked.lives[name]
    for found in life.seen.values():
        assert essence(cluster.api.get(life.resource.path(found["metadata"]["name"]))) == essence(found)


@pytest.mark.parametrize("name", FIXED)
def test_a_wait_is_over_within_its_time_only_where_simulate_says_so(cluster: Cluster, asked: Asked, name: str) -> None:
    life = asked.lives[name]
    met = life.told["ready"]["verdicts"]["kubectl-wait"]["Ready"]["met"]
    found = f"{life.resource.plural}.{life.resource.group}/{name}-ready"
    done = cluster.kubectl("wait", found, "--for=condition=Ready", f"--timeout={'30s' if met else '1s'}")
    assert (done.returncode == 0) is met
    assert ("timed out waiting for the condition" in done.stderr) is not met
