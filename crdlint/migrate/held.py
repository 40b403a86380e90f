"""What became of stored objects under a plan: which are broken, and which steps were taken out because of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from crdlint.migrate.chosen import StepKey
from crdlint.migrate.plan import Step
from crdlint.migrate.repository import Place
from crdlint.stored.objects import StoredObject
from crdlint.stored.requests import RATCHETING_SINCE
from crdlint.stored.verdict import Verdict, Write

# How many objects of a CRD are kept to be named, or tried again; all are counted.
MOST_KEPT = 50
# What may be said of an object: it is kept under each that applies.
BROKEN, SAVED, UNDECIDED, CONVERTED = "broken", "saved", "undecided", "converted"


@dataclass(frozen=True)
class Broken:
    """An object that the new schema refuses, cuts, or leaves open."""

    stored: StoredObject = field(repr=False)
    verdict: Verdict = field(repr=False)
    # How much is wrong with it, in each version through which it may be written: what two of them say counts twice.
    harm: int

    @property
    def place(self) -> Place:
        return Place(self.stored.path, self.stored.line)

    @property
    def version(self) -> str:
        """In which version it was given."""
        return self.stored.api_version.rpartition("/")[2]

    def told(self, what: str = BROKEN) -> str:
        """What happens to it, in a few words; ``what`` as in `Held`."""
        if what == UNDECIDED:
            first = self.verdict.undecided[0]
            return f"{first.path}: {first.reason}"
        if what == SAVED:
            spared = self.verdict.tolerated[0]
            return f"{spared.path}: {spared.message} (let through on: {_names(spared.saved)})"
        if not self.verdict.refused:
            return f"the next write loses {', '.join(self.verdict.pruned)}"
        refusal = self.verdict.refused[0]
        let_through = f"; ratcheting lets through: {_names(refusal.saved)}" if refusal.saved else ""
        why = f", since {refusal.why}" if refusal.why else ""
        return f"{refusal.path}: {refusal.message} (refused on: {_names(refusal.writes)}{why}{let_through})"


@dataclass
class Held:
    """The objects of one CRD, held against what is planned for it."""

    checked: int = 0
    # How many are broken, saved or undecided, and the first of them.
    counts: dict[str, int] = field(default_factory=dict)
    kept: dict[str, list[Broken]] = field(default_factory=dict)

    def of(self, what: str) -> list[Broken]:
        return self.kept.get(what, [])

    def add(self, one: Broken, as_stored: bool) -> None:
        self.checked += 1
        is_broken, verdict = one.harm > 0, one.verdict
        for what, applies in (
            (BROKEN, is_broken),
            (SAVED, bool(verdict.tolerated) and not is_broken),
            (UNDECIDED, bool(verdict.undecided)),
            (CONVERTED, not as_stored),
        ):
            if applies:
                self.counts[what] = self.counts.get(what, 0) + 1
                kept = self.kept.setdefault(what, [])
                if len(kept) < MOST_KEPT:
                    kept.append(one)


@dataclass(frozen=True)
class TakenOut:
    """A step that was taken out of the plan, and the objects that it breaks."""

    keys: tuple[StepKey, ...]
    is_default: bool
    broken: Sequence[Broken]
    # Were more objects broken than are kept?
    are_more: bool = False

    def holds(self, step: Step) -> bool:
        """Is it this step, or one that goes with it: a default goes into all versions or none?"""
        is_default = self.is_default and step.is_default
        crds = {key.crd for key in self.keys}
        return any(key in self.keys or (is_default and key.crd in crds) for key in step.keys)

    @property
    def count(self) -> str:
        return f"{len(self.broken)}{' or more' if self.are_more else ''}"

    def told(self) -> str:
        """Because of which object, in a sentence."""
        first = self.broken[0]
        breaks = "it breaks a stored object" if len(self.broken) == 1 else f"it breaks {self.count} stored objects"
        return f"{breaks}: {first.stored} ({first.place}): {first.told()}"


@dataclass
class Stored:
    """All objects that were read: by CRD, and how many belong to none that is planned for."""

    kubernetes: tuple[int, int]
    held: dict[str, Held] = field(default_factory=dict)
    strangers: int = 0
    taken_out: list[TakenOut] = field(default_factory=list)

    @property
    def has_ratcheting(self) -> bool:
        return self.kubernetes >= RATCHETING_SINCE

    @property
    def checked(self) -> int:
        return sum(held.checked for held in self.held.values())

    def count(self, what: str) -> int:
        """How many are broken, saved or undecided."""
        return sum(held.counts.get(what, 0) for held in self.held.values())

    def because_of(self, step: Step) -> TakenOut | None:
        """The objects for which a step was taken out; None where it was not."""
        return next((taken for taken in self.taken_out if taken.holds(step)), None)


def _names(writes: Iterable[Write]) -> str:
    return ", ".join(write.value for write in writes)
