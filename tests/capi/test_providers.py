"""The pack over the providers of the corpus, and over Cluster API's own CRDs."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from crdlint.checks.capi.roles import role_of
from crdlint.consumers.timeline import fix_makes_worse
from crdlint.crd.model import Crd, crds_of
from crdlint.findings import Applicability, Finding, Severity
from crdlint.runner import FileRun
from crdlint.settings import Capi
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source
from tests import surroundings
from tests.capi.crds import run

DOMAIN = b"cluster.x-k8s.io"
# What Cluster API's own CRDs break: its pool of machines for tests still says `ready`, and nothing else.
OF_CLUSTER_API = {("DevMachinePool", "v1beta2", "capi-initialization")}


def name_of(path: Path) -> str:
    return path.relative_to(surroundings.CORPUS).as_posix()


@lru_cache(maxsize=1)
def files() -> dict[str, bytes]:
    found = {name_of(path): path.read_bytes() for path in surroundings.corpus_files()}
    return {name: data for name, data in found.items() if DOMAIN in data and b"CustomResourceDefinition" in data}


@lru_cache(maxsize=2)
def runs(fixes: Applicability | None = None) -> dict[str, FileRun]:
    return {name: run(data, fixes) for name, data in files().items()}


def all_findings() -> list[tuple[str, Finding]]:
    return [(name, finding) for name, found in runs().items() for finding in found.result.findings]


def crds(data: bytes) -> list[Crd]:
    documents = parse(Source.from_bytes(data).text).documents
    return [crd for document in documents if document.root is not None for crd in crds_of(document.root)]


def test_only_kinds_of_the_contract_have_findings() -> None:
    with_role = {(crd.group, crd.kind) for data in files().values() for crd in crds(data) if role_of(crd, Capi())}
    found = {finding.crd: finding.kind for _, finding in all_findings()}
    assert {(str(name).partition(".")[2], kind) for name, kind in found.items()} <= with_role
    print(json.dumps(Counter(f"{finding.rule} {finding.severity.value}" for _, finding in all_findings()), indent=1))
    assert len(found) > 80


def test_cluster_api_keeps_its_own_contract() -> None:
    above_info = {
        (finding.kind, finding.version, finding.rule)
        for name, finding in all_findings()
        if name.startswith("kubernetes-sigs__cluster-api/") and finding.severity is not Severity.INFO
    }
    assert above_info == OF_CLUSTER_API


@pytest.mark.parametrize("rule", ["capi-crd-name", "capi-scope", "capi-list-kind", "capi-type-meta"])
def test_every_provider_keeps_the_rules_without_which_it_could_not_work(rule: str) -> None:
    assert not [(name, finding.kind) for name, finding in all_findings() if finding.rule == rule]


def test_every_finding_has_a_fix_with_reasons_and_a_marker() -> None:
    for name, finding in all_findings():
        assert finding.fix is not None, name
        assert finding.fix.reasons, name
        assert finding.marker, name


def test_fixes_are_accepted_by_the_api_server(tmp_path: Path) -> None:
    changed = {name: found for name, found in runs(Applicability.UNSAFE).items() if found.after != found.before}
    assert len(changed) > 50
    paths = {}
    for folder in ("before", "after"):
        for name, found in changed.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(getattr(found, folder))
            paths[folder, name] = path
    answers = {
        folder: [
            (answer["name"], answer["errors"])
            for answer in surroundings.ask_oracle([paths[folder, name] for name in changed])
        ]
        for folder in ("before", "after")
    }
    for (name, before), (_, after) in zip(answers["before"], answers["after"], strict=True):
        assert before or not after, (name, after)


def test_fixes_make_nothing_worse_for_anybody() -> None:
    """In no state of an object's life does a consumer answer worse than before."""
    changed = 0
    for name, found in runs(Applicability.UNSAFE).items():
        if found.after != found.before:
            for before, after in zip(crds(found.before), crds(found.after), strict=True):
                changed += 1
                assert not list(fix_makes_worse(before, after, ())), (name, before.name)
    assert changed > 50


def test_fixing_twice_is_fixing_once() -> None:
    for name, found in runs(Applicability.UNSAFE).items():
        if found.after != found.before:
            assert run(found.after, Applicability.UNSAFE).after == found.after, name
