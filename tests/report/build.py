"""Findings and reports for the tests of the formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crdlint.findings import Applicability, FileResult, Finding, Fix, Report, Severity

TEXT = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  versions:
  - name: v1
    storage: true
"""


def finding(**changes: Any) -> Finding:
    """A finding about line 7 of `TEXT`, changed as asked."""
    values: dict[str, Any] = {
        "rule": "missing-status-subresource",
        "severity": Severity.ERROR,
        "message": "status is declared, but the status subresource is off",
        "path": "config/crd/widgets.yaml",
        "line": 7,
        "column": 5,
        "end_line": 7,
        "end_column": 9,
        "crd": "widgets.example.com",
        "kind": "Widget",
        "version": "v1",
        "pointer": "/spec/versions/0",
        "fix": Fix(
            Applicability.UNSAFE,
            "add `subresources.status: {}`",
            ("the controller must write status through the status endpoint, or all that it writes is dropped",),
        ),
        "marker": "+kubebuilder:subresource:status",
    }
    return Finding(**values | changes)


def plain(**changes: Any) -> Finding:
    """A finding that knows nothing but its place."""
    nothing = dict.fromkeys(("crd", "kind", "version", "pointer", "fix", "marker"))
    return finding(
        **{"rule": "unused-ignore", "severity": Severity.INFO, "message": "nothing to ignore"} | nothing | changes
    )


def report(*findings: Finding, text: str | None = TEXT, races: int = 1, fixed: int = 0) -> Report:
    """A report of the findings, a file with one CRD for each path among them."""
    paths = sorted({one.path for one in findings})
    results = [
        FileResult(path, [one for one in findings if one.path == path], True, 1, 1, races, text) for path in paths
    ]
    return Report(results, [finding()] * fixed)


def clean_report(*, files: int = 1, skipped: int = 0, crds: int = 1, versions: int = 1, races: int = 0) -> Report:
    """A report without findings; the first file has all the CRDs."""
    results = [FileResult(f"{number}.yaml", has_crd=True) for number in range(files)]
    for result in results[:1]:
        result.crds, result.versions, result.races = crds, versions, races
    return Report([*results, *(FileResult(f"skipped/{number}.yaml") for number in range(skipped))])


@dataclass(frozen=True)
class Rule:
    """The text of a rule."""

    id: str
    summary: str = "a summary"
    why: str = "why it matters"
    severity: Severity = Severity.ERROR
    help_markdown: str = "# help"
