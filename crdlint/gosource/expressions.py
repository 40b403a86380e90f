"""What the expressions of a function are, as far as its own text and the types of the repository tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from crdlint.gosource.calls import CLIENT, HELPERS, OPTION_FUNCTIONS
from crdlint.gosource.gotypes import BUILTIN, FunctionOf, ListOf, MapOf, Named, Types
from crdlint.gosource.literals import Literals
from crdlint.gosource.package import Declaration, Package
from crdlint.gosource.scope import Scope
from crdlint.gosource.syntax import child, descendants
from crdlint.gosource.values import PATCH_PACKAGES, UNKNOWN, Fact, Known, Part, Parts, Value, merged

if TYPE_CHECKING:
    from tree_sitter import Node

# Functions of one argument that give it back, in another form.
_SAME = frozenset(("To", "Int64", "Int64Ptr", "int64", "int"))


class Expressions:
    """Answers what an expression is."""

    def __init__(self, types: Types, parts: Parts) -> None:
        self.types = types
        self.parts = parts
        self._is_in_variable = False
        self._readers: dict[str, Callable[[Node, Scope], Value]] = {
            "identifier": self._identifier,
            "selector_expression": self._selector,
            "unary_expression": self._operand,
            "parenthesized_expression": self._operand,
            "type_assertion_expression": self._assertion,
            "type_conversion_expression": self._conversion,
            "index_expression": self._index,
            "slice_expression": self._operand,
            "composite_literal": Literals(types, parts, self.value).value,
            "call_expression": self._call,
            "func_literal": self._function_literal,
        }

    def value(self, node: Node | None, scope: Scope) -> Value:
        """What an expression is. It is read once: each call of a chain asks several times for the one before."""
        reader = self._readers.get(node.type) if node is not None else None
        if node is None or reader is None:
            return UNKNOWN
        key = (node.id, scope)
        if key not in scope.read:
            scope.read[key] = reader(node, scope)
        return scope.read[key]

    def arguments(self, call: Node) -> list[Node]:
        """What a call gives, also where a list is spread out."""
        given = [part for part in child(call, "arguments").named_children if part.type != "comment"]
        return [part.named_children[0] if part.type == "variadic_argument" else part for part in given]

    def values(self, right: Node | None, count: int, scope: Scope) -> list[Value]:
        """What ``count`` variables get from a right side: a value each, or all that one call returns."""
        nodes = right.named_children if right is not None else []
        if len(nodes) == 1 and count > 1:
            rest = self._results(nodes[0], scope)[1:] if nodes[0].type == "call_expression" else []
            found = [self.value(nodes[0], scope), *rest]
        else:
            found = [self.value(node, scope) for node in nodes]
        return [*found, *[UNKNOWN] * (count - len(found))]

    def imported(self, function: Node, scope: Scope) -> tuple[str, str] | None:
        """Import path and name of ``package.Name``."""
        if function.type in ("generic_type", "index_expression"):
            function = function.named_children[0]
        if function.type != "selector_expression":
            return None
        operand = child(function, "operand")
        name = scope.file.text(operand)
        if operand.type != "identifier" or scope.holder(name) is not None:
            return None
        path = scope.file.imports.get(name)
        return None if path is None else (path, scope.file.text(child(function, "field")))

    def function(self, function: Node, scope: Scope) -> Declaration | None:
        """The function or method of the repository that is called."""
        if function.type == "index_expression":
            function = function.named_children[0]
        if function.type == "identifier":
            name = scope.file.text(function)
            return scope.package.function(name) if scope.holder(name) is None else None
        imported = self.imported(function, scope)
        if imported is not None:
            package = self.types.packages.at(imported[0])
            return None if package is None else package.function(imported[1])
        if function.type != "selector_expression":
            return None
        receiver = self.value(child(function, "operand"), scope)
        return self.types.method(receiver.type, scope.file.text(child(function, "field")))

    def _identifier(self, node: Node, scope: Scope) -> Value:
        name = scope.file.text(node)
        if scope.holder(name) is not None:
            return scope.find(name)
        return self._of_package(scope.package, name)

    def _of_package(self, package: Package, name: str) -> Value:
        """A variable or constant of a package, by its declared type or by what it is set to.

        Variables in what another one is set to are not followed: they might lead back to it.
        """
        declaration = package.value(name)
        if declaration is None:
            return UNKNOWN
        kind = declaration.node.child_by_field_name("type")
        if kind is not None:
            return self.parts.value(self.types.of_node(declaration.file, package, kind))
        right = declaration.node.child_by_field_name("value")
        if right is None or len(right.named_children) != 1 or right.named_children[0].type != "composite_literal":
            return UNKNOWN
        if self._is_in_variable:
            return UNKNOWN
        self._is_in_variable = True
        value = self.value(right.named_children[0], Scope(declaration.file, package))
        self._is_in_variable = False
        return value

    def _selector(self, node: Node, scope: Scope) -> Value:
        imported = self.imported(node, scope)
        if imported is not None:
            package = self.types.packages.at(imported[0])
            return UNKNOWN if package is None else self._of_package(package, imported[1])
        return self.parts.member(self.value(child(node, "operand"), scope), scope.file.text(child(node, "field")))

    def _operand(self, node: Node, scope: Scope) -> Value:
        operand = node.child_by_field_name("operand") or node.named_children[0]
        return self.value(operand, scope)

    def _assertion(self, node: Node, scope: Scope) -> Value:
        return self.parts.value(self.types.of_node(scope.file, scope.package, child(node, "type")))

    def _conversion(self, node: Node, scope: Scope) -> Value:
        kind = self.types.of_node(scope.file, scope.package, child(node, "type"))
        return self.parts.retyped(self.value(child(node, "operand"), scope), kind)

    def _index(self, node: Node, scope: Scope) -> Value:
        return self.element(self.value(child(node, "operand"), scope))

    def element(self, value: Value) -> Value:
        held = self.types.underlying(value.type)
        if isinstance(held, ListOf):
            return self.parts.value(held.element)
        return self.parts.value(held.value) if isinstance(held, MapOf) else UNKNOWN

    def _function_literal(self, node: Node, scope: Scope) -> Value:
        return Value(FunctionOf(self.types.results(scope.file, scope.package, node)))

    def _results(self, call: Node, scope: Scope) -> list[Value]:
        """What a function of the repository, or a variable that holds one, returns."""
        function = child(call, "function")
        declaration = self.function(function, scope)
        if declaration is None:
            kind = self.value(function, scope).type
            return [self.parts.value(own) for own in kind.results] if isinstance(kind, FunctionOf) else []
        kinds = self.types.results(declaration.file, declaration.package, declaration.node)
        return [self._with_options(self.parts.value(kind), declaration) for kind in kinds]

    def _with_options(self, value: Value, function: Declaration) -> Value:
        """Options that a function returns may be all those that it makes."""
        element = value.type.element if isinstance(value.type, ListOf) else value.type
        if not isinstance(element, Named) or element.package not in PATCH_PACKAGES:
            return value
        return value.knowing({Known(Fact.OPTION)}) if self._makes_option(function) else value

    def _makes_option(self, function: Declaration) -> bool:
        """Does a function make the option, itself or in one that it calls?"""
        todo, seen = [function], set()
        while todo:
            current = todo.pop()
            node = current.node
            if (current.file.path, node.start_byte) in seen:
                continue
            seen.add((current.file.path, node.start_byte))
            if b".WithStatusObservedGeneration{" in current.file.data[node.start_byte : node.end_byte]:
                return True
            scope = Scope(current.file, current.package)
            calls = [child(call, "function") for call in descendants(node, "call_expression")]
            named = [name for name in calls if name.type == "identifier" or self.imported(name, scope)]
            todo += [called for name in named if (called := self.function(name, scope)) is not None]
        return False

    def _call(self, node: Node, scope: Scope) -> Value:
        function, file = child(node, "function"), scope.file
        arguments = self.arguments(node)
        name = file.text(function)
        if name == "new" and arguments:
            kind = self.types.of_node(file, scope.package, arguments[0])
            return self.parts.value(kind or self._type_named(arguments[0], scope))
        if name == "append" and arguments:
            return self._appended(arguments, scope)
        imported = self.imported(function, scope)
        if imported in OPTION_FUNCTIONS:
            return Value(known=frozenset({Known(Fact.OPTION)}))
        if imported in HELPERS:
            return Value(Named(*HELPERS[imported]))
        if name.rpartition(".")[2] in _SAME and len(arguments) == 1:
            return replace(self.value(arguments[0], scope), type=Named(BUILTIN, "int64"))
        if file.text(node).endswith((".Status()", '.SubResource("status")')) and not self._results(node, scope):
            return Value(Named(CLIENT, "SubResourceWriter"))
        if function.type == "selector_expression" and imported is None:
            found = self._method(function, scope)
            if found is not None:
                return found
        results = self._results(node, scope)
        if results:
            return results[0]
        return self._converted(function, arguments, scope)

    def _method(self, function: Node, scope: Scope) -> Value | None:
        """Methods that every object has."""
        name, value = scope.file.text(child(function, "field")), self.value(child(function, "operand"), scope)
        if name == "GetGeneration" and value.part is Part.OBJECT:
            known = frozenset({Known(Fact.GENERATION, owner=value.owner)})
            return Value(Named(BUILTIN, "int64"), value.owner, Part.META, known)
        return value if name in ("DeepCopy", "DeepCopyObject") else None

    def _appended(self, arguments: list[Node], scope: Scope) -> Value:
        values = [self.value(argument, scope) for argument in arguments]
        return values[0].knowing(merged(values))

    def _converted(self, function: Node, arguments: list[Node], scope: Scope) -> Value:
        """``T(x)``, which looks like a call."""
        kind = self._type_named(function, scope)
        return self.parts.retyped(self.value(arguments[0], scope), kind) if kind and len(arguments) == 1 else UNKNOWN

    def _type_named(self, node: Node, scope: Scope) -> Named | None:
        """The type of the repository that an expression names; in a call, the grammar takes a type for a value."""
        alias, _, name = scope.file.text(node).strip("()*").rpartition(".")
        package = self.types.packages.at(scope.file.imports.get(alias, "")) if alias else scope.package
        return Named(package.path, name) if package is not None and package.type(name) is not None else None
