"""Composite literals that controllers make: options of patches, conditions, and whole statuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from crdlint.gosource.calls import OPTION_TYPES
from crdlint.gosource.constants import keyed, string_value
from crdlint.gosource.gotypes import ListOf, Named, Types
from crdlint.gosource.scope import Scope
from crdlint.gosource.syntax import child
from crdlint.gosource.values import Fact, Known, Parts, Value, merged

if TYPE_CHECKING:
    from tree_sitter import Node

_PAUSED_NAMES = ("PausedCondition", "PausedV1Beta2Condition", "PausedV1Beta1Condition")


class Literals:
    """Answers what a composite literal is; ``read`` answers that of the expressions inside it."""

    def __init__(self, types: Types, parts: Parts, read: Callable[[Node | None, Scope], Value]) -> None:
        self.types = types
        self.parts = parts
        self.read = read

    def value(self, node: Node, scope: Scope) -> Value:
        """What a composite literal is."""
        kind = self.types.of_node(scope.file, scope.package, child(node, "type"))
        value = self.parts.value(kind)
        if isinstance(kind, Named) and (kind.package, kind.name) in OPTION_TYPES:
            return value.knowing({Known(Fact.OPTION)})
        if isinstance(kind, ListOf):
            elements = [self._list_element(part, kind, scope) for part in child(node, "body").named_children]
            return value.knowing(merged(elements))
        fields = dict(keyed(scope.file, node))
        if self.parts.is_condition(kind):
            return value.knowing(self._condition(fields, scope))
        if self.parts.is_status(kind):
            given = self.read(fields.get(self.parts.observed_field(kind) or ""), scope)
            return Value(kind).knowing(own.implies(Fact.STATUS_OBSERVES) for own in given.known if own.is_generation)
        return value

    def _list_element(self, node: Node, kind: ListOf, scope: Scope) -> Value:
        inside = node.named_children[0] if node.type == "literal_element" else node
        if inside.type == "literal_value" and self.parts.is_condition(kind.element):
            return Value(known=frozenset(self._condition(dict(keyed(scope.file, inside)), scope)))
        return self.read(inside, scope)

    def _condition(self, fields: dict[str, Node], scope: Scope) -> Iterator[Known]:
        """What the literal of a condition says."""
        yield Known(Fact.CONDITION)
        for known in self.read(fields.get("ObservedGeneration"), scope).known:
            if known.is_generation:
                yield known.implies(Fact.CONDITION_OBSERVES)
        if "Type" in fields and self._is_paused(fields["Type"], scope):
            yield Known(Fact.PAUSED)

    def _is_paused(self, node: Node, scope: Scope) -> bool:
        text = scope.file.text(node)
        if text.rpartition(".")[2].removeprefix("string(").rstrip(")") in _PAUSED_NAMES:
            return True
        return string_value(self.types.packages, scope.package, scope.file, node) == "Paused"
