"""Changes of flow collections as splices: they stay flow, JSON stays JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from crdlint.yamltext import layout, render
from crdlint.yamltext.changes import Change
from crdlint.yamltext.nodes import Mapping
from crdlint.yamltext.operations import Refused
from crdlint.yamltext.page import Page, Splice

_GAP = re.compile(r"(?:[ \t\r\n,]|#[^\n]*)*")


def splices(page: Page, change: Change) -> Iterator[Splice]:
    """The splices for a flow collection and all inside it."""
    yield from _Flow(page, change).splices()


class _Flow:
    def __init__(self, page: Page, change: Change) -> None:
        self.page = page
        self.lines = page.lines
        self.text = page.text
        self.change = change
        self.node = change.node
        if isinstance(self.node, Mapping) and not self.text.startswith("}", self.node.end - 1):
            raise Refused("a pair in a flow sequence that has no braces: edit it by hand")
        self.lines.check(self.node.start)
        self.lines.check(self.node.end)
        self.parts = layout.spans(self.node)
        self.open_end = layout.opening(self.lines, self.node)
        self.close = self.node.flow_end - 1
        self.remaining = [position for position in range(len(self.parts)) if position not in change.removed]

    @cached_property
    def style(self) -> render.FlowStyle:
        return layout.flow_style(self.lines, self.change, self.page.is_template)

    def splices(self) -> Iterator[Splice]:
        change = self.change
        places = layout.placed(change)
        if layout.FIRST in places:
            yield from self.first(places[layout.FIRST])
        for position in sorted({*places, *change.inner, *change.replaced} - {layout.FIRST}):
            if position in change.inner:
                yield from splices(self.page, change.inner[position])
            elif position in change.replaced:
                yield self.replacement(position, change.replaced[position])
            if position in places:
                yield from self.insertion(position, places[position])
        if self.remaining:
            yield from self.removals(is_followed=self.remaining[-1] in places)

    # Where things stand.

    def gap(self, position: int) -> str:
        """The text before a part; behind the last one with the position that a further part would have."""
        start = self.parts[position - 1][1] if position else self.open_end
        end = self.parts[position][0] if position < len(self.parts) else self.close
        gap = self.text[start:end]
        if not _GAP.fullmatch(gap):
            raise Refused("the flow collection is laid out in an uncommon way: edit it by hand")
        return gap

    def comma_behind(self, position: int) -> int | None:
        """The offset of the comma behind a part."""
        for match in re.finditer(r"#[^\n]*|(,)", self.gap(position + 1)):
            if match[1]:
                return self.parts[position][1] + match.start()
        return None

    def has_own_lines(self, position: int) -> bool:
        """Does a part, with its comma, share no line with anything but a comment?"""
        start, end = self.parts[position]
        comma = self.comma_behind(position)
        if comma is not None:
            if "\n" in self.text[end:comma]:
                return False
            end = comma + 1
        return (
            self.lines.is_blank(self.lines.start(start), start)
            and self.lines.is_rest_blank(end)
            and self.lines.start(self.open_end) < self.lines.start(start)
        )

    # New entries and items.

    def render(self, added: list[tuple[str, Any]], indent: str) -> list[str]:
        if isinstance(self.node, Mapping):
            return [render.flow_entry(name, value, self.style, indent) for name, value in added]
        return [render.flow(value, self.style, indent) for _, value in added]

    def first(self, added: list[tuple[str, Any]]) -> Iterator[Splice]:
        if not self.parts:
            yield self.filling(added)
            return
        is_own_line = "\n" in self.gap(0)
        indent = self.lines.indent(self.parts[0][0] if is_own_line else self.open_end)
        comma = "," + self.style.newline + indent if is_own_line else self.style.comma
        together = comma.join(self.render(added, indent))
        if not self.remaining:
            if any("#" in self.gap(position) for position in range(1, len(self.parts))):
                raise Refused("comments stand between what would be removed")
            yield Splice(self.parts[0][0], self.parts[-1][1], together)
        elif is_own_line:
            at = self.lines.end(self.open_end)
            yield Splice(at, at, self.style.newline + indent + together + ",")
        else:
            at = self.parts[self.remaining[0]][0]
            yield Splice(at, at, together + comma)

    def filling(self, added: list[tuple[str, Any]]) -> Splice:
        if self.text[self.open_end : self.close].strip():
            raise Refused("there is a comment in the empty collection")
        together = self.style.comma.join(self.render(added, self.lines.indent(self.open_end)))
        return Splice(self.open_end, self.close, together)

    def insertion(self, position: int, added: list[tuple[str, Any]]) -> Iterator[Splice]:
        end = self.parts[position][1]
        newline = self.style.newline
        behind = self.gap(position + 1)
        is_last = position == len(self.parts) - 1
        is_tail_removed = position == self.remaining[-1] and not is_last
        is_own_line = "\n" in behind or (is_last and "\n" in self.gap(position))
        indent = self.indent_behind(position)
        items = self.render(added, indent)
        if not is_own_line:
            yield Splice(end, end, "".join(self.style.comma + item for item in items))
        elif "\n" not in behind or (is_tail_removed and not self.is_tail_own_lines(position)):
            yield Splice(end, end, "".join("," + newline + indent + item for item in items))
        else:
            comma = self.comma_behind(position)
            if comma is None:
                yield Splice(end, end, ",")
            elif "\n" in self.text[end:comma]:
                raise Refused("the commas of the collection begin its lines: edit it by hand")
            at = self.lines.end(end if comma is None else comma)
            is_comma_last = self.comma_behind(len(self.parts) - 1) is not None
            needs_comma = position != self.remaining[-1] or is_comma_last
            yield Splice(at, at, newline + indent + ("," + newline + indent).join(items) + ("," if needs_comma else ""))

    def indent_behind(self, position: int) -> str:
        """The indentation of a new line behind a part."""
        following = position + 1
        if following < len(self.parts) and "\n" in self.gap(following):
            return self.lines.indent(self.parts[following][0])
        return self.lines.indent(self.parts[position][0])

    # New values.

    def replacement(self, position: int, new: Any) -> Splice:
        start, end = self.parts[position]
        if isinstance(self.node, Mapping):
            key, value = self.node.entries[position]
            start, end = value.start, value.end
            if start == end:
                return self.new_value_of_nothing(key.end, start, new)
        elif self.node.items[position].start == self.node.items[position].end:
            raise Refused("an item without text: edit it by hand")
        return Splice(start, end, render.flow(new, self.style, self.lines.indent(start)))

    def new_value_of_nothing(self, key_end: int, value_start: int, new: Any) -> Splice:
        between = self.text[key_end:value_start]
        if between.strip(" ") != ":":
            raise Refused("a key without a value: edit it by hand")
        text = render.flow(new, self.style, self.lines.indent(key_end))
        return Splice(key_end, value_start, self.style.colon + text)

    # Removals.

    def removals(self, is_followed: bool) -> Iterator[Splice]:
        """Remove runs of parts; ``is_followed``: something new stands behind the last part that stays."""
        last = self.remaining[-1]
        run: list[int] = []
        for position in range(last + 1):
            if position in self.change.removed:
                run.append(position)
            elif run:
                yield from self.removal_before(run, position)
                run = []
        if last < len(self.parts) - 1:
            yield from self.tail_removal(last, is_followed)

    def removal_before(self, run: list[int], following: int) -> Iterator[Splice]:
        if all(map(self.has_own_lines, run)):
            yield from map(self.line_removal, run)
            return
        if any(self.has_comment_lines(position) for position in range(run[0] + 1, following + 1)):
            raise Refused("comments stand between what would be removed")
        yield Splice(self.parts[run[0]][0], self.parts[following][0], "")

    def tail_removal(self, last: int, is_followed: bool) -> Iterator[Splice]:
        tail = range(last + 1, len(self.parts))
        has_last_comma = self.comma_behind(len(self.parts) - 1) is not None
        if self.is_tail_own_lines(last):
            comma = self.comma_behind(last)
            if comma is not None and not (is_followed or has_last_comma):
                yield Splice(comma, comma + 1, "")
            yield from map(self.line_removal, tail)
            return
        if any("#" in self.gap(position) for position in tail):
            raise Refused("comments stand between what would be removed")
        yield Splice(self.parts[last][1], self.parts[-1][1], "")

    def is_tail_own_lines(self, last: int) -> bool:
        return all(map(self.has_own_lines, range(last + 1, len(self.parts))))

    def has_comment_lines(self, position: int) -> bool:
        """Does a comment stand on a line of its own before a part?"""
        return any(line.lstrip().startswith("#") for line in self.gap(position).split("\n")[1:])

    def line_removal(self, position: int) -> Splice:
        start, end = self.parts[position]
        return Splice(self.lines.start(start), self.lines.next(end), "")
