"""The sample provider from end to end: migrated at the source, generated again by controller-gen, built, checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crdlint.migrate.apply import apply
from crdlint.migrate.planner import Planner, Wishes
from crdlint.migrate.repository import Repository
from crdlint.yamltext.data import to_data
from tests.cli.run import crdlint
from tests.gosource.generator import SAMPLE, Module, controller_gen
from tests.migrate.work_tree import WorkTree

BASES, CHART = "config/crd/bases", "charts/provider-quarry/templates/quarryclusters.yaml"
IMAGES = "quarryimages.infrastructure.example.com"
# What only people can do: the images have conditions of a type of their own, which a default of -1 would not bear.
BY_HAND = {
    (IMAGES, "condition-observed-generation"),
    (IMAGES, "non-metav1-conditions"),
    (IMAGES, "missing-observed-generation-default"),
}


@pytest.fixture
def provider(tree: WorkTree) -> WorkTree:
    return tree.copy(SAMPLE)


def generate(tree: WorkTree) -> None:
    """What the provider's own `make manifests` does."""
    Module(tree.folder).run("env", f"CONTROLLER_GEN={controller_gen()}", "hack/update.sh")


def without_descriptions(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: without_descriptions(item)
            for key, item in value.items()
            if key != "description" or not isinstance(item, str)
        }
    return [without_descriptions(item) for item in value] if isinstance(value, list) else value


def schemas(tree: WorkTree) -> dict[str, Any]:
    """What each file with a CRD says, descriptions aside."""
    repository = Repository()
    for path in [*sorted((tree.folder / BASES).iterdir()), tree.folder / CHART]:
        repository.add(path.relative_to(tree.folder).as_posix(), path.read_bytes())
    return {
        copy.path: without_descriptions(to_data(copy.crd.root)) for file in repository.files for copy in file.copies
    }


def test_the_plan(provider: WorkTree) -> None:
    """Each step that is planned is made in the Go types too, with its line, and in the copy of the chart."""
    report = provider.report()
    steps = {(crd["crd"], step["rule"]): step for crd in report["crds"] for step in crd["steps"]}
    assert {key for key, step in steps.items() if step["cure"] == "hand"} == BY_HAND
    for key, step in steps.items():
        if key[1] in ("condition-observed-generation", "non-metav1-conditions"):
            # The exact change, for people, and where it is to be made.
            place = step["source"]
            assert "[]ImageCondition" in provider.read(place["path"]).splitlines()[place["line"] - 1]
            assert "[]metav1.Condition" in place["change"]
            assert place["byHand"]
        elif key not in BY_HAND:
            assert step["cure"] == "source", key
            lines = provider.read(step["source"]["path"]).splitlines()
            assert 0 < step["source"]["line"] <= len(lines)
    clusters = [step for (crd, _), step in steps.items() if crd.startswith("quarryclusters")]
    assert all([place["path"] for place in step["places"]][1:] == [CHART] for step in clusters)
    assert {path for path in report["changed"] if path.endswith(".go")} == {
        "api/v1alpha1/quarrycluster_types.go",
        "api/v1beta1/quarrycluster_types.go",
        "api/v1beta1/quarryimage_types.go",
        "api/v1beta1/quarrymachine_types.go",
    }


def test_evidence_decides_what_is_safe(provider: WorkTree) -> None:
    """Written by a controller: safe. Declared, and not written by the controllers that are there: no longer safe."""
    found = {crd["kind"]: {step["rule"]: step for step in crd["steps"]} for crd in provider.report()["crds"]}
    default = found["QuarryCluster"]["missing-observed-generation-default"]
    assert default["applicability"] == "safe"
    assert "the Go sources show that the controllers write status.observedGeneration" in default["reasons"]
    controller = provider.folder / "internal/controller/quarrycluster_controller.go"
    text = controller.read_text("utf-8")
    kept = [line for line in text.splitlines() if "ObservedGeneration" not in line]
    assert len(kept) < len(text.splitlines())
    controller.write_text("\n".join(kept) + "\n", "utf-8")
    found = {crd["kind"]: {step["rule"]: step for step in crd["steps"]} for crd in provider.report()["crds"]}
    default = found["QuarryCluster"]["missing-observed-generation-default"]
    assert default["applicability"] == "unsafe"
    assert any("no controller in these sources is seen to write it" in reason for reason in default["reasons"])


