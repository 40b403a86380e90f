"""Stored objects held against a schema, as the API server does it when somebody writes them next."""

from __future__ import annotations

from dataclasses import replace

from crdlint.crd.plain import same
from crdlint.errors import UsageError
from crdlint.stored.objects import StoredObject
from crdlint.stored.server import Judged, Server
from crdlint.stored.verdict import Refusal, Undecided, Verdict
from crdlint.stored.view import View

_NOTHING = Verdict((), (), ())


class StoredChecker:
    """Checks objects of one version of a CRD.

    With ``before``, the schema that they were stored under, only what the new schema brings about is reported.
    """

    def __init__(self, before: View | None, after: View, kubernetes: tuple[int, int]) -> None:
        self._before = None if before is None else Server(before, kubernetes)
        self._after = Server(after, kubernetes)

    def check(self, stored: StoredObject) -> Verdict:
        """Raises `UsageError` for an object of another kind or version."""
        view = self._after.view
        if not view.is_of(stored.data):
            found = f"{stored} is of {stored.api_version}"
            raise UsageError(f"{stored.path}:{stored.line}: {found}, not a {view.kind} of {view.api_version}")
        after = self._after.judge(stored.data)
        if self._before is None or after.verdict == _NOTHING:
            return after.verdict
        return _news(self._before.judge(stored.data), after)


def _news(before: Judged, after: Judged) -> Verdict:
    """What the second one says, and the first does not."""
    known = {(old.path, old.message) for old in (*before.verdict.refused, *before.verdict.tolerated)}
    refused = (_new_writes(before, refusal) for refusal in after.verdict.refused)
    return Verdict(
        refused=tuple(refusal for refusal in refused if refusal.writes),
        pruned=tuple(path for path in after.verdict.pruned if path not in before.verdict.pruned),
        undecided=tuple(asked for asked in after.verdict.undecided if not _has_same_answer(asked, before, after)),
        tolerated=tuple(found for found in after.verdict.tolerated if (found.path, found.message) not in known),
    )


def _new_writes(before: Judged, refusal: Refusal) -> Refusal:
    writes = tuple(write for write in refusal.writes if before.verdict.refuses(write) is not True)
    return replace(refusal, writes=writes)


def _has_same_answer(question: Undecided, before: Judged, after: Judged) -> bool:
    """Was the same asked of the same value? Whatever the answer is, it does not change."""
    key = (question.path, question.reason)
    return key in before.questions and same(before.questions[key], after.questions[key])
