"""Objects of the CRDs under test, and what a controller writes into their status."""

from __future__ import annotations

from typing import Any

from tests.upstream.controlplane.api_client import ApiClient, Json, Resource

WHEN = "2026-01-01T00:00:00Z"


def condition(kind: str, status: str = "True", reason: str = "Done", **fields: Any) -> Json:
    """One condition, with all that metav1 requires."""
    return {"type": kind, "status": status, "reason": reason, "message": "", "lastTransitionTime": WHEN, **fields}


def create(api: ApiClient, resource: Resource, name: str = "one", **fields: Any) -> Json:
    """Create an object and read it back."""
    api.create(resource.collection, resource.new(name, spec={"size": 1}, **fields))
    return api.get(resource.path(name))


def write_status(api: ApiClient, resource: Resource, status: Json, name: str = "one") -> Json:
    """Merge into the status through its own endpoint, as a patching controller does."""
    return api.patch(f"{resource.path(name)}/status", {"status": status})


def resize(api: ApiClient, resource: Resource, size: int, name: str = "one") -> Json:
    """Change the spec."""
    return api.patch(resource.path(name), {"spec": {"size": size}})
