"""Stored objects held against the plan: what breaks one is taken out, and the object is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crdlint.errors import UsageError
from crdlint.migrate.checklist import checklist
from crdlint.migrate.objects import MOST_KEPT, Objects, Stored
from crdlint.migrate.plan import Cure, Plan, Step
from crdlint.migrate.planner import Planner, Wishes
from tests.migrate.work_tree import WorkTree, planner
from tests.texts import CLEAN


def without(text: str, *parts: str) -> str:
    for part in parts:
        assert part in text
        text = text.replace(part, "")
    return text


FILE = "config/crd/bases/widgets.yaml"
# Conditions that are weaker than metav1, and no map: both can be tightened.
WEAK = without(
    CLEAN,
    "                      maxLength: 1024\n                      minLength: 1\n",
    "                      pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$\n",
    "                x-kubernetes-list-map-keys:\n                - type\n",
    "                x-kubernetes-list-type: map\n",
    "                  - reason\n",
)
RULED = WEAK.replace(
    "              phase:\n",
    "              phase:\n                x-kubernetes-validations:\n                - rule: self != 'x'\n",
)
TIGHTENING, KEYING = "non-metav1-conditions", "conditions-list-type"


def condition(**fields: Any) -> dict[str, Any]:
    told = {
        "type": "Ready",
        "status": "True",
        "reason": "Done",
        "message": "",
        "lastTransitionTime": "2024-01-01T00:00:00Z",
    }
    return {**told, **fields}


def widget(name: str, *conditions: dict[str, Any], version: str = "v1") -> dict[str, Any]:
    return {
        "apiVersion": f"example.com/{version}",
        "kind": "Widget",
        "metadata": {"name": name, "namespace": "default", "generation": 1},
        "spec": {"size": 3},
        "status": {"observedGeneration": 1, "conditions": list(conditions)},
    }


GOOD = widget("good", condition())
NO_REASON = widget("no-reason", condition(reason=""))
TWICE = widget("twice", condition(), condition(status="False"))
OTHER = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}


def held(
    objects: list[dict[str, Any]], folder: Path, kubernetes: str = "1.29", text: str = WEAK
) -> tuple[Plan, Stored]:
    path = folder / "objects.yaml"
    path.write_text("".join(f"---\n{json.dumps(one)}\n" for one in objects))
    made: Planner = planner({FILE: text})
    return Objects.of([str(path)], kubernetes).held_against(made, made.plan())


def cures(plan: Plan) -> dict[str | None, Cure]:
    return {step.rule: step.cure for _, step in plan.steps()}


def step_of(plan: Plan, rule: str) -> Step:
    return next(step for _, step in plan.steps() if step.rule == rule)


def test_good_objects_change_nothing(tmp_path: Path) -> None:
    plan, stored = held([GOOD, OTHER], tmp_path)
    assert cures(plan) == {TIGHTENING: Cure.YAML, KEYING: Cure.YAML}
    assert (stored.checked, stored.strangers, stored.count("broken")) == (1, 1, 0)


def test_a_step_that_breaks_an_object_is_taken_out(tmp_path: Path) -> None:
    """Before ratcheting, a write of the condition, or beside it, is refused."""
    plan, stored = held([GOOD, NO_REASON], tmp_path)
    assert cures(plan) == {TIGHTENING: Cure.HAND, KEYING: Cure.YAML}
    (why,) = step_of(plan, TIGHTENING).reasons
    assert "Widget default/no-reason" in why
    assert "objects.yaml:" in why
    assert "status.conditions" in why
    assert stored.count("broken") == 0


def test_ratcheting_saves_it(tmp_path: Path) -> None:
    """With it, an unchanged reason is let through where the list is a map: writes that leave it alone pass."""
    before, after = (held([NO_REASON], tmp_path, kubernetes=version)[0] for version in ("1.27", "1.33"))
    assert cures(before)[TIGHTENING] is Cure.HAND
    assert cures(after) == {TIGHTENING: Cure.YAML, KEYING: Cure.YAML}


def test_the_object_is_told_with_its_line(tmp_path: Path) -> None:
    many = [widget(f"bad-{index}", condition(reason="")) for index in range(3)]
    plan, _ = held([GOOD, *many], tmp_path)
    (why,) = step_of(plan, TIGHTENING).reasons
    assert "bad-0" in why
    assert "and 2 more" in why


def test_a_default_that_breaks_an_object_leaves_all_versions(tmp_path: Path) -> None:
    """Objects of a version that the CRD does not have belong to nothing that is planned."""
    _, stored = held([widget("x", version="v2")], tmp_path)
    assert (stored.checked, stored.strangers) == (0, 1)


def test_objects_in_great_numbers_are_counted_and_some_are_named(tmp_path: Path) -> None:
    objects = [widget(f"w{index}", condition()) for index in range(MOST_KEPT + 10)]
    for one in objects:
        one["status"]["phase"] = "y"
    _, stored = held(objects, tmp_path, text=RULED)
    assert stored.checked == len(objects)
    assert all(len(kept) <= MOST_KEPT for one in stored.held.values() for kept in one.kept.values())


def test_the_checklist_tells_of_objects(tmp_path: Path) -> None:
    """Who has given objects is not told to check them."""
    made = planner({FILE: WEAK})
    plan = made.plan()
    texts = [item.text for item in checklist(plan)]
    assert any("--objects" in text for text in texts)
    plan, stored = held([GOOD], tmp_path)
    assert not any("--objects" in item.text for item in checklist(plan, stored))


def test_what_a_conversion_prunes_is_listed(tmp_path: Path) -> None:
    """No step of a rule is to blame: the object is named, with what it loses."""
    path = tmp_path / "objects.yaml"
    path.write_text(json.dumps({**GOOD, "extra": {"kept": "until now"}}))
    old = CLEAN.replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")
    old = old.replace("            default:\n              observedGeneration: -1\n", "")
    made = planner({FILE: old}, Wishes(to_v1=True))
    plan, stored = Objects.of([str(path)], "1.33").held_against(made, made.plan())
    (item,) = [item for item in checklist(plan, stored) if item.text.startswith("mend these objects")]
    (mention,) = item.mentions
    assert mention.subject == "Widget default/good"
    assert mention.remark == "the next write loses extra"


@pytest.mark.parametrize(("told", "version"), [("1.29", (1, 29)), ("v1.33.1", (1, 33)), ("1.36", (1, 36))])
def test_kubernetes(told: str, version: tuple[int, int]) -> None:
    assert Objects.of([], told).kubernetes == version


@pytest.mark.parametrize("told", ["", "1", "2.0", "1.x", "latest", "1.29.", "1.1111"])
def test_what_is_no_version(told: str) -> None:
    with pytest.raises(UsageError, match="write it as"):
        Objects.of([], told)


def test_from_the_command_line(tree: WorkTree, tmp_path: Path) -> None:
    tree.commit({FILE: WEAK})
    objects = tmp_path / "objects.json"
    objects.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [GOOD, NO_REASON, OTHER]}))
    report = tree.report("--objects", str(objects), "--kubernetes", "1.27")
    assert report["objects"] == {
        "kubernetes": "1.27",
        "checked": 2,
        "passedOver": 1,
        "broken": 0,
        "undecided": 0,
    }
    (crd,) = report["crds"]
    assert {step["rule"]: step["cure"] for step in crd["steps"]} == {TIGHTENING: "hand", KEYING: "yaml"}
    code, out, _ = tree.migrate("--objects", str(objects), "--kubernetes", "1.27", "--apply")
    assert code == 1
    assert "Widget default/no-reason" in " ".join(out.split())
    assert "minLength: 1\n" not in tree.read(FILE).partition("conditions:")[2].partition("phase:")[0]
    assert "x-kubernetes-list-type: map" in tree.read(FILE)
