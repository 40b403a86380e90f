"""JUnit's XML.

The structure is what Jenkins' plugin reads (jenkinsci/junit-plugin, hudson/tasks/junit: SuiteResult.java passes over a
suite without a test case; CaseResult.java reads ``classname``, ``name``, and the text and ``message`` of ``failure``),
and GitLab beside it (https://docs.gitlab.com/ci/testing/unit_test_reports/): ``file`` of a test case.
"""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from crdlint.findings import Applicability, Fix, Report, Severity
from crdlint.report import Options, render

from ..surroundings import ROOT
from .build import checked, clean_report, finding, plain, report

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "system-out"},
    "failure": set(),
    "system-out": set(),
}
REQUIRED = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"classname", "name"},
    "failure": {"type", "message"},
    "system-out": set(),
}


def parsed(of: Report, options: Options | None = None) -> Element:
    root = ElementTree.fromstring(render(of, "junit", options or Options()))
    assert root.tag == "testsuites"
    for element in root.iter():
        assert {child.tag for child in element} <= CHILDREN[element.tag]
        assert set(element.attrib) >= REQUIRED[element.tag]
    for holder in [root, *root]:
        cases = list(holder.iter("testcase"))
        assert cases
        assert int(holder.attrib["tests"]) == len(cases)
        assert int(holder.attrib["failures"]) == len(list(holder.iter("failure")))
    return root


def test_a_finding_is_a_test_that_failed() -> None:
    fix = Fix(Applicability.SAFE, "add it", ("because of it",), refused="an alias")
    (suite,) = parsed(report(finding(fix=fix)), Options(root="/repo", folder="/repo"))
    (case,) = suite
    assert suite.attrib["name"] == case.attrib["file"] == "config/crd/widgets.yaml"
    assert case.attrib["classname"] == "crdlint.config/crd/widgets_yaml"
    assert case.attrib["name"] == "missing-status-subresource widgets.example.com v1"
    (failure,) = case
    assert failure.attrib == {
        "type": "error",
        "message": "status is declared, but the status subresource is off",
    }
    assert failure.text == (
        "config/crd/widgets.yaml:7:5: error[missing-status-subresource]\n"
        "fix (safe): add it\nnot applied: an alias\nbecause because of it\nmarker: +kubebuilder:subresource:status"
    )


def test_information_passes_and_equal_names_are_numbered() -> None:
    (suite,) = parsed(report(plain(), plain(line=8, end_line=8), plain(severity=Severity.WARNING, line=9)))
    assert [case.attrib["name"] for case in suite] == ["unused-ignore", "unused-ignore #2", "unused-ignore #3"]
    assert [case[0].tag for case in suite] == ["system-out", "system-out", "failure"]


def test_clean_files_pass_and_a_run_without_a_crd_is_no_empty_report() -> None:
    (suite,) = parsed(clean_report(skipped=3))
    assert [(case.attrib["name"], len(case)) for case in suite] == [("no findings", 0)]
    (suite,) = parsed(Report([]))
    assert [case.attrib["name"] for case in suite] == ["No findings: no CRD in 0 files."]


def test_what_xml_cannot_hold_is_shown() -> None:
    (suite,) = parsed(report(plain(severity=Severity.ERROR, message="a\x00b\x1b[2J\ufffe\ud800 <b>&amp;")))
    assert suite[0][0].attrib["message"] == r"a\x00b\x1b[2J\ufffe\ud800 <b>&amp;"


def test_the_sample_repository() -> None:
    found, options = checked(ROOT / "fixtures/provider-repo", root=ROOT)
    assert len(list(parsed(found, options).iter("testcase"))) >= len(found.findings)
