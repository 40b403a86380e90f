"""Which question an entry answers: all that decides what crdlint says of a file, but for the file itself."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from crdlint import project
from crdlint.choices import Choices, settings_config
from crdlint.config.data import Config
from crdlint.findings import Applicability


class Keys:
    """The keys of a run's entries."""

    def __init__(self, choices: Choices, fixes: Applicability | None) -> None:
        self._choices = choices
        self._fixes = fixes
        self._packs: dict[Config, str] = {}

    def pack(self, path: str) -> str:
        """What all entries of a pack have in common: the program, its configuration, and what it was asked to do."""
        config = settings_config(path, self._choices)
        if config not in self._packs:
            said = [_program(), self._fixes, _said(self._choices, config=None), _said(config, path=None)]
            self._packs[config] = _digest(said)
        return self._packs[config]

    def entry(self, path: str, digest: str) -> str:
        """The file: its content, and where the configuration, which may speak of paths, sees it."""
        config = settings_config(path, self._choices)
        if config.path is None:
            return digest
        return _digest([config.relative(path), digest])


def _digest(data: list[Any]) -> str:
    return sha256(json.dumps(data, default=sorted).encode("ascii")).hexdigest()


def _said(choice: Any, **place: None) -> list[object]:
    """What was chosen or configured, and what the rules that it names say; not where all of this stands."""
    rules = [list(_content(folder)) for folder in choice.rules]
    return [asdict(replace(choice, rules=(), **place)), rules]


def _content(folder: str) -> Iterator[tuple[str, str]]:
    for name in sorted(os.listdir(folder)):
        path = Path(folder, name)
        if path.is_file():
            yield name, sha256(path.read_bytes()).hexdigest()


@lru_cache(maxsize=1)
def _program() -> str:
    """The program itself.

    Its modules and rules, told as Python tells whether it has to compile a module anew, by size and time; the names and
    versions of all that is installed, its own among them; and Python.
    """
    files = [*_files(str(project.PACKAGE)), *_files(str(project.pack_directory()))]
    installed = {name for folder in sys.path for name in _installed(folder)}
    return json.dumps([sys.version, sorted(installed), sorted(files)])


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    for entry in os.scandir(folder):
        if entry.is_file():
            info = entry.stat()
            yield entry.path.removeprefix(str(project.PACKAGE)), info.st_size, info.st_mtime_ns
        elif entry.name != "__pycache__":
            yield from _files(entry.path)


def _installed(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return []
