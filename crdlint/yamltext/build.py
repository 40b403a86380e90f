"""libyaml's events to trees. Its own composer is recursive C code, so the trees are built here, without recursion."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from _ruamel_yaml import CParser
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from crdlint.yamltext.nodes import MERGE_KEY, Alias, Mapping, Node, Scalar, Sequence, is_merge_key, resolve
from crdlint.yamltext.scalars import NOT_JSON, BadScalar, is_text, key_text, scalar_value
from crdlint.yamltext.source import Unreadable
from crdlint.yamltext.wellformed import MAX_DEPTH, too_deep

# Nodes of one document, aliases expanded. The largest CRDs known have some 60,000.
MAX_NODES = 2_000_000

_NOT_BLANK = re.compile(r"[^ \r\n]")
_KEEPS_BLANK_LINES = re.compile(r"[|>](?:[0-9]?\+|\+[0-9]?)[ \t\r]*(?:#.*)?$")


@dataclass
class Document:
    """One document of a stream. ``root`` is None where it is empty or of no interest to the caller."""

    root: Node | None
    start: int
    end: int


class UnexpectedAlias(Exception):
    """An alias where some mappings are deferred, so that its size is not known."""


@dataclass
class Cut:
    """A mapping to put in the place of an empty value, and the number of characters cut out of the text behind it."""

    mapping: Mapping
    length: int


class TreeBuilder:
    """Builds the documents of ``text``, which stands at offset ``base`` of the file.

    ``cuts`` are what was cut out of it, by the offset in ``text`` of the empty value; those placed are taken out.
    ``restore`` puts a scalar right before anybody looks at it.
    """

    def __init__(
        self,
        text: str,
        base: int,
        cuts: dict[int, Cut] | None = None,
        restore: Callable[[Scalar], None] | None = None,
    ) -> None:
        # A flow mapping begins with another one: what a template looks like to YAML.
        self.double_braces = False
        self._text = text
        self._base = base
        self._cuts = cuts if cuts is not None else {}
        self._is_partial = bool(cuts)
        self._restore = restore
        self._documents: list[Document] = []
        self._size = 0
        # The collection being filled, its key that waits for a value, the keys it has, and those of the ones around it.
        self._parent: Mapping | Sequence | None = None
        self._key: Scalar | None = None
        self._seen: set[str] = set()
        self._outer: list[tuple[Mapping | Sequence | None, Scalar | None, set[str]]] = []
        # The size of the document before each open collection.
        self._sizes: list[int] = []
        # What aliases may name, with its size, and the depth of what they do name.
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._depths: dict[int, int] = {}
        self._merges: list[Mapping] = []

    def build(self) -> list[Document]:
        next_event = CParser(self._text).get_event
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is ScalarEvent:
                self._place(self._scalar(event))
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._start_collection(event, Mapping if kind is MappingStartEvent else Sequence)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._end_collection(event)
            elif kind is AliasEvent:
                self._place(self._alias(event))
            elif kind is DocumentStartEvent:
                start = event.start_mark.index + self._base
                self._documents.append(Document(None, start, start))
                self._anchors.clear()
                self._size = 0
            elif kind is DocumentEndEvent:
                self._documents[-1].end = event.end_mark.index + self._base
        for mapping in self._merges:
            _check_merge(mapping)
        return self._documents

    def _place(self, node: Node) -> None:
        """Put a node that is complete where it belongs."""
        parent = self._parent
        if parent is None:
            self._documents[-1].root = node
        elif isinstance(parent, Sequence):
            parent.items.append(node)
        elif self._key is None:
            self._take_key(node, parent)
        else:
            parent._entries.append((self._key, node))
            self._key = None

    def _take_key(self, node: Node, mapping: Mapping) -> None:
        key = node if isinstance(node, Scalar) else _key_of_alias(node)
        self._key = key
        text = key.value
        if key.templated is not None:
            mapping.open = True
        elif key.tag is not None or (key.style == "" and not (text and is_text(text))):
            text = key.key = _checked(key, key_text)
        if text == MERGE_KEY and is_merge_key(key):
            self._merges.append(mapping)
        elif text in self._seen:
            raise Unreadable(f"the key {text!r} stands twice in one mapping: one of the two is lost", key.start)
        else:
            self._seen.add(text)

    def _scalar(self, event: Any) -> Scalar | Mapping:
        base = self._base
        start, end = event.start_mark.index, event.end_mark.index
        if start == end and start in self._cuts:
            cut = self._cuts.pop(start)
            self._base += cut.length
            return cut.mapping
        value, style, tag, anchor = event.value, event.style, event.tag, event.anchor
        if style == "|" or style == ">":
            end = _block_scalar_end(self._text, start, end)
        scalar = Scalar(start + base, end + base, value, style, tag, anchor)
        if self._restore is not None:
            self._restore_scalar(scalar, self._restore)
        if tag is not None or (style == "" and value in NOT_JSON):
            self._check_value(scalar)
        if anchor is not None:
            self._anchors[anchor] = scalar, 1
        self._size += 1
        if self._size > MAX_NODES:
            raise _too_many(start + base)
        return scalar

    def _restore_scalar(self, scalar: Scalar, restore: Callable[[Scalar], None]) -> None:
        restore(scalar)
        parent = self._parent
        if scalar.templated is not None and isinstance(parent, Sequence) and parent.flow:
            parent.open = True

    def _check_value(self, scalar: Scalar) -> None:
        """Kubernetes must be able to read a scalar, if it is not a key: those are looked at when they are taken."""
        if scalar.templated is not None or (isinstance(self._parent, Mapping) and self._key is None):
            return
        value = _checked(scalar, scalar_value)
        if isinstance(value, float) and not math.isfinite(value):
            raise Unreadable(
                f"{scalar.value} is no number that Kubernetes can read: JSON has none like it", scalar.start
            )

    def _alias(self, event: Any) -> Alias:
        start, name = event.start_mark.index + self._base, event.anchor
        if any(parent is not None and parent.anchor == name for parent in self._open_collections()):
            raise Unreadable(f"the alias *{name} stands inside what it refers to", start)
        if name not in self._anchors:
            raise Unreadable(f"the alias *{name} refers to no anchor before it", start)
        if self._is_partial:
            raise UnexpectedAlias
        target, size = self._anchors[name]
        if len(self._outer) + self._depth(target) > MAX_DEPTH:
            raise too_deep(start)
        self._size += size
        if self._size > MAX_NODES:
            raise _too_many(start)
        if isinstance(target, Scalar) and target.value in NOT_JSON:
            self._check_value(target)
        return Alias(start, event.end_mark.index + self._base, name, target)

    def _open_collections(self) -> Iterator[Mapping | Sequence | None]:
        yield self._parent
        for parent, _, _ in self._outer:
            yield parent

    def _depth(self, node: Node) -> int:
        """The levels of collections in a node. That of an alias is known since it was met."""
        node = resolve(node)
        if isinstance(node, Scalar | Alias):
            return 0
        if id(node) in self._depths:
            return self._depths[id(node)]
        below = 0
        for child in node.items if isinstance(node, Sequence) else [value for _, value in node.entries]:
            below = max(below, self._depth(child))
        if node.anchor is not None:
            self._depths[id(node)] = below + 1
        return below + 1

    def _start_collection(self, event: Any, collection: type[Mapping] | type[Sequence]) -> None:
        index = event.start_mark.index
        start = index + self._base
        if len(self._outer) >= MAX_DEPTH:
            raise too_deep(start)
        flow = bool(event.flow_style)
        if flow and collection is Mapping and self._text.startswith("{{", index):
            self.double_braces = True
        self._outer.append((self._parent, self._key, self._seen))
        self._parent, self._key, self._seen = collection(start, flow, event.tag, event.anchor), None, set()
        self._sizes.append(self._size)
        self._size += 1
        if self._size > MAX_NODES:
            raise _too_many(start)

    def _end_collection(self, event: Any) -> None:
        node = self._parent
        assert node is not None
        self._parent, self._key, self._seen = self._outer.pop()
        size = self._size - self._sizes.pop()
        if node.flow:
            node.flow_end = event.end_mark.index + self._base
        if node.anchor is not None:
            self._anchors[node.anchor] = node, size
        self._place(node)


_T = TypeVar("_T")


def _checked(scalar: Scalar, read: Callable[[Scalar], _T]) -> _T:
    try:
        return read(scalar)
    except BadScalar as error:
        raise Unreadable(str(error), scalar.start) from None


def _key_of_alias(node: Node) -> Scalar:
    key = resolve(node)
    if not isinstance(key, Scalar):
        raise Unreadable("the key of a mapping is a collection, which Kubernetes does not accept", node.start)
    copy = Scalar(node.start, node.end, key.value, key.style, key.tag, None)
    copy.templated = key.templated
    return copy


def _check_merge(mapping: Mapping) -> None:
    for key, value in mapping.entries:
        if not is_merge_key(key):
            continue
        sources = value.items if isinstance(value, Sequence) else [value]
        for source in sources:
            target = resolve(source)
            if not isinstance(target, Mapping) and not (isinstance(target, Scalar) and target.templated is not None):
                raise Unreadable("what << merges is not a mapping, nor a list of mappings", source.start)


def _too_many(offset: int) -> Unreadable:
    return Unreadable(f"the document has more than {MAX_NODES:,} nodes once its aliases are expanded", offset)


def _block_scalar_end(text: str, start: int, end: int) -> int:
    """Where the text of a block scalar ends: before its last newline, and before blank lines that are not its own.

    libyaml's end is behind all blank lines, which are the scalar's own only with the indicator ``+``.
    """
    header_end = text.find("\n", start, end)
    if header_end >= 0 and not _KEEPS_BLANK_LINES.search(text, start, header_end):
        end = _end_of_text(text, header_end, end)
    if text.endswith("\n", start, end):
        end -= 1
    if text.endswith("\r", start, end):
        end -= 1
    return end


def _end_of_text(text: str, header_end: int, end: int) -> int:
    """The end without the blank lines at it; a line with more spaces than the indentation is not blank."""
    first = _NOT_BLANK.search(text, header_end, end)
    indent = first.start() - text.rfind("\n", 0, first.start()) - 1 if first else 0
    while True:
        line_end = end - 1 if text[end - 1] == "\n" else end
        line_start = text.rfind("\n", 0, line_end) + 1
        line = text[line_start:line_end].rstrip("\r")
        if line_start <= header_end or line.strip(" ") or len(line) > indent:
            return end
        end = line_start
