"""The fixes of one file: in stages, in groups, until they come to rest, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from crdlint.choices import Choices, linter_for
from crdlint.findings import Applicability, FileResult, Finding, Fix, Severity
from crdlint.fix.apply import MAX_PASSES, FixOutcome, fix
from crdlint.linter import Linter, Parsed
from crdlint.runner import Job
from crdlint.settings import Settings
from crdlint.yamltext.data import to_data
from crdlint.yamltext.operations import Op, Operation
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source
from tests.texts import CLEAN, MANUAL, OTHER, RULE, SAFE, TWO_CLEAN, TWO_SAFE, UNREADABLE, UNSAFE, WARNING, variants

SAFE_ONLY, ALL = Applicability.SAFE, Applicability.UNSAFE


def run(text: str | bytes, allowed: Applicability = SAFE_ONLY, **choices: Any) -> FixOutcome:
    data = text.encode() if isinstance(text, str) else text
    return fix(linter_for("x.yaml", Choices(**choices)), "x.yaml", data, allowed)


@pytest.mark.parametrize(
    ("before", "allowed", "after"),
    [
        (SAFE, SAFE_ONLY, CLEAN),
        (TWO_SAFE, SAFE_ONLY, TWO_CLEAN),
        (WARNING, SAFE_ONLY, WARNING),
        (UNSAFE, SAFE_ONLY, UNSAFE),
        (UNSAFE, ALL, CLEAN),
        (MANUAL, ALL, MANUAL),
        (OTHER, ALL, OTHER),
        (UNREADABLE, ALL, UNREADABLE),
        (f"{OTHER}---\n{SAFE}---\n{UNSAFE}", ALL, f"{OTHER}---\n{CLEAN}---\n{CLEAN}"),
    ],
)
def test_what_is_allowed_is_done(before: str, allowed: Applicability, after: str) -> None:
    assert run(before, allowed).data.decode() == after


@pytest.mark.parametrize("kind", variants(SAFE))
def test_the_rest_of_the_bytes_stay(kind: str) -> None:
    assert run(variants(SAFE)[kind]).data == variants(CLEAN)[kind]


def test_later_stages_rest_on_earlier_ones() -> None:
    outcome = run(UNSAFE, ALL)
    assert [finding.rule for finding in outcome.applied] == ["missing-status-subresource", RULE]
    assert outcome.result.findings == []


def test_findings_that_remain_stay_as_they_are() -> None:
    outcome = run(f"{SAFE}---\n{MANUAL}")
    assert [(finding.rule, finding.fix and finding.fix.refused) for finding in outcome.result.findings] == [
        ("observed-generation-type", None)
    ]
    assert outcome.refused == []


def test_the_same_crd_twice_in_a_file_is_two_findings() -> None:
    outcome = run(f"{SAFE}---\n{SAFE}")
    assert outcome.data.decode() == f"{CLEAN}---\n{CLEAN}"
    assert [finding.rule for finding in outcome.applied] == [RULE, RULE]


def test_versions_get_their_defaults_together_or_not_at_all() -> None:
    for text in (
        TWO_SAFE.replace("status:  # what", "status: &anchor  # what", 1),
        TWO_SAFE.replace(
            "  name: widgets.example.com\n",
            f"  annotations:\n    crdlint/ignore: {RULE}@v1beta1\n  name: widgets.example.com\n",
        ),
    ):
        outcome = run(text, ALL)
        assert outcome.data.decode() == text
        assert {finding.fix.applicability for finding in outcome.result.findings if finding.fix} == {
            Applicability.MANUAL
        }


# A linter that finds what the test wants


class Scripted:
    """A stand-in for the linter: the findings are what a function makes of the data."""

    settings = Settings(frozenset())

    def __init__(self, findings: Callable[[Any], list[Finding]]) -> None:
        self.findings = findings

    def lint_parsed(self, path: str, data: bytes) -> tuple[FileResult, Parsed]:
        source = Source.from_bytes(data)
        parsed = Parsed(source, parse(source.text))
        return self.lint_source(path, parsed), parsed

    def lint_source(self, path: str, parsed: Parsed) -> FileResult:
        root = parsed.stream.documents[0].root
        assert root is not None
        return FileResult(path, self.findings(to_data(root)), has_crd=True)


def finding(name: str, *operations: Operation, stage: int = 0) -> Finding:
    fix = Fix(SAFE_ONLY, "do it", operations=operations, stage=stage)
    return Finding(
        name, Severity.ERROR, "wrong", "x.yaml", 1, 1, 1, 2, crd="x", version="v1", pointer=f"/{name}", fix=fix
    )


def scripted(text: str, findings: Callable[[Any], list[Finding]]) -> FixOutcome:
    return fix(cast(Linter, Scripted(findings)), "x.yaml", text.encode(), SAFE_ONLY)


KIND = "kind: CustomResourceDefinition\n"


def test_what_never_comes_to_rest_is_not_written_and_says_why() -> None:
    seen: list[int] = []

    def grow(data: Any) -> list[Finding]:
        seen.append(len(data["list"]))
        return [finding("grow", Operation(Op.APPEND, "/list", len(data["list"])))]

    text = KIND + "list:\n- 0\n"
    outcome = scripted(text, grow)
    assert outcome.data.decode() == text
    assert outcome.applied == []
    assert [one.fix.refused for one in outcome.refused if one.fix] == [
        f"the fixes of this file do not come to rest within {MAX_PASSES} passes, so nothing was written"
    ]
    assert seen == list(range(1, MAX_PASSES + 2))


def test_two_fixes_that_undo_each_other_are_not_written() -> None:
    def fight(data: Any) -> list[Finding]:
        if data["a"] == 1:
            return [finding("up", Operation(Op.REPLACE, "/a", 2))]
        return [finding("down", Operation(Op.REPLACE, "/a", 1))]

    outcome = scripted(KIND + "a: 1\n", fight)
    assert outcome.data.decode() == KIND + "a: 1\n"
    assert [(one.rule, bool(one.fix and one.fix.refused)) for one in outcome.result.findings] == [("up", True)]


def test_a_fix_that_changes_nothing_is_refused_and_the_others_are_made() -> None:
    def idle(data: Any) -> list[Finding]:
        found = [finding("idle", Operation(Op.REPLACE, "/a", 1))]
        return found + ([finding("real", Operation(Op.REPLACE, "/b", 2))] if data["b"] == 1 else [])

    outcome = scripted(KIND + "a: 1\nb: 1\n", idle)
    assert outcome.data.decode() == KIND + "a: 1\nb: 2\n"
    assert [one.rule for one in outcome.applied] == ["real"]
    assert [one.fix.refused for one in outcome.refused if one.fix] == ["the fix would change nothing in the text"]


@pytest.mark.parametrize("bad", [0, 7, 24])
def test_one_refused_fix_among_many_does_not_keep_the_others_back(bad: int) -> None:
    def items(data: Any) -> list[Finding]:
        return [
            finding(f"r{index}", Operation(Op.REPLACE, f"/{key}/x" if index == bad else f"/{key}", 1))
            for index, key in enumerate(sorted(set(data) - {"kind"}))
            if data[key] == 0
        ]

    text = KIND + "".join(f"k{index:02}: 0\n" for index in range(25))
    outcome = scripted(text, items)
    assert outcome.data.decode() == text.replace(": 0", ": 1").replace(f"k{bad:02}: 1", f"k{bad:02}: 0")
    assert [one.rule for one in outcome.refused] == [f"r{bad}"]
    assert outcome.refused[0].fix is not None
    assert outcome.refused[0].fix.applicability is SAFE_ONLY
    assert len(outcome.applied) == 24


def test_fixes_in_each_others_way_are_made_one_after_the_other() -> None:
    def clash(data: Any) -> list[Finding]:
        wanted = {"one": 1, "two": 2}
        return [
            finding(name, Operation(Op.MERGE, "/map", {name: value}), Operation(Op.REPLACE, "/last", name))
            for name, value in wanted.items()
            if name not in data["map"]
        ]

    outcome = scripted(KIND + "map: {}\nlast: none\n", clash)
    root = parse(outcome.data.decode()).documents[0].root
    assert root is not None
    assert to_data(root)["map"] == {"one": 1, "two": 2}
    assert [one.rule for one in outcome.applied] == ["one", "two"]


def test_the_defaults_of_a_crd_are_refused_together() -> None:
    def two(data: Any) -> list[Finding]:
        found = [finding("a", Operation(Op.REPLACE, "/a", 1), stage=1)] if data["a"] == 0 else []
        return [*found, replace(finding("b", Operation(Op.REPLACE, "/b/x", 1), stage=1), version="v2")]

    outcome = scripted(KIND + "a: 0\nb: 0\n", two)
    assert outcome.data.decode() == KIND + "a: 0\nb: 0\n"
    assert sorted(one.rule for one in outcome.refused) == ["a", "b"]


def test_a_job_keeps_no_bytes_of_a_file_that_stays(tmp_path: Any) -> None:
    for text, kept in ((CLEAN, b""), (SAFE, CLEAN.encode())):
        (tmp_path / "x.yaml").write_text(text)
        assert Job(fixes=SAFE_ONLY).run(str(tmp_path / "x.yaml")).after == kept
