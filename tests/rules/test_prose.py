"""Rules as text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crdlint.rules.catalogue import Catalogue, core_rules
from crdlint.rules.prose import explain, table
from tests.cli.run import crdlint
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


def test_the_table_has_a_line_for_each_rule() -> None:
    lines = table(Catalogue(core_rules())).splitlines()
    assert [line.split()[0] for line in lines] == [rule.id for rule in core_rules()]
