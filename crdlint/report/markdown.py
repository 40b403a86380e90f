"""A summary in GitHub's Markdown: for a job's summary, or a comment.

Whatever comes from a file is escaped: it makes no table cell, no HTML, no link, and calls on nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint import project
from crdlint.report.links import from_root, source_link
from crdlint.report.sanitise import clean_short
from crdlint.report.text import summary_lines

if TYPE_CHECKING:
    from crdlint.findings import Finding, Report
    from crdlint.report import Options
    from crdlint.report.readiness import Cell, Row

# GitHub drops a job's summary of more than 1 MiB.
LARGEST = 900_000

_SEVERITY = {"error": "❌ error", "warning": "⚠️ warning", "info": "ℹ️ info"}
_MARK = {"good": "✅", "bad": "❌", "warning": "⚠️", "none": "➖", "unknown": "❔"}
# What means something within a line of GitHub's Markdown, and only where it does: the text is also read as it stands. A
# colon makes an address, or a picture, of a word that follows it; an exclamation mark makes a picture of a link.
_MARKUP = re.compile(
    r"[\\`*~|$\[]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|<(?=[A-Za-z/!?])|&(?=[A-Za-z#])|:(?=\S)|!$|^[#>]|(?<=www)\.",
    re.IGNORECASE,
)
# Readers differ on whether a backslash before a bar holds in a table.
_ENTITY = {"<": "&lt;", "&": "&amp;", "|": "&vert;"}
# What would call on a person, or name an issue, wherever it stands in the text.
_REFERENCE = re.compile(r"@(?=\w)|#(?=\d)")
# More rows than these are folded; of more than those, only the ones with findings are shown.
LONG = 12
MANY = 30


def render(report: Report, options: Options) -> str:
    """The counts, a row for each version, and the findings file by file."""
    lines: list[str] = []
    size = 0
    for block in _blocks(report, options):
        size += len(block.encode("utf-8"))
        if size > LARGEST:
            lines.append("There is more than fits here: see the whole report in another format.\n")
            break
        lines.append(block)
    return "\n".join(lines)


def _blocks(report: Report, options: Options) -> Iterator[str]:
    """The parts of the page, each ending in a newline; tables in parts that may be left out at their end."""
    yield f"## {project.NAME}\n"
    yield "".join(f"{prose(line)}  \n" for line in summary_lines(report))
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        yield _file(path, list(findings), options)
    yield from _readiness(report, options)


def _readiness(report: Report, options: Options) -> Iterator[str]:
    if options.files is None:
        return
    from crdlint.report.readiness import views

    found = [row for view in views(report, options, with_fixes=False) for row in view.rows]
    rows = found
    if report.compared or len(found) > MANY:
        concerned = {(finding.path, finding.crd) for finding in report.findings}
        rows = [row for row in found if (row.path, row.crd.name) in concerned]
    if rows:
        left_out = len(found) - len(rows)
        yield "### Can its status be waited on?\n"
        if left_out:
            yield f"Not shown: {left_out} of {len(found)} versions, whose CRDs have no finding here.\n"
        yield folded(_table_of_rows(rows, options), len(rows))


def _table_of_rows(rows: list[Row], options: Options) -> str:
    from crdlint.report.readiness import COLUMNS

    paths: dict[str | None, set[str]] = {}
    for row in rows:
        paths.setdefault(row.crd.name, set()).add(row.path)
    has_copies = any(len(found) > 1 for found in paths.values())
    head = ["CRD", *(["File"] if has_copies else []), "Version", *COLUMNS.values()]
    return table(head, (_row(row, options, has_copies) for row in rows)) + legend(rows)


def _row(row: Row, options: Options, with_path: bool) -> list[str]:
    path = [code(from_root(row.path, options))] if with_path else []
    return [crd_name(row), *path, version_name(row), *map(cell_text, row.cells.values())]


def crd_name(row: Row) -> str:
    return code(row.crd.name or row.crd.kind or "?")


def version_name(row: Row) -> str:
    return code(row.version.name or "?") + (" (storage)" if row.version.storage else "")


def legend(rows: Iterable[Row]) -> str:
    """What the words of a table of readiness mean, to stand below it."""
    from crdlint.report.readiness import words

    meanings = "; ".join(f"*{word}*: {meaning}" for word, meaning in words(rows))
    return f"\n{meanings}.\n" if meanings else ""


def folded(content: str, number: int) -> str:
    """A table with its legend, folded away if it is long."""
    if number <= LONG:
        return content
    return f"<details><summary>{number} versions</summary>\n\n{content}\n</details>\n"


def cell_text(cell: Cell) -> str:
    return f"{_MARK[cell.mark.value]} {prose(cell.text)}".rstrip()


def _file(path: str, findings: list[Finding], options: Options) -> str:
    title = code(from_root(path, options), in_table=False)
    link = source_link(path, 1, options)
    shown = f"[{title}]({link.partition('#')[0]})" if link else title
    rows = (_finding(finding, options) for finding in findings)
    return f"### {shown}\n\n" + table(["Line", "Severity", "Rule", "Finding", "Fix"], rows)


def _finding(finding: Finding, options: Options) -> list[str]:
    link = source_link(finding.path, finding.line, options)
    line = f"[{finding.line}]({link})" if link else str(finding.line)
    whose = " ".join(code(part) for part in (finding.crd, finding.version) if part)
    message = prose(finding.message) + (f"<br>{whose}" if whose else "")
    return [line, _SEVERITY[finding.severity.value], code(finding.rule), message, _fix(finding)]


def _fix(finding: Finding) -> str:
    if finding.fix is None:
        return ""
    refused = f"<br>not applied: {prose(finding.fix.refused)}" if finding.fix.refused else ""
    return f"{finding.fix.applicability.value}: {prose(finding.fix.title)}{refused}"


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def prose(text: str) -> str:
    """Text that means what it says; what stands between backticks is code."""
    parts = clean_short(text).split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    return "".join(code(part) if index % 2 and part else _escaped(part) for index, part in enumerate(parts))


def _escaped(text: str) -> str:
    escaped = _MARKUP.sub(lambda match: _ENTITY.get(match.group(), "\\" + match.group()), text)
    # A comment in between: no reader takes the two for one word.
    return _REFERENCE.sub(lambda match: match.group() + "<!-- -->", escaped)


def code(text: str, in_table: bool = True) -> str:
    """Text as code, whatever backticks there are in it."""
    shown = clean_short(text) or " "
    if in_table and "|" in shown:
        return f"<code>{_escaped(shown)}</code>"
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
