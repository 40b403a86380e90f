"""Checks the CRDs of one file, and says which of its ignores silenced nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crdlint.crd.model import Crd, crds_of
from crdlint.crdlinter import CrdLinter
from crdlint.findings import FileResult, Finding, Fix, Severity
from crdlint.ignores import Ignore, comment_ignores
from crdlint.rules.catalogue import Catalogue
from crdlint.rules.rule import Rule
from crdlint.settings import Generated, Settings, is_generated

if TYPE_CHECKING:
    from crdlint.linter import Parsed

UNUSED_IGNORE = "unused-ignore"


class FileLinter:
    """Checks one file that could be parsed."""

    def __init__(self, path: str, parsed: Parsed, catalogue: Catalogue, settings: Settings) -> None:
        self.path = path
        self.source = parsed.source
        self.stream = parsed.stream
        self.catalogue = catalogue
        self.settings = settings
        self.generated = settings.generated_policy()
        self.ignores = list(comment_ignores(self.source, self.stream))
        # The documents of which a CRD was passed over.
        self.passed_over: set[int] = set()
        self.result = FileResult(path)

    def run(self) -> FileResult:
        findings: list[Finding] = []
        linters: list[CrdLinter] = []
        for index, crd in self.crds():
            linters.append(CrdLinter(self, index, crd))
            findings += linters[-1].findings()
            self.result.versions += len(crd.versions)
            self.result.has_crd = True
            self.result.crds += 1
        if self.result.has_crd:
            findings += self.unused_ignores(linters)
        for linter in linters:
            linter.release()
        self.result.findings = sorted(findings, key=lambda finding: finding.sort_key)
        if findings:
            self.result.text = self.source.text
        return self.result

    def crds(self) -> Iterator[tuple[int, Crd]]:
        """The CRDs that are checked, each with the index of its document."""
        for index, document in enumerate(self.stream.documents):
            for crd in crds_of(document.root) if document.root is not None else ():
                if self.generated is Generated.SKIP and is_generated(crd):
                    self.passed_over.add(index)
                else:
                    yield index, crd

    def unused_ignores(self, linters: list[CrdLinter]) -> Iterator[Finding]:
        """Ignores that silenced nothing; one of a rule that is not selected had no chance to."""
        if UNUSED_IGNORE not in self.settings.selected_for():
            return
        rule = self.catalogue[UNUSED_IGNORE]
        for ignore in self.ignores:
            known = ignore.rule in self.catalogue
            if ignore.used or any(self.is_in(index, ignore) for index in self.passed_over):
                continue
            if known and not self.is_selected(ignore, linters):
                continue
            message = f"this ignore of {ignore.rule} matches no finding: remove it"
            if not ignore.rule:
                message = "this ignore names no rule, and silences nothing: write ignore[rule-id]"
            elif ignore.rule in self.catalogue.packs:
                message = (
                    f"this ignore names a pack, and silences nothing: name the rules of {ignore.rule} that it is for"
                )
            elif not known:
                message = (
                    f"this ignore names a rule that does not exist: {ignore.rule}{self.catalogue.hint(ignore.rule)}"
                )
            crd = ignore.crd
            yield self.finding(rule, message, ignore.span, crd, ignore.version)

    def is_selected(self, ignore: Ignore, linters: list[CrdLinter]) -> bool:
        """Is the rule of an ignore selected for anything that the ignore can speak of?"""
        there = [linter.crd for linter in linters if self.is_in(linter.document, ignore)]
        crds = there if ignore.crd is None else [ignore.crd]
        selected = [self.settings.selected_for(crd, version.name) for crd in crds for version in crd.judged_versions]
        return any(ignore.rule in rules for rules in selected or [self.settings.selected_for()])

    def is_in(self, index: int, ignore: Ignore) -> bool:
        """Does an ignore stand in the document of this index?"""
        document = self.stream.documents[index]
        return document.start <= ignore.span[0] < document.end

    def finding(
        self,
        rule: Rule,
        message: str,
        span: tuple[int, int],
        crd: Crd | None,
        version: str | None,
        pointer: str | None = None,
        severity: Severity | None = None,
        fix: Fix | None = None,
        marker: str | None = None,
    ) -> Finding:
        line, column = self.source.position(span[0])
        end_line, end_column = self.source.position(span[1])
        return Finding(
            rule=rule.id,
            severity=self.settings.severity_of(rule.id, crd, version) or severity or rule.severity,
            message=message,
            path=self.path,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            crd=crd.name if crd else None,
            kind=crd.kind if crd else None,
            version=version,
            pointer=pointer,
            fix=fix,
            marker=marker or rule.marker,
            marker_on=rule.marker_on,
        )
