"""GitLab's code quality report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from crdlint.findings import Report, Severity
from crdlint.report import Options, render
from crdlint.report.fingerprint import fingerprint

from ..surroundings import ROOT
from .build import checked, clean_report, finding, plain, report

SCHEMA = json.loads(Path(__file__).with_name("gitlab.schema.json").read_text("utf-8"))


def issues(of: Report, options: Options) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(render(of, "gitlab", options))
    Draft202012Validator(SCHEMA).validate(found)
    return found


def test_an_issue() -> None:
    options = Options(root="/repo", folder="/repo/charts")
    warning = plain(path="./0.yaml", severity=Severity.WARNING)
    second, first = issues(report(finding(path="a.yaml"), warning), options)
    assert first == {
        "description": "missing-status-subresource: status is declared, but the status subresource is off"
        " (widgets.example.com v1)",
        "check_name": "missing-status-subresource",
        "fingerprint": fingerprint(finding(path="a.yaml"), options),
        "severity": "major",
        "location": {"path": "charts/a.yaml", "lines": {"begin": 7, "end": 7}},
    }
    assert (second["severity"], second["location"]["path"]) == ("minor", "charts/0.yaml")


def test_findings_about_the_same_keep_apart() -> None:
    same = [plain(line=line, end_line=line) for line in (3, 4, 5)]
    prints = [issue["fingerprint"] for issue in issues(report(*same), Options())]
    assert len(set(prints)) == 3
    assert prints[0] == fingerprint(same[0], Options())


def test_a_clean_run_and_the_sample_repository() -> None:
    assert issues(clean_report(), Options()) == []
    found, options = checked(ROOT / "fixtures/provider-repo", root=ROOT)
    assert len(issues(found, options)) == len(found.findings) > 20
