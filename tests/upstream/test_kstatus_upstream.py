"""kstatus in Python against cli-utils itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

from crdlint.consumers import kstatus
from tests.upstream.asking import Upstream
from tests.upstream.matrices import KINDS, objects

ERROR = "error"
EACH = 20_000 // len(KINDS) + 1


def ours(resource: dict[str, Any]) -> tuple[str, str]:
    try:
        return kstatus.compute(resource)
    except kstatus.ComputeError:
        return ERROR, ""


def theirs(answer: dict[str, Any]) -> tuple[str, str]:
    return (ERROR, "") if "error" in answer else (answer["status"], answer["message"])


def test_equal_on_all_kinds(upstream: Upstream) -> None:
    resources = list(objects(EACH))
    assert len(resources) >= 20_000
    answers = [
        theirs(answer) for answer in upstream.ask({"op": "kstatus", "object": resource} for resource in resources)
    ]
    different = [
        (resource, answer, ours(resource))
        for resource, answer in zip(resources, answers, strict=True)
        if ours(resource) != answer
    ]
    assert different == []
    # The matrix has to reach what it is meant to reach.
    counts = Counter(status for status, _ in answers)
    assert min(counts[status] for status in ("InProgress", "Failed", "Current", "Terminating", ERROR)) > 200
    assert len({(message.split()[0] if message else "", status) for status, message in answers}) > 40


def test_errors_have_the_words_of_kubernetes(upstream: Upstream) -> None:
    values: tuple[Any, ...] = (None, "x", True, 1.5, 1e9, [1, "a"], {"b": 1, "a": None}, 2**64)
    resources: list[dict[str, Any]] = [{"metadata": {"generation": value}} for value in values]
    resources += [{"metadata": {"generation": 1}, "status": {"observedGeneration": value}} for value in values]
    resources += [{"metadata": {"deletionTimestamp": value}} for value in values if not isinstance(value, str)]
    for resource, answer in zip(
        resources, upstream.ask({"op": "kstatus", "object": r} for r in resources), strict=True
    ):
        assert kstatus.verdict(resource) == ("Unknown", answer["error"])
