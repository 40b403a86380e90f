"""Configuration files: read and checked, with errors that say where."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from crdlint.config import Config, spec
from crdlint.datafile import DataFile
from crdlint.errors import UsageError
from crdlint.settings import WRITES, Controllers
from crdlint.yamltext.nodes import join_pointer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_KEYS = ("conditionTypes", "controllers", "exclude", "ignore", "rules", "select", "stateless")
_CONTROLLER_KEYS = ("crds", "declared", "writes")
_DECLARED = ("unproven", "written")
_TOML_TABLE = re.compile(r"\s*\[+(?P<name>[^\[\]]+)\]+")
_TOML_KEY = re.compile(r"\s*(?P<name>[^=#]+?)\s*=")
_TOML_NAME = re.compile(r""""(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[\w-]+)""")
_TOML_SYNTAX = re.compile(r"(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", re.DOTALL)


def read(path: str) -> Config:
    """Read one file, whatever its kind. Raises `UsageError` that names the place of what is wrong."""
    if path.endswith(".toml"):
        return read_pyproject(path) or Config(path)
    file = DataFile.read(path)
    return _Reader(path, lambda where: file.place(join_pointer(where))).config(file.data)


def place_in(path: str, where: Sequence[str]) -> str:
    """``path:line:column`` of what stands under these keys and indexes."""
    if path.endswith(".toml"):
        return _toml_place(path, Path(path).read_text("utf-8"), where)
    return DataFile.read(path).place(join_pointer(list(where)))


def read_pyproject(path: str) -> Config | None:
    """The table of a ``pyproject.toml``; None where it has none."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8")
        tool = tomllib.loads(text).get("tool", {})
    except UnicodeDecodeError:
        raise UsageError(f"{path}: cannot be read: it is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(_toml_problem(path, str(error))) from None
    table = tool.get("crdlint") if isinstance(tool, dict) else None
    return None if table is None else _Reader(path, lambda where: _toml_place(path, text, where)).config(table)


def _toml_problem(path: str, message: str) -> str:
    syntax = _TOML_SYNTAX.fullmatch(message)
    if syntax is None:
        return f"{path}: cannot be read: {message}"
    return f"{path}:{syntax['line']}:{syntax['column']}: cannot be read: {syntax['what']}"


def _toml_place(path: str, text: str, where: Sequence[str]) -> str:
    """``path:line:column`` of the table or key that comes nearest; the parser of TOML tells no positions."""
    wanted = ["tool", "crdlint", *where]
    table: list[str] = []
    best, place = 0, (1, 1)
    for number, line in enumerate(text.split("\n"), 1):
        header = _TOML_TABLE.match(line)
        match = header or _TOML_KEY.match(line)
        if match is None:
            continue
        here = _toml_names(match["name"]) if header else [*table, *_toml_names(match["name"])]
        if header:
            table = here
        if best < len(here) and here == wanted[: len(here)]:
            best, place = len(here), (number, match.start("name") + 1)
    return f"{path}:{place[0]}:{place[1]}"


def _toml_names(key: str) -> list[str]:
    return ["".join(part for part in match.groups() if part) for match in _TOML_NAME.finditer(key)]


def _is_pattern(pattern: str) -> bool:
    try:
        spec((pattern,))
    except (ValueError, re.error):
        return False
    return True


class _Reader:
    """Turns a file's data into a `Config`, with errors that say where."""

    def __init__(self, path: str, place: Callable[[list[str]], str]) -> None:
        self.path = path
        self.place = place

    def config(self, data: Any) -> Config:
        table = self.table(data, [], _KEYS)
        controllers = self.table(table.get("controllers"), ["controllers"], _CONTROLLER_KEYS)
        by_crd = self.table(controllers.get("crds"), ["controllers", "crds"], None)
        common = self.controllers(controllers, ["controllers"], Controllers())
        return Config(
            path=self.path,
            select=None if table.get("select") is None else self.names(table, "select", []),
            ignore=self.names(table, "ignore", []),
            exclude=self.patterns(self.names(table, "exclude", [])),
            rules=self.folders(self.names(table, "rules", [])),
            condition_types=self.names(table, "conditionTypes", []),
            stateless=frozenset(self.names(table, "stateless", [])),
            controllers=common,
            controllers_by_crd=tuple(
                (name, self.controllers(value, ["controllers", "crds", name], common)) for name, value in by_crd.items()
            ),
        )

    def controllers(self, data: Any, where: list[str], common: Controllers) -> Controllers:
        table = self.table(data, where, _CONTROLLER_KEYS if len(where) == 1 else _CONTROLLER_KEYS[1:])
        writes = tuple(common.writes) if table.get("writes") is None else self.names(table, "writes", where)
        for index, name in enumerate(writes):
            self.one_of(name, WRITES, [*where, "writes", str(index)])
        declared = table.get("declared", "unproven" if common.declared_is_unproven else "written")
        self.one_of(declared, _DECLARED, [*where, "declared"])
        return Controllers(frozenset(writes), declared == "unproven")

    def patterns(self, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for index, pattern in enumerate(patterns):
            if not _is_pattern(pattern):
                raise self.error(["exclude", str(index)], f"{pattern!r} is no pattern as .gitignore has them")
        return patterns

    def folders(self, names: tuple[str, ...]) -> tuple[str, ...]:
        folders = tuple(os.path.join(os.path.dirname(self.path), name) for name in names)
        for index, folder in enumerate(folders):
            if not os.path.isdir(folder):
                raise self.error(["rules", str(index)], f"there is no folder {folder}")
        return folders

    def table(self, value: Any, where: list[str], keys: tuple[str, ...] | None) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.error(where, "a mapping of keys to values is expected here")
        for key in value:
            if keys is not None:
                self.one_of(key, keys, [*where, key], what="key")
        return value

    def names(self, table: dict[str, Any], key: str, where: list[str]) -> tuple[str, ...]:
        value = table.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error([*where, key], f"`{key}` is a list of names")
        return tuple(value)

    def one_of(self, value: Any, allowed: tuple[str, ...], where: list[str], what: str = "value") -> None:
        if value in allowed:
            return
        near = difflib.get_close_matches(str(value), allowed, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(allowed)
        raise self.error(where, f"unknown {what} {value!r}; {hint}")

    def error(self, where: list[str], message: str) -> UsageError:
        return UsageError(f"{self.place(where)}: {message}")
