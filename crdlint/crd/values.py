"""Whether a value satisfies a structural schema, in the way the API server validates a default.

The server holds a default against its own node as written: it must be pruned already, and nested defaults are not
applied first (``pkg/apiserver/schema/defaulting/validation.go``). The rules of each keyword are those of
kube-openapi's ``pkg/validation/validate``, its peculiarities included. CEL rules and patterns are never executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from crdlint.crd import formats
from crdlint.crd.objectmeta import check_resource, coerced_metadata
from crdlint.crd.plain import (
    as_decoded,
    equals_member,
    first_duplicate,
    holds_template,
    shortest_integer,
    truncated,
    type_of,
)
from crdlint.crd.schema import (
    EMBEDDED_RESOURCE,
    VALIDATIONS,
    Schema,
    additional,
    count,
    field_schema,
    flag,
    is_open,
    is_templated,
    items,
    join,
    nodes,
    number,
    properties,
    strings,
    text,
)
from crdlint.yamltext.data import Templated

META_FIELDS = frozenset({"apiVersion", "kind", "metadata"})
_MAX_FLOAT32 = 3.4028235677973366e38
_SHOWN = 60


@dataclass
class Findings:
    """What is wrong with a value, and what keeps crdlint from knowing."""

    errors: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)

    def error(self, path: str, message: str) -> None:
        """The value at the path breaks a rule."""
        self.errors.append(f"{path}: {message}" if path else message)

    def unknown(self, what: str, path: str) -> None:
        """Something at the path cannot be judged."""
        place = f"{what} at {path or 'the value itself'}"
        if place not in self.undecided:
            self.undecided.append(place)


def check_value(schema: Schema, value: Any, found: Findings, path: str = "") -> None:
    """Hold a value against a node and all below it; pruning is not looked at."""
    if isinstance(value, Templated) or is_templated(schema):
        found.unknown("a template", path)
        return
    check_type(types(schema), schema, value, path, found)
    check_enum(schema, value, path, found)
    if value is None:
        return
    if schema.get(VALIDATIONS):
        found.unknown(VALIDATIONS, path)
    if isinstance(value, str):
        _check_string(schema, value, path, found)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        check_number(schema, value, path, found)
    elif isinstance(value, list):
        _check_list(schema, value, path, found)
    elif isinstance(value, Mapping):
        _check_object(schema, value, path, found)
    _check_junctors(schema, value, path, found)
    for inner, item, place in children_of(schema, value, path):
        check_value(inner, item, found, place)


def children_of(schema: Schema, value: Any, path: str) -> list[tuple[Schema, Any, str]]:
    """What of the value is measured by which schema below the node."""
    if isinstance(value, list):
        inner = items(schema)
        if inner is None:
            return []
        return [(inner, item, f"{path}[{index}]") for index, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return []
    embedded = flag(schema, EMBEDDED_RESOURCE)
    children = []
    for key, item in value.items():
        _, inner = field_schema(schema, key)
        if inner is not None and not isinstance(key, Templated):
            children.append(
                (inner, coerced_metadata(item) if embedded and key == "metadata" else item, join(path, key))
            )
    return children


def check_type(kinds: tuple[str, ...], schema: Schema, value: Any, path: str, found: Findings) -> None:
    """``validate/type.go``: a ``format`` lets any string and any list pass, unless numbers are wanted."""
    form = text(schema, "format")
    if value is None:
        if kinds and not flag(schema, "nullable"):
            found.error(path, f"must be of type {' or '.join(kinds)}, not null")
        return
    actual = type_of(value)
    if not (kinds or form) or actual in kinds or ("number" in kinds and actual == "integer"):
        return
    if form and not {"integer", "number"} & set(kinds) and actual in ("string", "array"):
        return
    expected = f"must be of type {' or '.join(kinds)}" if kinds else f"must be a string of format {form}"
    found.error(path, f"{expected}, not {_described(value)}")


def types(schema: Schema) -> tuple[str, ...]:
    """The declared type. That of an int-or-string counts for objects, but not for defaults."""
    kind = text(schema, "type")
    return (kind,) if kind else ()


def check_enum(schema: Schema, value: Any, path: str, found: Findings) -> None:
    """``basicCommonValidator`` in ``validate/validator.go``: null matches no member, not even null."""
    members = schema.get("enum")
    if not isinstance(members, list) or not members or any(equals_member(value, member) for member in members):
        return
    if holds_template(members) or holds_template(value):
        found.unknown("a template in the enum", path)
        return
    shown = ", ".join(shown_value(member) for member in members[:10]) + (", …" if len(members) > 10 else "")
    found.error(path, f"{shown_value(value)} is not one of {shown}")


def _check_string(schema: Schema, value: str, path: str, found: Findings) -> None:
    if check_length(schema, value, path, found) and text(schema, "pattern"):
        found.unknown("pattern", path)
    check_format(schema, value, path, found)


def check_length(schema: Schema, value: str, path: str, found: Findings) -> bool:
    """Is a string neither too long nor too short?"""
    longest, shortest = count(schema, "maxLength"), count(schema, "minLength")
    if longest is not None and len(value) > longest:
        found.error(path, f"{shown_value(value)} has {len(value)} characters, more than maxLength {longest}")
        return False
    if shortest is not None and len(value) < shortest:
        found.error(path, f"{shown_value(value)} is shorter than minLength {shortest}")
        return False
    return True


def check_format(schema: Schema, value: str, path: str, found: Findings) -> None:
    """Is a string of its ``format``, if that is one the API server knows?"""
    form = text(schema, "format")
    if form and not formats.matches_format(form, value):
        found.error(path, f"{shown_value(value)} is not of format {form}")


def check_number(schema: Schema, value: float, path: str, found: Findings) -> None:
    """``numberValidator`` in ``validate/validator.go``."""
    value = as_decoded(value)
    kind = text(schema, "type")
    form = _number_format(kind, text(schema, "format"))
    if not _in_range(value, kind, form) and not (kind == "integer" and isinstance(value, float)):
        found.error(path, f"{value} does not fit the format {form}")
    for name in ("multipleOf", "maximum", "minimum"):
        bound = number(schema, name)
        if bound is None:
            continue
        fits = _in_range(shortest_integer(bound), kind, form)
        if fits and isinstance(value, int) and abs(bound) >= 2**63:
            # Go's conversion of such a float to an integer depends on the processor.
            found.unknown(f"{name} beyond 64 bits", path)
            continue
        if not fits:
            found.error(path, f"no value passes, since {name} {_plain(bound)} is itself no {form or kind}")
        exclusive = flag(schema, "exclusive" + name.capitalize())
        problem = _bound_problem(name, value, bound, exclusive, as_integers=fits and isinstance(value, int))
        if problem:
            found.error(path, problem)


def _bound_problem(name: str, value: float, bound: float, exclusive: bool, as_integers: bool) -> str:
    """How a value breaks a bound. Integers are compared with the bound's integer part (``MaximumNativeType``)."""
    limit: float = truncated(bound) if as_integers else bound
    kind = "exclusive " if exclusive else ""
    if name == "maximum" and (value > limit or (exclusive and value == limit)):
        return f"{value} is above the {kind}maximum {_plain(bound)}"
    if name == "minimum" and (value < limit or (exclusive and value == limit)):
        return f"{value} is below the {kind}minimum {_plain(bound)}"
    if name == "multipleOf" and not _is_multiple(value, limit):
        return f"{value} is not a multiple of {_plain(bound)}"
    return ""


