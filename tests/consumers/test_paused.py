"""Which pauses are asked for, and which are acknowledged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdlint.consumers import clusters
from crdlint.consumers.paused import Paused, Pauses, Standing
from tests.cli.run import crdlint

Json = dict[str, Any]

CAPI = "cluster.x-k8s.io/v1beta2"
INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io/v1beta1"
ELSEWHERE = "infrastructure.example.com/v1"
LABEL = {"cluster.x-k8s.io/cluster-name": "c"}
ANNOTATION = {"cluster.x-k8s.io/paused": ""}
PAUSED: Json = {"type": "Paused", "status": "True", "reason": "Paused", "observedGeneration": 2}
NOT_PAUSED: Json = {**PAUSED, "status": "False", "reason": "NotPaused"}
ACKNOWLEDGED: Json = {"conditions": [PAUSED]}
BY_CLUSTER = "spec.paused of Cluster c"
SAYS_SO = "and the Paused condition says that it is"


def thing(
    kind: str = "Machine",
    status: Json | None = None,
    api_version: str = CAPI,
    spec: Json | None = None,
    **metadata: Any,
) -> Json:
    """An object of generation 2."""
    names = {"name": kind.lower(), "namespace": "ns", "generation": 2, **metadata}
    return {"apiVersion": api_version, "kind": kind, "metadata": names, "spec": spec or {}, "status": status}


def cluster(name: str = "c", status: Json | None = None, paused: bool = True, references: Json | None = None) -> Json:
    return thing("Cluster", status, spec={"paused": paused, **(references or {})}, name=name)


def owned_by(kind: str, name: str, api_version: str = CAPI) -> list[Json]:
    return [{"apiVersion": api_version, "kind": kind, "name": name, "uid": "1"}]


def judged(resource: Json, *others: Json) -> tuple[Standing, Paused | None]:
    """The answer for the first object, which has been seen first."""
    pauses = Pauses()
    pause = pauses.add(resource)
    for other in others:
        pauses.add(other)
    return pauses.judge(pause)


def paused(resource: Json, *others: Json) -> Paused:
    answer = judged(resource, *others)[1]
    assert answer is not None
    return answer


# Which objects are asked.


@pytest.mark.parametrize(
    "resource",
    [
        thing("Secret", api_version="v1", labels=LABEL),
        thing("Deployment", api_version="apps/v1", labels=LABEL, annotations=ANNOTATION),
        thing("Ingress", api_version="networking.k8s.io/v1", labels=LABEL),
        thing("MachineTemplate", labels=LABEL),
        thing("AWSMachineTemplate", api_version=INFRASTRUCTURE, ownerReferences=owned_by("Cluster", "c")),
        thing("IPAddress", api_version="ipam.cluster.x-k8s.io/v1beta1", labels=LABEL),
        thing("ClusterResourceSetBinding", api_version="addons.cluster.x-k8s.io/v1beta1", spec={"clusterName": "c"}),
        thing("Widget", api_version="example.com/v1"),
        # Another project's object that bears the label, and one that is owned by an object of a Cluster.
        thing("BareMetalHost", api_version="metal3.io/v1alpha1", labels=LABEL),
        thing("ManagedCluster", api_version="example.com/v1", ownerReferences=owned_by("Machine", "owner")),
        # And one that means another cluster by that name.
        thing("BackupConfig", api_version="example.com/v1", spec={"clusterName": "c"}),
    ],
    ids=lambda resource: f"{resource['apiVersion']} {resource['kind']}",
)
def test_objects_that_are_not_paused(resource: Json) -> None:
    owner = thing(name="owner", labels=LABEL)
    assert judged(resource, cluster(), owner) == (Standing.ASIDE, None)


@pytest.mark.parametrize(
    "resource",
    [
        thing(labels=LABEL),
        thing(spec={"clusterName": "c"}),
        thing(ownerReferences=owned_by("Cluster", "c", "cluster.x-k8s.io/v1beta1")),
        thing("FooMachine", api_version=ELSEWHERE, labels=LABEL),
        thing("FooCluster", api_version=ELSEWHERE, ownerReferences=owned_by("Cluster", "c")),
        # Of no kind of the contracts, but its controller speaks of pauses.
        thing("FooNodes", {"conditions": [NOT_PAUSED]}, api_version=ELSEWHERE, labels=LABEL),
    ],
    ids=["label", "cluster name", "owner", "another group by label", "another group by owner", "by its condition"],
)
def test_what_belongs_to_a_cluster_is_paused_with_it(resource: Json) -> None:
    assert paused(resource, cluster()).requested
    assert not paused(resource, cluster(paused=False)).requested
    assert not paused(resource, cluster("other")).requested
    elsewhere = cluster()
    elsewhere["metadata"]["namespace"] = "elsewhere"
    assert not paused(resource, elsewhere).requested


def test_owners_lead_to_the_cluster_however_far_up() -> None:
    config = thing("KubeadmConfig", ownerReferences=owned_by("Machine", "m"))
    machine = thing(name="m", ownerReferences=owned_by("KubeadmControlPlane", "k"))
    control_plane = thing("KubeadmControlPlane", name="k", ownerReferences=owned_by("Cluster", "c"))
    assert paused(config, machine, control_plane, cluster()).requested
    assert judged(config, machine, cluster())[0] is Standing.ASIDE


def test_owners_may_own_each_other() -> None:
    one = thing(name="one", ownerReferences=owned_by("Machine", "two"))
    two = thing(name="two", ownerReferences=owned_by("Machine", "one"))
    assert judged(one, two, cluster())[0] is Standing.ASIDE


@pytest.mark.parametrize(
    "reference",
    [{"apiGroup": "infrastructure.example.com"}, {"apiVersion": "infrastructure.example.com/v1", "namespace": "ns"}],
    ids=["v1beta2", "v1beta1"],
)
@pytest.mark.parametrize("field", ["infrastructureRef", "controlPlaneRef"])
def test_what_a_cluster_refers_to_is_paused_with_it(field: str, reference: Json) -> None:
    resource = thing("FooCluster", api_version=ELSEWHERE, name="f")
    assert judged(resource, cluster()) == (Standing.ASIDE, None)
    for name, is_meant in (("f", True), ("g", False)):
        standing, _ = judged(resource, cluster(references={field: {"kind": "FooCluster", "name": name, **reference}}))
        assert (standing is Standing.NOT_PAUSED) is is_meant


def test_a_class_is_asked_only_by_its_own_annotation() -> None:
    standing, answer = judged(thing("ClusterClass", ACKNOWLEDGED), cluster())
    assert standing is Standing.ASIDE
    assert answer == (False, True, "it belongs to no Cluster, and nothing asks for its pause")
    assert judged(thing("ClusterClass", ACKNOWLEDGED, annotations=ANNOTATION), cluster())[0] is Standing.PAUSED


# What asks.


def test_the_cluster_itself() -> None:
    assert paused(cluster(status=ACKNOWLEDGED)) == (True, True, f"spec.paused, {SAYS_SO}")
    missing = "there are no conditions, in which its controller could say so"
    assert paused(cluster()) == (True, False, f"spec.paused, but {missing}")
    standing, answer = judged(cluster(paused=False))
    assert standing is Standing.NOT_PAUSED
    assert answer == (False, False, "spec.paused is not set, and nothing else asks for it")


@pytest.mark.parametrize("value", ["", "true", "false"])
def test_the_annotation_counts_whatever_its_value(value: str) -> None:
    resource = thing(status=ACKNOWLEDGED, labels=LABEL, annotations={"cluster.x-k8s.io/paused": value})
    asked = "the annotation cluster.x-k8s.io/paused"
    assert paused(resource, cluster(paused=False)) == (True, True, f"{asked}, {SAYS_SO}")
    assert paused(resource, cluster()).reason == f"{asked} and {BY_CLUSTER}, {SAYS_SO}"


@pytest.mark.parametrize("kind", ["Cluster", "KubeadmControlPlane"])
def test_the_annotation_pauses_nothing_below(kind: str) -> None:
    above = thing(kind, name="c", annotations=ANNOTATION, labels=LABEL)
    below = thing(status={"conditions": [NOT_PAUSED]}, labels=LABEL, ownerReferences=owned_by(kind, "c"))
    standing, answer = judged(below, above, cluster(paused=False) if kind != "Cluster" else above)
    assert standing is Standing.NOT_PAUSED
    assert answer == (False, False, "Cluster c is not paused, and nothing else asks for it")
    assert paused(above).requested


# What acknowledges.


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (None, "there are no conditions, in which its controller could say so"),
        ({"conditions": []}, "there is no condition Paused, in which its controller would say so"),
        (
            {"conditions": [{"type": "Ready", "status": "True"}]},
            "there is no condition Paused, in which its controller would say so",
        ),
        ({"conditions": [NOT_PAUSED]}, "the condition Paused is False"),
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
def test_not_acknowledged(status: Json | None, why: str) -> None:
    resource = thing(status=status, labels=LABEL)
    assert paused(resource, cluster()) == (True, False, f"{BY_CLUSTER}, but {why}")
    assert judged(resource, cluster())[0] is Standing.NOT_PAUSED


def test_the_list_of_the_transition_counts_too() -> None:
    old = [{"type": "Ready", "status": "True"}]
    assert paused(thing(status={"conditions": old, "v1beta2": ACKNOWLEDGED}, labels=LABEL), cluster()).acknowledged
    stale = {"conditions": [{**PAUSED, "observedGeneration": 1}]}
    answer = paused(thing(status={"conditions": old, "v1beta2": stale}, labels=LABEL), cluster())
    assert answer.reason.endswith("observedGeneration 1 of the condition Paused is behind generation 2")


def test_an_acknowledgement_that_is_left_over_counts_no_more() -> None:
    """A controller may not have seen yet that its Cluster goes on, and then it will."""
    standing, answer = judged(thing(status=ACKNOWLEDGED, labels=LABEL), cluster(paused=False))
    assert standing is Standing.NOT_PAUSED
    left = "Cluster c is not paused, and nothing else asks for it, though the Paused condition still says that it is"
    assert answer == (False, True, left)


def test_an_object_without_its_cluster_is_taken_at_its_word() -> None:
    standing, answer = judged(thing(status=ACKNOWLEDGED, labels=LABEL), cluster("other"))
    assert standing is Standing.PAUSED
    unknown = "its Cluster c is not among these objects"
    assert answer == (False, True, f"the Paused condition says that it is; {unknown}")
    standing, answer = judged(thing(status={"conditions": [NOT_PAUSED]}, labels=LABEL))
    assert standing is Standing.NOT_PAUSED
    assert answer == (False, False, f"{unknown}, and the condition Paused is False")


def test_several_clusters() -> None:
    machines = {name: thing(status=ACKNOWLEDGED, labels=dict.fromkeys(LABEL, name)) for name in "ab"}
    both = cluster("a", ACKNOWLEDGED), cluster("b", ACKNOWLEDGED, paused=False)
    assert [judged(machines[name], *both)[0] for name in "ab"] == [Standing.PAUSED, Standing.NOT_PAUSED]


@pytest.mark.parametrize("broken", [None, [], "x", 1, {"labels": [], "ownerReferences": {}, "annotations": "x"}])
def test_metadata_of_another_type_says_nothing(broken: Any) -> None:
    resource = {**thing(), "metadata": broken, "spec": broken, "status": broken}
    assert judged(resource, {**cluster(), "spec": broken})[0] is Standing.ASIDE


# The command.

NOTHING = b"crdlint: no object here belongs to a Cluster or is asked to pause: nothing is known to be paused\n"
EMPTY = b"crdlint: standard input is empty: the command that should have written the objects may have failed\n"


def status(folder: Path, *resources: Json, asked: str = "paused") -> tuple[int, list[str], bytes]:
    """The exit code, the lines, and what is said on standard error."""
    text = "".join(map(json.dumps, resources))
    done = crdlint(folder, "status", "--for", asked, stdin=text.encode())
    return done.returncode, done.stdout.decode().splitlines(), done.stderr


def test_command_counts_only_what_can_be_paused(tmp_path: Path) -> None:
    others = [thing("FooMachineTemplate", labels=LABEL), thing("Secret", api_version="v1"), thing("ClusterClass")]
    members = [cluster(status=ACKNOWLEDGED), thing(status=ACKNOWLEDGED, labels=LABEL)]
    code, lines, complaint = status(tmp_path, *others, *members)
    assert (code, complaint) == (0, b"")
    shown = [("-", resource["kind"]) for resource in others] + [("✓", resource["kind"]) for resource in members]
    assert [tuple(line.split()[:2]) for line in lines[:-1]] == shown
    assert lines[-1] == "2 of 2 objects paused; left aside: 3 that need not pause"
    assert status(tmp_path, *others, *members, thing(name="late", labels=LABEL))[0] == 1


@pytest.mark.parametrize("resource", [thing("Secret", api_version="v1"), thing("ClusterClass", ACKNOWLEDGED)])
def test_command_takes_nothing_for_no_pause(tmp_path: Path, resource: Json) -> None:
    code, lines, complaint = status(tmp_path, resource)
    told = "0 of 0 objects paused; left aside: 1 that need not pause"
    assert (code, lines[-1], complaint) == (1, told, NOTHING)


def test_command_without_input(tmp_path: Path) -> None:
    there_is_none = ["There is no object here."]
    assert status(tmp_path) == (1, there_is_none, EMPTY)
    assert status(tmp_path, asked="current") == (1, there_is_none, EMPTY)
    assert status(tmp_path, {"kind": "List", "items": []}) == (1, there_is_none, NOTHING)
    (tmp_path / "empty.yaml").write_text("# nothing\n", "utf-8")
    assert crdlint(tmp_path, "status", "--for", "paused", "empty.yaml").returncode == 1


def test_command_as_json(tmp_path: Path) -> None:
    text = "".join(map(json.dumps, (cluster(status=ACKNOWLEDGED), thing("Secret", api_version="v1"))))
    done = crdlint(tmp_path, "status", "--for", "paused", "--format", "json", stdin=text.encode())
    objects = json.loads(done.stdout)["objects"]
    expected = {"requested": True, "acknowledged": True, "reason": f"spec.paused, {SAYS_SO}"}
    assert [found["paused"] for found in objects] == [expected, None]
    assert done.returncode == 0


# What it costs.


class CountedKey(clusters.ObjectKey):
    """A key that counts how often it is looked up."""

    lookups = 0

    def __hash__(self) -> int:
        CountedKey.lookups += 1
        return super().__hash__()


def owned_in_turn(count: int, last: str) -> list[Json]:
    """Machines of which each is owned by the next one, and the last by another."""
    owners = [*map(str, range(1, count)), last]
    return [thing(name=str(at), ownerReferences=owned_by("Machine", owner)) for at, owner in enumerate(owners)]


@pytest.mark.parametrize(
    ("last", "labels", "standing"),
    [("c", LABEL, Standing.NOT_PAUSED), ("nobody", {}, Standing.ASIDE), ("0", {}, Standing.ASIDE)],
    ids=["a chain with a Cluster", "a chain without", "a cycle"],
)
def test_chains_and_cycles_of_owners_take_linear_work(
    last: str, labels: Json, standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "ObjectKey", CountedKey)
    lookups = []
    for count in (10_000, 20_000):
        CountedKey.lookups = 0
        pauses = Pauses()
        found = [pauses.add(resource) for resource in owned_in_turn(count, last)]
        pauses.add(thing(name="c", labels=labels))
        pauses.add(cluster())
        assert {pauses.judge(pause)[0] for pause in found} == {standing}
        lookups.append(CountedKey.lookups)
    assert lookups[1] < 2.1 * lookups[0]
    assert lookups[1] < 20 * 20_000


def nearest(owners: dict[str, list[str]], named: dict[str, str], name: str) -> str | None:
    """The Cluster of the nearest owner that names one, the first of equally near ones."""
    waiting = [name]
    for current in waiting:
        if current in named:
            return named[current]
        waiting += [owner for owner in owners.get(current, ()) if owner not in waiting]
    return None


NAMES = st.sampled_from("abcdefgh")


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3)), st.dictionaries(NAMES, st.sampled_from("xyz"), max_size=3))
def test_the_nearest_owner_counts(owners: dict[str, list[str]], named: dict[str, str]) -> None:
    members = clusters.Members()
    keys = {}
    for name in owners.keys() | named.keys():
        references = [owned_by("Machine", owner)[0] for owner in owners.get(name, ())]
        labels = dict.fromkeys(LABEL, named[name]) if name in named else {}
        keys[name] = members.add(thing(name=name, labels=labels, ownerReferences=references))
    for name, key in keys.items():
        wanted = nearest(owners, named, name)
        assert members.cluster_of(key) == (None if wanted is None else ("ns", wanted))
