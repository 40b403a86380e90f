"""What the contract asks of infrastructure: clusters, machines, and pools of machines."""

from __future__ import annotations

from crdlint.checks.capi.contracts import V1BETA1, V1BETA2
from crdlint.checks.capi.fields import Field, Former, Need
from crdlint.checks.capi.roles import Role
from crdlint.checks.capi.shapes import BOOLEAN, MAP_OF_STRINGS, STRING, Shape, array, struct, text
from crdlint.checks.capi.topics import Topic, in_both
from crdlint.findings import Severity

ADDRESS_TYPES = ["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"]
_ADDRESSES = array(struct("address", "type", address=text(256), type={"enum": ADDRESS_TYPES, "type": "string"}))

_DOMAIN = {"attributes": MAP_OF_STRINGS, "controlPlane": BOOLEAN}
_DOMAINS = array(struct("name", name=text(256), **_DOMAIN), 100, 1, keys=("name",))
_DOMAINS_BY_NAME: Shape = {"additionalProperties": struct(**_DOMAIN), "type": "object"}
_DOMAIN_OF_MACHINE = text(256)

_ARCHITECTURE = {"enum": ["amd64", "arm64", "s390x", "ppc64le"], "type": "string"}
_ENDPOINT = struct(
    "host",
    "port",
    host=text(512),
    port={"format": "int32", "maximum": 65535, "minimum": 1, "type": "integer"},
)

CONTROL_PLANE_ENDPOINT = Topic(
    "Cluster API cannot tell where the API server of the cluster is",
    {
        role: in_both(Field("spec.controlPlaneEndpoint", _ENDPOINT, Need.MAY))
        for role in (Role.INFRA_CLUSTER, Role.CONTROL_PLANE)
    },
)

PROVIDER_ID = Topic(
    "Cluster API cannot tell which Nodes belong to it",
    {
        Role.INFRA_MACHINE: in_both(Field("spec.providerID", text(512))),
        Role.INFRA_MACHINE_POOL: in_both(
            Field("spec.providerIDList", array(text(512), 10000)),
            Field("spec.providerID", text(512), Need.MAY),
        ),
    },
)

FAILURE_DOMAINS = Topic(
    "Cluster API fails to read the failure domains",
    {
        Role.INFRA_CLUSTER: {
            V1BETA1: (Field("status.failureDomains", _DOMAINS_BY_NAME, Need.MAY),),
            V1BETA2: (
                Field(
                    "status.failureDomains",
                    _DOMAINS,
                    Need.MAY,
                    former=Former("status.failureDomains", _DOMAINS_BY_NAME),
                ),
            ),
        },
        Role.INFRA_MACHINE: {
            V1BETA1: (Field("spec.failureDomain", _DOMAIN_OF_MACHINE, Need.MAY),),
            V1BETA2: (
                Field(
                    "status.failureDomain",
                    _DOMAIN_OF_MACHINE,
                    Need.MAY,
                    former=Former("spec.failureDomain", STRING, severity=Severity.INFO),
                ),
            ),
        },
    },
    ("the controller has to write the field, with the domain in which the machine was placed",),
)

ADDRESSES = Topic(
    "Cluster API fails to read the addresses",
    {Role.INFRA_MACHINE: in_both(Field("status.addresses", _ADDRESSES, Need.MAY))},
)

MACHINE_POOL_INSTANCES = Topic(
    "Cluster API, and those who look at the pool, fail to read its machines",
    {
        Role.INFRA_MACHINE_POOL: in_both(
            Field("status.instances", array(struct()), Need.MAY),
            Field("status.infrastructureMachineKind", STRING, Need.MAY),
        )
    },
)

AUTOSCALING = Topic(
    "the autoscaler fails to read what a machine of this template has",
    {
        Role.INFRA_MACHINE_TEMPLATE: in_both(
            Field("status.capacity", {"additionalProperties": {}, "type": "object"}, Need.MAY),
            Field("status.nodeInfo", struct(architecture=_ARCHITECTURE, operatingSystem=STRING), Need.MAY),
        )
    },
)
