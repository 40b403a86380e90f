"""What consumers say of real objects, as lines for people and as the ``crdlint-status/v1`` format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from crdlint.consumers.paused import Paused
from crdlint.consumers.timeline import Verdicts
from crdlint.report.sanitise import clean_short

FORMAT = "crdlint-status/v1"
_RED, _GREEN, _DIM, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True)
class Judged:
    """One object and what is said of it."""

    path: str
    api_version: str
    kind: str
    namespace: str | None
    name: str
    verdicts: Verdicts
    paused: Paused | None
    # Does what was asked for hold, and what is shown of it?
    holds: bool
    status: str
    message: str


def as_json(objects: Sequence[Judged]) -> str:
    entries = [
        {
            "path": judged.path,
            "apiVersion": judged.api_version,
            "kind": judged.kind,
            "namespace": judged.namespace,
            "name": judged.name,
            "verdicts": judged.verdicts.as_data(),
            "paused": None if judged.paused is None else judged.paused._asdict(),
        }
        for judged in objects
    ]
    return json.dumps({"format": FORMAT, "objects": entries}, indent=2, ensure_ascii=False) + "\n"


def as_text(objects: Sequence[Judged], color: bool = False) -> str:
    """A line for each object, and one that says for how many the answer holds."""
    if not objects:
        return "There is no object here.\n"
    names = [clean_short(_name(judged)) for judged in objects]
    wide = min(max(map(len, names)), 50)
    shown = [clean_short(judged.status) for judged in objects]
    wide_status = max(map(len, shown))
    lines = []
    for judged, name, status in zip(objects, names, shown, strict=True):
        mark, paint = ("✓", _GREEN) if judged.holds else ("✗", _RED)
        if color:
            mark = f"{paint}{mark}{_PLAIN}"
        lines.append(f"{mark} {name:<{wide}}  {status:<{wide_status}}  {clean_short(judged.message)}".rstrip())
    holding = sum(judged.holds for judged in objects)
    return "\n".join([*lines, f"{holding} of {len(objects)}", ""])


def _name(judged: Judged) -> str:
    return f"{judged.kind} {judged.namespace}/{judged.name}" if judged.namespace else f"{judged.kind} {judged.name}"
