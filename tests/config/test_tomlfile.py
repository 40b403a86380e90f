"""Where keys and items of TOML stand: of documents in all styles that TOML has."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.config.tomlfile import TomlFile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BLANKS = st.sampled_from(["", " ", "\t "])
LINES = st.sampled_from(["", "\n", "\r\n", " # [no] = {1}\n", "\n\n  # 'x'\n "])
KEY_STYLES = st.sampled_from(["{}", "'{}'", '"{}"', '"{}\\u0021\\""'])
VALUES = st.sampled_from(
    [
        *('"{}"', "'{}'", '"""{}"""', "'''{}'''", '"""\n[a]\nb = "{}"\n""""', "'''\nc = ''{}'''''", '"{}]}}, # \\" x"'),
        *("1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "-1.5e3", "0xFF", "true", "inf"),
    ]
)


class Writer:
    """Writes a random document, and notes where it puts what."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self.draw = draw
        self.text = ""
        self.expected: dict[tuple[str, ...], int] = {}
        self.names = 0

    def write(self, *parts: Any) -> None:
        for part in parts:
            self.text += part if isinstance(part, str) else self.draw(part)

    def key(self) -> str:
        """A new key; returns what it means."""
        self.names += 1
        written = self.draw(KEY_STYLES).format(f"k{self.names}")
        self.write(BLANKS)
        self.noted = len(self.text)
        self.write(written, BLANKS)
        return next(iter(tomllib.loads(f"{written} = 0")))

    def entry(self, table: tuple[str, ...], depth: int) -> None:
        for index in range(self.draw(st.integers(1, 2))):
            self.write("." if index else "")
            table = (*table, self.key())
            self.expected[table] = self.noted
        self.write("=", BLANKS)
        self.value(table, depth)

    def value(self, route: tuple[str, ...], depth: int) -> None:
        kind = self.draw(st.sampled_from(["scalar", "list", "table"] if depth else ["scalar"]))
        if kind == "scalar":
            self.write(self.draw(VALUES).format("text"))
        elif kind == "list":
            self.write("[")
            for index in range(self.draw(st.integers(0, 3))):
                self.write("," if index else "", LINES)
                self.expected[(*route, str(index))] = len(self.text)
                self.value((*route, str(index)), depth - 1)
            self.write(LINES, "]")
        else:
            self.write("{", BLANKS)
            for index in range(self.draw(st.integers(0, 3))):
                self.write("," if index else "")
                self.entry(route, depth - 1)
            self.write(BLANKS, "}")

    def document(self) -> None:
        tables: list[tuple[str, ...]] = []
        for _ in range(self.draw(st.integers(0, 2))):
            self.entry((), 2)
            self.write("\n", LINES)
        for _ in range(self.draw(st.integers(0, 4))):
            tables.append(self.table(self.draw(st.sampled_from([None, *tables]))))
            for _ in range(self.draw(st.integers(0, 2))):
                self.entry(tables[-1], 2)
                self.write("\n", LINES)

    def table(self, above: tuple[str, ...] | None) -> tuple[str, ...]:
        """A header: of a table of its own, or an array of them, perhaps below another one."""
        is_array = self.draw(st.booleans())
        # Names of the tables above, as they were written first; an index is the last one of its array.
        names = [name for name in above or () if not name.isdecimal()]
        self.write("[[" if is_array else "[")
        for name in names:
            self.write(BLANKS, '"' + name.replace('"', '\\"') + '"', BLANKS, ".")
        table = (*(above or ()), self.key())
        self.expected[table] = self.noted
        self.write("]]" if is_array else "]", BLANKS, "\n")
        if is_array:
            self.expected[(*table, "0")] = self.noted
            return (*table, "0")
        return table


def places(text: str) -> dict[tuple[str, ...], int]:
    return TomlFile("x.toml", text, {}).places


def routes(data: Any, here: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*here, str(key))
        yield from routes(item, (*here, str(key)))


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_everything_is_found_where_it_was_written(data: st.DataObject) -> None:
    writer = Writer(data.draw)
    writer.document()
    assert set(routes(tomllib.loads(writer.text))) == set(writer.expected)
    assert places(writer.text) == writer.expected


@pytest.mark.parametrize(
    ("text", "route", "marked"),
    [
        ("[[a]]\n[[a]]\n|b = 1\n", ("a", "1", "b"), "b"),
        ("[[a]]\n[a.b]\n[[a]]\n[a.b]\nc = [1, |2]\n", ("a", "1", "b", "c", "1"), "2"),
        ("[[a]]\n[[a.b]]\n[[a.|b]]\n", ("a", "0", "b", "1"), "b"),
        ("[a.b]\n[a]\n|c = 1\n", ("a", "c"), "c"),
        ("a = '''\n'''\n|b = 1\n", ("b",), "b"),
        ('a = "\\\\"\n|b = 1\n', ("b",), "b"),
        ('a = """\\""""\n|b = 1\n', ("b",), "b"),
        ("a = [ # ]\n  |'x', ]\n", ("a", "0"), "'x'"),
    ],
)
def test_the_last_table_of_an_array_goes_on(text: str, route: tuple[str, ...], marked: str) -> None:
    offset = text.index("|")
    text = text.replace("|", "")
    assert tomllib.loads(text)
    assert places(text)[route] == offset
    assert text.startswith(marked, offset)
