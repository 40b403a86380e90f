"""The sample provider: migrated at the source, generated again, built; and what its controllers write."""

from __future__ import annotations

from pathlib import Path

import pytest

from crdlint.gosource import ByHand, Question, Verdict
from tests.gosource.generator import SAMPLE, Module, controller_gen
from tests.gosource.rounds import Identity, fixable, linter, plans

GROUP = "infrastructure.example.com"
WRITTEN, UNKNOWN, NOT_FOUND = Verdict.WRITTEN, Verdict.UNKNOWN, Verdict.NOT_FOUND
# In the order of the questions: observed generation, that of conditions, /status, the right to write it, Paused.
EVIDENCE = {
    "QuarryCluster": [WRITTEN, WRITTEN, WRITTEN, WRITTEN, WRITTEN],
    "QuarryMachine": [NOT_FOUND, WRITTEN, WRITTEN, WRITTEN, NOT_FOUND],
    "QuarryImage": [NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND],
}


@pytest.fixture
def sample(tmp_path: Path) -> Module:
    return Module.copy(SAMPLE, tmp_path / "provider")


def update(module: Module) -> None:
    module.run("env", f"CONTROLLER_GEN={controller_gen()}", "hack/update.sh")


def bases(module: Module) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((module.folder / "config/crd/bases").iterdir())}


def files(module: Module) -> dict[str, bytes]:
    folder = module.folder
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_generated_is_fresh(sample: Module) -> None:
    before = files(sample)
    update(sample)
    assert files(sample) == before


@pytest.mark.parametrize("kind", EVIDENCE)
def test_evidence(kind: str, sample: Module) -> None:
    evidence = sample.repository().evidence(GROUP, kind)
    assert [evidence.verdicts[question] for question in Question] == EVIDENCE[kind]
    for line in evidence.lines:
        text = Path(line.path).read_text("utf-8").split("\n")[line.line - 1]
        assert text.strip() == line.source
        assert text[line.column - 1 :].strip() != ""


def test_migration_at_the_source(sample: Module) -> None:
    """All that can be edited is; what is left is what only people can do."""
    planned: set[Identity] = set()
    by_hand: set[Identity] = set()
    for _ in range(5):
        asked = list(fixable(bases(sample), aside=by_hand))
        for one, plan in zip(asked, plans(asked, sample.repository()), strict=True):
            (by_hand if isinstance(plan, ByHand) else planned).add(one.finding.identity)
        sample.apply_plans(plans(asked, sample.repository()))
        update(sample)
    remaining = {one.identity for name, data in bases(sample).items() for one in linter().lint(name, data).findings}
    assert list(fixable(bases(sample), aside=by_hand)) == []
    assert len(planned) == 9
    assert remaining == by_hand
    assert {(rule, crd) for rule, crd, _, _ in by_hand} == {
        ("condition-observed-generation", f"quarryimages.{GROUP}"),
        ("non-metav1-conditions", f"quarryimages.{GROUP}"),
    }
    assert sample.unformatted() == []
    sample.run("go", "build", "./...")
    sample.run("go", "vet", "./...")