def _is_multiple(value: float, factor: float) -> bool:
    if factor <= 0:
        return False
    if isinstance(value, int) and isinstance(factor, int):
        return value % factor == 0
    quotient = 1 / factor * value if factor < 1 else value / factor
    return abs(quotient) < 2**53 and abs(quotient - round(quotient)) <= 1e-9 * abs(quotient)


def _number_format(kind: str, form: str) -> str:
    known = {"integer": ("int32", "int64"), "number": ("float", "double")}.get(kind, ())
    return form if form in known else ""


def _in_range(value: float, kind: str, form: str) -> bool:
    """``IsValueValidAgainstRange``: can the value be held by the type and format?"""
    if kind == "integer":
        bits = 31 if form == "int32" else 63
        return value == value and -(2**bits) <= value < 2**bits and value == int(value)
    return form != "float" or abs(value) < _MAX_FLOAT32


def _check_list(schema: Schema, value: list[Any], path: str, found: Findings) -> None:
    most, least = count(schema, "maxItems"), count(schema, "minItems")
    if most is not None and len(value) > most:
        _count_problem(is_open(value), f"has {len(value)} items, more than maxItems {most}", path, found)
    if least is not None and len(value) < least:
        _count_problem(is_open(value), f"has {len(value)} items, fewer than minItems {least}", path, found)
    if flag(schema, "uniqueItems") and first_duplicate(value) is not None:
        _count_problem(holds_template(value), "has an item twice, but uniqueItems is true", path, found)


