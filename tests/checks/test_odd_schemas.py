"""Keywords of any type, at any place of a schema, end in findings, and a fix in a text that can be read."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crdlint.checks.capi.roles import Role
from crdlint.choices import Choices
from crdlint.crd.conditions import METAV1_LIST
from crdlint.findings import Applicability
from crdlint.runner import Job
from tests.capi.crds import Document, book, schema
from tests.fixture_tool import NO_CONFIG

ODD: dict[str, Any] = {
    "true": True,
    "integer": 5,
    "float": 0.5,
    "text": "a",
    "list": ["a"],
    "list of lists": [["a"], {"a": "b"}, None, True],
    "mapping": {"a": "b"},
    "mapping of odd things": {"a": ["b"], "c": None, "d": {"e": 1}},
    "null": None,
    "template": "{{ .Values.x }}",
}
# Keywords that rules look at, also where none stands.
KEYWORDS = (
    *("additionalProperties", "allOf", "anyOf", "default", "description", "enum", "format", "items", "maxItems"),
    *("maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "nullable"),
    *("oneOf", "pattern", "properties", "required", "type", "x-kubernetes-embedded-resource"),
    *("x-kubernetes-int-or-string", "x-kubernetes-list-map-keys", "x-kubernetes-list-type"),
    *("x-kubernetes-map-type", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"),
)
ALL_PACKS = ("core", "capi", "conventions")

Place = tuple[str | int, ...]


def bare(role: Role) -> Document:
    """The book's CRD of a role, with conditions that nothing bounds as the only field of its status."""
    document = copy.deepcopy(BOOK[role])
    fields = {name: {"type": "string"} for name in METAV1_LIST["items"]["properties"]}
    conditions = {"items": {"properties": fields, "type": "object"}, "type": "array"}
    schema(document)["properties"]["status"] = {"properties": {"conditions": conditions}, "type": "object"}
    return document


def of_another_group(document: Document) -> Document:
    """The same as a CRD of which no contract of Cluster API speaks."""
    other: Document = json.loads(json.dumps(document).replace("cluster.x-k8s.io", "example.com"))
    return other


BOOK = book("v1beta2")
BARE = bare(Role.INFRA_MACHINE)
BASES = {"plain": of_another_group(BARE), "Cluster API": BARE}
RICH = [*BOOK.values(), *map(of_another_group, BOOK.values()), *book("v1beta1").values()]


def places(data: Any, pointer: Place = ()) -> Iterator[Place]:
    """Where a value stands below ``data``, or a keyword could."""
    if isinstance(data, dict):
        for key in dict.fromkeys((*data, *KEYWORDS)) if pointer[-1:] != ("properties",) else data:
            yield (*pointer, key)
            yield from places(data.get(key), (*pointer, key))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield (*pointer, index)
            yield from places(item, (*pointer, index))


def changed(document: Document, place: Place, value: Any) -> Document:
    found = copy.deepcopy(document)
    holder: Any = schema(found)
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return found


def fix(document: Document) -> None:
    """Check with all rules and make all fixes; what they leave can be read."""
    choices = Choices(select=ALL_PACKS, config=str(NO_CONFIG))
    json.loads(Job(choices, Applicability.UNSAFE).run_bytes("crd.yaml", json.dumps(document).encode()).after)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("base", BASES)
def test_any_keyword_of_conditions_may_be_of_any_type(base: str, odd: str) -> None:
    status = schema(BASES[base])["properties"]["status"]
    for place in places(status, ("properties", "status")):
        fix(changed(BASES[base], place, ODD[odd]))


@st.composite
def odd_documents(draw: st.DrawFn) -> Document:
    """A CRD of the book, or the like of another group, with some odd keywords."""
    document: Document = draw(st.sampled_from(RICH))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.sampled_from(list(places(schema(document)))))
        document = changed(document, place, draw(st.sampled_from(list(ODD.values()))))
    return document


@settings(deadline=timedelta(seconds=20), max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(odd_documents())
def test_any_keywords_of_a_schema_may_be_of_any_type(document: Document) -> None:
    fix(document)
