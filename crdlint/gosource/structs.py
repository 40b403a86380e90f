"""The fields of a Go struct: names, types, tags and markers, and where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from crdlint.gosource.syntax import Comments, GoFile, Marker, child

if TYPE_CHECKING:
    from tree_sitter import Node

_JSON = re.compile(r'(?:^|\s)json:"((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
_OPTIONS = frozenset(("omitempty", "omitzero"))


@dataclass(frozen=True)
class Field:
    """One field declaration of a struct."""

    file: GoFile
    node: Node

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.file.text(name) for name in self.node.children_by_field_name("name"))

    @property
    def is_embedded(self) -> bool:
        return not self.names

    @cached_property
    def go_name(self) -> str:
        """Its name in Go; that of an embedded field is the name of its type."""
        if self.names:
            return self.names[0]
        return self.file.text(self.type).lstrip("*").partition("[")[0].rpartition(".")[2]

    @property
    def type(self) -> Node:
        return child(self.node, "type")

    @property
    def tag(self) -> Node | None:
        return self.node.child_by_field_name("tag")

    @cached_property
    def _json(self) -> list[str]:
        if self.tag is None:
            return []
        text = self.file.text(self.tag)
        value = text[1:-1] if text.startswith("`") else _ESCAPED.sub(r"\1", text[1:-1])
        match = _JSON.search(value)
        return match[1].split(",") if match else []

    @property
    def json_name(self) -> str:
        """Its name in JSON; empty where it has none of its own."""
        return self._json[0] if self._json else ""

    @property
    def is_inline(self) -> bool:
        """Do the fields of its type count as fields of the struct?"""
        return "inline" in self._json[1:] or (self.is_embedded and self.json_name == "")

    @property
    def may_be_left_out(self) -> bool:
        return any(option in _OPTIONS for option in self._json[1:])

    @cached_property
    def comments(self) -> Comments:
        return self.file.comments_above(self.node)

    @property
    def markers(self) -> tuple[Marker, ...]:
        return self.comments.markers

    def marker(self, *names: str) -> Marker | None:
        """The last marker of one of these names: where one stands twice, controller-gen takes the last."""
        return next((marker for marker in reversed(self.markers) if marker.name in names), None)


def fields_of(file: GoFile, struct: Node) -> list[Field]:
    """The fields of a ``struct { … }``."""
    return [Field(file, node) for node in body_of(struct).named_children if node.type == "field_declaration"]


def body_of(struct: Node) -> Node:
    """The braces of a struct, with what is between them."""
    return next(part for part in struct.named_children if part.type == "field_declaration_list")
