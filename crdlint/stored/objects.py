"""Objects as ``kubectl get -o yaml`` and ``-o json`` print them, one at a time: a cluster may hold 100,000.

No file is ever read as a whole: objects may be as large as etcd lets them be, and then some, lists of any length.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.stored.reading import BadInput, Window, is_list


@dataclass(frozen=True)
class StoredObject:
    """An object, and where it was found; ``line`` counts from 1."""

    path: str
    line: int
    data: dict[str, Any] = field(repr=False)

    @property
    def api_version(self) -> str:
        return _text(self.data.get("apiVersion"))

    @property
    def kind(self) -> str:
        return _text(self.data.get("kind"))

    @property
    def name(self) -> str:
        return _text(self._metadata.get("name"))

    @property
    def namespace(self) -> str:
        """Empty for an object of the whole cluster."""
        return _text(self._metadata.get("namespace"))

    @property
    def _metadata(self) -> dict[str, Any]:
        metadata = self.data.get("metadata")
        return metadata if isinstance(metadata, dict) else {}

    def __str__(self) -> str:
        """``Widget default/one``."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def read_objects(paths: Iterable[str], stdin: BinaryIO | None = None) -> Iterator[StoredObject]:
    """The objects of the files, in their order; ``-`` is standard input.

    Raises `UsageError`, naming path and line, at the first thing that is no object.
    """
    for path in paths:
        if path == STDIN:
            yield from objects_of(path, stdin or sys.stdin.buffer)
            continue
        try:
            with open(path, "rb") as file:
                yield from objects_of(path, file)
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None


def objects_of(path: str, stream: BinaryIO) -> Iterator[StoredObject]:
    """The objects in a stream, which ``path`` names in messages. Raises `UsageError`."""
    from crdlint.stored.jsonstream import json_documents
    from crdlint.stored.yamlstream import yaml_documents

    window = Window(stream)
    documents = json_documents(window) if window.first_character() == "{" else yaml_documents(window)
    try:
        for line, document in documents:
            for data in _single_objects(line, document):
                yield StoredObject(path, line, data)
    except BadInput as problem:
        raise UsageError(f"{path}:{problem.line}: {problem.message}") from None


def _single_objects(line: int, document: Any) -> Iterator[dict[str, Any]]:
    """The object itself, or those of a list inside a list."""
    if not isinstance(document, dict):
        raise BadInput(line, "not a Kubernetes object: expected a mapping with apiVersion and kind")
    if not isinstance(document.get("kind"), str) or not isinstance(document.get("apiVersion"), str):
        raise BadInput(line, "not a Kubernetes object: it has no apiVersion and kind")
    items = document.get("items")
    if not is_list(document) or not isinstance(items, list):
        yield document
        return
    for item in items:
        yield from _single_objects(line, item)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
