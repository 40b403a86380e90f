"""What a configuration says. `configlookup` finds the one that applies to a file, `configfile` reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from crdlint.settings import Controllers

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Config:
    """What a configuration file says; the empty one where there is none.

    Paths and patterns in it are relative to its folder.
    """

    path: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    # Folders with rules of users' own, absolute or relative to the working folder.
    rules: tuple[str, ...] = ()
    stateless: frozenset[str] = frozenset()
    controllers: Controllers = field(default_factory=Controllers)
    controllers_by_crd: tuple[tuple[str, Controllers], ...] = ()
    # Types of conditions that are waited for, beside Ready, Available and Paused.
    condition_types: tuple[str, ...] = ()

    def excludes(self, path: str) -> bool:
        """Is a file excluded by this configuration?"""
        if not self.exclude or self.path is None:
            return False
        relative = os.path.relpath(os.path.abspath(path), os.path.dirname(os.path.abspath(self.path)))
        return spec(self.exclude).match_file(relative)


@lru_cache(maxsize=64)
def spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Patterns as .gitignore has them, compiled."""
    import warnings

    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        # Of the regular expressions that a bracket in a pattern becomes.
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(patterns, backend="simple")
