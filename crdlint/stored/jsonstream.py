"""JSON documents one by one, and lists of objects item by item."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterator
from json.decoder import JSONDecodeError
from typing import Any

from crdlint.stored.reading import BadInput, TooLarge, Window, check_is_list, too_deep
from crdlint.yamltext.wellformed import MAX_DEPTH

_SPACE = re.compile(r"[ \t\r\n]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# From here on Go writes a whole float with an exponent, and reads a float again.
_EXPONENT_FROM = 1e21
# What is cut off within these last characters looks wrong where it begins; strings say so themselves.
_LONGEST_TOKEN = 32


def json_documents(window: Window) -> Iterator[tuple[int, Any]]:
    """The line and the data of each document; of a list, those of each item. Raises `BadInput`."""
    return _Reader(window).documents()


class _Reader:
    """Decodes value after value from a text that it reads as far as it needs."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._raw_decode = json.JSONDecoder(parse_float=_number, parse_constant=_constant).raw_decode
        self._text = ""
        self._at = 0
        self._line = 1
        self._is_complete = False

    def documents(self) -> Iterator[tuple[int, Any]]:
        while (character := self._next_character()) != "":
            if character == "{":
                yield from self._document()
                self._window.release()
            else:
                raise BadInput(self._line, "not JSON: expected an object")

    def _document(self) -> Iterator[tuple[int, Any]]:
        """An object whose ``items`` are yielded as they are met, or as a whole where it has none."""
        line, head, has_items = self._line, {}, False
        for key in self._keys():
            if key == "items" and self._next_character() == "[":
                has_items = True
                for _ in self._entries("[", "]"):
                    item_line = self._line
                    yield item_line, self._value()
                    self._window.release()
            else:
                head[key] = self._value()
        if not has_items:
            yield line, head
        else:
            check_is_list(head, line)

    def _keys(self) -> Iterator[str]:
        for _ in self._entries("{", "}"):
            if self._next_character() != '"':
                raise BadInput(self._line, "not JSON: expected a key in double quotes")
            key = self._value()
            self._expect(":")
            yield key

    def _entries(self, opening: str, closing: str) -> Iterator[None]:
        """Stops at each entry between the brackets; whoever iterates has to read it."""
        self._expect(opening)
        if self._next_character() == closing:
            self._expect(closing)
            return
        while True:
            yield
            if self._next_character() == closing:
                self._expect(closing)
                return
            self._expect(",")

    def _expect(self, character: str) -> None:
        found = self._next_character()
        if found != character:
            raise BadInput(self._line, f"not JSON: expected {character!r}" + (f", not {found!r}" if found else ""))
        self._at += 1

    def _next_character(self) -> str:
        while True:
            match = _SPACE.match(self._text, self._at)
            self._move(match.end() if match else self._at)
            if self._at < len(self._text) or self._is_complete:
                return self._text[self._at : self._at + 1]
            self._read_more()

    def _value(self) -> Any:
        self._next_character()
        while True:
            try:
                value, end = self._raw_decode(self._text, self._at)
            except RecursionError:
                raise too_deep(self._line) from None
            except JSONDecodeError as error:
                if self._is_complete or not self._may_go_on(error):
                    raise BadInput(self._line_at(error.pos), f"not JSON: {error.msg}") from None
            except ValueError as error:
                raise BadInput(self._line, f"not JSON that Kubernetes reads: {error}") from None
            else:
                # A number at the end of what is known may go on.
                if end < len(self._text) or self._is_complete:
                    return self._taken(value, end)
            self._read_more()

    def _may_go_on(self, error: JSONDecodeError) -> bool:
        """Is it only the end of what is known that ends the value too soon?"""
        return error.pos > len(self._text) - _LONGEST_TOKEN or error.msg.startswith("Unterminated string")

    def _taken(self, value: Any, end: int) -> Any:
        if _is_deeper(value, MAX_DEPTH):
            raise too_deep(self._line)
        has_surrogates = self._text.find("\\ud", self._at, end) >= 0 or self._text.find("\\uD", self._at, end) >= 0
        self._move(end)
        return _repaired(value) if has_surrogates else value

    def _move(self, end: int) -> None:
        self._line = self._line_at(end)
        self._at = end

    def _line_at(self, offset: int) -> int:
        return self._line + self._text.count("\n", self._at, offset)

    def _read_more(self) -> None:
        """As much again as is held: a value of any size is tried only a few times."""
        held = self._text[self._at :]
        try:
            more = self._decode(data) if (data := self._window.read(max(len(held), 1 << 16))) else ""
        except TooLarge as error:
            raise error.at(self._line) from None
        except UnicodeDecodeError as error:
            raise BadInput(self._line_at(len(self._text)), f"not UTF-8: {error.reason}") from None
        self._is_complete = not data
        self._text, self._at = held + more, 0


def _number(text: str) -> float:
    """A whole float is an integer once Kubernetes has stored it."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is out of range")
    return int(value) if value.is_integer() and abs(value) < _EXPONENT_FROM else value


def _constant(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _is_deeper(value: Any, levels: int) -> bool:
    level = [value]
    for _ in range(levels):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below += [child for child in item.values() if child.__class__ in (dict, list)]
            elif isinstance(item, list):
                below += [child for child in item if child.__class__ in (dict, list)]
        if not below:
            return False
        level = below
    return True


def _repaired(value: Any) -> Any:
    """Halves of a character become replacement characters, as in Go."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_repaired(item) for item in value]
    if isinstance(value, dict):
        return {_repaired(key): _repaired(item) for key, item in value.items()}
    return value
