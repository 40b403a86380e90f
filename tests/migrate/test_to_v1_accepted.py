"""What v1beta1 fills in or puts up with, v1 does not: what is called converted is accepted all the same, in one run."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crdlint.migrate.planner import Wishes
from tests.migrate.test_to_v1 import converted
from tests.migrate.work_tree import planned
from tests.surroundings import ask_oracle

FILE = "x.yaml"
TOP: dict[str, Any] = {
    "group": "example.com",
    "scope": "Cluster",
    "version": "v1",
    "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
    "versions": [{"name": "v1", "served": True, "storage": True}],
    "validation": {"openAPIV3Schema": {"type": "object"}},
    "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.x", "statusReplicasPath": ".status.x"}},
    "additionalPrinterColumns": [{"name": "a", "type": "string", "JSONPath": ".spec.a", "priority": 0}],
    "conversion": {"strategy": "None"},
    "preserveUnknownFields": False,
}
NONE = {"strategy": "None"}
WEBHOOK = {
    "strategy": "Webhook",
    "webhookClientConfig": {"url": "https://example.com/convert"},
    "conversionReviewVersions": ["v1"],
}
COLUMNS = "additionalPrinterColumns"
_MOVED = {"validation": "schema", "subresources": "subresources", COLUMNS: COLUMNS}
_FIRST = {"name": "v1", "served": True, "storage": True, **{new: TOP[old] for old, new in _MOVED.items()}}
_SECOND = {
    "name": "v2",
    "served": True,
    "storage": False,
    "schema": {"openAPIV3Schema": {"type": "object", "description": "x"}},
    "subresources": {"status": {}},
    COLUMNS: [],
}
SPECS = {
    "top level": TOP,
    "webhook": {**TOP, "conversion": WEBHOOK},
    "per version": {**{key: TOP[key] for key in TOP if key not in _MOVED}, "versions": [_FIRST, _SECOND]},
}
ABSENT = object()
_DECIDED = "spec.preserveUnknownFields: Invalid value: true"


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def mutated(spec: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    spec = copy.deepcopy(spec)
    holder: Any = spec
    for part in path[:-1]:
        holder = holder[part]
    if value is ABSENT:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return spec


def mutations() -> Iterator[dict[str, Any]]:
    """Everything absent, null and empty in turn; and conversions that say both things, or null beside None."""
    for spec in SPECS.values():
        for path in places(spec):
            yield from (mutated(spec, path, value) for value in (ABSENT, None, "", {}, []))
    for name, value in WEBHOOK.items():
        for said in (value, None):
            yield {**TOP, "conversion": {**NONE, name: said}}
    yield {**TOP, "versions": None, "scope": None, "conversion": None}


def crd(spec: dict[str, Any]) -> bytes:
    metadata = {"name": "widgets.example.com"}
    head = {"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "metadata": metadata}
    return json.dumps({**head, "spec": spec}, indent=1).encode()


def judged(folder: Path, texts: list[bytes]) -> list[list[str]]:
    """The errors of each text, in which there is one CRD."""
    paths = [folder / f"{index}.yaml" for index in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
    return [[one for one in answer["errors"] if not one.startswith(_DECIDED)] for answer in ask_oracle(paths)]


def test_what_is_called_done_is_accepted(tmp_path: Path) -> None:
    """What an API server took as v1beta1 it takes as v1, and nothing of v1beta1 is left standing in the others."""
    before, after = [], []
    for data in map(crd, mutations()):
        text, conversions = converted(data)
        if conversions and not conversions[0].problems:
            before.append(data)
            after.append(text)
    admitted = 0
    for old, errors, text in zip(judged(tmp_path, before), judged(tmp_path, after), after, strict=True):
        admitted += not old
        assert errors == [] or old, (errors, text.decode())
        assert not any(error.startswith("strict:") for error in errors), (errors, text.decode())
        assert not any("spec.conversion.strategy" in error or "spec.scope" in error for error in errors), errors
    assert admitted > 110


@pytest.mark.parametrize("strategy", [ABSENT, None, ""])
def test_a_conversion_without_a_strategy(strategy: object) -> None:
    conversion = {} if strategy is ABSENT else {"strategy": strategy}
    data = crd({**TOP, "conversion": conversion})
    after, (found,) = converted(data)
    assert after == data
    assert [problem.pointer for problem in found.problems] == ["/spec/conversion"]


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ({**TOP, "scope": ""}, {"scope": "Namespaced"}),
        (
            {**TOP, "conversion": {"strategy": "None", "webhookClientConfig": None}},
            {"conversion": NONE},
        ),
        (
            {**TOP, "conversion": {**WEBHOOK, "conversionReviewVersions": []}},
            {
                "conversion": {
                    "strategy": "Webhook",
                    "webhook": {
                        "clientConfig": WEBHOOK["webhookClientConfig"],
                        "conversionReviewVersions": ["v1beta1"],
                    },
                }
            },
        ),
        ({**TOP, "versions": []}, {"versions": [_FIRST]}),
    ],
)
def test_what_was_the_default_is_written_down(spec: dict[str, Any], written: dict[str, Any]) -> None:
    after, (found,) = converted(crd(spec))
    assert found.problems == []
    said = json.loads(after)["spec"]
    columns = [column for version in said["versions"] for column in version[COLUMNS]]
    for column in columns:
        column["JSONPath"] = column.pop("jsonPath")
    assert {key: said[key] for key in written} == written


CONDITION = {
    "lastTransitionTime": {"type": "string", "format": "date-time"},
    "message": {"type": "string"},
    "reason": {"type": "string"},
    "status": {"type": "string"},
    "type": {"type": "string"},
}


# Without a typed ``type`` nobody can know that these are conditions.
FIXED = ("lastTransitionTime", "message", "reason", "status")


@pytest.mark.parametrize("fields", [*((name,) for name in FIXED), FIXED], ids=" ".join)
@pytest.mark.parametrize("also_elsewhere", [False, True])
def test_one_run_is_enough(fields: tuple[str, ...], also_elsewhere: bool) -> None:
    """A condition's field without a type gets it from a fix, and is structural from then on; another field stays."""
    condition = {name: {} if name in fields else schema for name, schema in CONDITION.items()}
    items = {"type": "object", "properties": condition, "required": sorted(CONDITION)}
    status = {"type": "object", "properties": {"conditions": {"type": "array", "items": items}}}
    spec = {"type": "object", "properties": {"x": {} if also_elsewhere else {"type": "string"}}}
    schema = {"type": "object", "properties": {"spec": spec, "status": status}}
    data = crd({**TOP, "validation": {"openAPIV3Schema": schema}})
    plan = planned({FILE: data}, Wishes(to_v1=True))
    (conversion,) = [step for _, step in plan.steps() if step.rule == "obsolete-crd-version"]
    assert conversion.is_planned is not also_elsewhere
    assert len(conversion.reasons) == also_elsewhere
    again = planned({FILE: plan.files[FILE].after}, Wishes(to_v1=True))
    assert [step.name for _, step in again.steps() if step.is_planned] == []


def test_the_cluster_api_is_heeded_before_the_conversion() -> None:
    """Its old conditions stay as they are, so that nothing makes the schema structural in passing."""
    condition = {**CONDITION, "reason": {}, "severity": {"type": "string"}}
    items = {"type": "object", "properties": condition, "required": ["type", "status"]}
    status = {"type": "object", "properties": {"conditions": {"type": "array", "items": items}}}
    schema = {"type": "object", "properties": {"status": status}}
    spec = {**TOP, "group": "infrastructure.cluster.x-k8s.io", "validation": {"openAPIV3Schema": schema}}
    plan = planned({FILE: crd(spec)}, Wishes(to_v1=True))
    left_out = {step.rule for _, step in plan.steps() if step.is_left_out}
    assert "non-metav1-conditions" in left_out
    assert b"apiextensions.k8s.io/v1beta1" in plan.files[FILE].after
