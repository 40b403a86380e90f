"""Stored objects held against the plan: a step that breaks one is taken out of it, with the object named."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from crdlint.crd.model import Crd
from crdlint.errors import UsageError
from crdlint.migrate.plan import CrdPlan, Plan, Step
from crdlint.migrate.planner import Planner
from crdlint.migrate.repository import Place, Repository, crds_in
from crdlint.stored.checker import StoredChecker
from crdlint.stored.objects import StoredObject, read_objects
from crdlint.stored.verdict import Verdict
from crdlint.stored.view import View

# How many objects of a CRD are kept to be named, or tried again; all are counted.
MOST_KEPT = 50
_KUBERNETES = re.compile(r"v?1\.(\d{1,3})(?:\.\d+)?")


@dataclass(frozen=True)
class Broken:
    """An object that the new schema refuses, cuts, or leaves open."""

    stored: StoredObject = field(repr=False)
    verdict: Verdict = field(repr=False)

    @property
    def place(self) -> Place:
        return Place(self.stored.path, self.stored.line)

    @property
    def harm(self) -> int:
        return len(self.verdict.refused) + len(self.verdict.pruned)

    def told(self, what: str = "broken") -> str:
        """What happens to it, in a few words; ``what`` as in `Held`."""
        if what == "undecided":
            first = self.verdict.undecided[0]
            return f"{first.path}: {first.reason}"
        if not self.verdict.refused:
            return f"the next write loses {', '.join(self.verdict.pruned)}"
        refusal = self.verdict.refused[0]
        refused, saved = (", ".join(write.value for write in writes) for writes in (refusal.writes, refusal.saved))
        let_through = f"; ratcheting lets through: {saved}" if saved else ""
        return f"{refusal.path}: {refusal.message} (refused on: {refused}, since {refusal.why}{let_through})"


@dataclass
class Held:
    """The objects of one CRD, held against what is planned for it."""

    checked: int = 0
    # ``broken`` or ``undecided``: how many, and the first of them.
    counts: dict[str, int] = field(default_factory=dict)
    kept: dict[str, list[Broken]] = field(default_factory=dict)

    def of(self, what: str) -> list[Broken]:
        return self.kept.get(what, [])

    def add(self, one: Broken) -> None:
        self.checked += 1
        for what, applies in (("broken", one.harm > 0), ("undecided", bool(one.verdict.undecided))):
            if applies:
                self.counts[what] = self.counts.get(what, 0) + 1
                kept = self.kept.setdefault(what, [])
                if len(kept) < MOST_KEPT:
                    kept.append(one)


@dataclass
class Stored:
    """All objects that were read: by CRD, and how many belong to none that is planned for."""

    kubernetes: tuple[int, int]
    held: dict[str, Held] = field(default_factory=dict)
    strangers: int = 0

    @property
    def checked(self) -> int:
        return sum(held.checked for held in self.held.values())

    def count(self, what: str) -> int:
        """How many are ``broken`` or ``undecided``."""
        return sum(held.counts.get(what, 0) for held in self.held.values())


@dataclass
class Objects:
    """Files of objects, and the version of the API server that holds them."""

    paths: Sequence[str]
    kubernetes: tuple[int, int]

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
            has_changed = False
            for crd in plan.crds:
                if crd.name in stored.held and self.leave_worst_step_out(
                    planner, crd, stored.held[crd.name].of("broken")
                ):
                    has_changed = True
            if not has_changed:
                return plan, stored
            plan = planner.plan()

    def look(self, plan: Plan) -> Stored:
        """What becomes of each object, by CRD."""
        checkers = _Checkers(plan.crds, plan, self.kubernetes)
        found = Stored(self.kubernetes)
        for stored in read_objects(self.paths):
            checker = checkers.of(stored)
            if checker is None:
                found.strangers += 1
            else:
                found.held.setdefault(checker[0], Held()).add(Broken(stored, checker[1].check(stored)))
        return found

    def leave_worst_step_out(self, planner: Planner, crd: CrdPlan, broken: Sequence[Broken]) -> bool:
        """Leave out the step without which the objects suffer least. Is there one that is to blame?"""
        harm = sum(one.harm for one in broken)
        best: Step | None = None
        for step in crd.steps:
            if harm and step.is_planned and step.key is not None:
                less = self.harm_without(planner, crd, step, [one.stored for one in broken])
                if less < harm:
                    best, harm = step, less
        if best is not None and best.key is not None:
            more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
            why = f"it breaks a stored object: {broken[0].stored} ({broken[0].place}): {broken[0].told()}{more}"
            planner.left_out.add(best.key, why, best.is_default)
        return best is not None

    def harm_without(self, planner: Planner, crd: CrdPlan, step: Step, objects: Iterable[StoredObject]) -> int:
        assert step.key is not None
        left_out = copy.deepcopy(planner.left_out)
        left_out.add(step.key, "", step.is_default)
        plan = planner.restricted(Repository(files=[crd.leading.file]), left_out).plan()
        checkers = _Checkers([one for one in plan.crds if one.name == crd.name], plan, self.kubernetes)
        found = ((checkers.of(stored), stored) for stored in objects)
        return sum(Broken(stored, one[1].check(stored)).harm for one, stored in found if one is not None)


class _Checkers:
    """The checker of each version of the CRDs, made when its first object comes."""

    def __init__(self, crds: Iterable[CrdPlan], plan: Plan, kubernetes: tuple[int, int]) -> None:
        self.plan = plan
        self.kubernetes = kubernetes
        self.crds = {(crd.leading.crd.group, crd.kind): crd for crd in crds}
        self.made: dict[str, StoredChecker | None] = {}

    def of(self, stored: StoredObject) -> tuple[str, StoredChecker] | None:
        """The name of the CRD and the checker; None where the object is none of them. Raises `UsageError`."""
        group, _, version = stored.api_version.rpartition("/")
        crd = self.crds.get((group, stored.kind))
        if crd is None:
            return None
        key = f"{crd.name}/{version}"
        if key not in self.made:
            self.made[key] = self.checker(crd, version)
        checker = self.made[key]
        return None if checker is None else (crd.name, checker)

    def checker(self, crd: CrdPlan, version: str) -> StoredChecker | None:
        before, after = _view(crd.leading.crd, version), _view(self.after(crd), version)
        return None if after is None else StoredChecker(before, after, self.kubernetes)

    def after(self, crd: CrdPlan) -> Crd:
        """The leading copy as the plan leaves it."""
        parsed = Repository.parsed(self.plan.files[crd.leading.path].after)
        index = crd.leading.file.copies.index(crd.leading)
        return list(crds_in(parsed))[index][1]


def _view(crd: Crd, name: str) -> View | None:
    found: Iterator[View] = (View.of(version) for version in crd.versions if version.name == name)
    return next(found, None)
