"""The cases under ``fixtures/``: what a case holds, and what crdlint says of it.

As a script it writes what crdlint says today into the cases named, to be read before it is kept:

    python -m tests.fixture_tool fixtures/RULE/CASE...
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crdlint.choices import Choices
from crdlint.findings import Applicability, Finding
from crdlint.runner import FileRun, Job

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
# Of cases without a configuration of their own: it keeps that of the repository away.
NO_CONFIG = FIXTURES / "config.yaml"
# The sample repositories stand beside the rules' folders: one to check, and one with the Go sources of its CRDs.
SAMPLE = "provider-repo"
SAMPLES = (SAMPLE, "migrate-provider")


@dataclass(frozen=True)
class Case:
    """One folder ``fixtures/<rule>/<case>/``."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.relative_to(FIXTURES).as_posix()

    @property
    def rule(self) -> str:
        return self.folder.parent.name

    @property
    def source(self) -> Path:
        return next(path for path in (self.folder / "in.yaml", self.folder / "in.json") if path.exists())

    @property
    def before(self) -> bytes:
        return self.source.read_bytes()

    def after(self, fixes: Applicability) -> bytes:
        """What the fixes of that applicability make of it: the input itself where they have no file."""
        path = self.fixed_path(fixes)
        return path.read_bytes() if path.exists() else self.before

    def fixed_path(self, fixes: Applicability) -> Path:
        stem = "safe" if fixes is Applicability.SAFE else "out"
        return self.folder / f"{stem}{self.source.suffix}"

    @property
    def expected(self) -> Any:
        return json.loads(self.expected_path.read_text("utf-8"))

    @property
    def expected_path(self) -> Path:
        return self.folder / "expected.json"

    @property
    def why(self) -> str:
        return (self.folder / "why.txt").read_text("utf-8")

    def run(self, data: bytes, fixes: Applicability | None = None, suffix: str | None = None) -> FileRun:
        """Check, or fix in memory, these bytes as if they were the case's."""
        own = self.folder / "config.yaml"
        config = own if own.exists() else NO_CONFIG
        return Job(Choices(config=str(config)), fixes).run_bytes(f"in{suffix or self.source.suffix}", data)


def all_cases() -> list[Case]:
    return [Case(path.parent) for path in sorted(FIXTURES.glob("*/*/why.txt")) if path.parts[-3] not in SAMPLES]


def short(finding: Finding) -> dict[str, Any]:
    """A finding as ``expected.json`` shows it; keys that say nothing are left out."""
    fix = finding.fix
    form = {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "version": finding.version,
        "line": finding.line,
        "column": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
        "pointer": finding.pointer,
        "applicability": fix.applicability.value if fix else None,
        "message": finding.message,
        "refused": fix.refused if fix else None,
        "reasons": list(fix.reasons) if fix else [],
    }
    return {key: value for key, value in form.items() if key not in ("refused", "reasons") or value}


def shorts(run: FileRun) -> list[dict[str, Any]]:
    return [short(finding) for finding in run.result.findings]


def as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def regenerate(case: Case) -> None:
    case.expected_path.write_text(as_json(shorts(case.run(case.before))), "utf-8")
    for fixes in (Applicability.SAFE, Applicability.UNSAFE):
        after = case.run(case.before, fixes).after or case.before
        path = case.fixed_path(fixes)
        if after != case.before:
            path.write_bytes(after)
        else:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        regenerate(Case(Path(name).resolve()))
