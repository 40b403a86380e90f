"""The shapes that the contract gives to fields, and how a declared schema differs from one.

A shape is a schema as the book's Go types generate it; it is what a fix writes. Its ``required`` names what has to be
declared. Only what decides whether Cluster API can read a value counts as a difference: types, list or map, values
outside an enum. Bounds do not; `markers` looks at those.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.crd.parts import Part
from crdlint.yamltext.data import Templated

Shape = dict[str, Any]

BOOLEAN: Shape = {"type": "boolean"}
INT32: Shape = {"format": "int32", "type": "integer"}
SECONDS: Shape = {"format": "int32", "minimum": 0, "type": "integer"}
STRING: Shape = {"type": "string"}
OBJECT: Shape = {"type": "object"}
TIME: Shape = {"format": "date-time", "type": "string"}
MAP_OF_STRINGS: Shape = {"additionalProperties": STRING, "type": "object"}


def text(longest: int) -> Shape:
    """A text that is not empty."""
    return {"maxLength": longest, "minLength": 1, "type": "string"}


def struct(*required: str, **fields: Shape) -> Shape:
    found: Shape = {"properties": dict(sorted(fields.items())), "type": "object"}
    return {"properties": found["properties"], "required": sorted(required), "type": "object"} if required else found


def array(items: Shape, longest: int | None = None, shortest: int | None = None, keys: tuple[str, ...] = ()) -> Shape:
    found: Shape = {"items": items, "maxItems": longest, "minItems": shortest, "type": "array"}
    if keys:
        found |= {"x-kubernetes-list-map-keys": list(keys), "x-kubernetes-list-type": "map"}
    return {keyword: value for keyword, value in found.items() if value is not None}


def differences(part: Part, shape: Shape, path: str) -> Iterator[str]:
    """What keeps the declared schema of the field at ``path`` from having a shape, a text each."""
    if part.node is None or part.type not in (None, shape["type"]):
        if part.node is not None:
            yield f"has `{path}` as {_article(part.type)}, not as {_article(shape['type'])}"
        return
    for name in shape.get("required", ()):
        field = part.field(name)
        if not field.is_declared and not field.is_open:
            yield f"has `{path}` without `{name}`"
    for name, wanted in shape.get("properties", {}).items():
        yield from differences(part.field(name), wanted, f"{path}.{name}")
    if "items" in shape:
        yield from differences(part.items(), shape["items"], f"{path}[]")
    if "additionalProperties" in shape:
        yield from _map_differences(part, shape["additionalProperties"], path)
    yield from _enum_differences(part, shape, path)


def _map_differences(part: Part, values: Shape, path: str) -> Iterator[str]:
    if part.node is not None and part.node.get("properties") is not None:
        yield f"has `{path}` as an object with fields of its own, not as a map"
    elif values:
        yield from differences(part.values(), values, f"{path}[]")


def _enum_differences(part: Part, shape: Shape, path: str) -> Iterator[str]:
    allowed = part.keyword("enum")
    if "enum" not in shape or not isinstance(allowed, list):
        return
    other = [str(value) for value in allowed if value not in shape["enum"] and not isinstance(value, Templated)]
    if other:
        yield f"has `{path}` which allows {', '.join(other)}, not only {', '.join(shape['enum'])}"


def _article(kind: str | None) -> str:
    return f"an {kind}" if kind in ("array", "integer", "int-or-string", "object") else f"a {kind}"
