"""Defaults, values, zero values, defaulting and pruning, keyword by keyword."""

from __future__ import annotations

import contextlib
import copy
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.crd.formats import matches_format
from crdlint.crd.structural import (
    ABSENT,
    DefaultVerdict,
    NoZero,
    apply_defaults,
    complete,
    default_verdicts,
    duplicate_items,
    fresh_status,
    prune,
    validate_value,
    zero_value,
)
from crdlint.yamltext.data import FURTHER_KEYS, Templated

INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
TEMPLATE = Templated("{{ .Values.x }}")


def object_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


# Values against keywords: the schema, the value, and the one error expected ("" for none).

VALUES: list[tuple[dict[str, Any], Any, str]] = [
    (INTEGER, 1, ""),
    (INTEGER, 1.0, ""),
    (INTEGER, 1.5, "must be of type integer, not the number 1.5"),
    (INTEGER, True, "must be of type integer, not the boolean true"),
    (INTEGER, "1", 'must be of type integer, not the string "1"'),
    (INTEGER, None, "must be of type integer, not null"),
    (INTEGER | {"nullable": True}, None, ""),
    (INTEGER, 2**63, "must be of type integer, not the number 9223372036854775808"),
    (INTEGER | {"format": "int32"}, 2**31, "2147483648 does not fit the format int32"),
    (INTEGER | {"format": "int64"}, 2**31, ""),
    ({"type": "number"}, 1, ""),
    ({"type": "number", "format": "float"}, 1e39, "1e+39 does not fit the format float"),
    ({"type": "boolean"}, 0, "must be of type boolean, not the integer 0"),
    ({"type": "array", "items": TEXT}, {}, "must be of type array, not an object"),
    # The type is not looked at where a format stands beside it and the value is a string or a list.
    ({"type": "object", "format": "x"}, "text", ""),
    (TEXT | {"format": "date-time"}, [], ""),
    (TEXT | {"format": "date-time"}, 1, "must be of type string, not the integer 1"),
    ({"format": "int64", "x-kubernetes-int-or-string": True}, 1, "must be a string of format int64, not the integer 1"),
    (INTEGER | {"minimum": 1}, -1, "-1 is below the minimum 1"),
    (INTEGER | {"minimum": 0, "exclusiveMinimum": True}, 0, "0 is below the exclusive minimum 0"),
    (INTEGER | {"minimum": 0, "exclusiveMinimum": 1}, 0, ""),
    (INTEGER | {"maximum": 3}, 4, "4 is above the maximum 3"),
    (INTEGER | {"maximum": 3, "exclusiveMaximum": True}, 3, "3 is above the exclusive maximum 3"),
    (INTEGER | {"maximum": 2**64}, 3, "no value passes, since maximum 18446744073709551616 is itself no integer"),
    (INTEGER | {"minimum": -(2**63)}, 3, "no value passes, since minimum -9223372036854775808 is itself no integer"),
    (INTEGER | {"minimum": -(2**62)}, 3, ""),
    # An integer is compared with the integer part of the bound.
    ({"type": "number", "minimum": 0.5}, 0, ""),
    ({"type": "number", "minimum": 0.5}, 0.25, "0.25 is below the minimum 0.5"),
    (INTEGER | {"multipleOf": 3}, 4, "4 is not a multiple of 3"),
    (INTEGER | {"multipleOf": 3}, -3, ""),
    ({"type": "number", "multipleOf": 0.1}, 0.3, ""),
    ({"type": "number", "multipleOf": 0.1}, 0.35, "0.35 is not a multiple of 0.1"),
    (INTEGER | {"minimum": "1", "maximum": True, "multipleOf": None}, -1, ""),
    (TEXT | {"minLength": 1}, "", '"" is shorter than minLength 1'),
    (TEXT | {"maxLength": 2}, "äöü", '"äöü" has 3 characters, more than maxLength 2'),
    (TEXT | {"format": "date-time"}, "", '"" is not of format date-time'),
    (TEXT | {"format": "date"}, "2024-02-30", '"2024-02-30" is not of format date'),
    (TEXT | {"format": "nonsense"}, "", ""),
    (TEXT | {"enum": ["a", "b"]}, "c", '"c" is not one of "a", "b"'),
    (TEXT | {"enum": ["a"]}, "a", ""),
    (TEXT | {"enum": ["a", None], "nullable": True}, None, 'null is not one of "a", null'),
    ({"enum": [1]}, 1.5, ""),
    ({"enum": [1]}, True, "true is not one of 1"),
    ({"enum": ["A"]}, 65, ""),
    (TEXT | {"enum": {}}, "c", ""),
    ({"type": "array", "items": TEXT, "minItems": 1}, [], "has 0 items, fewer than minItems 1"),
    ({"type": "array", "items": TEXT, "maxItems": 1}, ["a", "b"], "has 2 items, more than maxItems 1"),
    ({"type": "array", "items": TEXT, "uniqueItems": True}, ["a", "a"], "has an item twice, but uniqueItems is true"),
    ({"type": "array", "items": {}, "uniqueItems": True}, [1, True, "1"], ""),
    ({"type": "array", "items": INTEGER}, [1, "x"], '[1]: must be of type integer, not the string "x"'),
    (object_of(a=TEXT) | {"required": ["a"]}, {}, "a: required, but the default does not set it"),
    (object_of(a=TEXT) | {"required": "a"}, {}, ""),
    (object_of(a=TEXT), {"b": 1}, "b: unknown field, which the server would prune"),
    (object_of(a=TEXT) | {"x-kubernetes-preserve-unknown-fields": True}, {"b": 1}, ""),
    (object_of(a=object_of(b=INTEGER | {"minimum": 1})), {"a": {"b": -1}}, "a.b: -1 is below the minimum 1"),
    (object_of(a=TEXT) | {"minProperties": 2}, {"a": "x"}, "has 1 fields, fewer than minProperties 2"),
    (object_of(a=TEXT) | {"maxProperties": 0}, {"a": "x"}, "has 1 fields, more than maxProperties 0"),
    ({"type": "object", "additionalProperties": INTEGER}, {"a": "x"}, 'a: must be of type integer, not the string "x"'),
    ({"type": "object", "additionalProperties": False}, {"a": 1}, "a: not allowed by additionalProperties: false"),
    # A field of unknown content is kept, but its own fields are pruned.
    ({"type": "object", "additionalProperties": True}, {"a": 1}, ""),
    (
        {"type": "object", "additionalProperties": True},
        {"a": {"b": 1}},
        "a.b: unknown field, which the server would prune",
    ),
    # Nested defaults are not applied before a default is validated.
    (
        object_of(a=TEXT | {"default": "x"}) | {"required": ["a"]},
        {},
        "a: required, but the default does not set it",
    ),
    (TEXT | {"allOf": [{"minLength": 2}]}, "x", '"x" is shorter than minLength 2'),
    (TEXT | {"anyOf": [{"minLength": 2}, {"enum": ["y"]}]}, "x", '"x" matches none of the schemas of anyOf'),
    (TEXT | {"anyOf": [{"minLength": 2}, {"enum": ["x"]}]}, "x", ""),
    (
        TEXT | {"oneOf": [{"minLength": 1}, {"enum": ["x"]}]},
        "x",
        '"x" matches 2 of the schemas of oneOf, not exactly one',
    ),
    (TEXT | {"oneOf": [{"minLength": 2}, {"enum": ["x"]}]}, "x", ""),
    (TEXT | {"not": {"enum": ["x"]}}, "x", '"x" is what `not` rules out'),
    (TEXT | {"not": {"enum": ["x"]}}, "y", ""),
    (TEXT | {"not": False}, "y", ""),
    ({"x-kubernetes-int-or-string": True, "anyOf": [INTEGER, TEXT]}, 1, ""),
    (
        {"x-kubernetes-int-or-string": True, "anyOf": [INTEGER, TEXT]},
        True,
        "true matches none of the schemas of anyOf (integer or string)",
    ),
    # Without the anyOf, the server lets any value pass as a default.
    ({"x-kubernetes-int-or-string": True}, True, ""),
    # The uniqueness of list maps and sets is checked of objects, not of defaults.
    ({"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"}, ["a", "a"], ""),
]


