"""The ``crdlint-migrate/v1`` format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crdlint import project
from crdlint.migrate.held import BROKEN, CONVERTED, SAVED, UNDECIDED
from crdlint.report.jsonformat import dumps, finding_data

if TYPE_CHECKING:
    from crdlint.migrate.checklist import Item
    from crdlint.migrate.held import Stored, TakenOut
    from crdlint.migrate.plan import CrdPlan, Step
    from crdlint.migrate.repository import Place
    from crdlint.report.migration import Migration, Prospect
    from crdlint.report.readiness import Row

FORMAT = "crdlint-migrate/v1"


def as_json(migration: Migration) -> str:
    before, after = migration.races()
    report = {
        "format": FORMAT,
        "tool": {"name": project.NAME, "version": project.version()},
        "applied": migration.is_done,
        "summary": {
            "files": len({copy.path for copy in migration.plan.copies()}),
            "crds": len(migration.plan.crds),
            "planned": migration.planned,
            "byHand": migration.by_hand,
            "racesBefore": before,
            "racesAfter": after,
        },
        "notices": list(migration.plan.notices),
        "changed": [file.path for file in migration.plan.changed] if not migration.is_done else migration.written,
        "crds": [_crd(crd, migration) for crd in migration.plan.crds],
        "checklist": [_item(item) for item in migration.items],
        "readiness": [_prospect(prospect) for prospect in migration.prospects],
        "objects": None if migration.stored is None else _stored(migration.stored),
        "remaining": [finding_data(finding) for finding in migration.remaining],
    }
    return dumps(report, indent=2) + "\n"


def _crd(crd: CrdPlan, migration: Migration) -> dict[str, Any]:
    return {
        "crd": crd.name,
        "kind": crd.kind,
        **_place(crd.leading.place()),
        "copies": [
            {
                **_place(state.place),
                "differences": [
                    {"what": one.what, "leading": _place(one.leading), "copy": _place(one.copy)}
                    for one in state.differences
                ],
            }
            for state in crd.copies
        ],
        "patches": [_place(patch.place()) for patch in crd.patches],
        "capi": [
            {"version": stage.version, "stage": stage.number.value, "now": stage.now, "next": stage.next}
            for stage in crd.stages
        ],
        "evidence": [
            {
                "question": question.value,
                "verdict": verdict.value,
                "lines": [{**_place(place), "what": what} for place, what in lines],
            }
            for question, verdict, lines in crd.sightings()
        ],
        "refused": None if crd.refusal is None else crd.refusal.message,
        "steps": [_step(step, migration.because_of(step)) for step in crd.steps],
    }


def _step(step: Step, taken_out: TakenOut | None) -> dict[str, Any]:
    return {
        "task": step.task.value,
        "rule": step.rule,
        "severity": step.severity.value,
        "version": step.version,
        "message": step.message,
        "cure": step.cure.value,
        "applicability": step.applicability.value,
        "title": step.title,
        "reasons": list(step.reasons),
        "marker": step.marker,
        "pointer": step.pointer,
        "places": _spots(step),
        "source": _source(step),
        "also": [
            {
                "rule": other.rule,
                "severity": other.severity.value,
                "message": other.message,
                "pointer": other.pointer,
                "places": _spots(other),
            }
            for other in step.also
        ],
        "takenOut": None if taken_out is None else _taken_out(taken_out),
    }


def _spots(step: Step) -> list[dict[str, Any]]:
    return [{**_place(spot.place), "planned": spot.planned, "whyNot": list(spot.why_not)} for spot in step.spots]


def _taken_out(taken_out: TakenOut) -> dict[str, Any]:
    """The objects for which a step was taken out, those that are kept."""
    return {
        "isAll": not taken_out.are_more,
        "objects": [{**_place(one.place), "object": str(one.stored), "why": one.told()} for one in taken_out.broken],
    }


def _source(step: Step) -> dict[str, Any] | None:
    """The same change in the Go types, or why only a person can make it there."""
    if step.source_place is None:
        return None
    by_hand = step.by_hand
    said = step.source_text if by_hand is None else by_hand.change
    return {**_place(step.source_place), "change": said, "byHand": None if by_hand is None else by_hand.reason}


def _stored(stored: Stored) -> dict[str, Any]:
    return {
        "kubernetes": ".".join(map(str, stored.kubernetes)),
        "checked": stored.checked,
        "passedOver": stored.strangers,
        **{what: stored.count(what) for what in (BROKEN, SAVED, UNDECIDED, CONVERTED)},
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "topic": item.topic.value,
        "text": item.text,
        "places": [
            {**_place(mention.place), "subject": mention.subject, "remark": mention.remark or None}
            for mention in item.mentions
        ],
    }


def _prospect(prospect: Prospect) -> dict[str, Any]:
    row = prospect.before
    return {
        "path": row.path,
        "crd": row.crd.name,
        "kind": row.crd.kind,
        "version": row.version.name,
        "storage": row.version.storage,
        "before": _cells(prospect.before),
        "after": _cells(prospect.after),
    }


def _cells(row: Row) -> dict[str, Any]:
    cells = {name: {"mark": cell.mark.value, "text": cell.text} for name, cell in row.cells.items()}
    return {"race": row.race, "cells": cells}


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "line": place.line}
