"""The format for people."""

from __future__ import annotations

import re

import pytest

from crdlint.findings import Applicability, FileResult, Fix, Report, Severity
from crdlint.report import Options, render

from .build import clean_report, finding, many, plain, report


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
        message="conditions is not a map keyed by type",
        fix=fix,
        marker="+listType=map\n+listMapKey=type",
    )
    assert (
        shown(
            report(
                finding(marker_on="the root type"),
                warning,
                plain(path="other.yaml", line=1, column=1, end_line=1, end_column=11),
            ),
            at_terminal=True,
        )
        == """\
config/crd/widgets.yaml:7:5: error[missing-status-subresource]
  status is declared, but the status subresource is off
 --> widgets.example.com v1
6 |   versions:
7 |   - name: v1
  |     ^^^^
8 |     storage: true
  |
  = fix (unsafe): add `subresources.status: {}`
  = because the controller must write status through the status endpoint, or all
      that it writes is dropped
  = marker (on the root type): // +kubebuilder:subresource:status

config/crd/widgets.yaml:8:5: warning[conditions-list-type]
  conditions is not a map keyed by type
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
More: `crdlint explain RULE`; to silence one: `# crdlint: ignore[RULE] reason`.
"""
    )


def test_without_the_text_there_is_no_frame() -> None:
    assert (
        shown(report(plain(path="a.yaml"), text=None, races=0))
        == """\
a.yaml:7:5: info[unused-ignore] nothing to ignore

1 CRD, 1 version; none is taken as ready by kstatus before a controller has seen it
Found 1 info in 1 file.
More: `crdlint explain RULE`; to silence one: `# crdlint: ignore[RULE] reason`.
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
def test_a_line_counts(kinds: list[Applicability], expected: str) -> None:
    found = [finding(fix=Fix(kind, "do it")) for kind in kinds]
    assert expected in shown(report(*found)).splitlines()


def test_a_refused_fix_is_not_called_fixable_and_fixed_ones_are_counted() -> None:
    refused = finding(fix=Fix(Applicability.SAFE, "do it", refused="an alias"))
    assert "Fixed 2 findings. Found 1 error in 1 file." in shown(report(refused, fixed=2)).splitlines()
    done = Report([FileResult("a.yaml", has_crd=True, crds=1, versions=1)], [finding()])
    fixed, summary = shown(done).split("\n\n")
    assert fixed.startswith("config/crd/widgets.yaml:7:5: fixed[missing-status-subresource] add ")
    assert summary.startswith("Fixed 1 finding. No findings: 1 CRD")


def test_colour_changes_nothing_but_colour() -> None:
    found = report(finding(), plain())
    coloured = shown(found, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == shown(found)
    assert "\x1b[1;31merror[missing-status-subresource]\x1b[0m" in coloured


@pytest.mark.parametrize("width", [40, 80, 120])
def test_it_fits_the_width_but_for_place_and_counts(width: int) -> None:
    text = "x: " + "long " * 100 + "\n" + "y: " + "z" * 500 + "\n"
    fix = Fix(Applicability.MANUAL, "rewrite " * 40, ("because of " * 40,))
    found = finding(line=2, column=300, end_line=2, end_column=310, fix=fix, message="wrong " * 40, marker_on="it")
    other = finding(line=1, column=1, end_line=1, end_column=9, fix=fix, marker=None)
    lines = shown(report(found, other, text=text), width=width).splitlines()
    counts = next(index for index, line in enumerate(lines) if line.startswith("1 CRD, "))
    exempt = {index for index, line in enumerate(lines) if "error[" in line} | {counts, counts + 1}
    assert max(len(line) for index, line in enumerate(lines) if index not in exempt) <= width


# The head of a finding


@pytest.mark.parametrize("length", [1, 17, 18, 70])
def test_the_first_line_has_place_severity_and_rule_whatever_the_message(length: int) -> None:
    given = finding(message="x" * length)
    start = "config/crd/widgets.yaml:7:5: error[missing-status-subresource]"
    head, follows = shown(report(given), at_terminal=True).splitlines()[:2]
    assert head == (f"{start} {'x' * length}" if len(start) + 1 + length <= 80 else start)
    assert follows == (" --> widgets.example.com v1" if head != start else "  " + "x" * length)
    # As one line where nobody sits at a terminal, or lines are what is wanted.
    assert shown(report(given)).splitlines()[0] == f"{start} {'x' * length}"
    assert shown(report(given), quiet=True) == f"{start} {'x' * length}\n"


def test_findings_at_one_spot_share_a_frame() -> None:
    first, second, third = finding(), finding(rule="other"), finding(rule="third", version="v2")
    blocks = shown(report(first, second, third)).split("\n\n")
    assert [" --> " in block for block in blocks[:3]] == [True, False, True]
    assert ["^^^^" in block for block in blocks[:3]] == [True, False, True]
    assert "= fix (unsafe)" in blocks[1]


# Reasons that were told already

LONG = "the first reason is so long that it takes more than a line of eighty columns to tell it"
SHORT = "it is short"


def notes(*given: tuple[str, ...], rule: str = "rule", paths: tuple[str, ...] = ()) -> list[list[str]]:
    """The reasons that are shown of findings with these reasons."""
    found = [
        finding(rule=rule, line=line, fix=Fix(Applicability.SAFE, "do it", reasons), path=path)
        for line, (reasons, path) in enumerate(zip(given, paths or ("a.yaml",) * len(given), strict=True), 1)
    ]
    blocks = shown(report(*found, text=None)).split("\n\n")[: len(found)]
    joined = [re.sub(r"\n {5,}", " ", block) for block in blocks]
    return [re.findall(r"^ *= (because .*)", block, re.MULTILINE) for block in joined]


def test_the_same_reasons_are_told_once_in_a_row() -> None:
    assert notes((LONG, SHORT), (LONG, SHORT), (LONG, SHORT)) == [
        [f"because {LONG}", f"because {SHORT}"],
        ["because and marker as above"],
        ["because and marker as above"],
    ]
    assert notes((), ()) == [[], []]


def test_what_is_as_above_is_so_for_the_last_finding_of_the_rule() -> None:
    cut = "because the first reason is so long that it takes more than a … (as above)"
    assert notes((LONG, SHORT), (LONG,), (LONG, SHORT), (LONG, SHORT)) == [
        [f"because {LONG}", f"because {SHORT}"],
        [cut],
        [cut, f"because {SHORT}"],
        ["because and marker as above"],
    ]


def test_lines_that_tell_what_is_above_are_no_more_than_what_they_stand_for() -> None:
    fix = Fix(Applicability.SAFE, "do it", (SHORT,))
    text = shown(report(*(finding(line=line, fix=fix, marker=None) for line in (1, 2)), text=None))
    assert text.count(f"= because {SHORT}\n") == 2


def test_another_gutter_is_no_other_reason() -> None:
    fix = Fix(Applicability.SAFE, "do it", (LONG,))
    text = shown(report(*(finding(line=line, fix=fix) for line in (1, 10_000)), text=None))
    assert text.count("because the first") == 1


def test_a_reason_among_others_is_cut_when_it_was_told() -> None:
    cut = "because the first reason is so long that it takes more than a … (as above)"
    assert notes((LONG, SHORT), (LONG, "another one"), (LONG, "a third")) == [
        [f"because {LONG}", f"because {SHORT}"],
        [cut, "because another one"],
        [cut, "because a third"],
    ]


def test_reasons_that_begin_alike_are_told_in_full() -> None:
    first, second = LONG + " in one way", LONG + " in another way"
    assert notes((first,), (second,), (first, SHORT), (second, SHORT)) == [
        [f"because {first}"],
        [f"because {second}"],
        [f"because {first}", f"because {SHORT}"],
        [f"because {second}", f"because {SHORT}"],
    ]


def test_what_one_rule_says_another_says_in_full() -> None:
    fix = Fix(Applicability.SAFE, "do it", (LONG,))
    text = shown(report(*(finding(rule=rule, line=line, fix=fix) for line, rule in enumerate(("one", "two"), 1))))
    assert text.count("because the first") == 2
    assert "as above" not in text


# The end


def test_many_findings_are_counted_by_rule() -> None:
    few = [finding(line=line) for line in range(1, 12)]
    rest = [finding(rule="conditions-list-type", severity=Severity.WARNING, line=line) for line in range(1, 10)]
    assert "11 error[" not in shown(report(*few, *rest))
    text = shown(report(*few, *rest, plain()))
    assert (
        "\n\n11 error[missing-status-subresource]\n 9 warning[conditions-list-type]\n 1 info[unused-ignore]\n\n" in text
    )
    assert "--report html=FILE" in text
    assert "crdlint baseline" not in text
    assert "crdlint baseline" in shown(many(101))


def test_the_ways_on_are_told_of_findings_only() -> None:
    assert "crdlint explain" in shown(report(finding()))
    assert "crdlint explain" not in shown(clean_report())
    assert "crdlint explain" not in shown(report(finding()), quiet=True)


@pytest.mark.parametrize("path", ["::error file=x::y.yaml", " ::warning ::", "\t::stop-commands::x"])
def test_a_path_is_no_workflow_command(path: str) -> None:
    for line in shown(report(plain(path=path)), quiet=True).splitlines():
        assert not line.lstrip().startswith("::")


@pytest.mark.parametrize("before", range(60, 82))
def test_no_text_of_a_file_begins_a_line_with_a_workflow_command(before: int) -> None:
    """Wherever it is that lines are broken."""
    text = "x" * (before // 2) + " " + "y" * (before - before // 2) + " ::error file=a:: :: ::warning::b"
    given = finding(message=text, fix=Fix(Applicability.SAFE, text, (text,)), marker=text, marker_on=text)
    for line in shown(report(given)).splitlines():
        assert not line.lstrip().startswith("::")
