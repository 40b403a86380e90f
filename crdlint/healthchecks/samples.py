"""What conditions mean by the objects that have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crdlint.crd.model import mapping
from crdlint.healthchecks.meanings import WELL_KNOWN, Meaning

_AGAINST = (Meaning.NEGATIVE, Meaning.PROGRESSING)


def meaning_by(samples: Sequence[dict[str, Any]], name: str) -> Meaning | None:
    """What a type means by those of the objects that are ready, as well-known conditions say.

    One that is True in all of them is positive. One that is False in all of them is there while something is the
    matter; whether that is a failure cannot be seen, so that it is taken as work that goes on. Without such an object,
    or where they differ, nothing is known.
    """
    statuses = {statuses[name] for statuses in map(_statuses, samples) if name in statuses and _is_ready(statuses)}
    if statuses == {"True"}:
        return Meaning.POSITIVE
    return Meaning.PROGRESSING if statuses == {"False"} else None


def _is_ready(statuses: dict[str, str]) -> bool:
    known = [(WELL_KNOWN[name].meaning, status) for name, status in statuses.items() if name in WELL_KNOWN]
    good = [status == "True" for meaning, status in known if meaning is Meaning.POSITIVE]
    return bool(good) and all(good) and not any(meaning in _AGAINST and status == "True" for meaning, status in known)


def _statuses(resource: dict[str, Any]) -> dict[str, str]:
    conditions = mapping(resource.get("status")).get("conditions")
    found = {}
    for condition in map(mapping, conditions if isinstance(conditions, list) else []):
        name, status = condition.get("type"), condition.get("status")
        if isinstance(name, str) and isinstance(status, str):
            found[name] = status
    return found
