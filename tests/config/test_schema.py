"""The JSON Schema of configurations and what reads them: they accept and refuse the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from crdlint.config.editors import schema_for_editors
from crdlint.config.reading import config_schema, read
from crdlint.config.schemacheck import first_problem
from crdlint.errors import UsageError
from crdlint.findings import Severity
from crdlint.rules.catalogue import core_rules
from crdlint.settings import WRITES, Capi, Generated
from tests.cli.run import crdlint

SCHEMA = config_schema()
EDITORS = json.loads(schema_for_editors())
# What `schemacheck` understands, and what says nothing about validity.
KEYWORDS = {"$ref", "additionalProperties", "allOf", "anyOf", "enum", "items", "minItems", "not", "properties"}
KEYWORDS |= {"required", "type"}
ANNOTATIONS = {"$defs", "$schema", "description", "errorMessage", "title"}

# Folders must exist, and patterns be patterns, which no schema can tell: these are.
NAMES = st.sampled_from(["core", "Widget", "*.example.com", "v1", "a/", "custom", "pruned-status", "ü"])
STRAY = st.sampled_from([None, True, 0, 1.5, "core", "fix", "info", "v1beta1", [], ["core"], [1], [None], {}, {"a": 1}])


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMA["$defs"].get(schema.get("$ref", "").rpartition("/")[2], {})
    return {**(resolved(found) if found else {}), **schema}


def shaped(schema: dict[str, Any], key: str = "") -> st.SearchStrategy[Any]:
    """Data with the keys and types that a schema wants; it may break the conditions on which keys go together."""
    schema = resolved(schema)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([_of_type(name, schema, key) for name in wanted])


def _of_type(name: str, schema: dict[str, Any], key: str) -> st.SearchStrategy[Any]:
    if name == "null":
        return st.none()
    if name == "boolean":
        return st.booleans()
    if name == "string":
        return NAMES
    if name == "array":
        items = st.lists(shaped(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
        return st.just([]) if key == "rules" else items
    if schema.get("properties"):
        members = {name: shaped(part, name) for name, part in schema["properties"].items()}
        return st.fixed_dictionaries({}, optional=members)
    return st.dictionaries(NAMES, shaped(schema["additionalProperties"]), max_size=3)


SHAPED = shaped(SCHEMA)


@st.composite
def valid(draw: st.DrawFn) -> Any:
    """A configuration that satisfies the schema."""
    data = draw(SHAPED)
    for override in (data or {}).get("overrides") or ():
        if draw(st.booleans()):
            override["paths"] = draw(st.lists(NAMES, min_size=1, max_size=2))
            _remove(override, "crds", "groups", "kinds", "versions")
        else:
            override["kinds"] = draw(st.lists(NAMES, min_size=1, max_size=2))
            _remove(override, "generated", *draw(st.sampled_from([("versions",), ("stateless", "controllers")])))
    return data


def _remove(data: dict[str, Any], *keys: str) -> None:
    for key in keys:
        data.pop(key, None)


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A configuration of which a few places may have been changed, mostly to something wrong."""
    data = draw(st.one_of(valid(), SHAPED))
    for _ in range(draw(st.integers(0, 2))):
        data = draw(_damage(data, draw(st.sampled_from(list(_places(data))))))
    return data


