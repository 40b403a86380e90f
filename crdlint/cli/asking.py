"""``crdlint migrate --ask``: which of the steps to take, asked at the terminal."""

from __future__ import annotations

import typer

from crdlint.migrate.chosen import StepKey
from crdlint.migrate.plan import CrdPlan, Plan, Step
from crdlint.migrate.planner import Planner
from crdlint.report.sanitise import clean_short

_DECLINED = "you left it out"
_CHOICES = "[y]es, [n]o, [a]ll of this CRD, [s]kip this CRD, [q]uit here"


def asked(planner: Planner, plan: Plan) -> Plan:
    """The plan without the steps that the person at the terminal declines.

    Each is planned anew without what was declined: some steps rest on others. Nothing is asked twice.
    """
    answers = _Answers()
    while (open_step := answers.next_open(plan)) is not None:
        crd, step, key = open_step
        if not answers.wants(crd, step, key):
            planner.left_out.add(key, _DECLINED, step.is_default)
            plan = planner.plan()
    return plan


class _Answers:
    """What was answered so far."""

    def __init__(self) -> None:
        self.answered: set[StepKey] = set()
        # Of a whole CRD, by its name.
        self.whole: dict[str, bool] = {}
        self.has_quit = False

    def next_open(self, plan: Plan) -> tuple[CrdPlan, Step, StepKey] | None:
        for crd, step in plan.steps():
            if step.is_planned and step.key is not None and step.key not in self.answered:
                return crd, step, step.key
        return None

    def wants(self, crd: CrdPlan, step: Step, key: StepKey) -> bool:
        self.answered.add(key)
        if self.has_quit or crd.name in self.whole:
            return not self.has_quit and self.whole[crd.name]
        answer = _ask(crd, step)
        self.has_quit = answer == "q"
        if answer in "as":
            self.whole[crd.name] = answer == "a"
        return answer in "ya"


def _ask(crd: CrdPlan, step: Step) -> str:
    typer.echo(f"\n{clean_short(crd.kind)} {clean_short(step.version or '')}  {clean_short(str(step.place))}", err=True)
    typer.echo(
        f"  {clean_short(step.rule or step.task.value)} ({step.applicability.value}): {clean_short(step.title)}",
        err=True,
    )
    for reason in step.reasons:
        typer.echo(f"    {clean_short(reason)}", err=True)
    while True:
        answer = typer.prompt(f"  take it? {_CHOICES}", default="y", show_default=False, err=True).strip().lower()
        if answer[:1] in ("y", "n", "a", "s", "q"):
            return str(answer[0])
        typer.echo(f"  {_CHOICES}", err=True)
