"""What has changed since a Git revision, on scratch repositories and with the real Git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from crdlint.known.revision import changes_since, contents
from tests.cli.run import crdlint, environment, report
from tests.texts import CLEAN, INFO, OTHER, RULE, SAFE, TWO_SAFE, UNREADABLE, UNSAFE, WARNING, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs Git")
SUBRESOURCE = "missing-status-subresource"
# Nobody's settings, and no editor.
_PLAIN = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False, env=environment(**_PLAIN)
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(folder: Path, message: str = "x") -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def repository(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a commit."""
    repository(tmp_path / "repository")
    write(tmp_path / "repository", {"a.yaml": SAFE, "b/b.yaml": UNSAFE, "clean.yaml": CLEAN, "notes.txt": "x"})
    commit(tmp_path / "repository")
    return tmp_path / "repository"


def new(folder: Path, *arguments: str, since: str = "HEAD") -> list[tuple[str, str]]:
    """Path and rule of what is new."""
    return [(one["path"], one["rule"]) for one in report(folder, "check", "--since", since, *arguments)["findings"]]


def summary(folder: Path, *arguments: str, since: str = "HEAD") -> str:
    done = crdlint(folder, "check", "--since", since, *arguments)
    return done.stdout.decode().partition("Not shown: ")[2].partition("\n")[0]


# What is new


def test_nothing_has_changed(folder: Path) -> None:
    done = crdlint(folder, "check", "--since", "HEAD")
    assert done.returncode == 0
    assert done.stdout == b"No new findings: no CRD in 0 files.\nNot shown: 0 findings that HEAD has already.\n"


@pytest.mark.parametrize("staged", [False, True])
def test_lines_that_moved_are_not_new(folder: Path, staged: bool) -> None:
    write(folder, {"a.yaml": "# one\n# two\n" + SAFE, "b/b.yaml": UNSAFE.replace("size", "length")})
    if staged:
        git(folder, "add", "--all")
    assert new(folder) == []
    assert summary(folder) == "3 findings that HEAD has already."


def test_a_finding_that_was_added_is_new_and_those_beside_it_are_not(folder: Path) -> None:
    write(folder, {"a.yaml": "# one\n" + SAFE.replace("    subresources:\n      status: {}\n", "")})
    assert new(folder) == [("a.yaml", SUBRESOURCE)]


def test_a_finding_that_is_cured_has_gone(folder: Path) -> None:
    write(folder, {"a.yaml": CLEAN})
    assert new(folder) == []
    assert summary(folder) == "0 findings that HEAD has already; 1 that it has is no more."


def test_only_what_has_changed_is_checked(folder: Path) -> None:
    write(folder, {"clean.yaml": WARNING})
    assert report(folder, "check", "--since", "HEAD")["summary"]["files"] == 1
    # Which is what makes it quick: the others are not even read.
    if os.name != "nt" and os.geteuid() != 0:
        os.chmod(folder / "a.yaml", 0)
        assert new(folder) == [("clean.yaml", "conditions-list-type")]


@pytest.mark.parametrize("staged", [False, True])
def test_a_file_that_is_new(folder: Path, staged: bool) -> None:
    write(folder, {"c/new.yaml": WARNING, "c/copy.yaml": SAFE})
    if staged:
        git(folder, "add", "--all")
    # A copy of what stays where it was is new.
    assert new(folder) == [("c/copy.yaml", RULE), ("c/new.yaml", "conditions-list-type")]


def test_what_is_ignored_is_not_new(folder: Path) -> None:
    write(folder, {".gitignore": "ignored.yaml\n", "ignored.yaml": SAFE})
    assert new(folder) == []


