"""Defaults in the schema of status that the API server refuses (`crd.structural` has its rules)."""

from __future__ import annotations

from collections.abc import Iterator

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd import structural
from crdlint.crd.model import Version
from crdlint.findings import Applicability
from crdlint.yamltext.nodes import split_pointer


def rejected_default(version: Version, context: Context) -> Iterator[Problem]:
    if version.status is None:
        return
    if version.crd.is_obsolete:
        yield from _in_v1beta1(version)
        return
    allowed = not version.crd.preserves_unknown_fields
    for verdict in structural.default_verdicts(version.status, defaults_allowed=allowed):
        if verdict.errors:
            yield _problem(version, verdict.pointer, "; ".join(verdict.errors))


def _in_v1beta1(version: Version) -> Iterator[Problem]:
    assert version.status is not None
    for verdict in structural.default_verdicts(version.status):
        yield _problem(version, verdict.pointer, "apiextensions.k8s.io/v1beta1 accepts no defaults")


def _problem(version: Version, pointer: str, why: str) -> Problem:
    return Problem(
        version.status_pointer + pointer,
        f"the API server refuses the whole CRD because of the default of `{_field(pointer)}`: {why}",
        Draft(Applicability.MANUAL),
    )


def _field(pointer: str) -> str:
    """The field whose default stands at a pointer into the schema of status."""
    path = "status"
    parts = iter(split_pointer(pointer)[:-1])
    for part in parts:
        if part == "properties":
            path += "." + next(parts, "")
        else:
            path += {"items": "[]", "additionalProperties": "{}"}.get(part, "")
    return path
