"""Changes of block collections as splices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from crdlint.yamltext import flow, layout, render
from crdlint.yamltext.changes import Change
from crdlint.yamltext.nodes import Mapping, Node, Scalar, Sequence
from crdlint.yamltext.operations import Refused
from crdlint.yamltext.page import Page, Splice

_BLOCK_HEADER = re.compile(r"[|>][0-9+-]*")
_COMMENT = re.compile(r"[ \t]+#")
_DASHES = re.compile(r"[ -]*-")


class _Part(NamedTuple):
    """An entry or item: ``start`` is that of its key or dash, ``lead_end`` the offset behind its colon or dash."""

    start: int
    lead_end: int
    value: Node


def splices(page: Page, change: Change) -> Iterator[Splice]:
    """The splices for a collection and all inside it; those at the same offset in the order they belong."""
    change = change.innermost()
    if change.node.flow:
        yield from flow.splices(page, change)
    else:
        yield from _Block(page, change).splices()


class _Block:
    def __init__(self, page: Page, change: Change) -> None:
        self.page = page
        self.lines = page.lines
        self.text = page.text
        self.change = change
        self.node = change.node

    @cached_property
    def style(self) -> render.BlockStyle:
        return layout.block_style(self.lines, self.change, self.page.is_template)

    def splices(self) -> Iterator[Splice]:
        change = self.change
        places = layout.placed(change)
        done: set[int] = set()
        if layout.FIRST in places:
            yield self.first(self.new_lines(places[layout.FIRST]))
            done.add(0)
        elif 0 in change.removed and not self.has_own_line(self.part(0)):
            yield from self.removal_behind_dash(done)
        for position in sorted({*places, *change.inner, *change.replaced, *change.removed} - {layout.FIRST}):
            if position in change.removed:
                if position not in done:
                    yield self.removal(self.part(position))
            elif position in change.inner:
                yield from splices(self.page, change.inner[position])
            elif position in change.replaced:
                yield from self.replacement(self.part(position), change.replaced[position])
            if position in places:
                yield self.insertion(self.part(position), self.new_lines(places[position]))

    # Where things stand.

    def part(self, position: int) -> _Part:
        node = self.node
        if isinstance(node, Mapping):
            key, value = node.entries[position]
            part = _Part(key.start, self.behind_colon(key), value)
        else:
            value = node.items[position]
            dash = self.dash(value)
            part = _Part(dash, dash + 1, value)
        self.lines.check(part.start)
        self.lines.check(part.value.end)
        if self.text[self.lines.start(part.start) : part.start].strip(" -"):
            raise Refused("the block is laid out in an uncommon way: edit it by hand")
        return part

    def behind_colon(self, key: Scalar) -> int:
        text, at = self.text, key.end
        while text.startswith((" ", "\t"), at):
            at += 1
        if not text.startswith(":", at):
            raise Refused("the key is written with a question mark: edit it by hand")
        return at + 1

    def dash(self, item: Node) -> int:
        """The offset of the dash before an item: on its line, or on one above."""
        line = self.lines.start(item.start)
        dash = self.text.rfind("-", line, item.start)
        while dash < 0 and line > 0:
            above = self.lines.start(line - 1)
            found = _DASHES.match(self.text, above, line)
            if found is not None:
                dash = found.end() - 1
            elif not self.lines.is_rest_blank(above):
                break
            line = above
        if dash < 0:
            raise Refused("the block is laid out in an uncommon way: edit it by hand")
        return dash

    def has_own_line(self, part: _Part) -> bool:
        return self.lines.is_blank(self.lines.start(part.start), part.start)

    def line_end(self, node: Node) -> int:
        return self.lines.end(node.end)

    # New entries and items.

    def new_lines(self, added: list[tuple[str, Any]]) -> list[str]:
        if self.page.is_rehearsal:
            render.check(dict(added))
            return [name for name, _ in added]
        rendered = []
        for name, value in added:
            if isinstance(self.node, Mapping):
                rendered += render.entry_lines(name, value, self.style)
            else:
                rendered += render.item_lines(value, self.style)
        return rendered

    def insertion(self, part: _Part, lines: list[str]) -> Splice:
        """New lines behind a part."""
        indent = " " * self.lines.column(part.start)
        end = part.value.end
        self.page.check_unconditional(self.change, end)
        return self.lines_at(self.lines.end(end), indent, lines)

    def lines_at(self, line_end: int, indent: str, lines: list[str]) -> Splice:
        """New lines behind the line that ends at ``line_end``."""
        newline = self.lines.newline(line_end)
        return Splice(line_end, line_end, "".join(newline + indent + line for line in lines))

    def first(self, lines: list[str]) -> Splice:
        """New lines before all others; in the place of the first part if that is removed."""
        part = self.part(0)
        line = self.lines.start(part.start)
        indent = " " * (part.start - line)
        newline = self.lines.newline(part.start)
        together = (newline + indent).join(lines)
        if 0 in self.change.removed:
            return Splice(part.start, self.line_end(part.value), together)
        if not self.has_own_line(part):
            return Splice(part.start, part.start, together + newline + indent)
        if self.change.parent is None:
            # What stands above belongs to the file.
            return Splice(line, line, indent + together + newline)
        above = self.head_line_end(line)
        self.page.check_unconditional(self.change, above)
        return self.lines_at(above, indent, lines)

    def head_line_end(self, line: int) -> int:
        """The end of the line that the collection hangs on: the next above that is no comment."""
        while line > 0:
            line = self.lines.start(line - 1)
            if not self.lines.is_rest_blank(line):
                break
        return self.lines.end(line)

    # Removals.

    def removal(self, part: _Part) -> Splice:
        return Splice(self.lines.start(part.start), self.lines.next(part.value.end), "")

    def removal_behind_dash(self, done: set[int]) -> Iterator[Splice]:
        """Remove the first part, which shares its line with the dash of an item around it."""
        part = self.part(0)
        following = next(i for i in range(self.change.size()) if i not in self.change.removed)
        ends = [self.line_end(self.part(i).value) for i in range(following)]
        starts = [self.part(i + 1).start for i in range(following)]
        if any(map(self.lines.has_comment_line, ends, starts)):
            # The dash stays alone above the comment.
            done.add(0)
            start = part.start
            while self.text[start - 1] == " ":
                start -= 1
            yield Splice(start, self.line_end(part.value), "")
        else:
            done.update(range(following))
            yield Splice(part.start, starts[-1], "")

    # New values.

    def replacement(self, part: _Part, new: Any) -> Iterator[Splice]:
        inline = self.inline(part.value, new)
        if inline is not None:
            yield from self.new_value(part, inline, [])
        elif isinstance(self.node, Mapping):
            indent = self.lines.column(part.start) + render.child_indent(new, self.style)
            yield from self.new_value(part, "", _indented(indent, render.block_lines(new, self.style)))
        else:
            head, *below = render.block_lines(new, self.style)
            yield from self.new_value(part, head, _indented(self.item_column(part), below))

    def inline(self, old: Node, new: Any) -> str | None:
        """The new value as text on the line; None where it takes lines of its own."""
        if not render.is_block(new):
            return render.inline(new, self.page.is_template)
        if not (isinstance(old, Mapping | Sequence) and old.flow and layout.spans(old)):
            return None
        style = layout.flow_style(self.lines, Change(old, self.change), self.page.is_template)
        return render.flow(new, style, self.lines.indent(old.start))

    def item_column(self, part: _Part) -> int:
        """The column of the lines of a new item that is a block."""
        if _is_block(part.value) or part.value.start == part.value.end:
            return self.lines.column(part.lead_end) + len(self.style.dash_gap)
        return self.lines.column(part.value.start)

    def new_value(self, part: _Part, head: str, below: list[str]) -> Iterator[Splice]:
        """Put ``head`` in the place of a value, on the line of its key or dash, and ``below`` on lines of their own."""
        old, lead_end, lines = part.value, part.lead_end, self.lines
        newline = lines.newline(lead_end)
        tail = "".join(newline + line for line in below)
        gap = " " if isinstance(self.node, Mapping) else self.style.dash_gap
        lead_line_end = lines.end(lead_end)
        if _is_block(old):
            last = self.line_end(old)
            if self.begins_on_line_of(part):
                yield Splice(lead_end, last if last > lead_line_end else old.end, gap + head + tail)
                return
            comment = _COMMENT.search(self.text, lead_end, lead_line_end)
            yield Splice(lead_end, comment.start() if comment else lead_line_end, gap + head if head else "")
            yield Splice(lead_line_end, last, tail)
        elif isinstance(old, Scalar) and old.style in ("|", ">"):
            header = _BLOCK_HEADER.search(self.text, old.start)
            assert header is not None
            yield Splice(old.start if head else lead_end, header.end(), head)
            yield Splice(lines.end(header.end()), old.end, tail)
        else:
            yield self.new_inline_value(part, gap, head)
            end = lines.end(old.end)
            yield Splice(end, end, tail)

    def begins_on_line_of(self, part: _Part) -> bool:
        """Does a block collection begin on the line of the dash that it is an item of?"""
        value = part.value
        assert isinstance(value, Mapping | Sequence)
        first = value.items[0] if isinstance(value, Sequence) else value.entries[0][0]
        return "\n" not in self.text[part.lead_end : first.start]

    def new_inline_value(self, part: _Part, gap: str, head: str) -> Splice:
        old, lead_end = part.value, part.lead_end
        if old.start == old.end:
            return Splice(lead_end, lead_end, gap + head if head else "")
        if head:
            return Splice(old.start, old.end, head)
        is_below = "\n" in self.text[lead_end : old.start]
        return Splice(self.lines.end(lead_end) if is_below else lead_end, old.end, "")


def _is_block(node: Node) -> bool:
    return isinstance(node, Mapping | Sequence) and not node.flow


def _indented(column: int, lines: list[str]) -> list[str]:
    return [" " * column + line for line in lines]
