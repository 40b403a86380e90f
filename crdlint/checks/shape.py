"""The shape of a status: without fields, with fields that are required or of the wrong type; and of an obsolete CRD."""

from __future__ import annotations

from collections.abc import Iterator

from crdlint.checks.context import Context, Draft, Problem
from crdlint.checks.races import has_integer_type
from crdlint.crd.model import Version
from crdlint.findings import Applicability
from crdlint.yamltext.data import Templated
from crdlint.yamltext.operations import Op, Operation


def pruned_status(version: Version, context: Context) -> Iterator[Problem]:
    if version.is_pruned:
        yield Problem(
            version.status_pointer,
            "status declares no properties and does not preserve unknown fields: the API server keeps nothing of it",
            Draft(Applicability.MANUAL),
        )


def required_status_fields(version: Version, context: Context) -> Iterator[Problem]:
    required = (version.status or {}).get("required") if version.has_fields else None
    if not isinstance(required, list) or not required or any(isinstance(name, Templated) for name in required):
        return
    pointer = f"{version.status_pointer}/required"
    yield Problem(
        pointer,
        "status requires fields, so the API server refuses every write of status that lacks one of them, and any "
        "default that does",
        Draft(Applicability.UNSAFE, (), (Operation(Op.REMOVE, pointer),)),
    )


def observed_generation_type(version: Version, context: Context) -> Iterator[Problem]:
    field = version.observed_generation if version.has_fields else None
    if (
        field is None
        or has_integer_type(field)
        or any(isinstance(part, Templated) for part in (*field, field.get("type")))
    ):
        return
    yield Problem(
        f"{version.status_pointer}/properties/observedGeneration",
        "observedGeneration is not of type integer (int64), so kstatus fails on every object that has one, and Flux "
        "and Helm 4 wait until they time out",
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
