"""Checks made from tables: which fields a rule of the contract asks of which role, in which contract."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crdlint.checks.capi.contracts import V1BETA1, V1BETA2, contract_of
from crdlint.checks.capi.fields import Breach, Field, breach
from crdlint.checks.capi.roles import Role, role_of
from crdlint.checks.capi.shapes import OBJECT
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.model import Version
from crdlint.crd.parts import Part
from crdlint.findings import Applicability
from crdlint.yamltext.operations import Op, Operation, merged

# The fields of a role, by contract.
Contracts = Mapping[str, tuple[Field, ...]]


def in_both(*fields: Field) -> Contracts:
    return {V1BETA1: fields, V1BETA2: fields}


@dataclass(frozen=True)
class Topic:
    """One rule: the fields that it asks for, and what it costs where Cluster API does not find them.

    ``reasons`` tell what goes with an addition, where the rule's own fix is manual.
    """

    cost: str
    fields: Mapping[Role, Contracts]
    reasons: tuple[str, ...] = ()

    def check(self, version: Version, context: Context) -> Iterator[Problem]:
        role = role_of(version.crd, context.capi)
        if role is None or role not in self.fields:
            return
        contract = contract_of(version, context.capi)
        root = version.schema
        found = [
            broken for field in self.fields[role].get(contract or "", ()) if (broken := breach(root, field)) is not None
        ]
        if found:
            worst = max(found, key=lambda broken: broken.severity.rank)
            yield Problem(
                _pointer(root, worst),
                f"{role.value} of contract {contract} {self._text(found)}",
                self._draft(root, found),
                worst.severity,
            )

    def _text(self, found: Sequence[Breach]) -> str:
        unseen = "; ".join(_unseen(found))
        matters = any(broken.former is None and broken.severity.rank for broken in found)
        return "; ".join(filter(None, (f"{unseen}: {self.cost}" if matters else unseen, *_old_forms(found))))

    def _draft(self, root: Part, found: Sequence[Breach]) -> Draft:
        """Declare what is missing, where that alone can be right."""
        obstacles = tuple(_obstacles(root, found))
        if obstacles:
            return Draft(Applicability.MANUAL, obstacles)
        return Draft(Applicability.UNSAFE, self.reasons, tuple(_operations(root, found)))


def _unseen(found: Sequence[Breach]) -> Iterator[str]:
    """What Cluster API does not find, or cannot read."""
    missing = [broken.field.path for broken in found if broken.is_missing]
    if missing:
        yield f"does not declare {_listed(missing)}"
    yield from (difference for broken in found for difference in broken.differences)


def _old_forms(found: Sequence[Breach]) -> Iterator[str]:
    """What is still read, and until when."""
    for until in dict.fromkeys(broken.former.until for broken in found if broken.former):
        old = [_old(broken) for broken in found if broken.former and broken.former.until == until]
        yield f"has {', '.join(old)}: deprecated, and read until {until}"


def _old(broken: Breach) -> str:
    assert broken.former is not None
    if broken.former.path == broken.field.path:
        return f"`{broken.field.path}` in its old form"
    return f"`{broken.former.path}` in the place of `{broken.field.path}`"


def _obstacles(root: Part, found: Sequence[Breach]) -> Iterator[str]:
    """What keeps additions from being right."""
    stored = [broken.field.path for broken in found if broken.differences or _is_reshaped(broken)]
    if stored:
        yield f"what is stored in {_listed(stored)} would have to change"
    moved = [broken.former.path for broken in found if broken.former and broken.field.path.startswith("spec.")]
    if moved:
        yield f"users write {_listed(moved)}: to move it takes a new version of the API, and a conversion"
    for broken in found:
        ancestor, names = _nearest(root, broken.field)
        if broken.is_missing and broken.field.shape == OBJECT:
            yield f"only the author knows which fields `{broken.field.path}` has"
        elif names and (ancestor is root or ancestor.type not in (None, "object")):
            yield f"the schema has no place to which `{broken.field.path}` could be added"


def _is_reshaped(broken: Breach) -> bool:
    return broken.former is not None and broken.former.path == broken.field.path


def _operations(root: Part, found: Sequence[Breach]) -> Iterator[Operation]:
    """One operation for each place where something is missing, with all that is missing there."""
    additions: dict[str, Any] = {}
    for broken in found:
        ancestor, (name, *below) = _nearest(root, broken.field)
        schema: Any = copy.deepcopy(broken.field.shape)
        for inner in reversed(below):
            schema = {"minProperties": 1, "properties": {inner: schema}, "type": "object"}
        pointer = ancestor.field(name).pointer
        additions[pointer] = merged(additions[pointer], schema) if pointer in additions else schema
    return (Operation(Op.ADD, pointer, schema) for pointer, schema in additions.items())


def _nearest(root: Part, field: Field) -> tuple[Part, list[str]]:
    """The deepest declared part on the way to a field, and the names that are missing below it."""
    part, names = root, field.path.split(".")
    while names and part.field(names[0]).is_declared:
        part = part.field(names.pop(0))
    return part, names


def _pointer(root: Part, broken: Breach) -> str:
    if broken.former is not None:
        return root.at(broken.former.path).pointer
    return broken.part.pointer if broken.part.is_declared else _nearest(root, broken.field)[0].pointer


def _listed(paths: Sequence[str]) -> str:
    *first, last = [f"`{path}`" for path in paths]
    return f"{', '.join(first)} and {last}" if first else last
