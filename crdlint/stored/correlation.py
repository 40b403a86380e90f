"""Which parts of an object the API server finds unchanged in a write: what is wrong there, it tolerates (ratcheting).

After ``ratchetingValueValidator`` of apiextensions-apiserver (``pkg/apiserver/validation/ratcheting.go``) and
``CorrelatedObject`` of apiserver (``pkg/cel/common/equality.go``): a field is compared with the stored field of that
name, an item of a list that is a map with the first stored item of its key, and an item of any other list with nothing.
So a write that changes such a list validates all of it anew.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from typing import Any

from crdlint.crd.plain import hashable, same
from crdlint.crd.schema import Schema, field_schema, items, node, strings, text
from crdlint.stored.paths import Path


class Correlation:
    """An object that is written again, with another value at some paths."""

    def __init__(self, schema: Schema, value: Any) -> None:
        self._schema = schema
        self._value = value
        # Of lists that are maps: the first item of each key, by the identity of the list.
        self._firsts: dict[int, dict[Hashable, int]] = {}

    def anchor(self, path: Path, root: int = 0) -> Path:
        """The deepest node on the way to a path that the server compares with what is stored.

        ``root`` is the length of the path at which the server begins: it does not compare the kind and the API version
        that stand there.
        """
        schema, value = self._schema, self._value
        for depth, step in enumerate(path):
            below = _schema_below(schema, value, step)
            is_type = depth == root and step in ("apiVersion", "kind")
            if below is None or is_type or (isinstance(value, list) and self._stored(schema, value, step) is None):
                return path[:depth]
            schema, value = below, value[step]
        return path

    def is_unchanged(self, path: Path, changed: Set[Path]) -> bool:
        """Does the server find the node at a path equal to the stored one, in a write that changes these nodes?"""
        if path in changed:
            return False
        schema, value = self._schema, self._value
        for step in path:
            if isinstance(value, list) and not self._is_compared_with_equal(schema, value, step):
                return False
            schema, value = node(_schema_below(schema, value, step)), value[step]
        return self._equals_itself(schema, value)

    def _equals_itself(self, schema: Schema, value: Any) -> bool:
        """Does the server find a value equal to itself? Not where a field in it has no schema to compare it by."""
        if isinstance(value, Mapping):
            fields = ((_schema_below(schema, value, key), item) for key, item in value.items())
            return all(below is not None and self._equals_itself(below, item) for below, item in fields)
        if isinstance(value, list) and _is_map(schema):
            below = node(items(schema))
            return all(
                self._is_compared_with_equal(schema, value, index) and self._equals_itself(below, item)
                for index, item in enumerate(value)
            )
        return True

    def _is_compared_with_equal(self, schema: Schema, value: list[Any], step: Any) -> bool:
        """Is an item compared with itself, or with one that happens to be equal?"""
        stored = self._stored(schema, value, step)
        return stored is not None and (stored == step or same(value[stored], value[step]))

    def _stored(self, schema: Schema, value: list[Any], step: Any) -> int | None:
        """The index of the item that the server compares an item with."""
        names = strings(schema, "x-kubernetes-list-map-keys") if _is_map(schema) else []
        key = _key(value[step], names)
        if key is None:
            return None
        if id(value) not in self._firsts:
            self._firsts[id(value)] = {_key(value[index], names): index for index in reversed(range(len(value)))}
        return self._firsts[id(value)][key]


def _schema_below(schema: Schema, value: Any, step: Any) -> Schema | None:
    """The schema of a field or an item that is there; None where there is none to compare it by."""
    if isinstance(value, Mapping) and step in value:
        return field_schema(schema, step)[1]
    return items(schema) if isinstance(value, list) and isinstance(step, int) and step < len(value) else None


def _is_map(schema: Schema) -> bool:
    return text(schema, "type") == "array" and text(schema, "x-kubernetes-list-type") == "map"


def _key(item: Any, names: list[str]) -> Hashable | None:
    """The key of an item; None where it has none, since part of it is missing or no scalar."""
    parts = [item.get(name) for name in names] if isinstance(item, Mapping) else []
    if not parts or any(part is None or isinstance(part, list | Mapping) for part in parts):
        return None
    return hashable(parts)
