"""SARIF 2.1.0."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from crdlint import project
from crdlint.findings import Finding, Severity
from crdlint.report import Options, render
from crdlint.report.fingerprint import fingerprint

from .build import Rule, clean_report, finding, plain, report

RULES = (Rule("unused-ignore", severity=Severity.INFO), Rule("missing-status-subresource"))
OPTIONS = Options(version="1.2.3", rules=RULES)


def run_of(*findings: Finding, options: Options = OPTIONS) -> dict[str, Any]:
    log = json.loads(render(report(*findings), "sarif", options))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


def test_the_rules_are_listed() -> None:
    driver = run_of()["tool"]["driver"]
    assert (driver["name"], driver["version"], driver["informationUri"]) == ("crdlint", "1.2.3", project.HOME)
    assert driver["rules"][0] == {
        "id": "unused-ignore",
        "shortDescription": {"text": "a summary"},
        "fullDescription": {"text": "why it matters"},
        "help": {"text": "why it matters", "markdown": "# help"},
        "defaultConfiguration": {"level": "note"},
    }


def test_a_result() -> None:
    first = finding()
    assert run_of(first)["results"] == [
        {
            "ruleId": "missing-status-subresource",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "status is declared, but the status subresource is off"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "config/crd/widgets.yaml", "uriBaseId": "SRCROOT"},
                        "region": {"startLine": 7, "startColumn": 5, "endLine": 7, "endColumn": 9},
                    }
                }
            ],
            "partialFingerprints": {"crdlint/v1": fingerprint(first, OPTIONS)},
            "properties": {
                "crd": "widgets.example.com",
                "kind": "Widget",
                "version": "v1",
                "pointer": "/spec/versions/0",
                "applicability": "unsafe",
                "marker": "+kubebuilder:subresource:status",
            },
        }
    ]


def test_levels_and_a_rule_that_is_not_listed() -> None:
    results = run_of(plain(rule="mine"), plain(rule="other", severity=Severity.WARNING), options=Options())["results"]
    assert [result["level"] for result in results] == ["note", "warning"]
    assert "ruleIndex" not in results[0]


def test_a_clean_run_has_an_empty_list() -> None:
    assert json.loads(render(clean_report(), "sarif", OPTIONS))["runs"][0]["results"] == []


def uri(path: str, options: Options = OPTIONS) -> dict[str, str]:
    (result,) = run_of(plain(path=path), options=options)["results"]
    return dict(result["locations"][0]["physicalLocation"]["artifactLocation"])


def test_uris_are_percent_encoded_and_relative_to_the_root() -> None:
    assert uri("a b/é:%.yaml") == {"uri": "a%20b/%C3%A9%3A%25.yaml", "uriBaseId": "SRCROOT"}
    assert uri("caf\udce9.yaml")["uri"] == "caf%E9.yaml"
    assert uri("odd\ud800.yaml")["uri"] == "odd%5Cud800.yaml"
    inside = Options(root="/repo", folder="/repo/sub")
    assert uri("a.yaml", inside) == uri("/repo/sub/a.yaml", inside) == {"uri": "sub/a.yaml", "uriBaseId": "SRCROOT"}
    assert uri("/else where.yaml", inside) == {"uri": "file:///else%20where.yaml"}


def test_a_name_makes_no_link() -> None:
    (result,) = run_of(plain(message="CRD [x](https://evil.example)"))["results"]
    assert result["message"]["text"] == "CRD [x] (https://evil.example)"


def test_a_fingerprint_outlives_moved_lines_and_new_wording() -> None:
    first = finding()
    same = replace(first, line=99, end_line=99, column=1, message="other words", severity=Severity.WARNING, fix=None)
    assert fingerprint(first, OPTIONS) == fingerprint(same, OPTIONS)
    for change in ({"path": "x"}, {"rule": "x"}, {"crd": "x"}, {"version": "x"}, {"pointer": "x"}, {"crd": None}):
        assert fingerprint(first, OPTIONS) != fingerprint(replace(first, **change), OPTIONS)
    here, there = Options(root="/a", folder="/a/s"), Options(root="/b", folder="/b")
    assert fingerprint(finding(path="x.yaml"), here) == fingerprint(finding(path="s/x.yaml"), there)
