"""The format for people: every finding with its code frame, then what the run comes to.

With ``quiet``: the findings alone, one line each, as an editor or grep would read them; nothing at all for a clean run.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from crdlint.report.frame import FrameLine, frame
from crdlint.report.sanitise import clean, clean_short, shorten
from crdlint.yamltext.source import Source

if TYPE_CHECKING:
    from crdlint.findings import Compared, Finding, Fix, Report
    from crdlint.report import Options

LONGEST_PATH = 1_000
# Prose is hard to read when its lines are longer.
WIDEST_PROSE = 100
NARROWEST = 40

_BOLD, _DIM, _RED, _YELLOW, _BLUE, _CYAN, _GREEN = "1", "2", "31", "33", "34", "36", "32"
_SEVERITY_COLOR = {"error": _RED, "warning": _YELLOW, "info": _CYAN}
_FIX_COLOR = {"safe": _GREEN, "unsafe": _YELLOW, "manual": _CYAN}


def render(report: Report, options: Options) -> str:
    """The report for a terminal or a log."""
    paint = Paint(options.color)
    if options.quiet:
        return "".join(_headline(finding, paint) + "\n" for finding in report.findings)
    blocks = ["".join(_fixed_line(finding, paint) + "\n" for finding in report.applied)] if report.applied else []
    blocks += _blocks(report, options, paint)
    blocks.append("".join(line + "\n" for line in summary_lines(report, paint)))
    return "\n".join(blocks)


class Paint:
    """Puts text into colour, if colour is wanted."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled

    def __call__(self, text: str, *codes: str) -> str:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self._enabled and text else text


def _blocks(report: Report, options: Options, paint: Paint) -> Iterator[str]:
    texts = {result.path: result.text for result in report.results if result.text is not None}
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        source = Source(texts[path]) if path in texts else None
        for finding in findings:
            yield "".join(line + "\n" for line in _block(finding, source, options, paint))


def _block(finding: Finding, source: Source | None, options: Options, paint: Paint) -> Iterator[str]:
    width = max(options.width, NARROWEST)
    gutter = len(str(finding.line + 1))
    yield _headline(finding, paint)
    lines = frame(source, finding, width - gutter - 3) if source else []
    if lines:
        yield _place(finding, gutter, paint)
        yield from (_framed(line, finding, gutter, paint) for line in lines)
        yield paint(" " * gutter + " |", _BLUE)
    for label, text, code in _notes(finding):
        yield from _note(label, text, code, gutter, min(width, WIDEST_PROSE), paint)


def _headline(finding: Finding, paint: Paint) -> str:
    place = f"{paint(shown_path(finding.path), _BOLD)}:{finding.line}:{finding.column}:"
    severity = finding.severity.value
    rule = paint(f"{severity}[{clean_short(finding.rule)}]", _BOLD, _SEVERITY_COLOR[severity])
    return f"{place} {rule} {clean_short(finding.message)}"


def _fixed_line(finding: Finding, paint: Paint) -> str:
    place = f"{paint(shown_path(finding.path), _BOLD)}:{finding.line}:{finding.column}:"
    whose = f" ({clean_short(finding.version)})" if finding.version else ""
    done = clean_short(finding.fix.title) if finding.fix else ""
    return f"{place} {paint(f'fixed[{clean_short(finding.rule)}]', _BOLD, _GREEN)} {done}{whose}"


def shown_path(path: str) -> str:
    """A path that is harmless at the start of a line, where CI runners look for ``::command::``."""
    shown = shorten(clean(path), LONGEST_PATH)
    return "./" + shown if shown.lstrip().startswith("::") else shown


def _place(finding: Finding, gutter: int, paint: Paint) -> str:
    """The frame's upper edge, which says whose line it is."""
    whose = " ".join(clean_short(part) for part in (finding.crd, finding.version) if part)
    if not whose:
        return paint(" " * gutter + " |", _BLUE)
    return paint(" " * gutter + "-->", _BLUE) + " " + paint(whose, _DIM)


