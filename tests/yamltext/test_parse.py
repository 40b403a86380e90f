"""Texts to trees: positions, limits, errors, and whatever bytes come along."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.yamltext import build, templates, wellformed
from crdlint.yamltext import parse as parsing
from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Alias, Mapping, Node, Scalar, Sequence
from crdlint.yamltext.parse import MAX_DEPTH, parse
from crdlint.yamltext.source import Source, Unreadable

from .documents import PATH, document, mutated
from .trees import data, outcome

MANY = 100_000


def root_of(text: str) -> Node:
    root = parse(text).documents[0].root
    assert root is not None
    return root


def problem(text: str, **options: Any) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        parse(text, **options)
    return caught.value


def spans(text: str) -> list[str]:
    """The own text of every node, keys included, in the order of the text."""
    found: list[str] = []

    def visit(node: Node) -> None:
        found.append(text[node.start : node.end])
        if isinstance(node, Sequence):
            for item in node.items:
                visit(item)
        elif isinstance(node, Mapping):
            for key, value in node.entries:
                visit(key)
                visit(value)

    visit(root_of(text))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1  # c\n", ["a: 1", "a", "1"]),
        ("é: 'ü'\nb:\n", ["é: 'ü'\nb:", "é", "'ü'", "b", ""]),
        ("a:\n- b\n-\n\n# c\n", ["a:\n- b\n-", "a", "- b\n-", "b", ""]),
        ("{a: 1, b: [2]} # c\n", ["{a: 1, b: [2]}", "a", "1", "b", "[2]", "2"]),
        ("&x !!map\na: &y !!str 1\n", ["&x !!map\na: &y !!str 1", "a", "&y !!str 1"]),
        ("a: &x b\nc: *x\n", ["a: &x b\nc: *x", "a", "&x b", "c", "*x"]),
        ("a: b\n  c\nd: e\n", ["a: b\n  c\nd: e", "a", "b\n  c", "d", "e"]),
        ("a: b\r\nc: d\r\n", ["a: b\r\nc: d", "a", "b", "c", "d"]),
        ("\ufeffa: 1\n", ["a: 1", "a", "1"]),
        ("# \u2028 \x85\na: 1\n", ["a: 1", "a", "1"]),
    ],
)
def test_spans(text: str, expected: list[str]) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    ("scalar", "own"),
    [
        ("|\n  x\n\n\n", "|\n  x"),
        ("|-\n  x\n  y\n", "|-\n  x\n  y"),
        (">\n\n  x\n\n  y\n\n", ">\n\n  x\n\n  y"),
        ("|+\n  x\n\n\n", "|+\n  x\n\n"),
        ("|2+ # +\n  x\n\n\n", "|2+ # +\n  x\n\n"),
        ("| # +\n  x\n\n", "| # +\n  x"),
        ("|\n  x\n     \n", "|\n  x\n     "),
        ("|\n  x\n  \n", "|\n  x"),
        ("|\n", "|"),
        ("|\n\n\n", "|"),
        ("|\r\n  x\r\n\r\n", "|\r\n  x"),
        ("|+\r\n  x\r\n\r\n", "|+\r\n  x\r\n"),
        ("|\n  x", "|\n  x"),
        ("&a-b |\n  x\n\n", "&a-b |\n  x"),
    ],
)
@pytest.mark.parametrize("behind", ["", "b: 1\n", "# c\n", "# c\n\nb: 1\n"])
def test_block_scalars_end_before_their_last_newline(scalar: str, own: str, behind: str) -> None:
    if behind and not scalar.endswith("\n"):
        return
    root = root_of("a: " + scalar + behind)
    assert isinstance(root, Mapping)
    value = root.entries[0][1]
    assert ("a: " + scalar + behind)[value.start : value.end] == own


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", []),
        ("# only\n# comments\n", []),
        ("---\n", [None]),
        ("---\n---\n", [None, None]),
        ("--- a\n--- b\n", ["a", "b"]),
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n--- # c\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n...\n", [{"a": 1}]),
        ("a: 1\n...\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n...\n# c\n...\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: ---\n", [{"a": "---"}]),
        ("a: |\n  ---\n  x\n", [{"a": "---\nx\n"}]),
        ("--- |\n x\n---\nb", ["x\n", "b"]),
        ("---a: 1\n", [{"---a": 1}]),
        ("a:\n  x\n---\r\nb: 2\r\n", [{"a": "x"}, {"b": 2}]),
        ("%YAML 1.1\n---\na: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1\n", [{"a": "1"}]),
        ("a: 1\n---", [{"a": 1}, None]),
        ('{"a": {"b": [1, 2.5, null, true, "x"]}}', [{"a": {"b": [1, 2.5, None, True, "x"]}}]),
        ('{\n\t"a":1,\n\t"b":"\\/\\u00e9"\n}\n', [{"a": 1, "b": "/é"}]),
        ("a: {b: c:d, e: [http://x:1/y, f]}", [{"a": {"b": "c:d", "e": ["http://x:1/y", "f"]}}]),
        ("[a::b, 1:30, !!str c:d, 'e':f]", [["a::b", "1:30", "c:d", {"e": "f"}]]),
        ("\ufeffa: 1", [{"a": 1}]),
    ],
)
def test_data(text: str, expected: list[Any]) -> None:
    assert data(text) == expected


def test_only_wanted_documents_get_a_tree() -> None:
    text = "a: 1\nb: 2\n---\nkind: X\n---\n# note\n"
    documents = parse(text, "kind: X").documents
    assert [document.root is None for document in documents] == [True, False, True]
    assert [text[document.start : document.end] for document in documents] == [
        "a: 1\nb: 2\n",
        "---\nkind: X\n",
        "---\n# note\n",
    ]


def test_keys_that_stand_twice_are_found_in_the_other_documents_too() -> None:
    with pytest.raises(Unreadable, match="'a' stands twice"):
        parse("a: 1\na: 2\n---\nkind: X\n", "kind: X")


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("é: ü\nb: \0", "U+0000 is not allowed", "\0"),
        ("é: \x1b[2J", "U+001B is not allowed", "\x1b"),
        ("\ufeffé: \x01", "U+0001 is not allowed", "\x01"),
        ("é: \ud800", "U+D800 is not allowed", "\ud800"),
        ("é: \ufffe", "U+FFFE is not allowed", "\ufffe"),
        ("é:\n\tb: 1", "cannot start any token", "\tb"),
        ("é: 2\n  b: 1\n", "mapping values are not allowed", ": 1\n"),
        ("é: [1\nb: 2\n", "did not find expected ',' or ']'", ": 2"),
        ("é: 'x\nb: 1\n", "unexpected end of stream", "'x"),
        ("a: 1\nword\nb: 2\n", "could not find expected ':'", "word"),
        ("é: 1\nb: *x\n", "*x refers to no anchor before it", "*x"),
        ("é: &x [*x]\n", "*x stands inside what it refers to", "*x]"),
        ("b: &x 1\né: &x\n  c: *x\n", "*x stands inside what it refers to", "*x\n"),
        ("é: &x 1\n---\nb: *x\n", "*x refers to no anchor before it", "*x"),
        ("é: 1\né: 2\n", "'é' stands twice", "é: 2"),
        ("a: 1\n'a': 2\n", "'a' stands twice", "'a': 2"),
        ('1: 1\n"1": 2\n', "'1' stands twice", '"1"'),
        ("on: 1\ntrue: 2\n", "'true' stands twice", "true: 2"),
        ("0x1: 1\n1: 2\n", "'1' stands twice", "1: 2"),
        ("é: [{b: 1, c: 2, b: 3}]\n", "'b' stands twice", "b: 3"),
        ("a: 1\n---\nb: 1\nb: 2\n", "'b' stands twice", "b: 2"),
        ("a: &x b\n? *x\n: 1\nb: 2\n", "'b' stands twice", "b: 2"),
        ("é: 1\n? [b]\n: 1\n", "the key of a mapping is a collection", "[b]"),
        ("é: 1\n~: 1\n", "the key of a mapping is null", "~"),
        ("é: !!int x\n", "'x' is not what its tag !!int says", "!!int"),
        ("é: .nan\n", "JSON", ".nan"),
        ("é: &x .nan\n", "JSON", "&x"),
        ("é: {<<: 1}\n", "what << merges is not a mapping", "1}"),
        ("é: {<<: [{a: 1}, [b]]}\n", "what << merges is not a mapping", "[b]"),
        ('{"é": "\\ud83d\\ude00", "b": 1, "b": 2}', "'b' stands twice", '"b": 2'),
        ("é: [a:b]\nb: 1\nb: 2\n", "'b' stands twice", "b: 2"),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str, at: str) -> None:
    found = problem(text)
    assert message in found.message
    assert found.offset == text.index(at)


def test_keys_beside_a_merge_are_no_duplicates() -> None:
    assert data("b: &b {a: 1, c: 1}\nx:\n  a: 2\n  <<: *b\n  '<<': 3\n  <<: {d: 4}\n")[0]["x"] == {
        "a": 2,
        "<<": 3,
        "c": 1,
        "d": 4,
    }


def test_json_escapes_of_half_characters() -> None:
    text = '{"a\\ud83d\\ude00": "é\\uD83D\\uDE00\\/", "\ue83d\uee00": "\ue83d\uee00", "b": "\\ud83d x", "c": 1}'
    root = root_of(text)
    assert isinstance(root, Mapping)
    assert data(text) == [{"a😀": "é😀/", "\ue83d\uee00": "\ue83d\uee00", "b": "\ufffd x", "c": 1}]
    assert [text[key.start : key.end] for key, _ in root.entries][3] == '"c"'
    assert root.get("a😀") is not None


def test_half_characters_are_for_json_only() -> None:
    assert "invalid Unicode character escape code" in problem('a: "\\ud83d\\ude00"').message


# All that Python's encoder leaves unescaped of what libyaml refuses is DEL.
JSON_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | JSON_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(JSON_TEXT, inner),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 1, 4]))
@settings(max_examples=300, deadline=None)
def test_json_is_read_as_json(value: Any, indent: int | None) -> None:
    value = {"a": value}
    assert data(json.dumps(value, indent=indent)) == [value]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: ", "- a:\n"])
def test_depth(opening: str) -> None:
    def nested(times: int) -> str:
        if opening == "- a:\n":
            return "".join("  " * level + "- a:\n" for level in range(times))
        closing = {"[": "]", "{a: ": "}", "[{a: ": "}]"}.get(opening, "")
        return opening * times + "b" + closing * times

    levels = 2 if opening in ("[{a: ", "- a:\n") else 1
    deepest = MAX_DEPTH // levels
    if opening != "? ":
        parse(nested(deepest))
    assert "nested deeper than 250 levels" in problem(nested(deepest + 1)).message


@pytest.mark.parametrize(
    "text",
    [
        *(
            piece * MANY
            for piece in (
                "[",
                "{",
                "- ",
                "? ",
                "[a: ",
                "{a: ",
                "-\n",
                "? a\n",
                ": \n",
                "&a ",
                "!",
                "*",
                "'",
                "{{",
                "[]",
                "[ # ]\n",
                "---\n",
                "\n--- ",
                "...\n",
                "%TAG !a! b\n",
                "%YAML 1.1\n",
                "\r",
                "\x85",
                "a: \u2028",
                "a: ",
                "[a:b,",
                "|",
                "\\ud83d",
            )
        ),
        "".join(" " * level + "a:\n" for level in range(2000)),
        "".join(" " * level + "? a\n" for level in range(2000)),
        "".join("-" + " " * level + "\n" for level in range(1000)),
        "[" * MANY + "]" * MANY,
        "a: '" + "[{" * MANY + "'",
        "a: [" + "'[', " * MANY + "]",
        "".join(f"%TAG !a{number}! x\n" for number in range(20_000)) + "---\na: 1\n",
        "a: |\n" + "\n" * MANY,
        "a: |\n" + " \n" * MANY + "  x\n" + "  \n" * MANY,
        "a: b\n" + "\n" * MANY + "  c",
        '"' + "\\\n" * MANY + '"',
        "&" + "a" * MANY + " b: *" + "a" * MANY,
        "- &a a\n" * 20_000 + "- *a\n" * 20_000,
        "a: " + "x" * 5_000_000,
        "x" * 1025 + ": 1",
        '{"a": "' + "\\ud83d\\ude00" * MANY + '"}',
        "{{ x }}\n" * (MANY // 10),
        "a" * MANY + "{{ x }}",
    ],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    started = time.process_time()
    outcome(text)
    assert time.process_time() - started < 3


def bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels)]
    return "\n".join(lines) + "\n"


def test_alias_bombs() -> None:
    text = bomb(9, 9)
    assert len(text) < 450
    assert "more than 2,000,000 nodes" in problem(text).message
    assert problem(text).offset > text.index("a6")
    parse(bomb(6, 9))


def test_aliases_count_in_depth() -> None:
    assert "nested deeper" in problem(bomb(MAX_DEPTH + 1, 1)).message
    chain = root_of(bomb(MAX_DEPTH - 2, 1))
    assert isinstance(chain, Mapping)
    last = chain.entries[-1][1]
    assert isinstance(last, Sequence)
    assert isinstance(last.items[0], Alias)


def test_bombs_of_merges() -> None:
    lines = ["a0: &a0 {k: 1}"]
    lines += [f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 9)}]}}" for level in range(1, 9)]
    assert "more than 2,000,000 nodes" in problem("\n".join(lines)).message
    root = root_of("\n".join(lines[:6]))
    assert isinstance(root, Mapping)
    deepest = root.get("a5")
    assert isinstance(deepest, Mapping)
    started = time.process_time()
    assert deepest.get("missing") is None
    assert isinstance(deepest.get("k"), Scalar)
    assert time.process_time() - started < 1


def test_nodes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MAX_NODES", 100)
    parse("- a\n" * 99)
    for text in ("- a\n" * 101, "- []\n" * 101, "a: &x [1, 2, 3]\nb: [" + "*x, " * 30 + "]"):
        assert "more than 100 nodes" in problem(text).message


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wellformed, "MAX_CHARACTERS", 100)
    parse("a" * 100)
    assert "more than the 100 that crdlint reads" in problem("a" * 101).message
    assert "more than the 100" in problem("{{ a }}" * 20).message


def test_documents_and_actions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MAX_DOCUMENTS", 10)
    monkeypatch.setattr(templates, "MAX_ACTIONS", 10)
    parse("---\na: 1\n" * 10)
    parse("a: {{ x }}\n---\n" * 9)
    assert problem("---\na: 1\n" * 11).message == "the file has more than 10 documents"
    assert problem("- {{ x }}\n" * 11).message == "the template has more than 10 actions"


def read_or_refused(raw: bytes) -> Unreadable | None:
    """Reads all there is to read, which nothing but `Unreadable` may interrupt."""
    try:
        source = Source.from_bytes(raw)
        documents = parse(source.text, "", PATH).documents
    except Unreadable as error:
        return error
    for found in documents:
        assert 0 <= found.start <= found.end <= len(source.text)
        if found.root is not None:
            to_data(found.root)
    return None


def check(raw: bytes) -> None:
    refusal = read_or_refused(raw)
    if refusal is not None:
        assert 0 <= refusal.offset <= len(raw)
        assert refusal.message.splitlines() == [refusal.message]


@settings(max_examples=300, deadline=20_000)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    check(raw)


@settings(max_examples=600, deadline=20_000)
@given(st.text(alphabet="ab01:-?|>{}[]&*!#'\"%@` \n\r\t\\,.<\x85\u2028é~=", max_size=60))
def test_any_yaml_like_text_is_read_or_refused(text: str) -> None:
    check(text.encode())


@settings(max_examples=300, deadline=20_000)
@given(st.integers(0, 2**64), st.integers(0, 2**64))
def test_any_mutation_is_read_or_refused(seed: int, mutation: int) -> None:
    check(mutated(document(seed), mutation).encode())
