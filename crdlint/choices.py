"""Which linter checks a file: by what the command line chose, and the configuration that applies to the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from crdlint.config.data import Config
from crdlint.config.lookup import config_for, load
from crdlint.config.lookup import forget as forget_configurations
from crdlint.files import STDIN, OnError, discover

if TYPE_CHECKING:
    from crdlint.linter import Linter
    from crdlint.rules.catalogue import Catalogue


@dataclass(frozen=True)
class Choices:
    """What the command line, or the caller, chose; it wins over the configuration."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    config: str | None = None
    force_exclude: bool = False


def settings_config(path: str, choices: Choices) -> Config:
    """The configuration that applies to a file."""
    return load(choices.config) if choices.config is not None else config_for(path)


def linter_for(path: str, choices: Choices) -> Linter:
    """The linter for one file, by the choices and the configuration that applies to it."""
    config = settings_config(path, choices)
    return linter_by(config, choices, config.overrides_for(path))


def catalogue_for(choices: Choices, paths: Sequence[str] = ()) -> Catalogue:
    """All rules that there are for these files, or else in the working folder.

    Raises `UsageError` for what is wrong with the choices, or with the configuration of any of the files.
    """
    from crdlint.rules.catalogue import Catalogue

    linters = dict.fromkeys(linter_for(path, choices) for path in paths or (os.path.join(os.curdir, STDIN),))
    return Catalogue({rule.id: rule for linter in linters for rule in linter.catalogue}.values())


def check_choices(choices: Choices, paths: Sequence[str]) -> None:
    """Raise `UsageError` for what is wrong with the choices, or with the configuration of any of the files.

    Where neither names a rule there is nothing to look up, and nothing is loaded for it.
    """
    for config, path in {settings_config(path, choices): path for path in paths or [STDIN]}.items():
        if choices.select or choices.ignore or choices.rules or config.path is not None:
            linter_for(path, choices)


def forget() -> None:
    """Read configurations and users' own rules anew when they are needed next: they may have changed since."""
    forget_configurations()
    linter_by.cache_clear()
    _linter.cache_clear()
    _catalogue.cache_clear()


@lru_cache(maxsize=256)
def linter_by(config: Config, choices: Choices, overrides: tuple[int, ...]) -> Linter:
    """The linter that a configuration and the choices make, with those of the overrides that can speak of a file."""
    linter = _linter(config, choices)
    kept = tuple(linter.settings.overrides[index] for index in overrides)
    return replace(linter, settings=replace(linter.settings, overrides=kept)) if config.overrides else linter


@lru_cache(maxsize=64)
def _linter(config: Config, choices: Choices) -> Linter:
    from crdlint.linter import Linter
    from crdlint.resolve import resolve

    catalogue = _catalogue((*config.rules, *choices.rules))
    return Linter(catalogue, resolve(config, choices, catalogue))


@lru_cache(maxsize=16)
def _catalogue(folders: tuple[str, ...]) -> Catalogue:
    from crdlint.rules.catalogue import Catalogue, core_rules

    rules = list(core_rules())
    if folders:
        from pathlib import Path

        from crdlint.rules.user import load_rules

        unique: dict[str, str] = {}
        for folder in folders:
            unique.setdefault(os.path.realpath(folder), folder)
        for folder in unique.values():
            rules += load_rules(Path(folder), frozenset(rule.id for rule in rules))
    return Catalogue(rules)


def files_in(paths: Sequence[str], choices: Choices, on_error: OnError | None = None) -> list[str]:
    """The files that these paths come to, without those that their configuration excludes.

    One that was named is kept unless excludes are forced. Raises as `discover` does.
    """
    named = set(map(os.path.normpath, paths))
    found = discover(paths, on_error=on_error)
    return [path for path in found if path == STDIN or not is_excluded(path, os.path.normpath(path) in named, choices)]


def is_excluded(path: str, is_named: bool, choices: Choices) -> bool:
    """Is a file left out, by its configuration and by how it was found?"""
    if is_named and not choices.force_exclude:
        return False
    return settings_config(path, choices).excludes(path)
