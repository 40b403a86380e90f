"""What a health check of a kind looks at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """The conditions that decide, by what it means that they are True.

    An object is ready if it has one of ``any_of``, if there are any, and all of ``needed``, and if each of ``positive``
    that it has is True. A condition that speaks of another generation is not True, nor is it anything else.
    """

    group: str
    kind: str
    version: str
    plural: str
    is_namespaced: bool
    any_of: tuple[str, ...]
    needed: tuple[str, ...]
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    progressing: tuple[str, ...]
    paused: tuple[str, ...]
    observes_generation: bool
    """May a condition say which generation it speaks of?"""
