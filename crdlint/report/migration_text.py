"""A migration as text for a terminal: the plan by CRD and version, then what people must do beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint.migrate.plan import Task
from crdlint.report.notes import wrapped
from crdlint.report.sanitise import clean_short, shown_path
from crdlint.report.text import WIDEST_PROSE, Paint

if TYPE_CHECKING:
    from crdlint.migrate.checklist import Item, Mention
    from crdlint.migrate.plan import CrdPlan, Step
    from crdlint.report.migration import Migration

_BOLD, _DIM, _GREEN, _YELLOW, _CYAN = "1", "2", "32", "33", "36"
_COLORS = {"safe": _GREEN, "unsafe": _YELLOW}


def as_text(migration: Migration, color: bool = False, width: int = 80) -> str:
    """The plan, the checklist and what it all comes to."""
    return _Page(migration, Paint(color), min(width, WIDEST_PROSE)).text()


class _Page:
    def __init__(self, migration: Migration, paint: Paint, width: int) -> None:
        self.migration = migration
        self.paint = paint
        self.width = width

    def text(self) -> str:
        blocks = [self.lines(self.crd(crd)) for crd in self.migration.plan.crds if crd.steps or crd.stages]
        todo = self.lines(self.checklist(self.migration.items)) if self.migration.items else ""
        return "\n".join(block for block in (*blocks, todo, self.lines(iter(self.migration.summary()))) if block)

    def lines(self, lines: Iterator[str]) -> str:
        return "".join(line + "\n" for line in lines)

    # One CRD.

    def crd(self, crd: CrdPlan) -> Iterator[str]:
        yield self.paint(clean_short(crd.name), _BOLD)
        yield f"  {shown_path(str(crd.leading.place()))}"
        for state in crd.copies:
            yield f"  copy: {shown_path(str(state.place))}"
            if state.differences:
                yield from self.wrapped(f"differs: {state.told(crd.leading.path)}", 6)
        for patch in crd.patches:
            yield f"  patch: {shown_path(str(patch.place()))}"
        if crd.refusal is not None:
            where = f"{crd.refusal.name}, line {crd.refusal.place.line}"
            yield from self.wrapped(f"the API server refuses this CRD until a person mends a default ({where})", 2)
        yield from self.evidence(crd)
        stages = {stage.version: stage for stage in crd.stages}
        for version, steps in groupby(crd.steps, key=lambda step: step.version):
            yield ""
            stage = stages.pop(version or "", None)
            yield f"  {self.paint(clean_short(version or 'all versions'), _BOLD)}"
            if stage is not None:
                yield from self.wrapped(f"Cluster API: {stage.now}", 4)
            for step in steps:
                yield from self.step(step, crd.leading.path)
        for stage in stages.values():
            yield from self.wrapped(f"{stage.version}: Cluster API: {stage.now}", 2)

    def evidence(self, crd: CrdPlan) -> Iterator[str]:
        """What the controllers are seen to write, each with the line that says so."""
        found = list(crd.sightings())
        if any(lines for _, _, lines in found):
            yield "  controllers"
            for question, verdict, lines in found:
                place = f"  {shown_path(str(lines[0][0]))}" if lines else ""
                yield f"    {question.value}: {verdict.value}{place}"

    def step(self, step: Step, leading: str) -> Iterator[str]:
        taken_out = self.migration.because_of(step)
        kind = step.applicability.value if step.is_planned else ""
        done = "done" if self.migration.is_done and step.is_planned else "out" if taken_out else step.cure.value
        head = f"{done:<6} {self.paint(f'{kind:<6}', _COLORS.get(kind, _CYAN))} line {step.place.line}"
        yield f"    {head}  {self.paint(clean_short(step.rule or step.task.value), _BOLD)}"
        if step.place.path != leading:
            yield f"           {shown_path(str(step.place))}"
        for other in step.also:
            yield from self.wrapped(f"the same edit cures {other.rule} (line {other.place.line})", 11)
        is_told_as_fix = step.is_planned or taken_out is not None
        yield from self.wrapped(step.title if is_told_as_fix else step.message, 11)
        if taken_out is not None:
            yield from self.wrapped(f"taken out: {taken_out.told()}", 11)
        elif step.is_left_out:
            yield from self.wrapped(f"left out: {'; '.join(step.reasons)}", 11)
        if step.source_place is not None:
            yield f"           {shown_path(str(step.source_place))}"
            yield from self.wrapped(step.source_text, 11)
        if step.task is Task.TO_V1 and step.is_planned:
            yield from self.wrapped(step.message, 11)
        if step.is_planned or step.task is not Task.FIX:
            for reason in step.reasons:
                yield from self.wrapped(f"- {reason}", 11, hanging=2)
        for spot in step.left_behind:
            yield from self.wrapped(f"not in {spot.place}: {'; '.join(spot.why_not)}", 11)

    # What people must do.

    def checklist(self, items: Sequence[Item]) -> Iterator[str]:
        yield self.paint("What people must do", _BOLD)
        for topic, group in groupby(items, key=lambda item: item.topic):
            yield ""
            yield f"  {self.paint(topic.value, _BOLD)}"
            for item in group:
                first, *others = self.wrapped(item.text, 6)
                yield f"  [ ] {first.lstrip()}"
                yield from others
                yield from self.mentions(item.mentions)

    def mentions(self, mentions: Sequence[Mention]) -> Iterator[str]:
        """The places of an item, by file; several in one file in few lines, where nothing is remarked of them."""
        by_file: dict[str, list[Mention]] = {}
        for mention in mentions:
            by_file.setdefault(mention.place.path, []).append(mention)
        for path, found in by_file.items():
            if len(found) > 1 and not any(mention.remark for mention in found):
                yield f"      {shown_path(path)}"
                shown = (f"line {mention.place.line} {mention.subject}".rstrip() for mention in found)
                yield from self.wrapped(", ".join(shown), 8)
                continue
            for mention in found:
                subject = self.paint(clean_short(mention.subject), _DIM)
                yield f"      {shown_path(str(mention.place))} {subject}".rstrip()
                yield from self.wrapped(mention.remark, 8)

    def wrapped(self, text: str, indent: int, hanging: int = 0) -> list[str]:
        return wrapped(clean_short(text), self.width, " " * indent, " " * (indent + hanging))