@pytest.mark.parametrize("how", ["git", "disk", "staged"])
def test_a_renamed_file_has_nothing_new(folder: Path, how: str) -> None:
    """Whether Git knows it as renamed, or sees a file that is gone and one that it does not know."""
    (folder / "c").mkdir()
    if how == "git":
        git(folder, "mv", "a.yaml", "c/renamed.yaml")
    else:
        (folder / "a.yaml").rename(folder / "c/renamed.yaml")
    if how == "staged":
        git(folder, "add", "--all")
    assert new(folder) == []
    write(folder, {"c/renamed.yaml": "# moved\n" + UNSAFE})
    assert new(folder) == [("c/renamed.yaml", SUBRESOURCE)]


def test_a_crd_in_two_files_that_are_both_renamed(folder: Path) -> None:
    """The rest of the fingerprint is not unique then: Git's own pairing tells."""
    write(folder, {"charts/a.yaml": SAFE})
    commit(folder)
    git(folder, "mv", "a.yaml", "one.yaml")
    git(folder, "mv", "charts/a.yaml", "charts/two.yaml")
    assert new(folder) == []


def test_a_file_that_was_removed(folder: Path) -> None:
    (folder / "a.yaml").unlink()
    assert new(folder) == []
    assert summary(folder) == "0 findings that HEAD has already; 1 that it has is no more."


def test_what_was_removed_from_the_index_only_is_as_it_was(folder: Path) -> None:
    git(folder, "rm", "--quiet", "--cached", "a.yaml")
    assert new(folder) == []
    write(folder, {"a.yaml": UNSAFE})
    assert new(folder) == [("a.yaml", SUBRESOURCE)]


def test_a_document_that_moves_to_another_file(folder: Path) -> None:
    git(folder, "mv", "a.yaml", "many.yaml")
    write(folder, {"many.yaml": f"{OTHER}---\n{SAFE}---\n{TWO_SAFE.replace('widgets', 'gadgets')}"})
    assert new(folder) == [("many.yaml", RULE)] * 2


def test_line_endings_are_nobodys_findings(folder: Path) -> None:
    write(folder, {"a.yaml": SAFE.replace("\n", "\r\n")})
    assert new(folder) == []
    git(folder, "config", "core.autocrlf", "true")
    write(folder, {"b/b.yaml": UNSAFE.replace("\n", "\r\n")})
    assert new(folder) == []


def test_what_could_not_be_read_then_or_cannot_be_now(folder: Path) -> None:
    write(folder, {"a.yaml": UNREADABLE})
    assert new(folder) == [("a.yaml", "unreadable-file")]
    commit(folder)
    write(folder, {"a.yaml": SAFE})
    assert new(folder) == [("a.yaml", RULE)]


def test_a_link_is_no_old_file(folder: Path) -> None:
    os.symlink("a.yaml", folder / "link.yaml")
    commit(folder)
    (folder / "link.yaml").unlink()
    write(folder, {"link.yaml": SAFE})
    assert new(folder) == [("link.yaml", RULE)]


def test_the_configuration_of_today_counts_for_both_sides(folder: Path) -> None:
    write(folder, {".crdlint.yaml": f"ignore: [{RULE}]\n", "a.yaml": UNSAFE})
    assert new(folder) == [("a.yaml", SUBRESOURCE)]
    write(folder, {".crdlint.yaml": "exclude: [a.yaml]\n"})
    assert new(folder) == []


def test_further_back(folder: Path) -> None:
    git(folder, "tag", "before")
    write(folder, {"a.yaml": UNSAFE})
    commit(folder)
    git(folder, "branch", "other")
    for since in ("before", "HEAD~1", "main~1", git(folder, "rev-parse", "before").strip()):
        assert new(folder, since=since) == [("a.yaml", SUBRESOURCE)]
    assert new(folder, since="other") == []


def test_an_unmerged_file(folder: Path) -> None:
    git(folder, "checkout", "--quiet", "-b", "other")
    write(folder, {"a.yaml": SAFE.replace("default: 3", "default: 4")})
    commit(folder)
    git(folder, "checkout", "--quiet", "main")
    write(folder, {"a.yaml": SAFE.replace("default: 3", "default: 5")})
    commit(folder)
    with pytest.raises(AssertionError):
        git(folder, "merge", "--quiet", "other")
    write(folder, {"a.yaml": UNSAFE})
    assert new(folder) == [("a.yaml", SUBRESOURCE)]


