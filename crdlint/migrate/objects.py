"""Stored objects held against the plan: a step that breaks one is taken out of it, with the object named.

They are best given as they are stored, in the storage version. Where versions differ in nothing but their name
(strategy None) each object is judged by every version, since it may be written through any of them next; where a
webhook converts, only by its own.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from crdlint.crd.model import Crd, Version
from crdlint.errors import UsageError
from crdlint.migrate.held import BROKEN, Broken, Held, Stored, TakenOut
from crdlint.migrate.plan import CrdPlan, Plan, Step
from crdlint.migrate.planner import Planner
from crdlint.migrate.repository import Repository, crds_in
from crdlint.stored.checker import StoredChecker
from crdlint.stored.objects import StoredObject, read_objects
from crdlint.stored.verdict import Verdict
from crdlint.stored.view import View

_KUBERNETES = re.compile(r"v?1\.(\d{1,3})(?:\.\d+)?")


@dataclass
class Objects:
    """Files of objects, and the version of the API server that holds them."""

    paths: Sequence[str]
    kubernetes: tuple[int, int]
    # In all plans that they were held against: the planner leaves it out of later ones too.
    taken_out: list[TakenOut] = field(default_factory=list)

    @classmethod
    def of(cls, paths: Sequence[str], kubernetes: str) -> Objects:
        match = _KUBERNETES.fullmatch(kubernetes)
        if match is None:
            raise UsageError(f"--kubernetes {kubernetes}: write it as 1.29")
        return cls(paths, (1, int(match[1])))

    def held_against(self, planner: Planner, plan: Plan) -> tuple[Plan, Stored]:
        """The plan without the steps that break an object, and what becomes of the objects under it."""
        while True:
            stored = self.look(plan)
            found = [self.worst_step(planner, crd, stored.held.get(crd.name, Held())) for crd in plan.crds]
            worst = [taken for taken in found if taken is not None]
            if not worst:
                stored.taken_out = self.taken_out
                return plan, stored
            for taken in worst:
                planner.left_out.add(taken.keys, taken.told(), taken.is_default)
            self.taken_out += worst
            plan = planner.plan()

    def look(self, plan: Plan) -> Stored:
        """What becomes of each object, by CRD."""
        checkers = _Checkers(plan.crds, plan, self.kubernetes)
        found = Stored(self.kubernetes)
        for stored in read_objects(self.paths):
            judge = checkers.of(stored)
            if judge is None:
                found.strangers += 1
            else:
                held = found.held.setdefault(judge.crd, Held())
                held.add(judge.judged(stored), judge.as_stored)
        return found

    def worst_step(self, planner: Planner, crd: CrdPlan, held: Held) -> TakenOut | None:
        """The step without which the objects suffer least; None where no step is to blame."""
        broken = held.of(BROKEN)
        least = sum(one.harm for one in broken)
        worst: TakenOut | None = None
        for step in crd.steps if broken else ():
            if step.is_planned and step.keys:
                harms = self.harms_without(planner, crd, step, [one.stored for one in broken])
                if sum(harms) < least:
                    least = sum(harms)
                    saved = [one for one, harm in zip(broken, harms, strict=True) if harm < one.harm]
                    worst = TakenOut(step.keys, step.is_default, saved, held.counts[BROKEN] > len(broken))
        return worst

    def harms_without(self, planner: Planner, crd: CrdPlan, step: Step, objects: Iterable[StoredObject]) -> list[int]:
        left_out = copy.deepcopy(planner.left_out)
        left_out.add(step.keys, "", step.is_default)
        plan = planner.restricted(Repository(files=[crd.leading.file]), left_out).plan()
        # The patches, which may declare a webhook, stand in other files.
        trials = [replace(one, group=replace(one.group, patches=crd.patches)) for one in plan.crds]
        checkers = _Checkers([one for one in trials if one.name == crd.name], plan, self.kubernetes)
        found = [(checkers.of(stored), stored) for stored in objects]
        return [0 if one is None else one.judged(stored).harm for one, stored in found]


class _Judge:
    """The checkers of the versions through which an object of one version may be written."""

    def __init__(self, crd: str, checkers: Sequence[tuple[str, StoredChecker]], as_stored: bool) -> None:
        self.crd = crd
        self.checkers = checkers
        # Are the objects given in the version in which they are stored?
        self.as_stored = as_stored

    def judged(self, stored: StoredObject) -> Broken:
        found = [
            checker.check(replace(stored, data={**stored.data, "apiVersion": api_version}))
            for api_version, checker in self.checkers
        ]
        harm = sum(len(verdict.refused) + len(verdict.pruned) for verdict in found)
        return Broken(stored, found[0] if len(found) == 1 else _together(found), harm)


class _Checkers:
    """What judges the objects of each version of the CRDs, made when the first of them comes."""

    def __init__(self, crds: Iterable[CrdPlan], plan: Plan, kubernetes: tuple[int, int]) -> None:
        self.plan = plan
        self.kubernetes = kubernetes
        self.crds = {(crd.leading.crd.group, crd.kind): crd for crd in crds}
        self.made: dict[str, _Judge | None] = {}

    def of(self, stored: StoredObject) -> _Judge | None:
        """None where the object is of none of the CRDs. Raises `UsageError`."""
        group, _, version = stored.api_version.rpartition("/")
        crd = self.crds.get((group, stored.kind))
        if crd is None:
            return None
        key = f"{crd.name}/{version}"
        if key not in self.made:
            self.made[key] = self.judge(crd, version)
        return self.made[key]

    def judge(self, crd: CrdPlan, name: str) -> _Judge | None:
        before, after = (_versions(one) for one in (crd.leading.crd, self.after(crd)))
        if name not in after:
            return None
        others = [] if crd.webhooks else [version.name for version in after[name].crd.judged_versions]
        checkers = []
        for version in dict.fromkeys((name, *others)):
            view = View.of(after[version])
            old = View.of(before[version]) if version in before else None
            checkers.append((view.api_version, StoredChecker(old, view, self.kubernetes)))
        return _Judge(crd.name, checkers, as_stored=name == crd.storage_version)

    def after(self, crd: CrdPlan) -> Crd:
        """The leading copy as the plan leaves it."""
        parsed = Repository.parsed(self.plan.files[crd.leading.path].after)
        index = crd.leading.file.copies.index(crd.leading)
        return list(crds_in(parsed))[index][1]


def _versions(crd: Crd) -> dict[str, Version]:
    return {version.name: version for version in crd.versions}


def _together(verdicts: Sequence[Verdict]) -> Verdict:
    """What any of them says, each thing once."""
    return Verdict(
        refused=tuple(dict.fromkeys(one for verdict in verdicts for one in verdict.refused)),
        pruned=tuple(dict.fromkeys(one for verdict in verdicts for one in verdict.pruned)),
        undecided=tuple(dict.fromkeys(one for verdict in verdicts for one in verdict.undecided)),
        tolerated=tuple(dict.fromkeys(one for verdict in verdicts for one in verdict.tolerated)),
    )
