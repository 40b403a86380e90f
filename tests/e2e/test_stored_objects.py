"""Objects that are stored when a CRD changes: what becomes of them, and what their controllers may still write."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import pytest

from tests.e2e.crds import (
    CAPI,
    INTEGER,
    LOOSE,
    METAV1,
    NOT_OBSERVED,
    crd,
    fixed,
    from_yaml,
    status_of,
    status_schema,
    to_yaml,
    version,
    without,
)
from tests.e2e.objects import condition, create, resize, write_status
from tests.e2e.shapes import SHAPES, shape
from tests.upstream.controlplane.api_client import ApiClient, ApiError, Json, Resource

PLAIN = status_schema({"observedGeneration": INTEGER, "phase": {"type": "string"}, "conditions": METAV1})
NEVER_REASONED = [condition("Ready", "False", reason="")]


def test_the_default_reaches_stored_objects_and_goes_again(api: ApiClient) -> None:
    made = crd(version(PLAIN))
    resource = api.apply_crd(made)
    assert "status" not in create(api, resource)

    api.apply_crd(fixed(made)[0])
    found = api.get(resource.path("one"))
    assert (found["status"], found["metadata"]["generation"]) == (NOT_OBSERVED, 1)

    api.apply_crd(made)
    assert "status" not in api.get(resource.path("one"))


def test_a_default_that_a_write_has_stored_stays_when_it_is_taken_away(api: ApiClient) -> None:
    made = crd(version(PLAIN))
    resource = api.apply_crd(fixed(made)[0])
    create(api, resource)
    resize(api, resource, 2)
    api.apply_crd(made)
    assert api.get(resource.path("one"))["status"] == NOT_OBSERVED


def test_a_merge_patch_of_another_field_stores_the_default_beside_it(api: ApiClient) -> None:
    made = crd(version(PLAIN))
    resource = api.apply_crd(fixed(made)[0])
    create(api, resource)
    assert write_status(api, resource, {"phase": "Running"})["status"] == {**NOT_OBSERVED, "phase": "Running"}


def test_a_replacement_without_the_field_takes_the_default_away(api: ApiClient) -> None:
    resource = api.apply_crd(fixed(crd(version(PLAIN)))[0])
    found = create(api, resource)
    api.replace(f"{resource.path('one')}/status", {**found, "status": {"phase": "Running"}})
    assert api.get(resource.path("one"))["status"] == {"phase": "Running"}


def stored_duplicates(api: ApiClient) -> tuple[Resource, list[Json]]:
    """An object with two conditions of a type, whose CRD has since been fixed."""
    atomic = {key: value for key, value in METAV1.items() if not key.startswith("x-")}
    made = crd(version(with_conditions(atomic)))
    resource = api.apply_crd(made)
    create(api, resource)
    twice = [condition("Ready"), condition("Ready", "False"), condition("Synced")]
    write_status(api, resource, {"conditions": twice})
    after, applied = fixed(made)
    assert "conditions-list-type" in {finding.rule for finding in applied}
    api.apply_crd(after)
    return resource, twice


def with_conditions(conditions: Json) -> Json:
    return {**PLAIN, "properties": {**PLAIN["properties"], "conditions": conditions}}


def test_stored_duplicates_block_nothing_once_the_list_is_a_map(api: ApiClient) -> None:
    resource, twice = stored_duplicates(api)
    assert api.get(resource.path("one"))["status"]["conditions"] == twice
    assert resize(api, resource, 2)["metadata"]["generation"] == 2
    api.patch(resource.path("one"), {"metadata": {"labels": {"a": "b"}}})
    assert write_status(api, resource, {"phase": "Running"})["status"]["conditions"] == twice
    once = write_status(api, resource, {"conditions": [twice[0], twice[2]]})
    assert once["status"]["conditions"] == [twice[0], twice[2]]


def test_new_duplicates_are_refused_once_the_list_is_a_map(api: ApiClient) -> None:
    resource, twice = stored_duplicates(api)
    write_status(api, resource, {"conditions": twice[:1]})
    with pytest.raises(ApiError, match="Duplicate value"):
        write_status(api, resource, {"conditions": twice})


def stored_empty_reason(api: ApiClient, select: list[str]) -> Resource:
    """An object whose condition has no reason, which its CRD has come to demand."""
    made = crd(version(with_conditions({**LOOSE, "items": without(METAV1["items"], "observedGeneration")})))
    conditions = status_of(made)["properties"]["conditions"]
    del conditions["items"]["properties"]["reason"]["minLength"]
    del conditions["items"]["properties"]["reason"]["pattern"]
    resource = api.apply_crd(made)
    create(api, resource)
    write_status(api, resource, {"conditions": NEVER_REASONED})
    after, applied = fixed(made, select=select)
    assert {finding.rule for finding in applied} == set(select)
    api.apply_crd(after)
    return resource


def test_a_tightened_list_without_map_type_blocks_every_write_of_it(api: ApiClient) -> None:
    resource = stored_empty_reason(api, ["non-metav1-conditions"])
    resize(api, resource, 2)
    write_status(api, resource, {"phase": "Running"})
    for written in (
        [*NEVER_REASONED, condition("Synced")],
        [condition("Ready", "True", reason="")],
    ):
        with pytest.raises(ApiError, match="reason"):
            write_status(api, resource, {"conditions": written})
    write_status(api, resource, {"conditions": [condition("Ready", "False"), condition("Synced")]})


def test_a_tightened_list_with_map_type_lets_what_is_stored_pass(api: ApiClient) -> None:
    resource = stored_empty_reason(api, ["non-metav1-conditions", "conditions-list-type"])
    resize(api, resource, 2)
    write_status(api, resource, {"phase": "Running"})
    write_status(api, resource, {"conditions": [*NEVER_REASONED, condition("Synced")]})
    write_status(api, resource, {"conditions": [condition("Ready", "True", reason=""), condition("Synced")]})
    with pytest.raises(ApiError, match="reason"):
        write_status(api, resource, {"conditions": [condition("Other", reason="")]})


def test_a_writer_that_goes_on_with_the_main_endpoint_writes_nothing(api: ApiClient) -> None:
    made = crd(version(PLAIN, subresource=False))
    resource = api.apply_crd(made)
    create(api, resource)
    api.patch(resource.path("one"), {"status": {"phase": "Before"}})
    after, applied = fixed(made)
    assert "missing-status-subresource" in {finding.rule for finding in applied}
    api.apply_crd(after)

    found = api.get(resource.path("one"))
    written = api.patch(resource.path("one"), {"status": {"phase": "Patched"}})
    assert written["status"]["phase"] == "Before"
    assert written["metadata"]["resourceVersion"] == found["metadata"]["resourceVersion"]
    replaced = api.replace(resource.path("one"), {**found, "status": {"phase": "Updated"}})
    assert replaced["status"]["phase"] == "Before"
    assert write_status(api, resource, {"phase": "After"})["status"]["phase"] == "After"


def test_without_the_subresource_the_generation_runs_away_from_the_observed_one(api: ApiClient) -> None:
    resource = api.apply_crd(crd(version({**PLAIN, "default": NOT_OBSERVED}, subresource=False)))
    found = create(api, resource)
    pairs = []
    for _ in range(3):
        generation = found["metadata"]["generation"]
        found = api.patch(resource.path("one"), {"status": {"observedGeneration": generation}})
        pairs.append((found["metadata"]["generation"], found["status"]["observedGeneration"]))
    assert pairs == [(2, 1), (3, 2), (4, 3)]


def test_stored_duplicates_of_a_tightened_list_block_even_writes_of_the_spec(api: ApiClient) -> None:
    """Two conditions of a type are not matched with what was stored, so the second one is validated anew."""
    made = crd(version(with_conditions(LOOSE)))
    resource = api.apply_crd(made)
    create(api, resource)
    write_status(api, resource, {"conditions": [condition("Ready"), condition("Ready", "False")]})
    api.apply_crd(fixed(made, select=["non-metav1-conditions", "conditions-list-type"])[0])
    with pytest.raises(ApiError, match=r"conditions\[1\]\.lastTransitionTime: Required value"):
        resize(api, resource, 2)
    write_status(api, resource, {"conditions": [condition("Ready")]})
    resize(api, resource, 2)


# Every shape: the fix as an update of a CRD with objects.

WRITTEN: dict[str, Json] = {
    "nothing": {},
    "observed": {"observedGeneration": 1},
    "ready": {"conditions": [condition("Ready")]},
    "no-reason": {"conditions": [condition("Ready"), condition("Synced", "False", reason="")]},
    "bare": {"conditions": [{"type": "Ready", "status": "True"}]},
    "all": {"observedGeneration": 1, "conditions": [condition("Ready")], "phase": "Running", "ready": True},
}
"""What controllers may have written under the old schema, strange things included."""


@pytest.mark.parametrize("name", SHAPES)
def test_the_fix_is_accepted_with_stored_objects_and_blocks_no_write(api: ApiClient, name: str) -> None:
    made = shape(name)
    resource = api.apply_crd(made)
    endpoint = "/status" if "subresources" in made["spec"]["versions"][-1] else ""
    for item, status in WRITTEN.items():
        create(api, resource, item)
        # Where the old schema is stricter, there can be no such object.
        with contextlib.suppress(ApiError):
            api.patch(resource.path(item) + endpoint, {"status": status})
    # Written once more, what was only a default becomes part of the object.
    before = {item: resize(api, resource, 2, item) for item in WRITTEN}

    api.apply_crd(fixed(made)[0])

    for item, stored in before.items():
        found = api.get(resource.path(item))
        assert found["metadata"]["generation"] == stored["metadata"]["generation"]
        if "status" in stored:
            assert found["status"].items() >= stored["status"].items()
        resize(api, resource, 7, item)
        api.patch(resource.path(item), {"metadata": {"labels": {"a": "b"}}})


def test_the_command_line_writes_what_the_server_takes(api: ApiClient) -> None:
    made = crd(version(status_schema({"observedGeneration": INTEGER, "conditions": CAPI})))
    resource = api.apply_crd(made)
    create(api, resource)
    done = subprocess.run(
        [sys.executable, "-m", "crdlint", "fix", "--unsafe-fixes", "-"], input=to_yaml(made), capture_output=True
    )
    assert done.returncode in (0, 1), done.stderr
    after = from_yaml(done.stdout)
    assert status_of(after)["default"] == NOT_OBSERVED
    api.apply_crd(after)
    assert api.get(resource.path("one"))["status"] == NOT_OBSERVED
