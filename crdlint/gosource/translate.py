"""Operations on the generated schema, said in Go: markers, fields and tags of the types that it is generated from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from crdlint.gosource import changes
from crdlint.gosource.changes import NoPlace
from crdlint.gosource.defaults import default_marker, read_default, with_generation
from crdlint.gosource.edits import Edit
from crdlint.gosource.gotypes import GoType, StructOf
from crdlint.gosource.kinds import META, GoKind, StatusField
from crdlint.gosource.syntax import GoFile, Marker, Place
from crdlint.yamltext.operations import Operation

_DEFAULT = ("kubebuilder:default", "default")
_MINIMUM = ("kubebuilder:validation:Minimum", "k8s:minimum")
_LIST_TYPE = ("listType", "k8s:listType")
_LIST_KEY = ("listMapKey", "k8s:listMapKey")
_SUBRESOURCE = "kubebuilder:subresource:status"
# A pointer into the schema of status, and what is behind that.
STATUS = re.compile(r"/openAPIV3Schema/properties/status(/.*)?$")
_ROOT_REQUIRED = re.compile(r"/openAPIV3Schema/required/[0-9]+$")
_FIELD = "/properties/observedGeneration"
_LIST = re.compile(r"(.*/properties/conditions)/x-kubernetes-list-(type|map-keys)")

_OBSERVED_GENERATION = (
    "// ObservedGeneration is the generation of the object that its controller acted upon last; -1 before the first.",
    "// +optional",
    'ObservedGeneration int64 `json:"observedGeneration,omitempty"`',
)
_CONDITIONS = (
    "// Conditions say what state the object is in.",
    "// +listType=map",
    "// +listMapKey=type",
    "// +optional",
    'Conditions []{metav1}.Condition `json:"conditions,omitempty"`',
)


class Refused(Exception):
    """An operation that only a person can say in Go: why, the exact change, and where."""

    def __init__(self, reason: str, change: str, place: Place) -> None:
        super().__init__(reason)
        self.reason = reason
        self.change = change
        self.place = place


class Translation:
    """Collects the edits of one finding. Raises `Refused` where an operation cannot be said in Go."""

    def __init__(self, kind: GoKind) -> None:
        self.kind = kind
        self.edits: list[Edit] = []
        self.said: list[str] = []
        # What the edits change, of which other kinds may be made too: structs, by place, and types with a name.
        self.structs: set[tuple[str, int]] = set()
        self.named: set[GoType] = set()
        self.place = kind.place

    def add(self, operation: Operation) -> None:
        pointer = operation.pointer
        inside = STATUS.search(pointer)
        if pointer.endswith("/subresources/status"):
            self.switch_subresource_on()
        elif _ROOT_REQUIRED.search(pointer):
            self.make_optional([self.status])
        elif inside is not None:
            self.add_inside(inside[1] or "", operation.value)
        else:
            raise self.unknown(pointer)

    def add_inside(self, pointer: str, value: Any) -> None:
        keyed = _LIST.fullmatch(pointer)
        if pointer == "/default":
            self.set_default(value)
        elif pointer == "/default/observedGeneration":
            self.set_generation_of_default(value)
        elif pointer == "/required":
            self.loosen()
        elif pointer == _FIELD:
            self.add_field("ObservedGeneration", _OBSERVED_GENERATION)
        elif pointer == "/properties/conditions":
            self.add_field("Conditions", _CONDITIONS)
        elif pointer == _FIELD + "/default":
            self.change_value(self.observed_generation, _DEFAULT, str(value))
        elif pointer == _FIELD + "/minimum":
            self.change_value(self.observed_generation, _MINIMUM, str(value))
        elif keyed is not None:
            self.key_by_type(self.kind.field_at(keyed[1]))
        else:
            raise self.unknown(pointer)

    def unknown(self, pointer: str) -> Refused:
        place = self.kind.status.place if self.kind.status else self.kind.place
        return Refused("no marker says this", f"change what is generated at {pointer}", place)

    @property
    def status(self) -> StatusField:
        if self.kind.status is None:
            raise Refused(
                f"the field with the JSON name status of {self.kind.kind} was not found in the Go types",
                "change the type that declares it",
                self.kind.place,
            )
        return self.kind.status

    @property
    def observed_generation(self) -> StatusField:
        found = self.kind.status_field("observedGeneration")
        if found is None:
            raise Refused(
                "the field observedGeneration of the status was not found in the Go types of this repository",
                "change the type that declares it",
                self.status.place,
            )
        return found

    def switch_subresource_on(self) -> None:
        self.said.append(f"+{_SUBRESOURCE} on {self.kind.kind}")
        if all(marker.name != _SUBRESOURCE for marker in self.kind.markers):
            with self.room_at(self.kind.place):
                self.edits.append(changes.type_marker(self.kind.declaration, _SUBRESOURCE))

    def set_default(self, value: Any) -> None:
        status, text = self.status, default_marker(value)
        self.said.append(f"+{text} on {status.field.go_name}")
        file, marker = self.marker_of(status, _DEFAULT)
        self.place = status.place
        name, _, new = text.partition("=")
        if marker is None:
            with self.room_at(status.place):
                self.edits.append(changes.field_marker(status.field, text))
        elif read_default(marker.value or "") != value:
            keeps = marker.name == name
            self.edits.append(
                changes.with_value(file, marker, new) if keeps else changes.replaced_marker(file, marker, text)
            )

    def set_generation_of_default(self, value: int) -> None:
        status = self.status
        file, marker = self.marker_of(status, _DEFAULT)
        self.said.append(f"observedGeneration {value} in the default of {status.field.go_name}")
        self.place = status.place
        new = with_generation(marker.value or "", value) if marker is not None else None
        if marker is None or new is None:
            change = f"write {value} for observedGeneration in the marker of its default"
            raise Refused("the marker of the default was not found", change, status.place)
        if new != marker.value:
            self.edits.append(changes.with_value(file, marker, new))

    def change_value(self, found: StatusField, names: tuple[str, ...], value: str) -> None:
        """Write another value into a marker of a field, or of its type."""
        self.said.append(f"{names[0].rpartition(':')[2]} {value} for {found.field.go_name}")
        self.touch(found)
        file, marker = self.marker_of(found, names)
        if marker is None:
            raise Refused(f"no marker +{names[0]} was found", f"write +{names[0]}={value}", found.place)
        if marker.value != value:
            self.edits.append(changes.with_value(file, marker, value))

    def loosen(self) -> None:
        """Make all fields of the status optional."""
        if self.kind.has_foreign_fields:
            raise Refused(
                "the status embeds a struct that is not of this repository, whose fields may be required",
                "mark the required fields +optional, with omitempty in their tags",
                self.status.place,
            )
        self.make_optional([found for found in self.kind.status_fields() if _is_required(found)])
        self.said.append(f"no required fields in {self.kind.kind}'s status")

    def make_optional(self, fields: list[StatusField]) -> None:
        for found in fields:
            self.said.append(f"+optional and omitempty on {found.field.go_name}")
            self.touch(found)
            with self.room_at(found.place):
                self.edits += changes.optional(found.field)

    def add_field(self, name: str, lines: tuple[str, ...]) -> None:
        struct, status = self.kind.status_struct, self.status
        declaration = lines[-1].replace("{metav1}", "metav1")
        change = f"add `{declaration}` with the markers " + " ".join(line[3:] for line in lines if line[3:4] == "+")
        self.said.append(f"the field {name} in {self.kind.kind}'s status")
        self.place = status.place
        if struct is None:
            raise Refused("the type of the status is not declared in this repository", change, status.place)
        place = struct.file.place(struct.node.start_byte)
        self.place = place
        if self.kind.status_field(name[:1].lower() + name[1:]) is not None:
            return
        if self.kind.types.member(self.kind.status_type, name) or self.kind.types.method(self.kind.status_type, name):
            raise Refused(f"the status has something else of the name {name}", change, place)
        self.structs.add((struct.file.path, struct.node.start_byte))
        with self.room_at(place, change):
            self.edits += _field_edits(struct, lines)

    def key_by_type(self, found: StatusField | None) -> None:
        change = "add the markers +listType=map and +listMapKey=type to the conditions"
        if found is None:
            raise Refused("the conditions were not found in the Go types", change, self.status.place)
        self.said.append(f"+listType=map and +listMapKey=type on {found.field.go_name}")
        self.touch(found)
        missing = []
        for names, value in ((_LIST_TYPE, "map"), (_LIST_KEY, "type")):
            file, marker = self.marker_of(found, names)
            if marker is None:
                missing.append(f"{names[0]}={value}")
            elif marker.value != value:
                self.edits.append(changes.with_value(file, marker, value))
        if missing:
            with self.room_at(found.place, change):
                self.edits.append(self.list_markers(found, missing))

    def list_markers(self, found: StatusField, texts: list[str]) -> Edit:
        """Markers of a list: at the field, or at the type that the list has a name of its own for."""
        if found.field.type.type in ("slice_type", "array_type"):
            return changes.field_marker(found.field, *texts)
        declaration = self.kind.types.declaration(found.type)
        if declaration is None or declaration.node.type == "type_alias":
            raise NoPlace(f"the type of the list, {found.type_text}, cannot take a marker here")
        self.named.add(found.type)
        return changes.type_marker(declaration, *texts)

    def marker_of(self, found: StatusField, names: tuple[str, ...]) -> tuple[GoFile, Marker | None]:
        """A marker of a field, or of the named type that it has, and its file."""
        marker = next((own for name in names if (own := found.field.marker(name)) is not None), None)
        if marker is not None:
            return found.field.file, marker
        declaration = self.kind.types.declaration(found.type)
        if declaration is None:
            return found.field.file, None
        marker = next((own for own in reversed(declaration.comments.markers) if own.name in names), None)
        if marker is not None:
            self.named.add(found.type)
        return declaration.file, marker

    def touch(self, found: StatusField) -> None:
        self.place = found.place
        self.structs.add((found.holder.file.path, found.holder.node.start_byte))

    @contextmanager
    def room_at(self, place: Place, change: str | None = None) -> Iterator[None]:
        """Where the text has no room for a change, a person has to make it: by default, what was said of it last."""
        try:
            yield
        except NoPlace as why:
            raise Refused(str(why), change or self.said[-1], place) from None


def _field_edits(struct: StructOf, lines: tuple[str, ...]) -> Iterator[Edit]:
    name = "metav1"
    if "{metav1}" in lines[-1]:
        name, imports = changes.imported(struct.file, META, name)
        yield from imports
    yield changes.new_field(struct, [line.replace("{metav1}", name) for line in lines])


def _is_required(found: StatusField) -> bool:
    """Does controller-gen list this field as required (controller-tools, pkg/crd/schema.go)?"""
    field = found.field
    if field.marker("kubebuilder:validation:Optional"):
        return False
    if field.marker("kubebuilder:validation:Required"):
        return True
    if field.marker(*changes.OPTIONAL):
        return False
    return bool(field.marker(*changes.REQUIRED)) or not (field.may_be_left_out or found.holder.package.makes_optional)
