"""Bytes of a file in, findings out: everything between them in the order in which it happens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from crdlint.checks import CHECKS
from crdlint.checks.context import Context, Draft, Problem
from crdlint.checks.defaults import refused_after
from crdlint.checks.races import is_taken_as_ready, is_undecided
from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, Version, crds_of
from crdlint.files import names_crd
from crdlint.findings import Applicability, FileResult, Finding, Fix, Severity
from crdlint.ignores import Ignore, annotation_ignores, comment_ignores
from crdlint.rules.catalogue import Catalogue
from crdlint.rules.rule import Rule
from crdlint.settings import Generated, Settings, is_generated
from crdlint.yamltext.edit import refusal
from crdlint.yamltext.nodes import locate
from crdlint.yamltext.operations import Operation
from crdlint.yamltext.parse import Stream, parse
from crdlint.yamltext.source import Source, Unreadable

UNREADABLE = "unreadable-file"
UNUSED_IGNORE = "unused-ignore"
# Why a fix is refused.
GENERATED = (
    "controller-gen made this CRD, and the configuration (`generated: warn`) leaves such files as they are: "
    "change the Go types, and generate it anew"
)


@dataclass(frozen=True)
class Parsed:
    """A file that could be read: its text, and the trees of its documents."""

    source: Source
    stream: Stream

    def changed(self, text: str, stream: Stream) -> Parsed:
        """The same file with another text, whose trees are ``stream``."""
        return Parsed(replace(self.source, text=text), stream)


@dataclass(frozen=True)
class Linter:
    """Checks files with the rules and the settings of a run."""

    catalogue: Catalogue
    settings: Settings

    def lint(self, path: str, data: bytes) -> FileResult:
        """Check one file. Never raises for what the file holds."""
        return self.lint_parsed(path, data)[0]

    def lint_parsed(self, path: str, data: bytes) -> tuple[FileResult, Parsed | None]:
        """Check one file, and return what was read, or None where there is no CRD in it or it cannot be read."""
        if not names_crd(data):
            return FileResult(path), None
        try:
            source = Source.from_bytes(data)
            parsed = Parsed(source, parse(source.text, wanted=KIND, defer=SPEC_SCHEMA))
        except Unreadable as error:
            return self._unreadable(path, data, error), None
        return self.lint_source(path, parsed), parsed

    def lint_source(self, path: str, parsed: Parsed) -> FileResult:
        return _FileLinter(path, parsed, self.catalogue, self.settings).run()

    def _unreadable(self, path: str, data: bytes, error: Unreadable) -> FileResult:
        source = Source(data.decode("utf-8", "replace").removeprefix("\ufeff"))
        result = FileResult(path, has_crd=True, text=source.text)
        if UNREADABLE in self.settings.selected_for():
            line, column = source.position(min(error.offset, len(source.text)))
            severity = self.settings.severity_of(UNREADABLE) or self.catalogue[UNREADABLE].severity
            result.findings.append(Finding(UNREADABLE, severity, error.message, path, line, column, line, column + 1))
        return result


class _FileLinter:
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
        linters: list[_CrdLinter] = []
        for index, crd in self.crds():
            linters.append(_CrdLinter(self, index, crd))
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

    def unused_ignores(self, linters: list[_CrdLinter]) -> Iterator[Finding]:
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
            elif not known:
                message = (
                    f"this ignore names a rule that does not exist: {ignore.rule}{self.catalogue.hint(ignore.rule)}"
                )
            crd = ignore.crd
            yield self.finding(rule, message, ignore.span, crd, ignore.version)

    def is_selected(self, ignore: Ignore, linters: list[_CrdLinter]) -> bool:
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
        )


class _CrdLinter:
    """Checks one CRD of a file."""

    def __init__(self, file: _FileLinter, document: int, crd: Crd) -> None:
        root = file.stream.documents[document].root
        assert root is not None
        self.file = file
        self.document = document
        self.root = root
        self.crd = crd
        self.is_left_alone = file.generated is Generated.WARN and is_generated(crd)
        self.refusals: dict[tuple[tuple[str, str, str], ...], str | None] = {}
        file.ignores += annotation_ignores(crd, self.root)
        self.context = Context(
            crd,
            controllers=file.settings.controllers_of(crd),
            is_stateless=file.settings.is_stateless(crd),
            capi=file.settings.capi,
            reports=self.reports,
            refusal=self.refusal,
        )

    def findings(self) -> Iterator[Finding]:
        versions = self.crd.judged_versions
        if not self.context.is_stateless:
            self.file.result.races += sum(map(is_taken_as_ready, versions))
            self.file.result.undecided += sum(map(is_undecided, versions))
        seen: set[tuple[str, str]] = set()
        for version in versions:
            for rule, problem in self.problems(version):
                # Versions of apiextensions v1beta1 may share their schema: one problem is one finding.
                if (rule.id, problem.pointer) in seen:
                    continue
                seen.add((rule.id, problem.pointer))
                finding = self.finding(rule, problem, None if rule.scope == "crd" else version)
                if not self.is_ignored(rule.id, finding.line, finding.version):
                    yield finding

    def release(self) -> None:
        """Let the trees go at once.

        CRD, versions and context refer to each other, so they would wait for the garbage collector, and the next file
        would be read into cold memory.
        """
        self.crd.__dict__.clear()
        self.__dict__.clear()

    def problems(self, version: Version) -> Iterator[tuple[Rule, Problem]]:
        selected = self.file.settings.selected_for(self.crd, version.name)
        for rule in self.file.catalogue:
            if rule.id not in selected or (self.context.is_stateless and not rule.stateless):
                continue
            if version.is_opaque and not rule.opaque:
                continue
            for problem in self.evaluate(rule, version):
                yield rule, problem

    def evaluate(self, rule: Rule, version: Version) -> Iterable[Problem]:
        if rule.check is not None:
            return CHECKS[rule.check](version, self.context)
        if rule.schema is not None:
            from crdlint.rules.schema import violations

            return violations(rule, version)
        return ()

    def finding(self, rule: Rule, problem: Problem, version: Version | None) -> Finding:
        span = locate(self.root, self.crd.prefix + (problem.shown_at or problem.pointer))
        return self.file.finding(
            rule,
            problem.message,
            span,
            self.crd,
            version.name if version else None,
            pointer=problem.pointer,
            severity=problem.severity,
            fix=self.fix(rule, problem.fix, version),
            marker=problem.marker,
        )

    def fix(self, rule: Rule, draft: Draft | None, version: Version | None) -> Fix | None:
        if draft is None or rule.fix is None:
            return None
        of_rule = rule.fix.reasons if draft.applicability is rule.fix.applicability else ()
        reasons = tuple(dict.fromkeys((*draft.reasons, *of_rule)))
        obstacles = self.obstacles(draft, version)
        if obstacles:
            return Fix(Applicability.MANUAL, rule.fix.title, (*obstacles, *reasons))
        operations = self.moved(draft.operations)
        refused = GENERATED if self.is_left_alone and draft.applicability is not Applicability.MANUAL else None
        return Fix(
            draft.applicability,
            rule.fix.title,
            reasons,
            operations,
            refused=refused,
            document=self.document,
            stage=draft.stage,
        )

    def obstacles(self, draft: Draft, version: Version | None) -> list[str]:
        """What keeps the operations of a draft from being made: in the text, or in the defaults of the schema."""
        refused = self.refusal(draft.operations)
        if refused is not None:
            return [refused]
        if version is None or version.status is None or version.crd.is_obsolete or draft.stage:
            return []
        return refused_after(version, draft.operations)

    def refusal(self, operations: tuple[Operation, ...]) -> str | None:
        """Why the text does not admit an edit of the CRD, or None where it does."""
        if not operations:
            return None
        # The gate asks once for its judgement, and the finding once more.
        key = tuple((operation.op, operation.pointer, repr(operation.value)) for operation in operations)
        if key not in self.refusals:
            self.refusals[key] = refusal(
                self.file.stream, self.file.stream.documents[self.document], self.moved(operations)
            )
        return self.refusals[key]

    def moved(self, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        """The operations with pointers from the root of the document."""
        if not self.crd.prefix:
            return operations
        return tuple(replace(operation, pointer=self.crd.prefix + operation.pointer) for operation in operations)

    def reports(self, rule: str, version: Version, pointer: str) -> bool:
        if rule not in self.file.settings.selected_for(self.crd, version.name):
            return False
        line, _ = self.file.source.position(locate(self.root, self.crd.prefix + pointer)[0])
        return not self.ignores_of(rule, line, version.name)

    def is_ignored(self, rule: str, line: int, version: str | None) -> bool:
        matching = self.ignores_of(rule, line, version)
        for ignore in matching:
            ignore.used = True
        return bool(matching)

    def ignores_of(self, rule: str, line: int, version: str | None) -> list[Ignore]:
        return [ignore for ignore in self.file.ignores if ignore.covers(rule, line, self.crd, version)]
