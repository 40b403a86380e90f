"""CRDs to try out: a builder, and what crdlint makes of them."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from ruamel.yaml import YAML

from crdlint.choices import Choices
from crdlint.findings import Applicability, Finding
from crdlint.runner import Job
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests.upstream.controlplane.api_client import Json

_numbers = itertools.count(1)

INTEGER: Json = {"type": "integer", "format": "int64"}
NOT_OBSERVED: Json = {"observedGeneration": -1}
METAV1_ITEM: Json = {
    "type": "object",
    "required": ["lastTransitionTime", "message", "reason", "status", "type"],
    "properties": {
        "lastTransitionTime": {"type": "string", "format": "date-time"},
        "message": {"type": "string", "maxLength": 32768},
        "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
        "reason": {
            "type": "string",
            "minLength": 1,
            "maxLength": 1024,
            "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
        },
        "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
        "type": {
            "type": "string",
            "maxLength": 316,
            "pattern": r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
            r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
        },
    },
}
BY_TYPE: Json = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"]}
METAV1: Json = {"type": "array", **BY_TYPE, "items": METAV1_ITEM}
# A list as it is written by hand: strings, nothing required but the type.
LOOSE: Json = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["status", "type"],
        "properties": {key: {"type": "string"} for key in ("message", "reason", "status", "type")},
    },
}


def without(schema: Json, *keys: str) -> Json:
    """A copy of an object's schema without some of its properties."""
    kept = {key: value for key, value in schema["properties"].items() if key not in keys}
    required = [key for key in schema.get("required", ()) if key not in keys]
    return {**schema, "properties": kept, **({"required": required} if required else {})}


CAPI: Json = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["lastTransitionTime", "status", "type"],
        "properties": {
            "lastTransitionTime": {"type": "string", "format": "date-time"},
            "message": {"type": "string", "minLength": 1, "maxLength": 10240},
            "reason": {"type": "string", "minLength": 1, "maxLength": 256},
            "severity": {"type": "string", "maxLength": 32},
            "status": {"type": "string"},
            "type": {"type": "string", "minLength": 1, "maxLength": 256},
        },
    },
}


def status_schema(properties: Mapping[str, Any], **keywords: Any) -> Json:
    """An object's schema."""
    return {"type": "object", "properties": dict(properties), **keywords}


def version(status: Json | None, *, subresource: bool = True, name: str = "v1", **root: Any) -> Json:
    """A served version that is stored, with the root schema's further keywords."""
    properties: Json = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object"},
        "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
    }
    if status is not None:
        properties["status"] = deepcopy(status)
    schema = {"type": "object", "properties": properties, **root}
    made: Json = {"name": name, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    if subresource:
        made["subresources"] = {"status": {}}
    return made


def crd(*versions: Json) -> Json:
    """A CRD of a kind that no other test has."""
    number = next(_numbers)
    group = f"t{number}.example.com"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
            "scope": "Namespaced",
            "versions": list(versions),
        },
    }


def with_status(before: Json, status: Json) -> Json:
    """The CRD with another status in its only version."""
    after = deepcopy(before)
    only = after["spec"]["versions"][0]
    only["schema"]["openAPIV3Schema"]["properties"]["status"] = deepcopy(status)
    return after


def status_of(made: Json) -> Json:
    """The status schema of the only version."""
    found: Json = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]
    return found


def to_yaml(made: Json) -> bytes:
    """The CRD as a file would have it."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    stream = io.StringIO()
    yaml.dump(made, stream)
    return stream.getvalue().encode()


def from_yaml(data: bytes) -> Json:
    root = parse(data.decode()).documents[0].root
    assert root is not None
    found: Json = to_data(root)
    return found


def fixed(
    made: Json, applicability: Applicability = Applicability.UNSAFE, select: Sequence[str] | None = None
) -> tuple[Json, list[Finding]]:
    """What ``crdlint fix`` leaves of a CRD, and what it cured."""
    choices = Choices(select=None if select is None else tuple(select))
    run = Job(choices, fixes=applicability).run_bytes("crd.yaml", to_yaml(made))
    return from_yaml(run.after), run.applied
