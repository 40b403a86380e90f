"""Values of ``+kubebuilder:default``: how controller-gen reads them, and how crdlint writes them."""

from __future__ import annotations

import json
import re
from typing import Any

_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_][A-Za-z0-9_]*)(\s*:)")
# controller-gen reads no blank between a colon and a minus sign.
_GENERATION = re.compile(r"([\"'`]?observedGeneration[\"'`]?\s*:)\s*-?[0-9]+")


def default_marker(value: Any) -> str:
    """The marker that gives a field this default.

    ``+kubebuilder:default`` has a notation of its own, in which an empty list is an empty map and null a text:
    for these there is ``+default``, which takes JSON.
    """
    name = "default" if _needs_json(value) else "kubebuilder:default"
    return f"{name}={json.dumps(value, separators=(',', ':'), ensure_ascii=False)}"


def read_default(text: str) -> Any:
    """The value of a marker; the text itself where it is not JSON, its keys' quotes aside."""
    try:
        return json.loads(_BARE_KEY.sub(r'\1"\2"\3', text))
    except ValueError:
        return text


def with_generation(text: str, generation: int) -> str | None:
    """A default with another observedGeneration and nothing else changed; None where it has none."""
    changed, count = _GENERATION.subn(rf"\g<1>{generation}", text)
    return changed if count == 1 else None


def _needs_json(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_needs_json, value.values()))
    return value is None or isinstance(value, list)
