"""What is planned, by CRD and version, for all copies at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from crdlint.choices import Choices
from crdlint.consumers.timeline import Controller, simulate, worse
from crdlint.errors import UsageError
from crdlint.findings import Applicability
from crdlint.migrate.chosen import LeftOut
from crdlint.migrate.plan import Cure, Plan, Step
from crdlint.migrate.planner import Planner, Wishes
from crdlint.migrate.repository import Repository, crds_in
from tests.migrate.work_tree import WorkTree, planned, planner
from tests.surroundings import ROOT
from tests.texts import CLEAN, MANUAL, OTHER, RULE, SAFE, TWO_SAFE, UNREADABLE, UNSAFE, WARNING

DEFAULT = "            default:\n              observedGeneration: -1\n"
NO_SUBRESOURCE = CLEAN.replace("    subresources:\n      status: {}\n", "")
SAMPLE = ROOT / "fixtures" / "provider-repo"
BASE, CHART, BUNDLE = "config/crd/bases/widgets.yaml", "charts/x/templates/crds.yaml", "dist/install.yaml"


def steps(plan: Plan) -> dict[tuple[str | None, str | None], Step]:
    return {(step.version, step.rule): step for _, step in plan.steps()}


def in_chart(text: str) -> str:
    return "{{- if .Values.crds }}\n" + text + "{{- end }}\n"


def test_a_clean_repository_has_an_empty_plan() -> None:
    plan = planned({BASE: CLEAN, "x.yaml": OTHER})
    assert list(plan.steps()) == []
    assert plan.changed == []
    assert [crd.name for crd in plan.crds] == ["widgets.example.com"]


def test_unsafe_fixes_are_planned_and_say_what_else_has_to_be_done() -> None:
    plan = planned({BASE: UNSAFE})
    step = steps(plan)["v1", "missing-status-subresource"]
    assert (step.cure, step.applicability) == (Cure.YAML, Applicability.UNSAFE)
    assert step.reasons
    assert plan.remaining == []
    assert [file.path for file in plan.changed] == [BASE]


def test_what_no_edit_cures_stays_for_people() -> None:
    plan = planned({BASE: MANUAL})
    assert {step.cure for _, step in plan.steps()} == {Cure.HAND}
    assert {step.rule for _, step in plan.steps()} == {finding.rule for finding in plan.remaining}
    assert plan.changed == []


def test_what_nobody_has_to_do_is_done_where_it_is_asked_for() -> None:
    rule = "capi-paused-column"
    files = {BASE: (ROOT / "fixtures" / rule / "without-columns" / "in.yaml").read_text("utf-8")}
    left = next(step for _, step in planned(files).steps() if step.rule == rule)
    assert left.cure is Cure.HAND
    assert f"--only {rule}" in " ".join(left.reasons)
    asked = planned(files, Wishes(Choices(select=(rule,)), only=frozenset({rule})))
    assert [(step.rule, step.cure) for _, step in asked.steps()] == [(rule, Cure.YAML)]


def test_each_copy_is_changed_alike() -> None:
    plan = planned({BUNDLE: OTHER + "---\n" + SAFE, CHART: in_chart(SAFE), BASE: SAFE})
    step = steps(plan)["v1", RULE]
    assert [(spot.place.path, spot.planned) for spot in step.spots] == [(BASE, True), (BUNDLE, True), (CHART, True)]
    assert plan.crds[0].leading.path == BASE
    assert plan.files[CHART].after.decode() == in_chart(CLEAN)
    assert plan.files[BUNDLE].after.decode() == OTHER + "---\n" + CLEAN
    for spot in step.spots:
        line = plan.files[spot.place.path].before.decode().splitlines()[spot.place.line - 1]
        assert line.strip().startswith("status:"), spot


def test_the_generated_copy_leads() -> None:
    annotation = "  annotations:\n    controller-gen.kubebuilder.io/version: v0.18.0\n"
    generated = SAFE.replace("  name: widgets.example.com\n", annotation + "  name: widgets.example.com\n")
    plan = planned({"a/b.yaml": SAFE, "z/generated.yaml": generated})
    assert plan.crds[0].leading.path == "z/generated.yaml"


def test_a_copy_that_cannot_follow_is_named() -> None:
    """A template writes the status of one copy: the others are fixed all the same."""
    templated = SAFE.replace(
        "            type: object\n        type: object\n    served",
        '            {{- include "x" . | nindent 12 }}\n            type: object\n        type: object\n    served',
    )
    plan = planned({BASE: SAFE, CHART: templated})
    step = steps(plan)["v1", RULE]
    assert step.cure is Cure.YAML
    assert [spot.place.path for spot in step.left_behind] == [CHART]
    assert all(spot.why_not for spot in step.left_behind)
    assert plan.files[CHART].after == plan.files[CHART].before
    assert plan.files[BASE].after.decode() == CLEAN


def test_copies_that_differ_are_named_with_both_places() -> None:
    plan = planned({BASE: SAFE, CHART: in_chart(SAFE.replace("minimum: 1", "minimum: 2").replace('"a thing"', "x"))})
    (copy,) = plan.crds[0].copies
    (difference,) = copy.differences
    assert difference.what == "v1 spec.size.minimum"
    for place in (difference.leading, difference.copy):
        assert "minimum" in plan.files[place.path].before.decode().splitlines()[place.line - 1]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("name: v1\n", "name: v2\n"), ["version v1", "version v2"]),
        (("scope: Namespaced", "scope: Cluster"), ["scope"]),
        (("served: true", "served: false"), ["v1 served"]),
        (("              phase:\n                type: string\n", ""), ["v1 status.phase"]),
        (("      status: {}\n", "      status: null\n"), ["v1 subresources.status"]),
        (("description: Widget is", "description: It is"), []),
        (("size:\n                default: 3\n", "size:\n"), ["v1 spec.size.default"]),
    ],
)
def test_what_counts_as_a_difference(change: tuple[str, str], what: list[str]) -> None:
    changed = SAFE.replace(*change)
    assert changed != SAFE
    (copy,) = planned({BASE: SAFE, BUNDLE: changed}).crds[0].copies
    assert [difference.what for difference in copy.differences] == what


def test_versions_in_another_order_are_the_same() -> None:
    head, first, second = TWO_SAFE.partition("  - name: v1beta1\n")[0], *TWO_SAFE.split("  - name: ")[1:]
    swapped = f"{head}  - name: {second}  - name: {first}"
    plan = planned({BASE: TWO_SAFE, BUNDLE: swapped})
    assert plan.crds[0].copies[0].differences == ()
    assert all(len(step.spots) == 2 for _, step in plan.steps())
    assert {step.version for _, step in plan.steps()} == {"v1", "v1beta1"}


def test_a_copy_in_v1beta1_is_kept_in_step() -> None:
    """The same finding, though it stands at the top level there."""
    old = WARNING.replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")
    step = steps(planned({BASE: WARNING, BUNDLE: old}))["v1", "conditions-list-type"]
    assert [spot.place.path for spot in step.spots] == [BASE, BUNDLE]


def test_patches_are_no_copies() -> None:
    patch = SAFE.partition("spec:\n")[0] + "spec:\n  conversion:\n    strategy: Webhook\n"
    plan = planned({BASE: SAFE, "config/crd/patches/x.yaml": patch})
    (crd,) = plan.crds
    assert [copy.path for copy in crd.patches] == ["config/crd/patches/x.yaml"]
    assert crd.copies == ()
    assert planned({"config/crd/patches/x.yaml": patch}).crds == []


def test_a_file_that_cannot_be_read_is_told_of() -> None:
    plan = planned({BASE: SAFE, "broken.yaml": UNREADABLE})
    assert [finding.rule for finding in plan.others] == ["unreadable-file"]
    assert [finding.rule for finding in plan.remaining] == ["unreadable-file"]


def test_only_some_rules() -> None:
    plan = planned({BASE: UNSAFE}, Wishes(Choices(select=("missing-status-subresource",))))
    assert [step.rule for _, step in plan.steps()] == ["missing-status-subresource"]


def test_only_some_crds() -> None:
    other = SAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")
    files = {BASE: SAFE, "gadgets.yaml": other, BUNDLE: f"{SAFE}---\n{other}"}
    plan = planned(files, Wishes(crds=frozenset(("gadgets.example.com",))))
    assert {crd.name for crd, _ in plan.steps()} == {"gadgets.example.com"}
    assert plan.files[BUNDLE].after.decode() == SAFE + "---\n" + plan.files["gadgets.yaml"].after.decode()
    with pytest.raises(UsageError, match=r"gadget\.example\.com.*did you mean gadgets\.example\.com\?"):
        planner(files, Wishes(crds=frozenset(("gadget.example.com",)))).check_names()


def test_what_is_left_out_is_left_out_of_all_versions() -> None:
    """A default goes into all versions or none."""
    made = planner({BASE: TWO_SAFE})
    step = steps(made.plan())["v1", RULE]
    again = Planner(made.repository, made.wishes, LeftOut())
    again.left_out.add(step.keys, "for a test", step.is_default)
    found = steps(again.plan())
    assert {step.cure for step in found.values()} == {Cure.HAND}
    assert all(step.reasons == ("for a test",) for step in found.values())


def test_what_a_left_out_fix_carries_waits() -> None:
    """The default rests on the subresource."""
    made = planner({BASE: UNSAFE})
    step = steps(made.plan())["v1", "missing-status-subresource"]
    made.left_out.add(step.keys, "for a test", step.is_default)
    assert {step.cure for _, step in made.plan().steps()} == {Cure.HAND}


def test_one_edit_is_one_step() -> None:
    """Two rules that one edit cures: one step, which leaves both out or none."""
    made = planner({BASE: NO_SUBRESOURCE})
    (step,) = [step for _, step in made.plan().steps()]
    assert set(step.rules) == {"observed-generation-default-without-subresource", "missing-status-subresource"}
    assert len({one.place for one in (step, *step.also)}) == 2
    made.left_out.add(step.keys, "for a test", step.is_default)
    (step,) = [step for _, step in made.plan().steps()]
    assert (step.cure, step.reasons, len(step.rules)) == (Cure.HAND, ("for a test",), 2)


def test_different_edits_are_several_steps() -> None:
    plan = planned({BASE: UNSAFE})
    assert len(steps(plan)) == 2
    assert all(step.also == () for _, step in plan.steps())


@pytest.mark.parametrize("text", [NO_SUBRESOURCE, NO_SUBRESOURCE.replace(DEFAULT, "")])
def test_nothing_that_waiters_hang_on_is_done_to_a_crd_that_is_refused(text: str) -> None:
    """What is done takes no effect until a person has mended the default, and cannot be judged before."""
    phase = "              phase:\n"
    text = text.replace(phase, phase + "                default: 7\n")
    plan = planned({BASE: text})
    assert {step.cure for _, step in plan.steps()} == {Cure.HAND}
    (crd,) = plan.crds
    assert crd.refusal is not None
    assert crd.refusal.rule == "rejected-default"
    switching = steps(plan)["v1", "missing-status-subresource"]
    assert switching.is_left_out
    assert "mend the default" in " ".join(switching.reasons)
    # Who asks for it by name gets it.
    rule = "missing-status-subresource"
    choices = Choices(select=(rule, "rejected-default"))
    plan = planned({BASE: text}, Wishes(choices, only=frozenset((rule,))))
    assert steps(plan)["v1", rule].is_planned


def test_no_waiter_gets_worse() -> None:
    """Over all fixtures: once people have done what the plan says beside it, each consumer is as right as before."""
    writes = frozenset(("status.observedGeneration", "conditions.observedGeneration", "status-endpoint"))
    compared = 0
    for path in sorted((ROOT / "fixtures").glob("*/*/in.yaml")):
        plan = planned({"in.yaml": path.read_bytes()})
        for crd in plan.crds:
            after = list(crds_in(Repository.parsed(plan.files["in.yaml"].after)))
            migrated = after[crd.leading.file.copies.index(crd.leading)][1]
            for old, new in zip(crd.leading.crd.judged_versions, migrated.judged_versions, strict=True):
                controller = Controller(new, writes)
                found = worse(simulate(old, controller=controller), simulate(new, controller=controller))
                assert found == [], path
                compared += 1
    assert compared > 300


def test_an_obsolete_crd_is_told_of_the_conversion() -> None:
    old = CLEAN.replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1").replace(DEFAULT, "")
    (step,) = [step for _, step in planned({BASE: old}).steps() if step.rule == "obsolete-crd-version"]
    assert "--to-v1" in step.message
    assert not any("--to-v1" in step.message for _, step in planned({BASE: old}, Wishes(to_v1=True)).steps())


def test_only_is_named_where_it_names_no_rule(tree: WorkTree) -> None:
    tree.commit({BASE: SAFE})
    for value, expected in {"nope": "--only: there is no rule or pack 'nope'", "": "--only names no rule"}.items():
        code, _, err = tree.migrate("--only", value)
        assert code == 2
        assert expected in err
        assert "--select" not in err


def test_what_the_migration_adds_is_not_taken_as_written() -> None:
    """Once conditions declare their generation, the default looks safe; it is not, since nobody writes that yet."""
    text = CLEAN.replace("            default:\n              observedGeneration: -1\n", "").replace(
        "                    observedGeneration:\n                      format: int64\n"
        "                      minimum: 0\n                      type: integer\n",
        "",
    )
    found = steps(planned({BASE: text}))
    assert found["v1", "condition-observed-generation"].applicability is Applicability.UNSAFE
    assert found["v1", RULE].applicability is Applicability.UNSAFE


def test_the_sample_repository_twice(tree: WorkTree) -> None:
    """All that is planned is done by the first run; the second plans nothing, and finds what the first foretold."""
    tree.copy(SAMPLE)
    before = tree.report()
    assert before["summary"]["planned"] > 10
    code, _, err = tree.migrate("--apply")
    assert code == 1, err
    assert sorted(tree.changed()) == sorted(before["changed"])
    after = tree.report()
    assert after["summary"]["planned"] == 0
    keys = ("rule", "crd", "version")
    told = [[tuple(one[key] for key in keys) for one in report["remaining"]] for report in (before, after)]
    assert told[0] == told[1]
    assert after["summary"]["racesBefore"] == before["summary"]["racesAfter"]


def test_places_are_those_of_check(tree: WorkTree) -> None:
    """Each finding of `check` stands in the plan at the same line."""
    import json

    from tests.cli.run import crdlint

    tree.copy(SAMPLE)
    checked = json.loads(crdlint(tree.folder, "check", "--format", "json").stdout)["findings"]
    places = {
        (told["rule"], place["path"], place["line"])
        for crd in tree.report()["crds"]
        for step in crd["steps"]
        for told in (step, *step["also"])
        for place in told["places"]
    }
    expected = {(one["rule"], one["path"], one["line"]) for one in checked if one["rule"] != "unreadable-file"}
    assert expected <= places


def test_the_planner_reads_every_copy_once(tmp_path: Path) -> None:
    """Two files of one CRD, and one file with two CRDs."""
    other = SAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")
    plan = planned({BASE: SAFE, BUNDLE: f"{SAFE}---\n{other}"})
    assert [(crd.name, len(crd.copies)) for crd in plan.crds] == [
        ("widgets.example.com", 1),
        ("gadgets.example.com", 0),
    ]
    assert len(plan.crds[1].steps) == 1


def test_crds_without_a_name_are_no_copies_of_each_other() -> None:
    nameless = SAFE.replace("  name: widgets.example.com\n", "  labels: {}\n")
    plan = planned({"a.yaml": nameless, "b.yaml": f"{nameless}---\n{nameless}"})
    assert [(crd.leading.path, len(crd.copies), len(crd.steps)) for crd in plan.crds] == [
        ("a.yaml", 0, 1),
        ("b.yaml", 0, 1),
        ("b.yaml", 0, 1),
    ]
    assert plan.others == []


def test_the_same_crd_twice_in_one_file() -> None:
    plan = planned({BUNDLE: f"{SAFE}---\n{SAFE}"})
    (step,) = [step for _, step in plan.steps()]
    assert [spot.planned for spot in step.spots] == [True, True]
    assert len({spot.place.line for spot in step.spots}) == 2
    assert plan.files[BUNDLE].after.decode() == f"{CLEAN}---\n{CLEAN}"
