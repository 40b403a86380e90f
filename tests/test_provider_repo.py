"""The sample repository: every core rule is broken somewhere in it, one CRD is clean, and fixing it holds."""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crdlint.choices import Choices
from crdlint.files import discover
from crdlint.findings import Applicability, Finding
from crdlint.rules.catalogue import core_rules
from crdlint.rules.rule import CORE
from crdlint.runner import FileRun, Job
from tests.fixture_tool import FIXTURES, NO_CONFIG, SAMPLE
from tests.surroundings import ask_oracle

REPOSITORY = FIXTURES / SAMPLE
GOLDEN = FIXTURES / f"{SAMPLE}.expected.json"
CLEAN = "config/crd/bases/infrastructure.example.com_lagoonmachines.yaml"


def _runs(folder: Path, fixes: Applicability | None = None) -> Iterator[FileRun]:
    job = Job(Choices(config=str(NO_CONFIG)), fixes)
    yield from map(job.run, discover([str(folder)]))


def _name(path: str, folder: Path = REPOSITORY) -> str:
    return Path(path).relative_to(folder).as_posix()


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    found = [finding for run in _runs(REPOSITORY) for finding in run.result.findings]
    return sorted(found, key=lambda finding: finding.sort_key)


@pytest.fixture
def fixed(tmp_path: Path) -> Path:
    """A copy on which everything is fixed that may be."""
    copy = tmp_path / "repository"
    shutil.copytree(REPOSITORY, copy)
    for run in _runs(copy, Applicability.UNSAFE):
        if run.after != run.before:
            Path(run.path).write_bytes(run.after)
    return copy


def test_findings_are_the_golden_ones(findings: list[Finding]) -> None:
    """To write them anew: ``json.dumps`` of the left side, once every line of it has been looked at."""
    found = [{"rule": finding.rule, "path": _name(finding.path), "line": finding.line} for finding in findings]
    assert found == json.loads(GOLDEN.read_text("utf-8"))


def test_every_core_rule_is_broken_somewhere(findings: list[Finding]) -> None:
    assert {finding.rule for finding in findings} == {rule.id for rule in core_rules() if rule.pack == CORE}


def test_the_clean_crd_has_no_finding(findings: list[Finding]) -> None:
    assert (REPOSITORY / CLEAN).exists()
    assert not [finding for finding in findings if _name(finding.path) == CLEAN]


def test_each_file_counts_once() -> None:
    runs = list(_runs(REPOSITORY))
    with_crd = {_name(run.path) for run in runs if run.result.has_crd}
    assert len(with_crd) == 13
    assert "config/crd/patches/webhook_in_lagoonclusters.yaml" in with_crd
    assert {_name(run.path) for run in runs} - with_crd == {
        "charts/cluster-api-provider-lagoon/Chart.yaml",
        "charts/cluster-api-provider-lagoon/values.yaml",
        "config/crd/kustomization.yaml",
        "config/rbac/role.yaml",
    }


def test_a_second_run_changes_nothing(fixed: Path) -> None:
    assert all(run.after == run.before for run in _runs(fixed, Applicability.UNSAFE) if run.result.has_crd)


def test_what_remains_is_for_a_person(fixed: Path) -> None:
    remaining = [finding for run in _runs(fixed) for finding in run.result.findings]
    fixable = [f.rule for f in remaining if f.fix is not None and f.fix.applicability is not Applicability.MANUAL]
    assert not fixable
    assert remaining


def test_fixes_add_and_drop_whole_lines_only(fixed: Path) -> None:
    """Nothing that was not meant moves: what is dropped is one default, and entries of `required`."""
    dropped: list[str] = []
    for path in sorted(REPOSITORY.rglob("*")):
        if path.is_file():
            before = path.read_text("utf-8").splitlines()
            after = (fixed / path.relative_to(REPOSITORY)).read_text("utf-8").splitlines()
            dropped += _dropped(before, after)
    assert sorted(line.strip() for line in dropped) == [
        "- ready",
        "- status",
        "observedGeneration: 1",
        "required:",
        "subresources: {}",
    ]


def _dropped(before: list[str], after: list[str]) -> list[str]:
    """The lines of ``before`` that do not stand in ``after`` in the same order."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [line for tag, start, end, _, _ in matcher.get_opcodes() if tag != "equal" for line in before[start:end]]


def _answers(folder: Path) -> dict[str, dict[str, Any]]:
    """What the API server and kstatus say, by file and CRD; templates and what cannot be read are not asked about."""
    files = sorted(path for path in (folder / "config" / "crd" / "bases").iterdir())
    files.append(folder / "hack" / "legacy" / "lagoonquota-crd.yaml")
    return {f"{_name(answer['file'], folder)} {answer['name']}": answer for answer in ask_oracle(files)}


def test_the_api_server_accepts_what_it_accepted(fixed: Path) -> None:
    before, after = _answers(REPOSITORY), _answers(fixed)
    assert before.keys() == after.keys()
    assert not [name for name in before if not before[name]["errors"] and after[name]["errors"]]
    assert sum(not answer["errors"] for answer in before.values()) >= 9


def test_races_are_closed(fixed: Path) -> None:
    answers = _answers(fixed)
    verdicts = {
        (answer["name"].partition(".")[0], race["version"]): race["kstatus"]
        for answer in answers.values()
        for race in answer["races"] or []
    }
    closed = {name for name, verdict in verdicts.items() if verdict == "InProgress"}
    assert closed == {
        ("lagoonclusters", "v1beta1"),
        ("lagoonclusters", "v1beta2"),
        ("lagooncontrolplanes", "v1beta2"),
        ("lagoonmachinepools", "v1beta2"),
        ("lagoonmachines", "v1beta1"),
        ("lagoonmachines", "v1beta2"),
        ("lagoonnetworks", "v1beta1"),
    }
