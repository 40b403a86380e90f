"""Kubernetes' own dialect of JSONPath, as far as one action in braces goes (client-go, util/jsonpath)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from crdlint.consumers.unstructured import go_value, is_int64


class JsonPathError(Exception):
    """The expression cannot be parsed, or not be applied to the data."""


Step = Callable[[list[Any]], list[Any]]
"""From the values that the expression stands at to those that it goes on to."""

_RELAXED = re.compile(r"\{\.?([^{}]+)\}\Z|\.?([^{}]+)\Z")
_KEY = re.compile(r"'([^']*)'\Z")
_SLICE = re.compile(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?\Z")
_COMPARISON = re.compile(r"([^!<>=]+)([!<>=]+)([^\n]+)\Z")
_TERMINATORS = frozenset(".,[]$@{} \t\r\n")


def relaxed(text: str) -> str:
    """``a.b``, ``.a.b``, ``{a.b}`` and ``{.a.b}`` become ``{.a.b}`` (kubectl, ``RelaxedJSONPathExpression``)."""
    if not text:
        return text
    match = _RELAXED.match(text)
    if match is None:
        raise JsonPathError(
            "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'"
        )
    return "{." + (match[1] or match[2]) + "}"


class JsonPath:
    """One parsed ``{…}``. Keys that are missing lead to nothing, they are no error."""

    def __init__(self, text: str) -> None:
        self._steps = _Parser(text.removeprefix("{")).steps()

    def find(self, data: Any) -> list[Any]:
        """The values that the expression leads to. Raises `JsonPathError`."""
        return _walk(self._steps, [data])


def _walk(steps: list[Step], values: list[Any]) -> list[Any]:
    for step in steps:
        values = step(values)
    return values


def _action(text: str) -> list[Step]:
    """An expression within another (``parseAction``)."""
    return _Parser(text + "}").steps()


class _Parser:
    """``Parser.parseInsideAction``, from behind the opening brace to the closing one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def steps(self) -> list[Step]:
        found: list[Step] = []
        after_recursion = False
        while not self.text.startswith("}", self.at):
            was_recursion, after_recursion = after_recursion, False
            if self.text.startswith("[?(", self.at):
                found.append(self.filter())
                continue
            if self.text.startswith("..", self.at):
                if was_recursion:
                    raise JsonPathError("invalid multiple recursive descent")
                self.at += 2
                found.append(_recursive)
                if _is_alphanumeric(self.text[self.at : self.at + 1]):
                    found.append(self.field())
                else:
                    after_recursion = True
                continue
            letter = self.text[self.at : self.at + 1]
            if letter in ("", "\r", "\n"):
                raise JsonPathError("unclosed action")
            if letter in " @$":
                self.at += 1
                after_recursion = was_recursion
            elif letter == "[":
                found += self.array()
            elif letter in "\"'":
                found.append(self.quote(letter))
            elif letter == ".":
                self.at += 1
                found.append(self.field())
            elif letter in "+-" or letter.isdecimal():
                found.append(self.number())
            elif _is_alphanumeric(letter):
                found.append(self.identifier())
            else:
                raise JsonPathError(f"unrecognized character in action: U+{ord(letter):04X} '{letter}'")
        return found

    def field(self) -> Step:
        start = self.at
        while self.at < len(self.text):
            if self.text[self.at] == "\\":
                self.at += 1
            elif self.text[self.at] in _TERMINATORS:
                break
            self.at += 1
        name = self.text[start : self.at]
        return _wildcard if name == "*" else _Field(name.replace("\\", ""))

    def identifier(self) -> Step:
        start = self.at
        while self.text[self.at : self.at + 1] not in _TERMINATORS | {""}:
            self.at += 1
        name = self.text[start : self.at]
        if name in ("true", "false"):
            return _Constant(name == "true")
        return _Refused(f"unrecognized identifier {name}" if name != "end" else "not in range, nothing to end")

    def number(self) -> Step:
        match = re.compile(r"[+-]?[0-9.]*").match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        for convert in (int, float):
            try:
                return _Constant(convert(match[0]))
            except ValueError:
                continue
        raise JsonPathError(f"cannot parse number {match[0]}")

    def quote(self, mark: str) -> Step:
        start = self.at
        self.at += 1
        while True:
            letter = self.text[self.at : self.at + 1]
            self.at += 1
            if letter in ("", "\n"):
                raise JsonPathError("unterminated quoted string")
            if letter == mark and self.text[self.at - 2] != "\\":
                return _Text(_unquoted(self.text[start : self.at]))

    def array(self) -> list[Step]:
        end = self.text.find("]", self.at)
        if end < 0 or "\n" in self.text[self.at : end]:
            raise JsonPathError("unterminated array")
        inner = self.text[self.at + 1 : end]
        self.at = end + 1
        if inner == "*":
            inner = ":"
        if "," in inner:
            return [_Union([_action(f"[{part.strip(' ')}]") for part in inner.split(",")])]
        key = _KEY.match(inner)
        if key is not None:
            return _action(f".{key[1]}")
        bounds = _SLICE.match(inner)
        if bounds is None:
            raise JsonPathError(f"invalid array index {inner}")
        return [_slice(*bounds.groups())]

    def filter(self) -> Step:
        self.at += len("[?(")
        start, begun, ended, mark = self.at, False, False, ""
        while True:
            letter = self.text[self.at : self.at + 1]
            self.at += 1
            if letter in ("", "\n"):
                raise JsonPathError("unterminated filter")
            if letter in "\"'":
                if not begun:
                    begun, mark = True, letter
                elif letter == mark and self.text[self.at - 2] != "\\":
                    ended = True
            elif letter == ")" and begun == ended:
                break
        if not self.text.startswith("]", self.at):
            raise JsonPathError("unclosed array expect ]")
        self.at += 1
        text = self.text[start : self.at - 2]
        comparison = _COMPARISON.match(text)
        if comparison is None:
            return _Filter(_action(text), "", [])
        return _Filter(_action(comparison[1]), comparison[2], _action(comparison[3]))


