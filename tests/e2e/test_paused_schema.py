"""The rules on pauses, held against a real server: what it stores, what `kubectl wait` sees and `kubectl get` shows."""

from __future__ import annotations

from typing import Any

import pytest

from crdlint.choices import Choices
from crdlint.findings import Applicability
from crdlint.runner import Job
from tests.e2e.crds import (
    CAPI,
    INTEGER,
    METAV1,
    METAV1_ITEM,
    NOT_OBSERVED,
    crd,
    fixed,
    status_of,
    status_schema,
    to_yaml,
    version,
    without,
)
from tests.e2e.objects import condition, create, resize, write_status
from tests.upstream.controlplane.api_client import ApiClient, ApiError, Json, Resource
from tests.upstream.controlplane.cluster import Cluster

CONDITION, WAIT, COLUMN = "capi-paused-condition", "capi-paused-wait", "capi-paused-column"
BARE: Json = {**METAV1, "items": without(METAV1_ITEM, "observedGeneration")}


def provider_crd(status: Json) -> Json:
    """A CRD whose group is of the Cluster API."""
    made = crd(version(status))
    plural, group = "widgets", made["spec"]["group"].replace("example.com", "cluster.x-k8s.io")
    made["spec"]["group"] = group
    made["metadata"]["name"] = f"{plural}.{group}"
    return made


def reported(made: Json, rule: str) -> bool:
    found = Job(Choices(select=(rule,))).run_bytes("crd.yaml", to_yaml(made)).result.findings
    return [finding.rule for finding in found] == [rule]


def acknowledged(conditions: Json, *, paused: bool) -> Json:
    """As Cluster API's helper writes it into these conditions; an empty message that is optional is left out."""
    status, reason = ("True", "Paused") if paused else ("False", "NotPaused")
    written = condition("Paused", status, reason, observedGeneration=1)
    is_optional = "message" not in conditions.get("items", {}).get("required", ["message"])
    return {key: value for key, value in written.items() if not (is_optional and key == "message")}


# Is there room for it?


def with_field(name: str, **keywords: Any) -> Json:
    """metav1 conditions with other keywords on a field."""
    fields = METAV1_ITEM["properties"]
    kept = {key: value for key, value in fields[name].items() if key not in ("enum", "pattern")}
    items = {**METAV1_ITEM, "properties": {**fields, name: {**kept, **keywords}}}
    return status_schema({"conditions": {**METAV1, "items": items}})


ROOMS: dict[str, Json] = {
    "metav1": status_schema({"conditions": METAV1}),
    "capi": status_schema({"conditions": CAPI}),
    "any type": with_field("type"),
    "types with Paused": with_field("type", enum=["Paused", "Ready"]),
    "words with Paused": with_field("type", pattern="^(Paused|Ready)$"),
    "reasons with both": with_field("reason", enum=["NotPaused", "Other", "Paused"]),
    "types without Paused": with_field("type", enum=["Ready"]),
    "types that are longer": with_field("type", minLength=7),
    "types that are shorter": with_field("type", maxLength=5),
    "words without Paused": with_field("type", pattern="^(?:Available|Ready)$"),
    "one word": with_field("type", pattern="^Ready$"),
    "reasons without NotPaused": with_field("reason", enum=["Other", "Paused"]),
    "reasons without Paused": with_field("reason", enum=["NotPaused", "Other"]),
    "True only": with_field("status", enum=["True"]),
    "False only": with_field("status", enum=["False", "Unknown"]),
    "no condition at all": status_schema({"conditions": {**METAV1, "maxItems": 0}}),
    "no conditions": status_schema({"ready": {"type": "boolean"}}),
    "a map": status_schema({"conditions": {"type": "object", "additionalProperties": {"type": "string"}}}),
}


def are_stored(api: ApiClient, resource: Resource, status: Json) -> bool:
    """Are both answers there after they have been written?"""
    for paused in (True, False):
        written = acknowledged(status["properties"].get("conditions", {}), paused=paused)
        try:
            write_status(api, resource, {"conditions": [written]})
        except ApiError:
            return False
        conditions = api.get(resource.path("one")).get("status", {}).get("conditions", [])
        if [(found["type"], found["status"]) for found in conditions] != [(written["type"], written["status"])]:
            return False
    return True


