"""GitLab's code quality report (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).

GitLab shows neither the rule's id nor a second finding with the same fingerprint: so the id is put into the
description, and fingerprints are made distinct.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from crdlint.report.fingerprint import fingerprint
from crdlint.report.jsonformat import dumps
from crdlint.report.links import from_root
from crdlint.report.sanitise import clean_short

if TYPE_CHECKING:
    from crdlint.findings import Finding, Report
    from crdlint.report import Options

_SEVERITY = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report, options: Options) -> str:
    """The findings as a list; an empty one for a clean run."""
    seen: Counter[str] = Counter()
    issues = []
    for finding in report.findings:
        digest = fingerprint(finding, options)
        issues.append(_issue(finding, _distinct(digest, seen[digest]), options))
        seen[digest] += 1
    return dumps(issues, indent=2) + "\n"


def _issue(finding: Finding, digest: str, options: Options) -> dict[str, Any]:
    return {
        "description": _description(finding),
        "check_name": finding.rule,
        "fingerprint": digest,
        "severity": _SEVERITY[finding.severity.value],
        "location": {
            "path": from_root(finding.path, options),
            "lines": {"begin": finding.line, "end": finding.end_line},
        },
    }


def _description(finding: Finding) -> str:
    whose = " ".join(clean_short(part) for part in (finding.crd, finding.version) if part)
    return f"{clean_short(finding.rule)}: {clean_short(finding.message)}" + (f" ({whose})" if whose else "")


def _distinct(digest: str, earlier: int) -> str:
    return sha256(f"{digest} {earlier}".encode("ascii")).hexdigest() if earlier else digest
