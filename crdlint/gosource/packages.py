"""The Go packages of a repository: which files are read, and by which path each package is imported."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from crdlint.gosource.package import Package
from crdlint.gosource.syntax import GoFile

_SKIPPED_FOLDERS = frozenset(("vendor", "node_modules", "testdata", "third_party"))
# Folders whose code runs in no controller.
_ASIDE = re.compile(r"tests?|testing|testutils?|e2e|fakes?|mocks?|hack|docs|examples|samples|applyconfigurations?")
# Far more than people write into one file.
_LARGEST = 5_000_000
_GENERATED = re.compile(rb"^// Code generated .* DO NOT EDIT\.\r?$", re.MULTILINE)
_MODULE = re.compile(rb"^module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
_REQUIRED = re.compile(rb"^(?:require)?[ \t]+([^\s(]+)[ \t]+(v[^\s]+)", re.MULTILINE)


class Packages:
    """All packages below a folder. Vendored, generated and test files are left out."""

    def __init__(self, root: str) -> None:
        self.root = os.path.normpath(root)
        self.problems: list[str] = []
        self.modules: dict[str, str] = {}
        # Versions of required modules, as the modules of the repository ask for them.
        self.required: dict[str, str] = {}
        self.by_folder: dict[str, Package] = {}
        self._read()

    def __iter__(self) -> Iterator[Package]:
        return iter(self.by_folder.values())

    @cached_property
    def _by_path(self) -> dict[str, Package]:
        return {package.path: package for package in self}

    def at(self, path: str) -> Package | None:
        """The package of an import path; None where it is not of this repository."""
        return self._by_path.get(path)

    @property
    def files(self) -> Iterator[tuple[Package, GoFile]]:
        for package in self:
            for file in package.files:
                yield package, file

    def _read(self) -> None:
        found: list[tuple[str, list[str]]] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if _is_entered(name))
            if "go.mod" in names:
                self._read_module(folder)
            found.append((folder, sorted(name for name in names if _is_source(name))))
        if os.path.abspath(self.root) not in self.modules:
            self._read_module_above()
        for folder, names in found:
            files = [file for name in names if (file := self._file(os.path.join(folder, name))) is not None]
            if files:
                self.by_folder[folder] = Package(self._import_path(folder), folder, files, self.problems)

    def _read_module(self, folder: str) -> None:
        content = self._bytes(os.path.join(folder, "go.mod")) or b""
        match = _MODULE.search(content)
        if match is not None:
            self.modules[os.path.abspath(folder)] = match[1].decode("utf-8", "replace")
        for name, version in _REQUIRED.findall(content):
            self.required.setdefault(name.decode("utf-8", "replace"), version.decode("utf-8", "replace"))

    def _read_module_above(self) -> None:
        """The module that the folder is a part of, where it is not the root of one."""
        folder = os.path.abspath(self.root)
        while folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
            if os.path.isfile(os.path.join(folder, "go.mod")):
                self._read_module(folder)
                return

    def _import_path(self, folder: str) -> str:
        """The path that other packages import a folder by; outside of any module, the folder itself."""
        own = above = os.path.abspath(folder)
        while above not in self.modules:
            if above == os.path.dirname(above):
                return folder
            above = os.path.dirname(above)
        rest = os.path.relpath(own, above).replace(os.sep, "/")
        return self.modules[above] if rest == "." else f"{self.modules[above]}/{rest}"

    def _file(self, path: str) -> GoFile | None:
        data = self._bytes(path)
        if data is None or _is_generated(data):
            return None
        return GoFile(os.path.normpath(path), data, self._name_of)

    def _name_of(self, path: str) -> str | None:
        package = self.at(path)
        return None if package is None else package.name

    def _bytes(self, path: str) -> bytes | None:
        """A pipe or a device would be waited for, perhaps without end."""
        try:
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST:
                return Path(path).read_bytes()
        except OSError as error:
            self.problems.append(f"{path}: cannot be read: {error.strerror}")
            return None
        if stat.S_ISREG(found.st_mode):
            self.problems.append(f"{path}: larger than {_LARGEST:,} bytes: it is passed over")
        elif not stat.S_ISLNK(found.st_mode):
            self.problems.append(f"{path}: no regular file: it is passed over")
        return None


def is_aside(packages: Packages, package: Package) -> bool:
    """Does a package stand below a folder for tests, examples or tools?"""
    return any(_ASIDE.fullmatch(part) for part in re.split(r"[\\/]", package.folder[len(packages.root) :]))


def _is_entered(folder: str) -> bool:
    return folder not in _SKIPPED_FOLDERS and not folder.startswith((".", "_"))


def _is_source(name: str) -> bool:
    return name.endswith(".go") and not name.endswith("_test.go") and not name.startswith(("zz_generated", ".", "_"))


def _is_generated(data: bytes) -> bool:
    """Does a generator own this file? It says so above the package clause (https://go.dev/s/generatedcode)."""
    match = _GENERATED.search(data)
    clause = re.search(rb"^package ", data, re.MULTILINE)
    return match is not None and (clause is None or match.start() < clause.start())
