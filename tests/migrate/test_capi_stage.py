"""The way of a provider to v1beta2 conditions: where it stands, and the schema part of the first stage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crdlint.choices import Choices
from crdlint.crd.model import Version
from crdlint.migrate.advice import Topic
from crdlint.migrate.capi_stage import V1BETA2_STATUS, StageNumber, stage_of
from crdlint.migrate.checklist import checklist
from crdlint.migrate.plan import Cure, Plan, Step, Task
from crdlint.migrate.planner import Wishes
from crdlint.migrate.repository import Repository
from tests.migrate.work_tree import planned
from tests.surroundings import CORPUS, corpus_files
from tests.texts import CLEAN

GROUP = "infrastructure.cluster.x-k8s.io"
OLD_LIST = """\
items:
  properties:
    lastTransitionTime:
      format: date-time
      type: string
    message:
      type: string
    reason:
      type: string
    severity:
      type: string
    status:
      type: string
    type:
      type: string
  required:
  - lastTransitionTime
  - status
  - type
  type: object
type: array
"""
METAV1 = CLEAN.partition("              conditions:\n")[2].partition("\n              observedGeneration:\n")[0] + "\n"
STAGE1 = Wishes(capi_stage1=True)


def indented(text: str, columns: int) -> str:
    return "".join(" " * columns + line + "\n" for line in text.splitlines())


def metav1(columns: int) -> str:
    return "".join(" " * (columns - 16) + line + "\n" for line in METAV1.splitlines())


OLD = "              conditions:\n" + indented(OLD_LIST, 16)
NEW = "              conditions:\n" + METAV1
STRUCT = """\
              v1beta2:
                properties:
{fields}                type: object
"""
DEPRECATED = """\
              deprecated:
                properties:
                  v1beta1:
                    properties:
                      conditions:
{fields}                    type: object
                type: object
"""
BESIDE = OLD + STRUCT.format(fields="                  conditions:\n" + metav1(20))
SWAPPED = NEW + DEPRECATED.format(fields=indented(OLD_LIST, 24))
STAGES = {
    StageNumber.NO_CONDITIONS: "",
    StageNumber.OLD_LIST: OLD,
    StageNumber.BESIDE: BESIDE,
    StageNumber.SWAPPED: SWAPPED,
    StageNumber.DONE: NEW,
}


def version(name: str, fields: str, storage: bool = True) -> str:
    return f"""\
  - name: {name}
    schema:
      openAPIV3Schema:
        properties:
          status:
            properties:
{fields}              observedGeneration:
                format: int64
                type: integer
            type: object
        type: object
    served: true
    storage: {str(storage).lower()}
    subresources:
      status: {{}}
"""


def crd(*versions: str, group: str = GROUP, kind: str = "QuarryCluster") -> str:
    plural = kind.lower() + "s"
    return f"""\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {plural}.{group}