@pytest.mark.parametrize("name", ROOMS)
def test_what_is_reported_is_what_the_server_does_not_store(api: ApiClient, name: str) -> None:
    made = provider_crd(ROOMS[name])
    resource = api.apply_crd(made)
    create(api, resource)
    assert reported(made, CONDITION) is not are_stored(api, resource, ROOMS[name])


@pytest.mark.parametrize("name", ["types without Paused", "reasons without Paused", "False only", "no conditions"])
def test_the_fix_makes_room(api: ApiClient, name: str) -> None:
    after, applied = fixed(provider_crd(ROOMS[name]), Applicability.UNSAFE, [CONDITION])
    assert [finding.rule for finding in applied] == [CONDITION]
    resource = api.apply_crd(after)
    create(api, resource)
    assert are_stored(api, resource, status_of(after))


# Can anybody wait for it?


@pytest.mark.parametrize(
    ("conditions", "default", "from_creation", "only_of_this_generation"),
    [
        (METAV1, NOT_OBSERVED, True, True),
        (METAV1, None, True, True),
        (BARE, NOT_OBSERVED, False, True),
        (BARE, {"observedGeneration": 0}, False, True),
        (BARE, None, True, False),
    ],
    ids=["own generation", "own generation without default", "default", "default of 0", "no generation"],
)
def test_waiting(
    cluster: Cluster, conditions: Json, default: Json | None, from_creation: bool, only_of_this_generation: bool
) -> None:
    keywords = {} if default is None else {"default": default}
    made = provider_crd(status_schema({"observedGeneration": INTEGER, "conditions": conditions}, **keywords))
    resource = served(cluster, made)
    write_status(cluster.api, resource, {"conditions": [acknowledged(METAV1, paused=True)]})
    assert waits_for(cluster, resource, "condition=Paused") is from_creation
    resize(cluster.api, resource, 2)
    assert waits_for(cluster, resource, "condition=Paused") is not only_of_this_generation
    assert reported(made, WAIT) is not (from_creation and only_of_this_generation)


def test_waiting_in_the_first_stage_of_the_transition(cluster: Cluster) -> None:
    new = status_schema({"conditions": METAV1})
    made = provider_crd(status_schema({"conditions": CAPI, "v1beta2": new}))
    resource = served(cluster, made)
    write_status(cluster.api, resource, {"v1beta2": {"conditions": [acknowledged(METAV1, paused=True)]}})
    assert not waits_for(cluster, resource, "condition=Paused")
    assert reported(made, WAIT)
    (finding,) = Job(Choices(select=(WAIT,))).run_bytes("crd.yaml", to_yaml(made)).result.findings
    told = finding.message.rpartition("--for=")[2].replace("'", "")
    assert waits_for(cluster, resource, told)


def served(cluster: Cluster, made: Json) -> Resource:
    resource = cluster.api.apply_crd(made)
    cluster.api.wait_until_discovered(resource)
    create(cluster.api, resource)
    return resource


def waits_for(cluster: Cluster, resource: Resource, wanted: str) -> bool:
    done = cluster.kubectl("wait", f"{resource.plural}.{resource.group}/one", f"--for={wanted}", "--timeout=0")
    return done.returncode == 0


# Does anybody see it?


def test_the_column_shows_it_and_keeps_the_age(cluster: Cluster) -> None:
    made = provider_crd(status_schema({"conditions": METAV1}))
    assert reported(made, COLUMN)
    after, _ = fixed(made, Applicability.UNSAFE, [COLUMN])
    assert not reported(after, COLUMN)
    resource = served(cluster, after)
    write_status(cluster.api, resource, {"conditions": [acknowledged(METAV1, paused=True)]})
    shown = cluster.kubectl("get", f"{resource.plural}.{resource.group}", "-o", "wide").stdout.splitlines()
    # The last column tells the server's revisions apart.
    assert shown[0].split()[:3] == ["NAME", "PAUSED", "AGE"]
    assert shown[1].split()[:2] == ["one", "True"]
