"""Composite literals and constants: what a node of the syntax says by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crdlint.gosource.package import Package
from crdlint.gosource.packages import Packages
from crdlint.gosource.syntax import GoFile, child

if TYPE_CHECKING:
    from tree_sitter import Node


def keyed(file: GoFile, literal: Node) -> Iterator[tuple[str, Node]]:
    """The keys and values of a composite literal, or of its body."""
    body = literal if literal.type == "literal_value" else child(literal, "body")
    for element in body.named_children:
        if element.type == "keyed_element":
            value = child(element, "value")
            yield file.text(child(element, "key")), value.named_children[0] if value.named_children else value


def string_value(packages: Packages, package: Package, file: GoFile, node: Node, depth: int = 0) -> str | None:
    """The value of a constant expression that is a string; None where it is none, or not known."""
    text = file.text(node)
    if node.type in ("interpreted_string_literal", "raw_string_literal"):
        return text[1:-1]
    if node.type == "call_expression" and len(child(node, "arguments").named_children) == 1:
        # A conversion, such as ConditionType("Ready").
        return string_value(packages, package, file, child(node, "arguments").named_children[0], depth + 1)
    name, owner = text, package
    if node.type == "selector_expression":
        alias, _, name = text.rpartition(".")
        found = packages.at(file.imports.get(alias, ""))
        if found is None:
            return None
        owner = found
    elif node.type != "identifier":
        return None
    declaration = owner.value(name)
    if declaration is None or depth > 5:
        return None
    names = [declaration.file.text(node) for node in declaration.node.children_by_field_name("name")]
    values = declaration.node.child_by_field_name("value")
    if values is None or len(values.named_children) != len(names):
        return None
    value = values.named_children[names.index(name)]
    return string_value(packages, owner, declaration.file, value, depth + 1)


def is_constant(node: Node) -> bool:
    """nil, or a number, also behind a sign, in brackets, or converted."""
    while node.type in ("unary_expression", "parenthesized_expression", "call_expression"):
        parts = child(node, "arguments").named_children if node.type == "call_expression" else node.named_children
        if len(parts) != 1:
            return False
        node = parts[0]
    return node.type in ("int_literal", "nil")


def is_empty(node: Node) -> bool:
    """A literal without elements, or ``make``."""
    if node.type == "call_expression":
        return child(node, "function").text == b"make"
    return node.type == "composite_literal" and not child(node, "body").named_children
