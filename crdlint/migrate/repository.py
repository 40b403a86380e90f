"""One repository as a migration finds it: its root, the files with CRDs in it, and whether they may be written."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from crdlint import git
from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, crds_of
from crdlint.errors import UsageError
from crdlint.files import names_crd
from crdlint.linter import Parsed
from crdlint.settings import is_generated
from crdlint.yamltext.nodes import locate
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

_ROLES = b"rbac.authorization.k8s.io"
_KUSTOMIZATIONS = frozenset(("kustomization.yaml", "kustomization.yml", "Kustomization"))
_OPERATION = re.compile(rb"\bop[\"']?[ \t]*:")
_REVIEW = "a migration is easiest to review, and to undo, on a clean tree"


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, eq=False)
class Copy:
    """One CRD in one file, complete or (a kustomize patch) in part."""

    file: RepositoryFile
    document: int
    crd: Crd

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def is_patch(self) -> bool:
        return not self.crd.versions and not self.crd.group

    @property
    def is_template(self) -> bool:
        return bool(self.file.parsed.stream.masks)

    @property
    def is_generated(self) -> bool:
        return is_generated(self.crd)

    def place(self, pointer: str = "/metadata/name") -> Place:
        """Where what a pointer leads to stands, or what is left of it."""
        return self.file.place(self.document, self.crd.prefix + pointer)


@dataclass(frozen=True, eq=False)
class RepositoryFile:
    """A file with CRDs in it, as it was read."""

    path: str
    data: bytes
    parsed: Parsed

    @cached_property
    def copies(self) -> list[Copy]:
        return [Copy(self, index, crd) for index, crd in crds_in(self.parsed)]

    def place(self, document: int, pointer: str) -> Place:
        root = self.parsed.stream.documents[document].root
        offset = 0 if root is None else locate(root, pointer)[0]
        return Place(self.path, self.parsed.source.position(offset)[0])


def crds_in(parsed: Parsed) -> Iterator[tuple[int, Crd]]:
    """The CRDs of a file, each with the index of its document."""
    for index, document in enumerate(parsed.stream.documents):
        for crd in crds_of(document.root) if document.root is not None else ():
            yield index, crd


@dataclass
class Repository:
    """The files with CRDs, in the order in which they were found; ``root`` is None outside a work tree.

    ``folder`` holds all that belongs to it, Go sources too: the work tree, or else what was asked for.
    """

    root: str | None = None
    folder: str | None = None
    files: list[RepositoryFile] = field(default_factory=list)
    # The bytes of those that cannot be understood.
    unreadable: dict[str, bytes] = field(default_factory=dict)
    # The bytes of manifests with roles in them, of kustomizations, and of what may be a JSON patch.
    roles: dict[str, bytes] = field(default_factory=dict)
    kustomizations: dict[str, bytes] = field(default_factory=dict)
    json_patches: dict[str, bytes] = field(default_factory=dict)

    def add(self, path: str, data: bytes) -> None:
        """Add a file, unless it names neither a CRD nor a role and patches nothing."""
        if _ROLES in data:
            self.roles[path] = data
        if os.path.basename(path) in _KUSTOMIZATIONS:
            self.kustomizations[path] = data
        elif _OPERATION.search(data):
            self.json_patches[path] = data
        if not names_crd(data):
            return
        try:
            self.files.append(RepositoryFile(path, data, self.parsed(data)))
        except Unreadable:
            self.unreadable[path] = data

    @staticmethod
    def parsed(data: bytes) -> Parsed:
        """Raises `Unreadable`."""
        source = Source.from_bytes(data)
        return Parsed(source, parse(source.text, wanted=KIND, defer=SPEC_SCHEMA))

    @property
    def paths(self) -> list[str]:
        """All files whose bytes are kept."""
        kept = (self.unreadable, self.roles, self.kustomizations, self.json_patches)
        return list(dict.fromkeys((*(file.path for file in self.files), *(path for files in kept for path in files))))

    def copies(self) -> dict[str, list[Copy]]:
        """The copies of each CRD by its name, patches included; one without a name has no copy."""
        found: dict[str, list[Copy]] = {}
        for file in self.files:
            for index, copy in enumerate(file.copies):
                found.setdefault(copy.crd.name or f"{file.path}#{index}", []).append(copy)
        return found


def work_tree_of(paths: Iterable[str]) -> str | None:
    """The root of the Git work tree that holds all the files. Raises `UsageError` where they lie in several."""
    roots = {folder: _root_above(folder) for folder in {os.path.dirname(os.path.realpath(path)) for path in paths}}
    distinct = sorted({root or "" for root in roots.values()})
    if len(distinct) > 1:
        shown = ", ".join(root or "no repository" for root in distinct)
        raise UsageError(f"the files lie in several repositories ({shown}): migrate one at a time")
    return (distinct[0] or None) if distinct else None


def _root_above(folder: str) -> str | None:
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def check_clean(root: str | None, targets: Collection[str]) -> None:
    """Raise `UsageError` where writing ``targets`` could mix with, or lose, what Git does not hold."""
    if root is None:
        raise UsageError(
            "these files lie in no Git work tree, so that what is written could not be undone: "
            "copy them first, and give --allow-dirty"
        )
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty").splitlines()
    if changed:
        more = f", and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise UsageError(
            f"the work tree has changes that are not committed ({changed[0][3:]}{more}): commit or stash them, or give "
            f"--allow-dirty; {_REVIEW}"
        )
    known = set(_git(root, "ls-files", "-z").split("\0"))
    inside = {os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/"): path for path in targets}
    unknown = sorted(set(inside) - known)
    if unknown:
        raise UsageError(
            f"{inside[unknown[0]]}: Git does not hold this file, so that what is written could not be undone: add and "
            "commit it, or give --allow-dirty"
        )


def _git(root: str, *arguments: str) -> str:
    try:
        done = git.run(root, *arguments)
    except OSError as error:
        raise UsageError(f"git cannot be run ({error.strerror}): install it, or give --allow-dirty") from None
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip()
        raise UsageError(f"git cannot say whether the work tree is clean ({why}): mend that, or give --allow-dirty")
    return done.stdout.decode("utf-8", "surrogateescape")
