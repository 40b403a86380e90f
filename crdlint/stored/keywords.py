"""What the keywords of structural schemas mean for objects, as kube-openapi evaluates them.

Most of it is written once, in `crdlint.crd.values`, which judges defaults by the same rules. Here is what only objects
are measured by: patterns, the type of an int-or-string, lists that are sets or maps, embedded resources.

Each function is called by ``jsonschema`` with the value and the node, whose keywords that hold schemas hold validators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import ValidationError
from jsonschema.protocols import Validator

from crdlint.crd import values
from crdlint.crd.listtypes import duplicate_items
from crdlint.crd.plain import first_duplicate
from crdlint.crd.schema import INT_OR_STRING, VALIDATIONS, Schema, count, flag, strings, text
from crdlint.crd.values import Findings, shown_value
from crdlint.stored.embedded import check_embedded
from crdlint.stored.paths import path_text
from crdlint.stored.patterns import matches

Errors = Iterator[ValidationError]

LIST_TYPE, LIST_KEYS = "x-kubernetes-list-type", "x-kubernetes-list-map-keys"
_STEP = re.compile(r"[^.\[\]]+")


class Undecided(ValidationError):
    """No error, but the reason why none can be excluded."""


def _judged(check: Callable[..., object], *arguments: Any) -> Errors:
    """The outcome of a rule of `crdlint.crd.values`."""
    found = Findings()
    check(*arguments, "", found)
    yield from map(ValidationError, found.errors)
    yield from map(Undecided, found.undecided)


# Every value.


def type_(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    kinds = ("integer", "string") if flag(schema, INT_OR_STRING) else values.types(schema)
    yield from _judged(values.check_type, kinds, schema, value)


def enum(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    yield from _judged(values.check_enum, schema, value)


def rules(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    """CEL is never run: a rule that is reached leaves open what the server says."""
    rules = schema[VALIDATIONS]
    if value is not None and isinstance(rules, list):
        yield from (Undecided(f"a CEL rule: {rule.get('rule')}") for rule in rules if isinstance(rule, Mapping))


# Scalars.


def number(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from _judged(values.check_number, schema, value)


def string(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if not isinstance(value, str):
        return
    problems = list(_judged(values.check_length, schema, value))
    pattern = text(schema, "pattern")
    if problems or not pattern:
        yield from problems
        return
    is_match = matches(pattern, value)
    if is_match is None:
        yield Undecided(f"RE2 does not take the pattern {pattern}")
    elif not is_match:
        yield ValidationError(f"{shown_value(value)} does not match the pattern {pattern}")


def format_(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if isinstance(value, str):
        yield from _judged(values.check_format, schema, value)


# Lists.


def list_(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if not isinstance(value, list):
        return
    yield from _sizes(len(value), "items", schema, "minItems", "maxItems")
    if flag(schema, "uniqueItems") and first_duplicate(value) is not None:
        yield ValidationError("has an item twice, but uniqueItems is true")
    if "items" in schema:
        for index, item in enumerate(value):
            yield from _below(schema["items"], item, index)


def list_type(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    own = {name: schema[name] for name in (LIST_TYPE, LIST_KEYS) if name in schema}
    yield from map(_placed, duplicate_items(own, value))


# Objects.


def object_(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if not isinstance(value, dict):
        return
    yield from _sizes(len(value), "fields", schema, "minProperties", "maxProperties")
    for name in strings(schema, "required"):
        if name not in value:
            yield ValidationError("is required", path=(name,))
    declared, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in declared:
            yield from _below(declared[name], item, name)
        elif rest is False:
            yield ValidationError(f"has the field {shown_value(name)}, which additionalProperties: false rules out")
        elif rest is not True:
            yield from _below(rest, item, name)


def embedded(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if isinstance(value, dict):
        found = Findings()
        check_embedded(value, found)
        yield from map(_placed, found.errors)
        yield from map(Undecided, found.undecided)


def _placed(problem: str) -> ValidationError:
    """An error whose message begins with the path below the node, as in ``metadata.name: is too long``."""
    where, _, message = problem.partition(": ")
    steps = _STEP.findall(where)
    return ValidationError(message, path=[int(step) if step.isdecimal() else step for step in steps])


def _sizes(size: int, what: str, schema: Schema, least: str, most: str) -> Errors:
    lower, upper = count(schema, least), count(schema, most)
    if upper is not None and size > upper:
        yield ValidationError(f"has {size} {what}, more than {most} {upper}")
    if lower is not None and size < lower:
        yield ValidationError(f"has {size} {what}, fewer than {least} {lower}")


def _below(validator: Validator, value: Any, step: str | int) -> Iterator[ValidationError]:
    for error in validator.iter_errors(value):
        error.path.appendleft(step)
        yield error


# Combinations. The server does not tell apart what is below them: an error stands at the node that has them.


def all_of(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    if value is None:
        return
    for error in (error for branch in schema["allOf"] for error in branch.iter_errors(value)):
        if error.validator == VALIDATIONS:
            yield error
        else:
            yield type(error)(f"allOf: {_with_path(error)}")


def any_of(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    passed, open_ones = _count_outcomes(schema["anyOf"], value)
    if not passed:
        yield from _alternatives("anyOf", open_ones, f"{shown_value(value)} matches none of the schemas of anyOf")


def one_of(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    passed, open_ones = _count_outcomes(schema["oneOf"], value)
    if passed > 1:
        yield ValidationError(f"{shown_value(value)} matches {passed} of the schemas of oneOf, not exactly one")
    elif passed == 0 or open_ones:
        yield from _alternatives("oneOf", open_ones, f"{shown_value(value)} matches none of the schemas of oneOf")


def not_(_: Validator, __: Any, value: Any, schema: Schema) -> Errors:
    passed, open_ones = _count_outcomes([schema["not"]], value)
    if passed and value is not None:
        yield ValidationError(f"{shown_value(value)} is what `not` rules out")
    yield from (Undecided(f"not: {error.message}") for error in open_ones)


def _alternatives(name: str, open_ones: list[Undecided], message: str) -> Errors:
    if open_ones:
        yield from (Undecided(f"{name}: {error.message}") for error in open_ones)
    else:
        yield ValidationError(message)


def _count_outcomes(branches: list[Validator], value: Any) -> tuple[int, list[Undecided]]:
    """How many branches pass, and what leaves others open. CEL rules inside them are not evaluated by the server."""
    if value is None:
        return 1, []
    passed, open_ones = 0, []
    for branch in branches:
        errors = [error for error in branch.iter_errors(value) if error.validator != VALIDATIONS]
        passed += not errors
        if all(isinstance(error, Undecided) for error in errors):
            open_ones += [error for error in errors if isinstance(error, Undecided)]
    return passed, open_ones


def _with_path(error: ValidationError) -> str:
    return f"{path_text(error.path)}: {error.message}" if error.path else error.message
