"""Nodes to plain data, as Kubernetes would decode them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crdlint.yamltext.nodes import Alias, Mapping, Node, Scalar, Sequence, is_merge_key, resolve
from crdlint.yamltext.scalars import scalar_value


class Templated(str):
    """A value that a template fills in, or a key that stands for keys it may add: only its text is known."""

    __slots__ = ()


# The key of a mapping to which a template may add further keys.
FURTHER_KEYS = Templated("{{ … }}")


@dataclass(frozen=True)
class Folded:
    """A mapping of which the text says enough for now: the same lines hold the same data."""

    lines: str
    mapping: Mapping

    def opened(self) -> dict[str, Any]:
        """What it holds, the deferred mappings in it folded."""
        return _Converter(folds=True, sees_templates=False).entries(self.mapping)


def to_data(node: Node, folds: bool = False, sees_templates: bool = False) -> Any:
    """Dicts with string keys, lists and scalars. Shared nodes become shared objects; merge keys are merged.

    With ``folds`` a deferred mapping becomes a `Folded` one. With ``sees_templates`` a text with ``{{ … }}`` in it is
    `Templated` even where it is YAML by chance, or in quotes.
    """
    return _Converter(folds, sees_templates).convert(node)


class _Converter:
    def __init__(self, folds: bool, sees_templates: bool) -> None:
        self.folds = folds
        self.sees_templates = sees_templates
        self.done: dict[int, Any] = {}

    def convert(self, node: Node) -> Any:
        """One frame a level: trees may be as deep as half of Python's stack."""
        node = resolve(node)
        if isinstance(node, Scalar):
            if node.templated is not None:
                return Templated(node.templated)
            if self.sees_templates and "{{" in node.value and "}}" in node.value:
                return Templated(node.value)
            return scalar_value(node)
        assert not isinstance(node, Alias)
        if node.anchor is not None and id(node) in self.done:
            return self.done[id(node)]
        data: Any
        if isinstance(node, Sequence):
            data = []
            for item in node.items:
                data.append(self.convert(item))
            if node.open:
                data.append(FURTHER_KEYS)
        elif self.folds and node.lines is not None:
            return Folded(node.lines, node)
        else:
            data = self.entries(node)
        if node.anchor is not None:
            self.done[id(node)] = data
        return data

    def entries(self, mapping: Mapping) -> dict[str, Any]:
        data = {}
        for key, value in mapping.entries:
            if not is_merge_key(key):
                data[key.key if key.templated is None else Templated(key.key)] = self.convert(value)
        for merged in mapping.merged():
            for name, merged_value in self.convert(merged).items():
                data.setdefault(name, merged_value)
        if mapping.open:
            data[FURTHER_KEYS] = FURTHER_KEYS
        return data