def _places(data: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield here
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _places(item, (*here, key))


def _damage(data: Any, place: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """The data with something else at a place, something more in it, or something less."""
    if place:
        return _damage(data[place[0]], place[1:]).map(lambda item: _with(data, place[0], item))
    ways = [STRAY]
    if isinstance(data, dict):
        known = [*SCHEMA["properties"], *SCHEMA["properties"]["overrides"]["items"]["properties"], "selct", ""]
        ways.append(st.tuples(st.sampled_from(known), STRAY).map(lambda more: {**data, more[0]: more[1]}))
        ways.append(st.sampled_from(list(data) or [""]).map(lambda less: {k: v for k, v in data.items() if k != less}))
    if isinstance(data, list):
        ways.append(STRAY.map(lambda more: [*data, more]))
    return st.one_of(ways)


def _with(data: Any, key: Any, item: Any) -> Any:
    if isinstance(data, dict):
        return {**data, key: item}
    return [item if index == key else other for index, other in enumerate(data)]


def is_accepted(data: Any, folder: Path) -> bool:
    """Does crdlint read this? What it refuses it must refuse with the place."""
    path = folder / "c.yaml"
    path.write_text(json.dumps(data), "utf-8")
    try:
        return bool(read(str(path)))
    except UsageError as error:
        return not str(error).startswith(f"{path}:1:")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("configurations")


@given(valid())
@settings(max_examples=200, deadline=None)
def test_what_satisfies_the_schema_is_read(folder: Path, data: Any) -> None:
    assert Draft202012Validator(SCHEMA).is_valid(data)
    assert is_accepted(data, folder)


@given(damaged())
@settings(max_examples=600, deadline=None)
def test_schema_and_reader_agree(folder: Path, data: Any) -> None:
    expected = Draft202012Validator(SCHEMA).is_valid(data)
    event("valid" if expected else "invalid")
    if isinstance(data, dict) and data.get("rules"):
        # Whether the folders are there is not the schema's to say.
        assert (first_problem(data, SCHEMA) is None) is expected
    else:
        assert is_accepted(data, folder) is expected
    assert Draft202012Validator(EDITORS).is_valid(data) is (expected and not unknown_names(data))


def unknown_names(data: Any) -> set[str]:
    """The names of rules and packs in a valid configuration that only rules of the user's own could have."""
    if not data or data.get("rules"):
        return set()
    packs = {rule.pack for rule in core_rules()}
    known = packs | {rule.id for rule in core_rules()}
    parts = [data, *(data.get("overrides") or ())]
    named = {name for part in parts for key in ("select", "ignore", "severity") for name in part.get(key) or ()}
    return (named - known) | (set(data.get("packs") or ()) - packs)


@pytest.mark.parametrize(
    "data",
    [
        {"severity": {"missing-conditons": "info"}},
        {"select": ["cor"]},
        {"ignore": ["own-rule"], "rules": []},
        {"packs": ["pruned-status"]},
        {"overrides": [{"paths": ["a"], "severity": {"own-rule": "info"}}]},
    ],
)
def test_editors_see_a_slip_in_a_name(data: dict[str, Any]) -> None:
    assert Draft202012Validator(SCHEMA).is_valid(data)
    assert not Draft202012Validator(EDITORS).is_valid(data)
    assert Draft202012Validator(EDITORS).is_valid({**data, "rules": ["my-rules"]})


@given(damaged())
@settings(max_examples=300, deadline=None)
def test_the_place_of_a_problem_exists(data: Any) -> None:
    problem = first_problem(data, SCHEMA)
    here = data
    for part in problem[0] if problem else ():
        here = here[int(part)] if isinstance(here, list) else here[part]


@pytest.mark.parametrize("schema", [SCHEMA, EDITORS], ids=["reader", "editors"])
def test_the_schema_is_one(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs"):
            for part in value.values():
                yield from subschemas(part)
        elif keyword in ("allOf", "anyOf"):
            for part in value:
                yield from subschemas(part)
        elif keyword in ("items", "not", "additionalProperties"):
            yield from subschemas(value)


def test_the_reader_understands_every_keyword_of_the_schema() -> None:
    assert {keyword for schema in subschemas(SCHEMA) for keyword in schema} <= KEYWORDS | ANNOTATIONS


def test_every_key_is_described() -> None:
    for schema in subschemas(SCHEMA):
        for key, part in schema.get("properties", {}).items():
            assert len(resolved(part).get("description", "")) > 20, key


def test_values_are_those_that_the_code_knows() -> None:
    def known(*where: str) -> list[str]:
        schema: Any = SCHEMA
        for part in where:
            schema = schema[part]
        return sorted(schema["enum"])

    def values(names: type[Enum]) -> list[str]:
        return sorted(name.value for name in names)

    assert known("$defs", "generated") == values(Generated)
    assert known("$defs", "severity", "additionalProperties") == values(Severity)
    assert known("$defs", "writes", "items") == sorted(WRITES)
    assert Capi.contract in known("properties", "capi", "properties", "contract")


def test_editors_are_told_the_rules_and_their_packs(tmp_path: Path) -> None:
    printed = crdlint(tmp_path, "config", "schema")
    assert (printed.returncode, json.loads(printed.stdout)) == (0, EDITORS)
    rules = {rule.id for rule in core_rules()}
    packs = {rule.pack for rule in core_rules()}
    definitions = EDITORS["$defs"]
    assert set(definitions["rule"]["anyOf"][0]["enum"]) == rules | packs
    assert set(definitions["pack"]["anyOf"][0]["enum"]) == packs
    assert set(definitions["severity"]["properties"]) == rules | packs
    assert all(part["description"] for part in definitions["severity"]["properties"].values())


def test_the_schema_can_be_written_to_a_file(tmp_path: Path) -> None:
    assert crdlint(tmp_path, "config", "schema", "-o", "s.json").stdout == b""
    assert json.loads((tmp_path / "s.json").read_text("utf-8")) == EDITORS
