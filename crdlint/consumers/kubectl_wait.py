"""What ``kubectl wait`` makes of one look at an object (kubectl, pkg/cmd/wait/{wait,condition,json}.go)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from crdlint.consumers.unstructured import (
    MISSING,
    AccessorError,
    Missing,
    go_value,
    nested_int64,
    nested_list,
)

if TYPE_CHECKING:
    from crdlint.consumers.jsonpath import JsonPath


class Answer(NamedTuple):
    """Is the wait over, and why or why not."""

    met: bool
    message: str


class WaitError(Exception):
    """``kubectl wait`` gives up with an error, or takes no such ``--for``."""


Check = Callable[[dict[str, Any]], Answer]


def wait_for(text: str) -> Check:
    """The check behind ``--for=condition=NAME[=VALUE]`` and ``--for=jsonpath=EXPRESSION[=VALUE]``.

    It takes an object and raises `WaitError` where kubectl ends with an error. So does this for a text that kubectl
    does not take (``conditionFuncsFor``).
    """
    kind, equals, rest = text.partition("=")
    if equals and kind == "condition":
        name, _, value = rest.partition("=")
        return ConditionWait(name, value if "=" in rest else "true").check
    if equals and kind == "jsonpath":
        return _json_path_wait(rest).check
    raise WaitError(f'unrecognized condition: "{text}"')


def verdict(check: Check, resource: dict[str, Any]) -> Answer:
    """The answer, where an error is one as well: the wait is not over, it has failed."""
    try:
        return check(resource)
    except WaitError as error:
        return Answer(False, f"error: {error}")


@dataclass(frozen=True)
class ConditionWait:
    """``--for=condition=…`` (``ConditionalWait.checkCondition``). Upper and lower case are the same to it."""

    name: str
    value: str = "true"

    def check(self, resource: dict[str, Any]) -> Answer:
        try:
            conditions = nested_list(resource, "status", "conditions")
        except AccessorError as error:
            raise WaitError(str(error)) from None
        for condition in conditions if isinstance(conditions, list) else []:
            if not isinstance(condition, dict):
                continue
            kind, status = condition.get("type"), condition.get("status")
            if isinstance(kind, str) and isinstance(status, str) and equal_fold(kind, self.name):
                return self._judge(resource, condition, status)
        return Answer(False, f"there is no condition {self.name}")

    def _judge(self, resource: dict[str, Any], condition: dict[str, Any], status: str) -> Answer:
        generation = _integer(resource, "metadata", "generation")
        own = _integer(condition, "observedGeneration")
        observed = _integer(resource, "status", "observedGeneration") if own is MISSING else own
        if isinstance(generation, int) and isinstance(observed, int) and observed < generation:
            whose = "status" if own is MISSING else f"the condition {self.name}"
            return Answer(False, f"observedGeneration {observed} of {whose} is behind generation {generation}")
        if not equal_fold(status, self.value):
            return Answer(False, f"the condition {self.name} is {status}")
        return Answer(True, "condition met")


def _integer(data: Any, *path: str) -> int | Missing:
    """Here a field of another type counts as absent."""
    try:
        return nested_int64(data, *path)
    except AccessorError:
        return MISSING


def equal_fold(one: str, other: str) -> bool:
    """Equal but for case, by Unicode's simple folding (Go, ``strings.EqualFold``)."""
    return len(one) == len(other) and all(map(_same_letter, one, other))


def _same_letter(one: str, other: str) -> bool:
    return one == other or _folded(one) == _folded(other)


def _folded(letter: str) -> str:
    """Python's folding is the full one: what it turns into several letters is taken as it is in lower case."""
    candidates = (letter.casefold(), letter.lower(), letter)
    return next(candidate for candidate in candidates if len(candidate) == 1)


@dataclass(frozen=True)
class JsonPathWait:
    """``--for=jsonpath=…`` (``JSONPathWait.checkCondition``). Without a value any match will do."""

    expression: str
    value: str | None

    @cached_property
    def path(self) -> JsonPath:
        from crdlint.consumers.jsonpath import JsonPath

        return JsonPath(self.expression)

    def check(self, resource: dict[str, Any]) -> Answer:
        from crdlint.consumers.jsonpath import JsonPathError

        try:
            results = self.path.find(resource)
        except JsonPathError as error:
            raise WaitError(str(error)) from None
        if not results:
            return Answer(False, "the path leads to nothing")
        if len(results) > 1:
            raise WaitError("given jsonpath expression matches more than one value")
        if self.value is None:
            return Answer(True, "condition met")
        if isinstance(results[0], dict | list):
            raise WaitError("jsonpath leads to a nested object or list which is not supported")
        shown = go_value(results[0]).strip()
        return Answer(True, "condition met") if shown == self.value.strip() else Answer(False, f"the value is {shown}")


def _json_path_wait(text: str) -> JsonPathWait:
    """``processJSONPathInput``."""
    from crdlint.consumers.jsonpath import JsonPathError, relaxed

    parts = _split(text)
    if len(parts) > 2:
        raise WaitError(
            "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or "
            "--for=jsonpath='{.status.readyReplicas}'"
        )
    try:
        expression = relaxed(parts[0])
    except JsonPathError as error:
        raise WaitError(str(error)) from None
    value = None
    if len(parts) == 2:
        value = parts[1].strip("'\"")
        if not value:
            raise WaitError(
                "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3"
            )
    if not expression:
        raise WaitError("jsonpath expression cannot be empty")
    wait = JsonPathWait(expression, value)
    try:
        assert wait.path
    except JsonPathError as error:
        raise WaitError(str(error)) from None
    return wait


def _split(text: str) -> list[str]:
    """At each single ``=``; a double one stays (``splitJSONPathInput``)."""
    parts, rest = [""], text
    while rest:
        if rest.startswith("=="):
            parts[-1] += "=="
            rest = rest[2:]
        elif rest.startswith("="):
            parts.append("")
            rest = rest[1:]
        else:
            parts[-1] += rest[0]
            rest = rest[1:]
    return parts
