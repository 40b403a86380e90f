"""The results that earlier runs kept, for the files of this run."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING

from crdlint.choices import Choices
from crdlint.findings import Applicability, FileResult

if TYPE_CHECKING:
    from crdlint.cache.keys import Keys
    from crdlint.cache.pack import Pack


def cache_folder() -> str | None:
    """Where packs are kept: where the environment says, or where the system keeps caches, if anywhere."""
    own = os.environ.get("CRDLINT_CACHE_DIR")
    if own:
        return own
    common = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(common):
        return os.path.join(common, "crdlint")
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return None
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "crdlint", "Cache")
    return os.path.join(home, "Library/Caches" if sys.platform == "darwin" else ".cache", "crdlint")


class ResultCache:
    """What is known of files before they are checked. What a run finds out is kept when it ends.

    A run without any CRD, as most hooks have it, never asks: nothing is loaded, and nothing read, until then.
    """

    def __init__(self, folder: str, choices: Choices, fixes: Applicability | None) -> None:
        self._folder = folder
        self._choices = choices
        self._fixes = fixes
        self._packs: dict[str, Pack] = {}
        self._new: dict[str, dict[str, str]] = {}

    @property
    def is_known_to_be_empty(self) -> bool:
        return bool(self._packs) and not any(map(len, self._packs.values()))

    def find(self, path: str, data: bytes) -> FileResult | None:
        """The result for a file with this content, or None."""
        from crdlint.cache.entry import decode

        pack = self._pack(self._keys.pack(path))
        if not len(pack):
            return None
        try:
            return decode(pack.get(self._keys.entry(path, digest(data))), path)
        except ValueError:
            return None

    def add(self, path: str, digest: str, result: FileResult) -> None:
        """Remember the result for a file whose content has this digest."""
        from crdlint.cache.entry import encode

        try:
            text = encode(result)
        except (ValueError, RecursionError):
            return
        self._new.setdefault(self._keys.pack(path), {})[self._keys.entry(path, digest)] = text

    def keep(self) -> None:
        """Write what was added to the disk, if that is possible."""
        for name, entries in self._new.items():
            self._pack(name).append(entries)
        self._new.clear()

    @cached_property
    def _keys(self) -> Keys:
        from crdlint.cache.keys import Keys

        return Keys(self._choices, self._fixes)

    def _pack(self, name: str) -> Pack:
        from crdlint.cache.pack import Pack

        if name not in self._packs:
            self._packs[name] = Pack(self._folder, name)
        return self._packs[name]


def digest(data: bytes) -> str:
    """What tells the content of one file from that of another."""
    from hashlib import sha256

    return sha256(data).hexdigest()
