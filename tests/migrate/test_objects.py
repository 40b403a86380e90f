"""Stored objects held against the plan: what breaks one is taken out, and the object is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crdlint.errors import UsageError
from crdlint.migrate.checklist import MOST_SHOWN, checklist
from crdlint.migrate.held import BROKEN, CONVERTED, MOST_KEPT, SAVED, Broken, Stored, TakenOut
from crdlint.migrate.objects import Objects
from crdlint.migrate.plan import Cure, Plan, Step
from crdlint.migrate.planner import Planner, Wishes
from crdlint.stored.objects import StoredObject
from crdlint.stored.verdict import Verdict
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
LOST = Verdict((), ("status.x",), ())
MIGRATE_27 = ("--kubernetes", "1.27", "--objects")
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


def write(path: Path, objects: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"---\n{json.dumps(one)}\n" for one in objects))


def held(
    objects: list[dict[str, Any]], folder: Path, kubernetes: str = "1.29", text: str = WEAK
) -> tuple[Plan, Stored]:
    path = folder / "objects.yaml"
    write(path, objects)
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
    assert "it breaks 3 stored objects" in why


def test_the_plan_marks_what_was_taken_out(tree: WorkTree, tmp_path: Path) -> None:
    """The step says which object, and how many; the summary says that there is one less."""
    tree.commit({FILE: WEAK})
    objects = tmp_path / "objects.yaml"
    write(objects, [GOOD, NO_REASON, widget("another", condition(reason=""))])
    code, out, _ = tree.migrate("--objects", str(objects), "--kubernetes", "1.27")
    text = " ".join(out.split())
    assert code == 1
    assert f"out line 37 {TIGHTENING}" in text
    assert f"taken out: it breaks 2 stored objects: Widget default/no-reason ({objects}:4)" in text
    assert "1 step taken out because of 2 objects" in text
    assert "0 broken by what is left of the plan" in text
    steps = {step["rule"]: step["takenOut"] for step in tree.report(*MIGRATE_27, str(objects))["crds"][0]["steps"]}
    assert steps[KEYING] is None
    assert [one["object"] for one in steps[TIGHTENING]["objects"]] == [
        "Widget default/no-reason",
        "Widget default/another",
    ]
    assert steps[TIGHTENING]["isAll"] is True


def test_what_was_taken_out_stays_marked(tmp_path: Path) -> None:
    """The plan is held against the objects anew once somebody has declined a step of it."""
    path = tmp_path / "objects.yaml"
    write(path, [NO_REASON])
    made = planner({FILE: WEAK})
    objects = Objects.of([str(path)], "1.27")
    plan, _ = objects.held_against(made, made.plan())
    made.left_out.add(step_of(plan, KEYING).keys, "for a test", is_default=False)
    plan, stored = objects.held_against(made, made.plan())
    assert stored.because_of(step_of(plan, TIGHTENING)) is not None
    assert stored.because_of(step_of(plan, KEYING)) is None


def test_a_step_that_cures_two_findings_is_taken_out_as_one() -> None:
    """Leaving out only one of the two findings would make the same edit all the same."""
    made = planner({FILE: without(CLEAN, "    subresources:\n      status: {}\n")})
    plan = made.plan()
    (step,) = [step for _, step in plan.steps() if len(step.rules) > 1]
    taken = TakenOut(step.keys, step.is_default, [Broken(StoredObject("x.yaml", 3, GOOD), LOST, 1)])
    assert taken.holds(step)
    assert taken.told() == "it breaks a stored object: Widget default/good (x.yaml:3): the next write loses status.x"
    made.left_out.add(taken.keys, taken.told(), taken.is_default)
    assert not any(step.is_planned for _, step in made.plan().steps() if len(step.rules) > 1)


@pytest.mark.parametrize("count", [1, MOST_SHOWN + 5])
def test_what_ratcheting_saves_is_listed(count: int, tmp_path: Path) -> None:
    objects = [widget(f"bad-{index}", condition(reason="")) for index in range(count)]
    plan, stored = held([GOOD, *objects], tmp_path, kubernetes="1.30")
    assert (stored.count(SAVED), stored.count(BROKEN)) == (count, 0)
    (item,) = [item for item in checklist(plan, stored) if "from Kubernetes 1.30 on" in item.text]
    assert [mention.subject for mention in item.mentions] == [
        f"Widget default/{one['metadata']['name']}" for one in objects
    ][:MOST_SHOWN]
    assert "status.conditions[0].reason" in item.mentions[0].remark
    assert (f"{MOST_SHOWN} of {count} are shown" in item.text) == (count > MOST_SHOWN)
    _, before = held([GOOD, *objects], tmp_path, kubernetes="1.29")
    assert before.count(SAVED) == 0


def other_version(text: str, strategy: str = "None") -> str:
    """The CRD with a second version, which has what the first one lacks."""
    head, _, rest = CLEAN.partition("  - name: v1\n")
    older = rest.replace("storage: true", "storage: false")
    conversion = f"  conversion:\n    strategy: {strategy}\n"
    return (
        head.replace("  versions:\n", conversion + "  versions:\n")
        + "  - name: v1beta1\n"
        + older
        + text.partition("spec:\n")[2].partition("  versions:\n")[2]
    )


@pytest.mark.parametrize(("strategy", "cure"), [("None", Cure.HAND), ("Webhook", Cure.YAML)])
def test_objects_are_judged_by_all_versions_that_differ_in_name_only(strategy: str, cure: Cure, tmp_path: Path) -> None:
    """Without a webhook an object that is given in one version may be written through the other."""
    text = other_version(WEAK, strategy)
    one = widget("no-reason", condition(reason=""), version="v1beta1")
    plan, stored = held([one], tmp_path, text=text)
    assert cures(plan)[TIGHTENING] is cure
    (item,) = [item for item in checklist(plan, stored) if item.text.startswith("give this object")]
    assert "kubectl get widgets.v1.example.com -A -o yaml" in item.text
    assert item.mentions[0].remark == "given as v1beta1"


@pytest.mark.parametrize("versions", [2, 3])
def test_a_step_that_breaks_an_object_is_taken_out_of_all_versions_alike(versions: int, tmp_path: Path) -> None:
    """What one version less says of it the others still say."""
    head, _, rest = WEAK.partition("  - name: v1\n")
    older = rest.replace("storage: true", "storage: false")
    text = head + "".join(f"  - name: v1beta{index}\n{older}" for index in range(1, versions)) + f"  - name: v1\n{rest}"
    plan, stored = held([NO_REASON], tmp_path, text=text)
    found = [(step.rule, step.cure) for _, step in plan.steps()]
    assert sorted(found) == [(KEYING, Cure.YAML)] * versions + [(TIGHTENING, Cure.HAND)] * versions
    assert stored.count(BROKEN) == 0
    assert all(stored.because_of(step) for _, step in plan.steps() if step.rule == TIGHTENING)


def test_objects_in_the_storage_version_are_as_stored(tmp_path: Path) -> None:
    plan, stored = held([GOOD], tmp_path, text=other_version(WEAK))
    assert stored.count(CONVERTED) == 0
    assert not any(item.text.startswith("give ") for item in checklist(plan, stored))


def test_an_object_of_an_unknown_version_is_passed_over(tmp_path: Path) -> None:
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
        "saved": 0,
        "undecided": 0,
        "converted": 0,
    }
    (crd,) = report["crds"]
    assert {step["rule"]: step["cure"] for step in crd["steps"]} == {TIGHTENING: "hand", KEYING: "yaml"}
    code, out, _ = tree.migrate("--objects", str(objects), "--kubernetes", "1.27", "--apply")
    assert code == 1
    assert "Widget default/no-reason" in " ".join(out.split())
    assert "minLength: 1\n" not in tree.read(FILE).partition("conditions:")[2].partition("phase:")[0]
    assert "x-kubernetes-list-type: map" in tree.read(FILE)
