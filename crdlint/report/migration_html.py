"""A migration as one self-contained page, to be read, ticked off and printed: no script in it, nothing from elsewhere.

Like the page of a check it is pure ASCII, and its content security policy admits its own style by its digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint import project
from crdlint.report.changes import difference
from crdlint.report.elements import breakable, code, data_cell, diff_line, escaped, mark, prose, table, tile
from crdlint.report.html import digest, styled
from crdlint.report.links import from_root, source_link
from crdlint.report.readiness import COLUMNS, Mark, words
from crdlint.words import count

if TYPE_CHECKING:
    from crdlint.migrate.checklist import Item, Mention
    from crdlint.migrate.plan import CrdPlan, FilePlan, Step
    from crdlint.migrate.repository import Place
    from crdlint.report import Options
    from crdlint.report.migration import Migration, Prospect
    from crdlint.report.readiness import Cell

_STYLES = ("base", "plan")


def as_html(migration: Migration, options: Options) -> str:
    """The page."""
    style = styled(*_STYLES)
    policy = f"default-src 'none'; style-src '{digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        "<title>crdlint: migration</title>\n"
        f'<link rel="icon" href="data:,">\n<style>{style}</style>\n</head>\n<body>\n'
    )
    body = "\n".join(_Page(migration, options).parts())
    # Whatever is not ASCII becomes a reference to its character.
    return (head + body + "\n</body>\n</html>\n").encode("ascii", "xmlcharrefreplace").decode("ascii")


@dataclass(frozen=True)
class _Part:
    """A section of the page, which its head leads to."""

    name: str
    title: str
    content: str


class _Page:
    def __init__(self, migration: Migration, options: Options) -> None:
        self.migration = migration
        self.options = options

    def parts(self) -> Iterator[str]:
        title = "Migrated" if self.migration.is_done else "Migration plan"
        lead = "<br>".join(self.lead())
        found = [part for part in self.sections() if part.content]
        links = "".join(f'<a href="#{part.name}">{part.title}</a>' for part in found)
        yield f'<header class="page-head"><div><h1>{title}</h1><p class="dim">{lead}</p></div></header>'
        yield "<main>"
        yield f'<ul class="numbers">{"".join(self.numbers())}</ul>'
        yield f'<nav class="parts">{links}</nav>'
        for part in found:
            yield f'<section id="{part.name}"><h2>{part.title}</h2>{part.content}</section>'
        yield "</main>"
        yield f'<footer class="dim"><p>{project.NAME} {escaped(self.options.tool_version())}</p></footer>'

    def lead(self) -> Iterator[str]:
        """What has been done, and who does the rest."""
        migration = self.migration
        yield from map(escaped, migration.plan.notices)
        if migration.written is not None:
            yield f"{count(len(migration.written), 'file')} changed in the working tree; nothing was committed."
        elif migration.planned:
            yield (
                "Nothing has been changed yet. <code>crdlint migrate --apply</code> makes the planned changes in the "
                "working tree, and commits nothing."
            )
        else:
            yield "Nothing is planned."
        if migration.stored is not None:
            yield from map(escaped, migration.told_of_objects(migration.stored))

    def numbers(self) -> Iterator[str]:
        migration, plan = self.migration, self.migration.plan
        taken, to_change, changed = "planned", "to change", len(plan.changed)
        if migration.written is not None:
            taken, to_change, changed = "taken", "changed", len(migration.written)
        if migration.prospects:
            early = "versions taken as ready before a controller has seen the object"
            yield tile(_arrow(*migration.races()), early, "wide")
            before = sum(one.before.wrong_answers for one in migration.prospects)
            after = sum(one.after.wrong_answers for one in migration.prospects)
            yield tile(_arrow(before, after), "wrong answers to those who wait for an object")
        files = len({copy.path for copy in plan.copies()})
        yield tile(str(len(plan.crds)), f"{_noun(len(plan.crds), 'CRD')} in {count(files, 'file')}")
        yield tile(str(migration.planned), f"{_noun(migration.planned, 'step')} {taken}")
        yield tile(str(changed), f"{_noun(changed, 'file')} {to_change}")
        left = migration.by_hand
        yield tile(str(left), f"{_noun(left, 'finding')} left to people", "warning" if left else "good")

    def sections(self) -> Iterator[_Part]:
        steps = "What was done" if self.migration.is_done else "What is planned"
        yield _Part("readiness", "Readiness, before and after", self.readiness())
        yield _Part("steps", steps, "".join(self.steps()))
        yield _Part("controllers", "What the controllers are seen to write", self.sightings())
        yield _Part("people", "What people must do", "".join(self.checklist()))
        yield _Part("changes", "Changes, file by file", "".join(map(self.diff, self.migration.plan.changed)))

    def readiness(self) -> str:
        prospects = self.migration.prospects
        if not prospects:
            return ""
        meanings = words(row for one in prospects for row in (one.before, one.after))
        legend = "".join(f'<span><span class="key {look}"></span>{meaning}</span>' for look, meaning in _LOOKS.items())
        listed = "".join(f"<dt>{word}</dt><dd>{meaning}</dd>" for word, meaning in meanings)
        shown = table(["CRD", "Version", *COLUMNS.values()], map(self.prospect, prospects))
        return (
            f'<p class="legend">{legend}</p><details class="words"><summary>What the words in the cells mean</summary>'
            f"<dl>{listed}</dl></details>{shown}"
        )

    def prospect(self, prospect: Prospect) -> str:
        before, after = prospect.before, prospect.after
        storage = '<span class="tag">storage</span>' if before.version.storage else ""
        cells = [
            f'<td class="name">{breakable(before.crd.name or "?")}</td>',
            data_cell("Version", f"{code(before.version.name or '?')}{storage}", "version-name"),
        ]
        for column, title in COLUMNS.items():
            old, new = before.cells[column], after.cells[column]
            shown = mark(old) if old == new else f"{mark(old)} \u2192 {mark(new)}"
            cells.append(data_cell(title, shown, _look(old, new)))
        return f"<tr>{''.join(cells)}</tr>"

    def steps(self) -> Iterator[str]:
        if self.migration.planned:
            yield (
                '<p class="dim">A safe step is right by what the files declare; an unsafe one only together with what '
                "is said below it.</p>"
            )
        for crd in self.migration.plan.crds:
            planned = [step for step in crd.steps if step.is_planned]
            if planned:
                yield f"<h3>{breakable(crd.kind)}</h3>{self.refusal(crd)}"
                yield from map(self.step, planned)

    def refusal(self, crd: CrdPlan) -> str:
        if crd.refusal is None:
            return ""
        return f"<p>The API server refuses this CRD until a person mends a default: {self.place(crd.refusal.place)}</p>"

    def step(self, step: Step) -> str:
        kind = step.applicability.value
        places = [self.place(spot.place) for spot in step.spots if spot.planned]
        if step.source_text and step.source_place is not None:
            places.append(f"{self.place(step.source_place)} {escaped(step.source_text)}")
        version = f"{escaped(step.version)} \u00b7 " if step.version else ""
        reasons = "".join(f"<li>{prose(reason)}</li>" for reason in step.reasons)
        return (
            f'<div class="step"><h4><span class="pill {kind}">{kind}</span>{prose(step.title)}</h4>'
            f'<p class="dim">{version}{breakable(step.name)}</p><p>{"<br>".join(places)}</p>'
            f"{f'<ul>{reasons}</ul>' if reasons else ''}</div>"
        )

    def sightings(self) -> str:
        rows = [
            self.sighting(crd.kind, question.value, verdict.value, lines)
            for crd in self.migration.plan.crds
            for question, verdict, lines in crd.sightings()
            if lines
        ]
        return table(["Kind", "What", "Seen", "Where"], rows) if rows else ""

    def sighting(self, kind: str, question: str, verdict: str, lines: list[tuple[Place, str]]) -> str:
        where = "<br>".join(f"{self.place(place)} {escaped(what)}" for place, what in lines)
        what = data_cell("What", breakable(question)) + data_cell("Seen", verdict) + data_cell("Where", where, "where")
        return f'<tr><td class="name">{breakable(kind)}</td>{what}</tr>'

    def checklist(self) -> Iterator[str]:
        for topic, items in groupby(self.migration.items, key=lambda item: item.topic):
            yield f'<h3>{topic.value}</h3><ul class="todo">{"".join(map(self.item, items))}</ul>'

    def item(self, item: Item) -> str:
        mentions = "".join(f"<li>{self.mention(mention)}</li>" for mention in item.mentions)
        inner = f"<ul>{mentions}</ul>" if mentions else ""
        return f'<li><label><input type="checkbox"><span>{prose(item.text)}</span></label>{inner}</li>'

    def mention(self, mention: Mention) -> str:
        remark = f": {escaped(mention.remark)}" if mention.remark else ""
        return f"{self.place(mention.place)} {escaped(mention.subject)}{remark}"

    def place(self, place: Place) -> str:
        shown = f'<span class="path">{breakable(from_root(place.path, self.options))}:{place.line}</span>'
        link = source_link(place.path, place.line, self.options)
        return f'<a href="{escape(link)}">{shown}</a>' if link else shown

    def diff(self, file: FilePlan) -> str:
        before, after = (data.decode("utf-8", "replace") for data in (file.before, file.after))
        lines = "".join(
            line
            for hunk in difference(before, after)
            for line in (f'<span class="hunk">@@ line {hunk.before} @@</span>', *map(diff_line, hunk.lines))
        )
        path = breakable(from_root(file.path, self.options))
        return f'<details><summary class="path">{path}</summary><pre class="diff">{lines}</pre></details>'


# What became of a cell, and how that looks.
_LOOKS = {"better": "became right", "changed": "changed, and not right yet", "worse": "became wrong"}


def _look(old: Cell, new: Cell) -> str:
    if old == new:
        return ""
    if new.mark is Mark.GOOD:
        return "better"
    return "worse" if old.mark is Mark.GOOD else "changed"


def _arrow(before: int, after: int) -> str:
    return f"{before} \u2192 {after}"


def _noun(number: int, noun: str) -> str:
    return count(number, noun).removeprefix(f"{number} ")
