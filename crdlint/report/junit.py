"""JUnit's XML, as Jenkins and GitLab read it.

Each file with a CRD is a test suite, so that a clean run has tests that pass: Jenkins takes a report without any for a
mistake. Each finding is a test case that failed; one that is mere information passes, and says so in its output.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from crdlint import project
from crdlint.findings import Severity
from crdlint.report.links import from_root
from crdlint.report.sanitise import clean_short, escape
from crdlint.report.text import summary_lines

if TYPE_CHECKING:
    from crdlint.findings import FileResult, Finding, Report
    from crdlint.report import Options

# Beyond what `clean` makes visible, XML 1.0 has no place for these.
_NO_XML = re.compile("[\ufffe\uffff]")


def render(report: Report, options: Options) -> str:
    """One test suite for each file with a CRD; for a run without any, one that says so."""
    suites = [_suite(result, options) for result in report.results if result.has_crd] or [_nothing(report)]
    root = Element("testsuites", {"name": project.NAME, **_counts(suites)})
    root.extend(suites)
    ElementTree.indent(root)
    data: bytes = ElementTree.tostring(root, encoding="us-ascii", xml_declaration=True)
    return data.decode("ascii") + "\n"


def _suite(result: FileResult, options: Options) -> Element:
    path = from_root(result.path, options)
    suite = Element("testsuite", name=_text(path))
    # Jenkins takes what stands before the last dot for a package.
    group = f"{project.NAME}.{_text(path).replace('.', '_')}"
    names: Counter[str] = Counter()
    for finding in sorted(result.findings, key=lambda finding: finding.sort_key):
        name = _name(finding)
        names[name] += 1
        case = SubElement(suite, "testcase", classname=group, file=_text(path), line=str(finding.line))
        case.set("name", f"{name} #{names[name]}" if names[name] > 1 else name)
        _outcome(case, finding, path)
    if not result.findings:
        SubElement(suite, "testcase", classname=group, name="no findings", file=_text(path))
    return _counted(suite)


def _nothing(report: Report) -> Element:
    suite = Element("testsuite", name=project.NAME)
    SubElement(suite, "testcase", classname=project.NAME, name=_text(summary_lines(report)[0]))
    return _counted(suite)


def _outcome(case: Element, finding: Finding, path: str) -> None:
    details = "\n".join(_details(finding, path))
    if finding.severity is Severity.INFO:
        SubElement(case, "system-out").text = f"{_text(finding.message)}\n{details}"
        return
    failure = SubElement(case, "failure", type=finding.severity.value, message=_text(finding.message))
    failure.text = details


def _details(finding: Finding, path: str) -> list[str]:
    lines = [f"{_text(path)}:{finding.line}:{finding.column}: {finding.severity.value}[{_text(finding.rule)}]"]
    if finding.fix is not None:
        lines.append(f"fix ({finding.fix.applicability.value}): {_text(finding.fix.title)}")
        if finding.fix.refused is not None:
            lines.append(f"not applied: {_text(finding.fix.refused)}")
        lines += [f"because {_text(reason)}" for reason in finding.fix.reasons]
    if finding.marker is not None:
        lines.append(f"marker: {_text(finding.marker)}")
    return lines


def _name(finding: Finding) -> str:
    """What stays the same from run to run, so that Jenkins can tell since when a test fails."""
    return " ".join(_text(part) for part in (finding.rule, finding.crd, finding.version) if part)


def _counted(suite: Element) -> Element:
    for name, value in _counts([suite]).items():
        suite.set(name, value)
    return suite


def _counts(suites: list[Element]) -> dict[str, str]:
    cases = [case for suite in suites for case in suite.iter("testcase")]
    failed = sum(case.find("failure") is not None for case in cases)
    return {"tests": str(len(cases)), "failures": str(failed), "errors": "0", "skipped": "0"}


def _text(text: str) -> str:
    return _NO_XML.sub(lambda match: escape(match.group()), clean_short(text))
