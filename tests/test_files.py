"""File discovery."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from crdlint.errors import UsageError
from crdlint.files import MissingPath, UnlistableFolder, discover, names_crd

is_root = hasattr(os, "geteuid") and os.geteuid() == 0
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="compares with Git itself")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="names and special files that Windows does not have")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder in a folder of its own."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def write(*paths: str, text: str = "") -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")


def ignore(*lines: str, folder: str = ".") -> None:
    write(f"{folder}/.gitignore", text="\n".join(lines) + "\n")


def test_a_folder_gives_yaml_and_json_in_order() -> None:
    write("b/z.yaml", "b/a.yml", "b/c/d.json", "b/readme.md", "a.yaml", "b/x.yaml.bak", ".github/x.yaml", "B.YAML")
    assert discover(["."]) == ["a.yaml", ".github/x.yaml", "b/a.yml", "b/z.yaml", "b/c/d.json"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (".", "a/b.yaml"),
        ("./", "a/b.yaml"),
        ("a", "a/b.yaml"),
        ("./a/", "a/b.yaml"),
        (".//a/./b.yaml", "a/b.yaml"),
        ("../work/a", "../work/a/b.yaml"),
        ("a/../a/b.yaml", "a/../a/b.yaml"),
        ("./*/b.yaml", "a/b.yaml"),
    ],
)
def test_paths_are_spelt_as_typed(given: str, expected: str) -> None:
    write("a/b.yaml")
    assert discover([given]) == [expected]


def test_absolute_paths_stay_absolute(folder: Path) -> None:
    write("a/b.yaml")
    expected = f"{folder.as_posix()}/a/b.yaml"
    for given in (folder, folder / "a", folder / "a/b.yaml", f"{folder}/**/*.yaml"):
        assert discover([str(given)]) == [expected]


def test_a_file_is_taken_as_given() -> None:
    write("crd.tpl", "vendor/x.yaml", "out/y.yaml")
    ignore("out/", "crd.tpl")
    assert discover(["crd.tpl", "vendor/x.yaml", "out/y.yaml"]) == ["crd.tpl", "vendor/x.yaml", "out/y.yaml"]


def test_standard_input_passes_through_once() -> None:
    write("a.yaml")
    assert discover(["-", "a.yaml", "-"]) == ["-", "a.yaml"]


@needs_posix
def test_a_file_called_minus_is_not_standard_input() -> None:
    write("./-")
    assert discover(["./-", "-"]) == ["./-", "-"]
    assert discover(["*"]) == ["./-"]


def test_each_file_comes_once_at_its_first_mention(folder: Path) -> None:
    write("a.yaml", "b.yaml")
    assert discover(["b.yaml", ".", "./a.yaml", str(folder), "../work/b.yaml"]) == ["b.yaml", "a.yaml"]


@pytest.mark.parametrize(
    "missing", ["nowhere.yaml", "a.yaml/", "a.yaml/b", "", "x\0y", "n" * 5000, "*.json", "no/**/x"]
)
def test_a_missing_path_is_wrong_usage(missing: str) -> None:
    write("a.yaml")
    with pytest.raises(MissingPath, match="check") as caught:
        discover(["a.yaml", missing])
    assert isinstance(caught.value, UsageError)


# Folders


def test_git_node_modules_and_vendor_are_left_out_of_a_folder() -> None:
    write("a.yaml", ".git/b.yaml", "x/node_modules/c.yaml", "x/vendor/d.yaml", "x/vendored/e.yaml")
    assert discover(["."]) == ["a.yaml", "x/vendored/e.yaml"]
    assert discover([".", "x/vendor"], respect_gitignore=False) == ["a.yaml", "x/vendored/e.yaml", "x/vendor/d.yaml"]


def test_half_written_files_are_left_out() -> None:
    write(".crdlint-abc.tmp", "a.yaml")
    assert discover([".", "*"]) == ["a.yaml"]
    with pytest.raises(MissingPath):
        discover([".c*"])


@needs_posix
def test_links_found_in_a_folder_are_passed_over_and_named_ones_taken(folder: Path) -> None:
    write("../outside/x.yaml", "a.yaml")
    os.symlink("../outside", "linked")
    os.symlink("a.yaml", "link.yaml")
    os.symlink(".", "loop")
    os.symlink("gone", "dangling.yaml")
    assert discover(["."]) == discover(["**/*.yaml"]) == discover(["*"]) == ["a.yaml"]
    assert discover(["link.yaml", "linked"]) == ["link.yaml", "linked/x.yaml"]
    with pytest.raises(MissingPath, match="leads nowhere"):
        discover(["dangling.yaml"])


@needs_posix
def test_special_files_in_a_folder_are_passed_over() -> None:
    write("a.yaml")
    os.mkfifo("fifo.yaml")
    os.mkfifo(".gitignore")
    os.mkdir("sub")
    write("sub/b.yaml")
    assert discover(["."]) == ["a.yaml", "sub/b.yaml"]
    assert discover(["sub"]) == ["sub/b.yaml"]
    assert discover(["fifo.yaml"]) == ["fifo.yaml"]


@needs_posix
@pytest.mark.parametrize("name", [b"new\nline.yaml", b"\xff\xfe.yaml", b"\x1b[2J.yaml", b"a b*.yaml", b"[x].yaml"])
def test_strange_names_do_no_harm(name: bytes) -> None:
    try:
        with open(name, "wb"):
            pass
    except OSError:
        pytest.skip("the file system refuses the name")
    Path(".gitignore").write_bytes(b"\xffx\n*.txt\n")
    assert discover(["."]) == discover([os.fsdecode(name)]) == [os.fsdecode(name)]


def test_very_deep_folders() -> None:
    deep = "/".join(["d"] * 300)
    write(f"{deep}/a.yaml")
    assert discover(["."]) == discover(["**/a.yaml"]) == [f"{deep}/a.yaml"]


@needs_posix
@pytest.mark.skipif(is_root, reason="root may read everything")
def test_a_folder_without_permission_is_reported_and_the_others_walked() -> None:
    write("closed/a.yaml", "open/b.yaml")
    os.chmod("closed", 0)
    check_unlistable("closed")
    os.chmod("closed", 0o700)


def test_a_folder_that_cannot_be_listed_is_reported_and_the_others_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    write("closed/a.yaml", "open/b.yaml")
    scandir = os.scandir

    def refuse(path: str) -> os._ScandirIterator[str]:
        if path == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    check_unlistable("closed")


def check_unlistable(name: str) -> None:
    failed: list[tuple[str, str | None]] = []
    assert discover(["."], on_error=lambda path, error: failed.append((path, error.strerror))) == ["open/b.yaml"]
    assert failed == [(name, "Permission denied")]
    with pytest.raises(UnlistableFolder, match=rf"{name}: the folder cannot be listed \(Permission denied\); make it"):
        discover(["."])


# Globs


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("config/**/*.yaml", ["config/a.yaml", "config/crd/b.yaml", "config/crd/deep/c.yaml"]),
        ("config/*.yaml", ["config/a.yaml"]),
        ("config/*/*.y?ml", ["config/crd/b.yaml"]),
        ("**/c.yaml", ["config/crd/deep/c.yaml"]),
        ("**/**/**/c.yaml", ["config/crd/deep/c.yaml"]),
        ("conf*/**", ["config/a.yaml", "config/.hidden/h.yaml", "config/crd/b.yaml", "config/crd/deep/c.yaml"]),
        ("config/c[rs]d", ["config/crd/b.yaml", "config/crd/deep/c.yaml"]),
        ("*/crd/../*.tpl", ["config/crd/../t.tpl"]),
        ("config/*", ["config/a.yaml", "config/crd/b.yaml", "config/crd/deep/c.yaml", "config/t.tpl"]),
        ("*/.hid*/*", ["config/.hidden/h.yaml"]),
        ("config/vendor/*", ["config/vendor/v.yaml"]),
    ],
)
def test_globs(pattern: str, expected: list[str]) -> None:
    write("config/a.yaml", "config/crd/b.yaml", "config/crd/deep/c.yaml", "config/t.tpl", "config/.hidden/h.yaml")
    write("config/vendor/v.yaml", "other/x.yml")
    assert discover([pattern]) == expected


def test_a_name_with_brackets_that_exists_is_no_glob() -> None:
    write("[a].yaml", "a.yaml")
    assert discover(["[a].yaml"]) == ["[a].yaml"]


def test_a_glob_obeys_gitignore() -> None:
    write("a.yaml", "gen/b.yaml", "sub/c.yaml", "sub/d.yaml")
    ignore("gen/")
    ignore("d.yaml", folder="sub")
    assert discover(["**/*.yaml"]) == ["a.yaml", "sub/c.yaml"]
    assert discover(["gen/*.yaml"]) == ["gen/b.yaml"]


# .gitignore


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a.yaml"], ["s/b.yaml", "s/t/c.yaml"]),
        (["/a.yaml", "/s/b.yaml"], ["s/a.yaml", "s/t/c.yaml"]),
        (["s/"], ["a.yaml"]),
        (["*.yaml", "!b.yaml"], ["s/b.yaml"]),
        (["s/**", "!b.yaml"], ["a.yaml", "s/b.yaml"]),
        (["s/", "!s/b.yaml"], ["a.yaml"]),
        (["/*", "!/s", "/s/*", "!/s/t/"], ["s/t/c.yaml"]),
        (["# a.yaml", "", "   ", "/s  "], ["a.yaml"]),
        (["!", "\\", "a[", "[z-a]", "[[]", "\\/x", "s"], ["a.yaml"]),
    ],
)
def test_gitignore(lines: list[str], expected: list[str]) -> None:
    write("a.yaml", "s/a.yaml", "s/b.yaml", "s/t/c.yaml")
    ignore(*lines)
    assert discover(["."]) == expected
    assert discover(["."], respect_gitignore=False) == ["a.yaml", "s/a.yaml", "s/b.yaml", "s/t/c.yaml"]


def test_nested_gitignore_files_and_those_above() -> None:
    write("repo/a.yaml", "repo/s/b.yaml", "repo/s/t/b.yaml", "repo/s/t/x.yaml", "repo/.git/HEAD")
    ignore("*", folder=".")  # above the repository: says nothing of it
    ignore("b.yaml", folder="repo")
    ignore("!b.yaml", folder="repo/s/t")
    assert discover(["repo"]) == ["repo/a.yaml", "repo/s/t/b.yaml", "repo/s/t/x.yaml"]
    assert discover(["repo/s"]) == ["repo/s/t/b.yaml", "repo/s/t/x.yaml"]
    assert discover(["repo/s/t"]) == ["repo/s/t/b.yaml", "repo/s/t/x.yaml"]


def test_a_repository_inside_another_knows_only_its_own() -> None:
    write("inner/a.yaml", "inner/.git", "outer.yaml")
    ignore("*.yaml")
    assert discover(["."]) == ["inner/a.yaml"]


def test_an_ignored_folder_that_is_named_is_walked() -> None:
    write("out/crds/a.yaml", "out/crds/b.yaml", "out/crds/c/d.yaml")
    ignore("out", "*.yaml")
    ignore("b.yaml", folder="out/crds")
    assert discover(["out/crds"]) == ["out/crds/a.yaml", "out/crds/c/d.yaml"]
    assert discover(["."]) == []


def test_without_a_repository_the_working_folder_is_its_root(folder: Path) -> None:
    write("s/a.yaml", "s/b.yaml")
    ignore("b.yaml")
    ignore("a.yaml", folder="..")
    assert discover(["s"]) == ["s/a.yaml"]
    assert discover([str(folder / "s")]) == [f"{folder.as_posix()}/s/a.yaml"]


@needs_git
def test_gitignore_means_what_git_means() -> None:
    names = [
        "a.yaml",
        "keep.yaml",
        "b/a.yaml",
        "b/keep.yaml",
        "b/c/a.yaml",
        "b/c/keep.yaml",
        "c/b/keep.yaml",
        "c/a.yaml",
    ]
    patterns = ["b/", "!b/", "*.yaml", "!keep.yaml", "b/**", "/*", "!/c", "**/c", "c/*", "!*/", "b/c", "[ab].yaml"]
    write(*names)
    subprocess.run(["git", "init", "-q"], check=True)
    for first in patterns:
        for second in patterns:
            ignore(first)
            ignore(second, folder="b")
            ignore(second, first, folder="c")
            command = ["git", "ls-files", "--others", "--exclude-standard", "*.yaml"]
            listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            assert sorted(discover(["."])) == sorted(listed.split()), (first, second)


def test_pathspec_is_imported_only_for_a_gitignore() -> None:
    write("s/a.yaml")
    program = "import sys; from crdlint.files import discover; discover(['.']); print('pathspec' in sys.modules)"

    def loads_pathspec() -> str:
        return subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        ).stdout.strip()

    assert loads_pathspec() == "False"
    ignore("x")
    assert loads_pathspec() == "True"


def test_a_bracket_pattern_gives_no_warning() -> None:
    write("a.yaml")
    ignore("[[]x", "[a--b]")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert discover(["."]) == ["a.yaml"]


# The byte search


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_names_crd(encoding: str) -> None:
    assert names_crd("ä: 1\nkind: CustomResourceDefinition\n".encode(encoding))
    assert not names_crd("kind: CustomResource\n\0Definition\n".encode(encoding))


def test_names_crd_takes_any_bytes() -> None:
    assert not names_crd(b"")
    assert not names_crd(b"\xff\x00\xfe")
    assert names_crd(b"\xff\x00CustomResourceDefinitionList\x00")
