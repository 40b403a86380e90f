"""The life of an object under schemas of each shape, and which answers are wrong."""

from __future__ import annotations

from typing import Any

import pytest

from crdlint.consumers.timeline import RIGHT, Controller, Timeline, fix_makes_worse, simulate
from tests.consumers.build import GUARD, METAV1, OBSERVED, crd_of, status_of, version_of, without_generation

EARLY, NEVER = "too early", "never"
KSTATUS, READY, AVAILABLE, PAUSED = (
    ("kstatus", ""),
    ("kubectl-wait", "Ready"),
    ("kubectl-wait", "Available"),
    ("kubectl-wait", "Paused"),
)
FULL = status_of(observedGeneration=OBSERVED, conditions=METAV1)
GUARDED = {**FULL, "default": GUARD}


def wrong(timeline: Timeline) -> dict[str, dict[tuple[str, str], str]]:
    """By state, without Flux, which here says what kstatus says."""
    found = {}
    for state in timeline.states:
        mistakes = state.wrong()
        assert mistakes.pop(("flux", ""), None) == mistakes.get(KSTATUS)
        if mistakes:
            found[state.name] = mistakes
    return found


def statuses(timeline: Timeline) -> dict[str, Any]:
    return {state.name: state.object.get("status") for state in timeline.states}


def test_states_stand_in_the_order_of_the_table() -> None:
    names = [state.name for state in simulate(version_of(FULL)).states]
    assert names == list(RIGHT)
    assert names[0] == "created"


def test_full_status_without_a_guard() -> None:
    timeline = simulate(version_of(FULL))
    assert timeline.race
    assert wrong(timeline) == {
        "created": {KSTATUS: EARLY},
        "generation-observed": {KSTATUS: EARLY},
        "paused-from-creation": {KSTATUS: EARLY},
    }


def test_the_guard_closes_the_race() -> None:
    timeline = simulate(version_of(GUARDED))
    assert not timeline.race
    assert wrong(timeline) == {"generation-observed": {KSTATUS: EARLY}}
    assert timeline.states[0].object == {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "example", "namespace": "default", "generation": 1},
        "spec": {},
        "status": {"observedGeneration": -1},
    }


def test_the_guard_hangs_kubectl_wait_where_conditions_have_no_generation() -> None:
    """A pause patches only its condition, and the status-level -1 stays."""
    status = {**status_of(observedGeneration=OBSERVED, conditions=without_generation(METAV1)), "default": GUARD}
    timeline = simulate(version_of(status))
    assert wrong(timeline)["paused-from-creation"] == {PAUSED: NEVER}
    answer = timeline.states[6].verdicts.wait["Paused"]
    assert answer.message == "observedGeneration -1 of status is behind generation 1"


def test_no_observed_generation_at_all() -> None:
    timeline = simulate(version_of(status_of(conditions=without_generation(METAV1))))
    assert wrong(timeline)["spec-changed"] == {KSTATUS: EARLY, READY: EARLY, AVAILABLE: EARLY}


def test_no_conditions() -> None:
    timeline = simulate(version_of(status_of(observedGeneration=OBSERVED)))
    assert wrong(timeline)["ready"] == {READY: NEVER, AVAILABLE: NEVER}
    assert statuses(timeline)["ready"] == {"observedGeneration": 1}


def test_without_the_subresource_nothing_converges() -> None:
    timeline = simulate(version_of(GUARDED, subresource=False))
    ready = timeline.states[3]
    assert ready.object["metadata"]["generation"] == ready.object["status"]["observedGeneration"] + 1
    assert wrong(timeline)["ready"] == {KSTATUS: NEVER, READY: NEVER, AVAILABLE: NEVER}


def test_generation_of_type_string() -> None:
    timeline = simulate(version_of(status_of(observedGeneration={"type": "string"}, conditions=METAV1)))
    assert wrong(timeline)["ready"] == {KSTATUS: NEVER}
    assert timeline.states[3].verdicts.kstatus.status == "Unknown"


