"""From a repository to a plan: every file is migrated in memory, and what came of it is told by CRD and version."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from crdlint.choices import Choices, linter_for
from crdlint.crd.clusterapi import is_cluster_api
from crdlint.errors import UsageError
from crdlint.findings import Applicability
from crdlint.fix.apply import fix
from crdlint.linter import Parsed
from crdlint.migrate.advice import DEFAULTS, SUBRESOURCE
from crdlint.migrate.capi_stage import CONDITION_GENERATION, WHY_NO_DEFAULT, objections, stage1_operations
from crdlint.migrate.chosen import ChosenLinter, LeftOut
from crdlint.migrate.copies import Group, group_of
from crdlint.migrate.json_patches import json_patches
from crdlint.migrate.plan import FilePlan, Plan
from crdlint.migrate.repository import Repository, RepositoryFile, crds_in
from crdlint.migrate.rewrite import applied
from crdlint.migrate.sources import CLASHES, Sources
from crdlint.migrate.steps import Migrated, crd_plan
from crdlint.migrate.to_v1 import convert
from crdlint.settings import Settings
from crdlint.yamltext.operations import Refused

WHY_NOT_WHILE_REFUSED = (
    "the API server refuses this CRD because of a default that only a person can mend (rejected-default); until then "
    "it cannot be told whether this makes a waiter worse: mend the default, then run crdlint migrate again"
)


@dataclass(frozen=True)
class Wishes:
    """What the migration is asked to do."""

    choices: Choices = Choices()
    crds: frozenset[str] = frozenset()
    # Rules that are asked for by name: nothing but the schema itself stands against their fixes.
    only: frozenset[str] = frozenset()
    to_v1: bool = False
    keep_unknown_fields: bool = False
    capi_stage1: bool = False


@dataclass
class Planner:
    """Makes plans of one repository: again, and quickly, where some steps are left out."""

    repository: Repository
    wishes: Wishes
    left_out: LeftOut = field(default_factory=LeftOut)

    def plan(self) -> Plan:
        """The plan without what the Go types cannot follow, and what is not to be told yet."""
        plan = self.made()
        while self.heed_sources(plan) or self.heed_refused_crds(plan):
            plan = self.made()
        plan.files.update(self.sources.changed(step for _, step in plan.steps()))
        return plan

    def restricted(self, repository: Repository, left_out: LeftOut) -> Planner:
        """A planner of some of the files, by the same sources, to try what leaving out more would come to."""
        trial = Planner(repository, replace(self.wishes, crds=frozenset()), left_out)
        trial.sources = self.sources
        return trial

    def made(self) -> Plan:
        """The plan by what is left out so far."""
        plan = Plan(self.repository.root, roles=self.repository.roles)
        if self.sources.notice is not None:
            plan.notices.append(self.sources.notice)
        plan.notices += self.sources.problems
        if self.wishes.to_v1:
            plan.json_patches += json_patches(self.repository.kustomizations, self.repository.json_patches)
        for path, data in self.repository.unreadable.items():
            plan.unreadable += self.linter(path).lint(path, data).findings
        plan.others += plan.unreadable
        migrated = {file.path: self.migrated(file) for file in self.repository.files}
        for path, one in migrated.items():
            plan.files[path] = FilePlan(path, one.file.data, one.after, tuple(one.remaining))
            plan.others += [finding for finding in one.remaining if finding.crd is None and finding.pointer is None]
        for group in self.groups:
            settings = self.linter(group.leading.path).settings
            plan.crds.append(crd_plan(group, migrated, settings, self.sources))
        return plan

    def heed_sources(self, plan: Plan) -> bool:
        """Leave out what the Go types cannot follow, since generating the CRD again would undo it. Was there any?"""
        is_heeded = False
        for step in self.sources.clashing(step for _, step in plan.steps()):
            self.left_out.add(step.keys, CLASHES, step.is_default)
            is_heeded = True
        for crd, step in plan.steps():
            change = step.by_hand
            if change is None or not step.keys or not step.is_planned:
                continue
            why = f"the Go types cannot follow by an edit: {change.reason}; {change.change}"
            self.left_out.add(step.keys, why, step.is_default)
            if step.rule == CONDITION_GENERATION and step.rule not in self.wishes.only:
                self.left_out.defaults.setdefault(crd.name, WHY_NO_DEFAULT)
            is_heeded = True
        return is_heeded

    def heed_refused_crds(self, plan: Plan) -> bool:
        """Leave out what decides when waiters return, where the API server refuses the CRD all the same.

        What such a default comes to cannot be told before a person has mended it: waiters could get worse. Was there
        any such step?
        """
        is_heeded = False
        for crd in plan.crds:
            for step in crd.steps if crd.refusal is not None else ():
                wanted = self.wishes.only.intersection(step.rules)
                if step.is_planned and not wanted and (SUBRESOURCE | DEFAULTS).intersection(step.rules):
                    self.left_out.add(step.keys, WHY_NOT_WHILE_REFUSED, step.is_default)
                    is_heeded = True
        return is_heeded

    @cached_property
    def sources(self) -> Sources:
        """The Go types that CRDs here are generated from."""
        folder = self.repository.folder
        is_generated = any(group.leading.is_generated for group in self.groups)
        return Sources.below(folder) if is_generated and folder is not None else Sources()

    @cached_property
    def groups(self) -> list[Group]:
        """The copies of each CRD that is wanted; patches alone are no CRD."""
        found = [
            group_of(copies)
            for name, copies in self.repository.copies().items()
            if self.is_wanted(name) and not all(copy.is_patch for copy in copies)
        ]
        return sorted(found, key=lambda group: (group.leading.path, group.leading.place().line))

    def check_names(self) -> None:
        """Raise `UsageError` where a CRD was asked for that is not there."""
        for name in sorted(self.wishes.crds - {group.leading.crd.name for group in self.groups}):
            from difflib import get_close_matches

            near = get_close_matches(name, self.repository.copies(), n=1)
            raise UsageError(f"--crd {name}: no CRD of that name is here{f'; did you mean {near[0]}?' if near else ''}")

    def is_wanted(self, name: str | None) -> bool:
        return not self.wishes.crds or name in self.wishes.crds

    def linter(self, path: str) -> ChosenLinter:
        base = linter_for(path, self.wishes.choices)
        settings = self.sources.informed(base.settings, [group.leading.crd for group in self.groups])
        return ChosenLinter(base.catalogue, settings, self.wishes.crds, self.left_out, bool(self.wishes.only))

    def migrated(self, file: RepositoryFile) -> Migrated:
        linter = self.linter(file.path)
        first = linter.lint_source(file.path, file.parsed)
        one = Migrated(file, {finding.identity: finding for finding in first.findings})
        parsed = self.converted(one, file.parsed)
        if self.wishes.capi_stage1:
            parsed = self.with_stage1(one, parsed, linter.settings)
        self.heed_stages(parsed, linter.settings)
        one = self.fixed(one, parsed, linter)
        # What is fixed may be structural only now; once it is converted, more can be fixed.
        while one.is_unconverted and one.after != parsed.source.to_bytes():
            parsed = self.converted(one, Repository.parsed(one.after))
            one = self.fixed(one, parsed, linter)
        return one

    def fixed(self, one: Migrated, parsed: Parsed, linter: ChosenLinter) -> Migrated:
        outcome = fix(linter, one.file.path, parsed.source.to_bytes(), Applicability.UNSAFE)
        applied = (*one.applied, *outcome.applied)
        return replace(one, after=outcome.data, applied=applied, remaining=outcome.result.findings)

    def converted(self, one: Migrated, parsed: Parsed) -> Parsed:
        """The text that the file has come to, with the CRDs converted that are obsolete still."""
        if not self.wishes.to_v1:
            return parsed
        crds = [crd for _, crd in crds_in(parsed)]
        wanted = [
            copy
            for copy, crd in zip(one.file.copies, crds, strict=True)
            if crd.is_obsolete and self.is_wanted(copy.crd.name)
        ]
        parsed, conversions = convert(one.file, parsed, wanted, self.wishes.keep_unknown_fields)
        one.conversions.update((conversion.copy, conversion) for conversion in conversions)
        return parsed

    def heed_stages(self, parsed: Parsed, settings: Settings) -> None:
        """Leave out what would break providers that are on their way to v1beta2 conditions."""
        for _, crd in crds_in(parsed):
            if is_cluster_api(crd, settings.capi):
                for rule, version, why in objections(crd):
                    if rule not in self.wishes.only:
                        self.left_out.rules.setdefault((crd.name or "", rule, version), why)

    def with_stage1(self, one: Migrated, parsed: Parsed, settings: Settings) -> Parsed:
        """The file with the new list beside the old one, in each CRD that has only the old one."""
        for index, copy in enumerate(one.file.copies):
            crd = list(crds_in(parsed))[index][1]
            is_meant = (
                is_cluster_api(crd, settings.capi) and self.is_wanted(crd.name) and not settings.is_stateless(crd)
            )
            operations = stage1_operations(crd) if is_meant else ()
            if operations:
                moved = [replace(one, pointer=crd.prefix + one.pointer) for one in operations]
                refusal = None
                try:
                    parsed = applied(parsed, copy.document, moved)
                except Refused as error:
                    refusal = str(error)
                one.stage1.append((copy, refusal))
        return parsed
