"""Workflow commands."""

from __future__ import annotations

from crdlint.findings import Applicability, Fix, Severity
from crdlint.report import Options, render

from .build import clean_report, finding, plain, report


def test_one_command_a_finding_and_a_summary() -> None:
    warning = plain(severity=Severity.WARNING, line=8, end_line=9)
    fix = Fix(Applicability.UNSAFE, "add it")
    assert render(report(finding(fix=fix), warning, plain(path="z.yaml")), "github", Options()) == (
        "::error file=config/crd/widgets.yaml,line=7,endLine=7,col=5,endColumn=9,"
        "title=crdlint (missing-status-subresource)::status is declared, but the status subresource is off"
        "%0Afix (unsafe): add it"
        "%0Amarker: // +kubebuilder:subresource:status\n"
        "::warning file=config/crd/widgets.yaml,line=8,endLine=9,title=crdlint (unused-ignore)::nothing to ignore\n"
        "::notice file=z.yaml,line=7,endLine=7,col=5,endColumn=9,title=crdlint (unused-ignore)::nothing to ignore\n"
        "2 CRDs, 2 versions; 2 are taken as ready by kstatus before any controller has seen them\n"
        "Found 1 error, 1 warning, 1 info in 2 files; 1 fixable with `crdlint fix --unsafe-fixes`.\n"
    )


def test_what_ends_a_property_or_a_command_is_escaped() -> None:
    found = plain(path="a,b:c%0A.yaml", message="100%: x, y\n::error::z")
    assert render(report(found), "github", Options(quiet=True)) == (
        "::notice file=a%2Cb%3Ac%250A.yaml,line=7,endLine=7,col=5,endColumn=9,title=crdlint (unused-ignore)"
        "::100%25: x, y\\n::error::z\n"
    )


def test_paths_are_those_of_the_repository() -> None:
    options = Options(quiet=True, root="/repo", folder="/repo/charts/x")
    for path in ("../y/a.yaml", "/repo/charts/y/a.yaml"):
        assert "file=charts/y/a.yaml," in render(report(plain(path=path)), "github", options)
    for path in ("/elsewhere/a.yaml", "../../../a.yaml", "-"):
        assert f"file={path}," in render(report(plain(path=path)), "github", options)


def test_a_clean_run_still_says_so() -> None:
    assert render(clean_report(), "github", Options()).startswith("No findings: 1 CRD, 1 version; none is")
    assert render(clean_report(), "github", Options(quiet=True)) == ""
