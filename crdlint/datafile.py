"""YAML files that are written for crdlint itself, configurations and rules: their data, and where in them it stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from crdlint.errors import UsageError
from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Node, locate
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable


@dataclass(frozen=True)
class DataFile:
    """One file with at most one document."""

    path: str
    source: Source
    root: Node | None

    @classmethod
    def read(cls, path: str) -> DataFile:
        """Raises `UsageError` that says why the file cannot be read, and at which place."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
        try:
            source = Source.from_bytes(content)
            documents = [document for document in parse(source.text).documents if document.root is not None]
        except Unreadable as error:
            source = Source(content.decode("utf-8", "replace").removeprefix("\ufeff"))
            line, column = source.position(min(error.offset, len(source.text)))
            raise UsageError(f"{path}:{line}:{column}: cannot be read: {error.message}") from None
        if len(documents) > 1:
            line, column = source.position(documents[1].start)
            raise UsageError(f"{path}:{line}:{column}: a second document: the file holds one, and no more")
        return cls(path, source, documents[0].root if documents else None)

    @cached_property
    def data(self) -> Any:
        """The data of the document; None where there is none."""
        return None if self.root is None else to_data(self.root)

    def place(self, pointer: str) -> str:
        """``path:line:column`` of what a JSON pointer leads to."""
        offset = 0 if self.root is None else locate(self.root, pointer)[0]
        line, column = self.source.position(offset)
        return f"{self.path}:{line}:{column}"
