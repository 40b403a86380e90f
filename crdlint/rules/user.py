"""Rules of users' own, from a folder: data only, and checked before they are used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from crdlint.config.schemacheck import nearest
from crdlint.datafile import DataFile
from crdlint.errors import UsageError
from crdlint.rules.rule import Rule
from crdlint.yamltext.nodes import join_pointer, split_pointer

PACK = "custom"
_SUFFIXES = (".yaml", ".yml", ".json")
_SCOPES = ("crd", "version", "status", "conditions")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
# Keywords whose value maps names to schemas, and those whose value is data.
_NAMED_SCHEMAS = ("$defs", "definitions", "dependentSchemas", "properties")
_DATA = ("const", "default", "enum", "examples", "required")
# A value of each kind.
_INSTANCES: tuple[Any, ...] = ({}, [], "", 0, None)

Problems = Iterator[tuple[str, str]]


@lru_cache(maxsize=1)
def rule_file_schema() -> dict[str, Any]:
    """The JSON Schema that every rule file satisfies."""
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "rule.schema.json").read_text("utf-8"))
    return loaded


def load_rules(directory: Path, taken: frozenset[str]) -> list[Rule]:
    """The rules in ``directory``. Raises `UsageError` that points into the file where one is wrong."""
    try:
        paths = sorted(path for path in directory.iterdir() if path.suffix in _SUFFIXES)
    except OSError as error:
        raise UsageError(f"{directory}: the folder with rules cannot be read: {error.strerror}") from None
    if not paths:
        raise UsageError(f"{directory}: the folder holds no rule (.yaml, .yml or .json)")
    rules: list[Rule] = []
    for path in paths:
        file = DataFile.read(str(path))
        rule = _load(file)
        if rule.id in taken or any(other.id == rule.id for other in rules):
            raise UsageError(f"{file.place('/id')}: there is a rule {rule.id!r} already: give it an id of its own")
        rules.append(rule)
    return rules


def _load(file: DataFile) -> Rule:
    if file.root is None:
        raise UsageError(f"{file.place('')}: the file holds no rule")
    try:
        for pointer, problem in _problems(file.data):
            raise UsageError(f"{file.place(pointer)}: {problem}")
    except RecursionError:
        raise UsageError(f"{file.place('')}: the rule is nested too deeply") from None
    return Rule.from_data({"pack": PACK, **file.data})


def _problems(data: Any) -> Problems:
    """Pointer and text of what is wrong with a rule."""
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(rule_file_schema()).iter_errors(data))
    if error is not None:
        pointer = join_pointer([str(part) for part in error.absolute_path])
        yield _unknown_key(pointer, error.instance, error.schema) or (pointer, error.message)
        return
    if "check" in data or data["scope"] not in _SCOPES:
        pointer = "/check" if "check" in data else "/scope"
        yield pointer, "a rule of your own has a `schema` and a scope of " + ", ".join(_SCOPES)
    if "schema" not in data:
        yield "", "a rule of your own needs a `schema`, which its scope must satisfy"
        return
    try:
        Draft202012Validator.check_schema(data["schema"])
    except SchemaError as schema_error:
        path = [str(part) for part in schema_error.absolute_path]
        yield "/schema" + join_pointer(path), schema_error.message
        return
    yield from _unusable("/schema", data["schema"], data["schema"])
    if _is_endless(data["schema"]):
        yield "/schema", "the schema refers to itself without end"


def _unknown_key(pointer: str, instance: Any, schema: Any) -> tuple[str, str] | None:
    """A key that the schema of rule files does not know, and the nearest that it knows."""
    if not isinstance(instance, dict) or schema.get("additionalProperties") is not False:
        return None
    known = sorted(schema["properties"])
    for key in instance:
        if key not in known:
            return pointer + join_pointer([key]), f"unknown key {key!r}; {nearest(key, known)}"
    return None


def _unusable(pointer: str, schema: Any, root: Any) -> Problems:
    """References out of the rule, which would be fetched, those that lead nowhere, and what cannot be bounded."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from _unusable(f"{pointer}/{index}", item, root)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        here = pointer + join_pointer([key])
        if key in _REFERENCES:
            problem = _reference_problem(key, value, root)
            if problem is not None:
                yield here, problem
        elif key == "$id":
            yield here, "`$id` has no use in a rule, and could make a reference lead elsewhere"
        elif key == "patternProperties":
            yield here, "`patternProperties` is not supported in rules: use `propertyNames` with a `pattern`"
        elif key == "pattern":
            yield from ((here, problem) for problem in _pattern_problems(value))
        elif key in _NAMED_SCHEMAS and isinstance(value, dict):
            for name, item in value.items():
                yield from _unusable(here + join_pointer([name]), item, root)
        elif key not in _DATA:
            yield from _unusable(here, value, root)


def _reference_problem(key: str, value: Any, root: Any) -> str | None:
    if not isinstance(value, str) or not (value == "#" or value.startswith("#/")):
        return f"`{key}` may only lead to a place in this schema (#/…): nothing is ever fetched"
    place = root
    for part in split_pointer(value[1:]):
        if isinstance(place, dict) and part in place and part not in _DATA:
            place = place[part]
        elif isinstance(place, list) and part.isdecimal() and int(part) < len(place):
            place = place[int(part)]
        else:
            return f"`{key}` leads nowhere: there is no {value} in this schema"
    return None


def _is_endless(schema: Any) -> bool:
    """Does judging anything at all by the schema never come to an end? References that lead further down do."""
    from jsonschema import Draft202012Validator

    try:
        for instance in _INSTANCES:
            Draft202012Validator(schema).is_valid(instance)
    except RecursionError:
        return True
    return False


def _pattern_problems(pattern: Any) -> Iterator[str]:
    import regex

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, TypeError) as error:
        yield f"{pattern!r} is no pattern: {error}"
