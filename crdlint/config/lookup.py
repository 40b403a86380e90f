"""Which configuration applies to a file.

The nearest ``.crdlint.yaml``, or ``[tool.crdlint]`` in ``pyproject.toml``, from the file's folder upward to the root of
its repository. Most runs find none: what reads one is loaded when there is one.
"""

from __future__ import annotations

import os
from functools import lru_cache

from crdlint.config.data import Config
from crdlint.errors import UsageError

FILE_NAME = ".crdlint.yaml"
# What one may take for it.
MISNAMED = ".crdlint.yml"
PYPROJECT = "pyproject.toml"


def config_for(path: str) -> Config:
    """The configuration of a file (or of what stands on standard input under that name)."""
    return _nearest(os.path.dirname(os.path.abspath(path)))


def forget() -> None:
    """Read the files anew when they are asked for next: they may have changed since."""
    _nearest.cache_clear()
    load.cache_clear()


@lru_cache(maxsize=4096)
def _nearest(folder: str) -> Config:
    misnamed = os.path.join(folder, MISNAMED)
    if os.path.isfile(misnamed):
        raise UsageError(f"{misnamed}: crdlint reads no file of this name: call it {FILE_NAME}, or remove it")
    own = os.path.join(folder, FILE_NAME)
    if os.path.isfile(own):
        return load(own)
    project = os.path.join(folder, PYPROJECT)
    if os.path.isfile(project) and _names_crdlint(project):
        from crdlint.config.reading import read_pyproject

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
    from crdlint.config.reading import read

    return read(path)


def place(config: Config, *where: str) -> str:
    """``path:line:column`` of what stands under these keys and indexes of a configuration file."""
    from crdlint.config.reading import read_data

    assert config.path is not None
    return read_data(config.path)[1](where)
