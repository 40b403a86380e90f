"""What the API server demands of the fields that the scale subresource reads.

After ``pkg/registry/customresource/validator.go`` of apiextensions-apiserver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from crdlint.stored.view import Scale

_MOST_REPLICAS = 2**31 - 1
Problem = tuple[tuple[str, ...], str]


def spec_problems(scale: Scale, value: Mapping[str, Any]) -> Iterator[Problem]:
    """Paths and what is wrong there, looked at in writes of all but the status."""
    yield from _replicas(scale.spec_replicas, value)


def status_problems(scale: Scale, value: Mapping[str, Any]) -> Iterator[Problem]:
    """Paths and what is wrong there, looked at in every write."""
    yield from _replicas(scale.status_replicas, value)
    if scale.selector is not None:
        path = _steps(scale.selector)
        is_there, selector = _nested(path, value)
        if is_there and not isinstance(selector, str):
            yield path, "must be a string: the scale subresource reads it"


def _replicas(pointer: str, value: Mapping[str, Any]) -> Iterator[Problem]:
    path = _steps(pointer)
    is_there, replicas = _nested(path, value)
    if not is_there:
        return
    if type(replicas) is not int:
        yield path, "must be an integer: the scale subresource reads it"
    elif not 0 <= replicas <= _MOST_REPLICAS:
        yield path, f"must be from 0 to {_MOST_REPLICAS}: the scale subresource reads it"


def _steps(pointer: str) -> tuple[str, ...]:
    return tuple(pointer.removeprefix(".").split("."))


def _nested(path: tuple[str, ...], value: Any) -> tuple[bool, Any]:
    """Is there something at the path, and what? A scalar on the way counts as something that is wrong."""
    for step in path:
        if value is None or (isinstance(value, Mapping) and step not in value):
            return False, None
        if not isinstance(value, Mapping):
            return True, None
        value = value[step]
    return True, value
