"""Nodes to plain data, as Kubernetes would decode them."""

from __future__ import annotations

from typing import Any

from crdlint.yamltext.nodes import Alias, Node, Scalar, Sequence, is_merge_key, resolve
from crdlint.yamltext.scalars import scalar_value


class Templated(str):
    """A value that a template fills in, or a key that stands for keys it may add: only its text is known."""

    __slots__ = ()


# The key of a mapping to which a template may add further keys.
FURTHER_KEYS = Templated("{{ … }}")


def to_data(node: Node) -> Any:
    """Dicts with string keys, lists and scalars. Shared nodes become shared objects; merge keys are merged."""
    return _Converter().convert(node)


class _Converter:
    def __init__(self) -> None:
        self.done: dict[int, Any] = {}

    def convert(self, node: Node) -> Any:
        """One frame a level: trees may be as deep as half of Python's stack."""
        node = resolve(node)
        if isinstance(node, Scalar):
            return scalar_value(node) if node.templated is None else Templated(node.templated)
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
        else:
            data = {}
            for key, value in node.entries:
                if not is_merge_key(key):
                    data[key.key if key.templated is None else Templated(key.key)] = self.convert(value)
            for merged in node.merged():
                for name, merged_value in self.convert(merged).items():
                    data.setdefault(name, merged_value)
            if node.open:
                data[FURTHER_KEYS] = FURTHER_KEYS
        if node.anchor is not None:
            self.done[id(node)] = data
        return data
