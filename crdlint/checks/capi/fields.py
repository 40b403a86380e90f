"""The fields that the contract asks for, and how the schema of a version can fall short of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from crdlint.checks.capi.contracts import END_OF_V1BETA1
from crdlint.checks.capi.shapes import Shape, differences
from crdlint.crd.parts import Part
from crdlint.findings import Severity


class Need(Enum):
    """How much the contract asks for a field. One that may be left out must have its shape where it is there."""

    MUST = Severity.ERROR
    EXAMPLE = Severity.INFO  # no rule asks for it, but the book's own type has it
    MAY = None


@dataclass(frozen=True)
class Former:
    """What an older contract has in the place of a field, and is still read. The path may be the field's own."""

    path: str
    shape: Shape
    until: str = END_OF_V1BETA1
    severity: Severity = Severity.WARNING


@dataclass(frozen=True)
class Field:
    """A field of the contract. It is asked for only where one of the fields ``given`` is declared, if any are named."""

    path: str
    shape: Shape
    need: Need = Need.MUST
    given: tuple[str, ...] = ()
    former: Former | None = None


@dataclass(frozen=True)
class Breach:
    """A field that is not as the contract asks: what stands in its place, or how its shape differs, if it is there."""

    field: Field
    part: Part
    former: Former | None = None
    differences: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        return self.former is None and not self.differences

    @property
    def severity(self) -> Severity:
        if self.former is not None:
            return self.former.severity
        return Severity.ERROR if self.differences else self.field.need.value or Severity.INFO


def breach(root: Part, field: Field) -> Breach | None:
    """Where the schema of a version falls short of a field of the contract."""
    if field.given and not any(root.at(path).is_declared for path in field.given):
        return None
    part = root.at(field.path)
    if not part.is_declared and part.is_open:
        return None
    found = tuple(differences(part, field.shape, field.path))
    if part.is_declared and not found:
        return None
    former = field.former
    if former is not None and (former.path == field.path or not part.is_declared) and _is_there(root, former):
        return Breach(field, part, former)
    if not part.is_declared and field.need is Need.MAY:
        return None
    return Breach(field, part, None, found)


def _is_there(root: Part, former: Former) -> bool:
    part = root.at(former.path)
    return part.is_declared and not any(differences(part, former.shape, former.path))
