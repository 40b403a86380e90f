"""Objects as people have them in files: YAML or JSON, one after another or in lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from crdlint.errors import UsageError

_WHITE = re.compile(r"[ \t\r\n]*")


def read_documents(path: str) -> Iterator[Any]:
    """The documents of a file. Raises `UsageError` where it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    return documents(path, data)


def documents(path: str, data: bytes) -> Iterator[Any]:
    """The documents in the content of a file. Raises `UsageError` where it cannot be read."""
    from crdlint.yamltext.data import to_data
    from crdlint.yamltext.parse import parse
    from crdlint.yamltext.source import Source, Unreadable

    try:
        source = Source.from_bytes(data)
    except Unreadable as error:
        raise UsageError(f"{path}: {error.message}") from None
    text = source.text
    try:
        values = _json_values(text)
        stream = parse(text) if values is None else None
    except Unreadable as error:
        line, column = source.position(min(error.offset, len(text)))
        raise UsageError(f"{path}:{line}:{column}: {error.message}") from None
    yield from values or ()
    while stream is not None and stream.documents:
        document = stream.documents.pop(0)
        if document.root is not None:
            yield to_data(document.root)


def _json_values(text: str) -> list[Any] | None:
    """One or several values: ``kubectl get --watch -o json`` prints them one after another.

    None for what is no JSON: it may be YAML in flow style. Raises `Unreadable` for what is nested as deep as no YAML
    may be, since whoever looks into such a value recurses.
    """
    from crdlint.yamltext.wellformed import MAX_DEPTH, too_deep

    at = _end(_WHITE, text, 0)
    if text[at : at + 1] not in ("{", "["):
        return None
    decoder, values = json.JSONDecoder(), []
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            return None
        except RecursionError:
            raise too_deep(at) from None
        if _is_deeper(value, MAX_DEPTH):
            raise too_deep(at)
        values.append(value)
        at = _end(_WHITE, text, end)
    return values


def _is_deeper(value: Any, limit: int) -> bool:
    """Are collections nested in it deeper than the limit?"""
    level = _collections([value])
    for _ in range(limit):
        level = [inner for outer in level for inner in _collections(outer)]
    return bool(level)


def _collections(parts: Any) -> list[Any]:
    values = parts.values() if isinstance(parts, dict) else parts
    return [value for value in values if isinstance(value, dict | list)]


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def resources(document: Any) -> Iterator[dict[str, Any]]:
    """The objects of a document: itself, or the items of a list, however deep."""
    waiting = [document]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += reversed(part)
        elif isinstance(part, dict):
            kind, items = part.get("kind"), part.get("items")
            if isinstance(kind, str) and kind.endswith("List") and isinstance(items, list):
                waiting.append(items)
            elif isinstance(kind, str):
                yield part
