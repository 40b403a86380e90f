"""Argo CD's health of an object (argo-cd, util/lua/lua.go; gitops-engine, pkg/health/health.go).

Argo CD knows custom resources by Lua scripts, one for a kind or a family of groups; a kind without one has no health,
and an application of such objects counts as healthy at once. Which scripts there are, and what they read, is in
``argocd_scripts.json``; the scripts themselves belong to Argo CD and are read from where the user has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from crdlint.consumers.unstructured import AccessorError, group_and_kind, nested_string
from crdlint.errors import UsageError

PROGRESSING, HEALTHY, DEGRADED, SUSPENDED, MISSING_HEALTH, UNKNOWN = (
    "Progressing",
    "Healthy",
    "Degraded",
    "Suspended",
    "Missing",
    "Unknown",
)
_CODES = frozenset({PROGRESSING, HEALTHY, DEGRADED, SUSPENDED, MISSING_HEALTH, UNKNOWN})
_SCRIPT = "health.lua"

# Kinds whose health Argo CD computes in Go.
_OWN_CHECKS = frozenset(
    [
        "Pod",
        "Service",
        "PersistentVolumeClaim",
        "apps/Deployment",
        "apps/StatefulSet",
        "apps/ReplicaSet",
        "apps/DaemonSet",
        "batch/Job",
        "extensions/Ingress",
        "networking.k8s.io/Ingress",
        "autoscaling/HorizontalPodAutoscaler",
        "apiregistration.k8s.io/APIService",
        "argoproj.io/Workflow",
    ]
)


class Health(NamedTuple):
    status: str
    message: str


class ScriptReads(NamedTuple):
    """What a shipped script reads."""

    fields: tuple[str, ...]
    """Fields of status, in the order of the alphabet."""
    observed_generation: bool
    severity: bool
    """The ``severity`` of conditions, which metav1 conditions do not have."""


@lru_cache(maxsize=1)
def shipped_scripts() -> dict[str, ScriptReads]:
    """The scripts that Argo CD ships, by group and kind; ``_`` in a name stands for anything."""
    text = resources.files("crdlint.consumers").joinpath("argocd_scripts.json").read_text("utf-8")
    return {
        key: ScriptReads(tuple(row["status"]), row["observedGeneration"], row["severity"])
        for key, row in json.loads(text)["scripts"].items()
    }


def shipped_script(group: str, kind: str) -> ScriptReads | None:
    """What the script for a kind reads; None where Argo CD ships none."""
    key = matching_key(shipped_scripts(), group, kind)
    return None if key is None else shipped_scripts()[key]


def matching_key(keys: Iterable[str], group: str, kind: str) -> str | None:
    """The script for a kind: its own before one with wildcards, of these the first (``GetHealthScript``)."""
    wanted = f"{group}/{kind}" if group else kind
    known = set(keys)
    if wanted in known:
        return wanted
    wildcards = sorted(key for key in known if "_" in key)
    return next((key for key in wildcards if re.fullmatch(re.escape(key).replace("_", "[^/]*"), wanted)), None)


class ArgoCd:
    """Argo CD, with the scripts in a folder such as its own ``resource_customizations`` where one is given."""

    def __init__(self, scripts: Path | None = None) -> None:
        self._folder = scripts
        self._scripts: dict[str, Path] = {}
        if scripts is not None:
            self._scripts = {path.parent.relative_to(scripts).as_posix(): path for path in scripts.rglob(_SCRIPT)}
            if not self._scripts:
                raise UsageError(
                    f"{scripts}: there is no {_SCRIPT} in it; give Argo CD's folder resource_customizations"
                )

    def health(self, resource: dict[str, Any]) -> Health | None:
        """The health of an object; None where Argo CD has none for its kind."""
        if _is_deleted(resource):
            return Health(PROGRESSING, "Pending deletion")
        group, kind = group_and_kind(resource)
        by_script = self.script_health(resource)
        if by_script is not None:
            return by_script
        if (f"{group}/{kind}" if group else kind) in _OWN_CHECKS:
            return Health(UNKNOWN, "Argo CD judges this kind by code of its own, which crdlint does not model")
        shipped = shipped_script(group, kind) if self._folder is None else None
        if shipped is None:
            return None
        reads = ", ".join(f"status.{name}" for name in shipped.fields) or "no field of status"
        return Health(
            UNKNOWN, f"Argo CD ships a script for this kind, which reads {reads}: --argocd-scripts DIR runs it"
        )

    def script_health(self, resource: dict[str, Any]) -> Health | None:
        """What the script for its kind says; None where there is no script."""
        key = matching_key(self._scripts, *group_and_kind(resource))
        return None if key is None else self._run(self._scripts[key], resource)

    def _run(self, path: Path, resource: dict[str, Any]) -> Health:
        """``ExecuteHealthLua``; an error of the script is Unknown."""
        from crdlint.consumers.lua import LuaError, run

        try:
            script = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: cannot be read: {error}") from None
        try:
            answer = run(script, resource)
        except LuaError as error:
            return Health(UNKNOWN, str(error))
        if answer is None:
            return Health("", "")
        if not isinstance(answer, dict):
            return Health(UNKNOWN, f"expect table output from Lua script, not {type(answer).__name__}")
        status, message = answer.get("status"), answer.get("message")
        if not isinstance(status, str | None) or not isinstance(message, str | None) or not answer:
            return Health("", "")
        if status not in _CODES:
            return Health(UNKNOWN, "Lua returned an invalid health status")
        return Health(str(status), message or "")


def _is_deleted(resource: dict[str, Any]) -> bool:
    try:
        return bool(nested_string(resource, "metadata", "deletionTimestamp"))
    except AccessorError:
        return False