@pytest.mark.parametrize(("schema", "value", "error"), VALUES)
def test_values(schema: dict[str, Any], value: Any, error: str) -> None:
    assert validate_value(schema, value) == ([error] if error else [], [])


EMBEDDED = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
RESOURCE = {"apiVersion": "v1", "kind": "Pod"}

RESOURCES: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"apiVersion": "a/b/c"}, "apiVersion: 'a/b/c' is not a valid apiVersion"),
    ({"apiVersion": 1}, "apiVersion: must be a string"),
    ({"kind": "A_b"}, "kind: 'A_b' is not a valid kind"),
    ({"metadata": None}, ""),
    ({"metadata": []}, "metadata: must be an object"),
    ({"metadata": {"unknown": 1}}, ""),
    ({"metadata": {"name": 1}}, "metadata.name: must be a string"),
    ({"metadata": {"name": "a/b"}}, "metadata.name: is not a valid name"),
    ({"metadata": {"namespace": "A"}}, "metadata.namespace: is not a valid namespace"),
    ({"metadata": {"generation": -1}}, "metadata.generation: must not be negative"),
    ({"metadata": {"generation": "1"}}, "metadata.generation: must be an integer"),
    ({"metadata": {"labels": {"a": 1}}}, "metadata.labels: must map strings to strings"),
    ({"metadata": {"labels": {"a/b/c": "x"}}}, "metadata.labels: 'a/b/c' is not a valid key"),
    ({"metadata": {"labels": {"a.b/c": "-"}}}, "metadata.labels: '-' is not a valid label value"),
    ({"metadata": {"annotations": {"A.b/c": "- -"}}}, ""),
    ({"metadata": {"annotations": {"a": "x" * 300_000}}}, "metadata.annotations: is too long"),
    ({"metadata": {"finalizers": "x"}}, "metadata.finalizers: must be a list of strings"),
    ({"metadata": {"finalizers": ["/"]}}, "metadata.finalizers: holds an invalid finalizer name"),
    (
        {"metadata": {"finalizers": ["orphan", "foregroundDeletion"]}},
        "metadata.finalizers: cannot hold both orphan and foregroundDeletion",
    ),
]


