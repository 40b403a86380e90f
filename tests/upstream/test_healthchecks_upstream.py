"""Health checks as Flux and kubectl themselves evaluate them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from crdlint.healthchecks import flux
from crdlint.healthchecks.check import Check
from tests.consumers.build import crd_of
from tests.healthchecks.asking import checked, commands, told
from tests.healthchecks.corpus import LEAST, chosen
from tests.healthchecks.lives import Shape, flux_answer, objects, wait_answer
from tests.healthchecks.odd import ODD, TYPES, crd
from tests.healthchecks.test_escaping import NASTY, cases, check_of
from tests.healthchecks.test_timeline import STATUSES
from tests.healthchecks.test_timeline import TYPES as TYPES_OF_LIVES
from tests.upstream.asking import Upstream

Case = tuple[dict[str, Any], Any, tuple[Any, ...]]
"""A question, the answer that is right, and what it is about."""


def flux_question(check: Check, resource: dict[str, Any]) -> dict[str, Any]:
    return {"op": "flux", "exprs": flux.expressions(check), "object": resource}


def flux_answered(answer: dict[str, Any]) -> str:
    """An evaluation that fails is shown as Unknown, and Flux goes on waiting."""
    return str(answer.get("status", "Unknown"))


def wrong(upstream: Upstream, cases: list[Case]) -> list[tuple[Any, ...]]:
    answers = upstream.ask(question for question, _, _ in cases)
    found = []
    for (question, right, about), answer in zip(cases, answers, strict=True):
        given = flux_answered(answer) if question["op"] == "flux" else answer.get("met")
        if given not in (right if isinstance(right, list) else [right]):
            found.append((about, answer, right))
    return found


def corpus_cases() -> Iterator[Case]:
    for one in chosen():
        assert one.assessment.check is not None
        waits = list(commands(one.assessment.check, one.assessment))
        for state, shape, resource in one.lives():
            about = (one.crd.name, state, resource)
            right = flux_answer(state, shape, one.types, resource)
            yield flux_question(one.assessment.check, resource), right, about
            for for_ in waits:
                yield {"op": "wait", "for": for_, "object": resource}, wait_answer(state, shape, for_), about


def test_corpus(upstream: Upstream) -> None:
    asked = list(corpus_cases())
    assert wrong(upstream, asked) == []
    counts = Counter(str(right) for _, right, _ in asked)
    print(f"{len(chosen())} CRDs of different shape: {dict(counts)}")
    assert len(chosen()) >= LEAST
    assert min(counts[status] for status in ("Current", "InProgress", "Failed", "Unknown", "True", "False")) > 20


def shape_cases() -> Iterator[Case]:
    for status in STATUSES.values():
        for subresource in (True, False):
            built = crd_of(status, subresource=subresource)
            shape = Shape.of(built.versions[0])
            for types in TYPES_OF_LIVES.values():
                check, assessment = checked(built, told(types))
                waits = list(commands(check, assessment))
                for state, resource in objects(built.versions[0], types).items():
                    about = (state, types, resource)
                    yield flux_question(check, resource), flux_answer(state, shape, types, resource), about
                    for for_ in waits:
                        yield {"op": "wait", "for": for_, "object": resource}, wait_answer(state, shape, for_), about


def test_shapes(upstream: Upstream) -> None:
    asked = list(shape_cases())
    assert len(asked) > 2_000
    assert wrong(upstream, asked) == []


def test_odd_objects(upstream: Upstream) -> None:
    check, _ = checked(crd(), told(TYPES))
    asked: list[Case] = [
        (flux_question(check, odd.resource), odd.flux.split("|"), (name,)) for name, odd in ODD.items()
    ]
    assert wrong(upstream, asked) == []


def test_an_evaluation_that_fails_is_shown_as_unknown(upstream: Upstream) -> None:
    """While there is no status at all, Flux neither fails nor goes on: it shows Unknown, and polls again."""
    check, _ = checked(crd(), told(TYPES))
    named = {"name": "x", "namespace": "default", "generation": 2}
    odd = [ODD["no status"], ODD["status is empty"], ODD["only Ready"], ODD["Stalled"]]
    questions = [{**flux_question(check, {**one.resource, "metadata": named}), "op": "flux-reader"} for one in odd]
    shown = upstream.ask(questions)
    assert [answer.get("status") for answer in shown] == ["Unknown", "InProgress", "Current", "Failed"], shown
    assert "no such attribute" in shown[0]["message"]


def test_hostile_names(upstream: Upstream) -> None:
    questions: list[Case] = []
    for positive, negative in itertools.permutations(NASTY, 2):
        check = check_of(positive, negative)
        questions += [
            (flux_question(check, resource), right, (positive, negative, resource))
            for resource, right, _ in cases(positive, negative)
        ]
    assert wrong(upstream, questions) == []
