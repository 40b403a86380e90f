"""Data as YAML to paste: texts of several lines stand as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crdlint.yamltext import render

# Lines that stand in a literal block as they are.
_PLAIN_LINES = re.compile(r"[!-~][ -~]*(\n[ -~]*[!-~])*\n?")


def lines(value: Any) -> Iterator[str]:
    """A mapping, or a list of mappings, as lines of a block."""
    for item in value if isinstance(value, list) else ():
        first, *others = lines(item)
        yield f"- {first}"
        yield from (f"  {line}" for line in others)
    for name, item in value.items() if isinstance(value, dict) else ():
        head = f"{render.key(name)}:"
        if isinstance(item, dict | list):
            yield head
            indent = "  " if isinstance(item, dict) else ""
            yield from (indent + line for line in lines(item))
        elif "\n" in item and _PLAIN_LINES.fullmatch(item):
            yield f"{head} {'|' if item.endswith(chr(10)) else '|-'}"
            yield from (f"  {line}" for line in item.splitlines())
        else:
            yield f"{head} {render.scalar(item)}"
