"""CRDs for tests, from the little that matters."""

from __future__ import annotations

import json
from typing import Any

from crdlint.crd.model import Crd, Version, crds_of
from crdlint.yamltext.parse import parse

METAV1: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["lastTransitionTime", "message", "reason", "status", "type"],
        "properties": {
            "lastTransitionTime": {"type": "string", "format": "date-time"},
            "message": {"type": "string"},
            "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
            "reason": {"type": "string", "minLength": 1},
            "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
            "type": {"type": "string"},
        },
    },
}
OBSERVED: dict[str, Any] = {"type": "integer", "format": "int64"}
GUARD: dict[str, Any] = {"observedGeneration": -1}


def without_generation(conditions: dict[str, Any]) -> dict[str, Any]:
    """The same conditions, without a generation of their own."""
    items = conditions["items"]
    kept = {name: schema for name, schema in items["properties"].items() if name != "observedGeneration"}
    return {**conditions, "items": {**items, "properties": kept}}


def status_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def crd_of(status: dict[str, Any] | None, *, subresource: bool = True, group: str = "example.com") -> Crd:
    properties: dict[str, Any] = {"spec": {"type": "object"}}
    if status is not None:
        properties["status"] = status
    version: dict[str, Any] = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
    }
    if subresource:
        version["subresources"] = {"status": {}}
    data = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": "Widget", "plural": "widgets"},
            "scope": "Namespaced",
            "versions": [version],
        },
    }
    root = parse(json.dumps(data)).documents[0].root
    assert root is not None
    return next(crds_of(root))


def version_of(status: dict[str, Any] | None, *, subresource: bool = True) -> Version:
    return crd_of(status, subresource=subresource).versions[0]
