"""What a repository holds, as far as a configuration could speak of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from crdlint.consumers.timeline import CONDITION_TYPES
from crdlint.crd.clusterapi import is_in_domain
from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, Version, crds_of, mapping
from crdlint.files import LEFT_OUT, discover, names_crd
from crdlint.settings import GENERATOR_ANNOTATION
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

# Kinds of which a provider of Cluster API has a template as well.
_CAPI_KINDS = ("Cluster", "Config", "ControlPlane", "Machine")
# What kinds are often called that are only read.
_PASSIVE_KINDS = ("Class", "Identity", "Profile")
# Folders whose CRDs are seldom installed anywhere.
_ASIDE = frozenset(
    ("e2e", "example", "examples", "fixtures", "hack", "samples", "test", "testdata", "tests", "third_party")
)
_COLUMN = re.compile(r"""^\.status\.conditions\[\?\(\s*@\.type\s*==\s*["']([^"']*)["']\s*\)\]""")
_CONDITION_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)?")


@dataclass(frozen=True)
class FoundCrd:
    """One CRD; its folder is relative to the repository."""

    folder: str
    name: str
    group: str
    kind: str
    # The version of controller-gen that made it.
    generator: str | None
    condition_types: frozenset[str]
    looks_stateless: bool


@dataclass
class Survey:
    """What was found in a repository, at ``root``."""

    root: str
    crds: list[FoundCrd] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    # Folders with Go types that CRDs are made from.
    go_types: list[str] = field(default_factory=list)

    def by_folder(self) -> dict[str, list[FoundCrd]]:
        folders: dict[str, list[FoundCrd]] = {}
        for crd in self.crds:
            folders.setdefault(crd.folder, []).append(crd)
        return folders

    @property
    def aside(self) -> list[str]:
        """The folders with CRDs for tests and the like."""
        return [folder for folder in self.by_folder() if _ASIDE.intersection(folder.split("/"))]

    @property
    def copies(self) -> list[str]:
        """The folders that hold nothing but CRDs which another folder has from a generator."""
        generated = {folder: {crd.name for crd in crds if crd.generator} for folder, crds in self.by_folder().items()}
        first = max(generated, key=lambda folder: len(generated[folder]), default="")
        return [
            folder
            for folder, crds in self.by_folder().items()
            if folder != first and folder not in self.aside and {crd.name for crd in crds} <= generated[first]
        ]

    @property
    def generators(self) -> list[str]:
        return sorted({crd.generator for crd in self.crds if crd.generator})

    @property
    def condition_types(self) -> list[str]:
        """The types of conditions that the CRDs name, beside those that are always waited for."""
        return sorted({name for crd in self.crds for name in crd.condition_types} - set(CONDITION_TYPES))

    @property
    def stateless_kinds(self) -> list[str]:
        return sorted({crd.kind for crd in self.crds if crd.looks_stateless})

    @property
    def is_capi(self) -> bool:
        """Does any CRD belong to a provider of Cluster API?"""
        return bool(self.capi_groups) or any(is_in_domain(crd.group) for crd in self.crds)

    @property
    def capi_groups(self) -> list[str]:
        """Groups that look like those of a provider of Cluster API, and are not called so."""
        kinds: dict[str, set[str]] = {}
        for crd in self.crds:
            if crd.group and not is_in_domain(crd.group):
                kinds.setdefault(crd.group, set()).add(crd.kind)
        return sorted(group for group, names in kinds.items() if _are_of_provider(names))


def _are_of_provider(kinds: set[str]) -> bool:
    return any(kind.endswith(_CAPI_KINDS) and kind + "Template" in kinds for kind in kinds)


def survey(root: str) -> Survey:
    """Look through all files below ``root`` that a check of it would read. What cannot be read is passed over."""
    found = Survey(root)
    for path in discover([root], on_error=lambda path, error: None):
        relative = os.path.relpath(path, root).replace(os.sep, "/")
        try:
            with open(path, "rb") as file:
                data = file.read()
            found.crds += _crds_in(data, os.path.dirname(relative)) if names_crd(data) else []
        except (OSError, Unreadable):
            found.unreadable.append(relative)
    found.go_types = sorted(_folders_with_go_types(root))
    return found


def _crds_in(data: bytes, folder: str) -> list[FoundCrd]:
    documents = parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents
    crds = [crd for document in documents if document.root is not None for crd in crds_of(document.root)]
    # What has no versions is a patch.
    return [_found(crd, folder) for crd in crds if crd.versions]


def _found(crd: Crd, folder: str) -> FoundCrd:
    generator = crd.annotations.get(GENERATOR_ANNOTATION)
    return FoundCrd(
        folder=folder,
        name=crd.name or "",
        group=crd.group,
        kind=crd.kind or "",
        generator=None if generator is None else str(generator),
        condition_types=frozenset(name for version in crd.judged_versions for name in _condition_types(version)),
        looks_stateless=_looks_stateless(crd),
    )


def _looks_stateless(crd: Crd) -> bool:
    """Has the kind the name of one that is only read, and no status that a controller would report in?"""
    if not (crd.kind or "").endswith(_PASSIVE_KINDS):
        return False
    fields = {name for version in crd.judged_versions for name in version.properties}
    return not fields & {"conditions", "observedGeneration"}


def _condition_types(version: Version) -> Iterator[str]:
    """The types of conditions that columns show, or that the schema lists."""
    columns = version.crd.data(f"{version.pointer}/additionalPrinterColumns")
    paths = [mapping(column).get("jsonPath") for column in columns] if isinstance(columns, list) else []
    matches = (_COLUMN.match(path) for path in paths if isinstance(path, str))
    names: list[Any] = [match[1] for match in matches if match]
    for conditions in version.condition_lists():
        fields = mapping(mapping(conditions.schema.get("items")).get("properties"))
        listed = mapping(fields.get("type")).get("enum")
        names += listed if isinstance(listed, list) else []
    return (name for name in names if isinstance(name, str) and _CONDITION_TYPE.fullmatch(name))


def _folders_with_go_types(root: str) -> Iterator[str]:
    waiting = [root]
    while waiting:
        # One level at a time: before Python 3.12 a walk recurses.
        folder, folders, files = next(os.walk(waiting.pop()), ("", [], []))
        entered = (os.path.join(folder, name) for name in folders if name not in LEFT_OUT and not name.startswith("."))
        waiting += (path for path in entered if not os.path.islink(path))
        if any(name.endswith("_types.go") for name in files):
            yield os.path.relpath(folder, root).replace(os.sep, "/")
