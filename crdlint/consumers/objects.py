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
    if text.lstrip()[:1] in ("{", "["):
        try:
            yield from list(_json_values(text))
            return
        except ValueError:
            # It may be YAML in flow style.
            pass
    try:
        stream = parse(text)
    except Unreadable as error:
        line, column = source.position(min(error.offset, len(text)))
        raise UsageError(f"{path}:{line}:{column}: {error.message}") from None
    while stream.documents:
        document = stream.documents.pop(0)
        if document.root is not None:
            yield to_data(document.root)


def _json_values(text: str) -> Iterator[Any]:
    """One or several values: ``kubectl get --watch -o json`` prints them one after another."""
    decoder = json.JSONDecoder()
    at = _end(_WHITE, text, 0)
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at = _end(_WHITE, text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def resources(document: Any) -> Iterator[dict[str, Any]]:
    """The objects of a document: itself, or the items of a list."""
    if isinstance(document, list):
        for item in document:
            yield from resources(item)
    elif isinstance(document, dict):
        kind, items = document.get("kind"), document.get("items")
        if isinstance(kind, str) and kind.endswith("List") and isinstance(items, list):
            for item in items:
                yield from resources(item)
        elif isinstance(kind, str):
            yield document
