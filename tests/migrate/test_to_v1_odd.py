"""Schemas of v1beta1 with keywords of any type: problems are listed, or what is converted can be read."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.migrate.planner import Wishes
from crdlint.migrate.structure import structural_problems
from tests.migrate.test_to_v1 import FIELDS, OBJECT, SCHEMAS, converted, crd
from tests.migrate.work_tree import planned

# What stands where a string, a boolean, a number, a list or a mapping is expected.
ODD: list[Any] = [
    *(None, True, False, 0, 5, 0.5, "", "a", "object", "set", "map", [], ["object"], [["a"], {"a": "b"}, None]),
    *({}, {"a": "b"}, {"a": ["b"], "c": None}, {"type": ["object"]}, [{"type": {"a": "b"}}], "{{ .Values.x }}"),
]
# All that `structure` looks at.
KEYWORDS = (
    *("$ref", "$schema", "additionalItems", "additionalProperties", "allOf", "anyOf", "default", "definitions"),
    *("dependencies", "description", "id", "items", "not", "nullable", "oneOf", "patternProperties", "properties"),
    *("required", "title", "type", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"),
    *("x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type"),
    *("x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"),
)
Place = tuple[str | int, ...]


def places(data: Any, place: Place = ()) -> Iterator[Place]:
    """Where a value stands below ``data``, or a keyword could."""
    if isinstance(data, dict):
        for key in data if place[-1:] == ("properties",) else dict.fromkeys((*data, *KEYWORDS)):
            yield (*place, key)
            yield from places(data.get(key), (*place, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield (*place, index)
            yield from places(item, (*place, index))


def changed(schema: Any, place: Place, value: Any) -> Any:
    found = copy.deepcopy(schema)
    holder = found
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return found


def check(schema: Any) -> None:
    """It is converted, or stays for a reason that is said; either way, the rest of a migration can be planned."""
    before = crd(schema)
    planned({"x.yaml": before}, Wishes(to_v1=True))
    after, (conversion,) = converted(before)
    assert json.loads(after)["apiVersion"].endswith("v1beta1" if conversion.problems else "v1")
    assert (after == before) is bool(conversion.problems)
    assert all(problem.text for problem in conversion.problems)


@pytest.mark.parametrize("name", FIELDS)
def test_any_keyword_may_be_of_any_type(name: str) -> None:
    field = FIELDS[name]
    for place in places(field):
        for odd in ODD:
            structural_problems(changed(field, place, odd))
            structural_problems({**OBJECT, "properties": {"spec": changed(field, place, odd)}})


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_keywords_may_be_of_any_type(data: st.DataObject) -> None:
    schema = data.draw(st.sampled_from(list(SCHEMAS.values())))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(list(places(schema))))
        schema = changed(schema, place, data.draw(st.sampled_from(ODD)))
    check(schema)


@pytest.mark.parametrize("kind", [["object"], ["string", "null"], {"a": "b"}, 5, True, [], {}, 0, False])
@pytest.mark.parametrize("place", [(), ("properties", "spec"), ("properties", "spec", "items")])
def test_a_type_that_is_no_string_is_a_problem(kind: Any, place: Place) -> None:
    """Wherever it stands, and once: what is said of types by name is not said of it."""
    spec = {"type": "array", "items": {"type": "string"}}
    schema = changed({**OBJECT, "properties": {"spec": spec}}, (*place, "type"), kind)
    pointer = "".join(f"/{key}" for key in (*place, "type"))
    assert [problem.pointer for problem in structural_problems(schema)] == [pointer]
    check(schema)
