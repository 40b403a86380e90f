"""The crdlint/v1 format and JSON lines."""

from __future__ import annotations

import json

from crdlint.findings import Applicability, Fix, Report
from crdlint.report import Options, render

from .build import clean_report, finding, plain, report

OPTIONS = Options(version="1.2.3")


def test_the_whole_report() -> None:
    fix = Fix(Applicability.SAFE, "do it", ("because",), refused="an alias")
    assert json.loads(render(report(finding(fix=fix), plain(path="a.yaml"), fixed=3), "json", OPTIONS)) == {
        "format": "crdlint/v1",
        "tool": {"name": "crdlint", "version": "1.2.3"},
        "summary": {
            "files": 2,
            "skipped": 0,
            "crds": 2,
            "versions": 2,
            "errors": 1,
            "warnings": 0,
            "infos": 1,
            "fixableSafe": 1,
            "fixableUnsafe": 0,
            "fixed": 3,
        },
        "findings": [
            {
                "rule": "unused-ignore",
                "severity": "info",
                "message": "nothing to ignore",
                "path": "a.yaml",
                "line": 7,
                "column": 5,
                "endLine": 7,
                "endColumn": 9,
                "crd": None,
                "kind": None,
                "version": None,
                "pointer": None,
                "fix": None,
                "marker": None,
            },
            {
                "rule": "missing-status-subresource",
                "severity": "error",
                "message": "status is declared, but the status subresource is off",
                "path": "config/crd/widgets.yaml",
                "line": 7,
                "column": 5,
                "endLine": 7,
                "endColumn": 9,
                "crd": "widgets.example.com",
                "kind": "Widget",
                "version": "v1",
                "pointer": "/spec/versions/0",
                "fix": {"applicability": "safe", "title": "do it", "reasons": ["because"], "refused": "an alias"},
                "marker": "+kubebuilder:subresource:status",
            },
        ],
    }


def test_a_finding_stands_on_a_line_of_its_own() -> None:
    lines = render(report(finding(), plain()), "json", OPTIONS).splitlines()
    assert lines[3:] == ['"findings": [', lines[4], lines[5], "]}"]
    assert json.loads(lines[5])["rule"] == "unused-ignore"


def test_a_clean_run() -> None:
    output = render(clean_report(skipped=2), "json", OPTIONS)
    assert output.endswith('"findings": []}\n')
    assert json.loads(output)["summary"]["skipped"] == 2
    assert render(clean_report(), "jsonl", OPTIONS) == ""
    assert json.loads(render(Report([]), "json", OPTIONS))["findings"] == []


def test_findings_are_sorted() -> None:
    places = [
        ("b.yaml", 1, 2, "a", "/x"),
        ("b.yaml", 1, 2, "a", "/b"),
        ("b.yaml", 1, 1, "z", ""),
        ("a.yaml", 9, 1, "a", ""),
    ]
    found = [
        finding(path=path, line=line, column=column, rule=rule, pointer=pointer)
        for path, line, column, rule, pointer in places
    ]
    listed = json.loads(render(report(*found), "json", OPTIONS))["findings"]
    assert [(one["path"], one["line"], one["column"], one["rule"], one["pointer"]) for one in listed] == sorted(places)


def test_lines_have_the_same_findings() -> None:
    found = report(finding(), plain())
    lines = render(found, "jsonl", OPTIONS).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render(found, "json", OPTIONS))["findings"]


def test_a_path_that_is_not_utf8_is_shown_and_the_output_is_valid() -> None:
    for name in ("json", "jsonl", "sarif"):
        output = render(report(plain(path="caf\udce9.yaml")), name, OPTIONS)
        assert output.isascii()
        assert "\\\\udce9" in output or "%E9" in output
