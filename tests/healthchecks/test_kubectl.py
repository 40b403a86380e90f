"""Where `kubectl wait` would return early or hang, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from crdlint.healthchecks.kubectl import Wait, waits
from crdlint.healthchecks.limits import limits
from tests.consumers.build import GUARD, METAV1, OBSERVED, crd_of, status_of, without_generation
from tests.healthchecks.asking import checked, told
from tests.healthchecks.lives import POSITIVE

CONDITION = "kubectl wait -n NAMESPACE widgets.example.com/NAME --for=condition=Up --timeout=5m"
PATH = (
    "kubectl wait -n NAMESPACE widgets.example.com/NAME "
    "'--for=jsonpath={.status.conditions[?(@.type==\"Up\")].status}=True' --timeout=5m"
)
FULL = status_of(observedGeneration=OBSERVED, conditions=METAV1)
ONLY_STATUS = status_of(observedGeneration=OBSERVED, conditions=without_generation(METAV1))
NOBODY = status_of(conditions=without_generation(METAV1))


def given(status: dict[str, Any], *types: str, subresource: bool = True) -> list[Wait]:
    check, assessment = checked(crd_of(status, subresource=subresource), told(dict.fromkeys(types, POSITIVE)))
    return waits(check, assessment.versions)


@pytest.mark.parametrize("status", [FULL, {**FULL, "default": GUARD}, ONLY_STATUS])
def test_nothing_to_say(status: dict[str, Any]) -> None:
    assert given(status, "Up") == [Wait(CONDITION, "")]


def test_returns_early() -> None:
    (wait,) = given(NOBODY, "Up")
    assert wait.command == CONDITION
    assert wait.note.startswith("for v1 it returns early: after a change of spec")


def test_may_hang() -> None:
    first, second = given({**ONLY_STATUS, "default": GUARD}, "Up")
    assert first == Wait(CONDITION, "")
    assert second.command == PATH
    assert second.note.startswith("use it where the other one hangs")


def test_never_returns() -> None:
    (wait,) = given(FULL, "Up", subresource=False)
    assert wait.command == PATH
    assert "would never return: the status subresource is off" in wait.note
    assert [wait.command for wait in given(NOBODY, "Up", subresource=False)] == [CONDITION]


def test_alternatives() -> None:
    notes = {wait.command and wait.command.split()[5]: wait.note for wait in given(FULL, "Ready", "Available", "Up")}
    assert notes == {
        "--for=condition=Available": "for objects that have Available",
        "--for=condition=Ready": "for objects that have Ready",
        "--for=condition=Up": "",
    }


@pytest.mark.parametrize("name", ["a=b", "a\nb", "\x1b[2J"])
def test_what_kubectl_cannot_be_asked_for(name: str) -> None:
    (wait,) = given(FULL, name)
    assert wait.command is None
    assert wait.note.startswith("kubectl cannot be asked for the condition")
    assert wait.note.isprintable()


def test_no_path_leads_to_some() -> None:
    (wait,) = given(FULL, 'say "Up"', subresource=False)
    assert wait == Wait(None, "there is no path that leads to the condition 'say \"Up\"'")


def test_limits() -> None:
    """What neither Flux nor Argo CD can make up for."""
    found = {
        "full": limits(crd_of(FULL).versions),
        "nobody tells": limits(crd_of(NOBODY).versions),
        "never": limits(crd_of(FULL, subresource=False).versions),
        "each write is one, and nobody tells": limits(crd_of(NOBODY, subresource=False).versions),
    }
    begins = {name: [text.partition(":")[2].split(":")[0].strip() for text in texts] for name, texts in found.items()}
    unseen = ["neither status nor the conditions say which generation they speak of"]
    assert begins["full"] == []
    assert begins["nobody tells"] == begins["each write is one, and nobody tells"] == unseen
    assert begins["never"][0].startswith("the status subresource is off")
