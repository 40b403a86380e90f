"""Verdicts on stored objects against the strategies that the API server itself runs on requests.

An object is written as it is stored, while something else in it changes: that is what every write but a creation comes
to, and so the program gives the strategies an old object that differs in a field the new one does not have.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest

from crdlint.stored.checker import StoredChecker
from crdlint.stored.decode import Decoder
from crdlint.stored.objects import StoredObject
from crdlint.stored.requests import RATCHETING_SINCE
from crdlint.stored.verdict import Verdict, Write
from crdlint.stored.view import View
from crdlint.stored.writes import STATUS_WRITES, changes
from tests.stored.crds import Json, corpus_crds, fixture_crds, keyword_crds, schema_of, view_of, without_rules
from tests.stored.samples import Samples
from tests.upstream.asking import Upstream

VERSIONS = ((1, 29), (1, 33))
RULES = "x-kubernetes-validations"
COMBINATIONS = ('"allOf"', '"anyOf"', '"oneOf"', '"not"')
# Versions of CRDs that are asked about at a time: some have schemas of a megabyte.
BATCH = 20


@dataclass(frozen=True)
class Asked:
    """Objects of one version of a CRD, and the version of Kubernetes that they are written to."""

    crd: Json
    version: str
    kubernetes: tuple[int, int]
    objects: list[Json]

    @cached_property
    def view(self) -> View:
        return view_of(self.crd, self.version)

    @cached_property
    def text(self) -> str:
        return json.dumps(self.crd)


@dataclass(frozen=True)
class Answered:
    """One write of one object, with both answers."""

    asked: Asked
    stored: Json
    verdict: Verdict
    write: Write
    refusals: list[dict[str, str]]
    """What the strategies say."""
    without_rules: list[dict[str, str]]
    """What they say where the schema has no CEL rules."""

    @property
    def is_of_status(self) -> bool:
        return self.write in STATUS_WRITES and self.asked.view.has_status_subresource

    @property
    def is_equal(self) -> bool:
        """A decided verdict is theirs; where rules leave one open, nothing but rules may refuse the write."""
        ours = self.verdict.refuses(self.write)
        if ours is None:
            return not self.without_rules and RULES in self.asked.text
        return bool(self.refusals) == bool(self.without_rules) == ours

    @property
    def unnamed(self) -> set[str]:
        """The places that they name, and crdlint does not. Below combinations they name places of their own."""
        if any(name in self.asked.text for name in COMBINATIONS):
            return set()
        # crdlint names the list of owners, not their fields.
        named = {re.sub(r"(ownerReferences).*", r"\1", refusal["path"]) for refusal in self.without_rules}
        named -= {"<nil>", "status"}
        # Before ratcheting, the strategy of the status leaves out where it stands.
        prefix = "status." if self.is_of_status and self.asked.kubernetes < RATCHETING_SINCE else ""
        # The scale subresource's own paths begin with a point.
        theirs = {path[1:] if path.startswith(".") else prefix + path for path in named}
        return theirs - {refusal.path for refusal in self.verdict.refused if self.write in refusal.writes}


def answers(upstream: Upstream, cases: list[Asked]) -> Iterator[Answered]:
    """Every write of every object. What is read back has to be equal as well."""
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        plans = [[changes(Decoder(asked.view).decode(stored)[0]) for stored in asked.objects] for asked in batch]
        given = upstream.ask(question(asked, plan) for asked, plan in zip(batch, plans, strict=True))
        bare = upstream.ask(question(without_rules_in(asked), plan) for asked, plan in zip(batch, plans, strict=True))
        for case in zip(batch, plans, given, bare, strict=True):
            yield from of_case(*case)


def of_case(asked: Asked, plans: list[dict[Write, Any]], given: Json, bare: Json) -> Iterator[Answered]:
    assert "error" not in given, (asked.crd["metadata"]["name"], given)
    checker, decoder = StoredChecker(None, asked.view, asked.kubernetes), Decoder(asked.view)
    for stored, plan, report, other in zip(asked.objects, plans, given["objects"], bare["objects"], strict=True):
        assert without_metadata(decoder.decode(stored)[0]) == without_metadata(report["object"]), stored
        verdict = checker.check(StoredObject("x", 1, stored))
        for write, refusals, others in zip(plan, report["refused"], other["refused"], strict=True):
            yield Answered(asked, stored, verdict, write, refusals, others)


def question(asked: Asked, plans: list[dict[Write, Any]]) -> Json:
    return {
        "op": "writes",
        "yaml": asked.text,
        "crd": asked.crd["metadata"]["name"],
        "version": asked.version,
        "kubernetes": ".".join(map(str, asked.kubernetes)),
        "rewritten": [
            {"stored": stored, "writes": [request(asked.view, *change) for change in plan.items()]}
            for stored, plan in zip(asked.objects, plans, strict=True)
        ],
    }


def request(view: View, write: Write, touched: Any) -> Json:
    endpoint = "create" if write is Write.CREATE else "main"
    if write in STATUS_WRITES and view.has_status_subresource:
        endpoint = "status"
    return {"endpoint": endpoint, "touched": touched}


def without_rules_in(asked: Asked) -> Asked:
    return Asked(without_rules(asked.crd), asked.version, asked.kubernetes, asked.objects)


def without_metadata(value: Json) -> Json:
    return {key: item for key, item in value.items() if key != "metadata"}


def judge(what: str, found: Iterator[Answered]) -> Counter[bool | None]:
    """All answers have to be equal; says and returns how many there are of each kind."""
    counts: Counter[bool | None] = Counter()
    for answer in found:
        assert answer.is_equal, answer
        assert not answer.unnamed, (answer.unnamed, answer)
        # Only rules leave anything open.
        assert all(question.reason.startswith("a CEL rule: ") for question in answer.verdict.undecided)
        counts[answer.verdict.refuses(answer.write)] += 1
    writes = counts.total()
    print(f"{what}: {writes} writes, {counts[True]} refused, {counts[None] / writes:.1%} undecided")
    return counts


@pytest.mark.parametrize("kubernetes", VERSIONS)
def test_every_keyword(upstream: Upstream, kubernetes: tuple[int, int]) -> None:
    """Without rules, every verdict is decided."""
    cases = [
        Asked(crd, "v1", kubernetes, list(Samples(crd, "v1", seed).objects(60)))
        for seed, crd in enumerate(keyword_crds())
    ]
    assert sum(len(case.objects) for case in cases) > 1_000
    counts = judge("keywords", answers(upstream, [case for case in cases if RULES not in case.text]))
    assert counts[None] == 0
    assert min(counts[True], counts[False]) > 1_000, counts
    judge("keywords and rules", answers(upstream, [case for case in cases if RULES in case.text]))


def fixed_cases(upstream: Upstream, pairs: Iterable[tuple[Json, Json]], count: int) -> list[Asked]:
    """Objects stored under CRDs as they are, written under what the fixes make of them."""
    known = list(pairs)
    verdicts = upstream.ask({"op": "crd", "yaml": json.dumps(after)} for _, after in known)
    accepted = [
        pair for pair, verdict in zip(known, verdicts, strict=True) if not any(crd["errors"] for crd in verdict["crds"])
    ]
    return [
        Asked(after, version, kubernetes, list(Samples(before, version, seed).objects(count)))
        for seed, (before, after) in enumerate(accepted)
        for version in versions_with_schema(before)
        for kubernetes in VERSIONS
    ]


def versions_with_schema(crd: Json) -> list[str]:
    return [version["name"] for version in crd["spec"]["versions"] if schema_of(crd, version["name"])]


def test_fixed_fixtures(upstream: Upstream) -> None:
    cases = fixed_cases(upstream, fixture_crds(200, seed=2), 4)
    assert sum(len(case.objects) for case in cases) > 1_000
    judge("fixed fixtures", answers(upstream, cases))


def test_fixed_corpus(upstream: Upstream) -> None:
    cases = fixed_cases(upstream, corpus_crds(60, seed=3), 8)
    assert sum(len(case.objects) for case in cases) > 500
    judge("fixed corpus", answers(upstream, cases))
