"""Patterns that exclude Paused: they are read, never executed."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crdlint.checks.paused import spells_out

WORDS = st.lists(st.sampled_from(["Available", "NotPaused", "Paused", "Ready", "a-b", "x_1"]), min_size=1, max_size=4)
PIECES = st.lists(
    st.sampled_from(["^", "$", "(", ")", "(?:", "|", "Paused", "Ready", ".*", "P", "?", "*", "[A-Z]", "\\w", " ", "\n"])
)


@given(WORDS, st.sampled_from(["^({})$", "^(?:{})$"]))
def test_words_are_read(words: list[str], form: str) -> None:
    pattern = form.format("|".join(words))
    assert spells_out(pattern, "Paused") is (re.search(pattern, "Paused") is not None) is ("Paused" in words)


@given(PIECES.map("".join))
@example("^Ready|Paused$")
@example("^(Ready)|Paused$")
@example("^(Ready|)$")
def test_what_is_said_to_be_excluded_is(pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error:
        return
    if not spells_out(pattern, "Paused"):
        assert compiled.search("Paused") is None


@pytest.mark.parametrize("pattern", [None, 1, "", "^[A-Z]+$", "(Ready)", "^(Ready", "^Ready|Synced$", "(a+)+$"])
def test_other_patterns_count_as_admitting(pattern: object) -> None:
    assert spells_out(pattern, "Paused")
