"""What the API server knows of one version of a CRD when it handles an object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from crdlint.crd.model import Version, mapping
from crdlint.crd.plain import holds_template
from crdlint.errors import UsageError


@dataclass(frozen=True)
class Scale:
    """The scale subresource: where it finds numbers and the selector in an object."""

    spec_replicas: str
    status_replicas: str
    selector: str | None = None


@dataclass(frozen=True)
class View:
    """A version: its schema as plain data, and what stands beside it."""

    group: str
    kind: str
    version: str
    schema: Mapping[str, Any] = field(repr=False)
    has_status_subresource: bool = True
    preserves_unknown_fields: bool = False
    scale: Scale | None = None

    @classmethod
    def of(cls, version: Version) -> View:
        """Raises `UsageError` where a template fills in what counts."""
        crd = version.crd
        schema, subresources = crd.data(version.schema_pointer), crd.data(version.subresources_pointer)
        if holds_template(schema) or holds_template(subresources) or version.has_status_subresource is None:
            raise UsageError(
                f"{crd.name}: a template fills in the schema of {version.name}, "
                "so nothing can be said of stored objects: give the rendered CRD"
            )
        return cls(
            group=crd.group,
            kind=crd.kind or "",
            version=version.name,
            schema=mapping(schema),
            has_status_subresource=version.has_status_subresource,
            preserves_unknown_fields=crd.preserves_unknown_fields,
            scale=_scale(mapping(subresources).get("scale")),
        )

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}"

    def is_of(self, data: Mapping[str, Any]) -> bool:
        """Is it an object of this version?"""
        return data.get("kind") == self.kind and data.get("apiVersion") == self.api_version


def _scale(raw: Any) -> Scale | None:
    if not isinstance(raw, Mapping):
        return None
    selector = raw.get("labelSelectorPath")
    return Scale(
        spec_replicas=str(raw.get("specReplicasPath", "")),
        status_replicas=str(raw.get("statusReplicasPath", "")),
        selector=selector if isinstance(selector, str) else None,
    )
