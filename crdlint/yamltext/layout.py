"""Where new content goes among its siblings, and in which style: read off the collections around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from crdlint.yamltext.changes import Change
from crdlint.yamltext.data import to_data
from crdlint.yamltext.lines import Lines
from crdlint.yamltext.nodes import Mapping, Node, Scalar, Sequence, is_merge_key
from crdlint.yamltext.operations import in_order
from crdlint.yamltext.render import BlockStyle, FlowStyle

# The place before all entries.
FIRST = -1
# How many entries are looked at, at the most, for how others indent.
ENTRIES_LOOKED_AT = 200

_JSON_COLON = re.compile(r" *: *")
_OPENING = {Mapping: "{", Sequence: "["}


def placed(change: Change) -> dict[int, list[tuple[str, Any]]]:
    """The new entries of a collection (new items have empty names) by the position of the entry they follow."""
    if not change.grows():
        return {}
    remaining = [position for position in range(change.size()) if position not in change.removed]
    last = max(remaining, default=FIRST)
    if change.appended:
        return {last: [("", value) for value in change.appended]}
    if change.inserted:
        return _inserted(change, remaining)
    siblings = _sibling_keys(change)
    in_order = is_sorted(change)
    first = min((position for _, position in siblings), default=last + 1)
    places: dict[int, list[tuple[str, Any]]] = {}
    for name, value in sorted(change.added.items()) if in_order else change.added.items():
        before = [sibling for sibling in siblings if sibling[0] < name]
        if before:
            place = max(before)[1]
        else:
            place = max((p for p in remaining if p < first), default=FIRST) if in_order else last
        places.setdefault(place, []).append((name, value))
    return places


def _inserted(change: Change, remaining: list[int]) -> dict[int, list[tuple[str, Any]]]:
    """Texts behind the items that they follow; at the end where the items are in no order."""
    items = [to_data(change.value_at(position)) for position in remaining]
    places: dict[int, list[tuple[str, Any]]] = {}
    for text in sorted(change.inserted) if in_order(items) else change.inserted:
        before = bisect_right(items, text) if in_order(items) else len(items)
        places.setdefault(remaining[before - 1] if before else FIRST, []).append(("", text))
    return places


def is_sorted(change: Change) -> bool:
    """Are the keys of the mapping (of the nearest one around, for a sequence) in alphabetical order?"""
    for around in change.ancestors():
        if isinstance(around.node, Mapping) and around.node.entries:
            return all(one <= other for (one, _), (other, _) in pairwise(_sibling_keys(around, with_removed=True)))
    return True


def _sibling_keys(change: Change, with_removed: bool = False) -> list[tuple[str, int]]:
    assert isinstance(change.node, Mapping)
    return [
        (key.key, position)
        for position, (key, _) in enumerate(change.node.entries)
        if key.templated is None and not is_merge_key(key) and (with_removed or position not in change.removed)
    ]


def block_style(lines: Lines, change: Change, is_template: bool) -> BlockStyle:
    """The style of new blocks in a collection."""
    return BlockStyle(
        step=_nearest_indent(lines, change, Mapping, 2),
        dash_indent=_nearest_indent(lines, change, Sequence, 0),
        dash_gap=_dash_gap(lines, change.node),
        is_sorted=is_sorted(change),
        is_template=is_template,
    )


def _nearest_indent(lines: Lines, change: Change, kind: type[Mapping | Sequence], default: int) -> int:
    """By how much the nearest block of a kind is indented below its key: inside the collection, else around it."""
    for around in change.ancestors():
        for key, value in _entries_below(around.node):
            # Where there is an anchor or a tag, the node begins with that.
            if isinstance(value, kind) and not value.flow and value.anchor is None and value.tag is None:
                indent = lines.column(value.start) - lines.column(key.start)
                if indent > 0 or kind is Sequence:
                    return indent
    return default


def _entries_below(node: Node) -> Iterator[tuple[Scalar, Node]]:
    """The entries of the block mappings in a collection, the outer ones first; not too many of them."""
    level = [node]
    left = ENTRIES_LOOKED_AT
    while level and left > 0:
        children: list[Node] = []
        for one in level:
            if isinstance(one, Mapping) and not one.flow and not one.is_unread:
                yield from one.entries
                left -= len(one.entries)
                children += [value for _, value in one.entries]
            elif isinstance(one, Sequence) and not one.flow:
                children += one.items
        level = children


def _dash_gap(lines: Lines, node: Mapping | Sequence) -> str:
    """What stands between the dashes and the items of a block sequence."""
    if isinstance(node, Sequence) and not node.flow:
        for item in node.items:
            before = lines.text[lines.start(item.start) : item.start]
            gap = before[before.rfind("-") + 1 :]
            if gap and "-" in before:
                return gap
    return " "


def flow_style(lines: Lines, change: Change, is_template: bool) -> FlowStyle:
    """The style of new content in a flow collection."""
    node = change.node
    is_json = _is_json(change)
    colon = _colon(lines, change) if is_json else ": "
    return FlowStyle(
        is_json=is_json,
        colon=colon,
        comma=_comma(lines, node, "," if colon == ":" else ", "),
        padding=_padding(lines, node),
        step=_step(lines, node) if is_json else None,
        newline=lines.newline(node.start),
        is_sorted=is_sorted(change),
        is_template=is_template,
    )


def opening(lines: Lines, node: Mapping | Sequence) -> int:
    """The offset behind the opening bracket of a flow collection."""
    return lines.text.index(_OPENING[type(node)], node.start) + 1


def spans(node: Mapping | Sequence) -> list[tuple[int, int]]:
    """The spans of the entries or items of a flow collection."""
    if isinstance(node, Sequence):
        return [(item.start, item.end) for item in node.items]
    return [(key.start, value.end) for key, value in node.entries]


def _nearest_flow_mapping(change: Change) -> Mapping | None:
    for around in change.ancestors():
        if not around.node.flow:
            return None
        if isinstance(around.node, Mapping) and around.node.entries:
            return around.node
    return None


def _is_json(change: Change) -> bool:
    mapping = _nearest_flow_mapping(change)
    if mapping is not None:
        return mapping.entries[0][0].style == '"'
    node = change.node
    first: Node | None = node.items[0] if isinstance(node, Sequence) and node.items else None
    return isinstance(first, Scalar) and first.style == '"'


def _colon(lines: Lines, change: Change) -> str:
    mapping = _nearest_flow_mapping(change)
    if mapping is not None:
        key, value = mapping.entries[0]
        between = lines.text[key.end : value.start]
        if _JSON_COLON.fullmatch(between):
            return between
    return ": "


def _comma(lines: Lines, node: Mapping | Sequence, default: str) -> str:
    parts = spans(node)
    if len(parts) < 2:
        return default
    between = lines.text[parts[0][1] : parts[1][0]]
    return "," if between == "," else default if "\n" in between else ", "


def _padding(lines: Lines, node: Mapping | Sequence) -> str:
    if isinstance(node, Mapping) and node.entries:
        before = lines.text[opening(lines, node) : node.entries[0][0].start]
        return " " if before and not before.strip(" ") else ""
    return ""


def _step(lines: Lines, node: Mapping | Sequence) -> str | None:
    """The indentation of entries that have a line each; None where they share one."""
    parts = spans(node)
    if not parts or "\n" not in lines.text[opening(lines, node) : parts[0][0]]:
        return None
    outer, inner = lines.indent(node.start), lines.indent(parts[0][0])
    return inner[len(outer) :] if inner.startswith(outer) and inner != outer else "  "
