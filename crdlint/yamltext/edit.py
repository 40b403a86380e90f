"""Operations on a document become splices of its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crdlint.yamltext import block
from crdlint.yamltext.changes import changes_of
from crdlint.yamltext.operations import Op, Operation, Refused, apply_to_data
from crdlint.yamltext.page import Page, Splice
from crdlint.yamltext.parse import Document, Stream

__all__ = ["Op", "Operation", "Refused", "Splice", "apply_to_data", "plan", "refusal", "splice"]


def plan(stream: Stream, document: Document, operations: Sequence[Operation]) -> list[Splice]:
    """The splices of the whole text that apply ``operations``, all together, to one document.

    Pointers lead from the root of the document as it is now. An operation whose result is there already leads to no
    splice. Raises `Refused`.
    """
    page = Page(stream, document)
    changes = changes_of(stream, document, operations)
    found = [s for s in block.splices(page, changes) if s.new or s.start < s.end]
    found = _without_last_newline(page, _ordered(found))
    for one in found:
        page.check_masks(one)
    return found


def splice(text: str, splices: Sequence[Splice]) -> str:
    """``text`` with the splices applied, insertions at one offset in the order given.

    Raises `Refused` where splices overlap.
    """
    pieces, done = [], 0
    for one in _ordered(splices):
        pieces += [text[done : one.start], one.new]
        done = one.end
    return "".join(pieces) + text[done:]


def refusal(stream: Stream, document: Document, operations: Sequence[Operation]) -> str | None:
    """Why the operations cannot be applied to the text, or None."""
    try:
        plan(stream, document, operations)
    except Refused as reason:
        return str(reason)
    return None


def _ordered(splices: Iterable[Splice]) -> list[Splice]:
    ordered = sorted(splices, key=lambda one: (one.start, one.end))
    done = 0
    for one in ordered:
        if one.start < done:
            raise Refused("two changes of the text overlap")
        done = one.end
    return ordered


def _without_last_newline(page: Page, splices: list[Splice]) -> list[Splice]:
    """Keep a text without a newline at its end like that."""
    text = page.text
    if not splices or splices[-1].end < len(text) or text.endswith("\n"):
        return splices
    last = splices[-1]
    if last.start == last.end:
        page.check_end(last.end)
        return splices
    if last.new or last.start > page.lines.start(last.start):
        return splices
    # The last line goes: the newline before it goes instead of its own, and so for the removed lines above.
    kept = splices[:-1]
    start = last.start
    while kept and kept[-1].end == start and not kept[-1].new and kept[-1].start < kept[-1].end:
        start = kept.pop().start
    line_end = page.lines.end(max(0, start - 1))
    page.check_end(line_end)
    return [*kept, Splice(line_end, last.end, "")]
