"""Trees to the data that Kubernetes would see."""

from __future__ import annotations

import json

from crdlint.yamltext.data import FURTHER_KEYS, Templated, to_data
from crdlint.yamltext.nodes import Mapping, Node
from crdlint.yamltext.parse import MAX_DEPTH, parse


def root_of(text: str) -> Node:
    root = parse(text).documents[0].root
    assert root is not None
    return root


def test_scalars_and_keys_are_those_of_kubernetes() -> None:
    text = "y: on\n1: 0o17\n1.50: 1.0\n'n': 'n'\na: ~\nb:\n"
    assert to_data(root_of(text)) == {"true": True, "1": 15, "1.5": 1, "n": "n", "a": None, "b": None}
    assert type(to_data(root_of("1.0"))) is int


def test_shared_nodes_become_shared_objects() -> None:
    data = to_data(root_of("a: &x {b: [1]}\nc: *x\nd: [*x, *x]\n"))
    assert data["a"] is data["c"] is data["d"][0] is data["d"][1]


def test_merges() -> None:
    text = "a: &a {k: 1, l: 1}\nb: &b {k: 2, m: {p: 2}}\nc:\n  <<: [*a, *b]\n  l: 3\nd: {<<: {<<: *b, k: 4}, o: 5}\n"
    data = to_data(root_of(text))
    assert data["c"] == {"k": 1, "l": 3, "m": {"p": 2}}
    assert data["d"] == {"k": 4, "m": {"p": 2}, "o": 5}
    assert data["a"] == {"k": 1, "l": 1}


def test_what_get_finds_is_what_the_data_has() -> None:
    root = root_of("a: &a {k: 1}\nb: &b {<<: *a, l: 2}\nc: {<<: [{k: 3}, *b], m: 4}\n")
    assert isinstance(root, Mapping)
    mapping = root.get("c")
    assert isinstance(mapping, Mapping)
    data = to_data(mapping)
    assert data == {"k": 3, "l": 2, "m": 4}
    for key, value in data.items():
        found = mapping.get(key)
        assert found is not None
        assert to_data(found) == value


def test_what_a_template_may_write_is_in_the_data() -> None:
    data = to_data(root_of("a: {{ .x }}\nb:\n  c: 1\n  {{- .y | nindent 2 }}\nd:\n  - e\n  {{- .z | nindent 2 }}\n"))
    assert isinstance(data["a"], Templated)
    assert data["b"] == {"c": 1, FURTHER_KEYS: FURTHER_KEYS}
    assert data["d"] == ["e", FURTHER_KEYS]


def test_the_deepest_trees_fit_on_the_stack() -> None:
    assert json.dumps(to_data(root_of("[" * MAX_DEPTH + "]" * MAX_DEPTH))) == "[" * MAX_DEPTH + "]" * MAX_DEPTH
    chain = "a0: &a0 [x]\n" + "".join(f"a{level}: &a{level} [*a{level - 1}]\n" for level in range(1, MAX_DEPTH - 1))
    root = root_of(chain)
    assert isinstance(root, Mapping)
    last = root.entries[-1][1]
    depth = 0
    value = to_data(last)
    while isinstance(value, list):
        value, depth = value[0], depth + 1
    assert depth == MAX_DEPTH - 1
