"""Deferred blocks: that they are found, and that nothing of them ever shows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.yamltext import skim
from crdlint.yamltext.parse import parse
from crdlint.yamltext.skim import MAX_LINES, deferrable, nested
from crdlint.yamltext.source import Unreadable

from .documents import PATH, document, mutated
from .trees import flat, outcome

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
CRD = "CustomResourceDefinition"
SUFFIXES = (".yaml", ".yml", ".json")

HEAD = "openAPIV3Schema:\n  properties:\n    spec:\n"
TAIL = "    status: {}\n"


def deferred(text: str) -> list[str]:
    return [text[block.start : block.end] for block in deferrable(text, PATH)]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**64))
def test_deferring_shows_nowhere(seed: int) -> None:
    text = document(seed)
    assert outcome(text, defer=PATH) == outcome(text)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**64), st.integers(0, 2**64))
def test_deferring_shows_nowhere_in_broken_documents(seed: int, mutation: int) -> None:
    text = mutated(document(seed), mutation)
    assert outcome(text, defer=PATH) == outcome(text)


@pytest.fixture(scope="class")
def every_block_is_nested() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skim, "MIN_NESTED", 0)
        yield


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 2**64))
def test_deferring_blocks_in_deferred_blocks_shows_nowhere(every_block_is_nested: None, seed: int) -> None:
    text = document(seed)
    assert outcome(text, defer=PATH) == outcome(text)


@pytest.mark.parametrize(
    "block",
    [
        'a:\n  b: "one\nc:\n  d: two"\n',
        "a:\n  b: 'one\n\n  c:\n    d: two'\ne:\n  f: {}\n",
        "a:\n  b: |\n    c:\n      d: e\nf:\n  g: h\n",
        "a:\n# c:\n  # d:\n  b: c\n\n\nd:  # e\n\n  f: g\n",
        "a:\n- b:\n    c: d\ne:\n  - f: g\n",
        "a: b\n  c\nd:\n  e: f\n   g\n",
    ],
)
def test_nested_blocks_that_are_hard_to_tell(every_block_is_nested: None, block: str) -> None:
    text = HEAD + "".join(f"      {line}" for line in block.splitlines(keepends=True)) + TAIL
    assert outcome(text, defer=PATH) == outcome(text)
    left = HEAD + block.replace("\nc:", "\n      c:") + TAIL
    assert outcome(left, defer=PATH) == outcome(left)


def test_the_generated_documents_are_worth_it() -> None:
    texts = [document(seed) for seed in range(300)]
    readable = [text for text in texts if isinstance(outcome(text)[0], tuple)]
    assert len(readable) > 150
    assert sum(1 for text in readable if deferred(text)) > 60


def test_the_generated_documents_have_nested_blocks(every_block_is_nested: None) -> None:
    blocks = [block for seed in range(300) for block in deferred(document(seed))]
    assert sum(1 for block in blocks if list(nested(block))) > 20


def files() -> list[Path]:
    return sorted(path for path in CORPUS.rglob("*") if path.suffix in SUFFIXES and path.is_file())


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real CRDs is not here")
def test_deferring_shows_nowhere_in_real_files() -> None:
    blocks = 0
    for path in files():
        text = path.read_bytes().decode("utf-8")
        try:
            eager, lazy = parse(text, CRD), parse(text, CRD, PATH)
        except Unreadable:
            assert outcome(text, CRD, PATH) == outcome(text, CRD), path
            continue
        for left, right in zip(eager.documents, lazy.documents, strict=True):
            assert (left.start, left.end) == (right.start, right.end), path
            if left.root is not None and right.root is not None:
                assert all(a == b for a, b in zip_longest(flat(left.root), flat(right.root))), path
            else:
                assert left.root is right.root, path
        blocks += len(deferred(text))
    assert blocks > 300


@pytest.mark.parametrize(
    "block",
    [
        "      a: 1\n",
        "      a: 1\n      b:\n        a: 1\n",
        "      a: |\n        a: 1\n        a: 1\n      b: 1\n",
        "      a: |2\n         a: 1\n        a: 1\n",
        "      a: >-\n\n        x\n\n      b: 1\n",
        "      a: text\n        goes on\n      b: 1\n",
        '      a: "text\n  a: 1\n      a: 1"\n      b: 1\n',
        "      a: 'it''s\n\n        x'\n      b: 1\n",
        "      a:\n      - a: 1\n        b: 2\n      - a: 1\n      b:\n        - x\n",
        "      a:\n      -\n        a: 1\n      -\n        a: 1\n",
        "      # note\n\n      a: 1 # note\n# note\n      b: 1\n   # note\n",
        "      \"a b\": 1\n      'c': {}\n      d: []\n",
        "      a: 1\r\n      b: 2\r\n",
        "      a:\n      - |\n       a: 1\n      b: 1\n",
        "      a: x\n\n\n",
        "     odd: 1\n     b: 2\n",
    ],
)
def test_plain_blocks_are_deferred(block: str) -> None:
    text = HEAD + block + TAIL
    assert deferred(text) == [block]
    assert outcome(text, defer=PATH) == outcome(text)


@pytest.mark.parametrize(
    "block",
    [
        "",
        "    # only a comment\n",
        "\n",
        "      - a: 1\n",
        "    - a: 1\n",
        "      text\n",
        "      a: {b: 1}\n",
        "      a: [b]\n",
        "      a: &x 1\n",
        "      a: !!str 1\n",
        "      ? a\n      : b\n",
        "      1: a\n",
        "      true: a\n",
        "      y: a\n",
        "      a b: 1\n",
        '      "a\\x62": 1\n',
        '      "a":\n        b\n',
        "      a:\n        - - b\n          - c: 1\n            d: 1\n",
        "      a:\t1\n",
        '      a: \t"x\n  y"\n',
        "      a: .inf\n",
        "      é: 1\n",
        "      a:\n      - é: 1\n",
        "      a: 1\x85",
    ],
)
def test_other_blocks_are_read(block: str) -> None:
    text = HEAD + block + TAIL
    assert deferred(text) == []
    assert outcome(text, defer=PATH) == outcome(text)


@pytest.mark.parametrize(
    "block",
    [
        "      a: 1\n      a: 2\n",
        "      a: 1\n      'a': 2\n",
        '      "": 1\n      "": 2\n',
        "      a:\n        b: 1\n        c: |\n          b\n        b: 2\n",
        "      a:\n      - b: 1\n        b: 2\n",
        "      a:\n      -   b: 1\n          b: 2\n",
        "      a:\n      -\n        b: 1\n        b: 2\n",
        "      a:\n      - - x\n        - b: 1\n          b: 2\n",
        "      a:\n        b: 1\n      c: text\n        more\n      a: 2\n",
        '      a: "x\n      b: 1"\n      a: 2\n',
        "      a: |\n\n      a: 2\n",
        "      a:  # note\n      a: 2\n",
        "      a:\n        - b\n      # note\n      a: 2\n",
        "      a: 1\r\n      a: 2\r\n",
        "      é: 1\n      é: 2\n",
        "      a:\n      - é: 1\n        é: 2\n",
        "      on: 1\n      true: 2\n",
        "      1: 1\n      '1': 2\n",
        "      a: {b: 1, b: 2}\n",
    ],
)
def test_no_duplicate_key_is_missed(block: str) -> None:
    text = HEAD + block + TAIL
    with pytest.raises(Unreadable, match="stands twice"):
        parse(text, defer=PATH)
    assert outcome(text, defer=PATH) == outcome(text)


@pytest.mark.parametrize(
    "text",
    [
        "description: |\n  openAPIV3Schema:\n    properties:\n      spec:\n        a: 1\n        b: 1\nb: 1\n",
        'description: "\n  openAPIV3Schema:\n    properties:\n      spec:\n        a: b"\nb: 1\n',
        "description: text\n  openAPIV3Schema\n  spec\nb: 1\n",
        HEAD + "      a: 1\n---\n" + HEAD + "      a: 1\n",
        HEAD + "      a: 1\n...\n",
        HEAD + "      a: 1\n" + TAIL + "    spec:\n      a: 1\n",
        "--openAPIV3Schema:\n  properties:\n    spec:\n      a: 1\n",
        "- openAPIV3Schema:\n    properties:\n      spec:\n        a: 1\n- b\n",
        "x: &x\n  openAPIV3Schema:\n    properties:\n      spec:\n        a: 1\ny: *x\n",
        "%YAML 1.1\n---\n" + HEAD + "      a: 1\n" + TAIL + "---\n" + HEAD + "      b: 1\n",
        HEAD + "      a: |+\n        x\n\n\n" + TAIL,
        HEAD + "      a: |+\n        x\n\n\n",
        HEAD + "      a: x",
        "openAPIV3Schema:\n  properties: # note\n    spec:\n      a: 1\n",
        "openAPIV3Schema:\n  description: |\n    spec:\n  properties:\n    spec:\n      a: 1\n",
        "openAPIV3Schema:\n  properties:\n    a: |\n      x\n    spec:\n      a: 1\n" + HEAD.replace("\n", "\n "),
    ],
)
def test_places_that_are_hard_to_tell(text: str) -> None:
    assert outcome(text, defer=PATH) == outcome(text)


def test_depth_is_bounded_in_deferred_blocks() -> None:
    deep = "".join(" " * column + "a:\n" for column in range(6, 300))
    with pytest.raises(Unreadable, match="nested deeper than 250 levels"):
        parse(HEAD + deep + TAIL, defer=PATH)


def test_long_documents_are_read_at_once() -> None:
    block = "".join(f"      a{number}: 1\n" for number in range(MAX_LINES))
    assert deferred(HEAD + block) == []


@pytest.mark.parametrize(
    "text",
    [
        HEAD * 20_000,
        "openAPIV3Schema:\n  a: 1\n" * 50_000,
        "openAPIV3Schema:\n  properties:\n    a: 1\n" * 30_000,
        "openAPIV3Schema:" * 50_000,
        HEAD + "      a: 'x\n" * 50_000,
        HEAD + '      a: "' + "\\" * 300_000 + "\n",
        HEAD + "      a: '" + "'" * 300_001 + "\n",
        HEAD + "      " + "- " * 100_000 + "\n",
        HEAD + "      " + "a" * 300_000 + "\n",
        HEAD + "\n" * 300_000,
        "".join(" " * level + HEAD.replace("\n", "\n" + " " * level).rstrip(" ") for level in range(0, 600, 6)),
    ],
)
def test_time_is_bounded(text: str) -> None:
    started = time.process_time()
    list(deferrable(text, PATH))
    assert time.process_time() - started < 1
