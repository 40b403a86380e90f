"""The files of a run, for reports that show more of them than findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crdlint.choices import Choices, linter_for
from crdlint.findings import Applicability
from crdlint.runner import Job

if TYPE_CHECKING:
    from crdlint.crd.model import Crd


@dataclass(frozen=True)
class CheckedFiles:
    """As they were read, or as ``held`` has them: what no file holds."""

    choices: Choices
    held: Mapping[str, bytes]

    def read(self, path: str) -> bytes | None:
        if path in self.held:
            return self.held[path]
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            return None

    def fixed(self, path: str, data: bytes) -> bytes:
        return Job(self.choices, Applicability.UNSAFE).run_bytes(path, data).after

    def is_stateless(self, path: str, crd: Crd) -> bool:
        return linter_for(path, self.choices).settings.is_stateless(crd)
