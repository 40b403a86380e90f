"""Which kinds the contract speaks of: by suffix within Cluster API's groups, and by configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import crdlint
from crdlint.checks.capi.roles import NO_ROLE, Role, role_of
from crdlint.settings import Capi
from tests.capi.crds import crd_of

INFRA, BOOTSTRAP, CONTROL_PLANE, IPAM = (
    f"{first}.cluster.x-k8s.io" for first in ("infrastructure", "bootstrap", "controlplane", "ipam")
)


def role(group: str, kind: str, capi: Capi | None = None) -> str | None:
    document = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"group": group, "names": {"kind": kind}},
    }
    found = role_of(crd_of(document), capi or Capi())
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("group", "kind", "expected"),
    [
        (INFRA, "AWSCluster", "InfraCluster"),
        (INFRA, "AWSManagedCluster", "InfraCluster"),
        (INFRA, "AzureASOManagedClusterTemplate", "InfraClusterTemplate"),
        (INFRA, "AzureManagedControlPlane", "ControlPlane"),
        (INFRA, "AzureMachinePool", "InfraMachinePool"),
        (INFRA, "AzureMachinePoolMachine", "InfraMachine"),
        (INFRA, "AzureManagedMachinePoolTemplate", "InfraMachinePoolTemplate"),
        (INFRA, "HetznerBareMetalMachineTemplate", "InfraMachineTemplate"),
        (INFRA, "OpenStackFloatingIPPool", "IPAMPool"),
        (BOOTSTRAP, "EKSConfig", "BootstrapConfig"),
        (BOOTSTRAP, "KThreesConfigTemplate", "BootstrapConfigTemplate"),
        (CONTROL_PLANE, "AWSManagedControlPlaneTemplate", "ControlPlaneTemplate"),
        (CONTROL_PLANE, "NestedControlPlane", "ControlPlane"),
        (IPAM, "GlobalInClusterIPPool", "IPAMPool"),
        (IPAM, "IPPool", "IPAMPool"),
    ],
)
def test_kinds_of_the_contract(group: str, kind: str, expected: str) -> None:
    assert role(group, kind) == expected


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        (INFRA, "AWSClusterRoleIdentity"),
        (INFRA, "AWSClusterStaticIdentity"),
        (INFRA, "AzureClusterIdentity"),
        (INFRA, "BootstrapKubeconfig"),
        (INFRA, "IBMPowerVSImage"),
        (INFRA, "FooMachineImage"),
        (INFRA, "FooMachineProviderConfig"),
        (INFRA, "Metal3DataTemplate"),
        (INFRA, "Metal3RemediationTemplate"),
        (INFRA, "ROSARoleConfig"),
        (INFRA, "Machine"),
        (BOOTSTRAP, "FooCluster"),
        (BOOTSTRAP, "Config"),
        (CONTROL_PLANE, "NestedAPIServer"),
        (CONTROL_PLANE, "FooConfig"),
        (IPAM, "IPAddressClaim"),
        (IPAM, "FooCluster"),
        ("addons.cluster.x-k8s.io", "FooCluster"),
        ("cluster.x-k8s.io", "Cluster"),
        ("cluster.x-k8s.io", "MachinePool"),
        ("clusterctl.cluster.x-k8s.io", "Provider"),
        ("operator.cluster.x-k8s.io", "FooControlPlane"),
        ("runtime.cluster.x-k8s.io", "ExtensionConfig"),
        ("test.cluster.x-k8s.io", "TestCluster"),
        ("infrastructure.example.com", "FooCluster"),
        ("infrastructurecluster.x-k8s.io", "FooCluster"),
        ("", "FooCluster"),
    ],
)
def test_false_friends(group: str, kind: str) -> None:
    assert role(group, kind) is None


def test_configured_groups_belong_to_the_provider() -> None:
    capi = Capi(groups=("*.foo.example.com", "foo.example.com"))
    assert role("infrastructure.foo.example.com", "FooMachine", capi) == "InfraMachine"
    assert role("bootstrap.foo.example.com", "FooConfig", capi) == "BootstrapConfig"
    assert role("bootstrap.foo.example.com", "FooMachine", capi) is None
    assert role("foo.example.com", "FooControlPlane", capi) == "ControlPlane"
    # What is a Config, in a group that says nothing, only the configuration can tell.
    assert role("foo.example.com", "FooConfig", capi) is None
    assert role("example.com", "FooMachine", capi) is None


@pytest.mark.parametrize("wanted", [each.value for each in Role])
def test_a_configured_kind_has_the_role_that_it_is_given(wanted: str) -> None:
    assert role("example.com", "Widget", Capi(kinds=(("Widget", wanted),))) == wanted


def test_a_configured_kind_may_have_no_role() -> None:
    assert role(INFRA, "FooMachine", Capi(kinds=(("FooMachine", NO_ROLE),))) is None


def test_the_configuration_knows_the_same_roles() -> None:
    text = (Path(crdlint.__file__).parent / "config" / "schema.json").read_text("utf-8")
    kinds = json.loads(text)["properties"]["capi"]["properties"]["kinds"]["additionalProperties"]
    assert set(kinds["enum"]) == {each.value for each in Role} | {NO_ROLE}
