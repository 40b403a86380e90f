"""What makes a finding the same one after lines have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crdlint.findings import Finding
    from crdlint.report import Options


def fingerprint(finding: Finding, options: Options) -> str:
    """A digest of path (from the repository's root), rule, CRD, version and pointer; not of the line or the wording."""
    import json
    from hashlib import sha256

    parts = [options.from_root(finding.path), finding.rule, finding.crd, finding.version, finding.pointer]
    return sha256(json.dumps(parts).encode("ascii")).hexdigest()
