"""The linter of a migration: what concerns it, what is known of the controllers, and which fixes are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from crdlint.findings import Applicability, FileResult, Finding, Severity, refused
from crdlint.linter import Linter, Parsed

# Where a version stands: at its index, or, in v1beta1, at the top level with all others.
_VERSION = re.compile(r"/spec/versions/\d+(?=/|$)|/spec(?=/(?:validation|subresources|additionalPrinterColumns)\b)")


class StepKey(NamedTuple):
    """What a step is about, in whichever copy of its CRD."""

    crd: str
    rule: str
    version: str | None
    pointer: str

    @classmethod
    def of(cls, finding: Finding) -> StepKey:
        # The same version may stand elsewhere in another copy.
        pointer = _VERSION.sub("", finding.pointer or "", count=1)
        pointer = "/schema" + pointer.removeprefix("/validation") if pointer.startswith("/validation") else pointer
        return cls(finding.crd or "", finding.rule, finding.version, pointer)


@dataclass
class LeftOut:
    """Steps that are not to be taken, and why; a default goes into all versions of a CRD or none."""

    steps: dict[StepKey, str] = field(default_factory=dict)
    # By CRD, rule and version (None for all versions).
    rules: dict[tuple[str, str, str | None], str] = field(default_factory=dict)
    # By CRD.
    defaults: dict[str, str] = field(default_factory=dict)

    def add(self, keys: Iterable[StepKey], why: str, is_default: bool) -> None:
        for key in keys:
            self.steps.setdefault(key, why)
            if is_default:
                self.defaults.setdefault(key.crd, why)

    def reason(self, finding: Finding) -> str | None:
        crd, rule = finding.crd or "", finding.rule
        reasons = (
            self.steps.get(StepKey.of(finding)),
            self.rules.get((crd, rule, finding.version)),
            self.rules.get((crd, rule, None)),
            self.defaults.get(crd) if finding.fix is not None and finding.fix.stage else None,
        )
        return next((why for why in reasons if why is not None), None)


@dataclass(frozen=True)
class ChosenLinter(Linter):
    """A linter whose findings are those of some CRDs (all, where none is named), with some fixes refused."""

    crds: frozenset[str] = frozenset()
    left_out: LeftOut = field(default_factory=LeftOut)
    # Are the fixes of mere information made too?
    takes_infos: bool = False

    def lint_source(self, path: str, parsed: Parsed) -> FileResult:
        result = super().lint_source(path, parsed)
        kept = [finding for finding in result.findings if self.concerns(finding)]
        return replace(result, findings=[self.judged(finding) for finding in kept])

    def concerns(self, finding: Finding) -> bool:
        return not self.crds or finding.crd is None or finding.crd in self.crds

    def judged(self, finding: Finding) -> Finding:
        if finding.fix is None or finding.fix.applicability is Applicability.MANUAL:
            return finding
        why = self.left_out.reason(finding)
        if why is None and finding.severity is Severity.INFO and not self.takes_infos:
            why = f"nobody has to do this: it is done with --only {finding.rule}"
        return finding if why is None else refused(finding, why)
