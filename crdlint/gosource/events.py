"""What a function does to objects, and what that comes to where the function is called."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crdlint.gosource.evidence import Question, Verdict
from crdlint.gosource.syntax import GoFile
from crdlint.gosource.values import RECEIVER, UNKNOWN, Fact, Known, Owner, Parts, Value


@dataclass(frozen=True)
class Event:
    """Something that a function does to an object; ``rests_on`` are facts that a caller has to give."""

    question: Question
    verdict: Verdict
    owner: Owner | None
    what: str
    file: GoFile
    offset: int
    rests_on: frozenset[Known] = frozenset()
    # A method of the object that decides, once the type of the object is known.
    method: str | None = None

    @property
    def parameter(self) -> int | None:
        """The parameter that stands for the object, if a caller gives it."""
        return self.owner.parameter if self.owner is not None else None

    @property
    def is_for_callers(self) -> bool:
        """Does only a caller tell to what object this is done, or whether it is done?"""
        return bool(self.rests_on) or self.parameter is not None


@dataclass(frozen=True)
class Summary:
    """All that a function does: its events, whose status it changes, and whose it writes through /status.

    ``plain`` are writes through the main endpoint, which take status along only where it was changed before.
    """

    events: tuple[Event, ...] = ()
    changed: frozenset[Owner] = frozenset()
    written: frozenset[Owner] = frozenset()
    plain: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Call:
    """What a call gives to a function with so many parameters; the last one may take several arguments."""

    receiver: Value
    values: list[Value]
    count: int

    def given(self, parameter: int | None) -> list[Value]:
        if parameter is None:
            return []
        if parameter == RECEIVER:
            return [self.receiver]
        return self.values[parameter:] if parameter == self.count - 1 else self.values[parameter : parameter + 1]

    def copy_of(self, event: Event) -> str | None:
        """The variable that holds what the event is done to by value."""
        return next((value.copy_of for value in self.given(event.parameter)), None)

    def owners(self, owners: frozenset[Owner]) -> set[Owner]:
        """The same objects, as the caller knows them."""
        found = {owner for owner in owners if owner.parameter is None}
        given = [value.owner for owner in owners for value in self.given(owner.parameter)]
        return found | {owner for owner in given if owner is not None}

    def applied(self, event: Event, parts: Parts) -> Event | None:
        """An event of the function as the caller sees it; None where what it rests on is not given."""
        owner = event.owner
        if event.parameter is not None:
            value = next(iter(self.given(event.parameter)), UNKNOWN)
            owner = value.owner
            if owner is None and not parts.may_be_of_any_kind(value.type):
                return None
        here: Event | None = replace(event, owner=owner, rests_on=frozenset())
        for known in event.rests_on:
            said = [own for value in self.given(known.parameter) for own in value.known if own.fact is known.asked]
            given = [own for own in said if own.owner in (None, owner)]
            if here is None:
                break
            if not given:
                here = self._without(here, known)
            elif all(own.parameter is not None for own in given):
                resting = {own.implies(known.fact) for own in given}
                here = replace(here, rests_on=here.rests_on | resting)
        return here

    def _without(self, event: Event, known: Known) -> Event | None:
        """What an event is where a fact is not given. Without the option, a patch writes no observed generation."""
        if known.fact is Fact.GENERATION:
            what = "assigns what may not be the generation to status.observedGeneration"
            return replace(event, verdict=Verdict.UNKNOWN, what=what)
        if known.fact is not Fact.CONDITION_OBSERVES:
            return None
        if any(value.has(Fact.CONDITION) for value in self.given(known.parameter)):
            return replace(event, verdict=Verdict.NOT_FOUND, what="sets a condition without observedGeneration")
        return replace(event, verdict=Verdict.UNKNOWN, what="sets a condition that may have no observedGeneration")