def _framed(line: FrameLine, finding: Finding, gutter: int, paint: Paint) -> str:
    number = "" if line.number is None else str(line.number)
    edge = paint(f"{number:>{gutter}} |", _BLUE)
    text = paint(line.text, _BOLD, _SEVERITY_COLOR[finding.severity.value]) if line.number is None else line.text
    return f"{edge} {text}" if text else edge


def _notes(finding: Finding) -> Iterator[tuple[str, str, str]]:
    """Label, text and colour of what stands below the frame."""
    if finding.fix is not None:
        yield from _fix_notes(finding.fix)
    for marker in (finding.marker or "").split("\n"):
        if marker.strip():
            yield "marker:", marker if marker.startswith("//") else f"// {marker}", _BOLD


def _fix_notes(fix: Fix) -> Iterator[tuple[str, str, str]]:
    kind = fix.applicability.value
    yield f"fix ({kind}):", fix.title, _FIX_COLOR[kind]
    if fix.refused is not None:
        yield "not applied:", fix.refused, _RED
    for reason in fix.reasons:
        yield "because", reason, _BOLD


def _note(label: str, text: str, code: str, gutter: int, width: int, paint: Paint) -> Iterator[str]:
    indent = " " * (gutter + 3)
    first, *others = _wrapped(f"{label} {clean_short(text)}", width - len(indent))
    yield f"{paint(indent[:-2] + '=', _BLUE)} {paint(label, code)}{first[len(label) :]}"
    yield from (indent + line for line in others)


@lru_cache(maxsize=1024)
def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a note. Findings have much the same notes, and wrapping is most of what showing them takes."""
    return textwrap.wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def summary_lines(report: Report, paint: Paint | None = None) -> list[str]:
    """What the run comes to: what is at stake, and the counts."""
    paint = paint or Paint(False)
    fixed = f"Fixed {_count(report.fixed, 'finding')}. " if report.fixed else ""
    if not report.findings:
        none = "No new findings" if report.compared else "No findings"
        return [paint(f"{fixed}{none}: {_stake(report)}.", _BOLD, _GREEN), *left_out(report)]
    return [_stake(report), paint(f"{fixed}{_counts(report)}", _BOLD), *left_out(report)]


def left_out(report: Report) -> list[str]:
    """What is not shown because it is not new."""
    return [_left_out(compared) for compared in report.compared]


def _left_out(compared: Compared) -> str:
    line = f"Not shown: {_count(compared.old, 'finding')} that {clean_short(compared.against)} has already"
    if compared.gone:
        line += "; 1 that it has is no more" if compared.gone == 1 else f"; {compared.gone} that it has are no more"
    if compared.gone and compared.advice:
        line += f": {clean_short(compared.advice)}"
    return f"{line}."


def _stake(report: Report) -> str:
    summary = report.summary()
    crds, versions = summary["crds"], summary["versions"]
    if not summary["files"]:
        return f"no CRD in {_count(summary['skipped'], 'file')}"
    if not crds:
        return f"no CRD that could be read in {_count(summary['files'], 'file')}"
    if not versions:
        return _count(crds, "CRD") + ", no version"
    races = sum(result.races for result in report.results)
    undecided = sum(result.undecided for result in report.results)
    stake = f"{_count(crds, 'CRD')}, {_count(versions, 'version')}; {_race(races)}"
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
        _count(summary[key], noun)
        for key, noun in (("errors", "error"), ("warnings", "warning"), ("infos", "info"))
        if summary[key]
    ]
    files = len({finding.path for finding in report.findings})
    return f"Found {', '.join(found)} in {_count(files, 'file')}{_fixable(report)}."


def _fixable(report: Report) -> str:
    """What a run with --fix would do; a fix that was refused already is none."""
    kinds = [finding.fix.applicability.value for finding in report.findings if finding.fix and not finding.fix.refused]
    safe, unsafe = kinds.count("safe"), kinds.count("unsafe")
    if safe and unsafe:
        return f"; {safe} fixable with `crdlint fix`, {unsafe} more with `crdlint fix --unsafe-fixes`"
    if safe:
        return f"; {safe} fixable with `crdlint fix`"
    return f"; {unsafe} fixable with `crdlint fix --unsafe-fixes`" if unsafe else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
