"""Findings and reports for the tests of the formats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crdlint.choices import Choices, catalogue_for, linter_for
from crdlint.crd.model import Crd
from crdlint.files import discover
from crdlint.findings import Applicability, FileResult, Finding, Fix, Report, Severity
from crdlint.report import Options
from crdlint.rules.prose import RuleText
from crdlint.runner import Job, run_files

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


@dataclass(frozen=True)
class HeldFiles:
    """Files that all hold one text, which no fix changes."""

    text: str

    def read(self, path: str) -> bytes | None:
        return self.text.encode("utf-8", "surrogatepass")

    def fixed(self, path: str, data: bytes) -> bytes:
        return data

    def is_stateless(self, path: str, crd: Crd) -> bool:
        return False


class RealFiles:
    """Files on the disk, fixed as the command would."""

    def read(self, path: str) -> bytes | None:
        return Path(path).read_bytes()

    def fixed(self, path: str, data: bytes) -> bytes:
        return Job(Choices(), Applicability.UNSAFE).run_bytes(path, data).after

    def is_stateless(self, path: str, crd: Crd) -> bool:
        return linter_for(path, Choices()).settings.is_stateless(crd)


def checked(*paths: Path, root: Path | None = None) -> tuple[Report, Options]:
    """The report on real files, and the options that go with it."""
    files = discover([str(path) for path in paths])
    report = Report([run.result for run in run_files(files, Job(), 1)])
    rules: Sequence[RuleText] = [RuleText(rule) for rule in catalogue_for(Choices(), files)]
    folder = None if root is None else str(root)
    return report, Options(version="1", rules=rules, files=RealFiles(), root=folder, folder=folder)


def crd_text(name: str) -> str:
    """A CRD in JSON, with that for its names, and in its status."""
    field = {"type": "object", "properties": {name: {"type": "string"}}, "default": {name: name}}
    status = {"type": "object", "properties": {"odd": field, "observedGeneration": {"type": "integer"}}}
    schema = {
        "openAPIV3Schema": {"type": "object", "properties": {"status": {**status, "default": {"odd": {name: name}}}}}
    }
    version = {"name": name, "served": True, "storage": True, "subresources": {"status": {}}, "schema": schema}
    return json.dumps(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": name},
            "spec": {"group": name, "scope": "Namespaced", "names": {"kind": name}, "versions": [version]},
        }
    )


def many(number: int) -> Report:
    """A report with so many findings, in files of forty each."""
    found = [
        replace(
            finding(),
            path=f"config/crd/{index // 40:03}.yaml",
            message=f"problem {index} of `status`",
            line=index % 7 + 1,
        )
        for index in range(number)
    ]
    return report(*found)


def embedded(page: str) -> Any:
    """The data of the HTML report."""
    return json.loads(page.split('id="data">')[1].split("</script>")[0])
