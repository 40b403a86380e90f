"""The same CRD in several files: which of them leads, and where the others differ from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from crdlint.crd.model import Crd
from crdlint.migrate.repository import Copy, Place
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer

# Keywords of a schema whose keys are names of fields, not keywords.
_NAMES = frozenset(("properties", "patternProperties", "definitions"))


@dataclass(frozen=True)
class Difference:
    """One thing that a copy says otherwise than the leading one."""

    what: str
    leading: Place
    copy: Place


@dataclass(frozen=True)
class CopyState:
    """A further copy of a CRD: where it is, and what it says otherwise than the leading one."""

    copy: Copy
    differences: tuple[Difference, ...] = ()

    @property
    def place(self) -> Place:
        return self.copy.place()

    def told(self, leading: str) -> str:
        """How it differs, in a few words."""
        first, *others = self.differences
        more = f" and {len(others)} more places" if others else ""
        return f"{first.what} (line {first.copy.line}) is not as in {leading}:{first.leading.line}{more}"


@dataclass(frozen=True)
class Group:
    """All files that one CRD stands in: the copy that leads, the others, and the patches of it."""

    leading: Copy
    others: tuple[CopyState, ...]
    patches: tuple[Copy, ...]

    @property
    def copies(self) -> list[Copy]:
        return [self.leading, *(state.copy for state in self.others)]


def group_of(copies: Sequence[Copy]) -> Group:
    """Generated copies lead, then those in the bases, then whole files; templates are last."""
    leading, *others = sorted((copy for copy in copies if not copy.is_patch), key=_rank)
    states = tuple(CopyState(copy, tuple(differences(leading, copy))) for copy in others)
    return Group(leading, states, tuple(copy for copy in copies if copy.is_patch))


def _rank(copy: Copy) -> tuple[bool, bool, bool, int, str]:
    parts = copy.path.replace("\\", "/").split("/")
    return copy.is_template, not copy.is_generated, "bases" not in parts, len(copy.file.copies), copy.path


def differences(leading: Copy, copy: Copy) -> list[Difference]:
    """Where the schemas of two copies differ, descriptions and what templates write aside."""
    return [
        Difference(_shown(path), leading.place(_pointer(leading.crd, path)), copy.place(_pointer(copy.crd, path)))
        for path in _differing(_comparable(leading.crd), _comparable(copy.crd), (), is_names=False)
    ]


def _comparable(crd: Crd) -> dict[str, Any]:
    """What has to agree: how each version, by its name, is served and what its schema and subresources are."""
    versions = {}
    for version in crd.versions:
        versions[version.name] = {
            "served": version.served,
            "storage": version.storage,
            "schema": crd.data(version.schema_pointer),
            "subresources": version.subresources,
        }
    return {"scope": crd.data("/spec/scope"), "versions": versions}


def _differing(one: Any, other: Any, path: tuple[str, ...], is_names: bool) -> Iterator[tuple[str, ...]]:
    if isinstance(one, Templated) or isinstance(other, Templated):
        return
    if not (isinstance(one, dict) and isinstance(other, dict)):
        if one != other:
            yield path
        return
    for key in dict.fromkeys((*one, *other)):
        if isinstance(key, Templated) or (key == "description" and not is_names):
            continue
        if key in one and key in other:
            inside = key in _NAMES and not is_names
            yield from _differing(one[key], other[key], (*path, key), inside)
        elif not any(isinstance(name, Templated) for name in (*one, *other)):
            yield (*path, key)


def _shown(path: tuple[str, ...]) -> str:
    """A path as a person reads it: version, then the field within its objects."""
    if path[:1] != ("versions",):
        return ".".join(path)
    version, *rest = path[1:]
    fields = [part for part in rest if part not in ("schema", "properties")]
    return f"{version} {'.'.join(fields)}".rstrip() if fields else f"version {version}"


def _pointer(crd: Crd, path: tuple[str, ...]) -> str:
    if path[:1] != ("versions",):
        return "/spec" + join_pointer(list(path))
    version = next((one for one in crd.versions if one.name == path[1]), None)
    if version is None:
        return "/spec/versions"
    rest = list(path[2:])
    if rest[:1] == ["schema"]:
        return version.schema_pointer + join_pointer(rest[1:])
    return version.parts_pointer + join_pointer(rest) if rest else version.pointer
