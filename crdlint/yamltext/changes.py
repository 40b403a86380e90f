"""Operations find their places in the tree: what changes in which collection, all operations together.

Everything here refers to the original tree; no text is looked at but for what is shared through anchors.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from collections.abc import Sequence as SequenceOf
from typing import Any

from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Alias, Mapping, Node, Scalar, Sequence, is_merge_key, join_pointer, split_pointer
from crdlint.yamltext.operations import Op, Operation, Refused, distinct, inserted, is_vacant, merged, same
from crdlint.yamltext.parse import Document, Stream

_CREATING = (Op.ADD, Op.APPEND, Op.INSERT, Op.MERGE)
_OF_LISTS = (Op.APPEND, Op.INSERT)


class Absent:
    """Stands for a value that is not there."""


ABSENT = Absent()


class Change:
    """What changes in one collection. Positions are those of its entries or items."""

    def __init__(self, node: Mapping | Sequence, parent: Change | None = None, position: int = 0) -> None:
        self.node = node
        self.parent = parent
        # Where the collection stands in its parent.
        self.position = position
        # New keys with their values; new items at the end, and texts that have a place among the items.
        self.added: dict[str, Any] = {}
        self.appended: list[Any] = []
        self.inserted: list[str] = []
        self.replaced: dict[int, Any] = {}
        self.removed: set[int] = set()
        # What changes in the collections inside this one.
        self.inner: dict[int, Change] = {}
        # Was one of its own entries or items to be removed, not one of a collection inside?
        self.is_pruned = False

    def size(self) -> int:
        node = self.node
        return len(node.items if isinstance(node, Sequence) else node.entries)

    def value_at(self, position: int) -> Node:
        node = self.node
        return node.items[position] if isinstance(node, Sequence) else node.entries[position][1]

    def grows(self) -> bool:
        return bool(self.added or self.appended or self.inserted)

    def is_emptied(self) -> bool:
        return not self.grows() and len(self.removed) == self.size() > 0

    def innermost(self) -> Change:
        """The outermost collection in which more changes than one collection inside it."""
        change = self
        while len(change.inner) == 1 and not (change.grows() or change.replaced or change.removed):
            (change,) = change.inner.values()
        return change

    def ancestors(self) -> Iterator[Change]:
        """This change and those around it, from the inside out."""
        change: Change | None = self
        while change is not None:
            yield change
            change = change.parent


def changes_of(stream: Stream, document: Document, operations: SequenceOf[Operation]) -> Change:
    """The changes that operations make, from the root of the document down. Raises `Refused`."""
    return _Recorder(stream, document).record_all(operations)


class _Recorder:
    def __init__(self, stream: Stream, document: Document) -> None:
        self.text = stream.text
        self.end = document.end
        if not isinstance(document.root, Mapping | Sequence):
            raise Refused("the document is no collection")
        self.root = Change(document.root)

    def record_all(self, operations: SequenceOf[Operation]) -> Change:
        for operation in distinct(operations):
            if operation.op is Op.MERGE and not isinstance(operation.value, dict):
                raise Refused("only a mapping can be merged")
            if operation.op is Op.INSERT and not isinstance(operation.value, str):
                raise Refused("only a text can be inserted")
            self.record(self.root, split_pointer(operation.pointer), operation)
        self.settle(self.root)
        return self.root

    def record(self, change: Change, parts: list[str], operation: Operation) -> None:
        """Note what ``operation`` changes; ``parts`` lead on to its place from the collection of ``change``."""
        self.check_unshared(change.node)
        if not parts:
            self.record_here(change, operation)
            return
        position = _position(change.node, parts[0])
        if position is None:
            self.record_absent(change, parts, operation)
            return
        if position in change.removed:
            if operation.op is not Op.REMOVE:
                raise Refused(f"one operation removes what another changes, at {operation.pointer}")
        elif position in change.replaced:
            change.replaced[position] = _grown(change.replaced[position], parts[1:], operation)
        elif len(parts) == 1 and operation.op is Op.REMOVE:
            self.remove(change, position)
            change.is_pruned = True
        elif len(parts) == 1 and operation.op is Op.REPLACE:
            self.replace(change, position, operation.value)
        else:
            self.record_at(change, position, parts[1:], operation)

    def record_at(self, change: Change, position: int, rest: list[str], operation: Operation) -> None:
        """Note an operation that adds to the value at ``position``, or changes something inside it."""
        value = change.value_at(position)
        if isinstance(value, Scalar) and value.templated is not None:
            raise Refused(f"a template writes the value: {value.templated}")
        if isinstance(value, Alias):
            if rest or not _holds(value, operation):
                raise _shared(value.name)
        elif operation.op in _CREATING and _can_receive(value, rest, operation):
            self.replace(change, position, _grown(ABSENT, rest, operation))
        elif isinstance(value, Mapping | Sequence):
            self.record(_inner(change, position, value), rest, operation)
        elif rest:
            raise Refused(f"{operation.pointer} leads through a value that is no mapping")
        else:
            _check_held(value, operation)

    def record_here(self, change: Change, operation: Operation) -> None:
        """Note what an operation changes whose pointer is that of the collection."""
        node = change.node
        if operation.op in _OF_LISTS and isinstance(node, Sequence):
            if node.open:
                raise Refused("a template may write items here")
            new = change.appended if operation.op is Op.APPEND else change.inserted
            new.append(copy.deepcopy(operation.value))
            if change.appended and change.inserted:
                raise Refused(f"two operations want different things at {operation.pointer}")
        elif operation.op is Op.MERGE and isinstance(node, Mapping) and isinstance(operation.value, dict):
            for key, value in operation.value.items():
                self.merge(change, key, value)
        elif change is self.root and operation.op in (Op.REPLACE, Op.REMOVE):
            raise Refused("the document as a whole stays")
        else:
            _check_held(node, operation)

    def merge(self, change: Change, key: str, value: Any) -> None:
        position = _position(change.node, key)
        old = None if position is None else change.value_at(position)
        is_nested = isinstance(value, dict)
        stays = Mapping | Alias if is_nested else Alias
        if old is None or isinstance(old, stays) or _is_vacant_node(old):
            op = Op.MERGE if is_nested else Op.ADD
        else:
            op = Op.REPLACE
        self.record(change, [key], Operation(op, join_pointer([key]), value))

    def record_absent(self, change: Change, parts: list[str], operation: Operation) -> None:
        """Note an operation whose place is not in the text yet."""
        node = change.node
        if isinstance(node, Sequence):
            raise Refused(f"{operation.pointer}: the list has no item {parts[0]}")
        inherited = node.get(parts[0])
        if inherited is not None:
            if len(parts) == 1 and _holds(inherited, operation):
                return
            if not (operation.op is Op.ADD and len(parts) == 1 and _is_vacant_node(inherited)):
                raise _inherited(node)
        if operation.op not in _CREATING:
            raise Refused(f"there is nothing at {operation.pointer}")
        if node.open:
            raise Refused(f"a template may write the key {parts[0]!r} here")
        change.added[parts[0]] = _grown(change.added.get(parts[0], ABSENT), parts[1:], operation)

    def replace(self, change: Change, position: int, value: Any) -> None:
        old = change.value_at(position)
        if isinstance(old, Scalar) and old.templated is not None:
            raise Refused(f"a template writes the value: {old.templated}")
        if position in change.inner:
            raise Refused("one operation replaces what another changes")
        if same(to_data(old), value):
            return
        if isinstance(old, Alias):
            raise _shared(old.name)
        self.check_alone(old)
        change.replaced[position] = copy.deepcopy(value)

    def remove(self, change: Change, position: int) -> None:
        node, value = change.node, change.value_at(position)
        inner = change.inner.pop(position, None)
        if inner is not None and not _only_removes(inner):
            raise Refused("one operation removes what another changes")
        if isinstance(node, Mapping):
            key = node.entries[position][0]
            if any(source.get(key.key) is not None for source in node.merged()):
                raise Refused(f"a merge key (<<) would bring {key.key!r} back")
            if key.anchor is not None and self.is_used(key.anchor, value.end):
                raise _shared(key.anchor)
        self.check_alone(value)
        change.removed.add(position)

    def settle(self, change: Change) -> None:
        """Where removals leave a collection empty, let its key go too; without a key, it becomes ``{}`` or ``[]``."""
        for position, inner in sorted(change.inner.items()):
            self.settle(inner)
            if not inner.is_emptied():
                continue
            if inner.node.open:
                raise Refused("a template may write into the collection that would be removed")
            if inner.is_pruned and isinstance(change.node, Mapping):
                self.remove(change, position)
            else:
                del change.inner[position]
                change.replaced[position] = {} if isinstance(inner.node, Mapping) else []
        if change.parent is None and change.is_emptied():
            raise Refused("nothing would be left of the document")

    def check_unshared(self, node: Mapping | Sequence) -> None:
        if node.anchor is not None:
            raise _shared(node.anchor)

    def check_alone(self, node: Node) -> None:
        """Refuse to take away a node with an anchor that an alias behind it refers to."""
        if self.text.find("&", node.start, node.end) < 0:
            return
        for anchor in _anchors(node):
            if self.is_used(anchor, node.end):
                raise _shared(anchor)

    def is_used(self, anchor: str, start: int) -> bool:
        return self.text.find("*" + anchor, start, self.end) >= 0


def _position(node: Mapping | Sequence, part: str) -> int | None:
    if isinstance(node, Sequence):
        return int(part) if part.isdecimal() and int(part) < len(node.items) else None
    for position, (key, _) in enumerate(node.entries):
        if key.key == part and not is_merge_key(key):
            if key.templated is not None:
                raise Refused(f"a template writes the key: {key.templated}")
            return position
    return None


def _inner(change: Change, position: int, node: Mapping | Sequence) -> Change:
    inner = change.inner.get(position)
    if inner is None:
        inner = change.inner[position] = Change(node, change, position)
    return inner


def _only_removes(change: Change) -> bool:
    if change.grows() or change.replaced:
        return False
    return all(map(_only_removes, change.inner.values()))


def _grown(value: Any, parts: list[str], operation: Operation) -> Any:
    """New content with an operation applied to it that must not contradict it."""
    if operation.op not in _CREATING:
        if operation.op is Op.REPLACE and not parts and same(value, operation.value):
            return value
        raise Refused(f"two operations want different things at {operation.pointer}")
    if parts:
        if isinstance(value, Absent) or value is None:
            value = {}
        if not isinstance(value, dict):
            raise Refused(f"{operation.pointer} leads through a value that is no mapping")
        value[parts[0]] = _grown(value.get(parts[0], ABSENT), parts[1:], operation)
        return value
    new = copy.deepcopy(operation.value)
    if operation.op in _OF_LISTS:
        if isinstance(value, list):
            return [*value, new] if operation.op is Op.APPEND else inserted(value, new)
        new = [new]
    if isinstance(value, Absent) or is_vacant(value):
        return new
    if operation.op is Op.MERGE and isinstance(value, dict):
        return _united(value, new, operation.pointer)
    if not same(value, new):
        raise Refused(f"two operations want different things at {operation.pointer}")
    return value


def _united(value: dict[str, Any], new: Any, pointer: str) -> Any:
    union = merged(copy.deepcopy(value), new)
    if not same(merged(copy.deepcopy(union), value), union):
        raise Refused(f"two operations want different things at {pointer}")
    return union


def _check_held(node: Node, operation: Operation) -> None:
    """Refuse an operation that would overwrite a value."""
    if _holds(node, operation):
        return
    if operation.op is Op.ADD:
        raise Refused(f"{operation.pointer} has another value already")
    raise Refused(f"{operation.pointer} is no {'list' if operation.op in _OF_LISTS else 'mapping'}")


def _holds(node: Node, operation: Operation) -> bool:
    """Is what an operation would add there already?"""
    if operation.op not in (Op.ADD, Op.MERGE):
        return False
    data = to_data(node)
    if operation.op is Op.ADD:
        return same(data, operation.value)
    return isinstance(data, dict) and same(merged(copy.deepcopy(data), operation.value), data)


def _can_receive(node: Node, rest: list[str], operation: Operation) -> bool:
    """Is a value vacant, so that an operation may put its own in the place?"""
    if not _is_vacant_node(node):
        return False
    if rest:
        return isinstance(node, Scalar | Mapping)
    return operation.op not in _OF_LISTS or isinstance(node, Scalar | Sequence)


def _is_vacant_node(node: Node | None) -> bool:
    if isinstance(node, Scalar):
        return node.templated is None and to_data(node) is None
    if isinstance(node, Mapping):
        return node.flow and not node.entries and not node.open
    return isinstance(node, Sequence) and node.flow and not node.items and not node.open


def _anchors(node: Node) -> Iterator[str]:
    """The anchors in a node, but for those of keys."""
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, Alias):
            continue
        if node.anchor is not None:
            yield node.anchor
        if isinstance(node, Sequence):
            pending += node.items
        elif isinstance(node, Mapping):
            for key, value in node.entries:
                pending += [key, value]


def _shared(anchor: str) -> Refused:
    return Refused(f"the text is shared through the anchor &{anchor}: an edit would change every place that uses it")


def _inherited(node: Mapping) -> Refused:
    for key, value in node.entries:
        if is_merge_key(key):
            sources = value.items if isinstance(value, Sequence) else [value]
            for source in sources:
                if isinstance(source, Alias):
                    return _shared(source.name)
    return Refused("the value comes from a merge key (<<)")
