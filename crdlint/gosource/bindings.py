"""The names that a function introduces: its parameters, and the variables of its declarations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from crdlint.gosource.expressions import Expressions
from crdlint.gosource.gotypes import GoType, ListOf
from crdlint.gosource.package import Declaration
from crdlint.gosource.scope import Scope
from crdlint.gosource.syntax import child
from crdlint.gosource.values import UNKNOWN, Part, Value

if TYPE_CHECKING:
    from tree_sitter import Node


class Parameter(NamedTuple):
    """One parameter, receiver or result of a function. A kind, or a status, may be given by value."""

    name: str
    type: GoType
    by_value: bool


class Bindings:
    """Answers what names stand for where they are introduced."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.types = expressions.types
        self.parts = expressions.parts

    def parameters(self, scope: Scope, parameters: Node) -> list[Parameter]:
        """A parameter without a name counts, and a variadic one is a list."""
        found: list[Parameter] = []
        for parameter in parameters.named_children:
            if parameter.type not in ("parameter_declaration", "variadic_parameter_declaration"):
                continue
            node = child(parameter, "type")
            kind = self.types.of_node(scope.file, scope.package, node)
            is_value = self.parts.kind_of(kind) is not None or self.parts.is_status(kind)
            if parameter.type == "variadic_parameter_declaration":
                kind = ListOf(kind)
            names = [scope.file.text(name) for name in parameter.children_by_field_name("name") if name.is_named]
            by_value = is_value and node.type != "pointer_type"
            found += [Parameter(name, kind, by_value) for name in names or [""]]
        return found

    def count_of_parameters(self, function: Declaration) -> int:
        scope = Scope(function.file, function.package)
        return len(self.parameters(scope, child(function.node, "parameters")))

    def declare(self, node: Node, scope: Scope) -> None:
        """Bind the names that ``:=``, ``var`` or ``range`` introduces."""
        if node.type == "var_spec":
            names = [name for name in node.children_by_field_name("name") if name.is_named]
            kind = self.types.of_node(scope.file, scope.package, node.child_by_field_name("type"))
            self._bind(names, kind, node.child_by_field_name("value"), scope)
            return
        left, right = node.child_by_field_name("left"), child(node, "right")
        names = left.named_children if left is not None else []
        if node.type == "range_clause":
            element = self.expressions.element(self.expressions.value(right, scope))
            for name, value in zip(names, (UNKNOWN, element), strict=False):
                scope.bind(scope.file.text(name), value)
        else:
            self._bind(names, None, right, scope)

    def _bind(self, names: list[Node], kind: GoType, right: Node | None, scope: Scope) -> None:
        values = self.expressions.values(right, len(names), scope)
        for index, name in enumerate(map(scope.file.text, names)):
            value = values[index] if kind is None else self.parts.retyped(values[index], kind)
            scope.bind(name, self._copied(value, name, right, index))

    def _copied(self, value: Value, name: str, right: Node | None, index: int) -> Value:
        """A variable that holds a part of an object by value: what is done to it reaches the object later, or never."""
        if right is None or value.part not in (Part.STATUS, Part.CONDITIONS) or value.owner is None:
            return value
        given = right.named_children[index] if index < len(right.named_children) else None
        is_reference = given is not None and given.type == "unary_expression"
        return value if is_reference else replace(value, copy_of=name)
