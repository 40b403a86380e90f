"""The format for people: every finding with its code frame, then what the run comes to.

The first line of a finding tells place, severity, rule and message; at a terminal the message follows it where the line
has no room for it. With ``quiet``: the findings alone, one line each, as an editor or grep would read them; nothing at
all for a clean run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint.report.ending import counts_by_rule, ways_on
from crdlint.report.frame import FrameLine, frame
from crdlint.report.notes import BOLD, CYAN, GREEN, RED, YELLOW, Note, Notes, wrapped
from crdlint.report.sanitise import clean_short, shown_path
from crdlint.words import count
from crdlint.yamltext.source import Source

if TYPE_CHECKING:
    from crdlint.findings import Compared, Finding, Report
    from crdlint.report import Options

# Prose is hard to read when its lines are longer.
WIDEST_PROSE = 100
NARROWEST = 40

_DIM, _BLUE = "2", "34"
_SEVERITY_COLOR = {"error": RED, "warning": YELLOW, "info": CYAN}


def render(report: Report, options: Options) -> str:
    """The report for a terminal or a log."""
    paint = Paint(options.color)
    if options.quiet:
        return "".join(" ".join(_head(finding, paint)) + "\n" for finding in report.findings)
    blocks = ["".join(_fixed_line(finding, paint) + "\n" for finding in report.applied)] if report.applied else []
    blocks += _blocks(report, options, paint)
    ways = [paint(line, _DIM) for line in ways_on(report, min(_width(options), WIDEST_PROSE))]
    ending = [*counts_by_rule(report)], [*summary_lines(report, paint), *ways]
    blocks += ["".join(line + "\n" for line in lines) for lines in ending if lines]
    return "\n".join(blocks)


class Paint:
    """Puts text into colour, if colour is wanted."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def __call__(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self._enabled and text else text


def _width(options: Options) -> int:
    return max(options.width, NARROWEST)


def _blocks(report: Report, options: Options, paint: Paint) -> Iterator[str]:
    texts = {result.path: result.text for result in report.results if result.text is not None}
    notes = Notes()
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        source = Source(texts[path]) if path in texts else None
        shown = None
        for finding in findings:
            # What stands right above needs no second frame.
            framed = None if shown is not None and _spot(finding) == _spot(shown) else source
            yield "".join(line + "\n" for line in _block(finding, framed, notes, options, paint))
            shown = finding


def _spot(finding: Finding) -> tuple[object, ...]:
    """All that a frame shows."""
    place = finding.line, finding.column, finding.end_line, finding.end_column
    return *place, finding.crd, finding.version


def _block(finding: Finding, source: Source | None, notes: Notes, options: Options, paint: Paint) -> Iterator[str]:
    width = _width(options)
    gutter = len(str(finding.line + 1))
    yield from _head_lines(finding, options, paint)
    lines = frame(source, finding, width - gutter - 3) if source else []
    if lines:
        yield _place(finding, gutter, paint)
        yield from (_framed(line, finding, gutter, paint) for line in lines)
        yield paint(" " * gutter + " |", _BLUE)
    for note in notes.of(finding, min(width, WIDEST_PROSE) - gutter - 3):
        yield from _shown(note, " " * (gutter + 3), paint)


def _head_lines(finding: Finding, options: Options, paint: Paint) -> Iterator[str]:
    """The message on the line of the place; at a terminal below it, if it does not fit in."""
    place, message = _head(finding, paint)
    width = _width(options)
    if not options.at_terminal or sum(map(len, _head(finding, Paint(False)))) < width:
        yield f"{place} {message}"
        return
    yield place
    yield from wrapped(message, min(width, WIDEST_PROSE), "  ", "  ")


def _head(finding: Finding, paint: Paint) -> tuple[str, str]:
    """Where which rule is broken, and how."""
    place = f"{paint(shown_path(finding.path), BOLD)}:{finding.line}:{finding.column}:"
    severity = finding.severity.value
    rule = paint(f"{severity}[{clean_short(finding.rule)}]", BOLD, _SEVERITY_COLOR[severity])
    return f"{place} {rule}", clean_short(finding.message)


