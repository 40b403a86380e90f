"""Status schemas of different shape, as they are found in the wild."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.crds import (
    CAPI,
    INTEGER,
    LOOSE,
    METAV1,
    METAV1_ITEM,
    NOT_OBSERVED,
    crd,
    status_schema,
    version,
    without,
)
from tests.upstream.controlplane.api_client import Json

ATOMIC: Json = {"type": "array", "items": METAV1_ITEM}
WITHOUT_GENERATION: Json = {**METAV1, "items": without(METAV1_ITEM, "observedGeneration")}
OBSERVING: Json = {"observedGeneration": INTEGER, "conditions": METAV1}
UNKNOWN_AT_FIRST: Json = {
    "conditions": [
        {
            "type": "Ready",
            "status": "Unknown",
            "reason": "Pending",
            "message": "nobody has looked at it",
            "lastTransitionTime": "1970-01-01T00:00:00Z",
        }
    ]
}


def _single(status: Json | None, *, subresource: bool = True) -> Callable[[], Json]:
    return lambda: crd(version(status, subresource=subresource))


def _of(properties: Json, **keywords: object) -> Json:
    return status_schema(properties, **keywords)


def _two_versions() -> Json:
    old = version(_of(OBSERVING), name="v1beta1")
    return crd({**old, "storage": False}, version(_of({**OBSERVING, "phase": {"type": "string"}})))


def _by_name() -> dict[str, Callable[[], Json]]:
    field_default = {**OBSERVING, "observedGeneration": {**INTEGER, "default": -1}}
    positive = {**OBSERVING, "observedGeneration": {**INTEGER, "minimum": 1}}
    number_or_text = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
    return {
        "observing": _single(_of(OBSERVING)),
        "defaulted": _single(_of(OBSERVING, default=NOT_OBSERVED)),
        "defaulted-field-of-a-defaulted-status": _single(_of(field_default, default={})),
        "defaulted-field-alone": _single(_of(field_default)),
        "defaulted-to-zero": _single(_of(OBSERVING, default={"observedGeneration": 0})),
        "defaulted-to-one": _single(_of(OBSERVING, default={"observedGeneration": 1})),
        "unknown-at-first": _single(_of(OBSERVING, default=UNKNOWN_AT_FIRST)),
        "atomic-conditions": _single(_of({**OBSERVING, "conditions": ATOMIC})),
        "conditions-without-generation": _single(_of({**OBSERVING, "conditions": WITHOUT_GENERATION})),
        "defaulted-with-conditions-without-generation": _single(
            _of({**OBSERVING, "conditions": WITHOUT_GENERATION}, default=NOT_OBSERVED)
        ),
        "capi-conditions": _single(_of({**OBSERVING, "conditions": CAPI, "ready": {"type": "boolean"}})),
        "loose-conditions-only": _single(_of({"conditions": LOOSE})),
        "nothing-observed": _single(_of({"conditions": METAV1, "phase": {"type": "string"}})),
        "no-conditions": _single(_of({"observedGeneration": INTEGER, "ready": {"type": "boolean"}})),
        "minimum-one": _single(_of(positive, minProperties=1)),
        "required-ready": _single(_of({**OBSERVING, "ready": {"type": "boolean"}}, required=["ready"])),
        "int-or-string": _single(_of({**OBSERVING, "observedGeneration": number_or_text})),
        "text-generation": _single(_of({**OBSERVING, "observedGeneration": {"type": "string"}})),
        "opaque": _single({"type": "object", "x-kubernetes-preserve-unknown-fields": True}),
        "pruned": _single({"type": "object"}),
        "undeclared": _single(None),
        "no-subresource": _single(_of(OBSERVING), subresource=False),
        "defaulted-without-subresource": _single(_of(OBSERVING, default=NOT_OBSERVED), subresource=False),
        "two-versions": _two_versions,
    }


_BUILDERS = _by_name()
SHAPES = tuple(_BUILDERS)


def shape(name: str) -> Json:
    """A new CRD of that shape."""
    return _BUILDERS[name]()
