"""Which kinds are of Cluster API, and which of them are paused with a Cluster."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crdlint.crd.model import Crd
    from crdlint.settings import Capi

DOMAIN = "cluster.x-k8s.io"
# What the names of kinds end in that nothing reconciles, or of which no contract wants that they are paused.
NEVER_PAUSED = ("Template", "IPAddress", "IPPool", "Binding", "Identity")


def is_in_domain(group: str) -> bool:
    """Is it a group of Cluster API, or of a provider in its domain?"""
    return group == DOMAIN or group.endswith(f".{DOMAIN}")


def is_cluster_api(crd: Crd, capi: Capi) -> bool:
    """Is it a kind of Cluster API or of one of its providers?"""
    return is_in_domain(crd.group) or any(fnmatchcase(crd.group, known) for known in capi.groups)