def test_evidence_is_shown(provider: WorkTree, tmp_path: Path) -> None:
    targets = [tmp_path / name for name in ("plan.md", "plan.html")]
    _, out, _ = provider.migrate("--report", f"markdown={targets[0]}", "--report", f"html={targets[1]}")
    evidence = {crd["kind"]: {one["question"]: one for one in crd["evidence"]} for crd in provider.report()["crds"]}
    written = evidence["QuarryCluster"]["status.observedGeneration"]
    assert written["verdict"] == "written"
    place = f"{written['lines'][0]['path']}:{written['lines'][0]['line']}"
    # The page lets long paths break.
    for text in (out, *(target.read_text("utf-8").replace("<wbr>", "") for target in targets)):
        assert place in text
    # A plain Update, which the switch of the subresource makes lose its status, is an item with its line.
    plain = evidence["QuarryImage"]["status-endpoint"]["lines"][0]
    todo = [place for item in provider.report()["checklist"] for place in item["places"]]
    assert any((one["path"], one["line"]) == (plain["path"], plain["line"]) for one in todo)


def test_from_end_to_end(provider: WorkTree) -> None:
    before = provider.report()
    code, _, err = provider.migrate("--apply")
    assert code == 1, err
    assert sorted(provider.changed()) == sorted(before["changed"])
    migrated = schemas(provider)
    module = Module(provider.folder)
    assert module.unformatted() == []
    module.run("go", "build", "./...")
    generate(provider)
    # The generator says what the edits of its files said.
    assert schemas(provider) == migrated
    checked = json.loads(crdlint(provider.folder, "check", "--format", "json").stdout)["findings"]
    assert {(one["crd"], one["rule"]) for one in checked} == BY_HAND
    again = provider.report()
    assert again["summary"]["planned"] == 0
    assert again["changed"] == []
    assert {(crd["crd"], step["rule"]) for crd in again["crds"] for step in crd["steps"]} == BY_HAND


def test_without_the_parser_of_go(provider: WorkTree, tmp_path: Path) -> None:
    """The YAML is migrated all the same, and people are told why the source is not."""
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "tree_sitter.py").write_text("raise ImportError('not here')\n")
    done = crdlint(provider.folder, "migrate", "--format", "json", PYTHONPATH=str(blocked))
    assert b"crdlint[go]" in done.stderr
    report = json.loads(done.stdout)
    (notice,) = report["notices"]
    assert "WITHOUT the Go sources" in notice
    told = crdlint(provider.folder, "migrate", PYTHONPATH=str(blocked)).stdout.decode()
    assert notice in " ".join(told.split())
    assert {step["cure"] for crd in report["crds"] for step in crd["steps"]} == {"yaml"}
    assert [item for item in report["checklist"] if item["topic"] == "Go types"]


def test_what_is_not_asked_for_stays_as_it_is_at_the_source_too(provider: WorkTree) -> None:
    machines = f"{BASES}/infrastructure.example.com_quarrymachines.yaml"
    provider.migrate(
        "--apply", "--crd", "quarrymachines.infrastructure.example.com", "--only", "required-status-fields"
    )
    assert sorted(provider.changed()) == ["api/v1beta1/quarrymachine_types.go", machines]
    generate(provider)
    assert sorted(provider.changed()) == ["api/v1beta1/quarrymachine_types.go", machines]


def test_an_interrupted_run_is_taken_up(provider: WorkTree) -> None:
    """Go types are written first: killed in between, the YAML still tells the next run what to do."""
    expected = WorkTree(provider.folder.parent / "other").copy(SAMPLE)
    expected.migrate("--apply")
    for path in expected.changed():
        if path.endswith(".go"):
            (provider.folder / path).write_bytes((expected.folder / path).read_bytes())
    assert {step[3] for step in provider.steps()} == {"source", "hand"}
    provider.migrate("--apply", "--allow-dirty")
    assert provider.git("diff") == expected.git("diff")


def test_go_types_that_cannot_be_written_hold_up_the_rest(provider: WorkTree) -> None:
    """Somebody edits one of them between the plan and its application."""
    repository = Repository(str(provider.folder), str(provider.folder))
    for path in sorted((provider.folder / BASES).iterdir()):
        repository.add(str(path), path.read_bytes())
    plan = Planner(repository, Wishes()).plan()
    source = provider.folder / "api/v1beta1/quarryimage_types.go"
    source.write_text(source.read_text("utf-8") + "// More.\n", "utf-8")
    written = apply(plan, print)
    assert "changed since it was read" in written.failed.pop(str(source))
    assert all(path.endswith(".yaml") and "has to wait" in why for path, why in written.failed.items())
    assert len(written.failed) == 3
    assert all(path.endswith(".go") for path in provider.changed())


def test_generated_files_that_are_only_reported_on_are_migrated_with_their_source(provider: WorkTree) -> None:
    """`generated: warn` asks for the change of the Go types, and here it is made."""
    provider.commit({".crdlint.yaml": "generated: warn\n"})
    assert {step[3] for step in provider.steps()} == {"source", "hand"}
