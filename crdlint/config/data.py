"""What a configuration says. `lookup` finds the one that applies to a file, `reading` reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from crdlint.findings import Severity
from crdlint.settings import Capi, Controllers, ControllersChange, Generated, Target

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Rules, or packs of them, and the severity that their findings are given.
Severities = tuple[tuple[str, Severity], ...]


@dataclass(frozen=True)
class Override:
    """What a configuration says otherwise of the files in ``paths`` (all, where there are none) and of a target."""

    paths: tuple[str, ...] = ()
    target: Target = Target()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Severities = ()
    stateless: bool | None = None
    controllers: ControllersChange | None = None
    generated: Generated | None = None


@dataclass(frozen=True)
class Config:
    """What a configuration file says; the empty one where there is none.

    Paths and patterns in it are relative to its folder.
    """

    path: str | None = None
    # The packs whose rules are used where ``select`` names none; None for all but the optional ones.
    packs: tuple[str, ...] | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Severities = ()
    exclude: tuple[str, ...] = ()
    # Folders with rules of users' own, absolute or relative to the working folder.
    rules: tuple[str, ...] = ()
    stateless: frozenset[str] = frozenset()
    controllers: Controllers = field(default_factory=Controllers)
    controllers_by_crd: tuple[tuple[str, Controllers], ...] = ()
    # Types of conditions that are waited for, beside Ready, Available and Paused.
    condition_types: tuple[str, ...] = ()
    # What it means that a condition is True, by its type: a value of `healthchecks.meanings.Meaning`.
    condition_meanings: tuple[tuple[str, str], ...] = ()
    capi: Capi = field(default_factory=Capi)
    generated: Generated = Generated.FIX
    overrides: tuple[Override, ...] = ()

    def excludes(self, path: str) -> bool:
        """Is a file excluded by this configuration?"""
        return self.excluding_pattern(path) is not None

    def excluding_pattern(self, path: str) -> int | None:
        """Which pattern excludes a file, by its index; None where it is not excluded."""
        if not self.exclude:
            return None
        verdict = spec(self.exclude).check_file(self.relative(path))
        return verdict.index if verdict.include else None

    def overrides_for(self, path: str) -> tuple[int, ...]:
        """The indexes of the overrides that can speak of what is in a file."""
        if not self.overrides:
            return ()
        path = self.relative(path)
        return tuple(
            index
            for index, override in enumerate(self.overrides)
            if not override.paths or spec(override.paths).match_file(path)
        )

    def relative(self, path: str) -> str:
        """A file as the configuration, which must be one, sees it."""
        assert self.path is not None
        return os.path.relpath(os.path.abspath(path), os.path.dirname(os.path.abspath(self.path)))


@lru_cache(maxsize=64)
def spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Patterns as .gitignore has them, compiled once."""
    from crdlint.gitpatterns import compiled

    return compiled(patterns)