def _is_alphanumeric(letter: str) -> bool:
    return letter == "_" or letter.isalpha() or letter.isdecimal()


_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_ESCAPED = re.compile(
    r"\\(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<o>[0-7]{3})|(?P<c>.?))", re.DOTALL
)


def _unquoted(text: str) -> str:
    """``UnquoteExtend``."""
    mark, inner = text[0], text[1:-1]

    def replace(match: re.Match[str]) -> str:
        code = match["x"] or match["u"] or match["U"]
        if code or match["o"]:
            return chr(int(code, 16) if code else int(match["o"], 8))
        if match["c"] not in _ESCAPES or (match["c"] in "'\"" and match["c"] != mark):
            raise JsonPathError(f"unquote string {text} error invalid syntax")
        return _ESCAPES[match["c"]]

    return _ESCAPED.sub(replace, inner)


@dataclass(frozen=True)
class _Field:
    name: str

    def __call__(self, values: list[Any]) -> list[Any]:
        return [value[self.name] for value in values if isinstance(value, dict) and self.name in value]


@dataclass(frozen=True)
class _Constant:
    value: Any

    def __call__(self, values: list[Any]) -> list[Any]:
        return [self.value for _ in values]


@dataclass(frozen=True)
class _Text:
    value: str

    def __call__(self, values: list[Any]) -> list[Any]:
        return [self.value]


@dataclass(frozen=True)
class _Refused:
    message: str

    def __call__(self, values: list[Any]) -> list[Any]:
        raise JsonPathError(self.message)


@dataclass(frozen=True)
class _Union:
    branches: list[list[Step]]

    def __call__(self, values: list[Any]) -> list[Any]:
        return [found for branch in self.branches for found in _walk(branch, values)]


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, str):
        # Go goes through its bytes.
        return list(value.encode("utf-8", "surrogatepass"))
    return list(value) if isinstance(value, list) else []


