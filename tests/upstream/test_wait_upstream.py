"""``kubectl wait`` in Python against kubectl itself."""

from __future__ import annotations

import itertools
import random
import sys
from typing import Any

from crdlint.consumers.kubectl_wait import WaitError, wait_for
from tests.upstream.asking import Upstream
from tests.upstream.matrices import SEED, objects

CONDITIONS = (
    "condition=Ready",
    "condition=ready",
    "condition=READY=true",
    "condition=Ready=False",
    "condition=Ready=unknown",
    "condition=Available",
    "condition=Paused",
    "condition=Stalled=",
    "condition=",
    "condition==",
    "condition=Ready=True=x",
)

PATHS = (
    "{.status.phase}=Running",
    ".status.phase=Running",
    "status.phase",
    "{status.phase}='Running'",
    "{.status.conditions}",
    "{.status.conditions}=x",
    "{.status.conditions[0].type}=Ready",
    "{.status.conditions[-1].status}=True",
    "{.status.conditions[*].type}",
    "{.status.conditions[*].type}=Ready",
    '{.status.conditions[?(@.type=="Ready")].status}=True',
    "{.status.conditions[?(@.type=='Ready')].status}=True",
    '{.status.conditions[?(@.type=="Ready")].observedGeneration}=2',
    '{.status.conditions[?(@.status!="True")].type}=Ready',
    "{.status.conditions[?(@.observedGeneration>=1)].type}=Ready",
    "{.status.conditions[?(@.observedGeneration<2)].type}",
    "{.status.conditions[?(@.message)].type}",
    '{.status.conditions[?(@.type=="Ready")]}',
    "{.status.conditions[0:2].type}",
    "{.status.conditions[0:1].type}=Ready",
    "{.status.conditions[:1].type}=Ready",
    "{.status.conditions[1:].type}",
    "{.status.conditions[0:3:2].type}",
    "{.status.conditions[::0].type}",
    "{.status.conditions[0,1].type}",
    "{.status.conditions[0]['type','status']}",
    "{.status['phase']}=Running",
    "{.status['observedGeneration']}=2",
    "{.metadata.generation}=2",
    "{.metadata.generation}= 2 ",
    "{..phase}=Running",
    "{..type}",
    "{.status..status}=True",
    "{.status.*}",
    "{.status.observedGeneration}",
    "{.status.missing}",
    "{.status.missing.deeper}=x",
    "{.status.phase}=",
    "{.status.phase}==x",
    "{.status.phase",
    "status.phase}",
    "{}",
    "",
    "=x",
    "{.}",
    "{.status.conditions[x]}",
    "{.status.conditions[0}",
    "{.status.conditions[]}",
    "{.status.conditions[?(@.type)}",
    "{.status.conditions[?(@.type==1)].type}",
    "{.status.conditions[?(@.type~'x')].type}",
    "{.status.conditions[?(@.type=='a)b')].type}",
    "{.status.conditions[?(@.observedGeneration==true)].type}",
    "{.spec.replicas}=3",
    "{.status.replicas}=1.5",
    "{@.kind}=Widget",
    "{$.kind}=Widget",
    "{.kind} =Widget",
    "{ .kind }=Widget",
    "{.kind .apiVersion}",
    "{.metadata\\.name}",
    "{.metadata.name}=x=y",
    '{"text"}=text',
    "{.a 'te\\'xt'}=te'xt",
    "{.a 1}=1",
    "{.a 1.50}=1.5",
    "{.a true}=true",
    "{.a nonsense}",
    "{.a ...b}",
    "{.....b}",
)


def compare(upstream: Upstream, cases: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    questions = [{"op": "wait", "for": text, "object": resource} for text, resource in cases]
    answers = upstream.ask(questions)
    theirs = ["error" if "error" in answer else answer["met"] for answer in answers]
    mine = [ours(text, resource) for text, resource in cases]
    return [
        (case, answer, real, own)
        for case, answer, real, own in zip(cases, answers, theirs, mine, strict=True)
        if real != own
    ]


def ours(text: str, resource: dict[str, Any]) -> bool | str:
    try:
        return wait_for(text)(resource).met
    except WaitError:
        return "error"


def test_conditions(upstream: Upstream) -> None:
    # Only what has to do with conditions counts here: some of each kind are enough.
    cases = list(itertools.product(CONDITIONS, objects(40)))
    assert len(cases) >= 5_000
    assert compare(upstream, cases) == []


def test_json_paths(upstream: Upstream) -> None:
    chance = random.Random(SEED)
    resources = chance.sample(list(objects(20)), 60)
    odd: tuple[dict[str, Any], ...] = (
        {"phase": " Running "},
        {"phase": None},
        {"replicas": 1.5, "observedGeneration": 1e6},
        {"replicas": 2**63, "observedGeneration": 123456789.0},
        {"conditions": [{"type": "Ready", "status": "True"}, {"type": "Ready", "status": "False"}]},
        {"conditions": [{"type": "a)b", "status": "True", "observedGeneration": 2}]},
        {"conditions": {"type": "Ready"}},
        {"conditions": []},
        {"a": {"b": {"c": [1, {"phase": "Running"}]}}},
    )
    resources += [{"kind": "Widget", "status": status} for status in odd]
    resources.append({"a": "x", "kind": "Widget"})
    cases = [(f"jsonpath={path}", resource) for path, resource in itertools.product(PATHS, resources)]
    # Go goes through the keys of a map in any order, so that the first of several matches is anybody's.
    assert compare(upstream, cases) == []


def test_letters_that_are_equal_but_for_case(upstream: Upstream) -> None:
    cases = []
    for letter in map(chr, range(128, sys.maxunicode)):
        others = {letter.lower(), letter.upper(), letter.casefold(), letter.title(), letter.casefold().upper()}
        for other in sorted(others - {letter}):
            cases.append((f"condition={letter}", {"status": {"conditions": [{"type": other, "status": "True"}]}}))
    cases += [("condition=K", {"status": {"conditions": [{"type": "\u212a", "status": "ſ"}]}})]
    assert len(cases) > 2_000
    assert compare(upstream, cases) == []


def test_other_waits_are_refused(upstream: Upstream) -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        (text, {}) for text in ("ready", "Condition=Ready", "jsonPath={.a}", "condition")
    ]
    assert compare(upstream, cases) == []
