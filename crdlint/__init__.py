"""crdlint: can the status that a Kubernetes CustomResourceDefinition declares be trusted by the tools that wait on it?

    import crdlint

    for finding in crdlint.check_text(text):
        print(finding.line, finding.rule, finding.message)
    fixed = crdlint.fix_text(text).text

Nothing heavy is imported until a function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crdlint.api import FixResult, check_paths, check_text, fix_text
    from crdlint.errors import UsageError
    from crdlint.findings import Applicability, FileResult, Finding, Fix, Report, Severity

__all__ = [
    "Applicability",
    "FileResult",
    "Finding",
    "Fix",
    "FixResult",
    "Report",
    "Severity",
    "UsageError",
    "check_paths",
    "check_text",
    "fix_text",
]

_HOMES = {
    **dict.fromkeys(("FixResult", "check_paths", "check_text", "fix_text"), "crdlint.api"),
    **dict.fromkeys(("Applicability", "FileResult", "Finding", "Fix", "Report", "Severity"), "crdlint.findings"),
    "UsageError": "crdlint.errors",
}


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'crdlint' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
