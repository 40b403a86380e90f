"""Random operations on random documents, written in random styles."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from crdlint.yamltext import render
from crdlint.yamltext.data import to_data
from crdlint.yamltext.edit import Op, Operation, apply_to_data, plan, refusal, splice
from crdlint.yamltext.nodes import Node, join_pointer
from crdlint.yamltext.operations import same
from crdlint.yamltext.parse import parse
from crdlint.yamltext.verify import prove

# Why an edit of a document of `_Writer` may be refused: parts of the messages.
PERMITTED = (
    "has another value already",
    "comments stand between what would be removed",
    "a block scalar at the end of the file would gain or lose its last line break",
    "nothing would be left of the document",
    "two operations want different things",
    "one operation removes what another changes",
    "one operation replaces what another changes",
    "leads through a value that is no mapping",
    "the list has no item",
    "is no list",
    "is no mapping",
)

NAMES = ["a", "b", "c", "d", "type", "x-y", "ключ", "𝒳", "on", "1", "a b", "z"]
TEXTS = [
    "x",
    "two words",
    "True",
    "",
    "1",
    "a: b",
    "e # f",
    "naïve",
    "𝒳 y",
    "it's",
    '"q"',
    "-",
    "[x]",
    "a,b",
    "~",
    "1:30",
]
LONG_TEXTS = ["one\ntwo\n", "one\n\n  two", "one\n", "one\n\n\n"]

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 300), st.sampled_from([1.5, -0.25]), st.sampled_from(TEXTS + LONG_TEXTS)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=8,
)
roots = st.dictionaries(st.sampled_from(NAMES), values, min_size=1, max_size=4) | st.lists(
    values, min_size=1, max_size=3
)


def _root(text: str) -> Node:
    root = parse(text).documents[0].root
    assert root is not None
    return root


class _Writer:
    """Writes data as YAML, each collection and scalar in a style of its own."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.comments = 0
        self.step = random.choice([2, 2, 2, 4, 3])
        self.dash_indent = random.choice([0, 0, 2, 4])
        self.gap = random.choice([" ", " ", "   "])
        self.has_comments = random.random() < 0.5
        self.newline = random.choice(["\n", "\n", "\r\n"])

    def text(self, data: Any) -> str:
        if self.chance(0.1):
            body = [json.dumps(data, ensure_ascii=False, indent=self.random.choice([None, 2, 4]))]
            body = body[0].split("\n")
        elif self.chance(0.1):
            body = self.flow(data, 0).split("\n")
        else:
            body = self.block(data, 0)
        if self.chance(0.3):
            body = [self.random.choice(["---", "--- # begin", "# licence"]), *body]
        if self.chance(0.2):
            body += ["# end"]
        text = "\n".join(body).replace("\r\n", "\n").replace("\n", self.newline)
        # A block scalar at the end needs its newline.
        is_open = self.chance(0.2) and same(to_data(_root(text)), data)
        return text if is_open else text + self.newline

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def comment(self) -> str:
        self.comments += 1
        return f"# c{self.comments}c"

    def trailing(self) -> str:
        return " " + self.comment() if self.has_comments and self.chance(0.3) else ""

    def between(self, indent: int) -> list[str]:
        if not self.has_comments or self.chance(0.7):
            return []
        return [" " * indent + self.comment(), *([""] if self.chance(0.3) else [])]

    def block(self, data: Any, indent: int) -> list[str]:
        """The lines of a collection that is not empty, indented."""
        lines = []
        if isinstance(data, dict):
            for key, value in data.items():
                lines += [*self.between(indent), *self.entry(" " * indent + self.key(key) + ":", value, indent)]
        else:
            for item in data:
                lines += [*self.between(indent), *self.item(item, indent)]
        return lines

    def entry(self, head: str, value: Any, indent: int) -> list[str]:
        if self.is_block(value):
            inner = indent + (self.step if isinstance(value, dict) else self.dash_indent)
            return [head + self.trailing(), *self.block(value, inner)]
        return self.leaf(head, value, indent)

    def item(self, item: Any, indent: int) -> list[str]:
        dash = " " * indent + "-"
        if not self.is_block(item):
            return self.leaf(dash, item, indent)
        inner = self.block(item, indent + 1 + len(self.gap))
        if self.chance(0.15) or inner[0].lstrip().startswith("#"):
            return [dash + self.trailing(), *inner]
        return [dash + self.gap + inner[0].lstrip(), *inner[1:]]

    def is_block(self, value: Any) -> bool:
        return bool(value) and isinstance(value, dict | list) and self.chance(0.75)

    def leaf(self, head: str, value: Any, indent: int) -> list[str]:
        """A value behind its key or dash."""
        if value is None and self.chance(0.5):
            return [head + self.trailing()]
        if isinstance(value, str) and "\n" in value:
            return self.block_scalar(head, value, indent)
        if isinstance(value, str) and self.chance(0.2) and re.fullmatch("[a-z]+ [a-z]+", value):
            return [head + " " + value.replace(" ", self.newline + " " * (indent + 3)) + self.trailing()]
        lines = self.flow(value, indent + 2).split("\n")
        return (
            [f"{head} {lines[0]}", *lines[1:-1], lines[-1] + self.trailing()]
            if len(lines) > 1
            else [f"{head} {lines[0]}{self.trailing()}"]
        )

    def block_scalar(self, head: str, value: str, indent: int) -> list[str]:
        stripped = value.rstrip("\n")
        kept = len(value) - len(stripped)
        chomping = {0: "-", 1: ""}.get(kept, "+")
        inner = " " * (indent + 2)
        lines = [inner + line if line else "" for line in stripped.split("\n")]
        return [f"{head} |{chomping}" + self.trailing(), *lines, *[""] * (kept - 1)]

    def key(self, key: str) -> str:
        return self.random.choice([render.key(key, True), render.double_quoted(key)])

    def scalar(self, value: Any) -> str:
        if isinstance(value, str):
            return self.random.choice([render.scalar(value, True), render.double_quoted(value)])
        return self.random.choice(["null", "~"]) if value is None else render.scalar(value)

    def flow(self, data: Any, indent: int) -> str:
        if isinstance(data, dict):
            items = [f"{self.key(key)}: {self.flow(value, indent + 2)}" for key, value in data.items()]
            return self.bracketed("{", items, "}", indent)
        if isinstance(data, list):
            return self.bracketed("[", [self.flow(item, indent + 2) for item in data], "]", indent)
        return self.scalar(data)

    def bracketed(self, opening: str, items: list[str], closing: str, indent: int) -> str:
        if items and self.chance(0.3):
            line = "\n" + " " * (indent + 2)
            commas = [*[","] * (len(items) - 1), self.random.choice(["", ","])]
            body = "".join(line + item + comma + self.trailing() for item, comma in zip(items, commas, strict=True))
            return opening + self.trailing() + body + "\n" + " " * indent + closing
        pad = self.random.choice(["", "", " "]) if items else ""
        return opening + pad + self.random.choice([", ", ", ", ",\n" + " " * (indent + 1)]).join(items) + pad + closing


