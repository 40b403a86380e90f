"""What a person sees when crdlint itself fails, and when its configuration or its rules are wrong."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from crdlint import runner
from crdlint.cli import main
from tests.cli.run import crdlint
from tests.texts import SAFE, write


def run_here(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command in this process; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["crdlint", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, {"x.yaml": SAFE, ".git/x": ""})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def break_the_linter(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr("crdlint.linter.Linter.lint", fail)


@pytest.mark.parametrize(
    "error", [RuntimeError("it\nbroke \x1b[2J"), RecursionError("too deep"), MemoryError(), KeyError("x")]
)
def test_a_failure_of_crdlint_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    break_the_linter(monkeypatch, error)
    assert run_here(monkeypatch, "check", "x.yaml") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("crdlint: this is a fault of crdlint ")
    assert f"({type(error).__name__}: " in err
    assert "https://github.com/crdlint/crdlint/issues" in err
    assert "\x1b" not in err


def test_debug_shows_the_traceback(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_the_linter(monkeypatch, RuntimeError("it broke"))
    assert run_here(monkeypatch, "check", "x.yaml", "--debug") == 2
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):")
    assert "RuntimeError: it broke" in err


def test_an_interrupt_is_130(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    break_the_linter(monkeypatch, KeyboardInterrupt())
    assert run_here(monkeypatch, "check", "x.yaml") == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("files", "arguments", "told"),
    [
        (
            {".crdlint.yaml": "stateles: [X]\n"},
            [],
            "{folder}/.crdlint.yaml:1:1: unknown key 'stateles'; did you mean 'stateless'?",
        ),
        ({".crdlint.yaml": "a: [\n"}, [], "{folder}/.crdlint.yaml:2:1: cannot be read: "),
        ({"c.yaml": "\n\nignore: [a-b]\n"}, ["--config", "c.yaml"], "c.yaml:3:10: there is no rule or pack 'a-b'"),
        ({"c.yaml": "rules: [gone]\n"}, ["--config", "c.yaml"], "c.yaml:1:9: there is no folder gone"),
        ({"r/a.yaml": "id: x\nscope: no\n"}, ["--rules", "r"], "r/a.yaml:"),
        ({"r/a.yaml": ""}, ["--rules", "r"], "r/a.yaml:1:1: the file holds no rule"),
        ({"r/a.txt": ""}, ["--rules", "r"], "r: the folder holds no rule"),
    ],
)
@pytest.mark.parametrize("command", ["check", "fix"])
def test_what_is_wrong_with_configuration_and_rules_is_told_with_its_place(
    folder: Path, files: dict[str, str], arguments: list[str], told: str, command: str
) -> None:
    write(folder, files)
    done = crdlint(folder, command, "x.yaml", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("crdlint: " + told.format(folder=folder))
    assert done.stderr.count(b"\n") == 1
    assert (folder / "x.yaml").read_text() == SAFE


def test_a_wrong_configuration_further_down_stops_a_run_before_it_writes(folder: Path) -> None:
    write(folder, {"z/x.yaml": SAFE, "z/.crdlint.yaml": "no: 1\n"})
    assert crdlint(folder, "fix", ".").returncode == 2
    assert (folder / "x.yaml").read_text() == SAFE


def test_a_wrong_configuration_elsewhere_does_not_matter(folder: Path) -> None:
    write(folder, {"wrong/.crdlint.yaml": "no: 1\n", "right/.git/x": "", "right/x.yaml": SAFE})
    assert crdlint(folder / "wrong", "check", "../right").returncode == 1


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_checked(folder: Path) -> None:
    # A folder of that name could be listed, but a file of proc cannot be read.
    unreadable = "/proc/self/mem"
    if not os.path.exists(unreadable):
        pytest.skip("there is no file that root cannot read")
    done = crdlint(folder, "check", unreadable, "x.yaml", "--format", "json")
    assert done.returncode == 1
    assert done.stderr == b"crdlint: /proc/self/mem: cannot be read: Input/output error\n"
    assert len(json.loads(done.stdout)["findings"]) == 1


def test_a_folder_that_cannot_be_listed_is_told_and_the_others_are_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    write(folder, {"closed/x.yaml": SAFE, "open/x.yaml": SAFE.replace("storage: true", "storage: true ")})
    scandir = os.scandir

    def refuse(path: str) -> os._ScandirIterator[str]:
        if path == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert run_here(monkeypatch, "check", "--select", "pruned-status") == 1
    assert capsysbinary.readouterr().err == b"crdlint: closed: cannot be listed: Permission denied\n"


# Several processes


def many(folder: Path) -> None:
    """Files that are together large enough for three processes."""
    padding = "".join(f"# {'x' * 100}\n" for _ in range(500))
    write(folder, {f"{number // 10}/{number}.yaml": padding + SAFE for number in range(50)})


def test_several_processes_say_the_same_as_one(folder: Path) -> None:
    many(folder)
    write(folder, {"4/.crdlint.yaml": "stateless: [Widget]\n", "2/broken.yaml": b"CustomResourceDefinition: \xff"})
    started = runner._worthwhile_processes([str(path) for path in folder.rglob("*.yaml")])
    assert started >= 3
    one, three = (crdlint(folder, "check", "--format", "json", "--jobs", jobs) for jobs in ("1", "3"))
    assert one.stdout == three.stdout
    assert one.returncode == three.returncode == 1
    assert len(json.loads(one.stdout)["findings"]) == 42
    fixed = crdlint(folder, "fix", "--format", "json", "--jobs", "3")
    assert json.loads(fixed.stdout)["summary"]["fixed"] == 41


def test_what_is_wrong_in_another_process_is_told_as_ever(folder: Path) -> None:
    many(folder)
    rule = "id: slow\nsummary: s\nseverity: info\nscope: crd\nwhy: w\n"
    rule += r"schema: {properties: {kind: {pattern: '^(\w|\w\w|\w\w\w|\w\w\w\w)+\s'}}}"
    write(folder, {"rules/r.yaml": rule})
    done = crdlint(folder, "check", "--rules", "rules", "--jobs", "2", "0", "1", "2", "3", "4")
    assert done.returncode == 2
    assert done.stderr.startswith(b"crdlint: rule slow: the pattern ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the other processes would not know of the change made here")
@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the other processes would not know of the change made here")
def test_a_process_that_dies_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    many(folder)
    parent = os.getpid()

    def die(*arguments: object) -> None:
        assert os.getpid() != parent
        os._exit(9)

    monkeypatch.setattr("crdlint.linter.Linter.lint", die)
    assert run_here(monkeypatch, "check", "--jobs", "2") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        err == "crdlint: a process that checks files was ended from outside, perhaps for want of memory: try --jobs 1\n"
    )
