"""Every expression, script and command over the life of an object, under schemas of each shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crdlint.consumers.timeline import RIGHT
from tests.consumers.build import GUARD, METAV1, OBSERVED, crd_of, status_of, without_generation
from tests.healthchecks.asking import Asked, checked, commands, is_met, told
from tests.healthchecks.lives import (
    NEGATIVE,
    PAUSED,
    POSITIVE,
    PROGRESSING,
    WRITTEN,
    Shape,
    Types,
    argocd_answer,
    flux_answer,
    objects,
    wait_answer,
)

STATUSES: dict[str, dict[str, Any]] = {
    "full": status_of(observedGeneration=OBSERVED, conditions=METAV1),
    "guarded": {**status_of(observedGeneration=OBSERVED, conditions=METAV1), "default": GUARD},
    "only conditions tell": status_of(conditions=METAV1),
    "only status tells": status_of(observedGeneration=OBSERVED, conditions=without_generation(METAV1)),
    "guarded, only status tells": {
        **status_of(observedGeneration=OBSERVED, conditions=without_generation(METAV1)),
        "default": GUARD,
    },
    "nobody tells": status_of(conditions=without_generation(METAV1)),
    "generation as text": status_of(observedGeneration={"type": "string"}, conditions=without_generation(METAV1)),
    "required": {**status_of(conditions=METAV1, zone={"type": "string"}), "required": ["conditions", "zone"]},
    "opaque": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
}
TYPES: dict[str, Types] = {
    "Ready": {"Ready": POSITIVE},
    "Available": {"Available": POSITIVE},
    "both": {"Ready": POSITIVE, "Available": POSITIVE},
    "Crossplane": {"Synced": POSITIVE, "Ready": POSITIVE},
    "packages": {"Installed": POSITIVE, "Healthy": POSITIVE},
    "kstatus": {"Ready": POSITIVE, "Reconciling": PROGRESSING, "Stalled": NEGATIVE, "Paused": PAUSED},
    "operators": {"Available": POSITIVE, "Degraded": NEGATIVE},
    "told": {"Up": POSITIVE, "Broken": NEGATIVE, "Busy": PROGRESSING, "Held": PAUSED},
}


def test_states_are_those_of_simulate() -> None:
    assert list(WRITTEN) == list(RIGHT)


@pytest.fixture(params=STATUSES)
def status(request: pytest.FixtureRequest) -> dict[str, Any]:
    return STATUSES[request.param]


@pytest.mark.parametrize("subresource", [True, False])
@pytest.mark.parametrize("types", TYPES.values(), ids=TYPES)
class TestLife:
    def test_flux(self, status: dict[str, Any], types: Types, subresource: bool, tmp_path: Path) -> None:
        pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")
        crd = crd_of(status, subresource=subresource)
        shape, asked = Shape.of(crd.versions[0]), Asked(checked(crd, told(types))[0], tmp_path)
        for state, resource in objects(crd.versions[0], types).items():
            assert asked.flux_says(resource) == flux_answer(state, shape, types, resource), (state, resource)

    def test_argocd(self, status: dict[str, Any], types: Types, subresource: bool, tmp_path: Path) -> None:
        pytest.importorskip("lupa", reason="scripts need crdlint[argocd]")
        crd = crd_of(status, subresource=subresource)
        shape, asked = Shape.of(crd.versions[0]), Asked(checked(crd, told(types))[0], tmp_path)
        for state, resource in objects(crd.versions[0], types).items():
            assert asked.argocd_says(resource) == argocd_answer(state, shape, types), (state, resource)

    def test_kubectl(self, status: dict[str, Any], types: Types, subresource: bool) -> None:
        crd = crd_of(status, subresource=subresource)
        shape = Shape.of(crd.versions[0])
        found = list(commands(*checked(crd, told(types))))
        assert len(found) >= list(types.values()).count(POSITIVE)
        for state, resource in objects(crd.versions[0], types).items():
            for for_ in found:
                assert is_met(for_, resource) is wait_answer(state, shape, for_), (state, for_, resource)
