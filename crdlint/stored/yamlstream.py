"""YAML documents one by one, and lists of objects item by item, straight from libyaml's events."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from _ruamel_yaml import CParser
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from crdlint.stored.reading import BadInput, TooLarge, Window, check_is_list, too_deep
from crdlint.yamltext.nodes import Scalar, is_merge_key
from crdlint.yamltext.scalars import BadScalar, is_text, key_text, resolve_plain, scalar_value
from crdlint.yamltext.wellformed import MAX_DEPTH

# Nodes of one object, aliases expanded: as many as could stand in the largest object that etcd holds.
MAX_NODES = 1_000_000
MAX_ANCHORS = 10_000


def yaml_documents(window: Window) -> Iterator[tuple[int, Any]]:
    """The line and the data of each document; of a list, those of each item. Raises `BadInput`."""
    reader = _Reader(window)
    try:
        yield from reader.documents()
    except YAMLError as error:
        raise _bad_yaml(error, reader.line) from None
    except TooLarge as error:
        raise error.at(reader.line) from None


def _bad_yaml(error: YAMLError, line: int) -> BadInput:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem, context = getattr(error, "problem", None), getattr(error, "context", None)
    what = problem or getattr(error, "reason", None) or "it cannot be parsed"
    return BadInput(mark.line + 1 if mark else line, f"not YAML: {what}" + (f" ({context})" if context else ""))


class _Reader:
    """Builds values from events, one object at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._next_event: Callable[[], Any] = CParser(window).get_event
        self.line = 1
        # What aliases may name: data, and the number of its nodes and levels.
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._size = 0

    def documents(self) -> Iterator[tuple[int, Any]]:
        while not isinstance(event := self._event(), StreamEndEvent):
            if isinstance(event, StreamStartEvent | DocumentStartEvent | DocumentEndEvent):
                self._anchors.clear()
                self._release()
            elif isinstance(event, MappingStartEvent) and event.anchor is None:
                yield from self._document()
            elif not (isinstance(event, ScalarEvent) and event.style == "" and event.value == ""):
                yield self.line, self._value(event)

    def _document(self) -> Iterator[tuple[int, Any]]:
        """A mapping whose ``items`` are yielded as they are met, or as a whole where it has none."""
        line, mapping, has_items = self.line, _Mapping(), False
        while not isinstance(event := self._event(), MappingEndEvent):
            key = self._value(event, is_key=True)
            mapping.put(key, self.line)
            event = self._event()
            if key == "items" and isinstance(event, SequenceStartEvent) and event.anchor is None:
                has_items = True
                while not isinstance(event := self._event(), SequenceEndEvent):
                    item_line = self.line
                    yield item_line, self._value(event)
                    self._release()
                mapping.put([], self.line)
            else:
                mapping.put(self._value(event), self.line)
        head = mapping.complete()
        if not has_items:
            yield line, head
        else:
            check_is_list(head, line)

    def _event(self) -> Any:
        event = self._next_event()
        self.line = event.start_mark.line + 1
        return event

    def _release(self) -> None:
        self._window.release()
        self._size = 0

    def _value(self, event: Any, is_key: bool = False) -> Any:
        """The data that begins with an event. Its events are read to its end, without recursion."""
        around: list[_Open] = []
        while True:
            kind = event.__class__
            self._count(1)
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                if len(around) >= MAX_DEPTH:
                    raise too_deep(self.line)
                opened = _Mapping if kind is MappingStartEvent else _Sequence
                around.append(opened(event.anchor, self._size))
                event = self._event()
                continue
            depth = 0
            if kind is ScalarEvent:
                value = self._scalar(event, around[-1].wants_key if around else is_key)
            elif kind is AliasEvent:
                value, depth = self._alias(event, len(around))
            else:
                closed = around.pop()
                value, depth = closed.complete(), closed.depth
                self._anchor(closed.anchor, value, self._size - closed.size_before, depth)
            if not around:
                return value
            around[-1].take(value, depth, self.line)
            event = self._event()

    def _scalar(self, event: Any, is_key: bool) -> Any:
        text, style, tag = event.value, event.style, event.tag
        if tag is None and style != "":
            value: Any = text
        elif tag is None and (not is_key or (text and is_text(text))):
            value = MERGE if is_key and text == "<<" else resolve_plain(text)
        else:
            value = self._unusual(Scalar(0, 0, text, style, tag, None), is_key)
        if isinstance(value, float) and not math.isfinite(value):
            raise BadInput(self.line, f"{text} is no number that Kubernetes can read: JSON has none like it")
        self._anchor(event.anchor, value, 1, 0)
        return value

    def _unusual(self, scalar: Scalar, is_key: bool) -> Any:
        """A scalar with a tag, or a key that might be a number."""
        if is_key and is_merge_key(scalar):
            return MERGE
        try:
            return key_text(scalar) if is_key else scalar_value(scalar)
        except BadScalar as error:
            raise BadInput(self.line, str(error)) from None

    def _anchor(self, name: str | None, value: Any, size: int, depth: int) -> None:
        if name is None:
            return
        self._anchors[name] = value, size, depth
        if len(self._anchors) > MAX_ANCHORS:
            raise BadInput(self.line, f"the document has more than {MAX_ANCHORS:,} anchors")

    def _alias(self, event: Any, depth_here: int) -> tuple[Any, int]:
        if event.anchor not in self._anchors:
            raise BadInput(self.line, f"the alias *{event.anchor} refers to nothing that is complete before it")
        value, size, depth = self._anchors[event.anchor]
        self._count(size)
        if depth_here + depth > MAX_DEPTH:
            raise too_deep(self.line)
        return value, depth

    def _count(self, nodes: int) -> None:
        self._size += nodes
        if self._size > MAX_NODES:
            raise BadInput(self.line, f"an object has more than {MAX_NODES:,} nodes once its aliases are expanded")


