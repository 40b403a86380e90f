"""One Go package: its files, and what they declare at their top level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from crdlint.gosource.syntax import Comments, GoFile, NotParsed, child

if TYPE_CHECKING:
    from tree_sitter import Node

_OPTIONAL = "kubebuilder:validation:Optional"


@dataclass(frozen=True)
class Declaration:
    """A name at the top level of a package: the node that declares it, in its file."""

    file: GoFile
    node: Node
    package: Package
    name: str

    @property
    def commented(self) -> Node:
        """What the comments of a type stand above: ``type X …``, or its own line in a group ``type ( … )``."""
        parent = self.node.parent
        assert parent is not None
        return self.node if parent.children[1].type == "(" else parent

    @property
    def comments(self) -> Comments:
        return self.file.comments_above(self.commented)


class Package:
    """A folder of Go files. ``path`` is its import path, or the folder itself outside of any module.

    Files that cannot be parsed are named in ``problems``.
    """

    def __init__(self, path: str, folder: str, files: list[GoFile], problems: list[str]) -> None:
        self.path = path
        self.folder = folder
        self.files = files
        self.problems = problems
        self._declared: dict[GoFile, dict[tuple[str, str], Node]] = {}
        self._found: dict[tuple[str, str], Declaration | None] = {}
        self._unreadable: set[GoFile] = set()

    @property
    def name(self) -> str:
        """What the package calls itself."""
        return self.files[0].package

    @cached_property
    def makes_optional(self) -> bool:
        """Does a marker of the package make fields optional that do not say otherwise?"""
        return any(
            marker.name == _OPTIONAL and not file.indentation(marker.start)
            for file in self.files
            if _OPTIONAL.encode() in file.data
            for marker in file.free_markers()
        )

    def type(self, name: str) -> Declaration | None:
        return self._find("type", name)

    def function(self, name: str) -> Declaration | None:
        return self._find("function", name)

    def method(self, receiver: str, name: str) -> Declaration | None:
        return self._find("method", f"{receiver}.{name}")

    def value(self, name: str) -> Declaration | None:
        """The spec that declares a constant or a variable."""
        return self._find("value", name)

    def declared_in(self, file: GoFile) -> dict[tuple[str, str], Node]:
        """What a file declares, by what it is and its name; nothing where the file cannot be parsed."""
        if file not in self._declared:
            self._declared[file] = dict(_declarations(file)) if self.is_readable(file) else {}
        return self._declared[file]

    def is_readable(self, file: GoFile) -> bool:
        """Can this file be parsed?"""
        if file in self._unreadable:
            return False
        try:
            return file.root is not None
        except NotParsed as error:
            self._unreadable.add(file)
            self.problems.append(f"{error}: the file is passed over")
            return False

    def _find(self, kind: str, name: str) -> Declaration | None:
        key = (kind, name)
        if key not in self._found:
            self._found[key] = self._search(kind, name)
        return self._found[key]

    def _search(self, kind: str, name: str) -> Declaration | None:
        """Only files in which the name occurs are parsed."""
        needle = name.rpartition(".")[2].encode()
        for file in self.files:
            if needle in file.data:
                found = self.declared_in(file).get((kind, name))
                if found is not None:
                    return Declaration(file, found, self, name)
        return None


def _declarations(file: GoFile) -> Iterator[tuple[tuple[str, str], Node]]:
    for node in file.root.named_children:
        if node.type == "type_declaration":
            for spec in node.named_children:
                if spec.type in ("type_spec", "type_alias"):
                    yield ("type", file.text(child(spec, "name"))), spec
        elif node.type == "function_declaration":
            yield ("function", file.text(child(node, "name"))), node
        elif node.type == "method_declaration":
            yield ("method", f"{receiver_type(file, node)}.{file.text(child(node, 'name'))}"), node
        elif node.type in ("const_declaration", "var_declaration"):
            for spec in _specs(node):
                for name in spec.children_by_field_name("name"):
                    yield ("value", file.text(name)), spec


def _specs(declaration: Node) -> Iterator[Node]:
    for node in declaration.named_children:
        if node.type == "var_spec_list":
            yield from (spec for spec in node.named_children if spec.type == "var_spec")
        elif node.type in ("var_spec", "const_spec"):
            yield node


def receiver_type(file: GoFile, method: Node) -> str:
    """The name of the type that a method belongs to, without pointer and type parameters."""
    text = file.text(child(method, "receiver")).strip("()")
    return text.rpartition(" ")[2].lstrip("*").partition("[")[0]