@pytest.mark.parametrize(("changes", "error"), RESOURCES)
def test_embedded_resources(changes: dict[str, Any], error: str) -> None:
    assert validate_value(EMBEDDED, RESOURCE | changes) == ([error] if error else [], [])


def test_embedded_resources_need_a_type() -> None:
    errors, undecided = validate_value(EMBEDDED, {"metadata": {"ownerReferences": [{}]}})
    assert [error.split(":")[0] for error in errors] == ["apiVersion", "kind"]
    assert undecided == ["metadata.ownerReferences, which crdlint does not check"]


UNDECIDED: list[tuple[dict[str, Any], Any, list[str]]] = [
    (TEXT | {"pattern": "^x$"}, "x", ["pattern at the value itself"]),
    (object_of(a=TEXT | {"pattern": "["}), {"a": "x"}, ["pattern at a"]),
    (object_of(a=TEXT | {"pattern": "["}), {}, []),
    (TEXT | {"pattern": ""}, "x", []),
    (TEXT | {"anyOf": [{"pattern": "x"}, {"minLength": 1}]}, "x", []),
    (TEXT | {"anyOf": [{"pattern": "x"}, {"minLength": 2}]}, "x", ["pattern at the value itself"]),
    (TEXT | {"oneOf": [{"pattern": "x"}, {"minLength": 1}]}, "x", ["pattern at the value itself"]),
    (TEXT | {"not": {"pattern": "x"}}, "x", ["pattern at the value itself"]),
    (TEXT | {"not": {"pattern": "x", "minLength": 2}}, "x", []),
    (
        INTEGER | {"x-kubernetes-validations": [{"rule": "self > 0"}]},
        1,
        ["x-kubernetes-validations at the value itself"],
    ),
    (INTEGER | {"x-kubernetes-validations": []}, 1, []),
    (object_of(a=INTEGER | {"x-kubernetes-validations": [{}]}), {}, []),
    ({"type": "number", "maximum": 1e19}, 1, ["maximum beyond 64 bits at the value itself"]),
    (INTEGER, TEMPLATE, ["a template at the value itself"]),
    (INTEGER | {"minimum": TEMPLATE}, -1, ["a template at the value itself"]),
    (INTEGER | {"description": TEMPLATE}, -1, []),
    (INTEGER | {FURTHER_KEYS: FURTHER_KEYS}, "x", ["a template at the value itself"]),
    (object_of(a=TEMPLATE), {"a": 1}, ["a template at a"]),
    (object_of(a=TEXT) | {"required": [TEMPLATE]}, {}, ["a template at {{ .Values.x }}"]),
    ({"type": "object", "properties": {"a": TEXT, FURTHER_KEYS: FURTHER_KEYS}}, {"b": 1}, ["a template at b"]),
    ({"type": "object", "properties": TEMPLATE}, {}, ["a template at the value itself"]),
    (object_of(a=TEXT) | {"required": ["a"]}, {TEMPLATE: 1}, ["a template at {{ .Values.x }}", "a template at a"]),
    (TEXT | {"enum": ["a", TEMPLATE]}, "b", ["a template in the enum at the value itself"]),
    (TEXT | {"enum": ["a", TEMPLATE]}, "a", []),
    (
        {"type": "array", "items": TEXT, "minItems": 3},
        ["a", FURTHER_KEYS],
        ["a template at the value itself", "a template at [1]"],
    ),
]


