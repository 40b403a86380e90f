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
    "hold the objects of a real cluster against the new schema before it is rolled out: "
    "`kubectl get <plural> -A -o yaml > objects.yaml`, then `crdlint migrate --objects objects.yaml`",
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
        "write status.observedGeneration in every write of status, of paused and failed objects too: without it "
        "waiters see -1 for ever (`obj.Status.ObservedGeneration = obj.Generation`)",
        DEFAULTS,
        question=Question.OBSERVED_GENERATION,
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
        "a -1 that was persisted stays: an object that is written before its controller has observed it holds the -1 "
        "in etcd, also after a roll-back, until its controller writes the field",
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
        "no order is without a gap here: before the switch `Status().Update` gets 404, after it a plain Update stores "
        "no status; a controller that tries both bridges it",
        SUBRESOURCE,
    ),
    Advice(
        Topic.ROLL_BACK,
        "the default can be taken away again: objects that were never written have no status then; roll the CRD back "
        "before the controller",
        DEFAULTS,
    ),
    Advice(
        Topic.ROLL_BACK,
        "switching the subresource off again makes each write of status a new generation: roll the controller back "
        "first",
        SUBRESOURCE,
    ),
    Advice(
        Topic.ROLL_BACK,
        "the conditions can be loosened again at any time: no stored data changes",
        TIGHTENED,
    ),
    Advice(
        Topic.RELEASE_NOTES,
        "new objects start with status.observedGeneration -1, so that Flux, Helm 4 and kpt wait for the controller; "
        "scripts that take an absent status for a new object have to change; crdify reports the new default",
        DEFAULTS,
    ),
    Advice(
        Topic.RELEASE_NOTES,
        "status is a subresource now: manifests and restores that carry it no longer set it",
        SUBRESOURCE,
    ),
    Advice(Topic.RELEASE_NOTES, "status.conditions are metav1.Condition, keyed by type", TIGHTENED),
    Advice(Topic.RELEASE_NOTES, "no field of status is required any more", frozenset(("required-status-fields",))),
    Advice(Topic.RELEASE_NOTES, "the CRDs need Kubernetes 1.16 or newer (apiextensions.k8s.io/v1)", task=_TO_V1),
)
