"""What consumers say of real objects, as lines for people and as the ``crdlint-status/v1`` format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crdlint.consumers.paused import Paused
from crdlint.consumers.timeline import Verdicts
from crdlint.report.jsonformat import dumps
from crdlint.report.sanitise import clean_short

FORMAT = "crdlint-status/v1"
LONGEST_NAME = 50
_RED, _GREEN, _DIM, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[2m", "\x1b[0m"


class Wording(NamedTuple):
    """What was asked of the objects: how those are called for which it holds, and those of which it is not wording."""

    holding: str
    aside: str


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
    # Is it asked of this object at all?
    counts: bool = True


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
    return dumps({"format": FORMAT, "objects": entries}, indent=2) + "\n"


def as_text(objects: Sequence[Judged], wording: Wording, color: bool = False) -> str:
    """A line for each object, those first for which it does not hold, and one that says for how many it does."""
    if not objects:
        return "There is no object here.\n"
    columns = min(max(map(len, map(_name, objects))), LONGEST_NAME), max(map(len, map(_status, objects)))
    ordered = sorted(objects, key=lambda judged: judged.holds)
    lines = [line for judged in ordered for line in _lines(judged, columns, color)]
    return "\n".join([*lines, _total(objects, wording), ""])


def _lines(judged: Judged, columns: tuple[int, int], color: bool) -> Iterator[str]:
    start = f"{_mark(judged, color)} {_name(judged):<{columns[0]}}"
    if len(_name(judged)) > columns[0]:
        # A line of its own, so that the columns stay where they are.
        yield start
        start = " " * (2 + columns[0])
    yield f"{start}  {_status(judged):<{columns[1]}}  {clean_short(judged.message)}".rstrip()


def _mark(judged: Judged, color: bool) -> str:
    mark, paint = ("✓", _GREEN) if judged.holds else ("✗", _RED)
    if not judged.counts:
        mark, paint = "-", _DIM
    return f"{paint}{mark}{_PLAIN}" if color else mark


def _total(objects: Sequence[Judged], wording: Wording) -> str:
    counted = [judged for judged in objects if judged.counts]
    noun = "object" if len(counted) == 1 else "objects"
    total = f"{sum(judged.holds for judged in counted)} of {len(counted)} {noun} {wording.holding}"
    aside = len(objects) - len(counted)
    return f"{total}; left aside: {aside} {wording.aside}" if aside else total


def _status(judged: Judged) -> str:
    return clean_short(judged.status)


def _name(judged: Judged) -> str:
    name = f"{judged.namespace}/{judged.name}" if judged.namespace else judged.name
    return clean_short(f"{judged.kind} {name}")
