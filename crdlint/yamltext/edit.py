"""Operations on a document become splices of its text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

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
    return _plan(Page(stream, document), stream, document, operations)


def _plan(page: Page, stream: Stream, document: Document, operations: Sequence[Operation]) -> list[Splice]:
    changes = changes_of(stream, document, operations)
    found = sorted((s for s in block.splices(page, changes) if s.new or s.start < s.end), key=_span)
    found = _without_last_newline(page, _with_moved_insertions(page, found))
    _check_apart(found)
    for one in found:
        page.check_masks(one)
    return found


def splice(text: str, splices: Sequence[Splice]) -> str:
    """``text`` with the splices applied, insertions at one offset in the order given.

    Raises `Refused` where splices overlap.
    """
    ordered = sorted(splices, key=_span)
    _check_apart(ordered)
    pieces, done = [], 0
    for one in ordered:
        pieces += [text[done : one.start], one.new]
        done = one.end
    return "".join(pieces) + text[done:]


def refusal(stream: Stream, document: Document, operations: Sequence[Operation]) -> str | None:
    """Why the operations cannot be applied to the text, or None."""
    try:
        _plan(Page(stream, document, is_rehearsal=True), stream, document, operations)
    except Refused as reason:
        return str(reason)
    return None


def _span(one: Splice) -> tuple[int, int]:
    return one.start, one.end


def _check_apart(ordered: Sequence[Splice]) -> None:
    if any(one.end > other.start for one, other in pairwise(ordered)):
        raise Refused("two changes of the text overlap")


def _with_moved_insertions(page: Page, ordered: Sequence[Splice]) -> list[Splice]:
    """What would be inserted at the end of a line that goes takes the place of that line."""
    kept: list[Splice] = []
    for one in ordered:
        last = kept[-1] if kept else None
        newline = page.lines.newline(one.start)
        if last is None or last.end <= one.start or one.end > one.start or not one.new.startswith(newline):
            kept.append(one)
        elif not last.new and last.start == page.lines.start(last.start):
            kept[-1] = Splice(last.start, one.start, one.new.removeprefix(newline))
        else:
            kept.append(one)
    return kept


def _without_last_newline(page: Page, splices: list[Splice]) -> list[Splice]:
    """Keep a text without a newline at its end like that."""
    if not splices or splices[-1].end < len(page.text) or page.text.endswith("\n"):
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
    start = page.lines.end_of_text_before(start)
    page.check_end(start)
    return [*kept, Splice(start, last.end, "")]