@dataclass
class Written:
    data: Any
    text: str
    newline: str


@st.composite
def documents(draw: st.DrawFn) -> Written:
    data = draw(roots)
    writer = _Writer(draw(st.randoms(use_true_random=False)))
    return Written(data, writer.text(data), writer.newline)


def _pointers(data: Any, parts: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    found = [(parts, data)]
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        found += _pointers(value, (*parts, str(key)))
    return found


@st.composite
def operations(draw: st.DrawFn, data: Any) -> Operation:
    parts, value = draw(st.sampled_from(_pointers(data)))
    op = draw(st.sampled_from(list(Op)))
    if op is Op.REMOVE and parts:
        return Operation(op, join_pointer(list(parts)))
    if op is Op.REPLACE and parts:
        return Operation(op, join_pointer(list(parts)), draw(values))
    if isinstance(value, list) and op is Op.INSERT:
        return Operation(op, join_pointer(list(parts)), draw(st.sampled_from(TEXTS)))
    if isinstance(value, list):
        return Operation(Op.APPEND, join_pointer(list(parts)), draw(values))
    if isinstance(value, dict) and op is Op.MERGE:
        merged = draw(st.dictionaries(st.sampled_from(NAMES), values, min_size=1, max_size=3))
        return Operation(op, join_pointer(list(parts)), merged)
    if not isinstance(value, dict | None):
        mappings = [parts for parts, value in _pointers(data) if isinstance(value, dict)]
        assume(mappings)
        parts = draw(st.sampled_from(mappings))
    new = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2))
    return Operation(Op.ADD, join_pointer([*parts, *new]), draw(values))


