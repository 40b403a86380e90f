"""The simple JSON paths of printer columns and scale (client-go, util/jsonpath, as CRDs may use it)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crdlint.yamltext.data import Templated

_KEEPERS = ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")
# A field, a quoted field in brackets, or anything else in brackets (an index, a slice, a filter, a wildcard).
_STEP = re.compile(
    r"""
    \.(?P<name>(?:\\.|[^.\[\\])+)
    | \[(?P<quoted>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")\]
    | (?P<other>\[(?:[^\]'"]|'[^']*'|"[^"]*")*\])
    """,
    re.VERBOSE,
)


def undeclared(status: dict[str, Any], path: str) -> str | None:
    """The first field on ``path`` (which begins with ``.status``) that the schema of status does not declare.

    What a filter, an index, a map or a preserved object leads to counts as declared, and so does all that this simple
    reading of the path does not understand.
    """
    schema: Any = status
    steps = list(_steps(path))
    for step in steps[1:] if steps and steps[0] == "status" else []:
        if not isinstance(schema, dict):
            return None
        if step is None:
            schema = schema.get("items", schema.get("additionalProperties"))
            continue
        properties = schema.get("properties")
        if isinstance(properties, dict) and step in properties:
            schema = properties[step]
        elif _may_hold_more(schema):
            return None
        else:
            return step
    return None


def _steps(path: str) -> Iterator[str | None]:
    """The fields of a path; None for an index, a filter or a wildcard. Stops where the path is not understood."""
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None or match["name"] == "*":
            return
        if match["other"] is not None:
            yield None
        else:
            text = match["name"] if match["name"] is not None else match["quoted"][1:-1]
            yield re.sub(r"\\(.)", r"\1", text)
        at = match.end()


def _may_hold_more(schema: dict[str, Any]) -> bool:
    if (
        schema.get("x-kubernetes-preserve-unknown-fields") is True
        or schema.get("x-kubernetes-embedded-resource") is True
    ):
        return True
    if schema.get("additionalProperties") or isinstance(schema.get("properties"), Templated):
        return True
    return any(isinstance(key, Templated) for part in (schema, schema.get("properties") or {}) for key in part)
