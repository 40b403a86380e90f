"""What crdlint has to say: findings, their fixes, and the report that holds them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crdlint.yamltext.operations import Operation


class Severity(str, Enum):
    """How much a finding matters; `rank` grows with it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Applicability(str, Enum):
    """May an edit be made without asking?

    safe: every stored object still validates, and no controller or waiter gets worse. unsafe: right only if somebody
    also does something else, which the reasons name. manual: no edit of the schema alone can be right.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    MANUAL = "manual"

    @property
    def rank(self) -> int:
        return {"safe": 0, "unsafe": 1, "manual": 2}[self.value]


@dataclass(frozen=True)
class Fix:
    """What would cure a finding. ``operations`` (on the CRD's own document) are empty where it is manual."""

    applicability: Applicability
    title: str
    reasons: tuple[str, ...] = ()
    operations: tuple[Operation, ...] = ()
    refused: str | None = None
    # Which document of the file the operations speak of.
    document: int = 0
    # Fixes are applied stage by stage: a later one may rest on what an earlier one wrote.
    stage: int = 0


@dataclass(frozen=True)
class Finding:
    """One problem at one place. Lines and columns count from 1, the end is exclusive."""

    rule: str
    severity: Severity
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    crd: str | None = None
    kind: str | None = None
    version: str | None = None
    pointer: str | None = None
    fix: Fix | None = None
    marker: str | None = None
    # The Go type or field that the marker belongs to.
    marker_on: str | None = None

    @property
    def identity(self) -> tuple[str | None, ...]:
        """What a finding is about, wherever it stands."""
        return self.rule, self.crd, self.version, self.pointer

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return self.path, self.line, self.column, self.rule, self.pointer or ""


@dataclass
class FileResult:
    """What one file gave.

    ``races`` counts the versions with a status whose fresh object kstatus calls Current before any controller has seen
    it, ``undecided`` those of which a template decides that. ``text`` is kept only where there are findings to show.
    """

    path: str
    findings: list[Finding] = field(default_factory=list)
    has_crd: bool = False
    crds: int = 0
    versions: int = 0
    races: int = 0
    text: str | None = None
    undecided: int = 0

    @property
    def refused(self) -> list[Finding]:
        """The findings whose fix was to be made and was refused."""
        return [finding for finding in self.findings if finding.fix is not None and finding.fix.refused is not None]


@dataclass(frozen=True)
class Compared:
    """What a report leaves out because it was known before, and how much of what was known is no more."""

    # Where it is known from, as a noun.
    against: str
    old: int = 0
    gone: int = 0
    # What to do about what has gone.
    advice: str | None = None


@dataclass
class Report:
    """The results of a run, in the order of their paths."""

    results: list[FileResult]
    # The findings that fixes have cured, as they stood before.
    applied: list[Finding] = field(default_factory=list)
    # What the results were held against; they hold only what is new then.
    compared: list[Compared] = field(default_factory=list)

    @property
    def fixed(self) -> int:
        return len(self.applied)

    @property
    def findings(self) -> list[Finding]:
        return sorted((finding for result in self.results for finding in result.findings), key=lambda f: f.sort_key)

    def summary(self) -> dict[str, int]:
        """The counts of the ``crdlint/v1`` format."""
        findings = self.findings
        return {
            "files": sum(result.has_crd for result in self.results),
            "skipped": sum(not result.has_crd for result in self.results),
            "crds": sum(result.crds for result in self.results),
            "versions": sum(result.versions for result in self.results),
            "errors": _count(findings, Severity.ERROR),
            "warnings": _count(findings, Severity.WARNING),
            "infos": _count(findings, Severity.INFO),
            "fixableSafe": sum(is_fixable(finding, Applicability.SAFE) for finding in findings),
            "fixableUnsafe": sum(is_fixable(finding, Applicability.UNSAFE) for finding in findings),
            "fixed": self.fixed,
        }


def _count(findings: Iterable[Finding], severity: Severity) -> int:
    return sum(finding.severity is severity for finding in findings)


def is_fixable(finding: Finding, applicability: Applicability) -> bool:
    """Is there an edit of exactly this applicability for the finding?"""
    return finding.fix is not None and finding.fix.applicability is applicability


def refused(finding: Finding, why: str) -> Finding:
    """The same finding, its fix refused for the reason given."""
    assert finding.fix is not None
    return replace(finding, fix=replace(finding.fix, refused=why))
