"""Patterns as .gitignore has them, compiled so that none of them takes long, whatever it is and whatever a path is.

pathspec makes regular expressions of them in which each star tries every length together with every length of the
others. The first place at which a star's continuation matches is as good as any later one if another star follows: so
it is taken for good there, in a lookahead, which Python's regular expressions do not go back into.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from itertools import count
from typing import Any

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

# What pathspec makes of ``*``, and of ``**`` at the start and further on. Nothing else in a pattern becomes these.
_STAR = "[^/]*"
_LEADING_FOLDERS = "^(?:.+/)?"
_FOLDERS = "(?:/.+)?"
_ANY_CHARACTER = "[^/]"
# More than twice what systems allow of a path, each character of it escaped.
_LONGEST = 10_000


def compiled(patterns: Iterable[str]) -> GitIgnoreSpec:
    """The patterns as one specification. Raises `ValueError` or `re.error` for what is no pattern.

    pathspec's other backends, which it takes where they are installed, fail on file names that are no UTF-8.
    """
    with warnings.catch_warnings():
        # Of the regular expressions that a bracket in a pattern becomes.
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec([_Pattern(pattern) for pattern in patterns], backend="simple")


def is_pattern(text: str) -> bool:
    """Can this be understood?"""
    try:
        compiled([text])
    except (ValueError, re.error):
        return False
    return True


class _Pattern(GitIgnoreSpecPattern):
    __slots__ = ()

    @classmethod
    def pattern_to_regex(cls, pattern: Any) -> tuple[Any, bool | None]:
        if len(pattern) > _LONGEST:
            raise ValueError("no path is as long as this pattern")
        regex, include = super().pattern_to_regex(pattern)
        return None if regex is None else _Rewriting().all(regex), include


class _Rewriting:
    """Takes the backtracking out of one regular expression."""

    def __init__(self) -> None:
        self.numbers = count()

    def all(self, regex: str) -> str:
        first, *others = regex.split(_FOLDERS)
        blocks = [self.stars(first), *(_FOLDERS + self.stars(block) for block in others)]
        # Whole names, since a slash has to follow.
        return "".join([*(self.first_match(_lazy(block) + "(?=/)") for block in blocks[:-1]), blocks[-1]])

    def stars(self, block: str) -> str:
        """The same for stars that another one follows within a name."""
        start, *parts = block.split(_STAR)
        for index, part in enumerate(parts):
            ends_name = index == len(parts) - 1 or "/" in part.replace(_ANY_CHARACTER, "")
            start += _STAR + part if ends_name else self.first_match(f"{_STAR}?{part}")
        return start

    def first_match(self, regex: str) -> str:
        name = f"first{next(self.numbers)}"
        return f"(?=(?P<{name}>{regex}))(?P={name})"


def _lazy(block: str) -> str:
    """The block as near as possible."""
    return block.replace(_LEADING_FOLDERS, "^(?:.+?/)??").replace(_FOLDERS, "(?:/.+?)??")