class _MergeKey:
    """The type of `MERGE`."""


MERGE = _MergeKey()
"""The key ``<<``."""


class _Open:
    """A collection that is being filled."""

    wants_key = False

    def __init__(self, anchor: str | None = None, size_before: int = 0) -> None:
        self.anchor = anchor
        self.size_before = size_before
        # Levels of collections, this one included.
        self.depth = 1

    def take(self, value: Any, depth: int, line: int) -> None:
        """Put in the next value, which has so many levels of collections."""
        if depth >= self.depth:
            self.depth = depth + 1
        self.put(value, line)

    def put(self, value: Any, line: int) -> None:
        raise NotImplementedError

    def complete(self) -> Any:
        raise NotImplementedError


class _Mapping(_Open):
    def __init__(self, anchor: str | None = None, size_before: int = 0) -> None:
        super().__init__(anchor, size_before)
        self.wants_key = True
        self._key: Any = None
        self._data: dict[str, Any] = {}
        self._merged: list[dict[str, Any]] = []

    def put(self, value: Any, line: int) -> None:
        if self.wants_key:
            self._key, self.wants_key = value, False
            return
        self.wants_key = True
        if self._key is MERGE:
            self._merge(value, line)
        elif self._key.__class__ is not str:
            raise BadInput(line, "the key of a mapping is a collection or no string, which Kubernetes does not accept")
        elif self._key in self._data:
            raise BadInput(line, f"the key {self._key!r} stands twice in one mapping")
        else:
            self._data[self._key] = value

    def _merge(self, value: Any, line: int) -> None:
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            raise BadInput(line, "what << merges is not a mapping, nor a list of mappings")
        self._merged += sources

    def complete(self) -> dict[str, Any]:
        for source in self._merged:
            for key, value in source.items():
                self._data.setdefault(key, value)
        return self._data


class _Sequence(_Open):
    def __init__(self, anchor: str | None = None, size_before: int = 0) -> None:
        super().__init__(anchor, size_before)
        self._data: list[Any] = []

    def put(self, value: Any, line: int) -> None:
        self._data.append(value)

    def complete(self) -> list[Any]:
        return self._data
