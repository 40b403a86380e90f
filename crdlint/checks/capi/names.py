"""What the contract says of the CRD itself: scope, names and labels, and the metadata of its objects."""

from __future__ import annotations

from collections.abc import Iterator

from crdlint.checks.capi.contracts import (
    CONTRACTS,
    END_OF_V1BETA1,
    V1BETA1,
    V1BETA2,
    contract_labels,
    contract_of,
    labels_of,
)
from crdlint.checks.capi.roles import SUFFIXES, Role, role_of
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.clusterapi import DOMAIN
from crdlint.crd.model import Crd, Version, mapping
from crdlint.findings import Applicability, Severity
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer
from crdlint.yamltext.operations import Op, Operation

_METADATA = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
_PROVIDER_LABEL = f"{DOMAIN}/provider"
# What its value begins with; Cluster API itself has no type.
_PROVIDER_TYPES = (
    *("addon-", "bootstrap-", "control-plane-", "infrastructure-", "ipam-", "runtime-extension"),
    "cluster-api",
)
_LABELS = "/metadata/labels"
# Of a kind, and of the kind of its lists; the API server refuses any that is longer.
_LONGEST_KIND = 63


def scope(version: Version, context: Context) -> Iterator[Problem]:
    role = role_of(version.crd, context.capi)
    if role not in (None, Role.IPAM_POOL) and version.crd.data("/spec/scope") == "Cluster":
        yield Problem(
            "/spec/scope",
            f"{role.value} is cluster-scoped: Cluster API looks for it in the namespace of the Cluster",
            Draft(Applicability.MANUAL),
        )


def type_meta(version: Version, context: Context) -> Iterator[Problem]:
    role = role_of(version.crd, context.capi)
    if role is None or (role is not Role.IPAM_POOL and contract_of(version, context.capi) is None):
        return
    root = version.schema
    missing = [name for name in _METADATA if not (root.field(name).is_declared or root.field(name).is_open)]
    if root.is_declared and missing:
        operations = [Operation(Op.ADD, root.field(name).pointer, _METADATA[name]) for name in missing]
        yield Problem(
            root.pointer,
            f"{role.value} does not declare {', '.join(missing)}",
            Draft(Applicability.SAFE, (), tuple(operations)),
        )


def crd_name(version: Version, context: Context) -> Iterator[Problem]:
    """The name that Cluster API computes from group and kind to find the CRD.

    It is made by flect's pluraliser, which puts an `s` behind all that ends like a kind of the contract; the plurals of
    other kinds, which a configuration may name, are not judged.
    """
    crd, kind = version.crd, version.crd.kind or ""
    if role_of(crd, context.capi) is None or not kind.endswith(tuple(SUFFIXES)) or crd.name is None:
        return
    wanted = f"{kind.lower()}s.{crd.group}"
    if crd.name != wanted and not any(isinstance(part, Templated) for part in (crd.name, crd.group, kind)):
        yield Problem(
            "/metadata/name",
            f"the CRD of {kind} is named {crd.name}, while Cluster API looks for {wanted}",
            Draft(Applicability.MANUAL),
        )


def list_kind(version: Version, context: Context) -> Iterator[Problem]:
    crd = version.crd
    if role_of(crd, context.capi) in (None, Role.IPAM_POOL):
        return
    declared, wanted = crd.data("/spec/names/listKind"), f"{crd.kind}List"
    if declared not in (None, wanted) and not any(isinstance(name, Templated) for name in (declared, crd.kind)):
        draft = Draft(Applicability.UNSAFE, (), (Operation(Op.REPLACE, "/spec/names/listKind", wanted),))
        if len(wanted) > _LONGEST_KIND:
            draft = Draft(Applicability.MANUAL, (f"the API server refuses {wanted}: the kind is too long for it",))
        yield Problem("/spec/names/listKind", f"the list of {crd.kind} is called {declared}, not {wanted}", draft)


def contract_label(version: Version, context: Context) -> Iterator[Problem]:
    """The labels that tell Cluster API which versions keep which contract."""
    crd = version.crd
    role = role_of(crd, context.capi)
    if role in (None, Role.IPAM_POOL) or _is_templated(crd):
        return
    promised = contract_labels(crd)
    if not _is_rendered(crd):
        yield Problem(
            "/metadata",
            "the label of the contract is not judged here, since kustomize adds it: check what it renders",
            Draft(Applicability.MANUAL),
            Severity.INFO,
            shown_at="/metadata/name",
        )
    elif promised.keys().isdisjoint(CONTRACTS):
        yield Problem(
            _LABELS if labels_of(crd) else "/metadata",
            f"no label says which version keeps which contract ({DOMAIN}/{context.capi.contract}): Cluster API finds "
            "none to read, and fails",
            Draft(Applicability.MANUAL),
        )
    elif V1BETA2 not in promised and context.capi.contract != V1BETA1:
        yield Problem(
            _label_pointer(V1BETA1),
            f"only contract v1beta1 is promised, which is read until {END_OF_V1BETA1}",
            Draft(Applicability.MANUAL),
            Severity.WARNING,
        )
    served = {item.name for item in crd.versions if item.served}
    for contract, names in promised.items():
        other = [name for name in names if name not in served]
        if other and not crd.may_have_more_versions:
            yield Problem(
                _label_pointer(contract),
                f"contract {contract} is promised for {_shown(other)}",
                Draft(Applicability.MANUAL),
            )


def provider_label(version: Version, context: Context) -> Iterator[Problem]:
    """The label by which clusterctl knows the components of a provider."""
    crd = version.crd
    if role_of(crd, context.capi) is None or _is_templated(crd):
        return
    labels = labels_of(crd)
    value = labels.get(_PROVIDER_LABEL)
    if value is None and _is_component(crd):
        yield Problem(
            _LABELS if labels else "/metadata",
            f"the CRD has no label {_PROVIDER_LABEL}, by which clusterctl knows the components of a provider",
            Draft(Applicability.MANUAL),
        )
    elif value is not None and not str(value).startswith(_PROVIDER_TYPES):
        yield Problem(
            _LABELS + join_pointer([_PROVIDER_LABEL]),
            f"{_PROVIDER_LABEL} is {value}: clusterctl expects the type of the provider and its name, such as "
            "infrastructure-foo",
            Draft(Applicability.MANUAL),
        )


def _is_templated(crd: Crd) -> bool:
    """Does a template write any label?"""
    return any(isinstance(part, Templated) for label in labels_of(crd).items() for part in label)


def _is_rendered(crd: Crd) -> bool:
    """Does the CRD carry what kustomize, or a cluster, adds to what controller-gen writes?"""
    own_labels = any(key.startswith(f"{DOMAIN}/") for key in labels_of(crd))
    injected = any(key.startswith("cert-manager.io/inject-ca-from") for key in crd.annotations)
    return own_labels or injected or _is_component(crd)


def _is_component(crd: Crd) -> bool:
    """Does the CRD come out of a cluster, or out of the manifest of a whole provider?

    There the webhook that converts its versions is in the provider's own namespace: kustomize replaces `system`.
    """
    webhook = mapping(mapping(crd.data("/spec/conversion")).get("webhook"))
    service = mapping(mapping(webhook.get("clientConfig")).get("service"))
    in_cluster = crd.node("/metadata/uid") is not None
    return in_cluster or service.get("namespace") not in (None, "system")


def _label_pointer(contract: str) -> str:
    return _LABELS + join_pointer([f"{DOMAIN}/{contract}"])


def _shown(names: list[str]) -> str:
    return f"{', '.join(names)}, which the CRD does not serve" if any(names) else "no version"
