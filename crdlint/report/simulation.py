"""The life of an object, as tables for people and as the ``crdlint-simulate/v1`` format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crdlint.consumers.timeline import ARGOCD, FLUX, KSTATUS, WAIT, State, Timeline
from crdlint.report.jsonformat import dumps
from crdlint.report.sanitise import clean, clean_short, shown_path

FORMAT = "crdlint-simulate/v1"
_RED, _DIM, _BOLD, _PLAIN = "\x1b[31m", "\x1b[2m", "\x1b[1m", "\x1b[0m"
_LEGEND = (
    "✗ too early: it goes on, or gives up, though the object is not ready",
    "  (Paused: not paused).",
    "✗ never: it waits though the object is.",
    "kstatus decides for Flux, Helm 4 and kpt; the wait columns are",
    "`kubectl wait --for=condition=…`.",
)
_NO_STATUS = "no status is declared: Current to kstatus at once, and nothing to wait for"


@dataclass(frozen=True)
class Life:
    """The timeline of one version, where it stands, and what fixes make of it where they were asked for."""

    path: str
    timeline: Timeline
    after: Timeline | None = None
    is_fixed: bool = False
    """Were the fixes asked for?"""
    flux_differs: bool = False
    """Does Flux judge this kind by expressions?"""


def as_json(lives: Sequence[Life]) -> str:
    """``fixed`` stands in it only where the fixes were asked for."""
    report: dict[str, Any] = {"format": FORMAT, "crds": [_entry(life.path, life.timeline) for life in lives]}
    if any(life.is_fixed for life in lives):
        report["fixed"] = [_entry(life.path, life.after or life.timeline) for life in lives]
    return dumps(report, indent=2) + "\n"


def _entry(path: str, timeline: Timeline) -> dict[str, Any]:
    version = timeline.version
    return {
        "path": path,
        "crd": version.crd.name,
        "kind": version.crd.kind,
        "version": version.name,
        "storage": version.storage,
        "race": timeline.race,
        "timeline": [
            {"state": state.name, "object": state.object, "verdicts": state.verdicts.as_data()}
            for state in timeline.states
        ],
    }


def as_text(lives: Sequence[Life], color: bool = False, width: int = 80) -> str:
    """A table for each version, with the wrong answers marked."""
    if not lives:
        return "There is no CRD here.\n"
    page = _Page(color, width)
    blocks = [block for life in lives for block in page.blocks(life)]
    return "\n".join([*blocks, "\n".join(_LEGEND) + "\n"])


@dataclass(frozen=True)
class _Column:
    title: str
    cells: tuple[tuple[str, str], ...]
    """Text and colour of each cell."""

    @property
    def width(self) -> int:
        return max(len(self.title), *(len(text) for text, _ in self.cells))


@dataclass(frozen=True)
class _Page:
    color: bool
    width: int

    def blocks(self, life: Life) -> list[str]:
        head = self.heading(life)
        version = life.timeline.version
        if version.status is None and not version.preserves_unknown_fields:
            return [f"{head}{_NO_STATUS}\n"]
        if not life.is_fixed:
            return [head + self.notes(life.timeline) + "\n" + self.table(life, life.timeline)]
        before = head + self.notes(life.timeline) + "\nbefore\n" + self.table(life, life.timeline)
        if life.after is None:
            return [before, "after: no fix of crdlint touches this version\n"]
        return [before, f"after `crdlint fix --unsafe-fixes`\n{self.table(life, life.after)}"]

    def heading(self, life: Life) -> str:
        version = life.timeline.version
        name = clean_short(f"{version.crd.name or version.crd.kind or 'a CRD without a name'} {version.name}")
        storage = " (storage)" if version.storage else ""
        return f"{self.paint(name, _BOLD)}{storage}\n{self.paint(shown_path(life.path), _DIM)}\n"

    def notes(self, timeline: Timeline) -> str:
        version = timeline.version
        lines = []
        if timeline.race:
            lines.append("race: a new object is Current to kstatus before any controller has seen it")
        if version.has_status_subresource is False and version.status is not None:
            lines.append("the status subresource is off: each write of status is a new generation")
        health = timeline.states[0].verdicts.argocd
        if health is None:
            lines.append("Argo CD has no health script for this kind: it counts as healthy at once")
        elif health.status == "Unknown":
            lines.append(clean_short(health.message))
        return "".join(f"{line}\n" for line in lines)

    def table(self, life: Life, timeline: Timeline) -> str:
        states = timeline.states
        first = _Column("state", tuple((state.name, "") for state in states))
        columns = [self.column("kstatus", states, KSTATUS)]
        if life.flux_differs:
            columns.append(self.column("Flux", states, FLUX))
        for index, condition in enumerate(states[0].verdicts.wait):
            columns.append(self.column(f"wait {condition}" if index == 0 else condition, states, WAIT, condition))
        health = states[0].verdicts.argocd
        if health is not None and health.status != "Unknown":
            columns.append(self.column("Argo CD", states, ARGOCD))
        return "\n".join(self.lines([first, *fitting]) for fitting in self.fitting(first, columns))

    def column(self, title: str, states: Sequence[State], consumer: str, condition: str = "") -> _Column:
        return _Column(clean(title), tuple(self.cell(state, consumer, condition) for state in states))

    def cell(self, state: State, consumer: str, condition: str) -> tuple[str, str]:
        wrong = state.wrong().get((consumer, condition))
        if wrong is not None:
            return f"✗ {wrong}", _RED
        verdicts = state.verdicts
        if consumer == WAIT:
            return ("met", "") if verdicts.wait[condition].met else ("waits", _DIM)
        if consumer == ARGOCD:
            return (verdicts.argocd.status if verdicts.argocd else "", "")
        return (verdicts.kstatus if consumer == KSTATUS else verdicts.flux).status, ""

    def fitting(self, first: _Column, columns: Sequence[_Column]) -> list[list[_Column]]:
        """The columns in groups that fit the width, each beside the first."""
        groups: list[list[_Column]] = [[]]
        for column in columns:
            used = first.width + sum(2 + other.width for other in groups[-1])
            if groups[-1] and used + 2 + column.width > self.width:
                groups.append([])
            groups[-1].append(column)
        return groups

    def lines(self, columns: Sequence[_Column]) -> str:
        rows = [[(column.title, _BOLD) for column in columns]]
        rows += [list(row) for row in zip(*(column.cells for column in columns), strict=True)]
        return "".join(self.row(row, [column.width for column in columns]) for row in rows)

    def row(self, cells: Sequence[tuple[str, str]], widths: Sequence[int]) -> str:
        padded = [
            self.paint(text, color) + " " * (width - len(text))
            for (text, color), width in zip(cells, widths, strict=True)
        ]
        return "  ".join(padded).rstrip() + "\n"

    def paint(self, text: str, color: str) -> str:
        return f"{color}{text}{_PLAIN}" if self.color and color and text else text
