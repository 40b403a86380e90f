"""The rules on the observed generation of a fresh object: `races` says which one holds, the gate what can be done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

from crdlint.checks import generation_gate, races
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.model import Version, mapping

_COST = "Flux, Helm 4 and kpt (kstatus) take a new {kind} as ready before any controller has seen it"
_MESSAGES = {
    races.MISSING: "status declares no observedGeneration: {cost}, and after every later change too",
    races.MISSING_DEFAULT: "observedGeneration has no default that a new object gets: {cost}",
    races.INEFFECTIVE_DEFAULT: (
        "the default of observedGeneration does nothing while status has none: a new object has no status, so {cost}"
    ),
    races.WRONG_DEFAULT: "a new object gets observedGeneration {value}, which is its generation from the start: {cost}",
}

_LATER = (
    "a new object gets observedGeneration {value}, which its generation reaches without any controller: Flux, Helm 4 "
    "and kpt (kstatus) take the {kind} as ready from then on, though no controller has seen it"
)


def _check(rule: str, version: Version, context: Context) -> Iterator[Problem]:
    race = races.race_of(version)
    if race is None or race.rule != rule:
        return
    draft = generation_gate.fix_of(version, context)
    value = mapping(version.fresh_status).get("observedGeneration")
    kind = version.crd.kind or "object"
    cost = _COST.format(kind=kind)
    message = _LATER if isinstance(value, int) and value > 1 else _MESSAGES[rule]
    yield Problem(race.pointer, message.format(cost=cost, value=value, kind=kind), draft, marker=_marker(draft))


def _marker(draft: Draft) -> str | None:
    """The marker for the default that this fix writes, if it writes one."""
    for operation in draft.operations:
        if operation.pointer.endswith("/status/default"):
            return "+kubebuilder:default=" + json.dumps(operation.value, separators=(",", ":"))
    return None


CHECKS: dict[str, Callable[[Version, Context], Iterator[Problem]]] = {
    rule.replace("-", "_"): partial(_check, rule) for rule in _MESSAGES
}
