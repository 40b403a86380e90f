"""The CRDs of the book: what controller-gen makes of the Go types that its contract pages show.

``book/v1beta2.yaml`` follows the pages as of Cluster API 1.14, ``book/v1beta1.yaml`` those of 1.10. Both have labels as
kustomize adds them, and metav1 conditions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from crdlint.checks.capi.roles import Role, role_of
from crdlint.choices import Choices
from crdlint.crd.model import Crd, crds_of
from crdlint.findings import Applicability, Finding
from crdlint.runner import FileRun, Job
from crdlint.settings import Capi
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests.fixture_tool import NO_CONFIG

BOOK = Path(__file__).with_name("book")
# The rules on pausing have tests of their own.
PAUSED = ("capi-paused-column", "capi-paused-condition", "capi-paused-wait")

Document = dict[str, Any]


def book(contract: str) -> dict[Role, Document]:
    """The book's CRDs of a contract, by role."""
    text = (BOOK / f"{contract}.yaml").read_text("utf-8")
    roots = [document.root for document in parse(text).documents if document.root is not None]
    found = {role_of(crd, Capi()): to_data(crd.root) for root in roots for crd in crds_of(root)}
    return {role: data for role, data in found.items() if role is not None}


def crd_of(document: Document) -> Crd:
    (root,) = (found.root for found in parse(json.dumps(document)).documents)
    assert root is not None
    (crd,) = crds_of(root)
    return crd


def run(data: bytes, fixes: Applicability | None = None, select: tuple[str, ...] | None = ("capi",)) -> FileRun:
    return Job(Choices(select=select, ignore=PAUSED, config=str(NO_CONFIG)), fixes).run_bytes("crd.json", data)


def findings(document: Document) -> list[Finding]:
    return run(json.dumps(document).encode()).result.findings


def fixed(document: Document) -> Document:
    """The document after all fixes that there are."""
    fixed: Document = json.loads(run(json.dumps(document).encode(), Applicability.UNSAFE).after)
    return fixed


def schema(document: Document) -> Document:
    found: Document = document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return found


def holder(document: Document, path: str) -> Document | None:
    """The ``properties`` that a field stands in, None where the way to them is not declared."""
    *way, _ = path.split(".")
    fields = schema(document)["properties"]
    for name in way:
        if name not in fields:
            return None
        fields = fields[name].setdefault("properties", {})
    found: Document = fields
    return found
