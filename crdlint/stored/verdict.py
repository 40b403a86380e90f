"""What becomes of a stored object under a new schema."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Write(str, Enum):
    """A request that writes an object; all but `CREATE` leave what is wrong with it as it is stored."""

    CREATE = "create"
    """The object is made anew: restored from a backup, moved to another cluster."""
    UNCHANGED = "unchanged"
    """It is written as it was read."""
    METADATA = "metadata"
    """A label, an annotation or a finalizer changes."""
    SPEC = "spec"
    """A field of ``spec`` changes."""
    STATUS = "status"
    """A field of ``status`` changes."""
    CONDITION_ADDED = "condition-added"
    """``status.conditions`` gets another item, or loses one."""
    CONDITION_CHANGED = "condition-changed"
    """The condition in question changes, or each of them."""


@dataclass(frozen=True)
class Refusal:
    """Something in an object for which the API server refuses writes."""

    path: str
    """Where, as in ``status.conditions[0].reason``; empty for the object itself."""
    message: str
    writes: tuple[Write, ...]
    """The writes that are refused."""
    saved: tuple[Write, ...]
    """The writes that pass only because the server tolerates what a write does not change (ratcheting)."""
    why: str
    """Why the others are not saved."""


@dataclass(frozen=True)
class Undecided:
    """Something in an object that crdlint cannot judge: mostly a CEL rule that its value reaches."""

    path: str
    reason: str
    writes: tuple[Write, ...]
    """The writes whose outcome it leaves open."""


@dataclass(frozen=True)
class Verdict:
    """The answer for one object."""

    refused: tuple[Refusal, ...]
    """What some write is refused for."""
    pruned: tuple[str, ...]
    """Paths of the fields that the next write loses."""
    undecided: tuple[Undecided, ...]
    tolerated: tuple[Refusal, ...] = ()
    """What is wrong, but stops no write: each that meets it is saved by ratcheting."""

    def refuses(self, write: Write) -> bool | None:
        """Is the write refused? None where that is undecided."""
        if any(write in refusal.writes for refusal in self.refused):
            return True
        return None if any(write in question.writes for question in self.undecided) else False

    @property
    def is_broken(self) -> bool:
        """Is a write of the object refused, or part of it lost?"""
        return bool(self.refused or self.pruned)
