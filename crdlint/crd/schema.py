"""Reading the nodes of an OpenAPI v3 schema whose keywords may be malformed, or filled in by a template.

A malformed keyword is read as if it were absent. Where a template stands for a node, the node is ``UNKNOWN``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from crdlint.crd.plain import as_float
from crdlint.yamltext.data import FURTHER_KEYS, Templated

Schema = Mapping[str, Any]

# A node of which nothing is known: a template adds its keys.
UNKNOWN: Schema = {FURTHER_KEYS: FURTHER_KEYS}

PRESERVE_UNKNOWN_FIELDS = "x-kubernetes-preserve-unknown-fields"
EMBEDDED_RESOURCE = "x-kubernetes-embedded-resource"
INT_OR_STRING = "x-kubernetes-int-or-string"
VALIDATIONS = "x-kubernetes-validations"

# Keywords that no value is measured by.
_ANNOTATIONS = frozenset(
    {
        "default",
        "description",
        "example",
        "externalDocs",
        "title",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
    }
)


def node(raw: Any) -> Schema:
    """What stands where a schema is expected, as a schema."""
    if isinstance(raw, Mapping):
        return raw
    return UNKNOWN if isinstance(raw, Templated) else {}


def nodes(schema: Schema, name: str) -> list[Schema]:
    """The schemas of ``allOf``, ``anyOf`` or ``oneOf``."""
    raw = schema.get(name)
    return [node(item) for item in raw] if isinstance(raw, list) else []


def properties(schema: Schema) -> Mapping[str, Any]:
    """The declared fields."""
    return node(schema.get("properties"))


def items(schema: Schema) -> Schema | None:
    """The schema of a list's items, None where none is given."""
    raw = schema.get("items")
    return node(raw) if isinstance(raw, Mapping | Templated) else None


def additional(schema: Schema) -> Schema | bool | None:
    """The schema of undeclared fields, or whether they are allowed, None where nothing is said."""
    raw = schema.get("additionalProperties")
    return node(raw) if isinstance(raw, Mapping | Templated) else flag_or_none(raw)


def field_schema(schema: Schema, key: str) -> tuple[bool, Schema | None]:
    """Is the field specified, and by which schema? ``additionalProperties: true`` specifies fields without a schema."""
    declared = properties(schema)
    if key in declared:
        return True, node(declared[key])
    rest = additional(schema)
    if is_open(schema) or is_open(declared) or isinstance(key, Templated):
        return True, UNKNOWN
    return rest is not None, rest if isinstance(rest, Mapping) else None


def is_open(data: Mapping[str, Any] | Sequence[Any]) -> bool:
    """Does a template add keys, or items, to it?"""
    return any(isinstance(entry, Templated) for entry in data)


def is_templated(schema: Schema) -> bool:
    """Does a template fill in a keyword that values are measured by?"""
    for key, value in schema.items():
        if isinstance(key, Templated) or (isinstance(value, Templated) and key not in _ANNOTATIONS):
            return True
    return False


def flag(schema: Schema, name: str) -> bool:
    """Is the keyword ``true``?"""
    return schema.get(name) is True


def flag_or_none(raw: Any) -> bool | None:
    """A boolean, or None for anything else."""
    return raw if isinstance(raw, bool) else None


def text(schema: Schema, name: str) -> str:
    """A string keyword; "" counts as absent, as in Go."""
    raw = schema.get(name)
    return raw if isinstance(raw, str) and not isinstance(raw, Templated) else ""


def number(schema: Schema, name: str) -> float | None:
    """A bound, which the API server holds as a 64-bit float."""
    raw = schema.get(name)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    return as_float(raw)


def count(schema: Schema, name: str) -> int | None:
    """A length or a number of items."""
    value = number(schema, name)
    return int(value) if value is not None and math.isfinite(value) and value.is_integer() else None


def strings(schema: Schema, name: str) -> list[str]:
    """The strings of a list keyword, templated ones included."""
    raw = schema.get(name)
    return [item for item in raw if isinstance(item, str)] if isinstance(raw, list) else []


def own_default(schema: Schema) -> Any:
    """The default of a node, None where it has none: ``default: null`` is read as absent (``v1/marshal.go``)."""
    return schema.get("default")


def join(path: str, key: str) -> str:
    """The path of a field: ``status.phase``."""
    return f"{path}.{key}" if path else key
