"""Writes down what one function does to objects, while its text is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from crdlint.gosource.events import Event, Summary
from crdlint.gosource.evidence import Question, Verdict
from crdlint.gosource.syntax import GoFile
from crdlint.gosource.values import UNKNOWN, Fact, Known, Owner, Part, Parts, Value

if TYPE_CHECKING:
    from tree_sitter import Node

_ASSIGNS = "assigns status.observedGeneration"


class Recorder:
    """The events of one function, in the order of its text."""

    def __init__(self, file: GoFile, parts: Parts) -> None:
        self.file = file
        self.parts = parts
        self.found: list[Event] = []
        # What was done to copies of parts of objects, by the variable that holds the copy.
        self.pending: dict[str, list[Event]] = {}
        self.changed: set[Owner] = set()
        self.written: set[Owner] = set()
        # Whose status was changed, and not written since.
        self.unsaved: set[Owner] = set()
        self.plain: list[Event] = []

    def summary(self) -> Summary:
        """All of it: copies that no object got back leave open what becomes of them."""
        lost = [replace(event, verdict=Verdict.UNKNOWN) for events in self.pending.values() for event in events]
        return Summary((*self.found, *lost), frozenset(self.changed), frozenset(self.written), tuple(self.plain))

    def add(
        self,
        target: Value,
        question: Question,
        verdict: Verdict,
        what: str,
        node: Node,
        rests_on: frozenset[Known] = frozenset(),
        method: str | None = None,
    ) -> None:
        """One event; what is done to something that cannot be an object of a kind is none."""
        if target.owner is None and not self.parts.may_be_of_any_kind(target.type):
            return
        self.place(
            target.copy_of,
            Event(question, verdict, target.owner, what, self.file, node.start_byte, rests_on, method),
        )

    def place(self, copy_of: str | None, event: Event) -> None:
        (self.found if copy_of is None else self.pending.setdefault(copy_of, [])).append(event)

    def give_back(self, target: Value, value: Value) -> None:
        """An object gets back the copy of its part."""
        if value.copy_of is not None and value.owner == target.owner:
            self.found += self.pending.pop(value.copy_of, [])

    def change(self, owners: Iterable[Owner | None]) -> None:
        known = {owner for owner in owners if owner is not None}
        self.changed |= known
        self.unsaved |= known

    def save(self, owners: Iterable[Owner | None]) -> None:
        known = {owner for owner in owners if owner is not None}
        self.written |= known
        self.unsaved -= known

    def save_plainly(self, event: Event) -> None:
        """A write through the main endpoint: of status too, or else of whatever a caller has changed."""
        if event.owner in self.unsaved:
            self.found.append(event)
        else:
            self.plain.append(event)

    def observe(self, target: Value, value: Value, left: Node, right: Node) -> None:
        """An assignment to status.observedGeneration; one of what it was says nothing."""
        if value.part is Part.OBSERVED_GENERATION:
            return
        resting = value.resting_on(Fact.GENERATION)
        if value.has_of(Fact.GENERATION, target.owner):
            self.add(target, Question.OBSERVED_GENERATION, Verdict.WRITTEN, _ASSIGNS, left)
        elif resting:
            self.add(target, Question.OBSERVED_GENERATION, Verdict.WRITTEN, _ASSIGNS, left, resting)
        else:
            what = f"assigns {self.file.text(right)} to status.observedGeneration, which may not be the generation"
            self.add(target, Question.OBSERVED_GENERATION, Verdict.UNKNOWN, what, left)

    def replace_status(self, target: Value, value: Value, left: Node) -> None:
        self.give_back(target, value)
        if value.has_of(Fact.STATUS_OBSERVES, target.owner):
            what = "assigns a status that holds the generation"
            self.add(target, Question.OBSERVED_GENERATION, Verdict.WRITTEN, what, left)

    def set_condition(self, target: Value, value: Value, node: Node) -> None:
        """A condition, or a list of them, becomes part of an object."""
        self.change([target.owner])
        if self.parts.cannot_observe(target.type):
            what = "sets a condition, of a type that has no observedGeneration"
            self.add(target, Question.CONDITION_GENERATION, Verdict.NOT_FOUND, what, node)
            return
        if not value.knows(Fact.CONDITION):
            what = "sets conditions of which it is not known whether they hold the generation"
            self.add(target, Question.CONDITION_GENERATION, Verdict.UNKNOWN, what, node)
            return
        resting = value.resting_on(Fact.CONDITION_OBSERVES)
        if value.has_of(Fact.CONDITION_OBSERVES, target.owner):
            what = "sets a condition with observedGeneration"
            self.add(target, Question.CONDITION_GENERATION, Verdict.WRITTEN, what, node)
        elif resting:
            what = "sets a condition with observedGeneration"
            self.add(target, Question.CONDITION_GENERATION, Verdict.WRITTEN, what, node, resting)
        elif value.has(Fact.CONDITION_OBSERVES):
            what = "sets a condition with a generation that may be that of another object"
            self.add(target, Question.CONDITION_GENERATION, Verdict.UNKNOWN, what, node)
        else:
            what = "sets a condition without observedGeneration"
            self.add(target, Question.CONDITION_GENERATION, Verdict.NOT_FOUND, what, node)
        self.set_paused(target, value, node)

    def set_paused(self, target: Value, value: Value, node: Node) -> None:
        resting = frozenset() if value.has(Fact.PAUSED) else value.resting_on(Fact.PAUSED)
        if value.knows(Fact.PAUSED):
            self.add(target, Question.PAUSED, Verdict.WRITTEN, "sets the condition Paused", node, resting)

    def hand_over(self, target: Value, node: Node) -> None:
        """The address of the conditions is given to a function that cannot be read."""
        what = "hands the conditions to a function of another repository"
        self.add(target, Question.CONDITION_GENERATION, Verdict.UNKNOWN, what, node)

    def write_by_name(self, node: Node) -> None:
        """An unstructured object, of which nothing says of what kind it is."""
        what = "writes observedGeneration by its name"
        self.add(UNKNOWN, Question.OBSERVED_GENERATION, Verdict.UNKNOWN, what, node)

    def write_status(self, target: Value, how: str, node: Node) -> None:
        self.save([target.owner])
        self.add(target, Question.STATUS_ENDPOINT, Verdict.WRITTEN, f"writes /status with {how}", node)

    def write_observed(self, target: Value, options: list[Known], node: Node) -> None:
        """A patch with the option that writes status.observedGeneration, if it is given."""
        is_certain = any(known.parameter is None for known in options)
        resting = frozenset() if is_certain else frozenset(options)
        what = "patches with WithStatusObservedGeneration"
        self.add(target, Question.OBSERVED_GENERATION, Verdict.WRITTEN, what, node, resting)

    def write_plainly(self, target: Value, name: str, node: Node) -> None:
        what = f"writes status through the main endpoint, with a plain {name}"
        self.save_plainly(
            Event(Question.STATUS_ENDPOINT, Verdict.NOT_FOUND, target.owner, what, self.file, node.start_byte)
        )
