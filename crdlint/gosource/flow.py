"""One function of a controller, read in the order of its text: what it does to which object.

A function is read once. What it does to its parameters, its callers do to what they give for them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from crdlint.gosource.bindings import Bindings, Parameter
from crdlint.gosource.calls import HELPER_TYPES, SET_STATUS_CONDITION, STATUS_WRITERS, UNSTRUCTURED, library_function
from crdlint.gosource.constants import is_constant, is_empty
from crdlint.gosource.events import Call, Event, Summary
from crdlint.gosource.evidence import Question, Verdict
from crdlint.gosource.expressions import Expressions
from crdlint.gosource.gotypes import Named
from crdlint.gosource.package import Declaration
from crdlint.gosource.recorder import Recorder
from crdlint.gosource.scope import Scope
from crdlint.gosource.syntax import child
from crdlint.gosource.values import RECEIVER, UNKNOWN, Fact, Owner, Part, Value

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPE = re.compile(r"block|func_literal|(if|for|select|expression_switch|type_switch)_statement|\w+_case")
_PATH = frozenset(("selector_expression", "index_expression", "parenthesized_expression"))
# A longer way from one function to the next than controllers take.
_MOST_CALLS = 40
_WRITES = frozenset(("Update", "Patch", "Apply"))
_SETTER = re.compile(r"Set\w*ObservedGeneration")
# Functions that copy or complete objects: what they set, no controller has observed.
_NO_CONTROLLER = re.compile(
    r"Convert(To|From|_\w+)?|autoConvert_\w+|restore\w*|DeepCopy\w*|Default\w*|SetDefaults\w*|Validate\w*|Fuzz\w*|Hub"
)


class Functions:
    """Reads functions, and remembers what they do. What those of the API packages do counts where they are called."""

    def __init__(self, expressions: Expressions, api: frozenset[str]) -> None:
        self.expressions = expressions
        self.bindings = Bindings(expressions)
        self.api = api
        self._summaries: dict[tuple[str, int], Summary] = {}
        # How many functions are being read, each for the one that calls it; and those that were too many.
        self._calls = 0
        self.not_followed: list[Declaration] = []

    def summary(self, function: Declaration) -> Summary:
        """What a function does. While it is being read, as where it calls itself, it does nothing yet."""
        key = (function.file.path, function.node.start_byte)
        if key in self._summaries or _NO_CONTROLLER.fullmatch(function.name.rpartition(".")[2]):
            return self._summaries.get(key, Summary())
        if self._calls > _MOST_CALLS:
            self.not_followed.append(function)
            return Summary()
        self._summaries[key] = Summary()
        self._calls += 1
        self._summaries[key] = _Reader(self, function).read()
        self._calls -= 1
        return self._summaries[key]

    def decided(self, event: Event) -> Event:
        """An event that depends on a method of the object, once the kind of the object is known."""
        kind = self.expressions.parts.kind_named(event.owner.kind if event.owner else None)
        if event.method is None or kind is None:
            return event
        method = self.expressions.types.method(kind.name, event.method)
        events = self.summary(method).events if method is not None else ()
        writes = any((own.question, own.verdict) == (event.question, Verdict.WRITTEN) for own in events)
        return replace(event, verdict=Verdict.WRITTEN if writes else Verdict.UNKNOWN, method=None)


class _Reader:
    def __init__(self, functions: Functions, function: Declaration) -> None:
        self.functions = functions
        self.function = function
        self.file = function.file
        self.expressions = functions.expressions
        self.bindings = functions.bindings
        self.parts = functions.expressions.parts
        self.record = Recorder(function.file, self.parts)

    def read(self) -> Summary:
        scope = Scope(self.file, self.function.package)
        self.bind_parameters(self.function.node, scope)
        body = self.function.node.child_by_field_name("body")
        if body is not None:
            self.visit(body, scope)
        return self.record.summary()

    def bind_parameters(self, function: Node, scope: Scope, *, are_given: bool = True) -> None:
        """Parameters of a function are what a caller gives; those of a literal inside it are not known."""
        receiver, result = function.child_by_field_name("receiver"), function.child_by_field_name("result")
        if receiver is not None:
            for own in self.bindings.parameters(scope, receiver):
                scope.bind(own.name, _by_value(own, self.parts.parameter(own.type, RECEIVER)))
        for index, own in enumerate(self.bindings.parameters(scope, child(function, "parameters"))):
            value = self.parts.parameter(own.type, index) if are_given else self.parts.value(own.type)
            scope.bind(own.name, _by_value(own, value))
        if result is not None and result.type == "parameter_list":
            for own in self.bindings.parameters(scope, result):
                scope.bind(own.name, self.parts.value(own.type))

    def visit(self, node: Node, scope: Scope) -> None:
        """Each node after its parts: without recursion, since what is called is read from in here."""
        todo = [(node, scope, False)]
        while todo:
            node, scope, is_entered = todo.pop()
            if is_entered:
                self.leave(node, scope)
                continue
            if _SCOPE.fullmatch(node.type):
                scope = scope.inner()
            todo.append((node, scope, True))
            todo += [(part, inner, False) for part, inner in reversed(list(self.parts_of(node, scope)))]

    def parts_of(self, node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
        """The parts of a node, each in its scope."""
        if node.type == "func_literal":
            self.bind_parameters(node, scope, are_given=False)
        if node.type == "type_switch_statement":
            yield from self.cases(node, scope)
        else:
            yield from ((part, scope) for part in node.named_children)

    def leave(self, node: Node, scope: Scope) -> None:
        if node.type in ("short_var_declaration", "range_clause", "var_spec"):
            self.bindings.declare(node, scope)
        elif node.type == "assignment_statement":
            self.assign_all(node, scope)
        elif node.type == "call_expression":
            self.call(node, scope)

    def cases(self, node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
        """``switch x := y.(type)``: in each case ``x`` is of the type of the case."""
        alias = node.child_by_field_name("alias")
        for part in node.named_children:
            if part == alias:
                continue
            inner = scope.inner()
            kinds = part.children_by_field_name("type") if part.type == "type_case" else []
            if alias is not None and len(kinds) == 1:
                kind = self.expressions.types.of_node(self.file, self.function.package, kinds[0])
                inner.bind(self.file.text(alias), self.parts.value(kind))
            yield part, inner

    def assign_all(self, node: Node, scope: Scope) -> None:
        """``a, b = c, d``, or ``a, b = c()``."""
        left, right = child(node, "left").named_children, child(node, "right")
        if child(node, "operator").type == "=":
            values = self.expressions.values(right, len(left), scope)
            given = right.named_children
            for index, (target, value) in enumerate(zip(left, values, strict=False)):
                self.assign(target, given[index] if len(given) == len(left) else given[0], value, scope)

    def assign(self, left: Node, right: Node, value: Value, scope: Scope) -> None:
        target = self.expressions.value(left, scope)
        if left.type == "identifier":
            scope.assign(self.file.text(left), value)
        elif self.is_field_of_condition(left, scope):
            known = [own.implies(Fact.CONDITION_OBSERVES) for own in value.known if own.is_generation]
            scope.add(self.file.text(child(left, "operand")), known)
        else:
            self.record.change([self.changed_by(left, target, scope)])
            self.assign_part(left, right, target, value, scope)

    def assign_part(self, left: Node, right: Node, target: Value, value: Value, scope: Scope) -> None:
        if target.part is Part.OBSERVED_GENERATION or self.looks_like_observed_generation(left, scope):
            if not is_constant(right):
                self.record.observe(target, value, left, right)
        elif target.part is Part.STATUS:
            self.record.replace_status(target, value, left)
        elif target.part is Part.CONDITIONS:
            self.record.give_back(target, value)
            is_copy = value.part is Part.CONDITIONS and not value.knows(Fact.CONDITION)
            if not (is_copy or is_constant(right) or is_empty(right)):
                self.record.set_condition(target, value, left)

    def is_field_of_condition(self, left: Node, scope: Scope) -> bool:
        if left.type != "selector_expression" or self.file.text(child(left, "field")) != "ObservedGeneration":
            return False
        return self.parts.is_condition(self.expressions.value(child(left, "operand"), scope).type)

    def looks_like_observed_generation(self, left: Node, scope: Scope) -> bool:
        """``x.Status.ObservedGeneration`` of something of which the type is not known."""
        if left.type != "selector_expression" or not self.file.text(left).endswith(".Status.ObservedGeneration"):
            return False
        holder = child(left, "operand").child_by_field_name("operand")
        return self.expressions.value(holder, scope) == UNKNOWN

    def changed_by(self, left: Node, target: Value, scope: Scope) -> Owner | None:
        """Whose status an assignment changes, as a whole or in one of its fields at any depth."""
        if target.part in (Part.STATUS, Part.OBSERVED_GENERATION, Part.CONDITIONS):
            return target.owner
        node: Node | None = left
        while node is not None and node.type in _PATH:
            node = node.child_by_field_name("operand")
            value = self.expressions.value(node, scope)
            if value.part is Part.STATUS:
                return value.owner
        return None

    def call(self, node: Node, scope: Scope) -> None:
        function, arguments = child(node, "function"), self.expressions.arguments(node)
        values = [self.expressions.value(argument, scope) for argument in arguments]
        imported = self.expressions.imported(function, scope)
        if imported == SET_STATUS_CONDITION and len(values) > 1:
            self.record.set_condition(values[0], values[1], node)
        elif self.is_written_by_name(node, imported):
            self.record.write_by_name(node)
        elif imported is not None:
            self.call_library(node, imported, arguments, values)
        elif function.type == "selector_expression":
            self.call_method(node, function, values, scope)
        self.call_own(function, values, scope)

    def is_written_by_name(self, call: Node, imported: tuple[str, str] | None) -> bool:
        """``unstructured.SetNestedField(…, "status", "observedGeneration")``, of whatever type of value."""
        if imported is None or imported[0] != UNSTRUCTURED or not imported[1].startswith("SetNested"):
            return False
        return '"observedGeneration"' in self.file.text(call)

    def call_library(self, node: Node, imported: tuple[str, str], arguments: list[Node], values: list[Value]) -> None:
        packages = self.expressions.types.packages
        library = library_function(packages, *imported)
        if library is not None and len(values) > library.argument:
            target = values[library.argument]
            for question, verdict in library.answers:
                what = f"calls {imported[0].rpartition('/')[2]}.{imported[1]}"
                self.record.add(target, question, verdict, what, node)
            if library.with_condition and len(values) > library.argument + 1:
                self.record.set_paused(target, values[library.argument + 1], node)
        elif library is None and packages.at(imported[0]) is None and not imported[1].startswith("Remove"):
            for argument, value in zip(arguments, values, strict=True):
                if value.part is Part.CONDITIONS and argument.type == "unary_expression":
                    self.record.hand_over(value, node)

    def call_method(self, node: Node, function: Node, values: list[Value], scope: Scope) -> None:
        name, operand = self.file.text(child(function, "field")), child(function, "operand")
        receiver = self.expressions.value(operand, scope)
        if name == "UpdateStatus" and len(values) > 1:
            self.record.write_status(values[1], name, node)
        elif name in _WRITES and len(values) > 1:
            self.call_write(node, name, operand, receiver, values)
        elif name == "WithObservedGeneration":
            self.record.write_by_name(node)
        elif _SETTER.fullmatch(name) and receiver.part is Part.OBJECT and receiver.is_given:
            what, question = f"calls {name}", Question.OBSERVED_GENERATION
            self.record.add(receiver, question, Verdict.WRITTEN, what, node, method=name)

    def call_write(self, node: Node, name: str, operand: Node, receiver: Value, values: list[Value]) -> None:
        """``Update``, ``Patch`` or ``Apply`` of a client, of its part for /status, or of a patch helper."""
        target, writer = values[1], self.file.text(operand)
        options = [known for value in values[2:] for known in value.known if known.fact is Fact.OPTION]
        if options:
            self.record.write_observed(target, options, node)
        if _is_one_of(HELPER_TYPES, receiver) or any(known.parameter is None for known in options):
            self.record.write_status(target, "a patch helper", node)
        elif _is_one_of(STATUS_WRITERS, receiver):
            self.record.write_status(target, f"{writer.rpartition('.')[2]}.{name}", node)
        elif target.part is Part.OBJECT and target.owner is not None and ".SubResource(" not in writer:
            self.record.write_plainly(target, name, node)

    def call_own(self, function: Node, values: list[Value], scope: Scope) -> None:
        """What a function of the repository does to its parameters, it does to the arguments."""
        receiver = UNKNOWN
        if function.type == "selector_expression":
            receiver = self.expressions.value(child(function, "operand"), scope)
        called = self.expressions.function(function, scope)
        if called is None:
            return
        call = Call(receiver, values, self.bindings.count_of_parameters(called))
        summary = self.functions.summary(called)
        self.record.change(call.owners(summary.changed - summary.written))
        self.record.save(call.owners(summary.written))
        for event in summary.plain:
            here = call.applied(event, self.parts)
            if here is not None:
                self.record.save_plainly(here)
        for event in summary.events:
            if event.is_for_callers:
                here = call.applied(event, self.parts)
                if here is not None:
                    self.record.place(call.copy_of(event), here)
            elif called.package.folder in self.functions.api:
                self.record.found.append(event)


def _by_value(parameter: Parameter, value: Value) -> Value:
    """What is done to an object, or to a status, that is given by value does not reach the caller's."""
    return replace(value, copy_of=parameter.name) if parameter.by_value else value


def _is_one_of(types: Container[tuple[str, str]], value: Value) -> bool:
    return isinstance(value.type, Named) and (value.type.package, value.type.name) in types
