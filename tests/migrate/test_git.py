"""What may be written: nothing that Git could not bring back, unless it is allowed; and nothing is committed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.run import crdlint
from tests.migrate.work_tree import WorkTree
from tests.texts import CLEAN, MANUAL, SAFE, UNSAFE, write

FILE = "config/crd/bases/widgets.yaml"


def test_a_plan_writes_nothing(tree: WorkTree) -> None:
    tree.commit({FILE: SAFE})
    code, out, _ = tree.migrate()
    assert code == 1
    assert "1 step planned in 1 file; --apply takes them" in out
    assert tree.changed() == []


def test_apply_writes_and_never_commits(tree: WorkTree) -> None:
    tree.commit({FILE: SAFE})
    head = tree.git("rev-parse", "HEAD")
    code, out, err = tree.migrate("--apply")
    assert (code, err) == (0, "")
    assert "1 file changed; nothing was committed" in out
    assert tree.changed() == [FILE]
    assert tree.read(FILE) == CLEAN
    assert tree.git("rev-parse", "HEAD") == head
    assert tree.git("diff", "--cached") == ""


@pytest.mark.parametrize("staged", [False, True])
def test_a_dirty_tree_is_refused(tree: WorkTree, staged: bool) -> None:
    tree.commit({FILE: SAFE, "README.md": "x\n"})
    write(tree.folder, {"README.md": "y\n"})
    if staged:
        tree.git("add", "README.md")
    code, out, err = tree.migrate("--apply")
    assert (code, out) == (2, "")
    assert "README.md" in err
    assert "--allow-dirty" in err
    assert tree.read(FILE) == SAFE
    assert tree.migrate("--apply", "--allow-dirty")[0] == 0
    assert tree.read(FILE) == CLEAN


def test_a_target_that_git_does_not_hold_is_refused(tree: WorkTree) -> None:
    """Other files that Git does not hold are nobody's business."""
    tree.commit({"README.md": "x\n"})
    write(tree.folder, {FILE: SAFE, "notes.txt": "x"})
    code, _, err = tree.migrate("--apply")
    assert code == 2
    assert FILE in err
    tree.git("add", FILE)
    assert tree.migrate("--apply")[0] == 2
    tree.git("commit", "--quiet", "--message", "x")
    assert tree.migrate("--apply")[0] == 0


def test_a_dirty_tree_does_not_matter_where_nothing_is_to_be_done(tree: WorkTree) -> None:
    tree.commit({FILE: CLEAN, "README.md": "x\n"})
    write(tree.folder, {"README.md": "y\n"})
    assert tree.migrate("--apply")[0] == 0


