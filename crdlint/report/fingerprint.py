"""What makes a finding the same one after lines have moved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from crdlint.findings import Finding
    from crdlint.report import Options

_INDEX = re.compile(r"/\d+(?=/|$)")


class Fingerprint(NamedTuple):
    """What a finding is about and where; not its line, and not its wording.

    ``pointer`` is without indexes, since those move: which version it leads into is said beside it. Findings of one
    kind at several items of a list are alike, and counted.
    """

    # From the root of the repository.
    path: str
    rule: str
    crd: str | None
    version: str | None
    pointer: str | None

    @property
    def elsewhere(self) -> tuple[str | None, ...]:
        """All but the path: what stays when the file is moved."""
        return self[1:]


def fingerprint_of(finding: Finding, options: Options) -> Fingerprint:
    """The fingerprint of a finding."""
    pointer = None if finding.pointer is None else _INDEX.sub("/*", finding.pointer)
    return Fingerprint(options.from_root(finding.path), finding.rule, finding.crd, finding.version, pointer)


def fingerprint(finding: Finding, options: Options) -> str:
    """The fingerprint as a digest."""
    import json
    from hashlib import sha256

    return sha256(json.dumps(fingerprint_of(finding, options)).encode("ascii")).hexdigest()
