"""Which condition types the text of a CRD names, and where it does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from crdlint.crd.model import Version, mapping
from crdlint.yamltext.data import Templated


class Source(str, Enum):
    """Where it is known from that a kind has conditions; those that stand for more come first."""

    TOLD = "command-line"
    SAMPLES = "objects"
    COLUMN = "column"
    ENUM = "enum"
    DEFAULT = "default"
    DESCRIPTION = "description"
    CONFIGURATION = "configuration"
    UNNAMED = "unnamed"
    """A version names no condition: its objects may have what came first."""


class Named(NamedTuple):
    """The types that one source names."""

    source: Source
    types: tuple[str, ...]


_FILTER = re.compile(
    r"""\.status\.conditions\[\?\(\s*@\.type\s*==\s*(?:'(?P<single>[^']+)'|"(?P<double>[^"]+)")\s*\)\]"""
)
# How a description begins to list the types, and how it goes on.
_INTRODUCTION = re.compile(
    r"\b(?:condition types|known conditions|known values) (?:are|include|is)\b[: \n(]*", re.IGNORECASE
)
_NAME = r"[`\"'(]*(?P<name>[A-Z][A-Za-z0-9]+)\b[`\"')]*"
_FIRST = re.compile(_NAME)
_NEXT = re.compile(
    rf"""
    (?: \s*,\s* (?: (?:and|or)\s+ )?
      | \s+ (?:and|or) \s+
      # Where a comma is missing at the end of a line, another one, or the end, has to follow.
      | [ \t]*\n[ \t]* (?= [A-Z][A-Za-z0-9]+ [ \t]* [,.] )
    )
    {_NAME}
    """,
    re.VERBOSE,
)
_BULLET = re.compile(r"\s*[-*]\s+")
# As much of a description as is looked at.
_LONGEST_TEXT = 20_000


def named_in(version: Version) -> Iterator[Named]:
    """What the schema and the columns of a version name, in the order of their weight."""
    conditions = version.conditions
    yield Named(Source.COLUMN, _unique(_in_columns(version)))
    if conditions is not None:
        kind = mapping(conditions.fields.get("type"))
        enum = kind.get("enum")
        yield Named(Source.ENUM, _unique(enum if isinstance(enum, list) else ()))
        yield Named(Source.DEFAULT, types_of({"status": version.fresh_status}))
        descriptions = (part.get("description") for part in (conditions.schema, conditions.items, kind))
        yield Named(Source.DESCRIPTION, _unique(name for text in descriptions for name in in_description(text)))


def types_of(resource: dict[str, Any]) -> tuple[str, ...]:
    """The types of the conditions that an object has."""
    conditions = mapping(resource.get("status")).get("conditions")
    return _unique(mapping(item).get("type") for item in (conditions if isinstance(conditions, list) else []))


def in_description(text: Any) -> Iterator[str]:
    """The types that a description lists after saying that it does."""
    if not _is_text(text):
        return
    text = text[:_LONGEST_TEXT]
    for introduction in _INTRODUCTION.finditer(text):
        rest = text[introduction.end() :]
        if not _BULLET.match(rest):
            yield from _listed(rest)
            continue
        for line in rest.splitlines():
            bullet = _BULLET.match(line)
            if line.strip() and bullet is None:
                break
            yield from _listed(line[bullet.end() :]) if bullet else ()


def _listed(text: str) -> Iterator[str]:
    match = _FIRST.match(text)
    while match is not None:
        yield match["name"]
        match = _NEXT.match(text, match.end())


def _in_columns(version: Version) -> Iterator[str]:
    crd = version.crd
    keyword = "JSONPath" if crd.is_obsolete else "jsonPath"
    for holder in (version.pointer, "/spec") if crd.is_obsolete else (version.pointer,):
        columns = crd.data(f"{holder}/additionalPrinterColumns")
        for column in columns if isinstance(columns, list) else []:
            path = mapping(column).get(keyword)
            match = _FILTER.match(path) if isinstance(path, str) else None
            if match is not None:
                yield match["single"] or match["double"]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Templated)


def _unique(names: Iterable[Any]) -> tuple[str, ...]:
    """Those of the names that a condition can have."""
    return tuple(dict.fromkeys(name for name in names if _is_text(name) and name and is_whole(name)))


def is_whole(text: str) -> bool:
    """Can it be stored? Half of a character cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def observes_generation(version: Version) -> bool:
    """May a condition of this version have a generation of its own?"""
    conditions = version.conditions
    if conditions is None or not conditions.is_list_of_conditions:
        return True
    return conditions.observes_generation or conditions.items.get("x-kubernetes-preserve-unknown-fields") is True
