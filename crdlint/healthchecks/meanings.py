"""What it means that a condition is True: the types whose meaning is documented, and where.

Everything else has to be said by somebody, or shown by objects that are known to be ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple


class Meaning(str, Enum):
    """What it means that a condition is True; the values are the words of the command line."""

    POSITIVE = "positive"
    """What the object is for: it is not ready without."""
    NEGATIVE = "negative"
    """It has failed; somebody has to do something."""
    PROGRESSING = "progressing"
    """It is still at work: it is not ready yet."""
    PAUSED = "paused"
    """Its controller leaves it alone."""
    IGNORED = "ignored"
    """Nothing about whether it is ready."""


SUMMARIES = frozenset(("Ready", "Available"))
"""Conditions that sum up all others. A kind that moves from the one to the other may have either, or both."""


class Documented(NamedTuple):
    """A documented type."""

    meaning: Meaning
    why: str
    reference: str


_CONVENTIONS = (
    "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/"
    "api-conventions.md#typical-status-properties"
)
_KSTATUS = "https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md"
_DEPLOYMENT = "https://github.com/kubernetes/api/blob/master/apps/v1/types.go"
_JOB = "https://github.com/kubernetes/api/blob/master/batch/v1/types.go"
_CRD = "https://github.com/kubernetes/apiextensions-apiserver/blob/master/pkg/apis/apiextensions/v1/types.go"
_OPENSHIFT = "https://github.com/openshift/api/blob/master/config/v1/types_cluster_operator.go"
_CROSSPLANE = "https://github.com/crossplane/crossplane-runtime/blob/main/apis/common/v1/condition.go"
_CROSSPLANE_PACKAGES = "https://github.com/crossplane/crossplane/blob/main/apis/pkg/v1/conditions.go"
_CROSSPLANE_XRDS = "https://github.com/crossplane/crossplane/blob/main/apis/apiextensions/v1/conditions.go"
_GATEWAY = "https://gateway-api.sigs.k8s.io/geps/gep-1364/"
_PROMETHEUS = "https://github.com/prometheus-operator/prometheus-operator/blob/main/pkg/apis/monitoring/v1/types.go"
_CERT_MANAGER = "https://cert-manager.io/docs/reference/api-docs/"
_CLUSTER_API = (
    "https://github.com/kubernetes-sigs/cluster-api/blob/main/docs/proposals/"
    "20240916-improve-status-in-CAPI-resources.md"
)

_P, _N, _W, _S, _I = Meaning.POSITIVE, Meaning.NEGATIVE, Meaning.PROGRESSING, Meaning.PAUSED, Meaning.IGNORED

WELL_KNOWN: Mapping[str, Documented] = {
    "Ready": Documented(_P, "sums up whether the object can be used", _KSTATUS),
    "Available": Documented(_P, "sums up whether the object serves its purpose", _CLUSTER_API),
    "Succeeded": Documented(_P, "sums up what runs once and ends", _CONVENTIONS),
    "Complete": Documented(_P, "a Job has run to its end", _JOB),
    "Synced": Documented(_P, "what is wanted has been applied; Ready may still speak of what was before", _CROSSPLANE),
    "Healthy": Documented(_P, "a package runs", _CROSSPLANE_PACKAGES),
    "Installed": Documented(_P, "a package is unpacked", _CROSSPLANE_PACKAGES),
    "Established": Documented(_P, "the API of a definition is served", _CRD),
    "Accepted": Documented(_P, "the configuration is valid and will be used", _GATEWAY),
    "Programmed": Documented(_P, "the configuration is on its way to the data plane", _GATEWAY),
    "ResolvedRefs": Documented(_P, "all that is referred to is there", _GATEWAY),
    "Reconciled": Documented(_P, "the last reconciliation has succeeded", _PROMETHEUS),
    "Stalled": Documented(_N, "the controller has given up", _KSTATUS),
    "Degraded": Documented(_N, "it has been off what is wanted for some time", _OPENSHIFT),
    "Failed": Documented(_N, "it has failed, for good", _JOB),
    "ReplicaFailure": Documented(_N, "pods cannot be created or deleted", _DEPLOYMENT),
    "InvalidRequest": Documented(_N, "a certificate request will never be served", _CERT_MANAGER),
    "Denied": Documented(_N, "a certificate request has been refused", _CERT_MANAGER),
    "Reconciling": Documented(_W, "the controller is at work", _KSTATUS),
    "Issuing": Documented(_W, "a certificate is being issued", _CERT_MANAGER),
    "Paused": Documented(_S, "the controller leaves the object alone", _CLUSTER_API),
    "Suspended": Documented(_S, "a Job waits to be resumed", _JOB),
    "Progressing": Documented(
        _I, "True while it works, but for Deployments also when that has ended well; not so elsewhere", _DEPLOYMENT
    ),
    "Upgradeable": Documented(_I, "about the next upgrade, not about now", _OPENSHIFT),
    "Approved": Documented(_I, "a step on the way", _CERT_MANAGER),
    "Offered": Documented(_I, "only definitions that offer claims have it", _CROSSPLANE_XRDS),
    "Deleting": Documented(_I, "metadata.deletionTimestamp says it", _CLUSTER_API),
    "RollingOut": Documented(_I, "a change that leaves the object available", _CLUSTER_API),
    "ScalingUp": Documented(_I, "a change that leaves the object available", _CLUSTER_API),
    "ScalingDown": Documented(_I, "a change that leaves the object available", _CLUSTER_API),
    "Remediating": Documented(_I, "a change that leaves the object available", _CLUSTER_API),
    "Updating": Documented(_I, "a change that leaves the object available", _CLUSTER_API),
}
