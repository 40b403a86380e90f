"""Go files as text with a syntax tree: what stands where, what is imported, and the comments above a declaration."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from crdlint.errors import UsageError

if TYPE_CHECKING:
    from tree_sitter import Node

_HOW = "Go sources are read by tree-sitter: pip install 'crdlint[go]'"
_MARKER = re.compile(rb"//[ \t]*\+([^\r\n]*?)[ \t]*\r?$")
# ``new`` of a value, which Go has since 1.26 and the grammar has not, is read as any other call: first where it cannot
# be one of a type that only the grammar of types knows, or else everywhere.
_NEW_OF_VALUE = (
    re.compile(rb"\bnew\((?!\s*(?:\[|map\b|struct\b|func\b|chan\b|interface\b))"),
    re.compile(rb"\bnew\("),
)
_CLAUSE = re.compile(rb"^package[ \t]+(\w+)", re.MULTILINE)
_MAJOR_VERSION = re.compile(r"v[0-9]+")
# Levels of a syntax tree: more than people nest, and few enough for expressions to be read within Python's stack.
_DEEPEST = 100


@dataclass(frozen=True)
class Place:
    """A place in a file; line and column count from 1, columns in characters."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Marker:
    """One ``// +name=value`` above a declaration; ``start`` and ``end`` span the comment in its file."""

    name: str
    value: str | None
    start: int
    end: int


@dataclass(frozen=True)
class Comments:
    """What stands above a declaration, as controller-gen reads it (controller-tools, pkg/markers/collect.go).

    ``start`` is where its doc comment begins, or the declaration itself. Markers may also stand in the group of
    comments above the doc comment.
    """

    start: int
    markers: tuple[Marker, ...]


class NotParsed(Exception):
    """A file that is not Go, or not yet, or that nests too deep to be read."""


class GoFile:
    """One source file; it is parsed when something in it is asked for.

    ``name_of`` tells what a package of the repository calls itself, by its import path.
    """

    def __init__(self, path: str, data: bytes, name_of: Callable[[str], str | None] = lambda path: None) -> None:
        self.path = path
        self.data = data
        self.name_of = name_of

    @cached_property
    def root(self) -> Node:
        """Raises `NotParsed` that says at which place."""
        root: Node = parser().parse(self.data).root_node
        for pattern in _NEW_OF_VALUE if root.has_error else ():
            if root.has_error:
                root = parser().parse(pattern.sub(b"nex(", self.data)).root_node
        if root.has_error:
            raise NotParsed(f"{self.place(_first_error(root).start_byte)}: cannot be parsed as Go")
        deep = _too_deep(root)
        if deep is not None:
            raise NotParsed(f"{self.place(deep.start_byte)}: nests deeper than {_DEEPEST} levels of syntax")
        return root

    @property
    def newline(self) -> bytes:
        return b"\r\n" if b"\r\n" in self.data else b"\n"

    @cached_property
    def package(self) -> str:
        """The name in the package clause."""
        match = _CLAUSE.search(self.data)
        return match[1].decode("utf-8", "replace") if match else ""

    @cached_property
    def import_specs(self) -> list[Node]:
        found = []
        for declaration in self.declarations("import_declaration"):
            for part in declaration.named_children:
                specs = part.named_children if part.type == "import_spec_list" else [part]
                found += [spec for spec in specs if spec.type == "import_spec"]
        return found

    @cached_property
    def imports(self) -> dict[str, str]:
        """Import paths by the name that the file uses for them."""
        named, guessed = {}, {}
        for spec in self.import_specs:
            path = self.text(child(spec, "path"))[1:-1]
            name = spec.child_by_field_name("name")
            known = self.text(name) if name is not None else self.name_of(path)
            if known:
                named[known] = path
            else:
                guessed.update(dict.fromkeys(_default_names(path), path))
        return guessed | named

    def declarations(self, *kinds: str) -> Iterator[Node]:
        return (node for node in self.root.named_children if node.type in kinds)

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def place(self, offset: int) -> Place:
        line = self.line_of(offset)
        column = len(self.data[self._line_starts[line] : offset].decode("utf-8", "replace")) + 1
        return Place(self.path, line + 1, column)

    def source_line(self, offset: int) -> str:
        """The line around an offset, without its indentation."""
        return self.line(self.line_of(offset)).decode("utf-8", "replace").strip()

    def line_of(self, offset: int) -> int:
        """The number of a line, from 0."""
        return bisect_right(self._line_starts, offset) - 1

    def line_start(self, line: int) -> int:
        return self._line_starts[line]

    def line_end(self, line: int) -> int:
        """Where the next line starts."""
        return self._line_starts[line + 1] if line + 1 < len(self._line_starts) else len(self.data)

    def line(self, line: int) -> bytes:
        return self.data[self.line_start(line) : self.line_end(line)]

    def indentation(self, offset: int) -> bytes:
        line = self.line(self.line_of(offset))
        return line[: len(line) - len(line.lstrip(b" \t"))]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\n", self.data))]

    def comments_above(self, node: Node) -> Comments:
        """The doc comment of a declaration, and the markers that count for it."""
        line = self.line_of(node.start_byte) - 1
        doc, line = self._group_above(line)
        while line >= 0 and not self.line(line).strip():
            line -= 1
        above, _ = self._group_above(line)
        start = self.line_start(doc[0]) if doc else self.line_start(self.line_of(node.start_byte))
        return Comments(start, tuple(marker for number in (*above, *doc) for marker in self._markers(number)))

    def _group_above(self, line: int) -> tuple[list[int], int]:
        """The lines of the comments that end at ``line`` without a gap, and the line above them."""
        last = line
        while line >= 0 and (first := self._comment_start(line)) is not None:
            line = first - 1
        return list(range(line + 1, last + 1)), line

    def _comment_start(self, line: int) -> int | None:
        """The first line of the comment that ends at ``line``; None where code stands there."""
        text = self.line(line).strip()
        if text.startswith(b"//"):
            return line
        if not text.endswith(b"*/") or b"//" in text:
            return None
        while line > 0 and b"/*" not in self.line(line):
            line -= 1
        return line if self.line(line).strip().startswith(b"/*") else None

    def _markers(self, line: int) -> Iterator[Marker]:
        content = self.line(line)
        match = _MARKER.search(content.rstrip(b"\n"))
        if match is None or content[: match.start()].strip():
            return
        name, value = split_marker(match[1].decode("utf-8", "replace"))
        start = self.line_start(line) + match.start()
        yield Marker(name, value, start, self.line_start(line) + match.end(1))

    def free_markers(self) -> list[Marker]:
        """All markers of the file, whatever they belong to: those of a package stand anywhere in it."""
        return [marker for line in range(len(self._line_starts)) for marker in self._markers(line)]


