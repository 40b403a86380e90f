"""The format for people."""

from __future__ import annotations

import re

import pytest

from crdlint.findings import Applicability, FileResult, Fix, Report, Severity
from crdlint.report import Options, render

from .build import clean_report, finding, plain, report


def shown(of: Report, **options: bool | int) -> str:
    return render(of, "text", Options(**options))  # type: ignore[arg-type]


def test_a_finding_with_everything() -> None:
    fix = Fix(
        Applicability.SAFE,
        "add it",
        ("every object that is stored already still validates under the new schema and loses nothing",),
        refused="the file is a link",
    )
    warning = finding(
        rule="conditions-list-type",
        severity=Severity.WARNING,
        line=8,
        end_line=8,
        end_column=12,
        message="conditions is not a map",
        fix=fix,
        marker="+listType=map\n+listMapKey=type",
    )
    assert (
        shown(report(finding(), warning, plain(path="other.yaml", line=1, column=1, end_line=1, end_column=11)))
        == """\
config/crd/widgets.yaml:7:5: error[missing-status-subresource] status is declared, but the status subresource is off
 --> widgets.example.com v1
6 |   versions:
7 |   - name: v1
  |     ^^^^
8 |     storage: true
  |
  = fix (unsafe): add `subresources.status: {}`
  = because the controller must write status through the status endpoint, or all
      that it writes is dropped
  = marker: // +kubebuilder:subresource:status

config/crd/widgets.yaml:8:5: warning[conditions-list-type] conditions is not a map
 --> widgets.example.com v1
7 |   - name: v1
8 |     storage: true
  |     ^^^^^^^
  |
  = fix (safe): add it
  = not applied: the file is a link
  = because every object that is stored already still validates under the new
      schema and loses nothing
  = marker: // +listType=map
  = marker: // +listMapKey=type

other.yaml:1:1: info[unused-ignore] nothing to ignore
  |
1 | apiVersion: apiextensions.k8s.io/v1
  | ^^^^^^^^^^
2 | kind: CustomResourceDefinition
  |

2 CRDs, 2 versions; 2 are taken as ready by kstatus before any controller has seen them
Found 1 error, 1 warning, 1 info in 2 files; 1 fixable with `crdlint fix --unsafe-fixes`.
"""
    )


def test_without_the_text_there_is_no_frame() -> None:
    assert (
        shown(report(plain(path="a.yaml"), text=None, races=0))
        == """\
a.yaml:7:5: info[unused-ignore] nothing to ignore

1 CRD, 1 version; none is taken as ready by kstatus before a controller has seen it
Found 1 info in 1 file.
"""
    )


def test_quiet_gives_one_line_a_finding_and_nothing_else() -> None:
    assert (
        shown(report(finding(), plain(path="z.yaml")), quiet=True)
        == """\
config/crd/widgets.yaml:7:5: error[missing-status-subresource] status is declared, but the status subresource is off
z.yaml:7:5: info[unused-ignore] nothing to ignore
"""
    )
    assert shown(clean_report(), quiet=True) == ""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (clean_report(), "1 CRD, 1 version; none is taken as ready by kstatus before a controller has seen it"),
        (
            clean_report(crds=23, versions=33, races=33),
            "23 CRDs, 33 versions; 33 are taken as ready by kstatus before any controller has seen them",
        ),
        (
            clean_report(crds=2, versions=3, races=1),
            "2 CRDs, 3 versions; 1 is taken as ready by kstatus before any controller has seen it",
        ),
        (clean_report(versions=0), "1 CRD, no version"),
        (clean_report(files=0, skipped=12), "no CRD in 12 files"),
        (clean_report(files=0, skipped=1), "no CRD in 1 file"),
        (Report([]), "no CRD in 0 files"),
    ],
)
def test_a_clean_run_says_so_in_one_line(given: Report, expected: str) -> None:
    assert shown(given) == f"No findings: {expected}.\n"


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([Applicability.SAFE], "Found 1 error in 1 file; 1 fixable with `crdlint fix`."),
        ([Applicability.UNSAFE] * 2, "Found 2 errors in 1 file; 2 fixable with `crdlint fix --unsafe-fixes`."),
        (
            [Applicability.SAFE, Applicability.UNSAFE],
            "Found 2 errors in 1 file; 1 fixable with `crdlint fix`, 1 more with `crdlint fix --unsafe-fixes`.",
        ),
        ([Applicability.MANUAL], "Found 1 error in 1 file."),
    ],
)
def test_the_last_line_counts(kinds: list[Applicability], expected: str) -> None:
    found = [finding(fix=Fix(kind, "do it")) for kind in kinds]
    assert shown(report(*found)).splitlines()[-1] == expected


def test_a_refused_fix_is_not_called_fixable_and_fixed_ones_are_counted() -> None:
    refused = finding(fix=Fix(Applicability.SAFE, "do it", refused="an alias"))
    assert shown(report(refused, fixed=2)).splitlines()[-1] == "Fixed 2 findings. Found 1 error in 1 file."
    done = Report([FileResult("a.yaml", has_crd=True, crds=1, versions=1)], [finding()])
    fixed, summary = shown(done).split("\n\n")
    assert fixed.startswith("config/crd/widgets.yaml:7:5: fixed[missing-status-subresource] add ")
    assert summary.startswith("Fixed 1 finding. No findings: 1 CRD")


def test_colour_changes_nothing_but_colour() -> None:
    found = report(finding(), plain())
    coloured = shown(found, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown(found)
    assert "\x1b[1;31merror[missing-status-subresource]\x1b[0m" in coloured


def test_it_fits_80_columns_but_for_the_head() -> None:
    text = "x: " + "long " * 100 + "\n" + "y: " + "z" * 500 + "\n"
    fix = Fix(Applicability.MANUAL, "rewrite " * 40, ("because of " * 40,))
    lines = shown(report(finding(line=2, column=300, end_line=2, end_column=310, fix=fix), text=text)).splitlines()
    assert max(len(line) for line in lines[1:-2]) <= 80


@pytest.mark.parametrize("path", ["::error file=x::y.yaml", " ::warning ::", "\t::stop-commands::x"])
def test_a_path_is_no_workflow_command(path: str) -> None:
    for line in shown(report(plain(path=path)), quiet=True).splitlines():
        assert not line.lstrip().startswith("::")
