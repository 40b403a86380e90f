"""Data against the keywords of JSON Schema that the configuration's schema uses, told in words for people.

A validator for all of JSON Schema takes longer to load than most runs take. Tests hold this one against it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from typing import Any

from crdlint.report.sanitise import LONGEST_WORD, shorten

# Keys and indexes that lead to what is wrong, and the words.
Problem = tuple[tuple[str, ...], str]
_TYPES = {type(None): "null", bool: "boolean", str: "string", list: "array", dict: "object"}


def first_problem(data: Any, schema: dict[str, Any]) -> Problem | None:
    """What is wrong with the data and comes first in it; None where the data satisfies the schema."""
    return next(_Checker(schema).problems(data, schema, ()), None)


def nearest(value: Any, allowed: Collection[str]) -> str:
    """What to write instead: the nearest of what is allowed, or all of it."""
    name = shorten(value, LONGEST_WORD) if isinstance(value, str) else ""
    near = difflib.get_close_matches(name, allowed, n=1)
    return f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(allowed)


class _Checker:
    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root

    def problems(self, value: Any, schema: dict[str, Any], where: tuple[str, ...]) -> Iterator[Problem]:
        schema = self.resolved(schema)
        if "enum" in schema:
            if value not in schema["enum"]:
                yield where, f"unknown value {_shown(value)}; {nearest(value, schema['enum'])}"
        elif not self.has_type(value, schema):
            yield where, _expectation(where, self.words(schema))
        elif isinstance(value, dict):
            yield from self.problems_of_mapping(value, schema, where)
        elif isinstance(value, list):
            yield from self.problems_of_list(value, schema, where)

    def problems_of_mapping(
        self, value: dict[str, Any], schema: dict[str, Any], where: tuple[str, ...]
    ) -> Iterator[Problem]:
        known, further = schema.get("properties", {}), schema.get("additionalProperties", {})
        for key, item in value.items():
            if key in known:
                yield from self.problems(item, known[key], (*where, key))
            elif further is False:
                yield (*where, key), f"unknown key {key!r}; {nearest(key, known)}"
            else:
                yield from self.problems(item, further, (*where, key))
        for condition in schema.get("allOf", ()):
            if not _holds(condition, value):
                yield where, condition["errorMessage"]

    def problems_of_list(self, value: list[Any], schema: dict[str, Any], where: tuple[str, ...]) -> Iterator[Problem]:
        if len(value) < schema.get("minItems", 0):
            yield where, f"`{where[-1]}` is empty: name something, or leave it out"
        for index, item in enumerate(value):
            here = (*where, str(index))
            if self.has_type(item, self.resolved(schema["items"])):
                yield from self.problems(item, schema["items"], here)
            else:
                yield here, _expectation(where, self.words(schema))

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema, or what it refers to with its own keywords added."""
        if "$ref" not in schema:
            return schema
        found: dict[str, Any] = self.root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        return {**self.resolved(found), **{key: value for key, value in schema.items() if key != "$ref"}}

    def has_type(self, value: Any, schema: dict[str, Any]) -> bool:
        wanted = schema.get("type", [])
        return not wanted or _TYPES.get(type(value)) in ([wanted] if isinstance(wanted, str) else wanted)

    def words(self, schema: dict[str, Any]) -> str:
        """What a schema wants, in words."""
        wanted = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
        if wanted == "array":
            return "a list of " + {"object": "mappings"}.get(self.resolved(schema["items"]).get("type", ""), "names")
        return {"object": "a mapping of keys to values", "boolean": "true or false"}.get(wanted, "a name")


def _shown(value: Any) -> str:
    """A value as a message has it: Python writes neither numbers nor nestings of any size."""
    try:
        return shorten(repr(value), LONGEST_WORD)
    except (ValueError, RecursionError):
        return "of such a size"


def _expectation(where: tuple[str, ...], words: str) -> str:
    return f"`{where[-1]}` is {words}" if where else f"{words} is expected here"


def _holds(condition: dict[str, Any], value: dict[str, Any]) -> bool:
    """Does a mapping have the keys that a condition wants, or not have those that it forbids?"""
    if "anyOf" in condition and not any(_holds(part, value) for part in condition["anyOf"]):
        return False
    if "not" in condition and _holds(condition["not"], value):
        return False
    return all(key in value for key in condition.get("required", ()))
