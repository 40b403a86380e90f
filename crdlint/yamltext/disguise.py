"""Texts that Kubernetes reads and libyaml does not, disguised as texts of equal length that it does.

Positions stay true; what a scalar says is restored from its own text. Nothing of this ever reaches a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from crdlint.yamltext.nodes import Scalar
from crdlint.yamltext.templates import FILLER

# A private-use character, as `FILLER`.
_COLON = "\ue001"
# A colon inside a word. libyaml refuses it in flow collections (``[a:b]``).
_INNER_COLON = re.compile(r"""(?<=[^\s,\[\]{}"']):(?=[^\s,\[\]{}])""")
_SURROGATE = re.compile(r"\\u[dD]([89a-fA-F][0-9a-fA-F]{2})")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Disguise:
    """``text`` is for libyaml; ``restore`` puts a scalar of it right that stands in the text as it is."""

    text: str
    restore: Callable[[Scalar], None]


def template(original: str, masked: str) -> Disguise:
    """A template whose actions are masked."""

    def restore(scalar: Scalar) -> None:
        if FILLER in scalar.value:
            scalar.value = scalar.key = scalar.templated = original[scalar.start : scalar.end]

    return Disguise(masked, restore)


def json_escapes(original: str) -> Disguise | None:
    r"""JSON escapes for half a character (``\ud83d\ude00``), None where there are none or the text is not JSON."""
    if "\\u" not in original or not original.lstrip().startswith("{"):
        return None
    text = _SURROGATE.sub(r"\\ue\1", original)
    if text == original:
        return None

    def restore(scalar: Scalar) -> None:
        if scalar.style == '"' and _SURROGATE.search(original, scalar.start, scalar.end):
            scalar.value = scalar.key = _json_string(original[scalar.start : scalar.end], scalar.value)

    return Disguise(text, restore)


def _json_string(quoted: str, otherwise: str) -> str:
    try:
        value = json.loads(quoted)
    except ValueError:
        return otherwise
    return _LONE_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else otherwise


def inner_colons(original: str) -> Disguise | None:
    """Words with a colon in flow collections, None where there are none."""
    if _COLON in original:
        return None
    text = _INNER_COLON.sub(_COLON, original)
    if text == original:
        return None

    def restore(scalar: Scalar) -> None:
        if _COLON in scalar.value:
            scalar.value = scalar.key = scalar.value.replace(_COLON, ":")
        if scalar.tag is not None:
            scalar.tag = scalar.tag.replace(_COLON, ":")

    return Disguise(text, restore)