@pytest.mark.parametrize(("schema", "value", "undecided"), UNDECIDED)
def test_undecided_values(schema: dict[str, Any], value: Any, undecided: list[str]) -> None:
    assert validate_value(schema, value) == ([], undecided)


# Verdicts.


def test_verdicts_come_in_the_order_of_the_schema() -> None:
    schema = {
        "type": "object",
        "default": {"ready": False},
        "properties": {
            "ready": {"type": "boolean", "default": "no"},
            "a/b~c": TEXT | {"default": None},
            "list": {"type": "array", "items": INTEGER | {"default": -1, "minimum": 0}},
            "map": {"type": "object", "additionalProperties": TEXT | {"default": 1}},
            "default": TEXT | {"default": "x", "pattern": "x"},
        },
    }
    assert default_verdicts(schema) == [
        DefaultVerdict("/default", (), ()),
        DefaultVerdict("/properties/ready/default", ('must be of type boolean, not the string "no"',), ()),
        DefaultVerdict("/properties/list/items/default", ("-1 is below the minimum 0",), ()),
        # The server does not look at defaults below additionalProperties.
        DefaultVerdict("/properties/map/additionalProperties/default", (), ()),
        DefaultVerdict("/properties/default/default", (), ("pattern at the value itself",)),
    ]


def test_pointers_are_escaped() -> None:
    (verdict,) = default_verdicts(object_of(**{"a/b~c": TEXT | {"default": "x"}}))
    assert verdict.pointer == "/properties/a~1b~0c/default"


def test_defaults_in_junctors_are_refused() -> None:
    schema = object_of(a=TEXT) | {"not": {"properties": {"a": {"default": "x"}}}, "allOf": [{"default": {}}]}
    verdicts = default_verdicts(schema)
    assert [verdict.pointer for verdict in verdicts] == ["/allOf/0/default", "/not/properties/a/default"]
    assert all("to be structural" in verdict.errors[0] for verdict in verdicts)


def test_preserved_unknown_fields_refuse_every_default() -> None:
    schema = object_of(a=TEXT | {"default": "x"})
    (verdict,) = default_verdicts(schema, defaults_allowed=False)
    assert verdict.errors[0].startswith("spec.preserveUnknownFields is true")


def test_templated_defaults_are_undecided() -> None:
    schema = object_of(a=TEXT | {"default": TEMPLATE}, b=object_of(c=TEXT) | {"default": {"c": TEMPLATE}}, d=TEMPLATE)
    assert [(verdict.errors, verdict.undecided) for verdict in default_verdicts(schema)] == [
        ((), ("a template at the value itself",)),
        ((), ("a template at c",)),
    ]


def test_defaults_in_the_metadata_of_embedded_resources() -> None:
    metadata = object_of(name=TEXT | {"default": "a/b"}, labels={"type": "object", "default": {"a": "b"}})
    labels: dict[str, Any] = {"type": "object", "additionalProperties": TEXT | {"default": "x"}}
    schema = EMBEDDED | {"properties": {"metadata": metadata, "kind": TEXT | {"default": "_"}}}
    assert [(verdict.pointer, verdict.errors) for verdict in default_verdicts(object_of(r=schema))] == [
        ("/properties/r/properties/metadata/properties/name/default", ("metadata.name: is not a valid name",)),
        ("/properties/r/properties/metadata/properties/labels/default", ()),
        ("/properties/r/properties/kind/default", ("kind: '_' is not a valid kind",)),
    ]
    (verdict,) = default_verdicts(EMBEDDED | {"properties": {"metadata": object_of(labels=labels)}})
    assert "object metadata" in verdict.errors[0]
    templated = EMBEDDED | {
        "properties": {"metadata": object_of(labels=labels) | {"default": {"labels": {"a": TEMPLATE}}}}
    }
    assert [verdict.undecided for verdict in default_verdicts(templated)][:1] == [("a template at the value itself",)]


@pytest.mark.parametrize("schema", [None, [], "x", TEMPLATE, {}, {"properties": {"default": TEXT}}, {"default": None}])
def test_schemas_without_defaults(schema: Any) -> None:
    assert default_verdicts(schema) == []


