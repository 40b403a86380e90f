"""Defaults in the schema of status that the API server refuses (`crd.structural` has its rules)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd import structural
from crdlint.crd.model import Version
from crdlint.crd.structural import DefaultVerdict
from crdlint.findings import Applicability
from crdlint.yamltext.nodes import split_pointer
from crdlint.yamltext.operations import Operation, Refused, apply_to_data


def rejected_default(version: Version, context: Context) -> Iterator[Problem]:
    for verdict in version.default_verdicts:
        errors = ("apiextensions.k8s.io/v1beta1 accepts no defaults",) if version.crd.is_obsolete else verdict.errors
        if errors:
            yield _problem(version, verdict.pointer, "; ".join(errors))


def refused_after(version: Version, operations: tuple[Operation, ...]) -> list[str]:
    """Why the API server might refuse a default of status or spec once ``operations`` are made.

    What it refuses already, or nobody can tell already, does not count.
    """
    found = _refused_in("status", version.status, version.default_verdicts, _below(version.status_pointer, operations))
    spec = version.schema.field("spec")
    if inside := _below(spec.pointer, operations):
        schema = spec.excerpt(set(_fields_of(inside)))
        found += _refused_in("spec", schema, structural.default_verdicts(schema), inside)
    return found


def _fields_of(operations: list[Operation]) -> Iterator[str]:
    """The fields that operations on a schema concern."""
    for operation in operations:
        keyword, *rest = split_pointer(operation.pointer)
        if keyword == "properties" and rest:
            yield rest[0]


def _below(pointer: str, operations: tuple[Operation, ...]) -> list[Operation]:
    """The operations on what is below a pointer, with pointers from there."""
    return [
        replace(operation, pointer=operation.pointer.removeprefix(pointer))
        for operation in operations
        if operation.pointer.startswith(f"{pointer}/")
    ]


def _refused_in(name: str, schema: Any, verdicts: list[DefaultVerdict], operations: list[Operation]) -> list[str]:
    before = {verdict.pointer: verdict for verdict in verdicts}
    if not any(_concerns(operation.pointer, pointer) for operation in operations for pointer in before):
        return []
    try:
        after = structural.default_verdicts(apply_to_data(schema, operations))
    except Refused as reason:
        return [str(reason)]
    return [
        f"the default of `{_field(name, verdict.pointer)}` would be refused, or only the API server can tell: {doubt}"
        for verdict in after
        for doubt in _new_doubts(verdict, before.get(verdict.pointer))
    ]


def _concerns(operation: str, default: str) -> bool:
    """Does an operation change the schema that a default has to satisfy, or the default?"""
    schema = default.removesuffix("default")
    return operation.startswith(schema) or default.startswith(operation + "/")


def _new_doubts(verdict: DefaultVerdict, old: DefaultVerdict | None) -> list[str]:
    doubts = (*verdict.errors, *verdict.undecided)
    return [doubt for doubt in doubts if old is None or doubt not in (*old.errors, *old.undecided)]


def _problem(version: Version, pointer: str, why: str) -> Problem:
    return Problem(
        version.status_pointer + pointer,
        f"the API server refuses the whole CRD because of the default of `{_field('status', pointer)}`: {why}",
        Draft(Applicability.MANUAL),
    )


def _field(path: str, pointer: str) -> str:
    """The field whose default stands at a pointer into the schema of the field at ``path``."""
    parts = iter(split_pointer(pointer)[:-1])
    for part in parts:
        if part == "properties":
            path += "." + next(parts, "")
        else:
            path += {"items": "[]", "additionalProperties": "{}"}.get(part, "")
    return path
