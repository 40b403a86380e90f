"""Which writes of an object meet a problem in it, and in which the API server tolerates it.

After the strategies of apiextensions-apiserver (``pkg/registry/customresource/strategy.go``, ``status_strategy.go``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from crdlint.stored.correlation import Correlation
from crdlint.stored.paths import Path, path_text
from crdlint.stored.verdict import Refusal, Undecided, Write
from crdlint.stored.view import View
from crdlint.stored.writes import STATUS_WRITES, changes, nodes_around

RATCHETING_SINCE = (1, 30)


class Kind(Enum):
    """What part of the server finds a problem: each looks at other writes."""

    SCHEMA = auto()
    RULE = auto()
    LIST_TYPE = auto()
    EMBEDDED = auto()
    SCALE_SPEC = auto()
    SCALE_STATUS = auto()
    CREATION = auto()


_NEVER_TOLERATED = {
    # A rule that is false of something unchanged would be tolerated, but one that fails to evaluate is not.
    Kind.RULE: "CEL rules are evaluated in every write",
    Kind.EMBEDDED: "the metadata of embedded resources is checked in every write of the main endpoint",
    Kind.SCALE_SPEC: "what the scale subresource reads is checked in every write of the main endpoint",
    Kind.SCALE_STATUS: "what the scale subresource reads is checked in every write",
}
_MET_BY_STATUS = frozenset((Kind.RULE, Kind.LIST_TYPE, Kind.SCALE_STATUS))


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with an object, or that may be."""

    kind: Kind
    path: Path
    message: str
    is_decided: bool = True


class Requests:
    """The writes of one object, as it was read from storage."""

    def __init__(self, view: View, kubernetes: tuple[int, int], value: Mapping[str, Any]) -> None:
        self._view = view
        self._kubernetes = kubernetes
        self._value = value
        self._changed = {write: nodes_around(paths) for write, paths in changes(value).items()}
        self._correlation = Correlation(view.schema, value)

    def refusal(self, problem: Problem) -> Refusal:
        """The writes that a problem stops, and those that are saved by ratcheting."""
        refused, saved = self._sorted(problem)
        why = self._why(problem) if set(refused) - {Write.CREATE} else ""
        return Refusal(path_text(problem.path), problem.message, refused, saved, why)

    def question(self, problem: Problem) -> Undecided:
        """The writes that something undecided may stop."""
        return Undecided(path_text(problem.path), problem.message, self._sorted(problem)[0])

    def _sorted(self, problem: Problem) -> tuple[tuple[Write, ...], tuple[Write, ...]]:
        met = [write for write in self._changed if self._meets(problem, write)]
        saved = tuple(write for write in met if self._is_tolerated(problem, write))
        return tuple(write for write in met if write not in saved), saved

    def _meets(self, problem: Problem, write: Write) -> bool:
        """Does the server look at it in this write?"""
        # What is missing at the root is no problem of a status that is not there.
        is_of_status = problem.path[:1] == ("status",) and "status" in self._value
        if problem.kind is Kind.CREATION:
            return write is Write.CREATE
        if write is Write.CREATE:
            return not (is_of_status and self._view.has_status_subresource)
        if self._is_of_status_endpoint(write):
            return problem.kind in _MET_BY_STATUS or (problem.kind is Kind.SCHEMA and is_of_status)
        return True

    def _is_of_status_endpoint(self, write: Write) -> bool:
        return write in STATUS_WRITES and self._view.has_status_subresource

    def _is_tolerated(self, problem: Problem, write: Write) -> bool:
        if write is Write.CREATE or problem.kind in _NEVER_TOLERATED:
            return False
        if problem.kind is Kind.LIST_TYPE:
            # By every version: an object that is stored with duplicates may be written with some.
            return True
        if self._kubernetes < RATCHETING_SINCE:
            return False
        anchor = self._correlation.anchor(problem.path, root=1 if self._is_of_status_endpoint(write) else 0)
        return self._correlation.is_unchanged(anchor, self._changed[write])

    def _why(self, problem: Problem) -> str:
        if problem.kind in _NEVER_TOLERATED:
            return _NEVER_TOLERATED[problem.kind]
        if self._kubernetes < RATCHETING_SINCE:
            version, since = (".".join(map(str, pair)) for pair in (self._kubernetes, RATCHETING_SINCE))
            return f"Kubernetes {version} validates all that is written; from {since} on it tolerates what is unchanged"
        anchor = path_text(self._correlation.anchor(problem.path)) or "the object"
        return f"{anchor} is validated anew as a whole when something in it changes"
