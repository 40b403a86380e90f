"""Real CRDs of 29 repositories: what crdlint says of them against what Kubernetes says, before and after fixing."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crdlint.checks import races
from crdlint.choices import Choices
from crdlint.crd import structural
from crdlint.crd.model import KIND, SPEC_SCHEMA, Version, crds_of
from crdlint.findings import Applicability, Finding
from crdlint.runner import FileRun, Job
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable
from tests import surroundings

V1 = "apiextensions.k8s.io/v1"
RACES = {races.MISSING, races.MISSING_DEFAULT, races.INEFFECTIVE_DEFAULT, races.WRONG_DEFAULT}
# What cannot be read, and where it goes wrong: a template of another kind, with a line `{serviceAccountExtra}`.
UNREADABLE = {("odd/emissary-ingress__emissary/python__tests__src__tests__integration__manifests__crds.yaml", 5271)}


@dataclass(frozen=True)
class Row:
    """A version of the truth file that rules speak of, with crdlint's own view of it."""

    truth: dict[str, Any]
    version: Version
    findings: list[Finding]

    def __str__(self) -> str:
        return f"{self.truth['path']} {self.truth['crd']} {self.truth['version']}"


def name_of(path: Path) -> str:
    return path.relative_to(surroundings.CORPUS).as_posix()


@lru_cache(maxsize=4)
def runs(fixes: Applicability | None) -> dict[str, FileRun]:
    """Every file of the corpus, checked, or fixed in memory."""
    job = Job(Choices(), fixes)
    return {name_of(path): job.run_bytes(name_of(path), path.read_bytes()) for path in surroundings.corpus_files()}


def versions_of(data: bytes) -> Iterator[Version]:
    for document in parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents:
        for crd in crds_of(document.root) if document.root is not None else ():
            yield from crd.versions


@lru_cache(maxsize=1)
def rows() -> list[Row]:
    found = []
    versions: dict[str, dict[tuple[str | None, str], Version]] = {}
    for truth in surroundings.truth():
        path = truth["path"]
        if not truth.get("version") or truth["apiVersion"] != V1 or not (truth["served"] or truth["storage"]):
            continue
        if path not in versions:
            listed = list(versions_of((surroundings.CORPUS / path).read_bytes()))
            versions[path] = {(version.crd.name, version.name): version for version in reversed(listed)}
        key = (truth["crd"], truth["version"])
        findings = [f for f in runs(None)[path].result.findings if (f.crd, f.version) == key]
        found.append(Row(truth, versions[path][key], findings))
    return found


def test_every_file_is_accounted_for() -> None:
    results = [run.result for run in runs(None).values()]
    unreadable = {(f.path, f.line) for result in results for f in result.findings if f.rule == "unreadable-file"}
    assert unreadable == UNREADABLE
    named = sum(KIND.encode() in path.read_bytes() for path in surroundings.corpus_files())
    without_crd = [
        r.path for r in results if not r.has_crd and KIND.encode() in (surroundings.CORPUS / r.path).read_bytes()
    ]
    assert sum(result.has_crd for result in results) + len(without_crd) == named
    # Kustomizations and RBAC that name the kind and hold none.
    assert all(path.startswith("odd/") for path in without_crd), without_crd


def test_fresh_objects_are_what_the_api_server_reads_back() -> None:
    assert len(rows()) > 600
    for row in rows():
        fresh = row.version.fresh_status
        assert (None if fresh is structural.ABSENT else fresh) == row.truth["statusAfterCreate"], row


def test_one_race_finding_exactly_where_there_is_a_race() -> None:
    for row in rows():
        version, field = row.version, row.version.observed_generation
        wrong_type = field is not None and not races.has_integer_type(field)
        judged = row.truth["declaresStatus"] and not (version.is_opaque or version.is_pruned or wrong_type)
        expected = judged and not version.crd.is_template_kind and row.truth["kstatusAfterCreate"] == "Current"
        assert sum(finding.rule in RACES for finding in row.findings) == int(expected), row


def test_no_accepted_default_is_called_rejected() -> None:
    for row in rows():
        if row.truth["accepted"]:
            assert not [finding for finding in row.findings if finding.rule == "rejected-default"], row


@pytest.mark.parametrize("allowed", [Applicability.SAFE, Applicability.UNSAFE])
def test_fixing_leaves_nothing_that_it_offered(allowed: Applicability) -> None:
    for path, run in runs(allowed).items():
        offered = [f for f in run.result.findings if f.fix and f.fix.applicability.rank <= allowed.rank]
        assert all(f.fix and f.fix.refused for f in offered), path
        assert not [f for f in offered if f.fix and f.fix.refused], f"{path}: no edit of the corpus has to be refused"
        assert not {f.identity for f in run.applied} & {f.identity for f in run.result.findings}, path


