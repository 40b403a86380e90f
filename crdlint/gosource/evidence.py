"""What the controllers of a kind are proven to write, and the lines of Go that prove it or leave it open."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from crdlint.settings import (
    WRITES,
    WRITES_CONDITION_GENERATION,
    WRITES_OBSERVED_GENERATION,
    WRITES_STATUS_ENDPOINT,
)


class Question(str, Enum):
    """What crdlint asks of the controllers of a kind; the first three are what `controllers.writes` may say."""

    OBSERVED_GENERATION = WRITES_OBSERVED_GENERATION
    CONDITION_GENERATION = WRITES_CONDITION_GENERATION
    STATUS_ENDPOINT = WRITES_STATUS_ENDPOINT
    STATUS_RBAC = "status-rbac"
    PAUSED = "paused-condition"


class Verdict(str, Enum):
    """unknown: something was found of which the sources alone do not show whether it counts."""

    WRITTEN = "written"
    NOT_FOUND = "not found"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class EvidenceLine:
    """A line of Go, and what it says on a question: written, unknown, or done without it (not found)."""

    question: Question
    verdict: Verdict
    path: str
    line: int
    column: int
    what: str
    source: str


@dataclass(frozen=True)
class Evidence:
    """The answers for one kind, all its versions together."""

    verdicts: dict[Question, Verdict]
    lines: tuple[EvidenceLine, ...]

    @property
    def writes(self) -> frozenset[str]:
        """The values of `controllers.writes` that are proven."""
        return frozenset(q.value for q in Question if q.value in WRITES and self.verdicts[q] is Verdict.WRITTEN)
