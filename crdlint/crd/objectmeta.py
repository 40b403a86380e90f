"""The metadata of embedded resources, as the API server checks it in a default.

After ``pkg/apiserver/schema/objectmeta`` of apiextensions-apiserver and ``pkg/api/validation/objectmeta.go`` of
apimachinery.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from crdlint.crd.schema import join

_STRINGS = ("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion")
_NUMBERS = ("generation", "deletionGracePeriodSeconds")
_MAPS = ("labels", "annotations")
_TIMES = ("creationTimestamp", "deletionTimestamp")
# Too rare in a default to be modelled.
_OPAQUE = ("ownerReferences", "managedFields", *_TIMES)
_KNOWN = frozenset((*_STRINGS, *_NUMBERS, *_MAPS, *_OPAQUE, "finalizers"))

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_NAME_PART = r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_MAX_ANNOTATIONS = 256 * 1024

Report = Callable[[str], None]


def coerced_metadata(metadata: Any) -> Any:
    """Metadata after decoding into ObjectMeta and back: unknown and empty fields are gone."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        return metadata
    return {key: value for key, value in metadata.items() if key in _KNOWN and value not in (None, "", {}, [])}


def check_resource(resource: Mapping[str, Any], path: str, error: Report, undecided: Report) -> None:
    """Check ``apiVersion``, ``kind`` and ``metadata`` of an embedded resource (``objectmeta/validation.go``)."""
    for key in ("apiVersion", "kind"):
        if key not in resource:
            error(f"{join(path, key)}: is required in an embedded resource")
        elif not isinstance(resource[key], str):
            error(f"{join(path, key)}: must be a string")
        elif not _is_type_name(key, resource[key]):
            error(f"{join(path, key)}: {resource[key]!r} is not a valid {key}")
    if "metadata" in resource:
        _check_metadata(resource["metadata"], join(path, "metadata"), error, undecided)


def _is_type_name(key: str, value: str) -> bool:
    if key == "apiVersion":
        return value != "" and value.count("/") <= 1
    return len(value) <= 63 and re.fullmatch(r"[a-z]([-a-z0-9]*[a-z0-9])?", value.lower()) is not None


def _check_metadata(metadata: Any, path: str, error: Report, undecided: Report) -> None:
    if metadata is None:
        return
    if not isinstance(metadata, Mapping):
        error(f"{path}: must be an object")
        return
    for key, value in metadata.items():
        if key in _OPAQUE and value:
            undecided(f"{join(path, key)}, which crdlint does not check")
        elif value is not None and (problem := _problem(key, value)):
            error(f"{join(path, key)}: {problem}")


def _problem(key: str, value: Any) -> str:
    if key in _STRINGS:
        return _name_problem(key, value) if isinstance(value, str) else "must be a string"
    if key in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int):
            return "must be an integer"
        return "must not be negative" if key == "generation" and value < 0 else ""
    if key in _MAPS:
        return _map_problem(key, value)
    return _finalizers_problem(value) if key == "finalizers" else ""


def _name_problem(key: str, value: str) -> str:
    if key in ("name", "generateName"):
        return "is not a valid name" if "/" in value or "%" in value or (key == "name" and value in (".", "..")) else ""
    if key == "namespace" and value and (len(value) > 63 or not re.fullmatch(_LABEL, value)):
        return "is not a valid namespace"
    return ""


def _map_problem(key: str, value: Any) -> str:
    if not isinstance(value, Mapping) or not all(item is None or isinstance(item, str) for item in value.values()):
        return "must map strings to strings"
    for name, item in value.items():
        if not is_qualified_name(name if key == "labels" else name.lower()):
            return f"{name!r} is not a valid key"
        if key == "labels" and item and (len(item) > 63 or not re.fullmatch(_NAME_PART, item)):
            return f"{item!r} is not a valid label value"
    size = sum(
        len(name.encode(errors="replace")) + len((item or "").encode(errors="replace")) for name, item in value.items()
    )
    return "is too long" if key == "annotations" and size > _MAX_ANNOTATIONS else ""


def _finalizers_problem(value: Any) -> str:
    if not isinstance(value, list) or not all(item is None or isinstance(item, str) for item in value):
        return "must be a list of strings"
    if not all(is_qualified_name(item or "") for item in value):
        return "holds an invalid finalizer name"
    return "cannot hold both orphan and foregroundDeletion" if {"orphan", "foregroundDeletion"} <= set(value) else ""


def is_qualified_name(value: str) -> bool:
    """``IsQualifiedName``: an optional DNS subdomain and a slash, then a name of up to 63 characters."""
    prefix, slash, name = value.rpartition("/")
    if slash and (len(prefix) > 253 or not re.fullmatch(_SUBDOMAIN, prefix)):
        return False
    return len(name) <= 63 and re.fullmatch(_NAME_PART, name) is not None
