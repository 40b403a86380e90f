"""Text of one file, rewritten step by step; each step is proved before the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crdlint.crd.model import KIND, SPEC_SCHEMA
from crdlint.linter import Parsed
from crdlint.yamltext.data import to_data
from crdlint.yamltext.edit import Splice, plan, splice
from crdlint.yamltext.lines import Lines
from crdlint.yamltext.nodes import Mapping, Node, Scalar, find, join_pointer, split_pointer
from crdlint.yamltext.nodes import Sequence as SequenceNode
from crdlint.yamltext.operations import Op, Operation, Refused
from crdlint.yamltext.render import BlockStyle, block_lines
from crdlint.yamltext.verify import prove

# Stands where a block is going to, between two steps; the second one is proved not to leave it there.
_PLACEHOLDER = "crdlint-moves-a-block-here"
_NO_ROOM = "a block with comments cannot go where everything stands on one line: write that as a block first"
# Anchors, aliases, tags and comments, which a block that is written anew would lose.
_NOT_PLAIN = re.compile(r"[&*!]|(?:^|[ \t])#", re.MULTILINE)
# What may be a comment, if it does not stand in some text.
_COMMENT = re.compile(r"(?:^|[ \t])#", re.MULTILINE)


def applied(parsed: Parsed, document: int, operations: Sequence[Operation], by_hand: Sequence[Splice] = ()) -> Parsed:
    """The file with operations made in one document. Raises `Refused`.

    ``by_hand`` are splices that carry out those of the operations that replace a value; the others are planned.
    """
    stream = parsed.stream
    planned = [one for one in operations if not (by_hand and one.op is Op.REPLACE)]
    splices = [*plan(stream, stream.documents[document], planned), *by_hand]
    text = splice(stream.text, splices)
    after = prove(stream, {document: list(operations)}, splices, text, wanted=KIND, defer=SPEC_SCHEMA)
    return parsed.changed(text, after)


def moved(parsed: Parsed, document: int, origin: str, targets: Sequence[str]) -> Parsed:
    """The file with the value at ``origin`` moved to each of the targets, its comments and line breaks with it.

    Raises `Refused`.
    """
    value = _node(parsed, document, origin)
    data = to_data(value)
    removing = Operation(Op.REMOVE, origin)
    is_shared, has_comments = _is_shared(parsed, document, origin), _has_comments(parsed, value)
    is_block_value = isinstance(value, Mapping | SequenceNode) and not value.flow
    if is_block_value and has_comments and not is_shared:
        parsed = _with_room(parsed, document, targets)
    holders = [_node(parsed, document, pointer.rpartition("/")[0], or_above=True) for pointer in (origin, *targets)]
    is_block = not any(isinstance(holder, Mapping) and holder.flow for holder in holders)
    if is_shared or (is_block_value and not is_block):
        if has_comments:
            raise Refused(_NO_ROOM)
        return applied(parsed, document, [*(Operation(Op.ADD, target, data) for target in targets), removing])
    parsed = applied(parsed, document, [Operation(Op.ADD, target, _PLACEHOLDER) for target in targets])
    places = [_node(parsed, document, target) for target in targets]
    replacing = [Operation(Op.REPLACE, target, data) for target in targets]
    if is_block:
        block = _Block(parsed, document, origin)
        splices = [one for place in places for one in block.placed(place)]
        return applied(parsed, document, [*replacing, removing], [*splices, *block.cleared()])
    value = _node(parsed, document, origin)
    text = parsed.source.text[value.start : value.end]
    return applied(parsed, document, [*replacing, removing], [Splice(one.start, one.end, text) for one in places])


def renamed(parsed: Parsed, document: int, holders: Sequence[str], old: str, new: str) -> Parsed:
    """The file with a key of each of the mappings at ``holders`` renamed in its place. Raises `Refused`."""
    splices, operations = [], []
    for holder in holders:
        mapping = _node(parsed, document, holder)
        entry = mapping.entry(old) if isinstance(mapping, Mapping) else None
        if entry is None:
            raise Refused(f"{old} is merged into its mapping from elsewhere")
        key, value = entry
        written = parsed.source.text[key.start : key.end]
        splices.append(Splice(key.start, key.end, written.replace(old, new)))
        operations += [Operation(Op.REMOVE, f"{holder}/{old}"), Operation(Op.ADD, f"{holder}/{new}", to_data(value))]
    text = splice(parsed.source.text, splices)
    stream = parsed.stream
    return parsed.changed(text, prove(stream, {document: operations}, splices, text, wanted=KIND, defer=SPEC_SCHEMA))


def _has_comments(parsed: Parsed, value: Node) -> bool:
    """May there be comments in a block, or on the line above it?"""
    lines = Lines(parsed.source.text)
    text = parsed.source.text[lines.start(lines.start(value.start) - 1) : lines.end(value.end)]
    return _COMMENT.search(text) is not None


def _with_room(parsed: Parsed, document: int, targets: Sequence[str]) -> Parsed:
    """The file with what stands on one line around the targets written as blocks. Raises `Refused`."""
    for target in targets:
        while (pointer := _outermost_flow(parsed, document, target)) is not None:
            parsed = _opened(parsed, document, pointer)
    return parsed


def _outermost_flow(parsed: Parsed, document: int, target: str) -> str | None:
    """The first collection on the way to a target that is written in braces or brackets."""
    parts = split_pointer(target)[:-1]
    for length in range(len(parts) + 1):
        pointer = join_pointer(parts[:length])
        node = _node(parsed, document, pointer, or_above=True)
        if isinstance(node, Mapping | SequenceNode) and node.flow:
            return pointer
    return None


def _opened(parsed: Parsed, document: int, pointer: str) -> Parsed:
    """The file with a collection in braces or brackets written as a block, below its key or behind its dash."""
    text, lines = parsed.source.text, Lines(parsed.source.text)
    value, holder = (_node(parsed, document, one) for one in (pointer, pointer.rpartition("/")[0]))
    data = to_data(value)
    # What is empty has no block.
    if not pointer or not data or _NOT_PLAIN.search(text[value.start : value.end]):
        raise Refused(_NO_ROOM)
    block = block_lines(data, BlockStyle(is_sorted=False))
    start, column, head = value.start, lines.column(value.start), [block[0]]
    if isinstance(holder, Mapping):
        key, _ = _entry(parsed, document, pointer)
        start = text.index(":", key.end) + 1
        column = lines.column(key.start) + (2 if isinstance(value, Mapping) else 0)
        head = []
    if text[start : value.start].strip():
        raise Refused(_NO_ROOM)
    newline = lines.newline(value.end)
    end = lines.end(value.end)
    below = "".join(newline + " " * column + line for line in block[len(head) :])
    splices = [Splice(start, value.end, "".join(head)), Splice(end, end, below)]
    return applied(parsed, document, [Operation(Op.REPLACE, pointer, data)], splices)


class _Block:
    """The lines of an entry, and the comments right above it, to be written at another depth."""

    def __init__(self, parsed: Parsed, document: int, origin: str) -> None:
        self.lines = Lines(parsed.source.text)
        key, value = _entry(parsed, document, origin)
        text = parsed.source.text
        self.start = self.lines.start(key.start)
        self.column = self.lines.column(key.start)
        self.newline = self.lines.newline(key.end)
        # What stands behind the key on its own line: a comment, or a value that fits there.
        self.head = text[key.end : self.lines.end(key.end)].lstrip().removeprefix(":").strip()
        end = self.lines.end(value.end)
        self.body = text[self.lines.next(key.end) : end].split(self.newline) if end > self.lines.end(key.end) else []
        self.comments = self.comments_above()

    def comments_above(self) -> list[str]:
        """The lines right above the key that hold a comment, as far indented as the key; not those of a first key."""
        found: list[str] = []
        start = self.start
        while start > 0:
            start = self.lines.start(start - 1)
            line = self.lines.text[start : self.lines.end(start)]
            if not line.startswith(" " * self.column + "#"):
                break
            found.insert(0, line)
        return found

    def cleared(self) -> list[Splice]:
        """What takes the comments away from where they were."""
        length = sum(len(line) + len(self.newline) for line in self.comments)
        return [Splice(self.start - length, self.start, "")] if length else []

    def placed(self, placeholder: Node) -> Iterator[Splice]:
        """What puts the entry in the place of one that has a placeholder for its value."""
        colon = self.lines.text.rfind(":", 0, placeholder.start) + 1
        line = self.lines.start(colon)
        before = self.lines.text[line:colon]
        dashes = before[: len(before) - len(before.lstrip(" -"))]
        if self.comments:
            # Where the key stands behind the dash of its item, they go above the item.
            shift = len(dashes.partition("-")[0]) - self.column
            yield Splice(line, line, "".join(one + self.newline for one in _shifted(self.comments, shift)))
        head = f" {self.head}" if self.head else ""
        body = "".join(self.newline + one for one in _shifted(self.body, len(dashes) - self.column))
        yield Splice(colon, placeholder.end, head + body)


def _shifted(lines: Sequence[str], shift: int) -> list[str]:
    if shift < 0 and any(line[:-shift].strip(" ") for line in lines if line):
        raise Refused("the lines of a block cannot be moved so far to the left")
    return [line and (" " * shift + line if shift > 0 else line[-shift:]) for line in lines]


def _is_shared(parsed: Parsed, document: int, pointer: str) -> bool:
    """Is the value written elsewhere, behind an alias or a merge key?"""
    holder = _node(parsed, document, pointer.rpartition("/")[0])
    entry = holder.entry(split_pointer(pointer)[-1]) if isinstance(holder, Mapping) else None
    return entry is None or entry[1] is not _node(parsed, document, pointer)


def _entry(parsed: Parsed, document: int, pointer: str) -> tuple[Scalar, Node]:
    holder = _node(parsed, document, pointer.rpartition("/")[0])
    entry = holder.entry(split_pointer(pointer)[-1]) if isinstance(holder, Mapping) else None
    assert entry is not None
    return entry


def _node(parsed: Parsed, document: int, pointer: str, or_above: bool = False) -> Node:
    """What a pointer leads to, or the nearest that there is on the way to it."""
    root = parsed.stream.documents[document].root
    found = None if root is None else find(root, pointer)
    while found is None and or_above and pointer and root is not None:
        pointer = pointer.rpartition("/")[0]
        found = find(root, pointer)
    if found is None:
        raise Refused(f"there is nothing at {pointer}")
    return found
