"""Lists that say how they are merged and how long they become, and lists rather than maps.

API conventions, "Lists of named subobjects preferred over maps" and "Typical status properties".
"""

from __future__ import annotations

from collections.abc import Iterator

from crdlint.checks.context import Context, Problem
from crdlint.checks.conventions.fields import Field, problems, status_fields
from crdlint.crd.model import Version, mapping


def list_types(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        [field for field in status_fields(version, context) if _has_no_list_type(field)],
        "lists in status have no x-kubernetes-list-type",
        "they are atomic, so that of two writers the later one takes the other's items away",
    )


def _has_no_list_type(field: Field) -> bool:
    """Within an atomic list nothing is merged, whatever the lists in there say."""
    return (
        field.type == "array"
        and field.is_merged
        and field.schema.get("x-kubernetes-list-type") is None
        and not field.is_open
    )


def maps_of_objects(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        [field for field in status_fields(version, context) if _maps_to_objects(field)],
        "maps in status have objects for values",
        "their keys are data, which columns and paths do not know, where a list would have a field for them",
    )


def _maps_to_objects(field: Field) -> bool:
    return bool(mapping(mapping(field.schema.get("additionalProperties")).get("properties")))


def unbounded_lists(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        [field for field in status_fields(version, context) if _is_unbounded(field)],
        "lists and maps in status have no upper limit",
        "the object can grow with what they collect until every write of it is refused",
    )


def _is_unbounded(field: Field) -> bool:
    if field.is_open or field.is_condition_list:
        return False
    if field.type == "array":
        return field.schema.get("maxItems") is None
    is_map = field.schema.get("additionalProperties") not in (None, False)
    return is_map and field.schema.get("maxProperties") is None
