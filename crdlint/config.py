"""The configuration: which one applies to a file, and what it says.

The nearest ``.crdlint.yaml``, or ``[tool.crdlint]`` in ``pyproject.toml``, from the file's folder upward to the root of
its repository. Paths and patterns in it are relative to its folder.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from crdlint.checks.context import WRITES, Controllers
from crdlint.errors import UsageError
from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Node, join_pointer, locate
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

FILE_NAME = ".crdlint.yaml"
PYPROJECT = "pyproject.toml"
_KEYS = ("controllers", "exclude", "ignore", "rules", "select", "stateless")
_CONTROLLER_KEYS = ("crds", "declared", "writes")
_DECLARED = ("unproven", "written")


@dataclass(frozen=True)
class Config:
    """What a configuration file says; the empty one where there is none."""

    path: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    # Folders with rules of users' own, absolute or relative to the working folder.
    rules: tuple[str, ...] = ()
    stateless: frozenset[str] = frozenset()
    controllers: Controllers = Controllers()
    controllers_by_crd: tuple[tuple[str, Controllers], ...] = ()

    def excludes(self, path: str) -> bool:
        """Is a file excluded by this configuration?"""
        if not self.exclude or self.path is None:
            return False
        from pathspec import GitIgnoreSpec

        relative = os.path.relpath(os.path.abspath(path), os.path.dirname(os.path.abspath(self.path)))
        return GitIgnoreSpec.from_lines(self.exclude, backend="simple").match_file(relative)


def config_for(path: str) -> Config:
    """The configuration of a file (or of what stands on standard input under that name)."""
    return _nearest(os.path.dirname(os.path.abspath(path)))


@lru_cache(maxsize=4096)
def _nearest(folder: str) -> Config:
    own = os.path.join(folder, FILE_NAME)
    if os.path.isfile(own):
        return load(own)
    project = os.path.join(folder, PYPROJECT)
    if os.path.isfile(project):
        config = _load_pyproject(project)
        if config is not None:
            return config
    parent = os.path.dirname(folder)
    if parent == folder or os.path.exists(os.path.join(folder, ".git")):
        return Config()
    return _nearest(parent)


def load(path: str) -> Config:
    """Read one configuration file. Raises `UsageError` that names the place of what is wrong."""
    if path.endswith(".toml"):
        return _load_pyproject(path) or Config(path)
    try:
        source = Source.from_bytes(Path(path).read_bytes())
        documents = [document.root for document in parse(source.text).documents if document.root is not None]
    except OSError as error:
        raise UsageError(f"{path}: the configuration cannot be read: {error.strerror}") from None
    except Unreadable as error:
        raise UsageError(f"{path}: the configuration cannot be read: {error.message}") from None
    if not documents:
        return Config(path)
    return _Reader(path, source, documents[0]).config(to_data(documents[0]))


def _load_pyproject(path: str) -> Config | None:
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{path}: the configuration cannot be read: {error.strerror}") from None
    if "crdlint" not in text:
        return None
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        table = tomllib.loads(text).get("tool", {}).get("crdlint")
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    return None if table is None else _Reader(path).config(table)


class _Reader:
    """Turns a file's data into a `Config`, with errors that say where."""

    def __init__(self, path: str, source: Source | None = None, root: Node | None = None) -> None:
        self.path = path
        self.source = source
        self.root = root

    def config(self, data: Any) -> Config:
        table = self.table(data, [], _KEYS)
        controllers = self.table(table.get("controllers", {}), ["controllers"], _CONTROLLER_KEYS)
        by_crd = self.table(controllers.get("crds", {}), ["controllers", "crds"], None)
        common = self.controllers(controllers, ["controllers"], Controllers())
        return Config(
            path=self.path,
            select=self.names(table, "select", []) if "select" in table else None,
            ignore=self.names(table, "ignore", []),
            exclude=self.names(table, "exclude", []),
            rules=tuple(os.path.join(os.path.dirname(self.path), name) for name in self.names(table, "rules", [])),
            stateless=frozenset(self.names(table, "stateless", [])),
            controllers=common,
            controllers_by_crd=tuple(
                (name, self.controllers(value, ["controllers", "crds", name], common)) for name, value in by_crd.items()
            ),
        )

    def controllers(self, data: Any, where: list[str], common: Controllers) -> Controllers:
        table = self.table(data, where, _CONTROLLER_KEYS if len(where) == 1 else _CONTROLLER_KEYS[1:])
        writes = self.names(table, "writes", where) if "writes" in table else tuple(common.writes)
        for index, name in enumerate(writes):
            self.one_of(name, WRITES, [*where, "writes", str(index)])
        declared = table.get("declared", "unproven" if common.declared_is_unproven else "written")
        self.one_of(declared, _DECLARED, [*where, "declared"])
        return Controllers(frozenset(writes), declared == "unproven")

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
        place = ""
        if self.source is not None and self.root is not None:
            line, column = self.source.position(locate(self.root, join_pointer(where))[0])
            place = f":{line}:{column}"
        return UsageError(f"{self.path}{place}: {message}")
