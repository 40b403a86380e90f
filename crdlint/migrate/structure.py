"""What keeps a schema from being structural, which v1 demands of every version.

Modelled on apiextensions-apiserver (``pkg/apiserver/schema/convert.go`` and ``validation.go``). Templates, and
malformed keywords other than the type, are passed over: what can be said of them is said elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from crdlint.crd.model import COMPOSITION
from crdlint.crd.schema import (
    EMBEDDED_RESOURCE,
    INT_OR_STRING,
    PRESERVE_UNKNOWN_FIELDS,
    VALIDATIONS,
    additional,
    flag,
    is_templated,
    properties,
    strings,
    text,
)
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer

_UNSUPPORTED = ("id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions")
# What may only stand outside allOf, anyOf, oneOf and not.
_NOT_NESTED = (
    *("type", "additionalProperties", "default", "title", "description", "nullable", PRESERVE_UNKNOWN_FIELDS),
    *(EMBEDDED_RESOURCE, INT_OR_STRING, "x-kubernetes-list-map-keys", "x-kubernetes-list-type"),
    *("x-kubernetes-map-type", VALIDATIONS),
)
TYPES = frozenset(("array", "boolean", "integer", "number", "object", "string"))
_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
_METADATA_MAY_HAVE = frozenset(("type", "default", "properties"))


@dataclass(frozen=True)
class StructuralProblem:
    """Why a schema is not structural: at a JSON pointer from the schema's root."""

    pointer: str
    message: str


def structural_problems(schema: Any) -> list[StructuralProblem]:
    """All of them, in the order of the schema."""
    return list(_node(schema, "", is_root=True)) if isinstance(schema, Mapping) else []


def _node(schema: Mapping[str, Any], pointer: str, is_root: bool = False) -> Iterator[StructuralProblem]:
    yield from _unsupported(schema, pointer)
    yield from _type(schema, pointer, is_root)
    yield from _combinations(schema, pointer, is_root)
    yield from _lists(schema, pointer)
    for name, field in properties(schema).items():
        if isinstance(field, Mapping):
            yield from _node(field, f"{pointer}/properties{join_pointer([name])}")
    items = schema.get("items")
    if isinstance(items, list):
        yield StructuralProblem(f"{pointer}/items", "a list of schemas: v1 admits one schema for all items")
    elif isinstance(items, Mapping):
        yield from _node(items, f"{pointer}/items")
    elif schema.get("type") == "array" and items is None:
        yield StructuralProblem(pointer, "an array without items")
    rest = additional(schema)
    if isinstance(rest, Mapping):
        yield from _node(rest, f"{pointer}/additionalProperties")
    yield from _compositions(schema, schema if is_root else None, pointer, True, is_direct=True)


def _unsupported(schema: Mapping[str, Any], pointer: str) -> Iterator[StructuralProblem]:
    for keyword in _UNSUPPORTED:
        if schema.get(keyword) not in (None, "", {}):
            yield StructuralProblem(pointer + join_pointer([keyword]), f"{keyword} is not supported")
    if schema.get(PRESERVE_UNKNOWN_FIELDS) is False:
        yield StructuralProblem(f"{pointer}/{PRESERVE_UNKNOWN_FIELDS}", "false is not supported: leave it out, or true")


def _type(schema: Mapping[str, Any], pointer: str, is_root: bool) -> Iterator[StructuralProblem]:
    kind = schema.get("type") or ""
    if isinstance(kind, Templated) or is_templated(schema):
        return
    if not isinstance(schema.get("type", ""), str | None):
        yield StructuralProblem(f"{pointer}/type", "the type is not a string: v1 admits one type")
        return
    if flag(schema, EMBEDDED_RESOURCE) and kind != "object":
        yield StructuralProblem(pointer, f"{EMBEDDED_RESOURCE} without `type: object`")
    elif not kind and not flag(schema, INT_OR_STRING) and not flag(schema, PRESERVE_UNKNOWN_FIELDS):
        yield StructuralProblem(pointer, "no type")
    elif kind and kind not in TYPES:
        yield StructuralProblem(f"{pointer}/type", f"{kind} is no type of OpenAPI v3")
    if is_root and kind not in ("", "object"):
        yield StructuralProblem(f"{pointer}/type", f"the root is of type {kind}, not object")


