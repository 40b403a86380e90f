"""Argo CD's own tests of its health scripts, and the table of what the scripts read."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor

from crdlint.consumers.argocd import ArgoCd
from crdlint.consumers.objects import documents
from crdlint.errors import UsageError
from tests.surroundings import missing
from tests.upstream.argocd import table


@pytest.fixture(scope="module")
def scripts() -> tuple[Path, str]:
    if shutil.which("go") is None:
        missing("the scripts come as a Go module, and Go is not installed")
    return table.download()


class LastWins(SafeConstructor):
    """One of the files has a key twice, which Argo CD's reader allows."""

    def check_mapping_key(self, *_: Any) -> bool:
        return True


def load(path: Path) -> Any:
    try:
        return next(documents(str(path), path.read_bytes()))
    except UsageError:
        yaml = YAML(typ="safe", pure=True)
        yaml.Constructor = LastWins
        return yaml.load(path)


def lower(data: dict[str, Any]) -> dict[str, Any]:
    """Go does not look at the case of keys."""
    return {key.lower(): value for key, value in data.items()}


def test_the_scripts_own_tests(scripts: tuple[Path, str]) -> None:
    pytest.importorskip("lupa", reason="scripts need crdlint[argocd]")
    folder, _ = scripts
    argocd = ArgoCd(folder)
    cases = 0
    for path in sorted(folder.rglob("health_test.yaml")):
        for case in map(lower, load(path)["tests"]):
            resource = load(path.parent / case["inputpath"])
            wanted = lower(case["healthstatus"])
            assert argocd.script_health(resource) == (wanted["status"], wanted.get("message") or ""), case["inputpath"]
            cases += 1
    assert cases > 1_000


def test_table_is_up_to_date(scripts: tuple[Path, str]) -> None:
    assert table.TABLE.read_text("utf-8") == table.as_text(table.table(*scripts))