# Zero values and completion.

ZEROS: list[tuple[dict[str, Any], Any]] = [
    (TEXT, ""),
    (INTEGER, 0),
    ({"type": "number"}, 0),
    ({"type": "boolean"}, False),
    ({"type": "array"}, []),
    ({"x-kubernetes-int-or-string": True}, 0),
    (object_of(a=TEXT), {}),
    (TEXT | {"default": "x"}, "x"),
    (TEXT | {"default": None}, ""),
    (object_of(a=object_of(b=TEXT) | {"required": ["b"]}, c=TEXT) | {"required": ["a"]}, {"a": {"b": ""}}),
    ({"type": "object", "additionalProperties": INTEGER, "required": ["a"]}, {"a": 0}),
]


@pytest.mark.parametrize(("schema", "zero"), ZEROS)
def test_zero_values(schema: dict[str, Any], zero: Any) -> None:
    assert zero_value(schema) == zero


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({}, "it has no type"),
        (object_of(a={}) | {"required": ["a"]}, "a has no type"),
        (object_of() | {"required": ["a"]}, "a is required, but has no schema"),
        (object_of(a=TEMPLATE) | {"required": ["a"]}, "a is filled in by a template"),
        ({"type": "file"}, "it has the type file"),
    ],
)
def test_nodes_without_zero(schema: dict[str, Any], reason: str) -> None:
    with pytest.raises(NoZero, match=f"^{reason}$"):
        zero_value(schema)


def test_zero_values_are_copies() -> None:
    schema = object_of(a=TEXT) | {"default": {"a": "x"}}
    zero_value(schema)["a"] = "y"
    assert schema["default"] == {"a": "x"}


def test_complete() -> None:
    inner = object_of(b=TEXT, c=INTEGER | {"default": 3}) | {"required": ["b", "c"]}
    listed = {"type": "array", "items": inner}
    schema = object_of(a=inner, l=listed, r={"type": "boolean"}) | {"required": ["r"]}
    value = {"a": {"b": "x"}, "l": [{}], "z": {"q": []}}
    before = copy.deepcopy(value)
    completed = {"a": {"b": "x", "c": 3}, "l": [{"b": "", "c": 3}], "z": {"q": []}, "r": False}
    assert complete(schema, value) == completed
    assert value == before


# Defaulting and pruning.


def test_apply_defaults() -> None:
    schema = object_of(
        a=TEXT | {"default": "x"},
        b=object_of(c=INTEGER | {"default": 1}) | {"default": {}},
        absent=object_of(c=INTEGER | {"default": 1}),
        kept=TEXT | {"nullable": True, "default": "x"},
        dropped=TEXT,
        l={"type": "array", "items": object_of(c=INTEGER | {"default": 1})},
        m={"type": "object", "additionalProperties": object_of(c=INTEGER | {"default": 1})},
    )
    value: dict[str, Any] = {"a": None, "kept": None, "dropped": None, "l": [{}, None], "m": {"k": {}}}
    assert apply_defaults(schema, value) == {
        "a": "x",
        "b": {"c": 1},
        "kept": None,
        "l": [{"c": 1}, None],
        "m": {"k": {"c": 1}},
    }
    assert value["a"] is None


def test_fresh_status() -> None:
    guarded = object_of(observedGeneration=INTEGER, phase=TEXT | {"default": "Pending"})
    assert fresh_status(guarded) is ABSENT
    assert fresh_status(guarded | {"default": None}) is ABSENT
    assert fresh_status(guarded | {"default": {"observedGeneration": -1}}) == {
        "observedGeneration": -1,
        "phase": "Pending",
    }
    assert fresh_status(None) is ABSENT
    assert fresh_status(guarded | {"default": TEMPLATE}) is TEMPLATE
    assert not ABSENT
    assert repr(ABSENT) == "ABSENT"


def test_prune() -> None:
    keep = {"x-kubernetes-preserve-unknown-fields": True}
    schema = object_of(
        a=object_of(b=TEXT),
        free=object_of(b=object_of(c=TEXT)) | keep,
        list={"type": "array", "items": object_of(b=TEXT)} | keep,
        any={"type": "object", "additionalProperties": True},
        resource=EMBEDDED,
    )
    value = {
        "a": {"b": "x", "c": 1},
        "free": {"b": {"c": "x", "d": 1}, "e": {"f": 1}},
        "list": [{"b": "x", "c": 1}],
        "any": {"k": {"l": 1}, "s": 1},
        "resource": {"metadata": {"name": "x"}, "spec": {"a": 1}},
        "z": 1,
    }
    before = copy.deepcopy(value)
    assert prune(schema, value) == {
        "a": {"b": "x"},
        "free": {"b": {"c": "x"}, "e": {"f": 1}},
        "list": [{"b": "x", "c": 1}],
        "any": {"k": {}, "s": 1},
        "resource": {"metadata": {"name": "x"}, "spec": {"a": 1}},
    }
    assert value == before


