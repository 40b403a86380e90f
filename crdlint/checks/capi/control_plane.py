"""What the contract asks of control planes: replicas, versions, machines and rollouts, where they have them."""

from __future__ import annotations

from crdlint.checks.capi.common import METADATA
from crdlint.checks.capi.contracts import V1BETA1, V1BETA2
from crdlint.checks.capi.fields import Field, Former, Need
from crdlint.checks.capi.roles import Role
from crdlint.checks.capi.shapes import BOOLEAN, INT32, SECONDS, STRING, TIME, Shape, array, struct, text
from crdlint.checks.capi.topics import Topic, in_both
from crdlint.findings import Severity

_NEXT_CONTRACT = "the contract after v1beta2"
_REPLICAS, _TEMPLATE = "spec.replicas", "spec.machineTemplate"


def _counter(name: str, former: str = "") -> Field:
    old = Former(f"status.{former}", INT32) if former else None
    return Field(f"status.{name}", INT32, given=(_REPLICAS,), former=old)


_SELECTOR = Field("status.selector", STRING, given=(_REPLICAS,))

REPLICAS = Topic(
    "Cluster API cannot tell how many machines there are, nor whether they are ready",
    {
        Role.INFRA_MACHINE_POOL: in_both(Field("status.replicas", INT32)),
        Role.CONTROL_PLANE: {
            V1BETA1: (
                Field(_REPLICAS, INT32, Need.MAY),
                _SELECTOR,
                *map(_counter, ("replicas", "updatedReplicas", "readyReplicas", "unavailableReplicas")),
            ),
            V1BETA2: (
                Field(_REPLICAS, INT32, Need.MAY),
                _SELECTOR,
                _counter("replicas"),
                _counter("readyReplicas"),
                _counter("availableReplicas", "unavailableReplicas"),
                _counter("upToDateReplicas", "updatedReplicas"),
            ),
        },
    },
)

_VERSIONS = array(struct("version", replicas=INT32, version=text(256)), 100, 1, keys=("version",))
_VERSION = Field("spec.version", text(256), Need.MAY)

VERSION = Topic(
    "Cluster API cannot tell which version runs, nor when an upgrade is through",
    {
        Role.CONTROL_PLANE: {
            V1BETA1: (_VERSION, Field("status.version", STRING, given=("spec.version",))),
            V1BETA2: (
                _VERSION,
                Field(
                    "status.versions",
                    _VERSIONS,
                    given=("spec.version",),
                    former=Former("status.version", STRING, _NEXT_CONTRACT, Severity.INFO),
                ),
            ),
        },
    },
)

_REFERENCE = struct("apiGroup", "kind", "name", apiGroup=text(253), kind=text(63), name=text(253))
_OBJECT_REFERENCE = struct("kind", "name", kind=STRING, name=STRING)
_GATES = array(struct("conditionType", conditionType=text(316)), 32, keys=("conditionType",))
_TAINTS = array(struct("effect", "key", effect=STRING, key=STRING), 64, keys=("key", "effect"))
_TIMEOUTS = ("nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout")
# What tells that the instances are Machines. Managed control planes, which have none, may have an empty template.
_HAS_MACHINES = tuple(f"{_TEMPLATE}.{name}" for name in ("spec", "infrastructureRef", "readinessGates", *_TIMEOUTS))


def _of_machines(path: str, shape: Shape, need: Need = Need.MUST, former: Former | None = None) -> Field:
    return Field(f"{_TEMPLATE}.{path}", shape, need, _HAS_MACHINES, former)


_EXTERNALLY_MANAGED = Field("status.externalManagedControlPlane", BOOLEAN, Need.MAY)

MACHINES = Topic(
    "whoever creates control planes from a ClusterClass finds no place for it",
    {
        Role.CONTROL_PLANE: {
            V1BETA1: (
                _of_machines("metadata", METADATA),
                _of_machines("infrastructureRef", _OBJECT_REFERENCE),
                *(_of_machines(timeout, STRING) for timeout in _TIMEOUTS),
                _of_machines("readinessGates", _GATES, Need.MAY),
                _EXTERNALLY_MANAGED,
            ),
            V1BETA2: (
                _of_machines("metadata", METADATA),
                _of_machines(
                    "spec.infrastructureRef",
                    _REFERENCE,
                    former=Former(f"{_TEMPLATE}.infrastructureRef", _OBJECT_REFERENCE),
                ),
                *(
                    _of_machines(
                        f"spec.deletion.{timeout}Seconds", SECONDS, former=Former(f"{_TEMPLATE}.{timeout}", STRING)
                    )
                    for timeout in _TIMEOUTS
                ),
                _of_machines(
                    "spec.readinessGates",
                    _GATES,
                    Need.MAY,
                    Former(f"{_TEMPLATE}.readinessGates", _GATES),
                ),
                _of_machines("spec.taints", _TAINTS, Need.MAY),
                _EXTERNALLY_MANAGED,
            ),
        },
    },
)

ROLLOUT_AFTER = Topic(
    "Cluster API fails to schedule a rollout",
    {
        Role.CONTROL_PLANE: {
            V1BETA1: (Field("spec.rolloutAfter", TIME, Need.MAY),),
            V1BETA2: (Field("spec.rollout.after", TIME, Need.MAY, former=Former("spec.rolloutAfter", TIME)),),
        },
    },
)