@st.composite
def edits(draw: st.DrawFn) -> tuple[Written, list[Operation]]:
    document = draw(documents())
    return document, draw(st.lists(operations(document.data), min_size=1, max_size=3))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _check_edit(document: Written, wanted: list[Operation]) -> None:
    text = document.text
    stream = parse(text)
    splices = plan(stream, stream.documents[0], wanted)
    result = splice(text, splices)
    prove(stream, {0: wanted}, splices, result)
    assert same(to_data(_root(result)), apply_to_data(document.data, wanted))
    assert result.endswith("\n") == text.endswith("\n")
    if "\r" not in text:
        assert "\r" not in result
    elif "\n" in text:
        assert result.count("\n") == result.count("\r\n")
    ops = {operation.op for operation in wanted}
    comments, kept = (Counter(re.findall("# c\\d+c", one)) for one in (text, result))
    if ops <= {Op.ADD, Op.APPEND, Op.INSERT}:
        assert kept == comments
    else:
        assert kept <= comments
    if text.startswith("{") and _is_json(text):
        assert same(json.loads(result), apply_to_data(document.data, wanted))
    for line in result.splitlines():
        assert line == line.rstrip() or line in text
    if ops <= {Op.ADD, Op.REPLACE, Op.MERGE} and len(wanted) == 1:
        again = parse(result)
        assert plan(again, again.documents[0], wanted) == []


slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@slow
@given(edits())
def test_an_edit_does_what_its_operations_mean_and_no_more(edit: tuple[Written, list[Operation]]) -> None:
    document, wanted = edit
    stream = parse(document.text)
    reason = refusal(stream, stream.documents[0], wanted)
    if reason is None:
        _check_edit(document, wanted)
    else:
        assert any(part in reason for part in PERMITTED)


@slow
@given(documents())
def test_the_documents_say_what_they_should(document: Written) -> None:
    assert same(to_data(_root(document.text)), document.data)


texts = st.text() | st.text(
    st.sampled_from("ab{}[],:#'\"\\ -?!&*|>%@`~=.019eExo_+<\n\t\r\x00\x85\xa0\u2028\ufeff\ue000𝒳")
)
plain_values = (
    texts | st.sampled_from([*TEXTS, "0o17", "<<", "2001-01-01", "{{ x }}"]) | st.integers(-(2**63), 2**64 - 1)
)


@given(texts, plain_values, st.booleans())
def test_scalars_are_read_back_as_they_were(name: str, value: Any, is_template: bool) -> None:
    block, flow = ((render.key(name, f, is_template), render.scalar(value, f, is_template)) for f in (False, True))
    json_text = render.flow({name: [value]}, render.FlowStyle(is_json=True))
    for text, data in (
        (f"{block[0]}: {block[1]}\n", {name: value}),
        (f"- {block[1]}\n- - {block[1]}\n", [value, [value]]),
        (f"{{{flow[0]}: {flow[1]}}}", {name: value}),
        (f"[{flow[1]}, {{{flow[0]}: [{flow[1]}]}}]", [value, {name: [value]}]),
        (json_text, {name: [value]}),
    ):
        assert same(to_data(_root(text)), data)
    assert json.loads(json_text) == {name: [value]}
    if is_template:
        assert "{{" not in "".join((*block, *flow))
