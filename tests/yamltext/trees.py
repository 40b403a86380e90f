"""Trees as plain values that can be compared, and what a parse came to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Alias, Node, Scalar, Sequence
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Unreadable


def described(node: Node) -> tuple[Any, ...]:
    """Everything that a node says, spans included."""
    if isinstance(node, Scalar):
        return (node.start, node.end, node.value, node.style, node.tag, node.anchor, node.key, node.templated)
    if isinstance(node, Alias):
        return (node.start, node.end, node.name)
    children = (
        [described(item) for item in node.items]
        if isinstance(node, Sequence)
        else [(described(key), described(value)) for key, value in node.entries]
    )
    return (type(node).__name__, node.start, node.end, node.flow, node.tag, node.anchor, node.open, children)


def flat(root: Node) -> Iterator[tuple[Any, ...]]:
    """What `described` says, node by node."""
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar | Alias):
            yield described(node)
            continue
        yield (type(node).__name__, node.start, node.end, node.flow, node.tag, node.anchor, node.open)
        waiting += node.items if isinstance(node, Sequence) else [part for entry in node.entries for part in entry]


def outcome(text: str, wanted: str = "", defer: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """The trees and data of a text, or why there are none."""
    try:
        documents = parse(text, wanted, defer).documents
    except Unreadable as error:
        return (error.message, error.offset)
    return tuple(
        (document.start, document.end, document.root and (described(document.root), repr(to_data(document.root))))
        for document in documents
    )


def data(text: str) -> list[Any]:
    """The data of each document of a text."""
    return [None if document.root is None else to_data(document.root) for document in parse(text).documents]
