"""The hooks of `.pre-commit-hooks.yaml`, installed and run by pre-commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..texts import CLEAN, OTHER, RULE, SAFE
from .conftest import TAG, Repository

pytest.importorskip("pre_commit")

FRAME = "33 |           status:  # what the controller saw\n   |           ^^^^^^"


def configure(repository: Repository, hooks: Path, *ids: str, args: str = "") -> None:
    lines = ["repos:", f"- repo: {hooks.as_uri()}", f"  rev: {TAG}", "  hooks:"]
    for hook in ids:
        lines += [f"  - id: {hook}", *([f"    args: {args}"] if args else [])]
    repository.write(".pre-commit-config.yaml", "\n".join(lines) + "\n")
    assert repository.pre_commit("install").returncode == 0


@pytest.mark.parametrize("hook", ["crdlint", "crdlint-fix"])
def test_try_repo(repository: Repository, hooks: Path, hook: str) -> None:
    repository.write("crd.yaml", SAFE)
    repository.git("add", "--all")
    done = repository.pre_commit("try-repo", str(hooks), hook, "--all-files")
    assert done.returncode == 1
    assert f"[{RULE}]" in done.stdout
    assert repository.read("crd.yaml") == (SAFE if hook == "crdlint" else CLEAN)


def test_a_commit_with_a_bad_crd_fails_with_the_code_frame(repository: Repository, hooks: Path) -> None:
    configure(repository, hooks, "crdlint")
    repository.write("config/my crds/crd.yaml", SAFE)
    refused = repository.commit()
    assert refused.returncode == 1
    assert f"config/my crds/crd.yaml:33:11: error[{RULE}]" in refused.stdout
    assert FRAME in refused.stdout
    assert repository.commits() == 0
    assert repository.read("config/my crds/crd.yaml") == SAFE

    repository.write("config/my crds/crd.yaml", CLEAN)
    passed = repository.commit()
    assert passed.returncode == 0, passed.stdout
    assert repository.commits() == 1


def test_the_fix_hook_changes_the_file_and_fails_once_then_passes(repository: Repository, hooks: Path) -> None:
    configure(repository, hooks, "crdlint-fix")
    repository.write("crd.yaml", SAFE)
    first = repository.commit()
    assert first.returncode == 1
    assert "files were modified by this hook" in first.stdout
    assert repository.commits() == 0
    assert repository.read("crd.yaml") == CLEAN
    second = repository.commit()
    assert second.returncode == 0, second.stdout
    assert repository.commits() == 1


def test_arguments_of_the_user_come_on_top(repository: Repository, hooks: Path) -> None:
    configure(repository, hooks, "crdlint", args=f"[--ignore, {RULE}, --fail-on, error]")
    repository.write("crd.yaml", SAFE)
    assert repository.commit().returncode == 0


def test_excluded_files_stay_excluded_though_the_hook_names_them(repository: Repository, hooks: Path) -> None:
    configure(repository, hooks, "crdlint", "crdlint-fix")
    repository.write(".crdlint.yaml", "exclude: [testdata/]\n")
    repository.write("testdata/crd.yaml", SAFE)
    passed = repository.commit()
    assert passed.returncode == 0, passed.stdout
    assert repository.read("testdata/crd.yaml") == SAFE


def test_all_files_of_a_commit_are_checked_by_one_process(repository: Repository, hooks: Path) -> None:
    configure(repository, hooks, "crdlint")
    for index in range(40):
        repository.write(f"crds/{index}.yaml", SAFE.replace("widgets", f"widgets{index}"))
    refused = repository.commit()
    assert "Found 40 errors in 40 files" in refused.stdout
    assert refused.stdout.count("Found ") == 1


def test_yaml_without_a_crd_passes_and_other_files_are_not_looked_at(repository: Repository, hooks: Path) -> None:
    configure(repository, hooks, "crdlint", "crdlint-fix")
    repository.write("values.yaml", OTHER)
    repository.write("chart/templates/broken.yaml", "{{ if }}\n- a\nb: c\n")
    repository.write("crd.txt", SAFE)
    passed = repository.commit()
    assert passed.returncode == 0, passed.stdout
