"""JSON Schema validators that can neither hang a run nor reach for anything outside their own schema.

``patternProperties`` is not allowed in rules at all: jsonschema runs its patterns in more places than one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from crdlint.errors import UsageError

PATTERN_SECONDS = 0.5
# What the searches of one rule that are slow may take together, and which ones count.
SLOW_SECONDS = 2.0
SLOW_SEARCH = 0.02


def bounded_validator(schema: dict[str, Any] | bool, rule_id: str) -> Any:
    """A validator for ``schema`` in which a pattern that backtracks too long ends the run with `UsageError`."""
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend
    from referencing import Registry

    patterns = _Patterns(rule_id)

    def pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not patterns.matches(pattern, instance):
            yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")

    # An empty registry fetches nothing.
    validator: Any = extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]
    return validator(schema, registry=Registry())


class _Patterns:
    """Searches for the patterns of one rule, and keeps account of their time."""

    def __init__(self, rule_id: str) -> None:
        self.rule_id = rule_id
        self.left = SLOW_SECONDS

    def matches(self, pattern: str, text: str) -> bool:
        import regex

        start = time.perf_counter()
        try:
            found = regex.search(pattern, text, timeout=PATTERN_SECONDS) is not None
        except TimeoutError:
            raise self.too_slow(pattern, f"ran for more than {PATTERN_SECONDS:g} s on one text") from None
        taken = time.perf_counter() - start
        if taken > SLOW_SEARCH:
            self.left -= taken
            if self.left < 0:
                raise self.too_slow(pattern, f"ran for more than {SLOW_SECONDS:g} s on a few texts")
        return found

    def too_slow(self, pattern: str, what: str) -> UsageError:
        return UsageError(f"rule {self.rule_id}: the pattern {pattern!r} {what}: write it without nested repetition")
