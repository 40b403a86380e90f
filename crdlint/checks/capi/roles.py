"""Which part of Cluster API's provider contract a kind plays, as far as its group and its name tell."""

from __future__ import annotations

from enum import Enum
from fnmatch import fnmatchcase
from functools import lru_cache

from crdlint.crd.clusterapi import DOMAIN
from crdlint.crd.model import Crd
from crdlint.settings import Capi

# What a configuration calls a kind that plays no part, whatever its name.
NO_ROLE = "none"


class Role(str, Enum):
    """A part of the contract, by the name that the book gives it."""

    INFRA_CLUSTER = "InfraCluster"
    INFRA_CLUSTER_TEMPLATE = "InfraClusterTemplate"
    INFRA_MACHINE = "InfraMachine"
    INFRA_MACHINE_TEMPLATE = "InfraMachineTemplate"
    INFRA_MACHINE_POOL = "InfraMachinePool"
    INFRA_MACHINE_POOL_TEMPLATE = "InfraMachinePoolTemplate"
    BOOTSTRAP_CONFIG = "BootstrapConfig"
    BOOTSTRAP_CONFIG_TEMPLATE = "BootstrapConfigTemplate"
    CONTROL_PLANE = "ControlPlane"
    CONTROL_PLANE_TEMPLATE = "ControlPlaneTemplate"
    IPAM_POOL = "IPAMPool"

    @property
    def is_template(self) -> bool:
        return self.value.endswith("Template")


# What the names of such kinds end in.
SUFFIXES = {
    "Cluster": Role.INFRA_CLUSTER,
    "ClusterTemplate": Role.INFRA_CLUSTER_TEMPLATE,
    "Machine": Role.INFRA_MACHINE,
    "MachineTemplate": Role.INFRA_MACHINE_TEMPLATE,
    "MachinePool": Role.INFRA_MACHINE_POOL,
    "MachinePoolTemplate": Role.INFRA_MACHINE_POOL_TEMPLATE,
    "Config": Role.BOOTSTRAP_CONFIG,
    "ConfigTemplate": Role.BOOTSTRAP_CONFIG_TEMPLATE,
    "ControlPlane": Role.CONTROL_PLANE,
    "ControlPlaneTemplate": Role.CONTROL_PLANE_TEMPLATE,
    "IPPool": Role.IPAM_POOL,
}
_BOOTSTRAP = frozenset((Role.BOOTSTRAP_CONFIG, Role.BOOTSTRAP_CONFIG_TEMPLATE))
# Control planes of managed clusters, and pools of addresses, often stand in the group of the infrastructure.
_OTHERS = frozenset(SUFFIXES.values()) - _BOOTSTRAP
# What the first label of a group begins with, and which roles its kinds can have. Elsewhere in Cluster API's domain
# (`addons`, `runtime`, `operator`, …) a name such as ExtensionConfig is none of the contract's.
_FAMILIES = {
    "bootstrap": _BOOTSTRAP,
    "controlplane": _OTHERS,
    "infrastructure": _OTHERS,
    "ipam": frozenset((Role.IPAM_POOL,)),
}


def role_of(crd: Crd, capi: Capi) -> Role | None:
    """The role of a CRD's kind, None where the contract does not speak of it."""
    return _role(crd.group, crd.kind or "", capi)


@lru_cache(maxsize=1024)
def _role(group: str, kind: str, capi: Capi) -> Role | None:
    named = dict(capi.kinds).get(kind)
    if named is not None:
        return None if named == NO_ROLE else Role(named)
    found = _by_suffix(kind)
    return found if found in _possible_roles(group, capi) else None


def _by_suffix(kind: str) -> Role | None:
    """The role that a name tells: a kind that is called nothing but `Machine` belongs to Cluster API itself."""
    for suffix, role in SUFFIXES.items():
        if kind.endswith(suffix) and (kind != suffix or role is Role.IPAM_POOL):
            return role
    return None


def _possible_roles(group: str, capi: Capi) -> frozenset[Role]:
    first = group.partition(".")[0]
    families = [roles for family, roles in _FAMILIES.items() if first.startswith(family)]
    if any(fnmatchcase(group, pattern) for pattern in capi.groups):
        return families[0] if families else _OTHERS
    return families[0] if families and group.endswith(f".{DOMAIN}") else frozenset()