def test_duplicates_in_sets_and_maps() -> None:
    schema = object_of(
        s={"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
        m={
            "type": "array",
            "items": object_of(type=TEXT),
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
        },
    )
    assert duplicate_items(schema, {"s": ["a", "b"], "m": [{"type": "a"}, {"type": "b"}, {}]}) == []
    assert duplicate_items(schema, {"s": ["a", "b", "a"], "m": [{"type": "a"}, None, {}]}) == [
        "s[2]: occurs twice in a set",
        "m[2]: repeats the key type",
    ]
    assert duplicate_items(schema, {"m": [1]}) == ["m[0]: must be an object in a list that is a map"]


@pytest.mark.parametrize("name", ["date-time", "byte", "hostname", "uri", "duration", "email", "k8s-short-name"])
def test_most_formats_refuse_the_empty_string(name: str) -> None:
    assert matches_format(name, "") is False


# Any data at all.

KEYWORDS = [
    "type",
    "format",
    "nullable",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "enum",
    "required",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "default",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "metadata",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-validations",
    "apiVersion",
    "kind",
    "name",
    "labels",
    "a",
    "b",
]
KEYS = st.sampled_from(KEYWORDS) | st.just(TEMPLATE) | st.just(FURTHER_KEYS) | st.text(max_size=2)
WORDS = st.sampled_from(
    ["object", "array", "string", "integer", "number", "set", "map", "a", "date-time", "uri", "ipv4"]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 2**63, 2.0**63, 5e-324, 1e308])
    | st.floats()
    | st.text(max_size=4)
    | WORDS
    | st.just(TEMPLATE)
)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=25
)


@settings(derandomize=True, max_examples=400, deadline=None)
@given(schema=ANYTHING, value=ANYTHING)
def test_any_data_is_taken(schema: Any, value: Any) -> None:
    exercise(schema, value)


FORMAT_NAMES = ["bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "duration", "email", "hexcolor"]
FORMAT_NAMES += ["hostname", "ipv4", "ipv6", "isbn", "mac", "k8s-long-name", "rgbcolor", "ssn", "uri", "uuid", "x"]


@settings(derandomize=True, max_examples=300, deadline=None)
@given(name=st.sampled_from(FORMAT_NAMES), value=st.text() | st.text("0123456789:./[]%@-TZabs", max_size=30))
def test_any_text_is_taken(name: str, value: str) -> None:
    assert matches_format(name, value) in (True, False, None)


def exercise(schema: Any, value: Any) -> None:
    before = repr((schema, value))
    for verdict in default_verdicts(schema):
        assert verdict.pointer.endswith("/default")
    validate_value(schema, value)
    duplicate_items(schema, value)
    prune(schema, value)
    apply_defaults(schema, value)
    fresh_status(schema)
    with contextlib.suppress(NoZero):
        zero_value(schema)
    with contextlib.suppress(NoZero):
        complete(schema, value)
    assert repr((schema, value)) == before


def nested(wrap: Any, innermost: Any, depth: int) -> Any:
    for _ in range(depth):
        innermost = wrap(innermost)
    return innermost


@pytest.mark.parametrize(
    ("wrap", "wrap_value"),
    [
        (lambda inner: {"type": "array", "items": inner, "default": []}, lambda value: [value]),
        (lambda inner: {"type": "object", "additionalProperties": inner}, lambda value: {"a": value}),
        (lambda inner: object_of(a=inner) | {"required": ["a"], "default": {}}, lambda value: {"a": value}),
        (lambda inner: {"not": inner}, lambda value: value),
        (lambda inner: {"anyOf": [inner]}, lambda value: value),
        (lambda inner: {"allOf": [inner], "enum": [[]]}, lambda value: [value]),
    ],
)
def test_deep_data_is_taken(wrap: Any, wrap_value: Any) -> None:
    depth = 250
    assert sys.getrecursionlimit() == 1000
    exercise(
        nested(wrap, TEXT | {"default": "x"}, depth // 2 if "anyOf" in wrap({}) else depth),
        nested(wrap_value, "x", depth),
    )
