"""The HTML report as text: self-contained, and its data."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from crdlint.report import Options, render

from ..surroundings import ROOT
from .build import HeldFiles, checked, clean_report, crd_text, embedded, finding, report

SAMPLE = ROOT / "fixtures/provider-repo"


def test_the_policy_admits_what_is_in_the_page_and_nothing_else() -> None:
    html = render(report(finding()), "html", Options(version="1"))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', html)
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    for kind, pattern in (("style", "<style>(.*?)</style>"), ("script", "<script>(.*?)</script>")):
        (content,) = re.findall(pattern, html, re.DOTALL)
        assert directives[f"{kind}-src"] == f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
    assert not re.search(r"\b(src|href)=\"(?!data:,)", html)
    assert "http" not in re.sub(r"http-equiv", "", html.split('id="data">')[0])


def test_the_data_of_the_sample_repository() -> None:
    found, options = checked(SAMPLE, root=ROOT)
    data = embedded(render(found, "html", options))
    assert data["numbers"]["races"] == sum(result.races for result in found.results) == 6
    rows = {(row["kind"], row["version"]): row for row in data["rows"]}
    assert len(rows) >= 11
    cluster = rows["LagoonCluster", "v1beta2"]
    marks = dict(zip(data["columns"], cluster["cells"], strict=True))
    assert marks["Subresource"] == ["good", "on"]
    assert marks["Its default"] == ["bad", "none"]
    assert marks["kstatus"] == ["bad", "too early"]
    before, after = (data["lives"][cluster[key]] for key in ("before", "after"))
    assert before["race"]
    assert not after["race"]
    kstatus = {life["lanes"][0]["answers"][0]["wrong"] for life in (before, after)}
    assert kstatus == {"too early", ""}
    assert rows["LagoonMachineTemplate", "v1beta2"]["before"] is None


def test_findings_have_frame_diff_and_row() -> None:
    found, options = checked(SAMPLE, root=ROOT)
    data = embedded(render(found, "html", options))
    (off,) = (
        one for one in data["findings"] if one["rule"] == "missing-status-subresource" and "networks" in one["path"]
    )
    assert off["path"].startswith("fixtures/")
    assert any("^" in line for number, line in off["frame"] if number is None)
    assert "+      status: {}" in off["fix"]["hunks"][0]["lines"]
    assert data["rows"][off["row"]]["kind"] == "LagoonNetwork"
    assert off["path"] in data["diffs"]
    assert data["rules"]["missing-status-subresource"]


def test_without_the_files_it_shows_what_there_is() -> None:
    data = embedded(render(report(finding(), text=None), "html", Options()))
    assert (data["rows"], data["hasFixes"], data["findings"][0]["frame"]) == ([], False, [])
    assert embedded(render(clean_report(), "html", Options()))["findings"] == []


def test_values_are_not_taken_for_places_of_the_page() -> None:
    text = "{{script}}{{data}}{{policy}}"
    html = render(
        report(finding(message=text, crd=text)), "html", Options(version=text, files=HeldFiles(crd_text(text)))
    )
    assert embedded(html)["findings"][0]["message"] == text
    assert html.count('"use strict"') == 1
