"""The schema of a version, read no further than somebody asks: that of `spec` may be most of the file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from crdlint.crd.schema import INT_OR_STRING, PRESERVE_UNKNOWN_FIELDS
from crdlint.yamltext.data import Templated, to_data
from crdlint.yamltext.nodes import Mapping, Node, join_pointer


@dataclass(frozen=True)
class Part:
    """The schema of a field: where it stands, or would stand, and its node, None where it is not declared.

    ``is_open`` says that the text does not show what is declared here: a template writes it, or all is kept. Where the
    CRD preserves unknown fields, that is so all the way down (``keeps_all``).
    """

    pointer: str
    node: Mapping | None
    is_open: bool = False
    keeps_all: bool = False
    # The fields that somebody asked for already.
    _fields: dict[str, Part] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def made_of(cls, pointer: str, node: Node | None, is_open: bool, keeps_all: bool) -> Part:
        mapping = node if isinstance(node, Mapping) else None
        return cls(pointer, mapping, is_open or keeps_all or (mapping is not None and mapping.open), keeps_all)

    @property
    def is_declared(self) -> bool:
        return self.node is not None

    def keyword(self, name: str) -> Any:
        """The value of a keyword as data, None where there is none."""
        value = self.node.get(name) if self.node is not None else None
        return None if value is None else to_data(value, sees_templates=True)

    def at(self, path: str) -> Part:
        """The field at a path such as ``status.initialization``."""
        part = self
        for name in path.split("."):
            part = part.field(name)
        return part

    def field(self, name: str) -> Part:
        if name not in self._fields:
            self._fields[name] = self._field(name)
        return self._fields[name]

    def _field(self, name: str) -> Part:
        pointer = f"{self.pointer}/properties{join_pointer([name])}"
        fields = self.node.get("properties") if self.node is not None else None
        found = fields.get(name) if isinstance(fields, Mapping) else None
        is_open = not isinstance(found, Mapping) and (found is not None or self._keeps_undeclared(fields))
        return Part.made_of(pointer, found, is_open, self.keeps_all)

    def excerpt(self, names: Collection[str]) -> dict[str, Any]:
        """The schema as data, but with these fields alone: the others may be most of the file."""
        if self.node is None:
            return {}
        keys = {key.key for key, _ in self.node.entries} | {
            key.key for merged in self.node.merged() for key, _ in merged.entries
        }
        fields = {name: self.field(name).node for name in names}
        return {
            **{key: self.keyword(key) for key in keys if key != "properties"},
            "properties": {name: to_data(node, sees_templates=True) for name, node in fields.items() if node},
        }

    def items(self) -> Part:
        return self._below("items")

    def values(self) -> Part:
        """The schema of a map's values."""
        return self._below("additionalProperties")

    @property
    def type(self) -> str | None:
        """The declared type, None where the text does not tell."""
        declared = self.keyword("type")
        if isinstance(declared, str) and not isinstance(declared, Templated):
            return declared
        return "int-or-string" if self.keyword(INT_OR_STRING) is True else None

    def _below(self, keyword: str) -> Part:
        found = self.node.get(keyword) if self.node is not None else None
        return Part.made_of(f"{self.pointer}/{keyword}", found, not isinstance(found, Mapping), self.keeps_all)

    def _keeps_undeclared(self, fields: Node | None) -> bool:
        """May a field be there without being declared in ``properties``?"""
        if self.node is None or self.is_open:
            return self.is_open
        if self.node.open or (fields is not None and not isinstance(fields, Mapping)):
            return True
        if isinstance(fields, Mapping) and fields.open:
            return True
        keeping = (PRESERVE_UNKNOWN_FIELDS, "additionalProperties")
        return any(self.node.get(keyword) is not None for keyword in keeping)
