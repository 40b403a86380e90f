"""The metadata of resources embedded in an object, as the API server reads it back from storage and checks it.

It decodes it into ``ObjectMeta`` and back (``pkg/apiserver/schema/objectmeta/coerce.go``): fields that it does not
know, or that are of the wrong type, are gone, and so are empty ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from crdlint.crd.formats import is_date_time
from crdlint.crd.objectmeta import check_resource
from crdlint.crd.schema import EMBEDDED_RESOURCE, Schema, field_schema, flag, items, join
from crdlint.crd.values import Findings


class Malformed(Exception):
    """A field is of the wrong type."""


def has_embedded(schema: Any) -> bool:
    """May objects of the schema hold other resources?"""
    if isinstance(schema, Mapping):
        return flag(schema, EMBEDDED_RESOURCE) or any(map(has_embedded, schema.values()))
    return isinstance(schema, list) and any(map(has_embedded, schema))


def coerced(schema: Schema, value: Any, path: str, found: Findings) -> Any:
    """The value with the metadata of embedded resources read; ``found`` gets an error for each field that is lost."""
    if isinstance(value, list):
        inner: Schema = items(schema) or {}
        return [coerced(inner, item, f"{path}[{index}]", found) for index, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    kept: dict[str, Any] = {}
    for key, item in value.items():
        place = join(path, key)
        if flag(schema, EMBEDDED_RESOURCE) and key in ("apiVersion", "kind") and not isinstance(item, str):
            found.error(place, "is no string")
            continue
        if flag(schema, EMBEDDED_RESOURCE) and key == "metadata":
            item = _metadata(item, place, found)
        below = field_schema(schema, key)[1]
        kept[key] = item if below is None else coerced(below, item, place, found)
    return kept


def check_embedded(resource: Mapping[str, Any], found: Findings) -> None:
    """Check a resource whose metadata was read (``objectmeta/validation.go``); errors begin with the path in it."""
    metadata = resource.get("metadata")
    if isinstance(metadata, Mapping):
        # Reading leaves only times that are times.
        judged_here = ("creationTimestamp", "deletionTimestamp", "ownerReferences")
        resource = {**resource, "metadata": {key: metadata[key] for key in metadata if key not in judged_here}}
        problem = _owners_problem(metadata.get("ownerReferences", []))
        if problem:
            found.error("metadata.ownerReferences", problem)
    check_resource(resource, "", found.errors.append, found.undecided.append)


def _owners_problem(owners: list[dict[str, Any]]) -> str:
    """``ValidateOwnerReferences`` of apimachinery."""
    for owner in owners:
        empty = [name for name in ("apiVersion", "kind", "name", "uid") if not owner[name]]
        if empty:
            return f"holds an owner without {empty[0]}"
        group, slash, version = owner["apiVersion"].rpartition("/")
        if not version or (slash and "/" in group):
            return f"holds an owner of the version {owner['apiVersion']!r}"
        if (owner["apiVersion"], owner["kind"]) == ("v1", "Event"):
            return "holds an event, which can own nothing"
    return "holds two controllers" if sum(owner.get("controller") is True for owner in owners) > 1 else ""


def _metadata(metadata: Any, path: str, found: Findings) -> Any:
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        return metadata
    kept = {}
    for key, value in metadata.items():
        try:
            decoded = _FIELDS[key](value)
        except (KeyError, Malformed):
            found.error(join(path, key), "is no field of metadata, or of the wrong type")
            continue
        if decoded not in (None, "", 0, {}, []) or (key, decoded) == ("deletionGracePeriodSeconds", 0):
            kept[key] = decoded
    return kept


def _string(value: Any) -> str:
    if value is not None and not isinstance(value, str):
        raise Malformed
    return value or ""


def _integer(value: Any) -> int | None:
    if value is not None and (type(value) is not int or not -(2**63) <= value < 2**63):
        raise Malformed
    return value


def _boolean(value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise Malformed
    return value


def _time(value: Any) -> str | None:
    if value is not None and not (isinstance(value, str) and is_date_time(value)):
        raise Malformed
    return value


def _strings(value: Any) -> list[str]:
    return [_string(item) for item in _list(value)]


def _map(value: Any) -> dict[str, str]:
    return {key: _string(item) for key, item in _mapping(value).items()}


def _owners(value: Any) -> list[dict[str, Any]]:
    return [_owner(_mapping(item)) for item in _list(value)]


def _owner(owner: Mapping[str, Any]) -> dict[str, Any]:
    decoded: dict[str, Any] = {name: _string(owner.get(name)) for name in ("apiVersion", "kind", "name", "uid")}
    flags = {name: _boolean(owner.get(name)) for name in ("controller", "blockOwnerDeletion")}
    return decoded | {name: value for name, value in flags.items() if value is not None}


def _list(value: Any) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise Malformed
    return value or []


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise Malformed
    return value or {}


_FIELDS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), _string),
    **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _integer),
    **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _time),
    **dict.fromkeys(("labels", "annotations"), _map),
    "finalizers": _strings,
    "ownerReferences": _owners,
    "managedFields": _list,
}
