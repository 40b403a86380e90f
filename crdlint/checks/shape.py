"""What a CRD cannot hold: a status without fields, and anything new in an obsolete API version."""

from __future__ import annotations

from collections.abc import Iterator

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.model import Version
from crdlint.findings import Applicability


def pruned_status(version: Version, context: Context) -> Iterator[Problem]:
    if version.is_pruned:
        yield Problem(
            version.status_pointer,
            "status declares no properties and does not preserve unknown fields: the API server keeps nothing of it",
            Draft(Applicability.MANUAL),
        )


def obsolete_crd_version(version: Version, context: Context) -> Iterator[Problem]:
    """Asked of each version; they all give the same answer, which is one finding."""
    if version.crd.is_obsolete:
        yield Problem(
            "/apiVersion",
            "apiextensions.k8s.io/v1beta1 was removed in Kubernetes 1.22: newer clusters refuse this CRD",
            Draft(Applicability.MANUAL),
        )
