"""JSON Schema validators whose patterns cannot hang a run.

``patternProperties`` is not allowed in rules at all: jsonschema runs its patterns in more places than one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.errors import UsageError

PATTERN_SECONDS = 0.5


def bounded_validator(schema: dict[str, Any], rule_id: str) -> Any:
    """A validator for ``schema`` in which a pattern that backtracks too long ends the run with `UsageError`."""
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend

    def matches(pattern: str, text: str) -> bool:
        import regex

        try:
            return regex.search(pattern, text, timeout=PATTERN_SECONDS) is not None
        except TimeoutError:
            raise UsageError(
                f"rule {rule_id}: the pattern {pattern!r} ran for more than {PATTERN_SECONDS:g} s on one text: "
                "write it without nested repetition"
            ) from None

    def pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not matches(pattern, instance):
            yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")

    return extend(Draft202012Validator, {"pattern": pattern})(schema)