spec:
  group: {group}
  names:
    kind: {kind}
    listKind: {kind}List
    plural: {plural}
    singular: {kind.lower()}
  scope: Namespaced
  versions:
{"".join(versions)}"""


def by_rule(plan: Plan) -> dict[str, Step]:
    return {step.rule or step.task.value: step for _, step in plan.steps()}


def versions_of(text: str) -> list[Version]:
    repository = Repository()
    repository.add("x.yaml", text.encode())
    return [one for file in repository.files for copy in file.copies for one in copy.crd.versions]


@pytest.mark.parametrize("number", STAGES)
def test_stage(number: StageNumber) -> None:
    plan = planned({"x.yaml": crd(version("v1beta1", STAGES[number]))})
    (stage,) = plan.crds[0].stages
    assert (stage.version, stage.number) == ("v1beta1", number)
    assert bool(stage.next) is (number is not StageNumber.DONE)
    line = plan.files["x.yaml"].before.decode().splitlines()[stage.place.line - 1].strip()
    assert line == ("conditions:" if number is not StageNumber.NO_CONDITIONS else "status:")


def test_other_groups_have_no_stage() -> None:
    text = crd(version("v1beta1", OLD), group="example.com")
    assert planned({"x.yaml": text}).crds[0].stages == ()
    found, as_ever = (by_rule(planned({"x.yaml": text}, wishes)) for wishes in (STAGE1, Wishes()))
    assert {name: step.cure for name, step in found.items()} == {name: step.cure for name, step in as_ever.items()}


def test_configured_groups_are_the_cluster_apis_too(tmp_path: Path) -> None:
    config = tmp_path / "crdlint.yaml"
    config.write_text("capi:\n  groups: ['*.example.com']\n")
    wishes = Wishes(Choices(config=str(config)))
    text = crd(version("v1beta1", OLD), group="infrastructure.example.com")
    assert [stage.number for stage in planned({"x.yaml": text}, wishes).crds[0].stages] == [StageNumber.OLD_LIST]


def test_stage_1_adds_what_core_capi_has() -> None:
    before = crd(version("v1beta1", OLD))
    plan = planned({"x.yaml": before}, STAGE1)
    step = by_rule(plan)["capi-stage1"]
    assert (step.task, step.cure) == (Task.CAPI_STAGE1, Cure.YAML)
    (after,) = versions_of(plan.files["x.yaml"].after.decode())
    assert stage_of(after) is StageNumber.BESIDE
    assert after.properties["v1beta2"] == V1BETA2_STATUS
    # All that was there is there, and nothing but the new field came, but for what rules changed.
    assert after.properties["conditions"]["items"] == versions_of(before)[0].properties["conditions"]["items"]
    again = planned({"x.yaml": plan.files["x.yaml"].after}, STAGE1)
    assert not [step for _, step in again.steps() if step.is_planned]


def test_stage_1_into_a_struct_that_is_there() -> None:
    fields = OLD + STRUCT.format(fields=indented("replicas:\n  type: integer", 18))
    plan = planned({"x.yaml": crd(version("v1beta1", fields))}, STAGE1)
    (after,) = versions_of(plan.files["x.yaml"].after.decode())
    assert set(after.properties["v1beta2"]["properties"]) == {"conditions", "replicas"}
    assert stage_of(after) is StageNumber.BESIDE


@pytest.mark.parametrize("number", [one for one in STAGES if one is not StageNumber.OLD_LIST])
def test_stage_1_has_nothing_to_do_elsewhere(number: StageNumber) -> None:
    plan = planned({"x.yaml": crd(version("v1beta1", STAGES[number]))}, STAGE1)
    assert "capi-stage1" not in by_rule(plan)


def test_a_version_that_was_overtaken_needs_no_stage() -> None:
    text = crd(version("v1beta1", OLD, storage=False), version("v1beta2", NEW))
    plan = planned({"x.yaml": text}, STAGE1)
    assert "capi-stage1" not in by_rule(plan)
    old, new = plan.crds[0].stages
    assert (old.overtaken_by, old.next) == ("v1beta2", "")
    assert (new.number, new.overtaken_by) == (StageNumber.DONE, None)


@pytest.mark.parametrize("number", [StageNumber.OLD_LIST, StageNumber.BESIDE])
def test_what_would_break_providers_is_left_out(number: StageNumber) -> None:
    """Their conditions carry no generation and often no reason: neither the default nor metav1 fits the old list."""
    plan = planned({"x.yaml": crd(version("v1beta1", STAGES[number]))})
    found = by_rule(plan)
    default = found["missing-observed-generation-default"]
    assert default.cure is Cure.HAND
    assert "kubectl wait" in default.reasons[0]
    for rule in ("non-metav1-conditions", "condition-observed-generation"):
        assert rule not in found or found[rule].cure is Cure.HAND
    (after,) = versions_of(plan.files["x.yaml"].after.decode())
    assert after.status is not None
    assert "default" not in after.status


def test_whoever_asks_for_a_rule_gets_it() -> None:
    rule = "missing-observed-generation-default"
    wishes = Wishes(Choices(select=(rule,)), only=frozenset((rule,)))
    plan = planned({"x.yaml": crd(version("v1beta1", OLD))}, wishes)
    assert by_rule(plan)[rule].cure is Cure.YAML


def test_templates_hold_the_old_list_too() -> None:
    text = crd(version("v1beta1", OLD), kind="QuarryMachineTemplate")
    plan = planned({"x.yaml": text})
    assert plan.crds[0].stages == ()
    assert by_rule(plan)["non-metav1-conditions"].cure is Cure.HAND


def test_every_core_kind_has_what_stage_1_adds() -> None:
    """The object that is added is, descriptions aside, the one in core CAPI's own v1beta1 versions."""
    found = 0
    for path in corpus_files():
        if path.parent != CORPUS / "kubernetes-sigs__cluster-api" or "core__config" not in path.name:
            continue
        for one in versions_of(path.read_text("utf-8")):
            declared = one.properties.get("v1beta2", {}).get("properties", {}).get("conditions")
            if one.name == "v1beta1" and declared is not None:
                assert _without_descriptions(declared) == V1BETA2_STATUS["properties"]["conditions"], path.name
                found += 1
    assert found >= 8


def _without_descriptions(schema: object) -> object:
    if isinstance(schema, dict):
        return {
            key: _without_descriptions(value)
            for key, value in schema.items()
            if key != "description" or not isinstance(value, str)
        }
    return [_without_descriptions(item) for item in schema] if isinstance(schema, list) else schema


def corpus_stages() -> Iterator[tuple[str, str, StageNumber]]:
    for path in corpus_files():
        if GROUP not in path.name and "cluster.x-k8s.io" not in path.name:
            continue
        for one in versions_of(path.read_text("utf-8", "replace")):
            number = stage_of(one)
            if number is not None:
                yield path.name, one.name, number


def test_stages_of_the_corpus() -> None:
    """Each stage is somebody's: among them are core CAPI (1 and 2), and providers before and behind it."""
    found = list(corpus_stages())
    assert {number for _, _, number in found} == set(StageNumber)
    clusters = {
        (version, number)
        for name, version, number in found
        if name.endswith("cluster.x-k8s.io_clusters.yaml") and name.startswith("core")
    }
    assert {("v1beta1", StageNumber.BESIDE), ("v1beta2", StageNumber.SWAPPED)} <= clusters


def test_what_comes_next_is_told() -> None:
    """Stage 1 where it is not planned, stage 2 where it is."""
    files = {"x.yaml": crd(version("v1beta1", OLD))}
    told = [
        [item.text[:12] for item in checklist(planned(files, wishes)) if item.topic is Topic.CAPI]
        for wishes in (Wishes(), STAGE1)
    ]
    assert told == [["take stage 1"], ["take stage 2"]]
