"""Verdicts and fresh statuses against the real API server code, over the corpus and over generated defaults."""

from __future__ import annotations

import copy
import json
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crdlint.crd.structural import (
    ABSENT,
    DefaultVerdict,
    NoZero,
    complete,
    default_verdicts,
    fresh_status,
    validate_value,
    zero_value,
)
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests import surroundings

SEED = 20


@dataclass(frozen=True)
class Version:
    """A row of the truth file with the status schema it speaks of."""

    row: dict[str, Any]
    status: Any


# The corpus.


@cache
def corpus() -> list[Version]:
    wanted: dict[str, list[dict[str, Any]]] = {}
    for row in surroundings.truth():
        if row.get("version") and row["apiVersion"] == "apiextensions.k8s.io/v1":
            wanted.setdefault(row["path"], []).append(row)
    return [version for path, of_file in wanted.items() for version in versions(surroundings.CORPUS / path, of_file)]


def versions(file: Path, rows: list[dict[str, Any]]) -> Iterator[Version]:
    documents = parse(file.read_text(encoding="utf-8-sig"), "CustomResourceDefinition").documents
    crds = [to_data(document.root) for document in documents if document.root is not None]
    for row in rows:
        # Documents are counted differently where a file begins with an empty one: the name decides.
        crd = next(crd for crd in crds if isinstance(crd, dict) and crd.get("metadata", {}).get("name") == row["crd"])
        version = next(version for version in crd["spec"]["versions"] if version["name"] == row["version"])
        root = (version.get("schema") or {}).get("openAPIV3Schema") or {}
        yield Version(row, root.get("properties", {}).get("status"))


def accepted_schemas() -> list[dict[str, Any]]:
    return [version.status for version in corpus() if version.row["accepted"] and isinstance(version.status, dict)]


def as_json(status: Any) -> Any:
    return None if status is ABSENT else status


def test_fresh_status_is_what_the_server_reads_back() -> None:
    wrong = []
    for version in corpus():
        status = fresh_status(version.status)
        if as_json(status) != version.row["statusAfterCreate"]:
            wrong.append((version.row["path"], version.row["version"], status))
    assert not wrong
    assert len(corpus()) > 600


def test_accepted_files_have_no_errors() -> None:
    verdicts = [verdict for schema in accepted_schemas() for verdict in default_verdicts(schema)]
    assert not [verdict for verdict in verdicts if verdict.errors]
    assert len(verdicts) > 200


# The oracle.


@pytest.fixture(scope="session")
def oracle() -> str:
    return surroundings.oracle()


def server_errors(oracle: str, schemas: list[dict[str, Any]], folder: Path) -> list[list[str]]:
    """The errors the API server finds in CRDs with these schemas of status."""
    return [answer["errors"] for answer in server_answers(oracle, schemas, folder)]


