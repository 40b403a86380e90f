"""Which contract between Cluster API and its providers a version of a CRD is held to."""

from __future__ import annotations

import re

from crdlint.crd.clusterapi import DOMAIN
from crdlint.crd.model import Crd, Version, mapping
from crdlint.settings import Capi
from crdlint.yamltext.data import Templated

V1BETA1, V1BETA2 = "v1beta1", "v1beta2"
# Those that Cluster API reads, the one that it prefers first.
CONTRACTS = (V1BETA2, V1BETA1)
# Until when v1beta1 and its fields are read (the book, and kubernetes-sigs/cluster-api#11920).
END_OF_V1BETA1 = "Cluster API 1.16 (tentatively April 2027)"

_CONTRACT_LABEL = re.compile(rf"{re.escape(DOMAIN)}/(v[0-9]+(?:(?:alpha|beta)[0-9]+)?)")
_VERSION = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
_STABILITY = {"alpha": 0, "beta": 1, None: 2}


def contract_of(version: Version, capi: Capi) -> str | None:
    """The contract of a version, None where no one is told to read it by any.

    The labels of the CRD decide. Kustomize adds them, so where there are none, Cluster API will be told to read the
    newest version that is served, by the contract that is configured; older ones stand beside it for their users.
    """
    promised = contract_labels(version.crd)
    if promised.keys().isdisjoint(CONTRACTS):
        return capi.contract if version.name == _newest_served(version.crd) else None
    return next((contract for contract in CONTRACTS if version.name in promised.get(contract, ())), None)


def contract_labels(crd: Crd) -> dict[str, list[str]]:
    """The contracts that labels name, and the versions that are promised to keep them."""
    found: dict[str, list[str]] = {}
    for key, value in labels_of(crd).items():
        match = _CONTRACT_LABEL.fullmatch(key)
        if match and not isinstance(key, Templated) and isinstance(value, str) and not isinstance(value, Templated):
            found[match[1]] = value.split("_")
    return found


def labels_of(crd: Crd) -> dict[str, object]:
    return mapping(crd.data("/metadata/labels"))


def _newest_served(crd: Crd) -> str | None:
    """The served version that is first in the order of Kubernetes: stable ones before beta, beta before alpha."""
    return max((version.name for version in crd.versions if version.served), key=_precedence, default=None)


def _precedence(name: str) -> tuple[int, int, int]:
    match = _VERSION.fullmatch(name)
    if match is None:
        return -1, 0, 0
    return _STABILITY[match[2]], int(match[1]), int(match[3] or 0)
