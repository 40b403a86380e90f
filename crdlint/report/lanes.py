"""The answers of each consumer in the life of an object, as a drawing shows them: one lane for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.consumers.timeline import ARGOCD, KSTATUS, WAIT, Timeline


def lanes(timeline: Timeline) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Name and answers of each consumer that has something to say, in the order in which they are shown."""
    first = timeline.states[0].verdicts
    yield "kstatus", [_answer(state.verdicts.kstatus, state.wrong().get((KSTATUS, ""))) for state in timeline.states]
    for condition in first.wait:
        yield (
            f"wait {condition}",
            [_waits(state.verdicts.wait[condition], state.wrong().get((WAIT, condition))) for state in timeline.states],
        )
    if first.argocd is not None and first.argocd.status != "Unknown":
        yield (
            "Argo CD",
            [_answer(state.verdicts.argocd, state.wrong().get((ARGOCD, ""))) for state in timeline.states],
        )


_GOES_ON = frozenset(("Current", "Healthy"))
_GIVES_UP = frozenset(("Failed", "Degraded"))
_ENDS = frozenset(("Terminating",))


def _answer(answer: Any, wrong: str | None) -> dict[str, Any]:
    status = "" if answer is None else answer.status
    act = "go" if status in _GOES_ON else "fail" if status in _GIVES_UP else "end" if status in _ENDS else "wait"
    return {"says": status, "why": "" if answer is None else answer.message, "act": act, "wrong": wrong or ""}


def _waits(answer: Any, wrong: str | None) -> dict[str, Any]:
    act = "go" if answer.met else "wait"
    return {"says": "met" if answer.met else "waits", "why": answer.message, "act": act, "wrong": wrong or ""}