@pytest.mark.parametrize("allowed", [Applicability.SAFE, Applicability.UNSAFE])
def test_fixing_twice_is_fixing_once(allowed: Applicability) -> None:
    job = Job(Choices(), allowed)
    for path, run in runs(allowed).items():
        if run.after != run.before:
            assert job.run_bytes(path, run.after).after == run.after, path


def test_safe_fixes_are_only_safe_ones() -> None:
    applied = [finding for run in runs(Applicability.SAFE).values() for finding in run.applied]
    assert applied
    assert all(f.fix and f.fix.applicability is Applicability.SAFE for f in applied)
    assert Counter(f.rule for f in applied).keys() <= {
        races.MISSING_DEFAULT,
        races.WRONG_DEFAULT,
        "status-required-at-root",
    }


def test_fixes_only_add_lines_or_change_the_planned_ones(tmp_path: Path) -> None:
    """No reflow, no comment lost, no final newline gained: removed lines are what operations replace or remove."""
    changed = write_both(tmp_path)
    for path, run in changed.items():
        assert run.before.endswith(b"\n") == run.after.endswith(b"\n"), path
    for path, line in removed_lines(tmp_path):
        pointers = {op.pointer.rsplit("/", 1)[-1] for f in changed[path].applied if f.fix for op in f.fix.operations}
        key, _, _ = line.strip().lstrip("- ").partition(":")
        is_item = line.strip().startswith("- ") and ":" not in line
        # The dash of a version goes to its new first key.
        gives_dash = line.strip().startswith("- name:") and "additionalPrinterColumns" in pointers
        assert "#" not in line, (path, line)
        assert key in pointers | {"required", "subresources"} or is_item or gives_dash, (path, line)


def write_both(folder: Path) -> dict[str, FileRun]:
    """Write each file that unsafe fixes change, as it was and as it became."""
    changed = {path: run for path, run in runs(Applicability.UNSAFE).items() if run.after != run.before}
    for path, run in changed.items():
        for name, data in (("before", run.before), ("after", run.after)):
            (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / path).write_bytes(data)
    return changed


def removed_lines(folder: Path) -> Iterator[tuple[str, str]]:
    """Path and text of each line that the files before have and those after have not."""
    command = [
        "git",
        "diff",
        "--no-index",
        "--minimal",
        "-U0",
        "--no-color",
        "--ignore-space-at-eol",
        "before",
        "after",
    ]
    diff = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    path = ""
    at_end = False
    for line, following in pairwise([*diff.split("\n"), ""]):
        if line.startswith("--- a/before/"):
            path = line.removeprefix("--- a/before/")
        at_end = following.startswith("\\ No newline")
        if line.startswith("-") and not line.startswith("--- ") and not at_end:
            yield path, line[1:]


def test_every_fixable_race_is_closed() -> None:
    fixable = {
        (path, finding.crd, finding.version)
        for path, run in runs(None).items()
        for finding in run.result.findings
        if finding.rule in RACES and finding.fix and finding.fix.applicability is not Applicability.MANUAL
    }
    closed = set()
    for path, run in runs(Applicability.UNSAFE).items():
        try:
            versions = list(versions_of(run.after))
        except Unreadable:
            continue
        for version in versions:
            if isinstance(version.fresh_status, dict) and version.fresh_status.get("observedGeneration") == -1:
                closed.add((path, version.crd.name, version.name))
    assert len(fixable) > 290
    assert fixable <= closed


def test_the_api_server_refuses_nothing_that_it_accepted_before(tmp_path: Path) -> None:
    changed = write_both(tmp_path)
    answers = {
        name: {(a["file"].removeprefix(str(tmp_path / name)), a["doc"]): a for a in ask(tmp_path / name, changed)}
        for name in ("before", "after")
    }
    table: Counter[tuple[str, str]] = Counter()
    for key, before in answers["before"].items():
        after = answers["after"][key]
        assert before["errors"] or not after["errors"], (key, after["errors"])
        for old, new in zip(before["races"] or [], after["races"] or [], strict=True):
            table[old["kstatus"], new["kstatus"]] += 1
            assert old["kstatus"] != "InProgress" or new["kstatus"] == "InProgress", (key, new)
            assert new["kstatus"] == old["kstatus"] or new["subresourceStatus"], (key, new)
    print(json.dumps({f"{old} -> {new}": count for (old, new), count in sorted(table.items())}))
    assert table["Current", "InProgress"] > 300


def ask(folder: Path, names: dict[str, FileRun]) -> list[dict[str, Any]]:
    return surroundings.ask_oracle([folder / name for name in names])