def _check_object(schema: Schema, value: Mapping[str, Any], path: str, found: Findings) -> None:
    is_partial = is_open(value)
    most, least = count(schema, "maxProperties"), count(schema, "minProperties")
    if most is not None and len(value) > most:
        _count_problem(is_partial, f"has {len(value)} fields, more than maxProperties {most}", path, found)
    if least is not None and len(value) < least:
        _count_problem(is_partial, f"has {len(value)} fields, fewer than minProperties {least}", path, found)
    for key in dict.fromkeys(strings(schema, "required")):
        if key not in value:
            unsure = is_partial or isinstance(key, Templated)
            _count_problem(unsure, "required, but the default does not set it", join(path, key), found)
    if additional(schema) is False:
        declared = properties(schema)
        for key in value:
            if key not in declared:
                unsure = isinstance(key, Templated) or is_open(declared)
                _count_problem(unsure, "not allowed by additionalProperties: false", join(path, key), found)
    if flag(schema, EMBEDDED_RESOURCE):
        if holds_template({key: value[key] for key in META_FIELDS & value.keys()}) or is_partial:
            found.unknown("a template", path)
        else:
            check_resource(value, path, found.errors.append, found.undecided.append)


def _count_problem(unsure: bool, message: str, path: str, found: Findings) -> None:
    """An error that a template in the value may cure."""
    if unsure:
        found.unknown("a template", path)
    else:
        found.error(path, message)


def _check_junctors(schema: Schema, value: Any, path: str, found: Findings) -> None:
    """``validate/schema_props.go``. Each branch passes, fails, or is undecided."""
    for branch in nodes(schema, "allOf"):
        check_value(branch, value, found, path)
    for name in ("anyOf", "oneOf"):
        branches = nodes(schema, name)
        if branches:
            _check_alternatives(name, branches, value, path, found)
    if isinstance(schema.get("not"), Mapping):
        outcome = Findings()
        check_value(schema["not"], value, outcome, path)
        if not outcome.errors and not outcome.undecided:
            found.error(path, f"{shown_value(value)} is what `not` rules out")
        elif not outcome.errors:
            found.undecided += outcome.undecided


def _check_alternatives(name: str, branches: list[Schema], value: Any, path: str, found: Findings) -> None:
    passed, open_questions = 0, []
    for branch in branches:
        outcome = Findings()
        check_value(branch, value, outcome, path)
        passed += not outcome.errors and not outcome.undecided
        open_questions += [] if outcome.errors else outcome.undecided
    if passed > 1 and name == "oneOf":
        found.error(path, f"{shown_value(value)} matches {passed} of the schemas of oneOf, not exactly one")
    elif open_questions and not (passed and name == "anyOf"):
        found.undecided += [question for question in open_questions if question not in found.undecided]
    elif not passed:
        found.error(path, f"{shown_value(value)} matches none of the schemas of {name}{_types_of(branches)}")


def _types_of(branches: list[Schema]) -> str:
    kinds = [text(branch, "type") for branch in branches]
    return f" ({' or '.join(kinds)})" if all(kinds) else ""


def shown_value(value: Any) -> str:
    """A value in a message: scalars as JSON, cut if long."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"


def _described(value: Any) -> str:
    """A value with its type: ``the string "x"``."""
    if isinstance(value, list | Mapping):
        return shown_value(value)
    return f"the {type_of(value)} {shown_value(value)}"


def _plain(bound: float) -> str:
    return str(int(bound)) if bound.is_integer() and abs(bound) < 1e21 else str(bound)
