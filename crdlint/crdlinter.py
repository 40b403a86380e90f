"""Checks one CRD: asks the rules, and turns what they say into findings with places and fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from crdlint.checks import CHECKS
from crdlint.checks.context import Context, Draft, Problem
from crdlint.checks.defaults import refused_after
from crdlint.checks.races import is_taken_as_ready, is_undecided
from crdlint.crd.model import Crd, Version
from crdlint.findings import Applicability, Finding, Fix
from crdlint.ignores import Ignore, annotation_ignores
from crdlint.rules.rule import Rule
from crdlint.settings import Generated, is_generated
from crdlint.yamltext.edit import refusal
from crdlint.yamltext.nodes import locate
from crdlint.yamltext.operations import Operation

if TYPE_CHECKING:
    from crdlint.filelinter import FileLinter

# Why a fix is refused.
GENERATED = (
    "controller-gen made this CRD, and the configuration (`generated: warn`) leaves such files as they are: "
    "change the Go types, and generate it anew"
)


class CrdLinter:
    """Checks one CRD of a file."""

    def __init__(self, file: FileLinter, document: int, crd: Crd) -> None:
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
        if version is None or version.crd.is_obsolete or draft.stage:
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
