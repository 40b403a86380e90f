"""The table of exit codes, and what a person is told when the code is 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import crdlint, here, report
from tests.texts import CLEAN, INFO, MANUAL, OTHER, SAFE, UNREADABLE, UNSAFE, WARNING, write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    texts = {
        "clean": CLEAN,
        "info": INFO,
        "manual": MANUAL,
        "other": OTHER,
        "safe": SAFE,
        "unreadable": UNREADABLE,
        "unsafe": UNSAFE,
        "warning": WARNING,
    }
    write(tmp_path, {f"{name}.yaml": text for name, text in texts.items()})
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("check clean.yaml", 0),
        ("check other.yaml", 0),
        ("check info.yaml", 0),
        ("check info.yaml --fail-on info", 1),
        ("check warning.yaml", 1),
        ("check warning.yaml --fail-on warning", 1),
        ("check warning.yaml --fail-on error", 0),
        ("check safe.yaml --fail-on error", 1),
        ("check unreadable.yaml", 1),
        ("check clean.yaml manual.yaml", 1),
        ("check manual.yaml --ignore core", 0),
        ("check manual.yaml --select pruned-status", 0),
        ("check safe.yaml --fix", 0),
        ("fix safe.yaml", 0),
        ("fix unsafe.yaml", 1),
        ("fix --unsafe-fixes unsafe.yaml", 0),
        ("fix manual.yaml", 1),
        ("fix clean.yaml other.yaml", 0),
        ("check --diff clean.yaml", 0),
        ("check --diff safe.yaml", 1),
        ("check --diff safe.yaml --fail-on error", 1),
        ("check --diff warning.yaml --fail-on error", 0),
        ("check --diff --unsafe-fixes warning.yaml --fail-on error", 1),
        ("check --diff manual.yaml", 1),
        ("fix --diff safe.yaml", 1),
        ("rules", 0),
        ("explain pruned-status", 0),
        ("--version", 0),
        ("--help", 0),
        ("check --help", 0),
    ],
)
def test_the_exit_code_says_what_was_found(folder: Path, arguments: str, code: int) -> None:
    assert here(folder, *arguments.split())[0] == code


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("check nowhere.yaml", "nowhere.yaml: no such file or folder"),
        ("check safe.yaml nowhere.yaml", "nowhere.yaml: no such file or folder"),
        ("fix safe.yaml nowhere.yaml", "nowhere.yaml: no such file or folder"),
        ("check *.yml", "*.yml: no file or folder matches"),
        ("check --select missing-condition safe.yaml", "did you mean 'missing-conditions'?"),
        ("check --select zzz safe.yaml", "`crdlint rules` lists them"),
        ("check --ignore pruned-statu safe.yaml", "did you mean 'pruned-status'?"),
        ("check --ignore cor safe.yaml", "did you mean 'core'?"),
        ("check --select=, safe.yaml", "--select names no rule"),
        ("check --format jsn safe.yaml", "unknown format 'jsn'; did you mean 'json'?"),
        ("check --report sarf=x safe.yaml", "unknown format 'sarf'; did you mean 'sarif'?"),
        ("check --report sarif safe.yaml", "write it as FORMAT=FILE"),
        ("check --output gone/out.json safe.yaml", "gone/out.json: the report cannot be written"),
        ("check --output . safe.yaml", "the report cannot be written"),
        ("check --fromat json safe.yaml", "--format"),
        ("check --fail-on fatal safe.yaml", "'error', 'warning', 'info'"),
        ("check --color blue safe.yaml", "'auto', 'always', 'never'"),
        ("check --jobs 0 safe.yaml", "0 is not in the range"),
        ("check --config gone.yaml safe.yaml", "gone.yaml: cannot be read: No such file"),
        ("check --rules gone safe.yaml", "gone: the folder with rules cannot be read: No such file"),
        ("check - safe.yaml", "cannot be checked together with files"),
        ("fix safe.yaml -", "cannot be checked together with files"),
        ("explain pruned-statu", "did you mean 'pruned-status'?"),
        ("rules --format xml", "choose text or json"),
        ("chek", "No such command 'chek'"),
    ],
)
def test_wrong_usage_is_told_and_nothing_is_touched(folder: Path, arguments: str, told: str) -> None:
    done = crdlint(folder, *arguments.split(" "))
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in " ".join(done.stderr.decode().split()), done.stderr.decode()
    assert (folder / "safe.yaml").read_text() == SAFE


def test_a_wrong_usage_takes_one_line(folder: Path) -> None:
    done = crdlint(folder, "check", "a\nb\x1b7.yaml")
    assert done.stderr.startswith(b"crdlint: a b\\x1b7.yaml: no such file")
    assert done.stderr.count(b"\n") == 1


def test_no_path_means_the_working_folder(folder: Path) -> None:
    found = json.loads(crdlint(folder, "check", "--format", "json").stdout)
    assert found["summary"]["files"] == 7
    assert found["summary"]["skipped"] == 1


def test_fix_exits_by_what_remains(folder: Path) -> None:
    done = crdlint(folder, "fix", "safe.yaml", "warning.yaml", "--format", "json")
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["summary"]["fixed"] == 1
    assert [finding["path"] for finding in found["findings"]] == ["warning.yaml"]
    assert (folder / "safe.yaml").read_text() == CLEAN
    assert (folder / "warning.yaml").read_text() == WARNING


def test_a_diff_without_a_difference_says_that_there_are_findings(folder: Path) -> None:
    done = crdlint(folder, "check", "--diff", "manual.yaml")
    assert done.stdout == b""
    assert done.stderr == b"crdlint: no fix would change anything, but there are findings: see them without --diff\n"
    assert crdlint(folder, "check", "--diff", "--quiet", "manual.yaml").stderr == b""


def test_a_diff_without_a_difference_names_the_flag_that_would_make_one(folder: Path) -> None:
    write(folder, {"one.yaml": UNSAFE, "two.yaml": UNSAFE + "---\n" + WARNING})
    told = "crdlint: no safe fix would change anything, but {} that need something else done as well: --diff"
    for command in (["fix"], ["check"]):
        done = crdlint(folder, *command, "--diff", "two.yaml")
        number = sum(f["fix"]["applicability"] == "unsafe" for f in report(folder, "check", "two.yaml")["findings"])
        assert number > 1
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr.decode().startswith(told.format(f"{number} findings have fixes"))
        assert b" --unsafe-fixes " in done.stderr
    assert crdlint(folder, "fix", "--diff", "--unsafe-fixes", "two.yaml").stderr == b""
    one = crdlint(folder, "fix", "--diff", "--select", "conditions-list-type", "two.yaml").stderr.decode()
    assert one.startswith(told.format("1 finding has a fix"))


# Nothing to check


def test_a_folder_without_a_crd_is_told_from_a_clean_one(tmp_path: Path) -> None:
    write(tmp_path, {"empty/x.txt": "", "some/other.yaml": OTHER, "clean/x.yaml": CLEAN})
    asked = "crdlint: there is no CRD below {}: is this the right folder?\n"
    for paths, told in (
        (["empty"], "empty"),
        (["some"], "some"),
        (["empty", "some"], "empty, some"),
        (["some/*.yaml", "some/other.yaml"], "some/*.yaml"),
    ):
        for command in (["check"], ["fix"], ["check", "--format", "json"], ["check", "--diff"]):
            done = crdlint(tmp_path, *command, *paths)
            assert (done.returncode, done.stderr.decode()) == (0, asked.format(told))
        assert crdlint(tmp_path, "check", "--quiet", *paths).stderr == b""
    # Hooks name files, whatever is in them.
    for paths in (["some/other.yaml"], ["."], ["empty", "clean"]):
        assert crdlint(tmp_path, "check", *paths).stderr == b""
    assert crdlint(tmp_path, "check", "-", stdin=OTHER.encode()).stderr == b""


def test_reports_go_to_their_files(folder: Path) -> None:
    arguments = ["check", "safe.yaml", "--format", "json", "--output", "out.json"]
    arguments += ["--report", "sarif=out.sarif", "--report", "text=out.txt", "--report", "jsonl=out.jsonl"]
    done = crdlint(folder, *arguments, FORCE_COLOR="1")
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    assert json.loads((folder / "out.json").read_text())["format"] == "crdlint/v1"
    assert json.loads((folder / "out.sarif").read_text())["version"] == "2.1.0"
    assert len((folder / "out.jsonl").read_text().splitlines()) == 1
    text = (folder / "out.txt").read_text()
    assert "safe.yaml:33:11" in text
    assert "\x1b" not in text


def test_reports_are_written_beside_a_diff(folder: Path) -> None:
    done = crdlint(folder, "check", "--diff", "safe.yaml", "--output", "out.diff", "--report", "json=out.json")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "+            default:\n" in (folder / "out.diff").read_text()
    assert json.loads((folder / "out.json").read_text())["summary"]["fixed"] == 1


def test_quiet_leaves_a_line_for_each_finding(folder: Path) -> None:
    done = crdlint(folder, "check", "--quiet", "safe.yaml", "warning.yaml", "clean.yaml")
    assert [line.split(": ")[0] for line in done.stdout.decode().splitlines()] == [
        "safe.yaml:33:11",
        "warning.yaml:37:15",
    ]
    assert crdlint(folder, "check", "--quiet", "clean.yaml").stdout == b""
