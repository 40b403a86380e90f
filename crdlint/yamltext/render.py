"""Plain data to YAML and JSON text, quoted only where that is needed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from crdlint.yamltext.nodes import MERGE_KEY
from crdlint.yamltext.operations import Refused, same
from crdlint.yamltext.scalars import is_text, resolve_plain

# libyaml looks for the colon no further than 1,024 characters behind the start of a key.
MAX_KEY = 1000

_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_TEMPLATE = "{{"
# Text to Kubernetes, but a date or a number to base 60 to YAML 1.1.
_TEXT_ELSEWHERE_NOT = re.compile(r"\d{4}-\d\d?-\d\d?([Tt ].*)?|[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?")
_NOT_FIRST = frozenset("?:,[]{}#&*!|>'\"%@`")
_FLOW_INDICATOR = re.compile(r"[,\[\]{}?:]")


@dataclass(frozen=True)
class BlockStyle:
    """How the lines of a block are laid out."""

    # By how much a mapping is indented below its key.
    step: int = 2
    # By how much the dashes of a sequence are indented below its key.
    dash_indent: int = 0
    # What stands between a dash and its item.
    dash_gap: str = " "
    # Should the keys of new mappings be sorted?
    is_sorted: bool = True
    # Is the file a template, in which no text may look like an action?
    is_template: bool = False


@dataclass(frozen=True)
class FlowStyle:
    """How a flow collection is laid out. With a ``step``, collections inside it get a line for every entry."""

    is_json: bool = False
    colon: str = ": "
    comma: str = ", "
    # What stands inside the braces of a mapping.
    padding: str = ""
    step: str | None = None
    newline: str = "\n"
    is_sorted: bool = True
    is_template: bool = False


def scalar(value: Any, is_flow: bool = False, is_template: bool = False) -> str:
    """A scalar as YAML text that Kubernetes reads back as the same value."""
    if isinstance(value, str):
        return _text(value, is_flow, is_template)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    raise Refused(f"a value of the type {type(value).__name__} cannot be written")


def key(name: str, is_flow: bool = False, is_template: bool = False) -> str:
    """The key of a mapping as YAML text."""
    return _checked_key(scalar(name, is_flow, is_template))


def block_lines(value: Any, style: BlockStyle) -> list[str]:
    """A value as the lines of a block, to stand below its key or behind its dash."""
    if isinstance(value, dict) and value:
        return [line for name, item in entries(value, style.is_sorted) for line in entry_lines(name, item, style)]
    if isinstance(value, list) and value:
        return [line for item in value for line in item_lines(item, style)]
    return [inline(value, style.is_template)]


def entry_lines(name: str, value: Any, style: BlockStyle) -> list[str]:
    """A key and its value as lines of a block mapping."""
    lines = block_lines(value, style)
    head = key(name, is_template=style.is_template) + ":"
    if not is_block(value):
        return [f"{head} {lines[0]}"]
    indent = " " * child_indent(value, style)
    return [head, *(indent + line for line in lines)]


def item_lines(value: Any, style: BlockStyle) -> list[str]:
    """An item as lines of a block sequence."""
    first, *others = block_lines(value, style)
    dash = "-" + style.dash_gap
    return [dash + first, *(" " * len(dash) + line for line in others)]


def is_block(value: Any) -> bool:
    """Does a value take lines of its own in block style?"""
    return isinstance(value, dict | list) and bool(value)


def child_indent(value: Any, style: BlockStyle) -> int:
    """By how much the lines of a value are indented below its key."""
    return style.step if isinstance(value, dict) else style.dash_indent


def inline(value: Any, is_template: bool = False) -> str:
    """A scalar or an empty collection."""
    if isinstance(value, dict):
        return "{}"
    return "[]" if isinstance(value, list) else scalar(value, is_template=is_template)


def entries(value: dict[str, Any], is_sorted: bool) -> Iterable[tuple[str, Any]]:
    return sorted(value.items()) if is_sorted else value.items()


def flow(value: Any, style: FlowStyle, indent: str = "") -> str:
    """A value in flow style; ``indent`` is that of the line it stands on."""
    inner = indent + (style.step or "")
    if isinstance(value, dict):
        items = [flow_entry(name, item, style, inner) for name, item in entries(value, style.is_sorted)]
        return _bracketed("{", items, "}", style, indent, style.padding)
    if isinstance(value, list):
        items = [flow(item, style, inner) for item in value]
        return _bracketed("[", items, "]", style, indent, "")
    if style.is_json:
        return _json_scalar(value)
    return scalar(value, is_flow=True, is_template=style.is_template)


def flow_entry(name: str, value: Any, style: FlowStyle, indent: str) -> str:
    """A key and its value in flow style; ``indent`` is that of the line they stand on."""
    head = _checked_key(double_quoted(name)) if style.is_json else key(name, True, style.is_template)
    return head + style.colon + flow(value, style, indent)


def _bracketed(opening: str, items: list[str], closing: str, style: FlowStyle, indent: str, padding: str) -> str:
    if not items:
        return opening + closing
    if style.step is None:
        return opening + padding + style.comma.join(items) + padding + closing
    line = style.newline + indent
    return opening + ",".join(line + style.step + item for item in items) + line + closing


def check(value: Any) -> None:
    """Raise `Refused` for what could not be written. Cheaper than to write it."""
    if isinstance(value, dict):
        for key, item in value.items():
            _checked_key(key)
            check(item)
    elif isinstance(value, list):
        for item in value:
            check(item)
    elif not (isinstance(value, str) and value.isascii()) and value not in (True, False, None):
        inline(value, False)


def _checked_key(text: str) -> str:
    if len(text) > MAX_KEY:
        raise Refused(f"a key of {len(text):,} characters is too long for YAML")
    return text


def _text(text: str, is_flow: bool, is_template: bool) -> str:
    if not text.isprintable() or (is_template and _TEMPLATE in text):
        return double_quoted(text)
    if not _reads_as_text(text):
        return double_quoted(text)
    if _is_plain(text, is_flow):
        return text
    return "'" + text.replace("'", "''") + "'"


def _reads_as_text(text: str) -> bool:
    if not text or text == MERGE_KEY or _TEXT_ELSEWHERE_NOT.fullmatch(text):
        return False
    return is_text(text) or resolve_plain(text) == text


def _is_plain(text: str, is_flow: bool) -> bool:
    first = text[0]
    if first in _NOT_FIRST or text != text.strip() or text.startswith(("---", "...")):
        return False
    if first == "-" and (len(text) == 1 or text[1] in " ,[]{}"):
        return False
    if ": " in text or " #" in text or text.endswith(":"):
        return False
    return not (is_flow and _FLOW_INDICATOR.search(text))


def double_quoted(text: str) -> str:
    """Text in double quotes, in the escapes that YAML and JSON share."""
    # No action of a template may come of it.
    return '"' + "".join(map(_escaped, text)).replace(_TEMPLATE, "{\\u007b") + '"'


def _escaped(character: str) -> str:
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise Refused(f"the text holds half a character (U+{code:04X}), which YAML cannot hold")
    # JSON has no escape for what lies above.
    return character if character.isprintable() or code > 0xFFFF else f"\\u{code:04x}"


def _number(value: float) -> str:
    text = repr(value)
    if not (math.isfinite(value) and same(resolve_plain(text), value)):
        raise Refused(f"Kubernetes would not read {text} back as the same number")
    return text


def _json_scalar(value: Any) -> str:
    return double_quoted(value) if isinstance(value, str) else scalar(value)
