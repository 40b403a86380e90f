"""What has to be done beside the fixes of a rule, or beside a task: data for the checklist."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from crdlint.gosource import Question
from crdlint.migrate.plan import Task

SUBRESOURCE = frozenset(("missing-status-subresource", "observed-generation-default-without-subresource"))
DEFAULTS = frozenset(
    (
        "missing-observed-generation",
        "missing-observed-generation-default",
        "ineffective-observed-generation-default",
        "wrong-observed-generation-default",
    )
)
TIGHTENED = frozenset(("non-metav1-conditions", "conditions-list-type"))
NEW_FIELDS = frozenset(("missing-observed-generation", "missing-conditions", "condition-observed-generation"))


class Topic(str, Enum):
    """What an item is about; the order is that of the list."""

    GO = "Go types"
    UNSAFE = "What unsafe steps rest on"
    CONTROLLERS = "Controllers"
    RBAC = "RBAC"
    COPIES = "Copies"
    CONVERSION = "Conversion"
    STORED = "Stored data"
    STORED_VERSIONS = "status.storedVersions"
    ROLL_OUT = "Roll-out"
    ROLL_BACK = "Roll-back"
    RELEASE_NOTES = "Release notes"
    CAPI = "Cluster API transition"
    BY_HAND = "Findings left to people"


@dataclass(frozen=True)
class Advice:
    """A text for the steps that cure one of the rules, or are for the task."""

    topic: Topic
    text: str
    rules: frozenset[str] = frozenset()
    task: Task = Task.FIX
    # Which evidence makes it unnecessary.
    question: Question | None = None


_STAGE1, _TO_V1 = Task.CAPI_STAGE1, Task.TO_V1

HOLD_OBJECTS = Advice(
    Topic.STORED,
    "hold the objects of a real cluster, in the version in which they are stored, against the new schema before it is "
    "rolled out: `kubectl get <plural>.<storage version>.<group> -A -o yaml > objects.yaml`, then "
    "`crdlint migrate --objects objects.yaml`",
    TIGHTENED | {"capi-field-markers"},
)
ADVICE = (
    Advice(
        Topic.GO,
        "add a struct for status.v1beta2 to the status type: `V1Beta2 *<Kind>V1Beta2Status` with the tag "
        "`v1beta2,omitempty`, and in it `Conditions []metav1.Condition` with +optional, +listType=map, "
        "+listMapKey=type and +kubebuilder:validation:MaxItems=32",
        task=_STAGE1,
    ),
    Advice(
        Topic.CONTROLLERS,
        "write status.observedGeneration in every write of status, the first one with conditions too, and of paused "
        "and failed objects: without it waiters see -1 for ever (`obj.Status.ObservedGeneration = obj.Generation`)",
        DEFAULTS,
        question=Question.OBSERVED_GENERATION,
    ),
    Advice(
        Topic.CONTROLLERS,
        "change other controllers and tests that tell a new object by its empty status, or by observedGeneration 0",
        DEFAULTS,
    ),
    Advice(
        Topic.CONTROLLERS,
        "write the conditions, Ready at least: a declared list that nobody writes helps nobody",
        frozenset(("missing-conditions",)),
    ),
    Advice(
        Topic.CONTROLLERS,
        "set all that metav1.Condition requires (type, status, reason, message, lastTransitionTime) in every "
        "condition: writes of status that lack one are refused",
        frozenset(("non-metav1-conditions",)),
    ),
    Advice(
        Topic.CONTROLLERS,
        "let every reader of status cope with fields that are absent (in Go they become pointers, or get omitempty)",
        frozenset(("required-status-fields",)),
    ),
    Advice(
        Topic.CONTROLLERS,
        "set ObservedGeneration in each condition: `meta.SetStatusCondition` does not do that by itself",
        frozenset(("condition-observed-generation", "missing-conditions")),
        question=Question.CONDITION_GENERATION,
    ),
    Advice(
        Topic.CONTROLLERS,
        "write status through its endpoint (`Status().Update`, `Status().Patch`): what a plain Update says of status "
        "is dropped without an error",
        SUBRESOURCE,
        question=Question.STATUS_ENDPOINT,
    ),
    Advice(Topic.CONTROLLERS, "write both lists of conditions, each with its own summary", task=_STAGE1),
    HOLD_OBJECTS,
    Advice(
        Topic.STORED,
        "look for objects that keep the -1 (`kubectl get <plural> -A -o yaml`), after a roll-back too, and let their "
        "controller write the field: one that is written before its controller has observed it holds the -1 in etcd",
        DEFAULTS,
    ),
    Advice(
        Topic.STORED,
        "look at stored objects for fields that the schema does not declare: they go at the next write, now that "
        "preserveUnknownFields is false",
        task=_TO_V1,
    ),
    Advice(
        Topic.ROLL_OUT,
        "let the controllers try both endpoints while the subresource is switched on: before it `Status().Update` gets "
        "404, after it a plain Update stores no status, and no order of the roll-out is without that gap",
        SUBRESOURCE,
    ),
    Advice(
        Topic.ROLL_BACK,
        "to take the default away again, roll the CRD back before the controller: objects that were never written have "
        "no status then",
        DEFAULTS,
    ),
    Advice(
        Topic.ROLL_BACK,
        "to switch the subresource off again, roll the controller back first: from then on each write of status is a "
        "new generation",
        SUBRESOURCE,
    ),
    Advice(
        Topic.ROLL_BACK,
        "to loosen the conditions again, roll the CRD back at any time: no stored data changes",
        TIGHTENED,
    ),
    Advice(
        Topic.RELEASE_NOTES,
        "say that new objects start with status.observedGeneration -1, so that Flux, Helm 4 and kpt wait for the "
        "controller; scripts that take an absent status for a new object have to change; crdify reports the new "
        "default",
        DEFAULTS,
    ),
    Advice(
        Topic.RELEASE_NOTES,
        "say that status is a subresource now: manifests and restores that carry it no longer set it",
        SUBRESOURCE,
    ),
    Advice(Topic.RELEASE_NOTES, "say that status.conditions are metav1.Condition, keyed by type", TIGHTENED),
    Advice(
        Topic.RELEASE_NOTES, "say that no field of status is required any more", frozenset(("required-status-fields",))
    ),
    Advice(
        Topic.RELEASE_NOTES, "say that the CRDs need Kubernetes 1.16 or newer (apiextensions.k8s.io/v1)", task=_TO_V1
    ),
)
# The rules whose fixes need nothing that no advice tells.
ADVISED = frozenset(rule for advice in ADVICE for rule in advice.rules if advice is not HOLD_OBJECTS)
