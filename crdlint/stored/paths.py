"""Paths in an object: the keys and indices that lead to a place."""

from __future__ import annotations

from collections.abc import Iterable

Path = tuple[str | int, ...]


def path_text(path: Iterable[str | int]) -> str:
    """``status.conditions[0].reason``; empty for the object itself."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
