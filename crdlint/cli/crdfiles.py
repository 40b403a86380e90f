"""The CRDs in the files that the command line names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crdlint.choices import Choices, files_in
from crdlint.cli.failures import complain, unlistable
from crdlint.cli.output import read_standard_input
from crdlint.errors import UsageError
from crdlint.files import STDIN, names_crd

if TYPE_CHECKING:
    from crdlint.crd.model import Crd


class CrdFiles:
    """The files of one run, with complaints about those that cannot be read."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        # Could something not be read?
        self.failed = False

    def files(self, paths: list[str]) -> Iterator[tuple[str, bytes]]:
        """The path and the bytes of each file."""
        if STDIN in paths:
            if len(paths) > 1:
                raise UsageError("- (standard input) cannot be read together with files: run crdlint twice")
            yield STDIN, read_standard_input()
            return
        for path in files_in(paths, self.choices, unlistable(self.complain)):
            try:
                with open(path, "rb") as file:
                    yield path, file.read()
            except OSError as error:
                self.complain(f"{path}: cannot be read: {error.strerror}")

    def crds(self, path: str, data: bytes) -> list[Crd]:
        """The CRDs in the bytes of a file."""
        from crdlint.crd.model import KIND, SPEC_SCHEMA, crds_of
        from crdlint.yamltext.parse import parse
        from crdlint.yamltext.source import Source, Unreadable

        if not names_crd(data):
            return []
        try:
            documents = parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents
        except Unreadable as error:
            self.complain(f"{path}: cannot be read: {error.message}")
            return []
        return [crd for document in documents if document.root is not None for crd in crds_of(document.root)]

    def complain(self, message: str) -> None:
        self.failed = True
        complain(message)
