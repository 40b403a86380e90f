"""Which fields of a value the API server drops, since the schema does not specify them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crdlint.crd.schema import (
    EMBEDDED_RESOURCE,
    PRESERVE_UNKNOWN_FIELDS,
    Schema,
    field_schema,
    flag,
    is_open,
    items,
    join,
)
from crdlint.crd.values import META_FIELDS, Findings
from crdlint.yamltext.data import Templated


def prune_value(schema: Schema, value: Any, found: Findings) -> Any:
    """The value without the fields that the schema does not specify; ``found`` gets an error for each."""
    return _pruned(schema, value, "", found, False)


def _pruned(schema: Schema | None, value: Any, path: str, found: Findings, keep: bool) -> Any:
    """``pruning/algorithm.go``. ``keep``: the items of a list that preserves unknown fields preserve them too."""
    if schema is not None:
        raw = schema.get(PRESERVE_UNKNOWN_FIELDS)
        keep = keep or raw is True or isinstance(raw, Templated)
    if isinstance(value, list):
        if keep and (schema is None or items(schema) is None):
            return value
        inner = items(schema) if schema is not None else None
        return [_pruned(inner, item, f"{path}[{index}]", found, keep) for index, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    kept: dict[str, Any] = {}
    for key, item in value.items():
        if schema is not None and key in META_FIELDS and flag(schema, EMBEDDED_RESOURCE):
            kept[key] = item
            continue
        specified, inner = field_schema(schema, key) if schema is not None else (False, None)
        if inner is not None and is_open(inner):
            kept[key] = item
            if not keep:
                found.unknown("a template", join(path, key))
        elif specified:
            kept[key] = _pruned(inner, item, join(path, key), found, False)
        elif keep:
            kept[key] = item
        else:
            found.error(join(path, key), "unknown field, which the server would prune")
    return kept
