"""What is left of dangerous text."""

from __future__ import annotations

import pytest

from crdlint.report.sanitise import LONGEST_TEXT, LONGEST_WORD, clean, clean_short, dangerous


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("\x00\x07\x7f", r"\x00\x07\x7f"),
        ("\x9b31m", r"\x9b31m"),
        ("a\r\nb\tc", r"a\r\nb\tc"),
        ("\u202eevil\u2066", r"\u202eevil\u2066"),
        ("\u200e\u200f\u061c", r"\u200e\u200f\u061c"),
        ("a\u2028b\u2029", r"a\u2028b\u2029"),
        ("\udcff", r"\udcff"),
        ("##[error]x ##vso[task.x] ##teamcity[y]", r"##\x5berror]x ##vso\x5btask.x] ##teamcity\x5by]"),
    ],
)
def test_dangerous_text_becomes_visible(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize("text", ["", "naïve 日本語 👩‍💻 עברית", "a[0] # [x]", r"C:\path", "`default: {}`"])
def test_harmless_text_stays(text: str) -> None:
    assert clean(text) == clean_short(text) == text


def test_long_names_are_shortened_and_the_rest_of_the_message_stays() -> None:
    name = "x" * 9_990 + "0123456789"
    shown = clean_short(f"CRD {name} has no status")
    assert shown.startswith("CRD xxx")
    assert shown.endswith("…")
    assert len(shown) < LONGEST_TEXT
    shown = clean_short(f"CRD {'y' * 1_000}end has no status")
    assert shown.endswith("yend has no status")
    assert len(shown) == LONGEST_WORD + len("CRD  has no status")


def test_text_of_any_length_is_bounded() -> None:
    for text in ("word " * 100_000, "\x1b" * 100_000, "\x1b " * 100_000):
        assert len(clean_short(text)) <= LONGEST_TEXT


def test_every_control_character_is_dangerous() -> None:
    for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)):
        assert dangerous().fullmatch(chr(code)), hex(code)