def server_answers(oracle: str, schemas: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What the API server says of CRDs with these schemas of status, each in a CRD of its own."""
    paths = []
    for index, schema in enumerate(schemas):
        paths.append(folder / f"{index}.json")
        # In lines: a single line that just fills its reader's buffer is lost on the oracle.
        paths[-1].write_text(json.dumps(crd(schema), indent=0), encoding="utf-8")
    answer = subprocess.run(
        [oracle, "-"], input="\n".join(map(str, paths)), capture_output=True, text=True, check=True
    ).stdout
    answers = [json.loads(line) for line in answer.splitlines()]
    assert [given["file"] for given in answers] == [str(path) for path in paths]
    return answers


def crd(status: dict[str, Any]) -> dict[str, Any]:
    root = {"type": "object", "properties": {"status": status}}
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": root},
        "subresources": {"status": {}},
    }
    names = {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]},
    }


def field_path(pointer: str) -> str:
    """A pointer below status as the server's errors spell it."""
    path, parts = "openAPIV3Schema.properties[status]", pointer.split("/")[1:]
    while parts:
        part = parts.pop(0)
        path += f".{part}"
        if part == "properties":
            path += f"[{parts.pop(0).replace('~1', '/').replace('~0', '~')}]"
        elif part in ("allOf", "anyOf", "oneOf"):
            path += f"[{parts.pop(0)}]"
    return path


def is_refused(errors: list[str], pointer: str) -> bool:
    path = field_path(pointer)
    return any(error.partition(path)[2][:1] in (":", ".", "[") for error in errors if path in error)


# Generated defaults.


def places(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every node that may have a default of its own, with its pointer."""
    if not isinstance(schema, dict):
        return
    yield pointer, schema
    for key, inner in (schema.get("properties") or {}).items():
        yield from places(inner, f"{pointer}/properties/{key.replace('~', '~0').replace('/', '~1')}")
    yield from places(schema.get("items"), f"{pointer}/items")
    yield from places(schema.get("additionalProperties"), f"{pointer}/additionalProperties")


TEXTS = ["", "x", "True", "2024-02-30", "2024-02-29T10:00:00Z", "10s", "1.2.3.4", "a.b", "http://h/p", "YQ==", "é" * 70]
NUMBERS = [-1, 0, 1, 2, 7, 100, 2**31 - 1, 2**31, -(2**63), 0.5, -0.5, 1e300]
JUNK: list[Any] = [*TEXTS, *NUMBERS, True, False, {}, [], {"foo": 1}, ["x"], [{}]]


def some_value(schema: Any, dice: random.Random) -> Any:
    """A value that mostly fits the schema."""
    schema = schema if isinstance(schema, dict) else {}
    chance = dice.random()
    if chance < 0.04:
        return copy.deepcopy(dice.choice([*JUNK, None]))
    if schema.get("enum") and chance < 0.9:
        return dice.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        return some_object(schema, dice)
    if kind == "array":
        return [some_value(schema.get("items"), dice) for _ in range(dice.choice([0, 0, 1, 1, 2]))]
    if kind == "string":
        return dice.choice(
            [*TEXTS, "x" * (schema.get("minLength") or 1), "2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"]
        )
    if kind == "integer" or kind == "number":
        return dice.choice([*NUMBERS, 0, 1, schema.get("minimum", 0), schema.get("maximum", 0)])
    if kind == "boolean":
        return dice.random() < 0.5
    return copy.deepcopy(dice.choice(JUNK))


def some_object(schema: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    declared = schema.get("properties") or {}
    value = {}
    for key, inner in declared.items():
        if dice.random() < (0.96 if key in schema.get("required", []) else 0.15):
            value[key] = some_value(inner, dice)
    if isinstance(schema.get("additionalProperties"), dict) and dice.random() < 0.6:
        value["extra"] = some_value(schema["additionalProperties"], dice)
    if dice.random() < 0.05:
        value["unknown"] = 1
    return value


def with_defaults(schema: dict[str, Any], share: float, dice: random.Random) -> dict[str, Any]:
    """A copy of the schema with generated defaults at some of its nodes; the server judges each on its own."""
    changed = copy.deepcopy(schema)
    for pointer, node in list(places(changed)):
        if not pointer or dice.random() < share:
            node["default"] = some_value(node, dice)
    return changed


@dataclass
class Tally:
    """How verdicts compare with the server's errors."""

    compared: int = 0
    refused: int = 0
    undecided: int = 0
    wrong: list[str] | None = None

    def count(self, schema: dict[str, Any], errors: list[str], note: str) -> None:
        for verdict in default_verdicts(schema):
            if verdict.undecided and not verdict.errors:
                self.undecided += 1
                continue
            refused = is_refused(errors, verdict.pointer)
            self.compared += 1
            self.refused += refused
            if refused != bool(verdict.errors):
                self.wrong = [*(self.wrong or []), self.describe(schema, verdict, errors, note)]

    @staticmethod
    def describe(schema: dict[str, Any], verdict: DefaultVerdict, errors: list[str], note: str) -> str:
        node: Any = schema
        for part in verdict.pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            node = node[int(key)] if isinstance(node, list) else node[key]
        return f"{note} {verdict}: default {json.dumps(node)[:300]}, server: {[error[-300:] for error in errors]}"


def test_generated_defaults_in_the_corpus(oracle: str, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    schemas = [with_defaults(schema, 0.2, dice) for schema in accepted_schemas()]
    tally = Tally()
    for schema, errors in zip(schemas, server_errors(oracle, schemas, tmp_path), strict=True):
        tally.count(schema, errors, "")
    assert tally.wrong is None, "\n".join(tally.wrong)
    assert tally.compared > 2000
    assert tally.refused > 400
    assert tally.compared - tally.refused > 500
    assert tally.undecided < 0.15 * tally.compared


def test_completed_values_are_accepted(oracle: str, tmp_path: Path) -> None:
    schemas = []
    for schema in accepted_schemas():
        changed = copy.deepcopy(schema)
        for _, node in list(places(changed)):
            if (default := sound_completion(node)) is not None:
                node["default"] = default
        schemas.append(changed)
    given = sum("default" in node for schema in schemas for _, node in places(schema))
    refused = [errors for errors in server_errors(oracle, schemas, tmp_path) if errors]
    assert not refused
    assert given > 1000


def sound_completion(node: dict[str, Any]) -> Any:
    """The completed default of a node that validates, None where there is none."""
    try:
        value = complete(node, zero_value(node))
    except NoZero:
        return None
    return None if any(validate_value(node, value)) else value


# Generated schemas.

FORMATS: dict[str, list[str]] = {
    "bsonobjectid": ["507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
    "byte": ["YQ==", "YQ", "YWJj", "YWJj\n", "Y-_="],
    "cidr": [
        "10.0.0.0/8",
        "10.0.0.0/33",
        "010.0.0.0/08",
        "::/128",
        "::/129",
        "::ffff:1.2.3.4/96",
        "10.0.0.0",
        "1.2.3/8",
    ],
    "creditcard": ["4220855426222389", "4220 8554 2622 2389", "4220855426213389", "x", "3548209662790989"],
    "date": [
        "2024-02-29",
        "2023-02-29",
        "1900-02-29",
        "2000-02-29",
        "0000-01-01",
        "2024-13-01",
        "2024-1-1",
        "2024-04-31",
    ],
    "date-time": [
        "2024-01-01T00:00:00Z",
        "2024-01-01t23:59:59.5+02:00",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:00:60Z",
        "2024-01-01T00:00:00",
        "2024-01-01 00:00:00Z",
        "2024-02-30T00:00:00Z",
        "2024-01-01T00:00:00ZTx",
        "2024-01-01T00:00:00+99:99",
    ],
    "duration": [
        "10s",
        "1.5h",
        "-3m",
        ".5s",
        "1.s",
        "0",
        "+0",
        "22 ns",
        "3 Weeks",
        "2 dayz",
        "5 x",
        "1µs",
        "1μs",
        "9" * 20 + "h",
        "5",
    ],
    "email": ["a@b", "a.b+c@d.example", "a", "@", "a@", "a b@c", "A <a@b>", "<a@b> (c)", "a: b@c;"],
    "hexcolor": ["#fff", "fff0", "AABBCC", "#ggg"],
    "hostname": [
        "a",
        "a.b",
        "my-host",
        "m-yhost",
        "a.example",
        "a-b.example",
        "-a.example",
        "ö.example",
        "a.1",
        "a_b.example",
        "☃.net",
        "a" * 64,
        "x" * 63 + ".aa",
    ],
    "ipv4": ["1.2.3.4", "01.02.03.04", "256.1.1.1", "1.2.3", "::ffff:1.2.3.4", "::1", "1.2.3.4.5", "::1.2.3"],
    "ipv6": [
        "::1",
        "::ffff:1.2.3.4",
        "fe80::1%eth0",
        "1::2::3",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
        "12345::",
        "1.2.3.4",
        "::ffff:01.2.3.4",
    ],
    "isbn": ["3836221195", "978-3-8362-2119-1", "3 401 01319 X", "3836221196", "x"],
    "isbn10": ["3836221195", "9784873113685", "3423214121"],
    "isbn13": ["9784873113685", "3836221195", "9784873113686"],
    "k8s-short-name": ["a", "a-b", "A", "a.b", "-a", "a" * 64],
    "k8s-long-name": ["a.b", "a-b.c", "A.b", ".a", "a" * 254, "a" * 64 + ".b"],
    "mac": [
        "3D:F2:C9:A6:B3:4F",
        "3d-f2-c9-a6-b3-4f",
        "3DF2.C9A6.B34F",
        "3DF2C9A6B34F",
        "3D-F2-C9-A6-B3:4F",
        "3D:F2",
        "0:1:2:3:4:5",
    ],
    "password": ["", "x"],
    "rgbcolor": ["rgb(0,31,255)", "rgb( 0 , 31 , 255 )", "rgb(256,0,0)", "rgb(01,0,0)"],
    "ssn": ["191-60-2869", "191 60 2869", "191602869", "19-60-2869"],
    "uri": [
        "http://foo.bar/#com",
        "foo",
        "/abs",
        "./rel",
        "mailto:a@b",
        "*",
        ":x",
        "http://[::1]:80/",
        "http://[::1/",
        "http://a:b/",
        "http://a:1:2/",
        "tcp://a:1:2/",
        "http://a b/",
        "http://a/%zz",
        "http://u:p@h",
        "http://u<@h",
        "http://h?q=%zz",
        "//h",
        "http://%41/",
        "http://%c3%a9/",
        "1a:b",
        "http://é/",
        "a:/%",
        "http://a#b",
        "http://[1.2.3.4]/",
        "http://[fe80::1%25en0]/",
        "http://a[b]/",
        "x\u007f",
        "http://a\\b",
    ],
    "uuid": [
        "123e4567-e89b-12d3-a456-426614174000",
        "123E4567E89B12D3A456426614174000",
        "123e4567-e89b-12d3-a456-42661417400",
    ],
    "uuid3": ["123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
    "uuid4": ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000"],
    "uuid5": ["123e4567-e89b-52d3-8456-426614174000", "123e4567-e89b-42d3-a456-426614174000"],
    "int64": ["x", "1"],
    "unheard-of": ["", "x"],
}


def test_formats(oracle: str, tmp_path: Path) -> None:
    properties = {}
    for name, samples in FORMATS.items():
        for index, sample in enumerate(["", *samples]):
            properties[f"{name}/{index}"] = {"type": "string", "format": name, "default": sample}
    schema = {"type": "object", "properties": properties}
    tally = Tally()
    tally.count(schema, server_errors(oracle, [schema], tmp_path)[0], "")
    assert tally.wrong is None, "\n".join(tally.wrong)
    assert tally.compared > 150
    assert tally.undecided < 5


def some_schema(dice: random.Random, depth: int) -> dict[str, Any]:
    """A random structural node."""
    kind = dice.choice(["string", "integer", "number", "boolean", "object", "object", "array", "free", "either"])
    if depth == 0 and kind in ("object", "array"):
        kind = "string"
    schema: dict[str, Any] = {"type": kind} if kind not in ("free", "either") else {}
    if kind == "free":
        schema["x-kubernetes-preserve-unknown-fields"] = True
    elif kind == "either":
        schema["x-kubernetes-int-or-string"] = True
        if dice.random() < 0.6:
            schema["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    elif kind == "array":
        schema["items"] = some_schema(dice, depth - 1)
    elif kind == "object":
        add_fields(schema, dice, depth)
    add_validations(schema, dice)
    if dice.random() < 0.2:
        schema["nullable"] = True
    return schema


def add_fields(schema: dict[str, Any], dice: random.Random, depth: int) -> None:
    chance = dice.random()
    if chance < 0.15:
        schema["additionalProperties"] = some_schema(dice, depth - 1)
    elif chance < 0.25:
        schema["additionalProperties"] = dice.choice([True, False])
    else:
        schema["properties"] = {name: some_schema(dice, depth - 1) for name in dice.sample("abcd", dice.randint(1, 3))}
    if dice.random() < 0.2:
        schema["x-kubernetes-preserve-unknown-fields"] = True
    if "properties" in schema and dice.random() < 0.15:
        schema["x-kubernetes-embedded-resource"] = True
        schema["properties"]["metadata"] = {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            },
        }


BOUNDS = [-1, 0, 1, 2, 0.5, 100, 2**31, 1e10]
VALIDATIONS: dict[str, list[Any]] = {
    "minimum": BOUNDS,
    "maximum": BOUNDS,
    "exclusiveMinimum": [True],
    "exclusiveMaximum": [True],
    "multipleOf": [1, 2, 0.5, 0.1, 3],
    "minLength": [0, 1, 2],
    "maxLength": [0, 1, 20],
    "minItems": [0, 1, 2],
    "maxItems": [0, 1],
    "uniqueItems": [True],
    "minProperties": [0, 1, 3],
    "maxProperties": [0, 1],
    "required": [["a"], ["b", "c"], ["zz"]],
    "enum": [["a", "x", ""], [1, 2, "1"], [0.5, 1, True], [None, "x"], [{}, []]],
    "format": ["date", "int32", "int64", "float", "double", "unheard-of", "hostname"],
}
BY_TYPE = {
    "string": ("minLength", "maxLength", "enum", "format"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "enum", "format"),
    "boolean": ("enum", "format"),
    "object": ("minProperties", "maxProperties", "required", "required", "enum"),
    "array": ("minItems", "maxItems", "uniqueItems"),
}


def add_validations(schema: dict[str, Any], dice: random.Random) -> None:
    fitting = BY_TYPE.get(schema.get("type", ""), tuple(VALIDATIONS))
    for name in fitting:
        if dice.random() < 0.15:
            schema[name] = dice.choice(VALIDATIONS[name])
    if dice.random() < 0.1:
        name = dice.choice(list(VALIDATIONS))
        schema[name] = dice.choice(VALIDATIONS[name])
    for junctor in ("allOf", "anyOf", "oneOf"):
        if dice.random() < 0.08 and junctor not in schema:
            schema[junctor] = [some_branch(schema, dice) for _ in range(dice.randint(1, 3))]
    if dice.random() < 0.05:
        schema["not"] = some_branch(schema, dice)


def some_branch(schema: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """A node that may stand in allOf and its like: validations only, of fields that the schema declares."""
    fitting = BY_TYPE.get(schema.get("type", ""), tuple(VALIDATIONS))
    branch = {name: dice.choice(VALIDATIONS[name]) for name in dice.sample(fitting, 1)}
    fields = [name for name in schema.get("properties", {}) if name != "metadata"]
    if fields and dice.random() < 0.5:
        name = dice.choice(fields)
        branch["properties"] = {name: some_branch(schema["properties"][name], dice)}
    return branch


def test_generated_schemas(oracle: str, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    schemas = []
    for _ in range(1500):
        fields = {name: some_schema(dice, 3) for name in "pqrs"}
        schemas.append(with_defaults({"type": "object", "properties": fields}, 0.3, dice))
    answers = server_answers(oracle, schemas, tmp_path)
    tally, statuses = Tally(), 0
    for index, (schema, answer) in enumerate(zip(schemas, answers, strict=True)):
        tally.count(schema, answer["errors"], str(index))
        if not answer["errors"]:
            statuses += 1
            assert as_json(fresh_status(schema)) == answer["races"][0]["status"]
    assert tally.wrong is None, f"{len(tally.wrong)} of {tally.compared}:\n" + "\n".join(tally.wrong)
    assert statuses > 200
    assert tally.compared > 5000
    assert tally.refused > 1500
    assert tally.undecided < 0.1 * tally.compared


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "not"])
@pytest.mark.parametrize("below", ["", "/properties/a", "/properties/l/items"])
def test_defaults_in_junctors(oracle: str, tmp_path: Path, keyword: str, below: str) -> None:
    branch: dict[str, Any] = {"default": "x"}
    for part in reversed(below.split("/")[1:]):
        branch = {part: branch}
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}}},
        keyword: branch if keyword == "not" else [branch],
    }
    pointer = f"/{keyword}{'' if keyword == 'not' else '/0'}{below}"
    (verdict,) = default_verdicts(schema)
    assert verdict.pointer == f"{pointer}/default"
    assert verdict.errors
    assert is_refused(server_errors(oracle, [schema], tmp_path)[0], verdict.pointer)


EMBEDDED = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
KEYED = {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}
POD = {"apiVersion": "v1", "kind": "Pod"}

PECULIAR: list[dict[str, Any]] = [
    # Go converts an integer to the string type of the enum's member.
    {"x-kubernetes-int-or-string": True, "enum": ["A"], "default": 65},
    {"x-kubernetes-int-or-string": True, "default": True},
    {"x-kubernetes-int-or-string": True, "format": "int32", "default": 1},
    {"type": "integer", "maximum": 2**63 - 1, "default": 5},
    {"type": "integer", "minimum": -(2**63), "default": 5},
    {"type": "integer", "minimum": -(2**63) + 1024, "default": 5},
    {"type": "integer", "maximum": 0.5, "default": 0},
    {"type": "number", "minimum": 0.5, "default": 0},
    {"type": "string", "format": "date-time", "default": []},
    {"type": "object", "format": "nonsense", "default": "x"},
    {"type": "string", "nullable": True, "enum": [None, "x"], "default": "x"},
    {"type": "object", "additionalProperties": {"type": "string", "default": 5}},
    {"type": "object", "additionalProperties": True, "default": {"a": {"b": 1}}},
    {"type": "object", "additionalProperties": False, "default": {"a": 1}},
    {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}, "default": {"a": None}},
    {
        "type": "array",
        "items": KEYED,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        "default": [{"k": "a"}, {"k": "a"}],
    },
    {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "default": ["a", "a"]},
    EMBEDDED | {"default": POD | {"metadata": {"creationTimestamp": None, "name": None, "labels": None}}},
    EMBEDDED | {"default": POD | {"metadata": None}},
    EMBEDDED | {"default": POD | {"metadata": {"generation": -1}}},
    EMBEDDED | {"default": POD | {"metadata": {"labels": {"a": 1}}}},
    EMBEDDED
    | {"properties": {"metadata": {"type": "object", "minProperties": 1}}, "default": POD | {"metadata": {"x": 1}}},
    EMBEDDED
    | {
        "properties": {"metadata": {"type": "object", "required": ["name"]}},
        "default": POD | {"metadata": {"name": ""}},
    },
]


def test_peculiar_defaults(oracle: str, tmp_path: Path) -> None:
    schemas = [{"type": "object", "properties": {"s": schema}} for schema in PECULIAR]
    tally = Tally()
    for schema, errors in zip(schemas, server_errors(oracle, schemas, tmp_path), strict=True):
        tally.count(schema, errors, "")
    assert tally.wrong is None, "\n".join(tally.wrong)
    assert tally.compared == len(PECULIAR)
