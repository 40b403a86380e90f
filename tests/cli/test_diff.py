"""``--diff``: applied by Git and by patch, it makes of a file what ``fix`` makes of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import crdlint
from tests.texts import CLEAN, SAFE, TWO_CLEAN, TWO_SAFE, variants, write

TOOLS = {"git": ["git", "apply"], "patch": ["patch", "-p0", "--quiet"]}
NAMES = (
    "x.yaml",
    "config/crd/x.yaml",
    "a/x.yaml",
    "with space/a b.yaml",
    'quo"te\\x.yaml',
    "über/ä.yaml",
    "tab\tnew\nline.yaml",
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names that Windows does not have")


def apply(tool: str, folder: Path, difference: bytes) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here")
    done = subprocess.run(TOOLS[tool], cwd=folder, input=difference, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("repository", [True, False], ids=["in-a-repository", "elsewhere"])
@pytest.mark.parametrize("tool", TOOLS)
def test_a_difference_does_what_fix_does(tmp_path: Path, tool: str, repository: bool) -> None:
    before, after = (
        {f"{kind}/{name}": data for kind, data in variants(text).items() for name in NAMES} for text in (SAFE, CLEAN)
    )
    write(tmp_path, before)
    if repository:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    done = crdlint(tmp_path, "check", "--diff")
    assert (done.returncode, done.stderr) == (1, b"")
    kept = {name: data for name, data in contents(tmp_path).items() if not name.startswith(".git/")}
    assert kept == before
    apply(tool, tmp_path, done.stdout)
    assert {name: data for name, data in contents(tmp_path).items() if not name.startswith(".git/")} == after


@pytest.mark.parametrize("tool", TOOLS)
def test_several_changes_of_one_file(tmp_path: Path, tool: str) -> None:
    write(tmp_path, {"x.yaml": TWO_SAFE})
    apply(tool, tmp_path, crdlint(tmp_path, "check", "--diff", "x.yaml").stdout)
    assert (tmp_path / "x.yaml").read_text() == TWO_CLEAN


@pytest.mark.parametrize("tool", TOOLS)
def test_in_a_subfolder_of_a_repository_and_by_absolute_paths(tmp_path: Path, tool: str) -> None:
    write(tmp_path, {"sub/config/x.yaml": SAFE})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    folder = tmp_path / "sub"
    apply(tool, folder, crdlint(folder, "check", "--diff", str(folder / "config" / "x.yaml")).stdout)
    assert (folder / "config" / "x.yaml").read_text() == CLEAN


def test_a_difference_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    assert crdlint(tmp_path, "fix", "--diff", "--format", "json").stdout.decode().split("\n") == [
        "--- ./x.yaml",
        "+++ ./x.yaml",
        "@@ -31,6 +31,8 @@",
        "                 type: integer",
        "             type: object",
        "           status:  # what the controller saw",
        "+            default:",
        "+              observedGeneration: -1",
        "             properties:",
        "               conditions:",
        "                 items:",
        "",
    ]


def test_escapes_do_not_reach_a_terminal(tmp_path: Path) -> None:
    hostile = SAFE.replace("# what the controller saw", "# \u202e")
    write(tmp_path, {"x.yaml": hostile})
    shown = crdlint(tmp_path, "check", "--diff", "--color", "always").stdout.decode()
    assert "\\u202e" in shown
    assert "\u202e" not in shown


def test_a_link_has_no_difference_and_says_why(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    os.symlink("x.yaml", tmp_path / "link.yaml")
    done = crdlint(tmp_path, "check", "--diff", "link.yaml", "--quiet")
    assert (done.returncode, done.stdout) == (1, b"")
    assert (
        done.stderr == b"crdlint: link.yaml: would not be fixed: it is a symbolic link: fix the file that it leads to\n"
    )


def test_a_large_file_takes_no_long_time(tmp_path: Path) -> None:
    large = SAFE.replace(
        "              size:\n",
        "".join(f"              size{n}:\n                type: integer\n" for n in range(20_000))
        + "              size:\n",
    )
    write(tmp_path, {"x.yaml": large})
    done = crdlint(tmp_path, "check", "--diff")
    assert done.stdout.count(b"\n+") == 3
