"""What the API server refuses, and that it takes what crdlint makes of it."""

from __future__ import annotations

import pytest

from crdlint.findings import Applicability
from tests.e2e.crds import (
    INTEGER,
    METAV1,
    NOT_OBSERVED,
    crd,
    fixed,
    status_of,
    status_schema,
    version,
    with_status,
)
from tests.e2e.objects import create
from tests.upstream.controlplane.api_client import ApiClient, ApiError, Json


def naively_defaulted(made: Json) -> Json:
    """The cure that comes to mind first: the default, and nothing else."""
    return with_status(made, {**status_of(made), "default": NOT_OBSERVED})


@pytest.mark.parametrize("default", [{}, {"default": NOT_OBSERVED}], ids=["plain", "defaulted"])
@pytest.mark.parametrize("sent", [{}, {"status": {"observedGeneration": 1}}], ids=["without", "with"])
def test_no_object_can_be_created_where_the_root_requires_status(api: ApiClient, default: Json, sent: Json) -> None:
    status = status_schema({"observedGeneration": INTEGER}, **default)
    made = crd(version(status, required=["spec", "status"]))
    resource = api.apply_crd(made)
    with pytest.raises(ApiError, match="status: Required value"):
        create(api, resource, **sent)

    after, applied = fixed(made, Applicability.SAFE)
    assert "status-required-at-root" in {finding.rule for finding in applied}
    api.apply_crd(after)
    assert create(api, resource, **sent)["status"] == NOT_OBSERVED


def test_a_minimum_forbids_the_default_until_it_is_lowered(api: ApiClient) -> None:
    made = crd(version(status_schema({"observedGeneration": {**INTEGER, "minimum": 1}, "conditions": METAV1})))
    with pytest.raises(ApiError, match=r"\[status\]\.default\.observedGeneration: Invalid value: -1"):
        api.apply_crd(naively_defaulted(made))
    resource = api.apply_crd(fixed(made)[0])
    assert create(api, resource)["status"] == NOT_OBSERVED


def test_a_required_field_forbids_the_default_until_it_is_completed_or_loosened(api: ApiClient) -> None:
    properties = {"observedGeneration": INTEGER, "ready": {"type": "boolean"}, "conditions": METAV1}
    made = crd(version(status_schema(properties, required=["ready"])))
    with pytest.raises(ApiError, match=r"\[status\]\.default\.ready: Required value"):
        api.apply_crd(naively_defaulted(made))

    completed, _ = fixed(made, select=["missing-observed-generation-default"])
    resource = api.apply_crd(completed)
    assert create(api, resource, "completed")["status"] == {**NOT_OBSERVED, "ready": False}

    api.apply_crd(fixed(made)[0])
    assert create(api, resource, "loosened")["status"] == NOT_OBSERVED


def test_a_field_that_is_not_declared_may_not_be_defaulted(api: ApiClient) -> None:
    made = crd(version(status_schema({"conditions": METAV1})))
    with pytest.raises(ApiError, match=r"\[status\]\.default: .*unknown fields"):
        api.apply_crd(naively_defaulted(made))
    resource = api.apply_crd(fixed(made)[0])
    assert create(api, resource)["status"] == NOT_OBSERVED


def test_a_root_keyword_forbids_the_subresource_and_crdlint_leaves_it_off(api: ApiClient) -> None:
    status = status_schema({"observedGeneration": INTEGER})
    one_of = [{"required": ["spec"]}]
    with pytest.raises(ApiError, match="at the root of the schema if the status subresource is enabled"):
        api.apply_crd(crd(version(status, oneOf=one_of)))
    made = crd(version(status, subresource=False, oneOf=one_of))
    after, applied = fixed(made)
    assert "missing-status-subresource" not in {finding.rule for finding in applied}
    assert "subresources" not in after["spec"]["versions"][0]
    api.apply_crd(after)


def test_a_list_map_whose_key_is_not_required_is_refused_and_the_fix_requires_it(api: ApiClient) -> None:
    keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"]}
    items = {"type": "object", "properties": {"type": {"type": "string"}, "status": {"type": "string"}}}
    loose = {"type": "array", "items": items}
    made = crd(version(status_schema({"conditions": loose})))
    with pytest.raises(ApiError, match="type"):
        api.apply_crd(with_status(made, status_schema({"conditions": {**loose, **keys}})))
    after, _ = fixed(made, select=["conditions-list-type"])
    assert {**status_of(after)["properties"]["conditions"], "items": None} == {**loose, **keys, "items": None}
    api.apply_crd(after)