def _fixed_line(finding: Finding, paint: Paint) -> str:
    place = f"{paint(shown_path(finding.path), BOLD)}:{finding.line}:{finding.column}:"
    whose = f" ({clean_short(finding.version)})" if finding.version else ""
    done = clean_short(finding.fix.title) if finding.fix else ""
    return f"{place} {paint(f'fixed[{clean_short(finding.rule)}]', BOLD, GREEN)} {done}{whose}"


def _place(finding: Finding, gutter: int, paint: Paint) -> str:
    """The frame's upper edge, which says whose line it is."""
    whose = " ".join(clean_short(part) for part in (finding.crd, finding.version) if part)
    if not whose:
        return paint(" " * gutter + " |", _BLUE)
    return paint(" " * gutter + "-->", _BLUE) + " " + paint(whose, _DIM)


def _framed(line: FrameLine, finding: Finding, gutter: int, paint: Paint) -> str:
    number = "" if line.number is None else str(line.number)
    edge = paint(f"{number:>{gutter}} |", _BLUE)
    text = paint(line.text, BOLD, _SEVERITY_COLOR[finding.severity.value]) if line.number is None else line.text
    return f"{edge} {text}" if text else edge


def _shown(note: Note, indent: str, paint: Paint) -> Iterator[str]:
    first, *others = note.lines
    yield f"{paint(indent[:-2] + '=', _BLUE)} {paint(note.label, note.color)}{first[len(note.label) :]}"
    yield from (indent + line for line in others)


def summary_lines(report: Report, paint: Paint | None = None) -> list[str]:
    """What the run comes to: what is at stake, and the counts."""
    paint = paint or Paint(False)
    fixed = f"Fixed {count(report.fixed, 'finding')}. " if report.fixed else ""
    if not report.findings:
        none = "No new findings" if report.compared else "No findings"
        return [paint(f"{fixed}{none}: {_stake(report)}.", BOLD, GREEN), *left_out(report)]
    return [_stake(report), paint(f"{fixed}{_counts(report)}", BOLD), *left_out(report)]


def left_out(report: Report) -> list[str]:
    """What is not shown because it is not new."""
    return [_left_out(compared) for compared in report.compared]


def _left_out(compared: Compared) -> str:
    line = f"Not shown: {count(compared.old, 'finding')} that {clean_short(compared.against)} has already"
    if compared.gone:
        line += "; 1 that it has is no more" if compared.gone == 1 else f"; {compared.gone} that it has are no more"
    if compared.gone and compared.advice:
        line += f": {clean_short(compared.advice)}"
    return f"{line}."


def _stake(report: Report) -> str:
    summary = report.summary()
    crds, versions = summary["crds"], summary["versions"]
    if not summary["files"]:
        return f"no CRD in {count(summary['skipped'], 'file')}"
    if not crds:
        return f"no CRD that could be read in {count(summary['files'], 'file')}"
    if not versions:
        return count(crds, "CRD") + ", no version"
    races = sum(result.races for result in report.results)
    undecided = sum(result.undecided for result in report.results)
    stake = f"{count(crds, 'CRD')}, {count(versions, 'version')}; {_race(races)}"
    return f"{stake}, {undecided} left open by templates" if undecided else stake


def _race(races: int) -> str:
    if not races:
        return "none is taken as ready by kstatus before a controller has seen it"
    if races == 1:
        return "1 is taken as ready by kstatus before any controller has seen it"
    return f"{races} are taken as ready by kstatus before any controller has seen them"


def _counts(report: Report) -> str:
    summary = report.summary()
    found = [
        count(summary[key], noun)
        for key, noun in (("errors", "error"), ("warnings", "warning"), ("infos", "info"))
        if summary[key]
    ]
    files = len({finding.path for finding in report.findings})
    return f"Found {', '.join(found)} in {count(files, 'file')}{_fixable(report)}."


def _fixable(report: Report) -> str:
    """What a run with --fix would do; a fix that was refused already is none."""
    kinds = [finding.fix.applicability.value for finding in report.findings if finding.fix and not finding.fix.refused]
    safe, unsafe = kinds.count("safe"), kinds.count("unsafe")
    if safe and unsafe:
        return f"; {safe} fixable with `crdlint fix`, {unsafe} more with `crdlint fix --unsafe-fixes`"
    if safe:
        return f"; {safe} fixable with `crdlint fix`"
    return f"; {unsafe} fixable with `crdlint fix --unsafe-fixes`" if unsafe else ""
