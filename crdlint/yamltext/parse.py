"""Text to trees: limits first, then the documents one by one; large blocks may wait until somebody looks into them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from ruamel.yaml.error import YAMLError

from crdlint.yamltext import disguise, skim
from crdlint.yamltext.build import MAX_NODES, Cut, Document, TreeBuilder, UnexpectedAlias
from crdlint.yamltext.disguise import Disguise
from crdlint.yamltext.nodes import Mapping, Node, Scalar, Sequence
from crdlint.yamltext.source import BOM, Unreadable
from crdlint.yamltext.templates import CLOSES, OPENS, Masked, mask
from crdlint.yamltext.wellformed import MAX_CHARACTERS, MAX_DEPTH, check, has_directives, unreadable

__all__ = ["MAX_CHARACTERS", "MAX_DEPTH", "MAX_NODES", "Document", "Stream", "parse"]

MAX_DOCUMENTS = 100_000
# What may follow ``---`` at the start of a line; nothing, at the end of the text.
_BEHIND_DOCUMENT_MARK = ("", " ", "\t", "\r", "\n")


@dataclass
class Stream:
    """A parsed file: its documents, and the spans that a template fills in."""

    text: str
    documents: list[Document]
    masks: list[tuple[int, int]] = field(default_factory=list)


def parse(text: str, wanted: str = "", defer: tuple[str, ...] = ()) -> Stream:
    """Parse a file. Only documents that contain the text ``wanted`` get a tree.

    Blocks at the path ``defer`` are checked, but built only when somebody looks into them.
    Raises `Unreadable`, with the offset of what is wrong.
    """
    try:
        return _parse_plainly(text, wanted, _Reader(text, defer))
    except Unreadable as error:
        problem = error
    disguised = _disguise(text, problem)
    if disguised is not None:
        try:
            return _parse_plainly(text, wanted, _Reader(disguised.text, (), disguised.restore))
        except Unreadable as error:
            problem = error if error.offset > problem.offset else problem
    if _may_be_template(text):
        return _parse_template(text, wanted, problem)
    raise problem


def _parse_plainly(text: str, wanted: str, reader: _Reader) -> Stream:
    documents = reader.documents(wanted)
    if reader.double_braces and _may_be_template(text):
        return _parse_template(text, wanted)
    return Stream(text, documents)


def _disguise(text: str, problem: Unreadable) -> Disguise | None:
    """What may help where libyaml is stricter than Kubernetes."""
    if "escape code" in problem.message:
        return disguise.json_escapes(text)
    if "unexpected ':'" in problem.message:
        return disguise.inner_colons(text)
    return None


def _may_be_template(text: str) -> bool:
    return "{{" in text and "}}" in text and len(text) <= MAX_CHARACTERS


def _parse_template(text: str, wanted: str, problem: Unreadable | None = None) -> Stream:
    """Parse a template with its actions masked; ``problem`` is what is wrong with it as it stands."""
    masked = mask(text)
    disguised = disguise.template(text, masked.text)
    try:
        documents = _Reader(disguised.text, (), disguised.restore).documents(wanted)
    except Unreadable as error:
        is_same = problem is not None and (error.message, error.offset) == (problem.message, problem.offset)
        if is_same and not _has_action_on_line(text, error.offset):
            # Braces in some text far from it have nothing to do with it.
            raise error from None
        raise Unreadable(
            f"a template whose structure cannot be read as it stands: {error.message}", error.offset
        ) from None
    _open_where_templates_write(text, documents, masked)
    _mark_conditional_keys(text, documents, masked.spans)
    return Stream(text, documents, masked.spans)


def _has_action_on_line(text: str, offset: int) -> bool:
    end = text.find("\n", offset)
    return "{{" in text[text.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(text)]


class _Reader:
    """Reads the documents of one text for libyaml; ``restore`` is what its disguise needs."""

    def __init__(self, text: str, defer: tuple[str, ...] = (), restore: Callable[[Scalar], None] | None = None) -> None:
        self.text = text
        self.defer = defer
        self.restore = restore
        # Something here looks like a template that happens to parse.
        self.double_braces = False

    def documents(self, wanted: str) -> list[Document]:
        # libyaml passes over a byte order mark and does not count it.
        bom = len(BOM) if self.text.startswith(BOM) else 0
        try:
            check(self.text[bom:])
        except Unreadable as error:
            raise Unreadable(error.message, error.offset + bom) from None
        documents: list[Document] = []
        for start, end in _regions(self.text, bom):
            region = self.text[start:end] if (start, end) != (0, len(self.text)) else self.text
            content = region.strip()
            if content and (content == "---" or wanted not in region):
                if content != "---":
                    self._region(region, start)  # for what only the trees show: keys that stand twice
                documents.append(Document(None, start, end))
            elif content:
                documents += self._region(region, start)
        return documents

    def _region(self, region: str, base: int) -> list[Document]:
        blocks = list(skim.deferrable(region, self.defer))
        if blocks:
            text, cuts = self._cut(region, base, blocks)
            try:
                documents = self._build(text, base, cuts)
            except (UnexpectedAlias, YAMLError):
                pass
            else:
                if not cuts:
                    return documents
            # A block may stand in the text of a scalar, or an alias repeat it: read everything.
        try:
            return self._build(region, base)
        except YAMLError as error:
            problem = unreadable(error, region)
            raise Unreadable(problem.message, problem.offset + base) from None

    def _block(self, text: str, base: int, is_even: bool) -> list[Document]:
        """Read a block that was deferred, as far as the larger blocks in it."""
        blocks = list(skim.nested(text)) if is_even else []
        shortened, cuts = self._cut(text, base, blocks)
        documents = self._build(shortened, base, cuts)
        return self._build(text, base) if cuts else documents

    def _build(self, text: str, base: int, cuts: dict[int, Cut] | None = None) -> list[Document]:
        builder = TreeBuilder(text, base, cuts, self.restore)
        documents = builder.build()
        # The comments at the head belong to the document too.
        if documents:
            documents[0].start = base
        self.double_braces = self.double_braces or builder.double_braces
        return documents

    def _cut(self, region: str, base: int, blocks: list[skim.Block]) -> tuple[str, dict[int, Cut]]:
        """``region`` without the blocks, and what to put in their places."""
        pieces, cuts = [], {}
        done = removed = 0
        for block in blocks:
            pieces.append(region[done : block.start])
            cuts[block.key_end - removed] = Cut(self._deferred(region, block, base), block.end - block.start)
            removed += block.end - block.start
            done = block.end
        return "".join(pieces) + region[done:], cuts

    def _deferred(self, region: str, block: skim.Block, base: int) -> Mapping:
        text = region[block.start : block.end]

        def read() -> Mapping:
            root = self._block(text, base + block.start, block.is_even)[0].root
            assert isinstance(root, Mapping)
            return root

        return Mapping.deferred(base + block.first_key, text, read)


def _regions(text: str, start: int) -> Iterable[tuple[int, int]]:
    """The spans of the documents. A stream with directives is left whole."""
    if has_directives(text) or skim.has_foreign_breaks(text):
        return [(start, len(text))]
    cuts = [start]
    mark = text.find("\n---", start)
    while mark >= 0:
        if text[mark + 4 : mark + 5] in _BEHIND_DOCUMENT_MARK:
            cuts.append(mark + 1)
            if len(cuts) > MAX_DOCUMENTS:
                raise Unreadable(f"the file has more than {MAX_DOCUMENTS:,} documents", mark + 1)
        mark = text.find("\n---", mark + 4)
    cuts.append(len(text))
    return pairwise(cuts)


def _open_where_templates_write(text: str, documents: list[Document], masked: Masked) -> None:
    """Note where templates write keys or items of their own.

    It is the collections whose lines go on around such a place that may get them; where the template says at which
    column it writes (``nindent``), only those at that column.
    """
    starts = [document.start for document in documents]
    columns: dict[int, int] = {}
    for output in masked.outputs:
        index = bisect_right(starts, output.offset) - 1
        root = documents[index].root if index >= 0 else None
        if root is None:
            continue
        around, leaf = _around(root, output.offset)
        for node in around:
            if node.start not in columns:
                columns[node.start] = node.start - (text.rfind("\n", 0, node.start) + 1)
        if isinstance(leaf, Scalar) and leaf.start == leaf.end:
            leaf.templated = leaf.templated or text[output.offset : output.end]
            if output.column is not None and output.column > columns[around[-1].start]:
                continue  # it writes the value of the key before it, and nothing else
        there = [node for node in around if columns[node.start] == output.column]
        for collection in there or around:
            collection.open = True


def _mark_conditional_keys(text: str, documents: list[Document], actions: list[tuple[int, int]]) -> None:
    """Mark the keys between an ``{{ if }}`` and its ``{{ end }}`` that stand in a mapping around both."""
    starts = [document.start for document in documents]
    # Up to where the keys of a mapping are marked already.
    done: dict[int, int] = {}
    for begin, end in _conditions(text, actions):
        index = bisect_right(starts, begin) - 1
        root = documents[index].root if index >= 0 else None
        for node in _around(root, begin)[0] if root is not None else ():
            if not isinstance(node, Mapping) or done.get(id(node), 0) >= end:
                continue
            done[id(node)] = end
            for key, _ in node.entries[bisect_left(node.entries, begin, key=_start_of_key) :]:
                if key.start >= end:
                    break
                key.conditional = True


def _conditions(text: str, actions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where blocks of a template begin and end, the outer ones first."""
    found = []
    opened: list[int] = []
    for start, end in actions:
        action = text[start:end]
        if OPENS.match(action):
            opened.append(start)
        elif CLOSES.match(action) and opened:
            found.append((opened.pop(), start))
    return sorted(found)


def _around(root: Node, offset: int) -> tuple[list[Mapping | Sequence], Node]:
    """The collections around an offset, from the outermost, and the last node whose key or dash stands before it."""
    around: list[Mapping | Sequence] = []
    node = root
    while isinstance(node, Mapping | Sequence):
        around.append(node)
        if isinstance(node, Sequence):
            index = bisect_left(node.items, offset, key=_start_of)
            child = node.items[index - 1] if index else None
        else:
            index = bisect_left(node.entries, offset, key=_start_of_key)
            child = node.entries[index - 1][1] if index else None
        if child is None:
            break
        node = child
    return around, node


def _start_of(node: Node) -> int:
    return node.start


def _start_of_key(entry: tuple[Scalar, Node]) -> int:
    return entry[0].start
