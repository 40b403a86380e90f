"""kstatus' own rules for the kinds that Kubernetes brings along (cli-utils, pkg/kstatus/status/core.go)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any, NoReturn

from crdlint.consumers.kstatus import (
    CURRENT,
    FAILED,
    IN_PROGRESS,
    ComputeError,
    Result,
    conditions_of,
    generations,
)
from crdlint.consumers.unstructured import MISSING, AccessorError, is_int64, nested, nested_list

Rule = Callable[[dict[str, Any], "datetime | None"], Result]

# How long a pod may be unscheduled before it counts as unschedulable.
_SCHEDULE_WINDOW = timedelta(seconds=15)
_NO_DEADLINE = 2**31 - 1


def _integer(resource: dict[str, Any], path: str, default: int) -> int:
    """``GetIntField``: anything but an integer is the default."""
    value = _field(resource, path)
    return int(value) if is_int64(value) else default


def _string(resource: dict[str, Any], path: str, default: str = "") -> str:
    """``GetStringField``: anything but a string is the default."""
    value = _field(resource, path)
    return value if isinstance(value, str) else default


def _field(resource: dict[str, Any], path: str) -> Any:
    try:
        return nested(resource, *path.split("."))
    except AccessorError:
        return MISSING


def _in_progress(message: str) -> Result:
    return Result(IN_PROGRESS, message)


def _always_ready(resource: dict[str, Any], now: datetime | None) -> Result:
    return Result(CURRENT, "Resource is always ready")


def _service(resource: dict[str, Any], now: datetime | None) -> Result:
    if _string(resource, "spec.type", "ClusterIP") == "LoadBalancer" and not _string(resource, "spec.clusterIP"):
        return _in_progress("ClusterIP not set. Service type: LoadBalancer")
    return Result(CURRENT, "Service is ready")


def _claim(resource: dict[str, Any], now: datetime | None) -> Result:
    phase = _string(resource, "status.phase", "unknown")
    return Result(CURRENT, "PVC is Bound") if phase == "Bound" else _in_progress(f"PVC is not Bound. phase: {phase}")


def _disruption_budget(resource: dict[str, Any], now: datetime | None) -> Result:
    return Result(CURRENT, "AllowedDisruptions has been computed.")


def _pod(resource: dict[str, Any], now: datetime | None) -> Result:
    conditions = conditions_of(resource)
    phase = _string(resource, "status.phase")
    if phase == "Succeeded":
        return Result(CURRENT, "Pod has completed successfully")
    if phase == "Failed":
        return Result(CURRENT, "Pod has completed, but not successfully")
    if phase == "Running":
        if any(condition.type == "Ready" and condition.status == "True" for condition in conditions):
            return Result(CURRENT, "Pod is Ready")
        looping = _crash_looping_containers(resource)
        if looping:
            return Result(FAILED, f"Containers in CrashLoop state: {','.join(looping)}")
        return _in_progress("Pod is running but is not Ready")
    if phase == "Pending":
        scheduled = (c for c in conditions if c.type == "PodScheduled" and c.status == "False")
        unscheduled = next(scheduled, None)
        if unscheduled is None or unscheduled.reason != "Unschedulable":
            return _in_progress("Pod is in the Pending phase")
        if (now or datetime.now(timezone.utc)) - _SCHEDULE_WINDOW < _creation(resource):
            return _in_progress("Pod has not been scheduled")
        return Result(FAILED, "Pod could not be scheduled")
    if phase:
        raise ComputeError(f"unknown phase {phase}")
    return _in_progress("Pod phase not available")


def _creation(resource: dict[str, Any]) -> datetime:
    text = _string(resource, "metadata.creationTimestamp")
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        moment = datetime.min
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)


def _crash_looping_containers(resource: dict[str, Any]) -> list[str]:
    """Where a field has another type than the API server would store, Go panics."""
    try:
        statuses = nested_list(resource, "status", "containerStatuses")
    except AccessorError as error:
        raise ComputeError(str(error)) from None
    looping = []
    for container in statuses if isinstance(statuses, list) else []:
        container = _typed(container, dict)
        if "name" not in container:
            continue
        name = _typed(container["name"], str)
        inner = container
        for key in ("state", "waiting"):
            inner = _typed(inner[key], dict) if key in inner else {}
        if "reason" in inner and _typed(inner["reason"], str) == "CrashLoopBackOff":
            looping.append(name)
    return looping


def _typed(value: Any, kind: type) -> Any:
    return value if isinstance(value, kind) else _refuse()


def _refuse() -> NoReturn:
    raise ComputeError("status.containerStatuses is not a list of container statuses")


def _deployment(resource: dict[str, Any], now: datetime | None) -> Result:
    # Without a deadline the controller sets no Progressing condition.
    progressing = _integer(resource, "spec.progressDeadlineSeconds", _NO_DEADLINE) == _NO_DEADLINE
    available = False
    for condition in conditions_of(resource):
        if condition.type == "Progressing":
            if condition.reason == "ProgressDeadlineExceeded":
                return Result(FAILED, "Progress deadline exceeded")
            progressing |= condition.status == "True" and condition.reason == "NewReplicaSetAvailable"
        elif condition.type == "Available":
            available |= condition.status == "True"
    wanted = _integer(resource, "spec.replicas", 1)
    replicas, updated, ready, ready_long = (
        _integer(resource, f"status.{name}", 0)
        for name in ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    )
    if wanted > replicas:
        return _in_progress(f"Replicas: {replicas}/{wanted}")
    if wanted > updated:
        return _in_progress(f"Updated: {updated}/{wanted}")
    if replicas > wanted:
        return _in_progress(f"Pending termination: {replicas - wanted}")
    if updated > ready_long:
        return _in_progress(f"Available: {ready_long}/{updated}")
    if wanted > ready:
        return _in_progress(f"Ready: {ready}/{wanted}")
    if not progressing:
        return _in_progress("ReplicaSet not Available")
    if not available:
        return _in_progress("Deployment not Available")
    return Result(CURRENT, f"Deployment is available. Replicas: {replicas}")


def _replica_set(resource: dict[str, Any], now: datetime | None) -> Result:
    if any(c.type == "ReplicaFailure" and c.status == "True" for c in conditions_of(resource)):
        return _in_progress("Replica Failure condition. Check Pods")
    wanted = _integer(resource, "spec.replicas", 1)
    replicas, ready, available, labelled = (
        _integer(resource, f"status.{name}", 0)
        for name in ("replicas", "readyReplicas", "availableReplicas", "fullyLabeledReplicas")
    )
    if wanted > labelled:
        return _in_progress(f"Labelled: {labelled}/{wanted}")
    if wanted > available:
        return _in_progress(f"Available: {available}/{wanted}")
    if wanted > ready:
        return _in_progress(f"Ready: {ready}/{wanted}")
    if replicas > wanted:
        return _in_progress(f"Pending termination: {replicas - wanted}")
    return Result(CURRENT, f"ReplicaSet is available. Replicas: {replicas}")


def _stateful_set(resource: dict[str, Any], now: datetime | None) -> Result:
    if _string(resource, "spec.updateStrategy.type") == "OnDelete":
        return Result(CURRENT, "StatefulSet is using the ondelete update strategy")
    wanted = _integer(resource, "spec.replicas", 1)
    replicas, ready, current, updated = (
        _integer(resource, f"status.{name}", 0)
        for name in ("replicas", "readyReplicas", "currentReplicas", "updatedReplicas")
    )
    partition = _integer(resource, "spec.updateStrategy.rollingUpdate.partition", -1)
    if wanted > replicas:
        return _in_progress(f"Replicas: {replicas}/{wanted}")
    if wanted > ready:
        return _in_progress(f"Ready: {ready}/{wanted}")
    if replicas > wanted:
        return _in_progress(f"Pending termination: {replicas - wanted}")
    if partition != -1:
        if updated < wanted - partition:
            return _in_progress(f"updated: {updated}/{wanted - partition}")
        return Result(CURRENT, f"Partition rollout complete. updated: {updated}")
    if wanted > current:
        return _in_progress(f"current: {current}/{wanted}")
    if _string(resource, "status.currentRevision") != _string(resource, "status.updateRevision"):
        return _in_progress("Waiting for updated revision to match current")
    return Result(CURRENT, f"All replicas scheduled as expected. Replicas: {replicas}")


def _daemon_set(resource: dict[str, Any], now: datetime | None) -> Result:
    generation, observed = generations(resource)
    for value, path in ((generation, "metadata.generation"), (observed, "status.observedGeneration")):
        if value is None:
            return _in_progress(f"{resource.get('kind')} {path} not found")
    wanted = _integer(resource, "status.desiredNumberScheduled", -1)
    if wanted == -1:
        return _in_progress("Missing .status.desiredNumberScheduled")
    counts = (
        ("Current", "currentNumberScheduled"),
        ("Updated", "updatedNumberScheduled"),
        ("Available", "numberAvailable"),
        ("Ready", "numberReady"),
    )
    for name, field in counts:
        count = _integer(resource, f"status.{field}", 0)
        if wanted > count:
            return _in_progress(f"{name}: {count}/{wanted}")
    return Result(CURRENT, f"All replicas scheduled as expected. Replicas: {wanted}")


def _job(resource: dict[str, Any], now: datetime | None) -> Result:
    completions = _integer(resource, "spec.completions", _integer(resource, "spec.parallelism", 1))
    succeeded, active, failed = (_integer(resource, f"status.{name}", 0) for name in ("succeeded", "active", "failed"))
    for condition in conditions_of(resource):
        if condition.type == "Complete" and condition.status == "True":
            return Result(CURRENT, f"Job Completed. succeeded: {succeeded}/{completions}")
        if condition.type == "Failed" and condition.status == "True":
            return Result(FAILED, f"Job Failed. failed: {failed}/{completions}")
    if not _string(resource, "status.startTime"):
        return _in_progress("Job not started")
    return Result(CURRENT, f"Job in progress. success:{succeeded}, active: {active}, failed: {failed}")


def _crd(resource: dict[str, Any], now: datetime | None) -> Result:
    for condition in conditions_of(resource):
        if condition.type == "NamesAccepted" and condition.status == "False":
            return Result(FAILED, condition.message)
        if condition.type == "Established":
            if condition.status == "False" and condition.reason != "Installing":
                return Result(FAILED, condition.message)
            if condition.status == "True":
                return Result(CURRENT, "CRD is established")
    return _in_progress("Install in progress")


RULES: dict[str, Rule] = {
    "Service": _service,
    "Pod": _pod,
    "Secret": _always_ready,
    "ConfigMap": _always_ready,
    "PersistentVolumeClaim": _claim,
    "apps/StatefulSet": _stateful_set,
    "apps/DaemonSet": _daemon_set,
    "extensions/DaemonSet": _daemon_set,
    "apps/Deployment": _deployment,
    "extensions/Deployment": _deployment,
    "apps/ReplicaSet": _replica_set,
    "extensions/ReplicaSet": _replica_set,
    "policy/PodDisruptionBudget": _disruption_budget,
    "batch/CronJob": _always_ready,
    "batch/Job": _job,
    "apiextensions.k8s.io/CustomResourceDefinition": _crd,
}
"""By group and kind; kinds of the core group stand without one."""
