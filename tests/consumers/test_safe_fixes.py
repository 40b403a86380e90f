"""No safe fix may make things worse for anybody, in any state of an object's life: the corpus and all fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crdlint.choices import Choices
from crdlint.consumers.timeline import fix_makes_worse
from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, crds_of
from crdlint.findings import Applicability
from crdlint.runner import Job
from crdlint.settings import WRITES
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source
from tests.fixture_tool import FIXTURES, NO_CONFIG
from tests.surroundings import corpus_files


def crds(data: bytes) -> Iterator[Crd]:
    for document in parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents:
        yield from crds_of(document.root) if document.root is not None else ()


def worse(files: list[Path], config: Path, writes: tuple[str, ...] = ()) -> tuple[int, list[tuple[str, str]]]:
    """How many CRDs the safe fixes change, and what gets worse."""
    job = Job(Choices(config=str(config)), Applicability.SAFE)
    changed, found = 0, []
    for path in files:
        run = job.run_bytes(path.name, path.read_bytes())
        if run.after == run.before:
            continue
        for before, after in zip(crds(run.before), crds(run.after), strict=True):
            changed += 1
            found += [(str(path), problem) for problem in fix_makes_worse(before, after, writes)]
    return changed, found


def files(group: str) -> list[Path]:
    return corpus_files() if group == "corpus" else sorted(FIXTURES.rglob("*.yaml"))


each_group = pytest.mark.parametrize("group", ["corpus", "fixtures"])


@each_group
def test_no_safe_fix_makes_anything_worse(group: str) -> None:
    changed, found = worse(files(group), NO_CONFIG)
    assert found == []
    assert changed > 5


@each_group
def test_nor_where_the_controllers_are_known(group: str, tmp_path: Path) -> None:
    """What the configuration says that controllers write makes more fixes safe: with such controllers they are."""
    config = tmp_path / "config.yaml"
    config.write_text(f"controllers: {{writes: [{', '.join(WRITES)}]}}\n", "utf-8")
    changed, found = worse(files(group), config, WRITES)
    assert found == []
    assert changed > 30
