"""What the API server makes of a structural schema's defaults: which it accepts, and what they put into objects.

Modelled on apiextensions-apiserver v0.36 (``pkg/apiserver/schema/defaulting`` and
``pkg/apis/apiextensions/validation/validation.go``). All functions take a node of an OpenAPI v3 schema and plain data,
of any shape; none mutates what it is given. Values that a template fills in make an answer undecided, never an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from crdlint.crd.listtypes import duplicate_items
from crdlint.crd.objectmeta import check_resource
from crdlint.crd.plain import copied, holds_template
from crdlint.crd.pruning import prune_value
from crdlint.crd.schema import (
    EMBEDDED_RESOURCE,
    INT_OR_STRING,
    Schema,
    additional,
    field_schema,
    flag,
    is_templated,
    items,
    join,
    node,
    nodes,
    own_default,
    properties,
    strings,
    text,
)
from crdlint.crd.values import Findings, check_value
from crdlint.yamltext.data import Templated

__all__ = [
    "ABSENT",
    "Absent",
    "DefaultVerdict",
    "NoZero",
    "apply_defaults",
    "complete",
    "default_verdicts",
    "duplicate_items",
    "fresh_status",
    "prune",
    "validate_value",
    "zero_value",
]


class Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent()
"""No value at all, where null would be one."""


class NoZero(Exception):
    """A node has no zero value; the message says why."""


@dataclass(frozen=True)
class DefaultVerdict:
    """What the API server makes of one ``default``."""

    pointer: str
    """JSON pointer from the schema that was passed in to the ``default`` keyword."""
    errors: tuple[str, ...]
    """Why it is refused: sentences that name the path of the field within the default."""
    undecided: tuple[str, ...]
    """What keeps crdlint from knowing: CEL rules, patterns, templates."""


# Values.


def validate_value(schema: Any, value: Any) -> tuple[list[str], list[str]]:
    """Errors of a value held against a node as a default is, and what keeps crdlint from knowing.

    ``schema`` is an OpenAPI v3 node of any shape, ``value`` plain data. Both lists hold sentences that name the path
    of the field within the value. The uniqueness of sets and list maps is not among the rules: see `duplicate_items`.
    """
    found = Findings()
    prune_value(node(schema), value, found)
    check_value(node(schema), value, found)
    return found.errors, found.undecided


# Verdicts.

_META_FIELDS = ("apiVersion", "kind", "metadata")
_NOT_STRUCTURAL = "no default may stand inside {}: it must be undefined there for the schema to be structural"
_IN_METADATA_MAP = "no default may stand inside additionalProperties that apply to object metadata"
_NOT_ALLOWED = "spec.preserveUnknownFields is true: it must be false for the schema to have defaults"


@dataclass(frozen=True)
class _Place:
    """A node of the schema, and what its surroundings mean for a default there."""

    schema: Schema
    pointer: str = ""
    refused: str = ""
    # The server does not look at defaults below additionalProperties.
    is_validated: bool = True
    # Inside the metadata of an embedded resource: the keys that lead from the resource to here, None for an item.
    metadata_route: tuple[str | None, ...] = field(default=())


def default_verdicts(schema: Any, *, defaults_allowed: bool = True) -> list[DefaultVerdict]:
    """A verdict on every default on or below a node, in the order of the schema. ``default: null`` is none.

    ``defaults_allowed`` is false where ``spec.preserveUnknownFields`` is true: then every default is refused.
    """
    if not isinstance(schema, dict) or not _mentions_default(schema):
        return []
    return [_verdict(place, defaults_allowed) for place in _defaults(schema)]


def _mentions_default(data: dict[str, Any]) -> bool:
    """A cheap look: may there be a default at all?"""
    if "default" in data:
        return True
    for value in data.values():
        if value.__class__ is dict:
            if _mentions_default(value):
                return True
        elif value.__class__ is list:
            for item in value:
                if item.__class__ is dict and _mentions_default(item):
                    return True
    return False


def _defaults(schema: Schema) -> Iterator[_Place]:
    waiting = [_Place(schema)]
    while waiting:
        place = waiting.pop()
        if own_default(place.schema) is not None:
            yield place
        waiting += reversed(list(_below(place)))


def _below(place: _Place) -> Iterator[_Place]:
    schema, pointer, route = place.schema, place.pointer, place.metadata_route
    embedded = flag(schema, EMBEDDED_RESOURCE)
    for key, raw in properties(schema).items():
        inner_route = (*route, key) if route or (embedded and key in _META_FIELDS) else ()
        yield replace(
            place, schema=node(raw), pointer=f"{pointer}/properties/{_escaped(key)}", metadata_route=inner_route
        )
    inner = items(schema)
    if inner is not None:
        yield replace(place, schema=inner, pointer=f"{pointer}/items", metadata_route=(*route, None) if route else ())
    rest = additional(schema)
    if isinstance(rest, Mapping):
        refused = place.refused or (_IN_METADATA_MAP if route else "")
        pointer_there = f"{pointer}/additionalProperties"
        yield replace(place, schema=rest, pointer=pointer_there, refused=refused, is_validated=False)
    for name in ("allOf", "anyOf", "oneOf"):
        for index, branch in enumerate(nodes(schema, name)):
            yield _forbidden(place, branch, name, f"{pointer}/{name}/{index}")
    if isinstance(schema.get("not"), Mapping):
        yield _forbidden(place, schema["not"], "not", f"{pointer}/not")


def _forbidden(place: _Place, schema: Schema, keyword: str, pointer: str) -> _Place:
    refused = place.refused or _NOT_STRUCTURAL.format(keyword)
    return replace(place, schema=schema, pointer=pointer, refused=refused)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _verdict(place: _Place, defaults_allowed: bool) -> DefaultVerdict:
    found = Findings()
    if not defaults_allowed:
        found.error("", _NOT_ALLOWED)
    if place.refused:
        found.error("", place.refused)
    elif place.is_validated:
        _validate_default(place, found)
    return DefaultVerdict(f"{place.pointer}/default", tuple(found.errors), tuple(found.undecided))


def _validate_default(place: _Place, found: Findings) -> None:
    """``validate`` in ``defaulting/validation.go``."""
    value = own_default(place.schema)
    if place.metadata_route:
        if holds_template(value):
            found.unknown("a template", "")
            return
        check_resource(_surrounding(place.metadata_route, value), "", found.errors.append, found.undecided.append)
    else:
        prune_value(place.schema, value, found)
    check_value(place.schema, value, found)


def _surrounding(route: tuple[str | None, ...], value: Any) -> dict[str, Any]:
    """The resource that a default inside its metadata is tried in (``defaulting/surroundingobject.go``)."""
    for key in reversed(route[1:]):
        value = [value] if key is None else {key: value}
    return {"apiVersion": "validation/v1", "kind": "Validation", str(route[0]): value}


# Zero values.


def zero_value(schema: Any) -> Any:
    """The smallest natural value of a node: its own default, else {} with its required fields, "", 0, false or [].

    Raises `NoZero`. Enums, bounds and the like are not looked at: validate the result.
    """
    return _zero(node(schema), "")


def complete(schema: Any, value: Any) -> Any:
    """The value with every required field it lacks, in the objects it holds too. Raises `NoZero`."""
    return _complete(node(schema), value, "")


def _zero(schema: Schema, path: str) -> Any:
    if own_default(schema) is not None:
        return copied(own_default(schema))
    if is_templated(schema):
        raise NoZero(f"{path or 'it'} is filled in by a template")
    if flag(schema, INT_OR_STRING):
        return 0
    kind = text(schema, "type")
    if kind == "object":
        return _complete(schema, {}, path)
    if kind not in _ZEROS:
        raise NoZero(f"{path or 'it'} has {f'the type {kind}' if kind else 'no type'}")
    return copied(_ZEROS[kind])


_ZEROS: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": []}


def _complete(schema: Schema, value: Any, path: str) -> Any:
    if isinstance(value, list):
        inner = items(schema)
        if inner is None:
            return copied(value)
        return [_complete(inner, item, f"{path}[{index}]") for index, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    completed: dict[str, Any] = {}
    for key, item in value.items():
        _, inner = field_schema(schema, key)
        completed[key] = copied(item) if inner is None else _complete(inner, item, join(path, key))
    for key in strings(schema, "required"):
        if key not in completed:
            completed[key] = _required(schema, key, join(path, key))
    return completed


def _required(schema: Schema, key: str, path: str) -> Any:
    _, inner = field_schema(schema, key)
    if inner is None:
        raise NoZero(f"{path} is required, but has no schema")
    return _zero(inner, path)


# Defaulting and pruning.


def apply_defaults(schema: Any, value: Any) -> Any:
    """The value as the server reads it: nulls without meaning dropped, then defaults filled in.

    A default fills a field that is missing, or null where the node is not nullable; its children's own defaults are
    filled in below it. ``defaulting/prunenulls.go``, then ``defaulting/algorithm.go``.
    """
    return _defaulted(node(schema), _without_nulls(node(schema), value))


def fresh_status(status_schema: Any) -> Any:
    """What an object created without status reads back as its status; `ABSENT` if nothing."""
    schema = node(status_schema)
    default = own_default(schema)
    return ABSENT if default is None else _defaulted(schema, default)


def prune(schema: Any, value: Any) -> Any:
    """The value without the fields that the schema does not specify (``pruning/algorithm.go``)."""
    return copied(prune_value(node(schema), value, Findings()))


def _defaulted(schema: Schema | None, value: Any) -> Any:
    if schema is None:
        return copied(value)
    if isinstance(value, list):
        inner = items(schema)
        return [_defaulted(inner, _filled(inner, item)) for item in value]
    if not isinstance(value, Mapping):
        return value
    declared = properties(schema)
    filled = dict(value)
    for key, raw in declared.items():
        default = own_default(node(raw))
        if default is not None and not isinstance(key, Templated):
            filled[key] = _filled(node(raw), value[key]) if key in value else default
    rest = additional(schema)
    for key, item in filled.items():
        _, inner = field_schema(schema, key)
        item = _filled(inner, item) if isinstance(rest, Mapping) and key not in declared else item
        filled[key] = _defaulted(inner, item)
    return filled


def _filled(schema: Schema | None, value: Any) -> Any:
    """The default in the place of a null that the node does not allow."""
    return own_default(schema) if value is None and schema is not None and not flag(schema, "nullable") else value


def _without_nulls(schema: Schema | None, value: Any) -> Any:
    if isinstance(value, list):
        inner = items(schema) if schema is not None else None
        return [_without_nulls(inner, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    kept: dict[str, Any] = {}
    for key, item in value.items():
        inner = field_schema(schema, key)[1] if schema is not None else None
        if item is None and inner is not None and not _may_be_null(inner):
            continue
        kept[key] = _without_nulls(inner, item)
    return kept


def _may_be_null(schema: Schema) -> bool:
    return flag(schema, "nullable") or own_default(schema) is not None or is_templated(schema)
