"""Which condition types the text of a CRD names."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from crdlint.crd.model import Version, crds_of
from crdlint.healthchecks.conditions_of import Source, in_description, named_in, observes_generation, types_of
from crdlint.yamltext.parse import parse
from tests.consumers.build import METAV1, crd_of, status_of, without_generation

DESCRIPTIONS = {
    "Conditions of the Widget.\nKnown condition types are Ready.": ["Ready"],
    "Known condition types are Ready, Paused and Deleting.": ["Ready", "Paused", "Deleting"],
    "Known condition types are A1, B2, and C3, among others.": ["A1", "B2", "C3"],
    "Known condition types are Available, MachinesReady\nMachinesUpToDate, Paused.\nAdditionally, a Topology…": [
        "Available",
        "MachinesReady",
        "MachinesUpToDate",
        "Paused",
    ],
    "Known condition types are Ready\nThe controller sets it.": ["Ready"],
    "Type of the condition, known values are (`Ready`, `Issuing`).": ["Ready", "Issuing"],
    'Known condition types are:\n\n* "Accepted"\n* "Programmed"\n\nImplementations may add more.': [
        "Accepted",
        "Programmed",
    ],
    'Standard condition types include:\n- "Available": it works\n- "Degraded": it does not\n\nThe status is True.': [
        "Available",
        "Degraded",
    ],
    "Known condition types are:\n- Ready, VMProvisioned and Paused when in memory.\n- Ready, Booted in Docker.": [
        "Ready",
        "VMProvisioned",
        "Paused",
        "Ready",
        "Booted",
    ],
    "Many .condition.type values are consistent across resources like Available, but arbitrary ones can be useful.": [],
    "Conditions defines current service state of the Widget.\nThe Ready condition must surface issues.": [],
    "type of condition in CamelCase or in foo.example.com/CamelCase.": [],
}


def version_with(columns: list[Any], conditions: dict[str, Any], **status: Any) -> Version:
    crd = crd_of({**status_of(conditions=conditions), **status})
    data = crd.data("")
    data["spec"]["versions"][0]["additionalPrinterColumns"] = columns
    root = parse(json.dumps(data)).documents[0].root
    assert root is not None
    return next(crds_of(root)).versions[0]


def conditions(items: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    fields = {**METAV1["items"]["properties"], **(items or {})}
    return {**METAV1, "items": {**METAV1["items"], "properties": fields}, **more}


def named(version: Version) -> dict[Source, tuple[str, ...]]:
    return {found.source: found.types for found in named_in(version) if found.types}


@pytest.mark.parametrize("text", DESCRIPTIONS)
def test_descriptions(text: str) -> None:
    assert list(in_description(text)) == DESCRIPTIONS[text]


@pytest.mark.parametrize(
    "text", ["\n", " ", "Known values are\n- ", "known values are A1, ", "A1\n", ",", "(", "-\n", "A"]
)
def test_long_descriptions_cost_little(text: str) -> None:
    begun = time.process_time()
    list(in_description("Known condition types are Ready" + text * 200_000))
    assert time.process_time() - begun < 2


def test_columns() -> None:
    paths = (
        ".status.conditions[?(@.type=='Ready')].status",
        '.status.conditions[?(@.type == "Synced")].reason',
        ".status.conditions[?( @.type=='foo.example.com/Up' )].message",
        ".spec.status.conditions[?(@.type=='Elsewhere')].status",
        ".status.conditions[*].type",
        ".status.conditions[?(@.status=='True')].type",
        None,
    )
    version = version_with([{"name": "x", "type": "string", "jsonPath": path} for path in paths], METAV1)
    assert named(version) == {Source.COLUMN: ("Ready", "Synced", "foo.example.com/Up")}


@pytest.mark.parametrize("columns", [[None], ["x"], [{}], [{"jsonPath": 3}]])
def test_columns_of_another_shape(columns: list[Any]) -> None:
    assert named(version_with(columns, METAV1)) == {}


def test_enum() -> None:
    kind = {"type": "string", "enum": ["Ready", "", 3, None, "Ready", "Synced"]}
    assert named(version_with([], conditions({"type": kind}))) == {Source.ENUM: ("Ready", "Synced")}
    assert named(version_with([], conditions({"type": {"type": "string", "enum": "Ready"}}))) == {}


def test_default() -> None:
    default = [{"type": "Accepted", "status": "Unknown"}, {"type": "Programmed", "status": "Unknown"}]
    version = version_with([], conditions(default=default), default={})
    assert named(version) == {Source.DEFAULT: ("Accepted", "Programmed")}


def test_types_of_objects() -> None:
    found = [{"type": "Ready"}, {"type": "\ud800"}, {"type": 3}, "x", None, {}, {"type": ""}, {"type": "Ready"}]
    assert types_of({"status": {"conditions": found}}) == ("Ready",)
    for status in ({"conditions": {"Ready": "True"}}, {"conditions": None}, {}, None, "x"):
        assert types_of({"status": status}) == ()


def test_descriptions_of_list_items_and_type() -> None:
    text = "Known condition types are {}."
    kind = {"type": "string", "description": text.format("C1")}
    found = conditions({"type": kind}, description=text.format("A1"))
    found["items"]["description"] = text.format("B1")
    assert named(version_with([], found)) == {Source.DESCRIPTION: ("A1", "B1", "C1")}


def test_generation_of_conditions() -> None:
    assert observes_generation(crd_of(status_of(conditions=METAV1)).versions[0])
    assert not observes_generation(crd_of(status_of(conditions=without_generation(METAV1))).versions[0])
    opaque = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert observes_generation(crd_of(opaque).versions[0])
