"""The ``crdlint/v1`` format, and its findings alone as JSON lines.

The output is pure ASCII: every consumer decodes it alike, and nothing in it acts on a terminal. A lone surrogate (the
byte of a path that is not UTF-8), which strict parsers refuse, is written out as visible text.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from crdlint import project
from crdlint.report.sanitise import escape

if TYPE_CHECKING:
    from crdlint.findings import Finding, Fix, Report
    from crdlint.report import Options

FORMAT = "crdlint/v1"
_SURROGATE = re.compile("[\ud800-\udfff]")


def render(report: Report, options: Options) -> str:
    """The whole report as one object, each finding on a line of its own."""
    head = {
        "format": FORMAT,
        "tool": {"name": project.NAME, "version": options.tool_version()},
        "summary": report.summary(),
    }
    findings = ",\n".join(dumps(finding_data(finding)) for finding in report.findings)
    listed = f"[\n{findings}\n]" if findings else "[]"
    members = [f'"{key}": {dumps(value)}' for key, value in head.items()] + [f'"findings": {listed}']
    return "{" + ",\n".join(members) + "}\n"


def render_lines(report: Report, options: Options) -> str:
    """One finding a line, with the same keys, and nothing else: every line is alike, and a clean run prints nothing."""
    return "".join(dumps(finding_data(finding)) + "\n" for finding in report.findings)


def finding_data(finding: Finding) -> dict[str, Any]:
    """A finding as the format has it."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
        "crd": finding.crd,
        "kind": finding.kind,
        "version": finding.version,
        "pointer": finding.pointer,
        "fix": fix_data(finding.fix),
        "marker": finding.marker,
    }


def fix_data(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {
        "applicability": fix.applicability.value,
        "title": fix.title,
        "reasons": list(fix.reasons),
        "refused": fix.refused,
    }


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII, without DEL and without surrogates that have no partner."""
    return json.dumps(_paired(value), ensure_ascii=True, indent=indent).replace("\x7f", "\\u007f")


def _paired(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub(lambda match: escape(match.group()), value)
    if isinstance(value, list):
        return [_paired(item) for item in value]
    if isinstance(value, dict):
        return {key: _paired(item) for key, item in value.items()}
    return value
