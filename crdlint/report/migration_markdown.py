"""A migration in GitHub's Markdown: for the pull request that carries it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint.report.links import from_root, source_link
from crdlint.report.markdown import LARGEST, cell_text, code, crd_name, folded, legend, prose, table, version_name
from crdlint.report.readiness import COLUMNS

if TYPE_CHECKING:
    from crdlint.migrate.checklist import Item, Mention
    from crdlint.migrate.plan import CrdPlan, Step
    from crdlint.migrate.repository import Place
    from crdlint.report import Options
    from crdlint.report.migration import Migration, Prospect


def as_markdown(migration: Migration, options: Options) -> str:
    """What is planned or was done, readiness before and after, and the checklist."""
    lines: list[str] = []
    size = 0
    for block in _Page(migration, options).blocks():
        size += len(block.encode("utf-8"))
        if size > LARGEST:
            lines.append("There is more than fits here: see the whole plan in another format.\n")
            break
        lines.append(block)
    return "\n".join(lines)


class _Page:
    def __init__(self, migration: Migration, options: Options) -> None:
        self.migration = migration
        self.options = options

    def blocks(self) -> Iterator[str]:
        yield "## crdlint migrate\n"
        yield "".join(f"{prose(line)}  \n" for line in self.migration.summary())
        yield from self.steps()
        yield from self.readiness()
        yield from self.sightings()
        yield from self.checklist()

    def readiness(self) -> Iterator[str]:
        prospects = self.migration.prospects
        if prospects:
            rows = table(["CRD", "Version", *COLUMNS.values()], map(self.prospect, prospects))
            meanings = legend(row for one in prospects for row in (one.before, one.after))
            yield "### Can its status be waited on?\n"
            yield folded(rows + meanings, len(prospects))

    def prospect(self, prospect: Prospect) -> list[str]:
        before, after = prospect.before, prospect.after
        cells = []
        for column in COLUMNS:
            old, new = cell_text(before.cells[column]), cell_text(after.cells[column])
            cells.append(old if old == new else f"{old} → {new}")
        return [crd_name(before), version_name(before), *cells]

    def steps(self) -> Iterator[str]:
        planned = [(crd, step) for crd, step in self.migration.plan.steps() if step.is_planned]
        if planned:
            yield f"### What {'was done' if self.migration.is_done else 'is planned'}\n"
            head = ["CRD", "Version", "Where", "Fix"]
            yield table(head, (self.step(crd, step) for crd, step in planned))

    def step(self, crd: CrdPlan, step: Step) -> list[str]:
        places = [spot.place for spot in step.spots if spot.planned]
        source = ""
        if step.source_text and step.source_place is not None:
            source = f"<br>{prose(step.source_text)}: {self.place(step.source_place)}"
        reasons = "".join(f"<br>– {prose(reason)}" for reason in step.reasons)
        what = f"{code(step.name)}<br>{step.applicability.value}: {prose(step.title)}{source}{reasons}"
        where = "<br>".join(self.place(place) for place in places)
        return [code(crd.kind), code(step.version) if step.version else "", where, what]

    def sightings(self) -> Iterator[str]:
        rows = [
            [
                code(crd.kind),
                code(question.value),
                verdict.value,
                "<br>".join(f"{self.place(place)} {prose(what)}" for place, what in lines),
            ]
            for crd in self.migration.plan.crds
            for question, verdict, lines in crd.sightings()
            if lines
        ]
        if rows:
            yield "### What the controllers are seen to write\n"
            yield table(["Kind", "What", "Seen", "Where"], rows)

    def checklist(self) -> Iterator[str]:
        if self.migration.items:
            yield "### What people must do\n"
        for topic, items in groupby(self.migration.items, key=lambda item: item.topic):
            yield f"**{topic.value}**\n"
            yield "".join(map(self.item, items))

    def item(self, item: Item) -> str:
        return f"- [ ] {prose(item.text)}\n" + "".join(f"  - {self.mention(mention)}\n" for mention in item.mentions)

    def mention(self, mention: Mention) -> str:
        subject = f" {prose(mention.subject)}" if mention.subject else ""
        remark = f": {prose(mention.remark)}" if mention.remark else ""
        return f"{self.place(mention.place, in_table=False)}{subject}{remark}"

    def place(self, place: Place, in_table: bool = True) -> str:
        shown = code(f"{from_root(place.path, self.options)}:{place.line}", in_table)
        link = source_link(place.path, place.line, self.options)
        return f"[{shown}]({link})" if link else shown
