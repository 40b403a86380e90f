"""The uniqueness of lists that are sets or maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crdlint.crd.plain import first_duplicate, holds_template
from crdlint.crd.schema import Schema, node, strings, text
from crdlint.crd.values import Findings, children_of


def duplicate_items(schema: Any, value: Any) -> list[str]:
    """Items that occur twice in lists whose ``x-kubernetes-list-type`` is ``set`` or ``map``.

    The API server checks this of objects (``pkg/apiserver/schema/listtype/validation.go``), but not of defaults.
    """
    found = Findings()
    _check_list_types(node(schema), value, "", found)
    return found.errors


def _check_list_types(schema: Schema, value: Any, path: str, found: Findings) -> None:
    if isinstance(value, list) and not holds_template(value):
        kind = text(schema, "x-kubernetes-list-type")
        if kind == "map":
            _check_list_map(strings(schema, "x-kubernetes-list-map-keys"), value, path, found)
        elif kind == "set" and (index := first_duplicate(value)) is not None:
            found.error(f"{path}[{index}]", "occurs twice in a set")
    for inner, item, place in children_of(schema, value, path):
        _check_list_types(inner, item, place, found)


def _check_list_map(keys: list[str], value: list[Any], path: str, found: Findings) -> None:
    for index, item in enumerate(value):
        if item is not None and not isinstance(item, Mapping):
            found.error(f"{path}[{index}]", "must be an object in a list that is a map")
            return
    twice = first_duplicate([{key: (item or {})[key] for key in keys if key in (item or {})} for item in value])
    if twice is not None:
        found.error(f"{path}[{twice}]", f"repeats the key {', '.join(keys)}")
