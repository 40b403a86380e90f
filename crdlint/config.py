"""The configuration: which one applies to a file, and what it says.

The nearest ``.crdlint.yaml``, or ``[tool.crdlint]`` in ``pyproject.toml``, from the file's folder upward to the root of
its repository. Paths and patterns in it are relative to its folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from crdlint.settings import Controllers

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FILE_NAME = ".crdlint.yaml"
PYPROJECT = "pyproject.toml"


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
    controllers: Controllers = field(default_factory=Controllers)
    controllers_by_crd: tuple[tuple[str, Controllers], ...] = ()

    def excludes(self, path: str) -> bool:
        """Is a file excluded by this configuration?"""
        if not self.exclude or self.path is None:
            return False
        relative = os.path.relpath(os.path.abspath(path), os.path.dirname(os.path.abspath(self.path)))
        return spec(self.exclude).match_file(relative)

    def place(self, *where: str) -> str:
        """``path:line:column`` of what stands under these keys and indexes."""
        from crdlint.configfile import place

        assert self.path is not None
        return place(self.path, where)


def config_for(path: str) -> Config:
    """The configuration of a file (or of what stands on standard input under that name)."""
    return _nearest(os.path.dirname(os.path.abspath(path)))


def forget() -> None:
    """Read the files anew when they are asked for next: they may have changed since."""
    _nearest.cache_clear()
    load.cache_clear()


@lru_cache(maxsize=4096)
def _nearest(folder: str) -> Config:
    own = os.path.join(folder, FILE_NAME)
    if os.path.isfile(own):
        return load(own)
    project = os.path.join(folder, PYPROJECT)
    if os.path.isfile(project) and _names_crdlint(project):
        from crdlint.configfile import read_pyproject

        config = read_pyproject(project)
        if config is not None:
            return config
    parent = os.path.dirname(folder)
    if parent == folder or os.path.exists(os.path.join(folder, ".git")):
        return Config()
    return _nearest(parent)


def _names_crdlint(path: str) -> bool:
    """Can there be a table for crdlint in this file? One that cannot be read is its reader's to report."""
    try:
        with open(path, "rb") as file:
            return b"crdlint" in file.read()
    except OSError:
        return True


@lru_cache(maxsize=64)
def load(path: str) -> Config:
    """Read one configuration file. Raises `UsageError` that names the place of what is wrong."""
    from crdlint.configfile import read

    return read(path)


@lru_cache(maxsize=64)
def spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Patterns as .gitignore has them, compiled."""
    import warnings

    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        # Of the regular expressions that a bracket in a pattern becomes.
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(patterns, backend="simple")
