"""The writes that an object may meet, and what each of them changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from crdlint.stored.paths import Path
from crdlint.stored.verdict import Write

# Stands for a field or an item that a write adds, changes or takes away, beside those that are stored.
ANOTHER = "*"
STATUS_WRITES = frozenset((Write.STATUS, Write.CONDITION_ADDED, Write.CONDITION_CHANGED))
_CONDITIONS: Path = ("status", "conditions")


def changes(value: Mapping[str, Any]) -> dict[Write, tuple[Path, ...]]:
    """The writes that make sense for an object, each with the paths at which it changes something."""
    found: dict[Write, tuple[Path, ...]] = {
        Write.CREATE: (),
        Write.UNCHANGED: (),
        Write.METADATA: (("metadata", ANOTHER),),
    }
    if "spec" in value:
        found[Write.SPEC] = (("spec", ANOTHER),)
    status = value.get("status")
    if status is None:
        return found
    found[Write.STATUS] = (("status", ANOTHER),)
    conditions = status.get("conditions") if isinstance(status, Mapping) else None
    if isinstance(conditions, list) and conditions:
        found[Write.CONDITION_ADDED] = ((*_CONDITIONS, ANOTHER),)
        found[Write.CONDITION_CHANGED] = tuple((*_CONDITIONS, index, ANOTHER) for index in range(len(conditions)))
    return found


def nodes_around(paths: Iterable[Path]) -> Set[Path]:
    """The nodes that are other than before when something below them, at each of the paths, is."""
    return {path[:length] for path in paths for length in range(len(path))}
