"""The fields that a version declares, at every depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.clusterapi import is_cluster_api
from crdlint.crd.model import Version, mapping
from crdlint.crd.schema import EMBEDDED_RESOURCE
from crdlint.findings import Applicability
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer

_STANDARD = ("apiVersion", "kind", "metadata")
# What is judged by core rules, and what Cluster API keeps only until its next contract.
_ELSEWHERE = ("status.conditions", "status.v1beta2.conditions", "status.deprecated")
# What the contracts of Cluster API prescribe to its providers as it is.
_OF_CONTRACTS = ("status.addresses", "status.capacity", "status.failureDomains")
_SHOWN = 3

_known: WeakKeyDictionary[Version, list[Field]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Field:
    """The schema of a field, of a list's items (``[]``) or of a map's values (``{}``), and where it stands.

    ``is_merged`` says whether server-side apply looks at it by itself, and not as a part of an atomic list or object.
    """

    pointer: str
    path: str
    schema: dict[str, Any]
    is_merged: bool = True

    @property
    def type(self) -> Any:
        return self.schema.get("type")

    def is_in(self, path: str) -> bool:
        """Is it the field at a path, or below it?"""
        return self.path.startswith(path) and self.path[len(path) :][:1] in ("", ".", "[", "{")

    @property
    def is_open(self) -> bool:
        """May a template say more of it?"""
        return any(isinstance(key, Templated) for key in self.schema)

    @property
    def is_condition_list(self) -> bool:
        items = mapping(mapping(self.schema.get("items")).get("properties"))
        return self.path.endswith(".conditions") and {"type", "status"} <= items.keys()

    @property
    def merges_below(self) -> bool:
        if self.type == "array":
            return self.is_merged and self.schema.get("x-kubernetes-list-type") == "map"
        return self.is_merged and self.schema.get("x-kubernetes-map-type") != "atomic"


def fields_of(version: Version) -> list[Field]:
    """All of them in the order of the text, the object's conditions left out; read once for all rules."""
    if version not in _known:
        _known[version] = list(_fields(version))
    return _known[version]


def status_fields(version: Version, context: Context) -> Iterator[Field]:
    """Those of status that its author has decided on."""
    prescribed = _OF_CONTRACTS if is_cluster_api(version.crd, context.capi) else ()
    for field in fields_of(version):
        if field.is_in("status") and not any(map(field.is_in, prescribed)):
            yield field


def _fields(version: Version) -> Iterator[Field]:
    root = f"{version.schema_pointer}/properties"
    waiting = [
        Field(root + join_pointer([name]), name, schema)
        for name, schema in mapping(version.crd.data(root)).items()
        if _is_read(name, schema) and name not in _STANDARD
    ]
    waiting.reverse()
    while waiting:
        field = waiting.pop()
        yield field
        waiting += reversed(list(_below(field)))


def _below(field: Field) -> Iterator[Field]:
    if field.schema.get(EMBEDDED_RESOURCE) is True or field.is_condition_list:
        return
    for name, schema in mapping(field.schema.get("properties")).items():
        path = f"{field.path}.{name}"
        if _is_read(name, schema) and path not in _ELSEWHERE:
            yield Field(f"{field.pointer}/properties{join_pointer([name])}", path, schema, field.merges_below)
    for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
        schema = field.schema.get(keyword)
        if isinstance(schema, dict):
            yield Field(f"{field.pointer}/{keyword}", field.path + mark, schema, field.merges_below)


def _is_read(name: str, schema: Any) -> bool:
    """Is it declared here, not by a template?"""
    return not isinstance(name, Templated) and isinstance(schema, dict)


def problems(found: Sequence[Field], what: str, why: str) -> Iterator[Problem]:
    """One problem for all fields, at the first of them; none where there are none."""
    if found:
        named = listed([field.path for field in found])
        yield Problem(found[0].pointer, f"{what} ({named}): {why}", Draft(Applicability.MANUAL))


def listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"`{name}`" for name in names[:_SHOWN]) + more
