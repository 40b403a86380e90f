"""Code frames: carets under the span, whatever stands before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdlint.report import frame as frame_module
from crdlint.report.frame import _crop as crop
from crdlint.report.frame import columns, frame
from crdlint.report.sanitise import dangerous
from crdlint.yamltext.source import Source

from .build import finding


def framed(
    text: str, line: int, column: int, end_column: int, width: int = 80, end_line: int | None = None
) -> list[str]:
    place = finding(line=line, column=column, end_line=end_line or line, end_column=end_column)
    return [one.text for one in frame(Source(text), place, width)]


def cells(text: str) -> int:
    return sum(columns(char) for char in text)


@pytest.mark.parametrize(
    ("line", "span", "expected"),
    [
        ("  name: x", "name", ["  name: x", "  ^^^^"]),
        ("\tname: x", "name", ["    name: x", "    ^^^^"]),
        ("日本: name", "name", ["日本: name", "      ^^^^"]),
        ("x: 日本", "日本", ["x: 日本", "   ^^^^"]),
        ("e\u0301: name", "name", ["e\u0301: name", "   ^^^^"]),
        ("\x1b[2J: name", "name", [r"\x1b[2J: name", "         ^^^^"]),
        ("##[x] name", "name", [r"##\x5bx] name", "         ^^^^"]),
        ("a: \u202ex name", "name", [r"a: \u202ex name", "           ^^^^"]),
        ("name: x\r", "name", ["name: x", "^^^^"]),
        ("a\rname: x", "name", [r"a\rname: x", "   ^^^^"]),
        ("name", "", ["name", "^"]),
    ],
)
def test_carets_stand_under_the_span(line: str, span: str, expected: list[str]) -> None:
    start = line.index(span) + 1
    assert framed(line, 1, start, start + len(span)) == expected


def test_the_end_of_the_text() -> None:
    assert framed("a: 1\nb: 2\n", 2, 1, 2) == ["a: 1", "b: 2", "^"]
    assert framed("a: 1\n", 2, 1, 1) == ["a: 1", "", "^"]
    assert framed("", 1, 1, 1) == ["", "^"]
    assert framed("a: 1", 1, 99, 120) == ["a: 1", "    ^"]
    assert framed("a: 1", 3, 1, 1) == []


def test_a_span_of_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert framed("a: [1,  \n  2]\n", 1, 4, 5, end_line=2) == ["a: [1,", "   ^^^", "  2]"]


def test_a_long_line_is_cropped_around_the_span() -> None:
    line = "x" * 100 + " name: " + "y" * 100
    code, carets = framed(line, 1, 102, 106, width=40)
    assert code == "…xxxxxxxxxxxx name: yyyyyyyyyyyyyyyyyyy…"
    assert carets == "              ^^^^"
    assert len(code) == 40


def test_a_line_of_many_megabytes_costs_nothing() -> None:
    line = "{" * 5_000_000 + "name" + "}" * 5_000_000
    code, carets = framed(line, 1, 5_000_001, 5_000_005)
    assert code[carets.index("^") :].startswith("name")


LINE = st.text(st.characters(exclude_characters="\n"), max_size=300)


@given(
    before=LINE,
    span=st.text(st.sampled_from("nameß日"), min_size=1, max_size=30),
    after=LINE,
    width=st.integers(1, 120),
)
def test_a_frame_is_harmless_and_within_its_width(before: str, span: str, after: str, width: int) -> None:
    start = len(before) + 1
    code, carets, *_ = framed(before + span + after, 1, start, start + len(span), width)
    assert not dangerous().search(code)
    assert cells(code) <= max(width, 20)
    at = carets.index("^")
    # What stands above the first caret is the span's first character.
    ahead = 0
    for index, char in enumerate(code):
        if ahead == at and columns(char):
            assert code[index] == span[0]
            break
        ahead += columns(char)
    else:
        pytest.fail("no character above the caret")


plain_lines = st.text(st.sampled_from("ab {}\"'"), max_size=200)


@given(plain_lines, st.integers(0, 200), st.integers(0, 200), st.integers(20, 120))
def test_plain_lines_are_cropped_as_any_others(line: str, one: int, other: int, width: int) -> None:
    """Most lines take a shorter way."""
    start, end = sorted((min(one, len(line)), min(other, len(line))))
    with pytest.MonkeyPatch.context() as patch:
        expected = crop(line, start, end, width)
        patch.setattr(frame_module, "_is_plain", lambda text: False)
        assert crop(line, start, end, width) == expected
