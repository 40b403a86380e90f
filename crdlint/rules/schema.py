"""Rules that are a JSON Schema: what their scope must satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from crdlint.checks.context import Draft, Problem
from crdlint.crd.model import Version
from crdlint.rules.patterns import bounded_validator
from crdlint.rules.rule import Rule
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer


def violations(rule: Rule, version: Version) -> Iterator[Problem]:
    """What of the rule's scope violates its schema. What a template fills in violates nothing."""
    for pointer, instance in _instances(rule.scope, version):
        for error in _validator(rule).iter_errors(instance):
            if _is_templated(error.instance):
                continue
            where = pointer + join_pointer([str(part) for part in error.absolute_path])
            yield Problem(where, _message(rule, error.message), _draft(rule, pointer))


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
    return rule.message or f"{rule.summary} ({detail})"


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
