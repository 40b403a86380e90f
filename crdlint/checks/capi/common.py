"""What the contract asks of several roles: the end of the initialization, templates, and failures."""

from __future__ import annotations

from crdlint.checks.capi.contracts import V1BETA1, V1BETA2
from crdlint.checks.capi.fields import Field, Former, Need
from crdlint.checks.capi.roles import Role
from crdlint.checks.capi.shapes import BOOLEAN, MAP_OF_STRINGS, OBJECT, struct, text
from crdlint.checks.capi.topics import Contracts, Topic, in_both

METADATA = struct(annotations=MAP_OF_STRINGS, labels=MAP_OF_STRINGS)


def _initialized(name: str, former: str = "ready") -> Contracts:
    """`status.initialization.<name>`, which was a field of status itself."""
    old = Former(f"status.{former}", BOOLEAN)
    return {
        V1BETA1: (Field(old.path, BOOLEAN),),
        V1BETA2: (Field(f"status.initialization.{name}", BOOLEAN, former=old),),
    }


_CONTROL_PLANE_INITIALIZED = _initialized("controlPlaneInitialized", "initialized")

INITIALIZATION = Topic(
    "Cluster API never sees the initialization completed, and goes no further",
    {
        Role.INFRA_CLUSTER: _initialized("provisioned"),
        Role.INFRA_MACHINE: _initialized("provisioned"),
        Role.INFRA_MACHINE_POOL: _initialized("provisioned"),
        Role.BOOTSTRAP_CONFIG: _initialized("dataSecretCreated"),
        Role.CONTROL_PLANE: {
            V1BETA1: (*_CONTROL_PLANE_INITIALIZED[V1BETA1], Field("status.ready", BOOLEAN)),
            V1BETA2: _CONTROL_PLANE_INITIALIZED[V1BETA2],
        },
    },
)

DATA_SECRET_NAME = Topic(
    "Cluster API never learns which Secret holds the bootstrap data",
    {Role.BOOTSTRAP_CONFIG: in_both(Field("status.dataSecretName", text(253)))},
)

TEMPLATE_SPEC = Topic(
    "Cluster API creates objects from `spec.template`, and finds nothing there",
    {
        role: in_both(
            Field("spec.template.spec", OBJECT),
            Field("spec.template.metadata", METADATA, Need.EXAMPLE, given=("spec.template",)),
        )
        for role in Role
        if role.is_template
    },
    ("the Go type has to have the field as well (`clusterv1.ObjectMeta`)",),
)
