"""Rules that are a JSON Schema: what their scope must satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from crdlint.checks.context import Draft, Problem
from crdlint.crd.model import Version
from crdlint.errors import UsageError
from crdlint.rules.patterns import bounded_validator
from crdlint.rules.rule import Rule
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer

LONGEST_DETAIL = 200


def violations(rule: Rule, version: Version) -> Iterator[Problem]:
    """What of the rule's scope violates its schema. What a template fills in violates nothing."""
    for pointer, instance in _instances(rule.scope, version):
        for error in _errors(rule, instance):
            if _is_templated(error.instance):
                continue
            where = pointer + join_pointer([str(part) for part in error.absolute_path])
            yield Problem(where, _message(rule, error.message), _draft(rule, pointer))


def _errors(rule: Rule, instance: Any) -> list[Any]:
    try:
        return list(_validator(rule).iter_errors(instance))
    except RecursionError:
        raise UsageError(
            f"rule {rule.id}: its schema refers to itself without end, or further down than can be followed"
        ) from None


@lru_cache(maxsize=256)
def _validator(rule: Rule) -> Any:
    assert rule.schema is not None
    return bounded_validator(rule.schema, rule.id)


def _instances(scope: str, version: Version) -> Iterator[tuple[str, Any]]:
    """The data that a rule of this scope judges, each with its pointer from the CRD."""
    if scope == "crd":
        yield "", version.crd.data("")
    elif scope == "version":
        yield version.pointer, version.crd.data(version.pointer)
    elif scope == "status" and version.has_fields:
        yield version.status_pointer, version.status
    elif scope == "conditions":
        for conditions in version.condition_lists():
            yield conditions.pointer, conditions.schema


def _message(rule: Rule, detail: str) -> str:
    # jsonschema shows the whole of what is wrong, which may be a whole CRD.
    shown = detail if len(detail) <= LONGEST_DETAIL else detail[: LONGEST_DETAIL - 1] + "…"
    return rule.message or f"{rule.summary} ({shown})"


def _draft(rule: Rule, pointer: str) -> Draft | None:
    if rule.fix is None:
        return None
    moved = tuple(replace(operation, pointer=pointer + operation.pointer) for operation in rule.fix.operations)
    return Draft(rule.fix.applicability, (), moved)


def _is_templated(value: Any) -> bool:
    if isinstance(value, dict):
        return any(isinstance(key, Templated) or _is_templated(item) for key, item in value.items())
    if isinstance(value, list):
        return any(map(_is_templated, value))
    return isinstance(value, Templated)