# Where it is asked


def test_from_a_folder_below_and_with_paths(folder: Path) -> None:
    write(folder, {"a.yaml": UNSAFE, "b/c.yaml": SAFE, "b/d.yaml": WARNING})
    assert new(folder / "b") == [("c.yaml", RULE), ("d.yaml", "conditions-list-type")]
    assert new(folder / "b", "../a.yaml", "d.yaml") == [("../a.yaml", SUBRESOURCE), ("d.yaml", "conditions-list-type")]
    assert new(folder, "a.yaml") == [("a.yaml", SUBRESOURCE)]
    assert new(folder, str(folder / "b/*.yaml")) == [
        (str(folder / "b/c.yaml"), RULE),
        (str(folder / "b/d.yaml"), "conditions-list-type"),
    ]


def test_through_a_link_to_the_repository(folder: Path) -> None:
    os.symlink(folder, folder.parent / "link")
    write(folder, {"a.yaml": "# moved\n" + UNSAFE})
    assert new(folder, str(folder.parent / "link")) == [(str(folder.parent / "link/a.yaml"), SUBRESOURCE)]


NAMES = [
    "with space.yaml",
    "ä🎉.yaml",
    'quote".yaml',
    "back\\slash.yaml",
    "tab\t.yaml",
    "new\nline.yaml",
    "-dash.yaml",
    "*.yaml",
    ":colon.yaml",
    os.fsdecode(b"\xff.yaml"),
]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names that these systems do not take")
@pytest.mark.parametrize("name", NAMES)
def test_names_that_need_quoting(folder: Path, name: str) -> None:
    write(folder, {f"names/{name}": SAFE, f"moved/{name}": SAFE.replace("widgets", "gadgets")})
    commit(folder)
    write(folder, {f"names/{name}": "# moved\n" + UNSAFE})
    git(folder, "mv", f"moved/{name}", f"moved/again-{name}")
    assert [rule for _, rule in new(folder)] == [SUBRESOURCE]
    assert [rule for _, rule in new(folder, "names", "moved")] == [SUBRESOURCE]


def test_in_another_worktree(folder: Path) -> None:
    git(folder, "worktree", "add", "--quiet", "-b", "other", str(folder.parent / "other"))
    other = folder.parent / "other"
    write(other, {"a.yaml": UNSAFE})
    assert new(other) == [("a.yaml", SUBRESOURCE)]
    assert new(folder) == []


def test_in_a_submodule(folder: Path, tmp_path: Path) -> None:
    outer = repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(folder), "inner")
    write(outer, {"x.yaml": SAFE})
    commit(outer)
    write(outer, {"inner/a.yaml": UNSAFE, "x.yaml": UNSAFE})
    assert new(outer / "inner") == [("a.yaml", SUBRESOURCE)]
    assert new(outer) == [("x.yaml", SUBRESOURCE)]


def test_other_options_hold(folder: Path) -> None:
    write(folder, {"a.yaml": UNSAFE, "b/b.yaml": INFO})
    assert new(folder, "--ignore", SUBRESOURCE) == [("b/b.yaml", "unused-ignore")]
    assert crdlint(folder, "check", "--since", "HEAD", "b").returncode == 0
    assert crdlint(folder, "check", "--since", "HEAD", "--fail-on", "info", "b").returncode == 1
    assert crdlint(folder, "fix", "--since", "HEAD", "--unsafe-fixes").returncode == 0
    assert SUBRESOURCE not in str(report(folder, "check", "a.yaml"))


def test_only_changed_files_are_fixed(folder: Path) -> None:
    write(folder, {"new.yaml": SAFE})
    assert crdlint(folder, "fix", "--since", "HEAD").returncode == 0
    assert ((folder / "a.yaml").read_text(), (folder / "new.yaml").read_text()) == (SAFE, CLEAN)