def test_conditions_that_cannot_hold_a_type() -> None:
    conditions = {
        **METAV1,
        "items": {
            **METAV1["items"],
            "properties": {**METAV1["items"]["properties"], "type": {"type": "string", "enum": ["Ready"]}},
        },
    }
    timeline = simulate(version_of(status_of(observedGeneration=OBSERVED, conditions=conditions)))
    assert wrong(timeline)["ready"] == {AVAILABLE: NEVER}
    assert wrong(timeline)["paused-from-creation"] == {KSTATUS: EARLY, PAUSED: NEVER}


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "object"}, {"type": "array"}])
def test_conditions_of_another_shape(schema: dict[str, Any]) -> None:
    timeline = simulate(version_of(status_of(observedGeneration=OBSERVED, conditions=schema)))
    assert wrong(timeline)["ready"] == {READY: NEVER, AVAILABLE: NEVER}


def test_required_fields_are_written_too() -> None:
    status = {**status_of(observedGeneration=OBSERVED, ready={"type": "boolean"}, zone={"type": "string"})}
    status["required"] = ["ready", "zone"]
    found = statuses(simulate(version_of(status)))
    assert found["created"] is None
    assert found["generation-observed"] == {"ready": False, "zone": "", "observedGeneration": 1}
    assert found["ready"] == {"ready": True, "zone": "", "observedGeneration": 1}


def test_opaque_status_holds_everything() -> None:
    timeline = simulate(version_of({"type": "object", "x-kubernetes-preserve-unknown-fields": True}))
    assert wrong(timeline) == wrong(simulate(version_of(FULL)))


def test_no_status() -> None:
    timeline = simulate(version_of(None))
    assert not timeline.race
    assert set(map(str, statuses(timeline).values())) == {"None"}


def test_deletion_is_a_generation() -> None:
    deleting = simulate(version_of(FULL)).states[-1]
    assert deleting.object["metadata"]["generation"] == 2
    assert deleting.verdicts.kstatus.status == "Terminating"
    assert deleting.verdicts.argocd == ("Progressing", "Pending deletion")


def test_the_guard_is_no_worse_where_all_is_declared() -> None:
    assert fix_makes_worse(crd_of(FULL), crd_of(GUARDED)) == []


def test_what_a_guard_makes_worse() -> None:
    conditions = without_generation(METAV1)
    before = status_of(observedGeneration=OBSERVED, conditions=conditions)
    assert fix_makes_worse(crd_of(before), crd_of({**before, "default": GUARD})) == [
        "v1: in the state paused-from-creation, kubectl-wait for Paused answers never"
    ]


def test_adding_the_field_makes_worse_unless_the_controller_writes_it() -> None:
    before = status_of(conditions=METAV1)
    after = {**status_of(observedGeneration=OBSERVED, conditions=METAV1), "default": GUARD}
    assert fix_makes_worse(crd_of(before), crd_of(after)) == [
        "v1: in the state ready, kstatus answers never",
        "v1: in the state ready, flux answers never",
    ]
    assert fix_makes_worse(crd_of(before), crd_of(after), ["status.observedGeneration"]) == []


def test_switching_the_subresource_on_loses_the_writes_of_a_controller_that_does_not_know() -> None:
    before, after = crd_of(status_of(conditions=METAV1), subresource=False), crd_of(status_of(conditions=METAV1))
    assert "v1: in the state in-progress, kstatus answers before it should" in fix_makes_worse(before, after)
    assert fix_makes_worse(before, after, ["status-endpoint"]) == []


def test_a_controller_writes_what_its_own_version_declares() -> None:
    controller = Controller(version_of(status_of(conditions=METAV1)))
    timeline = simulate(version_of(FULL), controller=controller)
    assert "observedGeneration" not in statuses(timeline)["ready"]
