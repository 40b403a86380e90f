"""What an expression of a controller is: of which type, which part of which object, and what is known of its value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from crdlint.gosource.gotypes import GoType, ListOf, Named, Types
from crdlint.gosource.kinds import CONDITION, GoKind
from crdlint.gosource.syntax import child

# The receiver of a method, beside the indexes of its parameters.
RECEIVER = -1

# Interfaces of other repositories, and Go's own, that objects of a kind are passed as.
_INTERFACES = frozenset(("Object", "Setter", "Getter", "ConditionSetter", "any"))

CAPI = "sigs.k8s.io/cluster-api"
FLUX = "github.com/fluxcd/pkg/runtime"
PATCH_PACKAGES = frozenset(
    (f"{CAPI}/util/patch", f"{CAPI}/util/deprecated/v1beta1/patch", f"{FLUX}/patch"),
)


class Part(str, Enum):
    """Which part of an object of a kind."""

    OBJECT = "object"
    META = "metadata"
    STATUS = "status"
    OBSERVED_GENERATION = "status.observedGeneration"
    CONDITIONS = "status.conditions"


# The fields of a status that matter: their names in JSON, and what they are called in Go unless the type says so.
_STATUS_FIELDS = (
    (Part.OBSERVED_GENERATION, "observedGeneration", "ObservedGeneration"),
    (Part.CONDITIONS, "conditions", "Conditions"),
)


class Fact(str, Enum):
    """What is known of a value."""

    GENERATION = "is a metadata.generation"
    OPTION = "has the patch helper write status.observedGeneration"
    STATUS_OBSERVES = "is a status that holds the generation"
    CONDITION = "is a condition"
    CONDITION_OBSERVES = "is a condition that holds the generation"
    PAUSED = "is a condition of type Paused"


@dataclass(frozen=True)
class Owner:
    """The object that something is part of: one of a kind, or the one that a parameter stands for."""

    kind: tuple[str, str] | None = None
    parameter: int | None = None


@dataclass(frozen=True)
class Known:
    """A fact; one that rests on a parameter holds if ``given``, or the fact itself, holds of what the caller gives.

    ``owner`` is the object of which a generation is the generation.
    """

    fact: Fact
    parameter: int | None = None
    given: Fact | None = None
    owner: Owner | None = None

    @property
    def asked(self) -> Fact:
        return self.given or self.fact

    @property
    def is_generation(self) -> bool:
        return self.fact is Fact.GENERATION

    def implies(self, fact: Fact) -> Known:
        """Another fact, which holds where this one does."""
        return Known(fact, self.parameter, None if self.parameter is None else self.asked, self.owner)


@dataclass(frozen=True)
class Value:
    """What is known of an expression. ``copy_of`` names the variable that holds a part of an object by value."""

    type: GoType = None
    owner: Owner | None = None
    part: Part | None = None
    known: frozenset[Known] = frozenset()
    copy_of: str | None = None

    def has(self, fact: Fact) -> bool:
        return any(known.fact is fact and known.parameter is None for known in self.known)

    def has_of(self, fact: Fact, owner: Owner | None) -> bool:
        """Does it hold the generation of this very object?"""
        return Known(fact, owner=owner) in self.known

    def resting_on(self, fact: Fact) -> frozenset[Known]:
        """The fact as it rests on parameters."""
        return frozenset(known for known in self.known if known.fact is fact and known.parameter is not None)

    def knows(self, fact: Fact) -> bool:
        """Is anything known of this fact: that it holds, or on which parameter it rests?"""
        return any(known.fact is fact for known in self.known)

    @property
    def is_given(self) -> bool:
        """Does a parameter stand for the object?"""
        return self.owner is not None and self.owner.parameter is not None

    def knowing(self, known: Iterable[Known]) -> Value:
        return replace(self, known=frozenset(known))


UNKNOWN = Value()
# What holds of several values together only if it holds of each that it could hold of.
_OF_ALL = {Fact.CONDITION_OBSERVES: Fact.CONDITION, Fact.GENERATION: None, Fact.STATUS_OBSERVES: None}


def merged(values: Iterable[Value]) -> frozenset[Known]:
    """What is known of something that may be any of these values, or that holds them all."""
    held = list(values)
    found = {known for value in held for known in value.known}
    for fact, among in _OF_ALL.items():
        concerned = [value for value in held if among is None or value.knows(among)]
        if not all(value.knows(fact) for value in concerned):
            found = {known for known in found if known.fact is not fact}
    return frozenset(found)


class Parts:
    """The kinds of a repository, and which Go types stand for them and for parts of them."""

    def __init__(self, kinds: Iterable[GoKind], types: Types) -> None:
        self.types = types
        self.kinds = {kind.name: kind for kind in kinds}
        self._named = {(kind.group, kind.kind): kind for kind in self.kinds.values()}
        self._statuses: dict[Named, set[tuple[str, str]]] = defaultdict(set)
        for kind in self.kinds.values():
            if isinstance(kind.status_type, Named):
                self._statuses[kind.status_type].add((kind.group, kind.kind))

    def kind_named(self, name: tuple[str, str] | None) -> GoKind | None:
        return self._named.get(name) if name is not None else None

    def kind_of(self, go_type: GoType) -> GoKind | None:
        name = self.types.unaliased(go_type)
        return self.kinds.get(name) if isinstance(name, Named) else None

    def is_condition(self, go_type: GoType) -> bool:
        return self.types.unaliased(go_type) == CONDITION

    def is_status(self, go_type: GoType) -> bool:
        name = self.types.unaliased(go_type)
        return isinstance(name, Named) and name in self._statuses

    def value(self, go_type: GoType) -> Value:
        """What the type alone says: an object of a kind, or the status of the only kind that has such a one."""
        kind = self.kind_of(go_type)
        if kind is not None:
            return Value(go_type, Owner((kind.group, kind.kind)), Part.OBJECT)
        name = self.types.unaliased(go_type)
        owners = self._statuses.get(name, set()) if isinstance(name, Named) else set()
        if owners:
            return Value(go_type, Owner(next(iter(owners))) if len(owners) == 1 else None, Part.STATUS)
        return Value(go_type)

    def retyped(self, value: Value, go_type: GoType) -> Value:
        """The same value as another type, which may say more of it."""
        own = self.value(go_type)
        return replace(own, known=value.known) if own.part is not None else replace(value, type=go_type)

    def observed_field(self, status: GoType) -> str | None:
        """The Go name of status.observedGeneration, as the first kind with such a status says it."""
        name = self.types.unaliased(status)
        kind = next((kind for kind in self.kinds.values() if kind.status_type == name), None)
        found = kind.status_field("observedGeneration") if kind is not None else None
        return found.field.go_name if found is not None else None

    def cannot_observe(self, conditions: GoType) -> bool:
        """Are these conditions of a type of the repository that has no observedGeneration?"""
        held = self.types.underlying(conditions)
        element = held.element if isinstance(held, ListOf) else None
        return bool(self.types.fields(element)) and self.types.member(element, "ObservedGeneration") is None

    def parameter(self, go_type: GoType, index: int) -> Value:
        """What a parameter is: where its type does not say whose part it is, it stands for what the caller gives."""
        value = self.value(go_type)
        if value.owner is not None:
            return value
        known = frozenset(Known(fact, index) for fact in _possible_facts(go_type))
        part = value.part
        if part is None and isinstance(go_type, ListOf) and self.types.unaliased(go_type.element) == CONDITION:
            part = Part.CONDITIONS
        if part is None and self.may_be_of_any_kind(go_type):
            part = Part.OBJECT
        return replace(value, owner=Owner(parameter=index) if part else None, part=part, known=known)

    def may_be_of_any_kind(self, go_type: GoType) -> bool:
        """Is this a type that says nothing, or an interface, rather than a type of something else?"""
        if not isinstance(go_type, Named):
            return go_type is None
        declaration = self.types.declaration(go_type)
        if declaration is None:
            return go_type.name in _INTERFACES
        return child(declaration.node, "type").type == "interface_type" or self.is_status(go_type)

    def member(self, value: Value, name: str) -> Value:
        """The field of that name of a value."""
        go_type = self.types.member(value.type, name)
        part = self._member_part(value, name)
        if part is None:
            return self.value(go_type) if value.owner is None or value.part is Part.OBJECT else Value(go_type)
        if part is Part.META and name == "Generation":
            return Value(go_type, value.owner, part, frozenset({Known(Fact.GENERATION, owner=value.owner)}))
        return Value(go_type, value.owner, part, copy_of=value.copy_of)

    def _member_part(self, value: Value, name: str) -> Part | None:
        if value.part in (Part.OBJECT, Part.META) and name in ("ObjectMeta", "Generation"):
            return Part.META
        if value.part is Part.OBJECT:
            kind = self.kind_of(value.type)
            status = kind.status.field.go_name if kind and kind.status else "Status"
            return Part.STATUS if name == status else None
        if value.part is Part.STATUS:
            return self._status_part(value, name)
        return None

    def _status_part(self, value: Value, name: str) -> Part | None:
        kind = self.kind_named(value.owner.kind if value.owner else None)
        for part, json_name, usual in _STATUS_FIELDS:
            declared = kind.status_field(json_name) if kind is not None else None
            if name == (declared.field.go_name if declared is not None else usual):
                return part
        embedded = {found.go_name for found in self.types.fields(value.type) if found.is_embedded}
        return Part.STATUS if name in embedded else None


def _possible_facts(go_type: GoType) -> tuple[Fact, ...]:
    """Which facts a caller may give with a parameter of this type."""
    element = go_type.element if isinstance(go_type, ListOf) else go_type
    if element == CONDITION:
        return (Fact.CONDITION, Fact.CONDITION_OBSERVES, Fact.PAUSED)
    if isinstance(element, Named) and element.package in PATCH_PACKAGES:
        return (Fact.OPTION,)
    if element in (Named("", "int64"), Named("", "int")):
        return (Fact.GENERATION,)
    return ()
