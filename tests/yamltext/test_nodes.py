"""Finding one's way in a tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdlint.yamltext.nodes import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    find,
    is_merge_key,
    join_pointer,
    locate,
    resolve,
    split_pointer,
)
from crdlint.yamltext.parse import parse

TEXT = """\
base: &base
  kind: X
  deep: {a: 1}
other: &other {kind: Y, more: 2}
x:
  <<: [*base, *other]
  kind: Z
  list:
  - a
  - name: b
    "odd/~key": c
  empty:
alias: *base
"""


def root_of(text: str) -> Mapping:
    root = parse(text).documents[0].root
    assert isinstance(root, Mapping)
    return root


def own_text(pointer: str) -> str | None:
    node = find(root_of(TEXT), pointer)
    return None if node is None else TEXT[node.start : node.end]


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/base/kind", "X"),
        ("/x/kind", "Z"),
        ("/x/deep/a", "1"),
        ("/x/more", "2"),
        ("/x/list/0", "a"),
        ("/x/list/1/odd~1~0key", "c"),
        ("/x/empty", ""),
        ("/alias/deep", "{a: 1}"),
        ("/x/none", None),
        ("/x/list/2", None),
        ("/x/list/-1", None),
        ("/x/list/a", None),
        ("/x/list/²", None),
        ("/x/kind/deeper", None),
    ],
)
def test_find(pointer: str, expected: str | None) -> None:
    assert own_text(pointer) == expected


def test_the_empty_pointer_is_the_root() -> None:
    root = root_of(TEXT)
    assert find(root, "") is root
    assert locate(root, "") == (0, 4)


@pytest.mark.parametrize(
    ("pointer", "shown"),
    [
        ("/x/kind", "kind: Z"),
        ("/x/list", "list:"),
        ("/x/list/0", "a\n"),
        ("/x/list/1", "name: b"),
        ("/x/list/1/odd~1~0key", '"odd/~key"'),
        ("/x/none/deeper", "x:"),
        ("/nothing", "base"),
        ("/alias", "alias"),
        ("/alias/kind", "kind: X"),
        ("/other/more", "more: 2"),
        ("/x/list/7", "list:"),
    ],
)
def test_locate_shows_the_key_of_the_last_part_there_is(pointer: str, shown: str) -> None:
    start, end = locate(root_of(TEXT), pointer)
    assert TEXT[start:].startswith(shown)
    assert "\n" not in TEXT[start:end]


def test_entry_is_only_what_is_written() -> None:
    mapping = find(root_of(TEXT), "/x")
    assert isinstance(mapping, Mapping)
    assert mapping.entry("deep") is None
    assert mapping.get("deep") is not None
    assert [len(merged.entries) for merged in mapping.merged()] == [2, 2]


@given(st.lists(st.text()))
def test_pointers_come_back(parts: list[str]) -> None:
    assert split_pointer(join_pointer(parts)) == parts


@pytest.mark.parametrize(
    ("text", "merges"),
    [("<<: {}", True), ("'<<': {}", False), ("!!merge <<: {}", True), ("!!str <<: {}", False), ("! <<: {}", True)],
)
def test_merge_keys(text: str, merges: bool) -> None:
    assert is_merge_key(root_of(text).entries[0][0]) is merges


def test_a_deferred_mapping_is_read_once_and_when_asked() -> None:
    times = []

    def read() -> Mapping:
        times.append(1)
        return root_of("a: 1\nb: 2\n")

    mapping = Mapping.deferred(0, "a: 1\nb: 2\n", read)
    assert times == []
    assert mapping.end == 9
    assert [key.value for key, _ in mapping.entries] == ["a", "b"]
    assert times == [1]


def test_collections_end_with_their_last_leaf() -> None:
    text = "a:\n  b:\n  - c\n  -\n\n# note\nd: []\n"
    root = root_of(text)
    assert text[root.start : root.end] == text.rstrip()
    first: Node = resolve(root.entries[0][1])
    assert isinstance(first, Mapping)
    assert text[first.start : first.end] == "b:\n  - c\n  -"
    sequence = first.get("b")
    assert isinstance(sequence, Sequence)
    last = sequence.items[-1]
    assert isinstance(last, Scalar)
    assert (last.start, last.end) == (text.index("-\n") + 1, text.index("-\n") + 1)
