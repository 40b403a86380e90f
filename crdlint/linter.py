"""Bytes of a file in, findings out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crdlint.crd.model import KIND, SPEC_SCHEMA
from crdlint.filelinter import FileLinter
from crdlint.files import names_crd
from crdlint.findings import FileResult, Finding
from crdlint.rules.catalogue import Catalogue
from crdlint.settings import Settings
from crdlint.yamltext.parse import Stream, parse
from crdlint.yamltext.source import Source, Unreadable

UNREADABLE = "unreadable-file"


@dataclass(frozen=True)
class Parsed:
    """A file that could be read: its text, and the trees of its documents."""

    source: Source
    stream: Stream

    def changed(self, text: str, stream: Stream) -> Parsed:
        """The same file with another text, whose trees are ``stream``."""
        return Parsed(replace(self.source, text=text), stream)


@dataclass(frozen=True)
class Linter:
    """Checks files with the rules and the settings of a run."""

    catalogue: Catalogue
    settings: Settings

    def lint(self, path: str, data: bytes) -> FileResult:
        """Check one file. Never raises for what the file holds."""
        return self.lint_parsed(path, data)[0]

    def lint_parsed(self, path: str, data: bytes) -> tuple[FileResult, Parsed | None]:
        """Check one file, and return what was read, or None where there is no CRD in it or it cannot be read."""
        if not names_crd(data):
            return FileResult(path), None
        try:
            source = Source.from_bytes(data)
            parsed = Parsed(source, parse(source.text, wanted=KIND, defer=SPEC_SCHEMA))
        except Unreadable as error:
            return self._unreadable(path, data, error), None
        return self.lint_source(path, parsed), parsed

    def lint_source(self, path: str, parsed: Parsed) -> FileResult:
        return FileLinter(path, parsed, self.catalogue, self.settings).run()

    def _unreadable(self, path: str, data: bytes, error: Unreadable) -> FileResult:
        source = Source(data.decode("utf-8", "replace").removeprefix("\ufeff"))
        result = FileResult(path, has_crd=True, text=source.text)
        if UNREADABLE in self.settings.selected_for():
            line, column = source.position(min(error.offset, len(source.text)))
            severity = self.settings.severity_of(UNREADABLE) or self.catalogue[UNREADABLE].severity
            result.findings.append(Finding(UNREADABLE, severity, error.message, path, line, column, line, column + 1))
        return result
