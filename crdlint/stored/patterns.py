"""Patterns of CRDs, run by RE2 as the API server runs them: in time that grows with the text alone."""

from __future__ import annotations

from functools import cache
from typing import Any

from crdlint.errors import UsageError

_HOW = "patterns are run by the package google-re2: pip install 'crdlint[objects]'"
# Go sets no limit; this is that of the largest pattern which the API server could store.
_MAX_MEMORY = 64 * 1024 * 1024


def matches(pattern: str, text: str) -> bool | None:
    """Is the pattern found anywhere in the text? None where RE2 does not take the pattern.

    Raises `UsageError` where RE2 is not installed.
    """
    compiled = _compiled(pattern)
    return None if compiled is None else compiled.search(text) is not None


@cache
def _compiled(pattern: str) -> Any:
    try:
        import re2
    except ImportError:
        raise UsageError(_HOW) from None
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None
