"""The kinds that Go types define: a struct with TypeMeta and ObjectMeta, in a package that belongs to an API group."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from crdlint.gosource.constants import keyed, string_value
from crdlint.gosource.gotypes import GoType, ListOf, Named, StructOf, Types
from crdlint.gosource.package import Declaration, Package
from crdlint.gosource.packages import Packages, is_aside
from crdlint.gosource.structs import Field
from crdlint.gosource.syntax import GoFile, Marker, Place, child, descendants

if TYPE_CHECKING:
    from tree_sitter import Node

META = "k8s.io/apimachinery/pkg/apis/meta/v1"
CONDITION = Named(META, "Condition")
_SCHEMA = "k8s.io/apimachinery/pkg/runtime/schema"
_KIND = (Named(META, "TypeMeta"), Named(META, "ObjectMeta"))
# More structs, each embedded in the next, than any program has.
_DEEPEST = 10
_PATH = re.compile(r"path=\"?([^,;\"]+)")


@dataclass(frozen=True)
class StatusField:
    """A field of a status: where it is declared, and the struct that declares it."""

    field: Field
    holder: StructOf
    type: GoType

    @property
    def place(self) -> Place:
        return self.field.file.place(self.field.node.start_byte)

    @property
    def type_text(self) -> str:
        """Its type as the file says it."""
        return self.field.file.text(self.field.type)


@dataclass(frozen=True, eq=False)
class GoKind:
    """One version of a kind, as its Go types declare it."""

    group: str
    kind: str
    version: str
    declaration: Declaration
    types: Types

    @property
    def name(self) -> Named:
        """The Go type."""
        return Named(self.declaration.package.path, self.kind)

    @property
    def place(self) -> Place:
        return self.declaration.file.place(self.declaration.node.start_byte)

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        return self.declaration.comments.markers

    @cached_property
    def plural(self) -> str:
        """The name of the resource: that of the marker, or what controller-gen would make of the kind."""
        for marker in self.markers:
            found = _PATH.search(f"{marker.name}={marker.value}") if "resource" in marker.name else None
            if found:
                return found[1]
        return _plural(self.kind.lower())

    @cached_property
    def status(self) -> StatusField | None:
        """The field whose JSON name is ``status``."""
        return self.json_field(self.name, "status")

    @property
    def status_place(self) -> Place | None:
        return self.status.place if self.status else None

    @cached_property
    def status_type(self) -> GoType:
        """The type of the status, aliases resolved."""
        return self.types.unaliased(self.status.type) if self.status else None

    @cached_property
    def status_struct(self) -> StructOf | None:
        """The struct that declares the fields of the status; None where it is not of this repository."""
        struct = self.types.underlying(self.status.type) if self.status else None
        return struct if isinstance(struct, StructOf) else None

    @property
    def status_struct_place(self) -> Place | None:
        struct = self.status_struct
        return struct.file.place(struct.node.start_byte) if struct else None

    @cached_property
    def conditions(self) -> StatusField | None:
        return self.status_field("conditions")

    @property
    def conditions_place(self) -> Place | None:
        return self.conditions.place if self.conditions else None

    @property
    def conditions_type(self) -> str | None:
        """The Go type of the conditions as the file says it."""
        return self.conditions.type_text if self.conditions else None

    @property
    def has_metav1_conditions(self) -> bool:
        return self.conditions is not None and is_condition_list(self.types, self.conditions.type)

    def status_field(self, name: str) -> StatusField | None:
        """A field of the status by its JSON name, also of a struct that is inlined into it."""
        return self.json_field(self.status.type, name) if self.status else None

    def status_fields(self) -> Iterator[StatusField]:
        """All fields that JSON shows in the status."""
        if self.status:
            yield from self._json_fields(self.status.type, ())

    @cached_property
    def status_structs(self) -> list[tuple[str, int]]:
        """Path and offset of all structs that declare fields of the status."""
        holders = [found.holder for found in self.status_fields()]
        holders += [self.status_struct] if self.status_struct is not None else []
        return [(holder.file.path, holder.node.start_byte) for holder in holders]

    @cached_property
    def has_foreign_fields(self) -> bool:
        """Does the status embed a struct that is not of this repository?"""
        return self._has_foreign_fields(self.status_type, ())

    def _has_foreign_fields(self, struct: GoType, above: tuple[GoType, ...]) -> bool:
        if struct in above or len(above) > _DEEPEST:
            return False
        inlined = [self.types.field_type(struct, found) for found in self.types.fields(struct) if found.is_inline]
        return any(
            not isinstance(self.types.underlying(kind), StructOf) or self._has_foreign_fields(kind, (*above, struct))
            for kind in inlined
        )

    def field_at(self, pointer: str) -> StatusField | None:
        """The deepest field on the way that a pointer into the schema of status takes through ``properties``."""
        found = None
        for name in re.findall(r"/properties/([^/]+)", pointer):
            holder = self.status_type if found is None else found.type
            deeper = self.json_field(holder.element if isinstance(holder, ListOf) else holder, name)
            if deeper is None:
                break
            found = deeper
        return found

    def json_field(self, struct: GoType, name: str) -> StatusField | None:
        """A field of a struct by its JSON name, also of a struct that is inlined into it."""
        return next((found for found in self._json_fields(struct, ()) if found.field.json_name == name), None)

    def _json_fields(self, struct: GoType, above: tuple[GoType, ...]) -> Iterator[StatusField]:
        """``above`` are the structs that it is embedded in; Go refuses one that embeds itself."""
        holder = self.types.underlying(struct)
        if not isinstance(holder, StructOf) or struct in above or len(above) > _DEEPEST:
            return
        for found in self.types.fields(struct):
            kind = self.types.field_type(struct, found)
            if found.is_inline:
                yield from self._json_fields(kind, (*above, struct))
            elif found.json_name not in ("", "-"):
                yield StatusField(found, holder, kind)


def is_condition_list(types: Types, kind: GoType) -> bool:
    """Is this ``[]metav1.Condition``, by whatever name?"""
    found = types.underlying(kind)
    return isinstance(found, ListOf) and types.unaliased(found.element) == CONDITION


def kinds_of(packages: Packages, types: Types) -> Iterator[GoKind]:
    """All kinds of a repository, in the order of their files."""
    for package in packages:
        if is_aside(packages, package) or not any(b"TypeMeta" in file.data for file in package.files):
            continue
        group_version = None
        for declaration in _root_types(package, types):
            group_version = group_version or _group_version(package, packages)
            if group_version[0]:
                yield GoKind(group_version[0], declaration.name, group_version[1], declaration, types)


def _root_types(package: Package, types: Types) -> Iterator[Declaration]:
    for file in package.files:
        if b"TypeMeta" not in file.data or b"ObjectMeta" not in file.data:
            continue
        for (what, name), node in package.declared_in(file).items():
            if what == "type" and child(node, "type").type == "struct_type" and _is_kind(package, file, node, types):
                yield Declaration(file, node, package, name)


def _is_kind(package: Package, file: GoFile, node: Node, types: Types) -> bool:
    embedded = [
        found for found in types.fields(Named(package.path, file.text(child(node, "name")))) if found.is_embedded
    ]
    return {types.of_node(file, package, found.type) for found in embedded} >= set(_KIND)


def _group_version(package: Package, packages: Packages) -> tuple[str, str]:
    """The API group and version of a package: from its markers, or from its ``schema.GroupVersion``."""
    group, version = _declared_group_version(package, packages)
    for file in package.files:
        if b"+groupName" in file.data or b"+versionName" in file.data:
            for marker in file.free_markers():
                if marker.name == "groupName" and marker.value is not None:
                    group = marker.value
                elif marker.name == "versionName" and marker.value:
                    version = marker.value
    return group, version or package.name


def _declared_group_version(package: Package, packages: Packages) -> tuple[str, str]:
    for file in package.files:
        if b"GroupVersion" not in file.data or not package.is_readable(file):
            continue
        for literal in descendants(file.root, "composite_literal"):
            kind = child(literal, "type")
            if kind.type != "qualified_type" or file.text(child(kind, "name")) != "GroupVersion":
                continue
            if file.imports.get(file.text(child(kind, "package"))) == _SCHEMA:
                values = {key: string_value(packages, package, file, value) for key, value in keyed(file, literal)}
                return values.get("Group") or "", values.get("Version") or ""
    return "", ""


def _plural(word: str) -> str:
    """The plural as controller-gen's pluraliser makes it, for the words that kinds are made of."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
