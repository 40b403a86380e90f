"""Workflow commands that GitHub Actions turns into annotations.

Only ten of each severity are shown per step, so the summary of the text format follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crdlint import project
from crdlint.report.sanitise import clean_short, shown_path
from crdlint.report.text import summary_lines

if TYPE_CHECKING:
    from crdlint.findings import Finding, Report
    from crdlint.report import Options

_COMMAND = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, options: Options) -> str:
    """One command a finding, then the summary (not with ``quiet``)."""
    lines = [_command(finding, options) for finding in report.findings]
    if not options.quiet:
        lines += summary_lines(report)
    return "".join(line + "\n" for line in lines)


def _command(finding: Finding, options: Options) -> str:
    properties: dict[str, str | int] = {
        "file": shown_path(options.from_root(finding.path)),
        "line": finding.line,
        "endLine": finding.end_line,
    }
    if finding.line == finding.end_line:
        # GitHub refuses columns on an annotation of several lines.
        properties |= {"col": finding.column, "endColumn": finding.end_column}
    properties["title"] = f"{project.NAME} ({clean_short(finding.rule)})"
    listed = ",".join(f"{key}={escape_property(str(value))}" for key, value in properties.items())
    message = escape_data("\n".join(_message(finding)))
    return f"::{_COMMAND[finding.severity.value]} {listed}::{message}"


def _message(finding: Finding) -> Iterator[str]:
    yield clean_short(finding.message)
    if finding.fix is not None:
        yield f"fix ({finding.fix.applicability.value}): {clean_short(finding.fix.title)}"
    if finding.marker is not None:
        markers = ", ".join(f"// {marker}" for marker in finding.marker.split("\n"))
        yield f"marker: {clean_short(markers)}"


def escape_data(text: str) -> str:
    """Text after the second ``::``."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """The value of a property, where a colon or a comma would end it."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