def test_outside_a_work_tree(tmp_path: Path) -> None:
    write(tmp_path, {FILE: SAFE})
    refused = crdlint(tmp_path, "migrate", "--apply", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert refused.returncode == 2
    assert b"no Git work tree" in refused.stderr
    assert (tmp_path / FILE).read_text() == SAFE
    assert crdlint(tmp_path, "migrate", "--apply", "--allow-dirty").returncode == 0
    assert (tmp_path / FILE).read_text() == CLEAN


def test_two_repositories_are_refused(tmp_path: Path) -> None:
    one, other = (WorkTree(tmp_path / name).commit({FILE: SAFE}) for name in ("one", "other"))
    done = crdlint(tmp_path, "migrate", str(one.folder), str(other.folder))
    assert done.returncode == 2
    assert b"several repositories" in done.stderr


def test_from_a_folder_below(tree: WorkTree) -> None:
    tree.commit({FILE: SAFE})
    done = crdlint(tree.folder / "config", "migrate", "--apply")
    assert done.returncode == 0, done.stderr
    assert tree.read(FILE) == CLEAN


def test_a_program_in_the_configuration_of_a_repository_is_not_run(tree: WorkTree, tmp_path: Path) -> None:
    """`core.fsmonitor` names a program that `git status` would run."""
    tree.commit({FILE: SAFE})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    tree.git("config", "core.fsmonitor", str(trap))
    assert tree.migrate("--apply")[0] == 0
    assert not (tmp_path / "sprung").exists()


def test_what_could_not_be_written_is_told(tree: WorkTree) -> None:
    tree.commit({FILE: SAFE, "b.yaml": SAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")})
    target = tree.folder / FILE
    target.unlink()
    target.symlink_to(tree.folder / "b.yaml")
    code, _, err = tree.migrate("--apply", "--allow-dirty", FILE, "b.yaml")
    assert code == 1
    assert "symbolic link" in err


def test_interrupted_runs_are_taken_up(tree: WorkTree) -> None:
    """One of two files was written when the run before was killed: the rest follows, and the result is the same."""
    other = SAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")
    tree.commit({FILE: SAFE, "gadgets.yaml": other})
    write(tree.folder, {FILE: CLEAN})
    assert tree.migrate("--apply", "--allow-dirty")[0] == 0
    assert tree.read(FILE) == CLEAN
    assert tree.steps() == []


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        (CLEAN, (), 0),
        (SAFE, (), 1),
        (SAFE, ("--apply",), 0),
        (UNSAFE, ("--apply",), 0),
        (MANUAL, (), 1),
        (MANUAL, ("--apply",), 1),
        (SAFE, ("--crd", "nobody.example.com"), 2),
        (SAFE, ("--only", "no-such-rule"), 2),
        (SAFE, ("--only", ""), 2),
        (SAFE, ("--format", "sarif"), 2),
        (SAFE, ("--report", "markdown"), 2),
        (SAFE, ("--report", "sarif=x"), 2),
        (SAFE, ("--report", "html=no/such/folder/x.html"), 2),
        (SAFE, ("--keep-unknown-fields",), 2),
        (SAFE, ("--ask",), 2),
        (SAFE, ("--objects", "-"), 2),
        (SAFE, ("--objects", "absent.yaml"), 2),
        (SAFE, ("--objects", FILE, "--kubernetes", "one"), 2),
        (SAFE, ("-",), 2),
        (SAFE, ("no/such/path",), 2),
    ],
)
def test_exit_codes(tree: WorkTree, text: str, arguments: tuple[str, ...], code: int) -> None:
    tree.commit({FILE: text})
    found, _, err = tree.migrate(*arguments)
    assert found == code, err
    assert found != 2 or err.startswith("crdlint: ")


def test_a_bundle_with_roles_is_read_again_once(tree: WorkTree) -> None:
    """Roles and CRDs in one file, as release manifests have them."""
    role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: x\nrules: []\n"
    tree.commit({"dist/install.yaml": f"{role}---\n{MANUAL}"})
    report = tree.report("--apply")
    assert len(report["remaining"]) == len({(one["rule"], one["pointer"]) for one in report["remaining"]})


def test_work_trees_without_crds_do_not_count(tree: WorkTree) -> None:
    """A submodule, say, that has other YAML."""
    WorkTree(tree.folder / "module").commit({"values.yaml": "x: y\n"})
    tree.commit({FILE: SAFE})
    assert tree.migrate("--apply")[0] == 0


def test_a_wrong_choice_is_told_even_where_there_is_no_crd(tree: WorkTree) -> None:
    tree.commit({"values.yaml": "x: y\n"})
    assert tree.migrate("--only", "no-such-rule")[0] == 2
    assert tree.migrate()[0] == 0


@pytest.mark.parametrize("breaks", ["no git", "no repository"])
def test_where_git_cannot_tell(tree: WorkTree, tmp_path: Path, breaks: str) -> None:
    """Git is not installed, or what looks like a work tree is none: nothing is written."""
    tree.commit({FILE: SAFE})
    path = os.environ["PATH"]
    if breaks == "no git":
        path = str(tmp_path)
    else:
        (tree.folder / ".git" / "HEAD").unlink()
    done = crdlint(tree.folder, "migrate", "--apply", PATH=path)
    assert done.returncode == 2
    assert b"--allow-dirty" in done.stderr
    assert tree.read(FILE) == SAFE
