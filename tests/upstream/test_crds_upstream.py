"""Real CRDs and all fixtures, before and after fixing: fresh objects, races and defaults against the API server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import pytest

from crdlint.checks import races
from crdlint.choices import Choices
from crdlint.consumers.timeline import CONDITION_TYPES, RIGHT, State, Timeline, simulate
from crdlint.crd import structural
from crdlint.crd.model import KIND, SPEC_SCHEMA, Version, crds_of
from crdlint.findings import Applicability
from crdlint.runner import FileRun, Job
from crdlint.yamltext.nodes import Mapping
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable
from tests.fixture_tool import FIXTURES, NO_CONFIG
from tests.surroundings import CORPUS, corpus_files
from tests.upstream.asking import Upstream

RACES = {races.MISSING, races.MISSING_DEFAULT, races.INEFFECTIVE_DEFAULT, races.WRONG_DEFAULT}
NOT_ALLOWED = "must be false in order to use defaults"


@dataclass(frozen=True)
class Row:
    """A version that both crdlint and the API server's code could read."""

    name: str
    crd: dict[str, Any]
    upstream: dict[str, Any]
    version: Version

    @property
    def where(self) -> str:
        return f"{self.name} {self.crd['name']} {self.version.name}"

    @cached_property
    def timeline(self) -> Timeline:
        return simulate(self.version)


def rows(name: str, data: bytes, answer: dict[str, Any]) -> Iterator[Row]:
    try:
        documents = parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents
    except Unreadable:
        return
    versions = {
        (crd.name, version.name): version
        for document in documents
        if document.root is not None
        for crd in crds_of(document.root)
        for version in crd.versions
    }
    for crd in answer.get("crds", []):
        for report in crd["versions"]:
            version = versions.get((crd["name"], report["version"]))
            if version is not None:
                yield Row(name, crd, report, version)


def files(group: str) -> list[Path]:
    if group == "corpus":
        return corpus_files()
    return sorted(path for path in FIXTURES.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))


@lru_cache(maxsize=4)
def fixed(group: str) -> dict[str, FileRun]:
    """Every file, fixed in memory with the unsafe fixes too."""
    job = Job(Choices(config=str(NO_CONFIG)), Applicability.UNSAFE)
    return {str(path): job.run_bytes(path.name, path.read_bytes()) for path in files(group)}


@lru_cache(maxsize=8)
def asked(upstream: Upstream, group: str, after: bool) -> dict[str, dict[str, Any]]:
    texts = {name: run.after if after else run.before for name, run in fixed(group).items()}
    questions = ({"op": "crd", "yaml": text.decode("utf-8", "replace")} for text in texts.values())
    return dict(zip(texts, upstream.ask(questions), strict=True))


@lru_cache(maxsize=8)
def all_rows(upstream: Upstream, group: str, after: bool) -> list[Row]:
    answers, runs = asked(upstream, group, after), fixed(group)
    return [row for name, run in runs.items() for row in rows(name, run.after if after else run.before, answers[name])]


both = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
each_group = pytest.mark.parametrize("group", ["corpus", "fixtures"])


@both
@each_group
def test_fresh_object_and_race(upstream: Upstream, group: str, after: bool) -> None:
    found = [row for row in all_rows(upstream, group, after) if "error" not in row.upstream and can_exist(row)]
    assert len(found) > {"corpus": 600, "fixtures": 50}[group]
    for row in found:
        timeline = row.timeline
        created = timeline.states[0]
        assert created.object.get("status", "absent") == row.upstream["object"].get("status", "absent"), row.where
        theirs = row.upstream["kstatus"]
        assert created.verdicts.kstatus == (theirs["status"], theirs["message"]), row.where
        assert timeline.race is row.upstream["race"], row.where


def can_exist(row: Row) -> bool:
    """A v1beta1 CRD with a default was refused as long as there was such a version."""
    return not row.version.crd.is_obsolete or "status" not in row.upstream["object"]


@both
@each_group
def test_verdict_on_every_default(upstream: Upstream, group: str, after: bool) -> None:
    judged = 0
    for row in all_rows(upstream, group, after):
        crd = row.version.crd
        if "error" in row.upstream or row.version.status is None or crd.is_obsolete:
            continue
        allowed = not crd.preserves_unknown_fields
        for verdict in structural.default_verdicts(row.version.status, defaults_allowed=allowed):
            is_refused = refuses(row, verdict.pointer)
            if verdict.errors or not verdict.undecided:
                assert bool(verdict.errors) is is_refused, (row.where, verdict, row.upstream["refused"])
            judged += 1
    assert judged > {"corpus": 100, "fixtures": 20}[group]


