"""Health check expressions for Flux (Kustomization, spec.healthCheckExprs), in CEL.

An expression that fails leaves Flux waiting until its timeout, so nothing is taken for granted but a status: its top
level fields are CEL's variables, and no expression can ask whether there is one. While an object has no status, Flux
shows Unknown and goes on waiting, which is right (fluxcd/kustomize-controller#1408). Flux itself compares
status.observedGeneration with the generation, before any expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crdlint.healthchecks.check import Check

_CONDITIONS = "status.?conditions.orValue([])"
_TYPE = "c.?type.orValue('')"
_IS_TRUE = "c.?status.orValue('') == 'True'"
# A condition that does not say which generation it speaks of is taken at its word.
_IS_FRESH = "(!has(c.observedGeneration) || c.observedGeneration == metadata.generation)"
# The evaluator sees objects that are being deleted, too.
_IS_DELETED = "has(metadata.deletionTimestamp)"


def kustomization(checks: Sequence[Check]) -> dict[str, Any]:
    """What of a Kustomization holds the expressions."""
    spec = {"healthCheckExprs": [entry(check) for check in checks]}
    return {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "spec": spec}


def entry(check: Check) -> dict[str, str]:
    """An item of ``healthCheckExprs``; of ``apiVersion``, Flux looks at the group only."""
    return {"apiVersion": f"{check.group}/{check.version}", "kind": check.kind, **expressions(check)}


def expressions(check: Check) -> dict[str, str]:
    """Flux evaluates them in the order ``inProgress``, ``failed``, ``current``; the first that holds decides."""
    holds = f"{_IS_TRUE} && {_IS_FRESH}" if check.observes_generation else _IS_TRUE
    found = {"inProgress": _IS_DELETED}
    if check.progressing:
        found["inProgress"] += f" ||\n{_exists(check.progressing, holds)}"
    if check.negative:
        found["failed"] = _exists(check.negative, holds)
    are_there = [_exists(types) for types in (check.any_of, *((name,) for name in check.needed)) if types]
    are_true = f"{_CONDITIONS}.filter(c, {_is_one_of(check.positive)})\n  .all(c, {holds})"
    found["current"] = " &&\n".join([*are_there, are_true])
    return found


def _exists(types: Sequence[str], holds: str = "") -> str:
    return f"{_CONDITIONS}.exists(c, {_is_one_of(types)}{' && ' + holds if holds else ''})"


def _is_one_of(types: Sequence[str]) -> str:
    if len(types) == 1:
        return f"{_TYPE} == {string(types[0])}"
    return f"{_TYPE} in [{', '.join(map(string, types))}]"


def string(text: str) -> str:
    """Text as a literal of CEL, in nothing but printable ASCII."""
    return "'" + "".join(map(_escaped, text)) + "'"


def _escaped(letter: str) -> str:
    if letter in "'\\":
        return "\\" + letter
    code = ord(letter)
    # Some CI runners take `##[` for a command.
    if 0x20 <= code < 0x7F and letter != "#":
        return letter
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