def split_marker(text: str) -> tuple[str, str | None]:
    """``name=value`` or ``name:=value``; a name that takes arguments ends at the last colon before the ``=``."""
    name, equals, value = text.partition("=")
    return name.removesuffix(":").strip(), value if equals else None


def child(node: Node, name: str) -> Node:
    """A child that the grammar always has."""
    found = node.child_by_field_name(name)
    assert found is not None, f"a {node.type} without {name}"
    return found


def descendants(node: Node, *kinds: str) -> Iterator[Node]:
    """All nodes of these kinds below a node, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in kinds:
            yield current
        stack += reversed(current.named_children)


@lru_cache(maxsize=1)
def parser() -> Any:
    """tree-sitter with the grammar of Go. Raises `UsageError` where it is not installed."""
    try:
        import tree_sitter
        import tree_sitter_go
    except ImportError:
        raise UsageError(_HOW) from None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_go.language()))


def _first_error(node: Node) -> Node:
    while node.has_error:
        broken = next((part for part in node.children if part.has_error or part.is_missing), None)
        if broken is None or node.is_error:
            break
        node = broken
    return node


def _too_deep(root: Node) -> Node | None:
    """A node below the deepest level, if there is one. What has too few nodes to reach so deep is not looked into.

    Operators between two operands, such as those of a long text, make no level: nothing reads on into their operands.
    """
    todo = [(root, 0)]
    while todo:
        node, depth = todo.pop()
        if depth > _DEEPEST:
            return node
        if node.descendant_count > _DEEPEST - depth:
            depth += node.type != "binary_expression"
            todo += [(part, depth) for part in reversed(node.named_children)]
    return None


def _default_names(path: str) -> set[str]:
    """What a package of another repository may be called that is imported without a name."""
    parts = path.split("/")
    names = {parts[-1], parts[-1].removeprefix("go-"), re.sub(r"\.v[0-9]+$", "", parts[-1])}
    if _MAJOR_VERSION.fullmatch(parts[-1]) and len(parts) > 1:
        names.add(parts[-2])
    return names
