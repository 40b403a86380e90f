"""A migration as one self-contained page, to be read, ticked off and printed: no script in it, nothing from elsewhere.

Like the page of a check it is pure ASCII, and its content security policy admits its own style by its digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from crdlint import project
from crdlint.report.changes import difference
from crdlint.report.html import LONGEST_LINE, digest
from crdlint.report.links import from_root, source_link
from crdlint.report.readiness import COLUMNS
from crdlint.report.sanitise import clean, clean_short, shorten

if TYPE_CHECKING:
    from crdlint.migrate.checklist import Item, Mention
    from crdlint.migrate.plan import CrdPlan, FilePlan, Step
    from crdlint.migrate.repository import Place
    from crdlint.report import Options
    from crdlint.report.migration import Migration, Prospect
    from crdlint.report.readiness import Cell

_STYLE = Path(__file__).parent / "page" / "page.css"
_OWN_STYLE = """
.todo { list-style: none; padding: 0; }
.todo > li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-top: 0.4rem;
  padding: 0.5rem 0.8rem; }
.todo ul { margin: 0.3rem 0 0; padding-left: 1.7rem; font-size: 0.87rem; }
.todo input { margin-right: 0.6rem; }
.matrix td.change { background: var(--good-soft); }
.steps td { padding: 0.35rem 0.5rem; vertical-align: top; border-top: 1px solid var(--line); font-size: 0.92rem; }
.steps td:first-child { white-space: nowrap; }
pre.diff { overflow-x: auto; background: var(--sunk); padding: 0.6rem; border-radius: 8px; }
"""
_MARKS = {"good": "\u2713", "bad": "\u2717", "warning": "!", "none": "\u2013", "unknown": "?"}


def as_html(migration: Migration, options: Options) -> str:
    """The page."""
    style = _STYLE.read_text("ascii") + _OWN_STYLE
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


class _Page:
    def __init__(self, migration: Migration, options: Options) -> None:
        self.migration = migration
        self.options = options

    def parts(self) -> Iterator[str]:
        done = "Migrated" if self.migration.is_done else "Migration plan"
        lines = "<br>".join(map(_text, self.migration.summary()))
        yield f'<header class="page-head"><div><h1>{done}</h1><p class="dim">{lines}</p></div></header>'
        yield "<main>"
        if self.migration.prospects:
            yield self.section("Readiness, before and after", self.matrix())
        yield from self.steps()
        yield from self.sightings()
        if self.migration.items:
            yield self.section("What people must do", "".join(self.checklist()))
        yield from self.diffs()
        yield "</main>"
        yield f'<footer class="dim"><p>{project.NAME} {_text(self.options.tool_version())}</p></footer>'

    def section(self, title: str, content: str) -> str:
        return f"<section><h2>{title}</h2>{content}</section>"

    def matrix(self) -> str:
        head = _row("th", ["CRD", "Version", *COLUMNS.values()])
        rows = "".join(map(self.prospect, self.migration.prospects))
        return f'<div class="scroll"><table class="matrix"><thead>{head}</thead><tbody>{rows}</tbody></table></div>'

    def prospect(self, prospect: Prospect) -> str:
        before, after = prospect.before, prospect.after
        storage = '<span class="tag">storage</span>' if before.version.storage else ""
        cells = [f"<td>{_code(before.crd.name or '?')}</td><td>{_code(before.version.name or '?')}{storage}</td>"]
        for column in COLUMNS:
            old, new = before.cells[column], after.cells[column]
            if old == new:
                cells.append(f"<td>{_mark(old)}</td>")
            else:
                cells.append(f'<td class="change">{_mark(old)} \u2192 {_mark(new)}</td>')
        return f"<tr>{''.join(cells)}</tr>"

    def steps(self) -> Iterator[str]:
        planned = [(crd, step) for crd, step in self.migration.plan.steps() if step.is_planned]
        if planned:
            title = "What was done" if self.migration.is_done else "What is planned"
            rows = "".join(self.step(crd, step) for crd, step in planned)
            yield self.section(title, f'<div class="scroll"><table class="steps"><tbody>{rows}</tbody></table></div>')

    def step(self, crd: CrdPlan, step: Step) -> str:
        kind = step.applicability.value
        places = [self.place(spot.place) for spot in step.spots if spot.planned]
        if step.source_text and step.source_place is not None:
            places.append(f"{self.place(step.source_place)} {_text(step.source_text)}")
        what = f"<strong>{_prose(step.title)}</strong> {_code(step.rule or step.task.value)}"
        reasons = "".join(f"<li>{_prose(reason)}</li>" for reason in step.reasons)
        return (
            f"<tr><td>{_code(crd.kind)} {_text(step.version or '')}</td>"
            f'<td><span class="pill {kind}">{kind}</span></td>'
            f"<td>{what}{f'<ul>{reasons}</ul>' if reasons else ''}</td><td>{'<br>'.join(places)}</td></tr>"
        )

    def sightings(self) -> Iterator[str]:
        rows = "".join(
            f"<tr><td>{_code(crd.kind)}</td><td>{_code(question.value)}</td><td>{verdict.value}</td>"
            f"<td>{'<br>'.join(f'{self.place(place)} {_text(what)}' for place, what in lines)}</td></tr>"
            for crd in self.migration.plan.crds
            for question, verdict, lines in crd.sightings()
            if lines
        )
        if rows:
            table = f'<div class="scroll"><table class="steps"><tbody>{rows}</tbody></table></div>'
            yield self.section("What the controllers are seen to write", table)

    def checklist(self) -> Iterator[str]:
        for topic, items in groupby(self.migration.items, key=lambda item: item.topic):
            yield f'<h3>{topic.value}</h3><ul class="todo">{"".join(map(self.item, items))}</ul>'

    def item(self, item: Item) -> str:
        mentions = "".join(f"<li>{self.mention(mention)}</li>" for mention in item.mentions)
        inner = f"<ul>{mentions}</ul>" if mentions else ""
        return f'<li><label><input type="checkbox">{_prose(item.text)}</label>{inner}</li>'

    def mention(self, mention: Mention) -> str:
        remark = f": {_text(mention.remark)}" if mention.remark else ""
        return f"{self.place(mention.place)} {_text(mention.subject)}{remark}"

    def place(self, place: Place) -> str:
        shown = f'<span class="path">{_text(from_root(place.path, self.options))}:{place.line}</span>'
        link = source_link(place.path, place.line, self.options)
        return f'<a href="{escape(link)}">{shown}</a>' if link else shown

    def diffs(self) -> Iterator[str]:
        changed = self.migration.plan.changed
        if changed:
            yield self.section("Changes", "".join(map(self.diff, changed)))

    def diff(self, file: FilePlan) -> str:
        before, after = (data.decode("utf-8", "replace") for data in (file.before, file.after))
        lines = "\n".join(
            line
            for hunk in difference(before, after)
            for line in (f"@@ -{hunk.before} +{hunk.after} @@", *(shorten(line, LONGEST_LINE) for line in hunk.lines))
        )
        path = _text(from_root(file.path, self.options))
        shown = escape("\n".join(map(clean, lines.split("\n"))))
        return f'<details><summary class="path">{path}</summary><pre class="diff">{shown}</pre></details>'


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{_text(cell)}</{tag}>" for cell in cells) + "</tr>"


def _mark(cell: Cell) -> str:
    return f'<span class="mark {cell.mark.value}"><b>{_MARKS[cell.mark.value]}</b> {_text(cell.text)}</span>'


def _text(text: str) -> str:
    return escape(clean_short(text))


def _prose(text: str) -> str:
    """Text in which what stands between backticks is code."""
    parts = clean_short(text).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    return "".join(f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(parts))


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"
