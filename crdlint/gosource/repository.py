"""A repository of Go sources, read once: its kinds, what its controllers are proven to write, what cannot be read."""

from __future__ import annotations

import os
from functools import cached_property

from crdlint.findings import Finding
from crdlint.gosource.controllers import Controllers
from crdlint.gosource.evidence import Evidence
from crdlint.gosource.gotypes import Types
from crdlint.gosource.kinds import GoKind, kinds_of
from crdlint.gosource.packages import Packages
from crdlint.gosource.plan import ByHand, SourceChange, plan_change
from crdlint.gosource.syntax import parser


class GoRepository:
    """All Go packages below a folder; files are parsed when something in them is asked for."""

    def __init__(self, root: str) -> None:
        self.packages = Packages(root)
        self.types = Types(self.packages)

    @property
    def problems(self) -> list[str]:
        """What could not be read, as far as anything in it was asked for."""
        return self.packages.problems

    @cached_property
    def kinds(self) -> tuple[GoKind, ...]:
        return tuple(kinds_of(self.packages, self.types))

    def kind(self, group: str, kind: str, version: str) -> GoKind | None:
        """The Go types of one version of a kind."""
        wanted = (group, kind, version)
        return next((one for one in self.kinds if (one.group, one.kind, one.version) == wanted), None)

    def content(self, path: str) -> bytes:
        """The bytes of a file as they were read: those that edits speak of."""
        return next(file.data for _, file in self.packages.files if file.path == os.path.normpath(path))

    def evidence(self, group: str, kind: str) -> Evidence:
        """What the controllers in this repository are proven to write of a kind, in all its versions."""
        return self._controllers.evidence(group, kind)

    @cached_property
    def _controllers(self) -> Controllers:
        return Controllers(self.packages, self.types, self.kinds)


def scan(root: str) -> GoRepository:
    """Read the Go sources below a folder. Raises `UsageError` where there are any, and nothing to parse them with."""
    repository = GoRepository(root)
    if any(repository.packages):
        parser()
    return repository


def plan(repository: GoRepository, go_kind: GoKind, rule_id: str, finding: Finding) -> SourceChange | ByHand | None:
    """What the fix of a finding is at the source; None where the rule, or a fix that waits for another, has none."""
    return plan_change(repository.kinds, go_kind, rule_id, finding)
