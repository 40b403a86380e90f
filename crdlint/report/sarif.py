"""SARIF 2.1.0, as GitHub code scanning and editors read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crdlint import project
from crdlint.report.fingerprint import fingerprint
from crdlint.report.jsonformat import dumps
from crdlint.report.links import percent_encoded

if TYPE_CHECKING:
    from crdlint.findings import Finding, Fix, Report
    from crdlint.report import Options, RuleText
    from crdlint.report.changes import FileChanges

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT_ID = "SRCROOT"
FINGERPRINT = "crdlint/v1"
_LEVEL = {"error": "error", "warning": "warning", "info": "note"}


def render(report: Report, options: Options) -> str:
    """The report as one SARIF log with one run."""
    index = {rule.id: number for number, rule in enumerate(options.rules)}
    fixes = _Fixes(report, options)
    run = {
        "tool": {"driver": _driver(options)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT_ID: {"description": {"text": "The root of the repository."}}},
        "results": [
            _result(finding, index, options) | _state(report) | fixes.of(finding) for finding in report.findings
        ],
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _driver(options: Options) -> dict[str, Any]:
    return {
        "name": project.NAME,
        "version": options.tool_version(),
        "informationUri": project.HOME,
        "rules": [_rule(rule) for rule in options.rules],
    }


def _rule(rule: RuleText) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.why, "markdown": rule.help_markdown},
        "defaultConfiguration": {"level": _LEVEL[rule.severity.value]},
    }


def _result(finding: Finding, index: dict[str, int], options: Options) -> dict[str, Any]:
    result: dict[str, Any] = {"ruleId": finding.rule}
    if finding.rule in index:
        result["ruleIndex"] = index[finding.rule]
    return result | {
        "level": _LEVEL[finding.severity.value],
        "message": {"text": _plain(finding.message)},
        "locations": [{"physicalLocation": _location(finding, options)}],
        "partialFingerprints": {FINGERPRINT: fingerprint(finding, options)},
        "properties": _properties(finding),
    }


def _state(report: Report) -> dict[str, str]:
    """What is known already is left out of the results."""
    return {"baselineState": "new"} if report.compared else {}


class _Fixes:
    """The fixes of findings, where the text of their files is known."""

    def __init__(self, report: Report, options: Options) -> None:
        self.options = options
        self.changes: dict[str, FileChanges] = {}
        # Reading YAML again costs: only where there is something to fix.
        if any(finding.fix is not None and finding.fix.operations for finding in report.findings):
            from crdlint.report.changes import changes_of

            self.changes = changes_of(report)

    def of(self, finding: Finding) -> dict[str, Any]:
        """``fixes`` of a result, if there is one that can be made by itself."""
        changes = self.changes.get(finding.path)
        splices = changes.splices(finding) if changes is not None else []
        if changes is None or finding.fix is None or not splices:
            return {}
        position = changes.source.position
        replacements = [_replacement(position(one.start), position(one.end), one.new) for one in splices]
        artifact = _artifact(self.options.from_root(finding.path))
        change = {"artifactLocation": artifact, "replacements": replacements}
        return {"fixes": [{"description": {"text": _description(finding.fix)}, "artifactChanges": [change]}]}


def _description(fix: Fix) -> str:
    """SARIF has no word for a fix that is not safe."""
    reasons = "".join(f"; {reason}" for reason in fix.reasons)
    return _plain(f"{fix.title} ({fix.applicability.value}{reasons})")


def _replacement(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
    region = {"startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1]}
    return {"deletedRegion": region} | ({"insertedContent": {"text": text}} if text else {})


def _plain(text: str) -> str:
    """SARIF's plain text knows one piece of markup, ``[text](link)``: a name in a CRD must not make a link."""
    return text.replace("](", "] (")


def _location(finding: Finding, options: Options) -> dict[str, Any]:
    return {
        "artifactLocation": _artifact(options.from_root(finding.path)),
        "region": {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        },
    }


def _artifact(path: str) -> dict[str, str]:
    if path.startswith("/"):
        return {"uri": "file://" + percent_encoded(path)}
    return {"uri": percent_encoded(path), "uriBaseId": ROOT_ID}


def _properties(finding: Finding) -> dict[str, str]:
    """What crdlint knows beyond SARIF's own words, under the names of its JSON format."""
    known = {
        "crd": finding.crd,
        "kind": finding.kind,
        "version": finding.version,
        "pointer": finding.pointer,
        "applicability": finding.fix.applicability.value if finding.fix else None,
        "marker": finding.marker,
    }
    return {key: value for key, value in known.items() if value is not None}
