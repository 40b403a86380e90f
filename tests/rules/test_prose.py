"""Rules as text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crdlint.findings import Applicability
from crdlint.rules.catalogue import Catalogue, core_rules
from crdlint.rules.prose import RuleText, as_json, explain, markdown, table
from crdlint.rules.rule import Rule
from tests.cli.run import crdlint
from tests.fixture_tool import FIXTURES
from tests.texts import write

HOSTILE = """\
id: own-rule
scope: crd
summary: "\\e]0;title\\a clear \\e[2J"
severity: info
why: "\\e[2J \\u202e why"
schema: {}
marker: "+a\\n+b"
references: ["\\e[31m"]
example: {bad: "\\e[2J", good: "\\u009b"}
"""


def test_nothing_in_a_rule_acts_on_a_terminal(tmp_path: Path) -> None:
    write(tmp_path, {"r/r.yaml": HOSTILE})
    for arguments in (["rules"], ["explain", "own-rule"]):
        shown = crdlint(tmp_path, *arguments, "--rules", "r").stdout.decode()
        assert "own-rule" in shown
        assert not set(shown) & set("\x1b\x07\u202e\u009b"), shown


def test_the_configuration_of_the_working_folder_brings_its_rules(tmp_path: Path) -> None:
    write(tmp_path, {"r/r.yaml": HOSTILE, ".crdlint.yaml": "rules: [r]\n"})
    listed = json.loads(crdlint(tmp_path, "rules", "--format", "json").stdout)
    assert [one["id"] for one in listed if one["pack"] == "custom"] == ["own-rule"]
    assert crdlint(tmp_path, "explain", "own-rule").returncode == 0


@pytest.mark.parametrize("width", [40, 80, 100])
def test_an_explanation_fits_the_terminal(width: int) -> None:
    for rule in core_rules():
        text = explain(rule, width)
        prose = text.split("\nBad\n")[0].split("\nMarker")[0]
        assert all(len(line) <= width or " " not in line.strip() for line in prose.splitlines()[1:]), rule.id


@pytest.mark.parametrize("width", [70, 80, 100])
def test_the_table_lists_each_pack_under_a_heading_and_fits(width: int) -> None:
    lines = table(Catalogue(core_rules()), width).splitlines()
    assert max(map(len, lines)) <= width
    packs = [line.split()[1].rstrip(":") for line in lines if line.startswith("Pack ")]
    assert packs == ["core", "capi", "conventions"]
    assert lines.count(next(line for line in lines if line.startswith("rule "))) == len(packs)
    ids = {rule.id for rule in core_rules()}
    listed = [line.split()[0] for line in lines if line.split()[:1] and line.split()[0] in ids and line[0] != " "]
    assert listed == [rule.id for pack in packs for rule in core_rules() if rule.pack == pack]


def test_rules_of_ones_own_are_listed_too(tmp_path: Path) -> None:
    write(tmp_path, {"r/r.yaml": HOSTILE})
    text = crdlint(tmp_path, "rules", "--rules", "r").stdout.decode()
    assert "\nPack custom: rules of your own.\n" in text


# How safe a fix is


def observed() -> dict[str, set[str]]:
    """How applicable the fixes of each rule are in the fixtures."""
    found: dict[str, set[str]] = {}
    for path in FIXTURES.glob("*/*/expected.json"):
        for finding in json.loads(path.read_text("utf-8")):
            if finding.get("applicability"):
                found.setdefault(finding["rule"], set()).add(finding["applicability"])
    return found


def test_a_rule_tells_when_its_fix_is_other_than_usual() -> None:
    applicability = observed()
    for rule in core_rules():
        if rule.fix is None:
            continue
        told = {kind.value for kind in Applicability if kind.value in rule.fix.safety}
        assert not told or rule.fix.applicability.value in told, rule.id
        kinds = applicability.get(rule.id, set())
        assert kinds <= (told or {rule.fix.applicability.value}), rule.id


@pytest.mark.parametrize("rule", [rule for rule in core_rules() if rule.fix and rule.fix.safety], ids=lambda r: r.id)
def test_it_is_told_wherever_a_rule_is_told(rule: Rule) -> None:
    assert rule.fix is not None
    shown = " ".join(explain(rule, 80).split())
    for text in rule.fix.safety.values():
        assert text in shown
        assert text in markdown(rule)
        assert text in RuleText(rule).help_markdown
    assert json.loads(as_json([rule]))[0]["safety"] == rule.fix.safety


def test_a_marker_has_its_place() -> None:
    """Those of the core and conventions packs do; those of the contracts are sentences that name it."""
    for rule in core_rules():
        if rule.marker is not None and rule.pack != "capi" and " on " not in rule.marker:
            assert rule.marker_on, rule.id
            assert f"Marker, in the Go types (on {rule.marker_on})" in explain(rule, 80)
            assert f"In the Go types (on {rule.marker_on}):" in markdown(rule)
