"""A document as text to be edited: its lines, and what a template in it forbids."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from crdlint.yamltext.changes import Change
from crdlint.yamltext.lines import Lines
from crdlint.yamltext.nodes import Mapping, Node, Scalar, Sequence
from crdlint.yamltext.operations import Refused
from crdlint.yamltext.parse import Document, Stream
from crdlint.yamltext.templates import CLOSES, OPENS

_HEADER = re.compile(r"[|>][0-9+-]*")


@dataclass(frozen=True)
class Splice:
    """Replace ``text[start:end]`` with ``new``."""

    start: int
    end: int
    new: str


class Page:
    """A document, and how it may be written to. In a rehearsal only the places count, not what is written there."""

    def __init__(self, stream: Stream, document: Document, is_rehearsal: bool = False) -> None:
        self.is_rehearsal = is_rehearsal
        self.text = stream.text
        self.lines = Lines(stream.text)
        self.document = document
        self.masks = stream.masks
        self.is_template = bool(stream.masks)

    def check_unconditional(self, change: Change, at: int) -> None:
        """Refuse to write at ``at`` what a template would leave out, or glue to what stands before."""
        if not self.masks:
            return
        depth = 0
        for action in self._actions(self._origin(change), at):
            depth += 1 if OPENS.match(action) else -1 if CLOSES.match(action) else 0
            if depth < 0:
                break
        if depth:
            raise Refused("a template decides whether this place is written at all")
        before = bisect_left(self.masks, (at, at)) - 1
        if before >= 0:
            end = self.masks[before][1]
            if self.text.endswith("-}}", 0, end) and not self.text[end:at].strip():
                raise Refused("a template removes the line break at this place")

    def check_masks(self, splice: Splice) -> None:
        """Refuse to change or remove a line that a template writes to; new lines beside it are fine."""
        if not self.masks:
            return
        start, end = splice.start, splice.end
        if start == end and (splice.new[:1] in ("\r", "\n") or start == self.lines.start(start)):
            return
        line_start = self.lines.start(start)
        line_end = end if start < end and end == self.lines.start(end) else self.lines.end(end)
        following = bisect_left(self.masks, (line_start, line_start))
        is_in_one = following > 0 and self.masks[following - 1][1] > line_start
        if is_in_one or (following < len(self.masks) and self.masks[following][0] < line_end):
            raise Refused("a template writes to the lines that would change")

    def check_end(self, before: int) -> None:
        """Refuse to change whether the line that ends at ``before`` has a newline, where that is text."""
        leaf = self._leaf_before(before)
        if not (isinstance(leaf, Scalar) and leaf.style in ("|", ">")) or leaf.end < before:
            return
        header = _HEADER.search(self.text, leaf.start)
        if header is None or "-" not in header[0]:
            raise Refused("a block scalar at the end of the file would gain or lose its last line break")

    def _actions(self, start: int, end: int) -> list[str]:
        first = bisect_left(self.masks, (start, start))
        return [self.text[a:b] for a, b in self.masks[first : bisect_left(self.masks, (end, end))]]

    def _origin(self, change: Change) -> int:
        """Where that begins which a collection hangs on."""
        if change.parent is None:
            return self.document.start
        around = change.parent.node
        return around.entries[change.position][0].start if isinstance(around, Mapping) else change.node.start

    def _leaf_before(self, offset: int) -> Node | None:
        node = self.document.root
        while isinstance(node, Mapping | Sequence) and not node.flow:
            children = node.items if isinstance(node, Sequence) else [value for _, value in node.entries]
            before = [child for child in children if child.start < offset]
            if not before:
                return None
            node = before[-1]
        return node
