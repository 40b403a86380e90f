"""Configuration files: read and checked, with errors that say where."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from crdlint.config.data import Config, Override, Severities
from crdlint.config.schemacheck import first_problem
from crdlint.datafile import DataFile
from crdlint.errors import UsageError
from crdlint.findings import Severity
from crdlint.report.sanitise import clean_short
from crdlint.settings import Capi, Controllers, ControllersChange, Generated, Target
from crdlint.yamltext.nodes import join_pointer

Place = Callable[[Sequence[str]], str]

# Such lines count as blank in the files that are checked.
_TEMPLATE_LINE = re.compile(r"^[ \t]*\{\{", re.MULTILINE)
_MATCHERS = ("crds", "groups", "kinds", "versions")


@lru_cache(maxsize=1)
def config_schema() -> dict[str, Any]:
    """The JSON Schema that every configuration satisfies."""
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "schema.json").read_text("utf-8"))
    return loaded


def read(path: str) -> Config:
    """Read one file, whatever its kind. Raises `UsageError` that names the place of what is wrong."""
    data, place = read_data(path)
    return _Reader(path, place).config(data)


def read_pyproject(path: str) -> Config | None:
    """The table of a ``pyproject.toml``; None where it has none."""
    table, place = read_data(path)
    return None if table is None else _Reader(path, place).config(table)


def read_data(path: str) -> tuple[Any, Place]:
    """What a file says, and what tells the place of keys and indexes in it."""
    if path.endswith(".toml"):
        return _read_toml(path)
    file = DataFile.read(path)
    template = _TEMPLATE_LINE.search(file.source.text)
    if template is not None:
        line, column = file.source.position(template.end() - 2)
        raise UsageError(f"{path}:{line}:{column}: a configuration is no template: write what this stands for")
    return file.data, lambda where: file.place(join_pointer(list(where)))


def _read_toml(path: str) -> tuple[Any, Place]:
    from crdlint.config.tomlfile import TomlFile

    file = TomlFile.read(path)
    tool = file.data.get("tool")
    table = tool.get("crdlint") if isinstance(tool, dict) else None
    return table, lambda where: file.place(["tool", "crdlint", *where])


class _Reader:
    """Turns a file's data into a `Config`, with errors that say where."""

    def __init__(self, path: str, place: Place) -> None:
        self.path = path
        self.place = place

    def config(self, data: Any) -> Config:
        problem = first_problem(data, config_schema())
        if problem is not None:
            raise self.error(*problem)
        table = data or {}
        controllers = table.get("controllers") or {}
        common = _controllers(controllers).made_to(Controllers())
        return Config(
            path=self.path,
            packs=_optional(table.get("packs")),
            select=_optional(table.get("select")),
            ignore=_names(table.get("ignore")),
            severity=_severities(table.get("severity")),
            exclude=self.patterns(_names(table.get("exclude")), "exclude"),
            rules=self.folders(_names(table.get("rules"))),
            condition_types=_names(table.get("conditionTypes")),
            condition_meanings=tuple(sorted((table.get("conditionMeanings") or {}).items())),
            stateless=frozenset(_names(table.get("stateless"))),
            controllers=common,
            controllers_by_crd=tuple(
                (name, _controllers(value or {}).made_to(common))
                for name, value in sorted((controllers.get("crds") or {}).items())
            ),
            capi=_capi(table.get("capi") or {}),
            generated=Generated(table.get("generated", Generated.FIX)),
            overrides=tuple(self.override(index, item) for index, item in enumerate(table.get("overrides") or ())),
        )

    def override(self, index: int, data: dict[str, Any]) -> Override:
        return Override(
            paths=self.patterns(_names(data.get("paths")), "overrides", str(index), "paths"),
            target=Target(**{name: _names(data.get(name)) for name in _MATCHERS}),
            select=_optional(data.get("select")),
            ignore=_names(data.get("ignore")),
            severity=_severities(data.get("severity")),
            stateless=data.get("stateless"),
            controllers=_controllers(data["controllers"]) if data.get("controllers") else None,
            generated=Generated(data["generated"]) if "generated" in data else None,
        )

    def patterns(self, patterns: tuple[str, ...], *where: str) -> tuple[str, ...]:
        for index, pattern in enumerate(patterns):
            if not _is_pattern(pattern):
                raise self.error((*where, str(index)), f"{pattern!r} is no pattern as .gitignore has them")
        return patterns

    def folders(self, names: tuple[str, ...]) -> tuple[str, ...]:
        folders = tuple(os.path.join(os.path.dirname(self.path), name) for name in names)
        for index, folder in enumerate(folders):
            if not os.path.isdir(folder):
                raise self.error(("rules", str(index)), f"there is no folder {folder}")
        return folders

    def error(self, where: Sequence[str], message: str) -> UsageError:
        return UsageError(f"{self.place(where)}: {clean_short(message)}")


def _names(value: Any) -> tuple[str, ...]:
    return tuple(value or ())


def _optional(value: Any) -> tuple[str, ...] | None:
    return None if value is None else tuple(value)


def _severities(value: Any) -> Severities:
    return tuple(sorted((name, Severity(severity)) for name, severity in (value or {}).items()))


def _controllers(table: dict[str, Any]) -> ControllersChange:
    writes, declared = table.get("writes"), table.get("declared")
    return ControllersChange(
        None if writes is None else frozenset(writes), None if declared is None else declared == "unproven"
    )


def _capi(table: dict[str, Any]) -> Capi:
    kinds = tuple(sorted((table.get("kinds") or {}).items()))
    return Capi(table.get("contract", Capi.contract), _names(table.get("groups")), kinds)


def _is_pattern(text: str) -> bool:
    from crdlint.gitpatterns import is_pattern

    return is_pattern(text)
