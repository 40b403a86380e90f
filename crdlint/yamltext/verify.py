"""The proof of an edit: the new text says what the operations say, and all the rest of it is as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crdlint.yamltext.data import to_data
from crdlint.yamltext.operations import Operation, Refused, apply_in_place, same
from crdlint.yamltext.page import Splice
from crdlint.yamltext.parse import Document, Stream, parse
from crdlint.yamltext.source import Unreadable


def prove(
    before: Stream,
    operations: Mapping[int, Sequence[Operation]],
    splices: Sequence[Splice],
    after_text: str,
    wanted: str = "",
    defer: tuple[str, ...] = (),
) -> Stream:
    """Check that ``after_text`` is ``before`` with ``operations`` applied, by the index of the document, and no more.

    ``wanted`` and ``defer`` are what ``before`` was parsed with. Returns the parsed new text.
    Raises `Refused` with the reason.
    """
    _check_rest(before.text, splices, after_text)
    try:
        after = parse(after_text, wanted, defer)
    except Unreadable as error:
        raise Refused(f"the result could not be read: {error.message}") from None
    if len(after.documents) != len(before.documents):
        raise Refused("the number of documents in the file would change")
    for index, (old, new) in enumerate(zip(before.documents, after.documents, strict=True)):
        if not _is_as_meant(before.text, old, after_text, new, operations.get(index, ())):
            raise Refused(f"document {index + 1} of the file would not say what it should")
    return after


def _check_rest(before: str, splices: Sequence[Splice], after: str) -> None:
    """Is every character outside the splices the old one?"""
    old_at = new_at = 0
    for splice in sorted(splices, key=lambda one: (one.start, one.end)):
        length = splice.start - old_at
        if length < 0:
            raise Refused("two changes of the text overlap")
        if before[old_at : splice.start] != after[new_at : new_at + length]:
            raise Refused("text outside the edit would change")
        if not after.startswith(splice.new, new_at + length):
            raise Refused("the text is not what was planned")
        old_at, new_at = splice.end, new_at + length + len(splice.new)
    if before[old_at:] != after[new_at:]:
        raise Refused("text outside the edit would change")


def _is_as_meant(old_text: str, old: Document, new_text: str, new: Document, operations: Sequence[Operation]) -> bool:
    if old.root is None or new.root is None:
        if old.root is not new.root or operations:
            return False
        return old_text[old.start : old.end] == new_text[new.start : new.end]
    # Folded: most of a document, and what no operation concerns, is compared as text.
    expected = to_data(old.root, folds=True)
    return same(to_data(new.root, folds=True), apply_in_place(expected, operations) if operations else expected)