def _wildcard(values: list[Any]) -> list[Any]:
    return [child for value in values for child in _children(value)]


def _recursive(values: list[Any]) -> list[Any]:
    return [found for value in values for found in _descend(value)]


def _descend(value: Any) -> Iterator[Any]:
    children = _children(value)
    if children:
        yield value
        for child in children:
            yield from _descend(child)


def _slice(start: str, end: str | None, step: str | None) -> Step:
    """Bounds as ``parseArray`` reads them: a start alone means that one item."""
    first = int(start) if start not in ("", "-") else None
    last = None if end in (None, ":") else int(str(end)[1:])
    by = None if step in (None, ":") else int(str(step)[1:])
    if start == "-" or end == ":-" or step == ":-":
        raise JsonPathError("array index - is not a number")
    if end is None:
        return _Slice(first, (first or 0) + 1, by, derived=True)
    return _Slice(first, last, by)


@dataclass(frozen=True)
class _Slice:
    start: int | None
    end: int | None
    step: int | None
    derived: bool = False

    def __call__(self, values: list[Any]) -> list[Any]:
        return [item for value in values if value is not None for item in self.items(value)]

    def items(self, value: Any) -> list[Any]:
        """``evalArray``."""
        if not isinstance(value, list):
            raise JsonPathError(f"{go_value(value)} is not array or slice")
        start, length = self.start or 0, len(value)
        start += length if start < 0 else 0
        end = length if self.end is None else self.end
        end += length if end < 0 or (end == 0 and self.derived) else 0
        if start == end:
            return []
        if not 0 <= start < length:
            raise JsonPathError(f"array index out of bounds: index {start}, length {length}")
        if not 0 <= end <= length:
            raise JsonPathError(f"array index out of bounds: index {end - 1}, length {length}")
        if start > end:
            raise JsonPathError(f"starting index {start} is greater than ending index {end}")
        if self.step is not None and self.step <= 0:
            raise JsonPathError("step must be > 0")
        return value[start : end : self.step or 1]


@dataclass(frozen=True)
class _Filter:
    left: list[Step]
    operator: str
    right: list[Step]

    def __call__(self, values: list[Any]) -> list[Any]:
        return [item for value in values for item in self.items(value)]

    def items(self, value: Any) -> Iterator[Any]:
        """``evalFilter``."""
        if not isinstance(value, list):
            raise JsonPathError(f"{go_value(value)} is not array or slice and cannot be filtered")
        for item in value:
            if self.holds(item):
                yield item

    def holds(self, item: Any) -> bool:
        if not self.operator:
            try:
                return bool(_walk(self.left, [item]))
            except JsonPathError:
                # Go keeps the values that the failing step was given.
                return True
        sides = []
        for steps in (self.left, self.right):
            found = _walk(steps, [item])
            if not found:
                return False
            if len(found) > 1:
                raise JsonPathError("can only compare one element at a time")
            sides.append(found[0])
        return _compared(self.operator, *sides)


def _basic_kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if is_int64(value):
        return "int"
    if isinstance(value, int | float):
        return "float"
    if isinstance(value, str):
        return "string"
    raise JsonPathError("invalid type for comparison")


def _compared(operator: str, one: Any, other: Any) -> bool:
    """client-go, third_party/forked/golang/template/funcs.go."""
    if operator not in ("<", ">", "==", "!=", "<=", ">="):
        raise JsonPathError(f"unrecognized filter operator {operator}")
    kinds = _basic_kind(one), _basic_kind(other)
    if kinds[0] != kinds[1]:
        raise JsonPathError("incompatible types for comparison")
    if operator in ("==", "!="):
        return bool(one == other) is (operator == "==")
    if kinds[0] == "bool":
        raise JsonPathError("invalid type for comparison")
    if kinds[0] == "string":
        # Go compares bytes.
        one, other = (str(side).encode("utf-8", "surrogatepass") for side in (one, other))
    less, equal = one < other, one == other
    return bool({"<": less, "<=": less or equal, ">": not (less or equal), ">=": not less}[operator])
