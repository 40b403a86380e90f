"""Go types as far as crdlint has to know them: names with their package, lists, maps, functions, and structs.

Pointers are left out: to find a field or a method, Go looks through them as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crdlint.gosource.package import Declaration, Package
from crdlint.gosource.packages import Packages
from crdlint.gosource.structs import Field, fields_of
from crdlint.gosource.syntax import GoFile, child

if TYPE_CHECKING:
    from tree_sitter import Node

BUILTIN = ""
_BUILTIN = re.compile(r"bool|byte|rune|string|error|any|u?int(8|16|32|64)?|uintptr|float(32|64)|complex(64|128)")
# More steps of one name to the next than any program takes.
_MAX_STEPS = 20


@dataclass(frozen=True)
class Named:
    """A type by its name; builtin ones have no package."""

    package: str
    name: str

    def __str__(self) -> str:
        return f"{self.package}.{self.name}" if self.package else self.name


@dataclass(frozen=True)
class ListOf:
    """A slice or an array."""

    element: GoType

    def __str__(self) -> str:
        return f"[]{self.element}"


@dataclass(frozen=True)
class MapOf:
    """A map, by its values."""

    value: GoType

    def __str__(self) -> str:
        return f"map[…]{self.value}"


@dataclass(frozen=True)
class FunctionOf:
    """A function, by what it returns."""

    results: tuple[GoType, ...]


@dataclass(frozen=True)
class StructOf:
    """A struct without a name."""

    file: GoFile
    node: Node
    package: Package


GoType = Named | ListOf | MapOf | FunctionOf | StructOf | None


class Types:
    """Answers questions on the types of a repository."""

    def __init__(self, packages: Packages) -> None:
        self.packages = packages

    def of_node(self, file: GoFile, package: Package, node: Node | None) -> GoType:
        """The type that a type expression stands for; None where crdlint has no use for it."""
        if node is None:
            return None
        if node.type in ("pointer_type", "parenthesized_type", "type_elem"):
            return self.of_node(file, package, node.named_children[0] if node.named_children else None)
        if node.type == "type_identifier":
            name = file.text(node)
            if package.type(name) is not None:
                return Named(package.path, name)
            return Named(BUILTIN, name) if _BUILTIN.fullmatch(name) else None
        if node.type == "qualified_type":
            path = file.imports.get(file.text(child(node, "package")))
            return None if path is None else Named(path, file.text(child(node, "name")))
        if node.type == "generic_type":
            return self.of_node(file, package, child(node, "type"))
        if node.type in ("slice_type", "array_type"):
            return ListOf(self.of_node(file, package, child(node, "element")))
        if node.type == "map_type":
            return MapOf(self.of_node(file, package, child(node, "value")))
        if node.type == "struct_type":
            return StructOf(file, node, package)
        if node.type == "function_type":
            return FunctionOf(self.results(file, package, node))
        return None

    def results(self, file: GoFile, package: Package, function: Node) -> tuple[GoType, ...]:
        """The types that a function, or a type of functions, returns."""
        result = function.child_by_field_name("result")
        if result is None:
            return ()
        if result.type != "parameter_list":
            return (self.of_node(file, package, result),)
        found: list[GoType] = []
        for parameter in result.named_children:
            if parameter.type == "parameter_declaration":
                count = max(1, len(parameter.children_by_field_name("name")))
                found += [self.of_node(file, package, child(parameter, "type"))] * count
        return tuple(found)

    def declaration(self, name: GoType) -> Declaration | None:
        """Where a type of the repository is declared."""
        package = self.packages.at(name.package) if isinstance(name, Named) else None
        return None if package is None or not isinstance(name, Named) else package.type(name.name)

    def underlying(self, kind: GoType) -> GoType:
        """What a name stands for: aliases and types that are defined by another one are followed."""
        for _ in range(_MAX_STEPS):
            declaration = self.declaration(kind)
            if declaration is None:
                return kind
            kind = self.of_node(declaration.file, declaration.package, child(declaration.node, "type"))
        return None

    def unaliased(self, kind: GoType) -> GoType:
        """The type itself where a name is an alias of it."""
        for _ in range(_MAX_STEPS):
            declaration = self.declaration(kind)
            if declaration is None or declaration.node.type != "type_alias":
                return kind
            kind = self.of_node(declaration.file, declaration.package, child(declaration.node, "type"))
        return None

    def fields(self, kind: GoType) -> list[Field]:
        """The fields of a struct; none where the type is no struct, or none of this repository."""
        struct = self.underlying(kind)
        return fields_of(struct.file, struct.node) if isinstance(struct, StructOf) else []

    def field_type(self, struct: GoType, found: Field) -> GoType:
        holder = self.underlying(struct)
        return self.of_node(found.file, holder.package, found.type) if isinstance(holder, StructOf) else None

    def member(self, kind: GoType, name: str) -> GoType:
        """The type of a field of that name, own or promoted from an embedded struct."""
        level, seen = [kind], set()
        while level:
            deeper: list[GoType] = []
            for struct in level:
                for found in self.fields(struct):
                    if found.go_name == name or name in found.names:
                        return self.field_type(struct, found)
                    if found.is_embedded:
                        deeper.append(self.field_type(struct, found))
            level = list({str(struct): struct for struct in deeper if str(struct) not in seen}.values())
            seen |= set(map(str, level))
        return None

    def method(self, kind: GoType, name: str) -> Declaration | None:
        """The method of a type, own or promoted."""
        for owner in self.embedding(kind):
            if isinstance(owner, Named) and (package := self.packages.at(owner.package)) is not None:
                found = package.method(owner.name, name)
                if found is not None:
                    return found
        return None

    def embedding(self, kind: GoType) -> Iterator[GoType]:
        """A type, and those that it embeds, at any depth."""
        todo, seen = [self.unaliased(kind)], set()
        while todo:
            current = todo.pop(0)
            if current is None or str(current) in seen:
                continue
            seen.add(str(current))
            yield current
            todo += [self.unaliased(self.field_type(current, f)) for f in self.fields(current) if f.is_embedded]
