"""One self-contained page: what stands on it is data in JSON, which the page's own script draws.

Its content security policy admits that script and its style by their digests, and nothing from elsewhere. The page is
pure ASCII, and no text in it acts on whoever reads it: see `sanitise`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crdlint import project
from crdlint.consumers.timeline import RIGHT, Timeline
from crdlint.findings import Applicability
from crdlint.report.changes import FileChanges, changes_of, difference
from crdlint.report.frame import frame
from crdlint.report.jsonformat import dumps
from crdlint.report.lanes import lanes
from crdlint.report.links import from_root, source_link
from crdlint.report.readiness import COLUMNS, UP_TO_THE_CONTROLLER, Row, View, views, words
from crdlint.report.sanitise import clean, clean_short, shorten
from crdlint.report.text import summary_lines

if TYPE_CHECKING:
    from crdlint.findings import Finding, Fix, Report
    from crdlint.report import Options
    from crdlint.report.changes import Hunk

FRAME_WIDTH = 160
FRAME_CONTEXT = 2
LONGEST_LINE = 400
LONGEST_OBJECT = 20_000

_PAGE = Path(__file__).parent / "page"
_STYLES = ("base", "check")
_SCRIPTS = ("nodes", "readiness", "timeline", "findings", "controls")
_PLACE = re.compile(r"\{\{(\w+)\}\}")
# Within a script element, these would be read by the parser of HTML.
_MARKUP = {ord(char): f"\\u{ord(char):04x}" for char in "<>&"}

# Label, meaning, and what is true in each state.
_STATES = {
    "created": ("created", "the object as it is first read back, before any controller has seen it", "not ready"),
    "generation-observed": ("observed", "a controller has seen it, and has written no condition yet", "not ready"),
    "in-progress": ("working", "the controller is at work on it", "not ready"),
    "ready": ("ready", "the work is done", "ready"),
    "spec-changed": ("changed", "what is wanted has changed, and the controller has not seen it yet", "not ready"),
    "failed": ("failed", "the controller cannot do what is wanted", "failed"),
    "paused-from-creation": ("paused", "another object, which was paused when it was created", "paused"),
    "deleting": ("deleting", "the ready object is being deleted, and a finalizer holds it", "deleting"),
}
# Where another life begins, or a life takes another turn.
_BRANCHES = frozenset(("paused-from-creation", "deleting"))


def render(report: Report, options: Options) -> str:
    """The page."""
    style, script = styled(*_STYLES), _script()
    parts = {
        "policy": _policy(style, script),
        "generator": f"{project.NAME} {clean_short(options.tool_version())}".translate(
            {60: "&lt;", 38: "&amp;", 34: ""}
        ),
        "style": style,
        "script": script,
        "data": dumps(_Data(report, options).content()).translate(_MARKUP),
    }
    return _PLACE.sub(lambda match: parts[match[1]], _part("check.html"))


def styled(*names: str) -> str:
    """The style of a page, from its parts."""
    return "".join(_part(f"{name}.css") for name in names)


def _script() -> str:
    return '"use strict";\n(() => {\n' + "\n".join(_part(f"{name}.js") for name in _SCRIPTS) + "})();\n"


def _part(name: str) -> str:
    return (_PAGE / name).read_text("ascii")


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode('ascii')).digest()).decode('ascii')}"


class _Table:
    """Values that stand in the data once, however often they are needed."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, value: Any) -> int:
        key = json.dumps(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


class _Data:
    """What the page's script draws."""

    def __init__(self, report: Report, options: Options) -> None:
        self.report = report
        self.options = options
        self.changes = changes_of(report)
        self.lives = _Table()
        self.texts = _Table()

    def content(self) -> dict[str, Any]:
        files = list(views(self.report, self.options))
        found = [row for view in files for row in view.rows]
        places: dict[tuple[str, str | None, str | None], int] = {
            (row.path, row.crd.name, row.version.name): index for index, row in enumerate(found)
        }
        findings = self.report.findings
        races = sum(result.races for result in self.report.results)
        return {
            "stake": summary_lines(self.report)[0],
            "numbers": self.report.summary() | {"races": races},
            "hasFixes": self.options.files is not None,
            "columns": list(COLUMNS.values()),
            "words": list(words(found)),
            "states": [_state(name) for name in RIGHT],
            "rows": [self.row(row) for row in found],
            "findings": [
                self.finding(finding) | {"row": places.get((finding.path, finding.crd, finding.version))}
                for finding in findings
            ],
            "diffs": {self.path(view.path): _diff(view) for view in files if view.now != view.fixed},
            "rules": self.rules({finding.rule for finding in findings}),
            "lives": self.lives.values,
            "texts": self.texts.values,
        }

    def row(self, row: Row) -> dict[str, Any]:
        return {
            "path": self.path(row.path),
            "crd": _name(row.crd.name),
            "kind": _name(row.crd.kind),
            "version": _name(row.version.name),
            "storage": row.version.storage,
            "race": row.race,
            "cells": [[cell.mark.value, clean_short(cell.text)] for cell in row.cells.values()],
            "before": self.life(row.before),
            "after": self.life(row.after),
        }

    def life(self, timeline: Timeline | None) -> int | None:
        if timeline is None:
            return None
        return self.lives.place(
            {
                "race": timeline.race,
                "lanes": [
                    {"name": clean_short(name), "answers": _cleaned(answers)} for name, answers in lanes(timeline)
                ],
                "objects": [self.texts.place(_object(state.object)) for state in timeline.states],
            }
        )

    def finding(self, finding: Finding) -> dict[str, Any]:
        changes = self.changes.get(finding.path)
        return {
            "rule": clean_short(finding.rule),
            "severity": finding.severity.value,
            "message": clean_short(finding.message),
            "path": self.path(finding.path),
            "line": finding.line,
            "column": finding.column,
            "crd": _name(finding.crd),
            "kind": _name(finding.kind),
            "version": _name(finding.version),
            "link": source_link(finding.path, finding.line, self.options),
            "frame": [] if changes is None else _frame(changes, finding),
            "fix": None if finding.fix is None else _fix(finding.fix, changes.hunks(finding) if changes else ()),
            "markerOn": _name(finding.marker_on),
            "marker": None if finding.marker is None else "\n".join(map(clean_short, finding.marker.split("\n"))),
        }

    def path(self, path: str) -> str:
        return clean_short(from_root(path, self.options))

    def rules(self, ids: Iterable[str]) -> dict[str, str]:
        return {
            clean_short(rule.id): clean(rule.why.replace("\n", " ")) for rule in self.options.rules if rule.id in ids
        }


def _diff(view: View) -> list[dict[str, Any]]:
    before, after = (data.decode("utf-8", "replace") for data in (view.now, view.fixed))
    return [_hunk(hunk) for hunk in difference(before, after)]


def _state(name: str) -> dict[str, Any]:
    label, meaning, truth = _STATES[name]
    return {
        "name": name,
        "label": label,
        "meaning": meaning,
        "truth": truth,
        "branch": name in _BRANCHES,
        "soft": name in UP_TO_THE_CONTROLLER,
    }


def _name(text: str | None) -> str | None:
    return clean_short(text) if text else None


def _cleaned(answers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: clean_short(value) for key, value in answer.items()} for answer in answers]


def _object(resource: dict[str, Any]) -> str:
    """What tells the states of an object apart."""
    shown = {key: resource[key] for key in ("metadata", "status") if key in resource}
    text = json.dumps(shown, indent=2, ensure_ascii=False, default=str)
    return shorten("\n".join(map(clean, text.split("\n"))), LONGEST_OBJECT)


def _frame(changes: FileChanges, finding: Finding) -> list[tuple[int | None, str]]:
    return [(line.number, line.text) for line in frame(changes.source, finding, FRAME_WIDTH, FRAME_CONTEXT)]


def _fix(fix: Fix, hunks: Sequence[Hunk]) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "title": clean_short(fix.title),
        "reasons": [clean_short(reason) for reason in fix.reasons],
        "refused": None if fix.refused is None else clean_short(fix.refused),
        "hunks": [_hunk(hunk) for hunk in hunks],
        "rests": not hunks and fix.refused is None and fix.applicability is not Applicability.MANUAL,
    }


def _hunk(hunk: Hunk) -> dict[str, Any]:
    lines = [shorten(clean(shorten(line, LONGEST_LINE)), LONGEST_LINE) for line in hunk.lines]
    return {"before": hunk.before, "after": hunk.after, "lines": lines}
