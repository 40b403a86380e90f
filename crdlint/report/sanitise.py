"""Text from a file or a path, made harmless for a terminal and for logs that are read by machines."""

from __future__ import annotations

import re
from functools import cache

LONGEST_WORD = 200
LONGEST_TEXT = 2_000
LONGEST_PATH = 1_000

_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


# The patterns are made when the first text needs one: that takes longer than most runs have to say.


@cache
def dangerous() -> re.Pattern[str]:
    """What acts on whatever shows it.

    Control characters (C0, DEL, C1), separators that some take for a line break, bidirectional controls and lone
    surrogates; and the bracket of `##[command]`, `##vso[…]` and `##teamcity[…]`, which CI runners obey anywhere.
    """
    return re.compile(
        "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]"
        r"|(?:(?<=##)|(?<=##vso)|(?<=##teamcity))\["
    )


@cache
def _long_word() -> re.Pattern[str]:
    return re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def escape(char: str) -> str:
    """A visible stand-in for one character."""
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def clean(text: str) -> str:
    """The text on one line, without anything that acts on whatever shows it; harmless text stays as it is."""
    if text.isprintable() and "[" not in text:
        return text
    return dangerous().sub(lambda match: escape(match.group()), text)


def clean_short(text: str) -> str:
    """`clean`, and neither a word nor the whole longer than a person would read.

    It may stand at the start of a line, where CI runners look for ``::command::``.
    """
    # Cut before cleaning as well, so that a text of many megabytes costs nothing.
    cleaned = clean(shorten(text, LONGEST_TEXT))
    if cleaned.lstrip().startswith("::"):
        cleaned = cleaned.replace(":", escape(":"), 1)
    if len(cleaned) <= LONGEST_WORD:
        return cleaned
    return shorten(_long_word().sub(_shorten_word, cleaned), LONGEST_TEXT)


def shown_path(path: str) -> str:
    """A path that is harmless at the start of a line, where CI runners look for ``::command::``."""
    shown = shorten(clean(path), LONGEST_PATH)
    return "./" + shown if shown.lstrip().startswith("::") else shown


def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _shorten_word(match: re.Match[str]) -> str:
    # The end tells names apart, too.
    word, tail = match.group(), LONGEST_WORD // 4
    return word[: LONGEST_WORD - tail - 1] + "…" + word[-tail:]
