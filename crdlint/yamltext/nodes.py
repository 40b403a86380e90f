"""The tree of a YAML document: what stands where.

Every node knows the span of its own text. ``start`` is the first character of the node (of its anchor or tag, where it
has one); ``end`` is the offset after its last character. A block collection ends with its last leaf, never in the
comments behind it; an absent value is an empty scalar right behind its ``:`` or ``-``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

MERGE_KEY = "<<"
_MERGE_TAGS = ("tag:yaml.org,2002:merge", "!")


class Scalar:
    """A scalar; ``style`` is ``""`` (plain), ``"'"``, ``'"'``, ``"|"`` or ``">"``.

    ``key`` is what Kubernetes reads the scalar as when it is the key of a mapping.
    ``templated`` is the original text of a scalar that a template fills in, else None; ``conditional`` says of a key
    that a template decides whether it is there at all.
    """

    __slots__ = ("anchor", "conditional", "end", "key", "start", "style", "tag", "templated", "value")

    def __init__(self, start: int, end: int, value: str, style: str, tag: str | None, anchor: str | None) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.style = style
        self.tag = tag
        self.anchor = anchor
        self.key = value
        self.templated: str | None = None
        self.conditional = False


class Alias:
    """``*name``; ``target`` is the anchored node."""

    __slots__ = ("end", "name", "start", "target")

    def __init__(self, start: int, end: int, name: str, target: Node) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.target = target


class Sequence:
    __slots__ = ("anchor", "flow", "flow_end", "items", "open", "start", "tag")

    def __init__(self, start: int, flow: bool, tag: str | None, anchor: str | None) -> None:
        self.start = start
        self.flow = flow
        self.tag = tag
        self.anchor = anchor
        self.items: list[Node] = []
        # A template may put further items here.
        self.open = False
        self.flow_end = start

    @property
    def end(self) -> int:
        return self.flow_end if self.flow else self.items[-1].end


class Mapping:
    """A mapping. A deferred one is read when somebody first asks for its entries or its end."""

    __slots__ = ("_entries", "_read", "anchor", "flow", "flow_end", "lines", "open", "start", "tag")

    def __init__(self, start: int, flow: bool, tag: str | None, anchor: str | None) -> None:
        self.start = start
        self.flow = flow
        self.tag = tag
        self.anchor = anchor
        # A template may put further keys here: no key is known to be absent.
        self.open = False
        self.flow_end = start
        self._entries: list[tuple[Scalar, Node]] = []
        self._read: Callable[[], Mapping] | None = None
        # The text of a deferred mapping, which alone decides what it holds; also once that is read.
        self.lines: str | None = None

    @classmethod
    def deferred(cls, start: int, text: str, read: Callable[[], Mapping]) -> Mapping:
        """A mapping that is written in the lines of ``text``, which alone decide what it holds."""
        mapping = cls(start, False, None, None)
        mapping._read, mapping.lines = read, text
        return mapping

    @property
    def is_unread(self) -> bool:
        """Is this a deferred mapping that nobody has looked into yet?"""
        return self._read is not None

    @property
    def entries(self) -> list[tuple[Scalar, Node]]:
        """Keys and values in the order of the text."""
        if self._read is not None:
            self._entries, self._read = self._read().entries, None
        return self._entries

    @property
    def end(self) -> int:
        return self.flow_end if self.flow else self.entries[-1][1].end

    def entry(self, key: str) -> tuple[Scalar, Node] | None:
        """The entry written here under ``key``; merged ones do not count."""
        for found, value in self.entries:
            if found.key == key:
                return found, value
        return None

    def get(self, key: str) -> Node | None:
        """The value of ``key``, aliases followed, merge keys (``<<``) included."""
        return self._get(key, set())

    def _get(self, key: str, searched: set[int]) -> Node | None:
        found = self.entry(key)
        if found is not None:
            return resolve(found[1])
        searched.add(id(self))
        for merged in self.merged():
            value = None if id(merged) in searched else merged._get(key, searched)
            if value is not None:
                return value
        return None

    def merged(self) -> Iterator[Mapping]:
        """The mappings that ``<<`` brings in, the strongest first."""
        for key, value in self.entries:
            if is_merge_key(key):
                value = resolve(value)
                sources = [resolve(item) for item in value.items] if isinstance(value, Sequence) else [value]
                yield from (source for source in sources if isinstance(source, Mapping))


Node: TypeAlias = "Scalar | Alias | Sequence | Mapping"


def resolve(node: Node) -> Node:
    """The node itself, or what an alias stands for."""
    while isinstance(node, Alias):
        node = node.target
    return node


def is_merge_key(key: Scalar) -> bool:
    """Does a key merge other mappings into its own?"""
    if key.value != MERGE_KEY:
        return False
    return key.tag in _MERGE_TAGS or (key.style == "" and key.tag is None)


def split_pointer(pointer: str) -> list[str]:
    """The parts of a JSON pointer (RFC 6901)."""
    if not pointer:
        return []
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def join_pointer(parts: list[str]) -> str:
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def find(root: Node, pointer: str) -> Node | None:
    """The node at a JSON pointer, aliases and merge keys followed; None where there is none."""
    node: Node | None = resolve(root)
    for part in split_pointer(pointer):
        if isinstance(node, Mapping):
            node = node.get(part)
        elif isinstance(node, Sequence) and part.isdecimal() and int(part) < len(node.items):
            node = resolve(node.items[int(part)])
        else:
            return None
    return node


def locate(root: Node, pointer: str) -> tuple[int, int]:
    """The span a person should be shown for a pointer.

    That is the key of the last part that exists in the text (an item of a sequence has no key: its own span, or that of
    its first key where it is a mapping).
    """
    node = resolve(root)
    span = _head(node)
    for part in split_pointer(pointer):
        if isinstance(node, Mapping):
            found = node.entry(part)
            if found is None:
                value = node.get(part)  # merged in: show where it is merged
                if value is None:
                    return span
                node = value
                continue
            span = (found[0].start, found[0].end)
            node = resolve(found[1])
        elif isinstance(node, Sequence) and part.isdecimal() and int(part) < len(node.items):
            node = node.items[int(part)]
            span = _head(node)
            node = resolve(node)
        else:
            return span
    return span


def _head(node: Node) -> tuple[int, int]:
    if isinstance(node, Mapping) and not node.flow and node.entries:
        key = node.entries[0][0]
        return key.start, key.end
    if isinstance(node, Mapping | Sequence):
        return node.start, node.start + 1
    return node.start, node.end