def test_beside_a_baseline(folder: Path) -> None:
    crdlint(folder, "baseline")
    write(folder, {"c.yaml": WARNING, "a.yaml": "# moved\n" + SAFE})
    done = crdlint(folder, "check", "--since", "HEAD", "--baseline", ".crdlint-baseline.json")
    assert done.returncode == 1
    lines = [line for line in done.stdout.decode().splitlines() if line.startswith("Not shown: ")]
    assert lines == [
        "Not shown: 1 finding that HEAD has already.",
        "Not shown: 1 finding that the baseline .crdlint-baseline.json has already.",
    ]


def test_old_findings_are_kept_in_the_cache(folder: Path, cache_folder: str) -> None:
    write(folder, {"a.yaml": UNSAFE})
    first = crdlint(folder, "check", "--since", "HEAD", "--format", "json").stdout
    (pack,) = Path(cache_folder).glob("*.jsonl")
    size = pack.stat().st_size
    assert crdlint(folder, "check", "--since", "HEAD", "--format", "json").stdout == first
    assert pack.stat().st_size == size
    assert crdlint(folder, "check", "--since", "HEAD", "--format", "json", "--no-cache").stdout == first


# What is no question


def refusal(folder: Path, *arguments: str, **variables: str) -> str:
    """The one line that says why."""
    done = crdlint(folder, "check", *arguments, stdin=b"", **variables)
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    return line


@pytest.mark.parametrize(
    "revision", ["nowhere", "", "HEAD..HEAD", "HEAD:a.yaml", "^HEAD", "--all", "--help", "-h", "-", "a b", "\x1b[2J"]
)
def test_unknown_revisions_and_what_looks_like_an_option(folder: Path, revision: str) -> None:
    line = refusal(folder, f"--since={revision}")
    assert "Git knows no such revision here" in line
    assert "\x1b" not in line


def test_options_reach_git_as_revisions_only(folder: Path, tmp_path: Path) -> None:
    """Git's own ``--output`` would write a file."""
    refusal(folder, f"--since=--output={tmp_path / 'written'}")
    refusal(folder, "--since", f"--output={tmp_path / 'written'}")
    assert not (tmp_path / "written").exists()
    # There may be a branch of that name, and it is one.
    git(folder, "update-ref", "refs/heads/--all", "HEAD")
    assert new(folder, since="refs/heads/--all") == []