def refuses(row: Row, pointer: str) -> bool:
    if row.version.crd.preserves_unknown_fields:
        return any(NOT_ALLOWED in error for error in row.crd["errors"])
    path = as_field_path(pointer)
    return any(error.startswith((f"{path}:", f"{path}.", f"{path}[")) for error in row.upstream["refused"])


def as_field_path(pointer: str) -> str:
    path, parts = "status", [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    is_name = False
    for part in parts:
        # What stands below these is a name or an index of the schema, not a keyword.
        path += f"[{part}]" if is_name else f".{part}"
        is_name = not is_name and part in ("properties", "allOf", "anyOf", "oneOf")
    return path


@each_group
def test_what_fixes_do(upstream: Upstream, group: str, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = asked(upstream, group, False), asked(upstream, group, True)
    pairs = [
        (name, crd, later)
        for name in before
        for crd, later in zip(before[name].get("crds", []), after[name].get("crds", []), strict=True)
    ]
    rejected = [
        (name, crd["name"], later["errors"]) for name, crd, later in pairs if not crd["errors"] and later["errors"]
    ]
    versions = {(name, later["name"], v["version"]): v for name, _, later in pairs for v in later["versions"]}
    cured = [
        (name, finding.identity, versions[name, finding.crd, finding.version]["kstatus"])
        for name, run in fixed(group).items()
        for finding in run.applied
        if finding.rule in RACES and (name, finding.crd, finding.version) in versions
    ]
    declared = [version for _, crd, _ in pairs for version in crd["versions"] if version["declared"]]
    with capsys.disabled():
        print(
            f"\n{group}: versions with a status {len(declared)}, race before {sum(v['race'] for v in declared)}, "
            f"race after {sum(v['race'] for v in versions.values())}, rejected after {len(rejected)}"
        )
    assert rejected == []
    assert [case for case in cured if case[2]["status"] != "InProgress"] == []
    assert len(cured) > {"corpus": 250, "fixtures": 50}[group]


def test_only_templates_cannot_be_read(upstream: Upstream) -> None:
    answers = asked(upstream, "corpus", False)
    unread = {Path(name).relative_to(CORPUS).parts[0] for name, answer in answers.items() if "error" in answer}
    assert unread <= {"odd"}


def states(upstream: Upstream, group: str, after: bool) -> list[tuple[Row, State]]:
    found = all_rows(upstream, group, after)
    return [(row, state) for row in found if is_real(row) for state in row.timeline.states]


def is_real(row: Row) -> bool:
    """Can an object of it exist?"""
    crd = row.version.crd
    is_readable = "error" not in row.upstream and not crd.is_obsolete
    return is_readable and not row.crd["errors"] and isinstance(crd.node(row.version.schema_pointer), Mapping)


@both
@each_group
def test_states_are_what_the_api_server_stores(upstream: Upstream, group: str, after: bool) -> None:
    found = states(upstream, group, after)
    runs = fixed(group)
    questions: list[dict[str, Any]] = []
    for row, state in found[:: len(RIGHT)]:
        text = runs[row.name].after if after else runs[row.name].before
        lives = [other.object for _, other in found[len(questions) * len(RIGHT) :][: len(RIGHT)]]
        assert lives[0] == state.object
        names = {"crd": row.crd["name"], "version": row.version.name}
        questions.append({"op": "stored", "yaml": text.decode(), "objects": lives, **names})
    stored = [item for answer in upstream.ask(questions) for item in answer["objects"]]
    assert len(stored) == len(found) > {"corpus": 4_000, "fixtures": 400}[group]
    for (row, state), item in zip(found, stored, strict=True):
        assert item["object"].get("status", "absent") == state.object.get("status", "absent"), (row.where, state.name)
    # One kind requires a field of no type: what its controller writes there cannot be known. Fixtures are stranger.
    refused = {row.where for (row, _), item in zip(found, stored, strict=True) if item["errors"]}
    assert group == "fixtures" or all("resolutionrequests.resolution.tekton.dev" in where for where in refused), refused


@both
@each_group
def test_verdicts_in_every_state(upstream: Upstream, group: str, after: bool) -> None:
    found = states(upstream, group, after)
    computed = upstream.ask({"op": "kstatus", "object": state.object} for _, state in found)
    for (row, state), answer in zip(found, computed, strict=True):
        theirs = ("Unknown", answer["error"]) if "error" in answer else (answer["status"], answer["message"])
        ours = state.verdicts.kstatus
        assert ours == theirs or (ours.status == theirs[0] == "Unknown"), (row.where, state.name)
    for condition in CONDITION_TYPES:
        waited = upstream.ask(
            {"op": "wait", "for": f"condition={condition}", "object": state.object} for _, state in found
        )
        for (row, state), answer in zip(found, waited, strict=True):
            assert state.verdicts.wait[condition].met is answer.get("met", False), (row.where, state.name, condition)
