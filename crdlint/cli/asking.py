"""``crdlint migrate --ask``: which of the steps to take, asked at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from crdlint.migrate.chosen import StepKey
from crdlint.migrate.plan import CrdPlan, Plan, Step
from crdlint.migrate.planner import Planner
from crdlint.report.sanitise import clean_short

_DECLINED = "you left it out"
_CHOICES = "[y]es, [n]o, [a]ll of this CRD, [s]kip this CRD, [q]uit here"


class NoAnswer(Exception):
    """The input ended before all was answered."""


def asked(planner: Planner, plan: Plan) -> Plan:
    """The plan without the steps that the person at the terminal declines. Raises `NoAnswer`.

    All is planned anew without what an answer declines: some steps rest on others. Nothing is asked twice.
    """
    answers = _Answers()
    while waiting := answers.waiting(plan):
        declined = answers.declined(waiting)
        for step in declined:
            planner.left_out.add(step.keys, _DECLINED, step.is_default)
        if declined:
            plan = planner.plan()
    return plan


class _Answers:
    """What was answered so far."""

    def __init__(self) -> None:
        self.answered: set[StepKey] = set()
        # Of a whole CRD, by its name.
        self.whole: dict[str, str] = {}
        self.has_quit = False

    def waiting(self, plan: Plan) -> list[tuple[CrdPlan, Step]]:
        """The steps for which there is no answer yet."""
        return [
            (crd, step) for crd, step in plan.steps() if step.is_planned and not self.answered.issuperset(step.keys)
        ]

    def declined(self, waiting: Sequence[tuple[CrdPlan, Step]]) -> list[Step]:
        """Of the steps that the answer for the first is an answer for, those that it declines: all or none."""
        asked_of = waiting[0][0].name
        answer = self.answer(*waiting[0])
        steps = [step for crd, step in waiting if answer == "q" or crd.name == asked_of]
        meant = steps[:1] if answer in "yn" else steps
        self.answered.update(key for step in meant for key in step.keys)
        return [] if answer in "ya" else meant

    def answer(self, crd: CrdPlan, step: Step) -> str:
        """What was answered for all, or for all of this CRD, or else is answered now."""
        if self.has_quit:
            return "q"
        if crd.name in self.whole:
            return self.whole[crd.name]
        answer = _ask(crd, step)
        self.has_quit = answer == "q"
        if answer in "as":
            self.whole[crd.name] = answer
        return answer


def _ask(crd: CrdPlan, step: Step) -> str:
    typer.echo(f"\n{clean_short(crd.kind)} {clean_short(step.version or '')}  {clean_short(str(step.place))}", err=True)
    typer.echo(f"  {clean_short(step.name)} ({step.applicability.value}): {clean_short(step.title)}", err=True)
    for reason in step.reasons:
        typer.echo(f"    {clean_short(reason)}", err=True)
    while True:
        typer.echo(f"  take it? {_CHOICES}: ", err=True, nl=False)
        line = sys.stdin.buffer.readline()
        if not line:
            typer.echo(err=True)
            raise NoAnswer
        answer = line.decode(errors="replace").strip().lower()[:1] or "y"
        if answer in "ynasq":
            return answer