def test_not_a_repository(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": SAFE})
    assert "not a git repository" in refusal(tmp_path, "--since", "HEAD", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    repository(tmp_path)
    assert "Git knows no such revision" in refusal(tmp_path, "--since", "HEAD")


def test_git_is_missing(folder: Path) -> None:
    assert "which is not installed" in refusal(folder, "--since", "HEAD", PATH=str(folder))


def test_paths_of_other_repositories(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, {"out.yaml": SAFE})
    assert "../out.yaml: lies outside of the repository" in refusal(folder, "--since", "HEAD", "../out.yaml")


def test_standard_input(folder: Path) -> None:
    assert "--since compares files" in refusal(folder, "--since", "HEAD", "-")


# Git, asked directly


def test_contents_come_in_order_whatever_they_are(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: Sequence[bytes] = (b"", b"\n", b"a\nblob 3\n", bytes(range(256)) * 50, b"no newline", b"\n\n")
    write(folder, {f"binary/{number}": data for number, data in enumerate(pieces)})
    commit(folder)
    for number in range(len(pieces)):
        (folder / f"binary/{number}").unlink()
    monkeypatch.chdir(folder)
    changes = changes_since("HEAD")
    removed = sorted(changes.removed, key=lambda old: old.path)
    assert [old.path for old in removed] == [f"binary/{number}" for number in range(len(pieces))]
    assert list(contents(changes.root, removed)) == list(pieces)
    assert list(contents(changes.root, [])) == []


# Whose programs, and whose repository


def programs(folder: Path, target: Path) -> None:
    """Let the repository's own configuration name programs, wherever it can, that leave a trace in ``target``."""
    trace = folder / ".git/trace"
    trace.write_text(f"#!/bin/sh\nprintf '%s ' \"$0\" >>'{target}'\ncat\n", encoding="utf-8")
    trace.chmod(0o755)
    hooks = folder / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"):
        shutil.copy(trace, hooks / name)
    for filtered in ("plain", "a=b", "Some Thing", "long"):
        for key in ("clean", "smudge", *(("process",) if filtered == "long" else ())):
            git(folder, "config", f"filter.{filtered}.{key}", str(trace))
        git(folder, "config", f"filter.{filtered}.required", "true")
    git(folder, "config", "diff.traced.textconv", str(trace))
    git(folder, "config", "diff.traced.command", str(trace))
    for key in ("core.fsmonitor", "diff.external", "core.pager", "core.sshCommand", "core.gitProxy"):
        git(folder, "config", key, str(trace))
    attributes = ("plain", "a=b", "long")
    lines = [f"*{index}.yaml filter={name} diff=traced\n" for index, name in enumerate(attributes)]
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/attributes").write_text("".join(lines), encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="programs that are shell scripts")
@pytest.mark.parametrize(
    "arguments", [["check", "--since", "HEAD"], ["migrate", "--apply"], ["migrate", "--apply", "--allow-dirty"]]
)
def test_no_program_of_the_repository_is_run(folder: Path, tmp_path: Path, arguments: list[str]) -> None:
    write(folder, {f"{number}.yaml": SAFE for number in range(3)})
    commit(folder)
    if arguments[0] == "check":
        git(folder, "mv", "0.yaml", "renamed0.yaml")
    programs(folder, tmp_path / "ran")
    # As after a copy: Git has to look into the files.
    for path in folder.glob("*.yaml"):
        os.utime(path, (1, 1))
    assert crdlint(folder, *arguments).returncode in (0, 1)
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="programs that are shell scripts")
def test_the_programs_would_be_run(folder: Path, tmp_path: Path) -> None:
    """What the test above rests on."""
    write(folder, {f"{number}.yaml": SAFE for number in range(2)})
    commit(folder)
    programs(folder, tmp_path / "ran")
    for path in folder.glob("*.yaml"):
        os.utime(path, (1, 1))
    git(folder, "-c", "filter.a=b.clean=", "status", "--porcelain")
    assert (tmp_path / "ran").exists()


def test_filters_of_the_user_are_the_users(folder: Path, tmp_path: Path) -> None:
    """What passes through a filter before it is kept has not changed where only the filter made a difference."""
    own = tmp_path / "own"
    own.write_text('[filter "upper"]\n\tclean = tr a-z A-Z\n', encoding="utf-8")
    write(folder, {".gitattributes": "u.txt filter=upper\n", "u.txt": "abc\n"})
    git(folder, "config", "include.path", str(own))
    commit(folder)
    git(folder, "config", "--unset", "include.path")
    os.utime(folder / "u.txt", (1, 1))
    assert b"u.txt" in crdlint(folder, "migrate", "--apply", GIT_CONFIG_GLOBAL=os.devnull).stderr
    assert crdlint(folder, "migrate", "--apply", GIT_CONFIG_GLOBAL=str(own)).stderr == b""


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"])
@pytest.mark.parametrize("command", ["check --since HEAD", "migrate --apply"])
def test_the_files_own_repository_is_asked_in_a_hook_of_another(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, command: str
) -> None:
    other = repository(tmp_path / "other")
    write(other, {"other.yaml": SAFE})
    commit(other)
    at = {"GIT_WORK_TREE": other, "GIT_INDEX_FILE": other / ".git/index"}.get(variable, other / ".git")
    usual = crdlint(folder, *command.split())
    git(folder, "checkout", "--quiet", "--", ".")
    monkeypatch.setenv(variable, str(at))
    done = crdlint(folder, *command.split())
    assert (done.returncode, done.stdout, done.stderr) == (usual.returncode, usual.stdout, usual.stderr)