def _combinations(schema: Mapping[str, Any], pointer: str, is_root: bool) -> Iterator[StructuralProblem]:
    """Keywords that exclude each other, and what may be said of metadata."""
    embedded = flag(schema, EMBEDDED_RESOURCE)
    for keyword in (PRESERVE_UNKNOWN_FIELDS, EMBEDDED_RESOURCE):
        if flag(schema, INT_OR_STRING) and flag(schema, keyword):
            yield StructuralProblem(f"{pointer}/{keyword}", f"{keyword} beside {INT_OR_STRING}")
    if schema.get("additionalProperties") is not None and (is_root or embedded):
        where = "at the root" if is_root else f"beside {EMBEDDED_RESOURCE}"
        yield StructuralProblem(f"{pointer}/additionalProperties", f"additionalProperties {where}")
    fields = properties(schema)
    if embedded and not fields and not flag(schema, PRESERVE_UNKNOWN_FIELDS):
        yield StructuralProblem(pointer, f"{EMBEDDED_RESOURCE} without properties or {PRESERVE_UNKNOWN_FIELDS}")
    if is_root or embedded:
        for name, wanted in (("apiVersion", "string"), ("kind", "string"), ("metadata", "object")):
            field = fields.get(name)
            if isinstance(field, Mapping) and field.get("type") != wanted and not is_templated(field):
                yield StructuralProblem(f"{pointer}/properties/{name}", f"{name} is not of type {wanted}")
    if is_root and isinstance(fields.get("metadata"), Mapping) and _says_too_much(fields["metadata"]):
        yield StructuralProblem(
            f"{pointer}/properties/metadata", "the metadata of the root may restrict name and generateName, and no more"
        )


def _says_too_much(metadata: Mapping[str, Any]) -> bool:
    said = {key for key, value in metadata.items() if value not in (None, "", {}, [])}
    return not said <= _METADATA_MAY_HAVE or not set(properties(metadata)) <= {"name", "generateName"}


def _lists(schema: Mapping[str, Any], pointer: str) -> Iterator[StructuralProblem]:
    """What v1 demands of sets and list maps beyond v1beta1."""
    kind, items = schema.get("x-kubernetes-list-type"), schema.get("items")
    if kind not in ("set", "map") or not isinstance(items, Mapping):
        return
    if items.get("nullable") is True:
        yield StructuralProblem(f"{pointer}/items/nullable", f"nullable items of a list of type {kind}")
    if kind == "set":
        nested = {"array": "x-kubernetes-list-type", "object": "x-kubernetes-map-type"}.get(text(items, "type"))
        implicit = "atomic" if nested == "x-kubernetes-list-type" else None
        if nested is not None and items.get(nested, implicit) != "atomic":
            yield StructuralProblem(f"{pointer}/items", f"items of a set without `{nested}: atomic`")
        return
    for key in strings(schema, "x-kubernetes-list-map-keys"):
        field = properties(items).get(key)
        if isinstance(field, Mapping):
            below = f"{pointer}/items/properties{join_pointer([key])}"
            if field.get("default") is None and key not in strings(items, "required"):
                yield StructuralProblem(below, f"the key {key} of a list map is neither required nor has a default")
            if field.get("nullable") is True:
                yield StructuralProblem(f"{below}/nullable", f"the key {key} of a list map is nullable")


def _compositions(
    schema: Mapping[str, Any],
    outside: Mapping[str, Any] | None,
    pointer: str,
    may_be_int_or_string: bool,
    is_direct: bool,
) -> Iterator[StructuralProblem]:
    """What stands below allOf, anyOf, oneOf and not.

    ``outside`` is the schema whose fields they may speak of; None where nobody checks that, which is all but the root.
    """
    for keyword in COMPOSITION:
        branches = schema.get(keyword)
        if keyword == "anyOf" and may_be_int_or_string and branches == _INT_OR_STRING:
            continue
        for index, branch in enumerate(branches if isinstance(branches, list) else [branches]):
            if isinstance(branch, Mapping):
                below = f"{pointer}/{keyword}" + (f"/{index}" if isinstance(branches, list) else "")
                yield from _nested(branch, outside, below, is_direct and keyword == "allOf" and index == 0)


def _nested(
    schema: Mapping[str, Any], outside: Mapping[str, Any] | None, pointer: str, may_be_int_or_string: bool = False
) -> Iterator[StructuralProblem]:
    yield from _unsupported(schema, pointer)
    for keyword in _NOT_NESTED:
        value = schema.get(keyword)
        if value not in (None, "", False, [], {}) or (keyword == "additionalProperties" and value == {}):
            yield StructuralProblem(f"{pointer}/{keyword}", f"{keyword} inside allOf, anyOf, oneOf or not")
        elif keyword == "default" and value is not None:
            yield StructuralProblem(f"{pointer}/default", "a default inside allOf, anyOf, oneOf or not")
    fields = properties(schema)
    if "metadata" in fields:
        yield StructuralProblem(f"{pointer}/properties/metadata", "metadata inside allOf, anyOf, oneOf or not")
    for name, field in fields.items():
        if isinstance(field, Mapping):
            below = f"{pointer}/properties{join_pointer([name])}"
            there = None if outside is None else properties(outside).get(name)
            if outside is not None and there is None:
                yield StructuralProblem(below, f"{name} is declared here, and not outside")
            yield from _nested(field, there if isinstance(there, Mapping) else None, below)
    items = schema.get("items")
    if isinstance(items, Mapping):
        there = None if outside is None else outside.get("items")
        if outside is not None and there is None:
            yield StructuralProblem(f"{pointer}/items", "items are declared here, and not outside")
        yield from _nested(items, there if isinstance(there, Mapping) else None, f"{pointer}/items")
    yield from _compositions(schema, outside, pointer, may_be_int_or_string, is_direct=False)
