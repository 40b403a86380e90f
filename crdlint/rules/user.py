"""Rules of users' own, from a folder: data only, and checked before they are used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crdlint.errors import UsageError
from crdlint.rules.rule import Rule
from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Node, join_pointer, locate
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

PACK = "custom"
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_SCOPES = ("crd", "version", "status", "conditions")


def rule_file_schema() -> dict[str, Any]:
    """The JSON Schema that every rule file satisfies."""
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "rule.schema.json").read_text("utf-8"))
    return loaded


def load_rules(directory: Path, taken: frozenset[str]) -> list[Rule]:
    """The rules in ``directory``. Raises `UsageError` that points into the file where one is wrong."""
    if not directory.is_dir():
        raise UsageError(f"--rules {directory}: there is no such folder")
    rules: list[Rule] = []
    paths = sorted(path for path in directory.iterdir() if path.suffix in (".yaml", ".yml", ".json"))
    for path in paths:
        rule = _load(path)
        if rule.id in taken or any(other.id == rule.id for other in rules):
            raise UsageError(f"{path}: there is a rule {rule.id!r} already: give it an id of its own")
        rules.append(rule)
    if not rules:
        raise UsageError(f"--rules {directory}: the folder holds no rule (.yaml, .yml or .json)")
    return rules


def _load(path: Path) -> Rule:
    try:
        source = Source.from_bytes(path.read_bytes())
        documents = [document.root for document in parse(source.text).documents if document.root is not None]
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except Unreadable as error:
        raise UsageError(f"{path}:1:1: {error.message}") from None
    if len(documents) != 1:
        raise UsageError(f"{path}: a rule file holds one document, this one has {len(documents)}")
    root = documents[0]
    data = to_data(root)
    for pointer, problem in _problems(data):
        line, column = source.position(locate(root, pointer)[0])
        raise UsageError(f"{path}:{line}:{column}: {problem}")
    return Rule.from_data({"pack": PACK, **data})


def _problems(data: Any) -> Iterator[tuple[str, str]]:
    """Pointer and text of what is wrong with a rule."""
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(rule_file_schema()).iter_errors(data))
    if error is not None:
        yield join_pointer([str(part) for part in error.absolute_path]), error.message
        return
    if "check" in data or data["scope"] not in _SCOPES:
        yield "/check" if "check" in data else "/scope", "a rule of your own has a `schema` and a scope of " + ", ".join(_SCOPES)
    if "schema" not in data:
        yield "", "a rule of your own needs a `schema`, which its scope must satisfy"
        return
    yield from _references("/schema", data["schema"])
    try:
        Draft202012Validator.check_schema(data["schema"])
    except SchemaError as schema_error:
        path = [str(part) for part in schema_error.absolute_path]
        yield "/schema" + join_pointer(path), schema_error.message


def _references(pointer: str, schema: Any) -> Iterator[tuple[str, str]]:
    """References out of the rule, which would be fetched, and patterns that cannot be bounded."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from _references(f"{pointer}/{index}", item)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        here = pointer + join_pointer([key])
        if key in _REFERENCES and not (isinstance(value, str) and value.startswith("#")):
            yield here, f"`{key}` may only lead to a place in this schema (#/…): nothing is ever fetched"
        if key == "$id":
            yield here, "`$id` has no use in a rule, and could make a reference lead elsewhere"
        if key == "patternProperties":
            yield here, "`patternProperties` is not supported in rules: use `propertyNames` with a `pattern`"
        yield from _references(here, value)
