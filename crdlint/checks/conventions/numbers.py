"""Numbers are int32 or int64 (API conventions, "Primitive types")."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crdlint.checks.context import Context, Problem
from crdlint.checks.conventions.fields import Field, fields_of, problems
from crdlint.crd.model import Version

_UNSIGNED = ("uint", "uint8", "uint16", "uint32", "uint64")


def floats(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        _fields(version, lambda field: field.type == "number"),
        "there are floating-point numbers",
        "they may change when they are written and read again, and differ from one language to the next",
    )


def unsigned_integers(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        _fields(version, lambda field: field.schema.get("format") in _UNSIGNED),
        "there are unsigned integers",
        "the API server does not know the format and admits negative ones, which clients then cannot read",
    )


def integer_formats(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        _fields(version, _has_no_size),
        "integers are neither of format int32 nor int64",
        "how large they may become is left to the platform of whoever reads them",
    )


def _has_no_size(field: Field) -> bool:
    """An upper bound and an enum say how large it becomes, too."""
    return field.type == "integer" and all(field.schema.get(key) is None for key in ("format", "maximum", "enum"))


def _fields(version: Version, is_meant: Callable[[Field], bool]) -> list[Field]:
    return [field for field in fields_of(version) if is_meant(field) and not field.is_open]
