"""TOML files that are written for crdlint too: their data, and where in them it stands, which no parser tells."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from crdlint.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Route = tuple[str, ...]

_SYNTAX = re.compile(r"(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", re.DOTALL)
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:(?P<bare>[A-Za-z0-9_-]+)|(?P<quoted>\"(?:\\.|[^\"\\])*\"|'[^']*'))[ \t]*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'",
    re.DOTALL,
)
# Brackets of which none is closed before the last is opened, and digits in a row.
_DEEP = re.compile(r"[\[{](?:[^\[\]{}]*[\[{]){99}")
_MANY_DIGITS = re.compile(r"[0-9](?:_?[0-9]){999}")
_PLAIN = re.compile(r"[^,\]}#\n]*")


@dataclass(frozen=True)
class TomlFile:
    """One file."""

    path: str
    text: str
    data: dict[str, Any]

    @classmethod
    def read(cls, path: str) -> TomlFile:
        """Raises `UsageError` that says why the file cannot be read, and at which place."""
        try:
            text = Path(path).read_bytes().decode("utf-8")
            return cls(path, text, tomllib.loads(text))
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UsageError(f"{path}: cannot be read: it is not UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise UsageError(_syntax_problem(path, str(error))) from None
        except RecursionError:
            raise UsageError(f"{_first(path, text, _DEEP)}: cannot be read: this is nested too deeply") from None
        except ValueError:
            raise UsageError(f"{_first(path, text, _MANY_DIGITS)}: cannot be read: a number is too long") from None

    @cached_property
    def places(self) -> dict[Route, int]:
        """The offset of each key and item, by the keys and indexes that lead there."""
        scanner = _Scanner(self.text)
        # Another tool's table may be nested as deeply as the parser can just read.
        with suppress(RecursionError):
            scanner.run()
        return scanner.found

    def place(self, route: Sequence[str]) -> str:
        """``path:line:column`` of the key or item that these keys and indexes lead to, or that comes nearest."""
        routes = (tuple(route[:end]) for end in range(len(route), 0, -1))
        return _place(self.path, self.text, next((self.places[one] for one in routes if one in self.places), 0))


def _place(path: str, text: str, offset: int) -> str:
    before = text[:offset]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"{path}:{line}:{column}"


def _first(path: str, text: str, pattern: re.Pattern[str]) -> str:
    """The place of what the parser gave up on, which it does not tell."""
    found = pattern.search(text)
    return _place(path, text, 0 if found is None else found.start())


def _syntax_problem(path: str, message: str) -> str:
    syntax = _SYNTAX.fullmatch(message)
    if syntax is None:
        return f"{path}: cannot be read: {message}"
    return f"{path}:{syntax['line']}:{syntax['column']}: cannot be read: {syntax['what']}"


class _Scanner:
    """Goes through a text that is valid TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Route, int] = {}
        # How many tables each array of tables has so far.
        self.counts: dict[Route, int] = {}

    def run(self) -> None:
        table: Route = ()
        while self.skip_blank() < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.entry(table)

    def header(self) -> Route:
        is_array = self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        table: Route = ()
        for name, offset in self.key():
            # What was below the last table of an array goes on there.
            table = (*self.last_of(table), name)
            self.found.setdefault(table, offset)
        if is_array:
            self.counts[table] = self.counts.get(table, 0) + 1
            self.found[self.last_of(table)] = offset
        self.at += 2 if is_array else 1
        return self.last_of(table)

    def last_of(self, table: Route) -> Route:
        return (*table, str(self.counts[table] - 1)) if table in self.counts else table

    def entry(self, table: Route) -> None:
        """``key = value``"""
        for name, offset in self.key():
            table = (*table, name)
            self.found.setdefault(table, offset)
        self.at += 1
        self.value(table)

    def key(self) -> Iterator[tuple[str, int]]:
        """The parts of a dotted key; what follows it is next."""
        while True:
            match = _KEY.match(self.text, self.at)
            assert match is not None
            self.at = match.end()
            quoted = match["quoted"]
            name = match["bare"] if quoted is None else next(iter(tomllib.loads(f"{quoted} = 0")))
            yield name, match.start("bare" if quoted is None else "quoted")
            if self.text[self.at] != ".":
                return
            self.at += 1

    def value(self, route: Route) -> None:
        self.skip_blank()
        string = _STRING.match(self.text, self.at)
        if string is not None:
            self.at = string.end()
        elif self.text[self.at] == "[":
            self.items(route)
        elif self.text[self.at] == "{":
            self.inline_table(route)
        else:
            plain = _PLAIN.match(self.text, self.at)
            assert plain is not None
            self.at = plain.end()

    def items(self, route: Route) -> None:
        self.at += 1
        index = 0
        while self.text[self.skip_blank()] != "]":
            here = (*route, str(index))
            self.found[here] = self.at
            self.value(here)
            index += 1
            self.skip_comma()
        self.at += 1

    def inline_table(self, route: Route) -> None:
        self.at += 1
        while self.text[self.skip_blank()] != "}":
            self.entry(route)
            self.skip_comma()
        self.at += 1

    def skip_comma(self) -> None:
        if self.text[self.skip_blank()] == ",":
            self.at += 1

    def skip_blank(self) -> int:
        match = _BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.at
