"""What operations are, and what they mean for plain data."""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

from crdlint.yamltext.data import Folded
from crdlint.yamltext.nodes import join_pointer, split_pointer


class Op(str, Enum):
    """What an operation does to the value at its pointer."""

    ADD = "add"  # a key that is not there yet; a null or empty value in its place is replaced
    REPLACE = "replace"
    REMOVE = "remove"  # where that empties the collection around it, the collection's own key goes too
    APPEND = "append"  # an item at the end of the sequence at the pointer
    INSERT = (
        "insert"  # a text into the sequence at the pointer: in its place if that is in alphabetical order, else last
    )
    MERGE = "merge"  # keys into the mapping at the pointer


@dataclass(frozen=True)
class Operation:
    """One change of a document. All but REPLACE and REMOVE create what is missing on the way to ``pointer``.

    Indexes of items count the items of the document as it was before any of the operations.
    """

    op: Op
    pointer: str
    value: Any = None


class Refused(Exception):
    """An edit that cannot be made right; the message says why, for a person."""


def same(one: Any, other: Any) -> bool:
    """Are two values of the same types equal all the way down? ``True`` is not 1, and 1 is not 1.0."""
    if one is other:
        return True
    if isinstance(one, Folded) and isinstance(other, Folded) and one.lines == other.lines:
        return True
    one, other = _opened(one), _opened(other)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (one != one and other != other)


def _opened(value: Any) -> Any:
    return value.opened() if isinstance(value, Folded) else value


def is_vacant(value: Any) -> bool:
    """Is this a null or an empty collection, in whose place a value may be added?"""
    return value is None or (isinstance(value, dict | list) and not value)


def in_order(items: Sequence[Any]) -> bool:
    """Are these texts in alphabetical order?"""
    return all(isinstance(item, str) for item in items) and all(one <= other for one, other in pairwise(items))


def inserted(items: list[Any], text: Any) -> list[Any]:
    """``items`` with a text put in its place."""
    place = bisect_right(items, text) if in_order(items) and isinstance(text, str) else len(items)
    return [*items[:place], text, *items[place:]]


def distinct(operations: Iterable[Operation]) -> list[Operation]:
    """The operations in their order, equal ones once."""
    found: list[Operation] = []
    for operation in operations:
        equal = (o for o in found if (o.op, o.pointer) == (operation.op, operation.pointer))
        if not any(same(o.value, operation.value) for o in equal):
            found.append(operation)
    return found


def apply_to_data(data: Any, operations: Sequence[Operation]) -> Any:
    """A copy of ``data`` with the operations applied: their meaning, without any text.

    Raises `Refused` where an operation does not fit the data.
    """
    return apply_in_place(copy.deepcopy(data), operations)


def apply_in_place(data: Any, operations: Sequence[Operation]) -> Any:
    """Like `apply_to_data`, on data that nobody else uses."""
    applied = _Applied(data)
    # Insertions come last: they would move the items that indexes count.
    for operation in sorted(distinct(operations), key=lambda operation: operation.op is Op.INSERT):
        applied.apply(operation)
    return applied.finished()


class _Gone:
    """Stands in the place of a removed value, so that indexes keep their meaning."""


_GONE = _Gone()


class _Applied:
    def __init__(self, data: Any) -> None:
        # The document is the only item of a list, so that it too has a container.
        self.document = [data]
        self.emptied: set[tuple[str, ...]] = set()

    def apply(self, operation: Operation) -> None:
        parts = ["0", *split_pointer(operation.pointer)]
        create = operation.op not in (Op.REPLACE, Op.REMOVE)
        container: Any = self.document
        for part in parts[:-1]:
            value = _get(container, part)
            if value is _GONE and operation.op is Op.REMOVE:
                return
            if create and (value is None or value == {}):
                value = _put(container, part, {})
            container = value
        part, value = parts[-1], copy.deepcopy(operation.value)
        old = _get(container, part)
        if operation.op is Op.REMOVE:
            if isinstance(container, dict) and part not in container:
                raise Refused(f"there is nothing at {operation.pointer}")
            _put(container, part, _GONE)
            self.emptied.add(tuple(parts[:-1]))
        elif operation.op is Op.APPEND:
            if isinstance(old, list):
                old.append(value)
            else:
                _put(container, part, [value])
        elif operation.op is Op.INSERT:
            _put(container, part, inserted([item for item in old or () if item is not _GONE], value))
        elif operation.op is Op.MERGE:
            _put(container, part, merged(old, value))
        elif operation.op is Op.REPLACE or is_vacant(old):
            _put(container, part, value)
        elif not same(old, value):
            raise Refused(f"{operation.pointer} has another value already")

    def finished(self) -> Any:
        for path in sorted(self.emptied, key=len, reverse=True):
            self._sweep(path)
        return self.document[0]

    def _sweep(self, path: tuple[str, ...]) -> None:
        """Drop what was removed from the collection at ``path``, and its key if that leaves it empty."""
        parent: Any = None
        container: Any = self.document
        for part in path:
            parent, container = container, _get(container, part)
            if container is _GONE:
                return
        if isinstance(container, list):
            container[:] = [item for item in container if item is not _GONE]
        else:
            for key in [key for key, value in container.items() if value is _GONE]:
                del container[key]
        if not container and isinstance(parent, dict):
            del parent[path[-1]]


def merged(old: Any, value: Any) -> Any:
    """``old`` with the keys of ``value`` merged into it."""
    if not (isinstance(old, dict) and isinstance(value, dict)):
        return value
    for key, item in value.items():
        old[key] = merged(old.get(key), item)
    return old


def _get(container: Any, part: str) -> Any:
    if isinstance(container, dict):
        if isinstance(value := container.get(part), Folded):
            value = container[part] = value.opened()
        return value
    if isinstance(container, list) and part.isdecimal() and int(part) < len(container):
        return container[int(part)]
    raise Refused(f"there is no place for {join_pointer([part])} in {type(container).__name__}")


def _put(container: Any, part: str, value: Any) -> Any:
    if isinstance(container, dict):
        container[part] = value
    elif isinstance(container, list):
        container[int(part)] = value
    else:
        raise Refused(f"there is no place for {join_pointer([part])} in {type(container).__name__}")
    return value
