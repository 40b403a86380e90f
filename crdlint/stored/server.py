"""The API server's view of one version: what it finds wrong with an object, and which writes it refuses for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import ValidationError

from crdlint.crd.schema import EMBEDDED_RESOURCE, VALIDATIONS, strings
from crdlint.stored.decode import Decoder
from crdlint.stored.dialect import compiled
from crdlint.stored.keywords import LIST_TYPE, Undecided
from crdlint.stored.paths import Path, path_text
from crdlint.stored.requests import Kind, Problem, Requests
from crdlint.stored.scale import spec_problems, status_problems
from crdlint.stored.verdict import Verdict
from crdlint.stored.view import View

_KINDS = {VALIDATIONS: Kind.RULE, LIST_TYPE: Kind.LIST_TYPE, EMBEDDED_RESOURCE: Kind.EMBEDDED}


@dataclass(frozen=True)
class Judged:
    """A verdict, and the values that its open questions are about, by path and reason."""

    verdict: Verdict
    questions: Mapping[tuple[str, str], Any]


class Server:
    """Judges objects of one version. An object is validated once, whatever the number of writes."""

    def __init__(self, view: View, kubernetes: tuple[int, int]) -> None:
        self.view = view
        self._kubernetes = kubernetes
        self._decoder = Decoder(view)
        self._validator = compiled(view.schema, kubernetes)

    def judge(self, data: Mapping[str, Any]) -> Judged:
        """What the server would make of an object that it has stored."""
        value, lost = self._decoder.decode(data)
        problems = list(self._problems(value))
        if not problems:
            return Judged(Verdict((), lost, ()), {})
        requests = Requests(self.view, self._kubernetes, value)
        asked = [problem for problem in problems if not problem.is_decided]
        found = [requests.refusal(problem) for problem in problems if problem.is_decided]
        refused = tuple(refusal for refusal in found if refusal.writes)
        tolerated = tuple(refusal for refusal in found if refusal.saved and not refusal.writes)
        undecided = tuple(question for question in map(requests.question, asked) if question.writes)
        questions = {(path_text(problem.path), problem.message): _at(value, problem.path) for problem in asked}
        return Judged(Verdict(refused, lost, undecided, tolerated), questions)

    def _problems(self, value: dict[str, Any]) -> Iterator[Problem]:
        yield from map(_problem, self._validator.iter_errors(value))
        if self.view.scale is not None:
            for path, message in spec_problems(self.view.scale, value):
                yield Problem(Kind.SCALE_SPEC, path, message)
            for path, message in status_problems(self.view.scale, value):
                yield Problem(Kind.SCALE_STATUS, path, message)
        if self.view.has_status_subresource and "status" in value and "status" in strings(self.view.schema, "required"):
            yield Problem(Kind.CREATION, ("status",), "is required, but a new object has none: the server drops it")


def _problem(error: ValidationError) -> Problem:
    kind = _KINDS.get(str(error.validator), Kind.SCHEMA)
    return Problem(kind, tuple(error.path), error.message, is_decided=not isinstance(error, Undecided))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value
