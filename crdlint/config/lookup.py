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

# What applies to the folders that were asked for, and to those on the way.
_known: dict[str, Config] = {}


def config_for(path: str) -> Config:
    """The configuration of a file (or of what stands on standard input under that name)."""
    folders = [os.path.dirname(os.path.abspath(path))]
    while (config := _known.get(folders[-1]) or _of_folder(folders[-1])) is None:
        folders.append(os.path.dirname(folders[-1]))
    _known.update(dict.fromkeys(folders, config))
    return config


def forget() -> None:
    """Read the files anew when they are asked for next: they may have changed since."""
    _known.clear()
    load.cache_clear()


def _of_folder(folder: str) -> Config | None:
    """The configuration of what is directly in a folder; None where the folder above it decides."""
    misnamed = os.path.join(folder, MISNAMED)
    if os.path.isfile(misnamed):
        raise UsageError(f"{misnamed}: crdlint reads no file of this name: call it {FILE_NAME}, or remove it")
    own = os.path.join(folder, FILE_NAME)
    if os.path.isfile(own):
        return load(own)
    if os.path.lexists(own):
        raise UsageError(f"{own}: this is no file, or a link to none, and holds no configuration: mend or remove it")
    project = os.path.join(folder, PYPROJECT)
    if os.path.isfile(project) and _names_crdlint(project):
        from crdlint.config.reading import read_pyproject

        config = read_pyproject(project)
        if config is not None:
            return config
    is_top = os.path.dirname(folder) == folder or os.path.exists(os.path.join(folder, ".git"))
    return Config() if is_top else None


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
