"""Find large blocks of a document that need not be read yet.

Building a node for every line of a CRD is what costs: most of it is the schema of ``spec``, which few rules look at.
This module finds such a block by its path and proves two things of it from its lines alone: that it is a mapping in the
plain block style that generators emit, so that its lines say where it ends, and that no mapping in it has a key twice.
Whatever it is not sure of it leaves to the parser. The text must be known to be well formed.

Once somebody looks into such a block, the blocks directly in it can be left unread in their turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from crdlint.yamltext.scalars import NOT_JSON, is_text

# A line has at most four nodes: ``- a: b`` may start a sequence and a mapping. What is longer may exceed the limit.
MAX_LINES = 400_000
# What is shorter than this is read with the block around it.
MIN_NESTED = 400
# Each level of nesting but the first two takes a column: what is further to the right may exceed the limit of depth.
_MAX_COLUMN = 200

_FOREIGN_BREAKS = ("\x85", "\u2028", "\u2029")
_BEFORE_HEAD = re.compile(r" *(?:- +)*")
_NOTHING_BEHIND = re.compile(r"[ \r]*\n")
# The next line that is neither blank nor a comment. It begins with the newline before it, as all patterns here that
# look for a line: that is what makes the search fast.
_NEXT_LINE = re.compile(r"\n( *)([^ #\r\n])")
_KEY = re.compile(r"""(?:(['"])([^'"\\]+)\1|([A-Za-z_$][\w$./-]*)):(?= |$)""")
# A key, and nothing but perhaps a comment behind it on its line.
_KEY_ALONE = re.compile(r"""((?:(?:'[^'\n]+'|"[^"\\\n]+")|[A-Za-z_$][\w$./-]*):)[ \r]*(?:#.*)?\n""")
_ANY_KEY = re.compile(r":(?=[ \t]|$)")
# Most lines: a plain key, then nothing or a text that begins like a word.
_COMMON_LINE = re.compile(r"( *)((?:- +)?)([A-Za-z_$][\w$./-]*):(?: +([A-Za-z0-9(|>][^\r]*)|)\r?")
_COMMENT_OR_NOTHING = re.compile(r"[ \r]*(?:#.*)?")
_QUOTED = {"'": re.compile(r"'(?:[^']|'')*'(?!')"), '"': re.compile(r'"(?:[^"\\]|\\.)*"')}
_QUOTE_END = {"'": re.compile(r"(?:[^']|'')*'(?!')"), '"': re.compile(r'(?:[^"\\]|\\.|\\$)*"')}
# What `_rest` finds behind the key of a line. `_TEXT` is a scalar that following lines may go on with.
_TEXT, _DONE, _ODD = "text", "done", "odd"
# What no line begins with.
_NO_LINE = "\n"


class Block(NamedTuple):
    """A block mapping: it runs from ``start`` to ``end``, its first key stands at ``first_key``.

    ``key_end`` is where the empty value would stand without it (behind the colon). ``is_even`` says that all lines of
    its texts stand further to the right than their keys: the parser does not insist on it where they are in quotes.
    """

    key_end: int
    start: int
    end: int
    first_key: int
    is_even: bool


class _Place(NamedTuple):
    """A key with nothing behind it: its column, its end, the start of the next line, and what of that was searched."""

    column: int
    key_end: int
    next_line: int
    searched: int


def deferrable(text: str, path: tuple[str, ...]) -> Iterator[Block]:
    """The blocks below ``path`` (keys, each directly below the one before) that are safe to read later."""
    if not path or has_foreign_breaks(text):
        return
    lines: list[str] = []
    # Where the line with index `index` starts.
    index = at = 0
    # No part of the text is searched twice: what stands there is left to the parser.
    searched = 0
    for head in _heads(text, path[0]):
        if head.key_end <= searched:
            continue
        place = _below(text, head, path[1:])
        searched = place.searched
        first = _first_key(text, place) if place.next_line else None
        if first is None:
            continue
        lines = lines or text.split("\n")
        if len(lines) > MAX_LINES:
            return
        index, at = index + text.count("\n", at, place.next_line), place.next_line
        count, is_even = _plain_lines(islice(lines, index, None), place.column, len(first[1]))
        if count:
            end = min(at + sum(map(len, lines[index : index + count])) + count, len(text))
            yield Block(place.key_end, at, end, first.end(1), is_even)
            searched = end


def nested(text: str) -> Iterator[Block]:
    """The larger blocks directly in one that is even, whose lines are ``text``."""
    first = _NEXT_LINE.search("\n" + text)
    assert first is not None
    column = len(first[1])
    starts = [match.start() + 1 for match in re.finditer(rf"\n {{{column}}}[^ #\r\n]", text)]
    if text.startswith(first[1] + first[2]):
        starts.insert(0, 0)
    for start, end in pairwise([*starts, len(text)]):
        if end - start < MIN_NESTED:
            continue
        head = _KEY_ALONE.match(text, start + column)
        if head is None:
            continue
        below = _first_key(text, _Place(column, head.end(1), head.end(), head.end()))
        if below is not None:
            yield Block(head.end(1), head.end(), end, below.end(1), is_even=True)


def has_foreign_breaks(text: str) -> bool:
    """Does libyaml see line breaks here that editors, and the patterns of this module, do not?"""
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        return True
    return not text.isascii() and any(mark in text for mark in _FOREIGN_BREAKS)


def _heads(text: str, key: str) -> Iterator[_Place]:
    """Where ``key`` stands in a block mapping, or seems to."""
    found = text.find(key + ":")
    while found >= 0:
        key_end = found + len(key) + 1
        column = found - (text.rfind("\n", 0, found) + 1)
        behind = _NOTHING_BEHIND.match(text, key_end)
        if behind and column <= _MAX_COLUMN and _BEFORE_HEAD.fullmatch(text, found - column, found):
            yield _Place(column, key_end, behind.end(), behind.end())
        found = text.find(key + ":", key_end)


def _below(text: str, place: _Place, path: tuple[str, ...]) -> _Place:
    """The place at ``path`` below another one; its ``next_line`` is 0 where there is none."""
    for key in path:
        first = _first_key(text, place)
        if first is None:
            return place._replace(next_line=0)
        indent = first[1]
        pattern = rf"\n(?:{indent}{re.escape(key)}:([ \r]*\n)| {{0,{len(indent) - 1}}}[^ #\r\n])"
        child = re.compile(pattern).search(text, place.next_line - 1)
        if child is None or child[1] is None:
            return place._replace(next_line=0, searched=len(text) if child is None else child.end())
        place = _Place(len(indent), child.start(1), child.end(), child.end())
    return place


def _first_key(text: str, place: _Place) -> re.Match[str] | None:
    """The first line of the mapping below a key; its first group is its indentation."""
    first = _NEXT_LINE.search(text, place.next_line - 1)
    if first is None or len(first[1]) <= place.column or first[2] == "-":
        return None
    return first


def _plain_lines(lines: Iterator[str], outer: int, first: int) -> tuple[int, bool]:
    """How many lines the block mapping takes that begins here at column ``first``, within one at column ``outer``.

    0 if it is not all in plain block style, or has a mapping with a key twice. And is it even (`Block`)?
    """
    # The mappings around a line, by their columns, with the keys they have; `column` and `seen` are the innermost's.
    around: list[tuple[int, set[str]]] = []
    column, seen = first, set[str]()
    # What the lines begin with that go on with a scalar.
    scalar = _NO_LINE
    is_even = True
    numbered = enumerate(lines)
    count = -1
    for count, line in numbered:
        if line.startswith(scalar):
            continue
        parts = _parts(line)
        if parts is None:
            continue
        indent, key_column, key, rest, scalar = parts
        while column > indent:
            if not around:
                return (count if indent <= outer else 0), is_even
            column, seen = around.pop()
        if rest is _ODD:
            return 0, False
        if key:
            if key_column != column:
                around.append((column, seen))
                column, seen = key_column, {key}
            elif key in seen:
                return 0, False
            else:
                seen.add(key)
        if rest in _QUOTE_END:
            is_closed, is_right = _close_quote(numbered, rest, " " * (column + 1 if key else indent + 1))
            if not is_closed:
                return 0, False
            is_even = is_even and is_right
    return count + 1, is_even


def _close_quote(lines: Iterator[tuple[int, str]], quote: str, margin: str) -> tuple[bool, bool]:
    """Take the lines up to the one that closes a quoted scalar.

    Does that one do so plainly, and do all that are not blank begin with ``margin``?
    """
    is_right = True
    for _, line in lines:
        is_right = is_right and (line.startswith(margin) or not line.strip(" \r"))
        end = _QUOTE_END[quote].match(line)
        if end is not None:
            return _COMMENT_OR_NOTHING.fullmatch(line, end.end()) is not None, is_right
    return False, False


@lru_cache(maxsize=1 << 15)
def _parts(line: str) -> tuple[int, int, str, str, str] | None:
    """What a line holds, None if nothing; the same few lines make up most of a schema.

    Its indentation, the column and name of its key (empty where there is none), what comes after it (`_TEXT`, `_DONE`,
    `_ODD` or an open quote), and what the lines begin with that go on with a scalar of this line.
    """
    common = _COMMON_LINE.fullmatch(line)
    if common is not None:
        spaces, dash, key, value = common.groups()
        indent, column, rest = len(spaces), len(spaces) + len(dash), _TEXT if value else _DONE
        if not is_text(key):
            rest = _ODD
    else:
        content = line.strip(" \r")
        if not content or content[0] == "#":
            return None
        indent = column = len(line) - len(line.lstrip(" "))
        if content.startswith("- "):
            item = content[1:].lstrip(" ")
            column += len(content) - len(item)
            content = item
        key, rest = _key_and_rest(content, column > indent)
    if column > _MAX_COLUMN:
        rest = _ODD
    # The lines of a scalar are indented by more than the key, or the dash, that it belongs to.
    owner = column if key else indent
    return indent, column, key, rest, " " * (owner + 1) if rest is _TEXT else _NO_LINE


def _key_and_rest(content: str, is_item: bool) -> tuple[str, str]:
    if content == "-":
        return "", _ODD if is_item else _DONE
    match = _KEY.match(content)
    if match is None:
        # An item that is no mapping is one scalar.
        is_scalar = is_item and (content[0] in _QUOTED or not _ANY_KEY.search(content))
        return "", _rest(content) if is_scalar else _ODD
    if match[3] and not is_text(match[3]):
        return "", _ODD
    return match[2] or match[3], _rest(content[match.end() :].lstrip(" "))


def _rest(value: str) -> str:
    if not value or value[0] == "#":
        return _DONE
    first = value[0]
    if first in _QUOTED:
        end = _QUOTED[first].match(value)
        if end is None:
            return first
        return _DONE if _COMMENT_OR_NOTHING.fullmatch(value, end.end()) else _ODD
    if first in "{[":
        return _DONE if value in ("{}", "[]") else _ODD
    if first in "\t&*!%@`?" or value.startswith(("- ", "-\t")) or value in NOT_JSON:
        return _ODD
    return _TEXT
