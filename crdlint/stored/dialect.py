"""Structural schemas as a dialect of JSON Schema, which the library ``jsonschema`` walks values by.

Keywords that depend on one another are evaluated together, as the validators of kube-openapi do it (``nullable`` and
``format`` change what ``type`` means). Every node is compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jsonschema import validators
from jsonschema.protocols import Validator

from crdlint.crd.formats import is_format
from crdlint.crd.schema import (
    EMBEDDED_RESOURCE,
    INT_OR_STRING,
    VALIDATIONS,
    Schema,
    additional,
    items,
    node,
    nodes,
    properties,
    text,
)
from crdlint.stored import keywords
from crdlint.stored.keywords import LIST_KEYS, LIST_TYPE, Errors

# What a node keeps as it is; formats and the nodes below are compiled.
_KEPT = (
    *("type", INT_OR_STRING, "nullable", "enum", "required", EMBEDDED_RESOURCE, LIST_TYPE, LIST_KEYS, VALIDATIONS),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
)
_NUMBER_FORMATS = {"integer": ("int32", "int64"), "number": ("float", "double")}
# Formats that came with a version of Kubernetes.
_SINCE = {"k8sshortname": (1, 35), "k8slongname": (1, 35)}


def compiled(schema: Schema, kubernetes: tuple[int, int]) -> Validator:
    """A schema as that version of Kubernetes holds objects against it."""
    blank = _Dialect({})

    def compile_node(raw: Schema) -> Validator:
        below, rest, ruled_out = items(raw), additional(raw), raw.get("not")
        parts = {
            **{name: raw.get(name) for name in _KEPT},
            "format": _known_format(raw, kubernetes),
            "properties": {name: compile_node(node(field)) for name, field in properties(raw).items()},
            "additionalProperties": compile_node(rest) if isinstance(rest, Mapping) else rest,
            "items": None if below is None else compile_node(below),
            **{name: [compile_node(branch) for branch in nodes(raw, name)] for name in ("allOf", "anyOf", "oneOf")},
            "not": compile_node(ruled_out) if isinstance(ruled_out, Mapping) else None,
        }
        return blank.evolve(schema={name: part for name, part in parts.items() if part not in (None, "", {}, [])})

    return compile_node(schema)


def _known_format(schema: Schema, kubernetes: tuple[int, int]) -> str:
    """The format, if it is checked at all for this type (``apiserver/validation/formats.go``)."""
    form, kind = text(schema, "format"), text(schema, "type")
    if kind in ("", "string"):
        return form if is_format(form) and kubernetes >= _SINCE.get(form.replace("-", ""), (1, 0)) else ""
    return form if form in _NUMBER_FORMATS.get(kind, ()) else ""


# kube-openapi's validators, and the keywords that call for each.
_VALIDATORS: dict[str, tuple[Callable[[Any, Any, Any, Any], Errors], tuple[str, ...]]] = {
    "type": (keywords.type_, ("type", INT_OR_STRING, "format")),
    "enum": (keywords.enum, ("enum",)),
    "number": (keywords.number, ("type", "minimum", "maximum", "multipleOf")),
    "string": (keywords.string, ("minLength", "maxLength", "pattern")),
    "format": (keywords.format_, ("format",)),
    "list": (keywords.list_, ("items", "minItems", "maxItems", "uniqueItems")),
    "object": (keywords.object_, ("properties", "additionalProperties", "required", "minProperties", "maxProperties")),
    "allOf": (keywords.all_of, ("allOf",)),
    "anyOf": (keywords.any_of, ("anyOf",)),
    "oneOf": (keywords.one_of, ("oneOf",)),
    "not": (keywords.not_, ("not",)),
    LIST_TYPE: (keywords.list_type, (LIST_TYPE,)),
    EMBEDDED_RESOURCE: (keywords.embedded, (EMBEDDED_RESOURCE,)),
    VALIDATIONS: (keywords.rules, (VALIDATIONS,)),
}


def _applicable(schema: Any) -> list[tuple[str, Any]]:
    return [(name, None) for name, (_, called_by) in _VALIDATORS.items() if any(key in schema for key in called_by)]


_Dialect = validators.create(
    meta_schema={},
    validators={name: function for name, (function, _) in _VALIDATORS.items()},
    applicable_validators=_applicable,
)
