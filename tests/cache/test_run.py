"""Runs with a cache: they print what runs without one print, and only sooner."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from crdlint import project
from crdlint.config.lookup import FILE_NAME
from crdlint.report import FORMATS
from tests.cli.run import COMMAND, crdlint, environment, here, report, rules
from tests.surroundings import ROOT
from tests.texts import CLEAN, MANUAL, OTHER, RULE, SAFE, TWO_SAFE, UNREADABLE, UNSAFE, WARNING, variants, write

FILES: dict[str, str | bytes] = {
    "a/safe.yaml": SAFE,
    "a/manual.yaml": MANUAL,
    "two.yaml": TWO_SAFE,
    "unsafe.yaml": UNSAFE.replace("Widget is", "Ding ä🎉 is"),
    "warning.yaml": WARNING,
    "unreadable.yaml": UNREADABLE,
    "latin.yaml": SAFE.encode().replace(b"Widget is", b"Widget \xe4 is"),
    "clean.yaml": CLEAN,
    "other.yaml": OTHER,
    "named.yaml": OTHER + "# CustomResourceDefinition\n",
}


def packs(cache_folder: str) -> dict[str, bytes]:
    """The content of the cache; the folder's own marks are no content."""
    folder = Path(cache_folder)
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.jsonl"))} if folder.is_dir() else {}


def forge(cache_folder: str, **changes: Any) -> None:
    """Let all findings that are kept say something else, with checksums that are right."""
    from crdlint.cache.pack import Pack

    for path in Path(cache_folder).glob("*.jsonl"):
        pack = Pack(cache_folder, path.stem)
        for key in [line[:64].decode() for line in path.read_bytes().split(b"\n") if line]:
            entry = pack.get(key)
            for finding in entry[5]:
                finding[2] = "forged"
            pack.append({key: json.dumps(entry)})


# All formats


@pytest.mark.parametrize(
    "command", [("check",), ("check", "--select", "core"), ("fix", "--diff"), ("fix", "--diff", "--unsafe-fixes")]
)
@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_is_the_same_with_a_cache_and_without(
    tmp_path: Path, cache_folder: str, format_: str, command: tuple[str, ...]
) -> None:
    write(tmp_path, FILES)
    write(tmp_path, {f"variants/{name}.yaml": data for name, data in variants(UNSAFE).items()})
    write(tmp_path, {f"b/{FILE_NAME}": "ignore: [missing-conditions]\n", "b/unsafe.yaml": UNSAFE})
    asked = (*command, "--format", format_, ".")
    uncached = here(tmp_path, *asked, "--no-cache")
    assert not packs(cache_folder)
    cold = here(tmp_path, *asked)
    assert packs(cache_folder)
    assert cold == here(tmp_path, *asked) == uncached


# What shows more than findings takes its time for each file.
SLOW = ("html", "markdown", "sarif")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_fixtures_too(tmp_path: Path, format_: str) -> None:
    cases = sorted((ROOT / "fixtures").glob("*/*/in.yaml"))[:: 15 if format_ in SLOW else 1]
    write(tmp_path, {f"{case.parent.parent.name}-{case.parent.name}.yaml": case.read_bytes() for case in cases})
    asked = ("check", "--jobs", "1", "--format", format_, ".")
    uncached = here(tmp_path, *asked, "--no-cache")
    assert here(tmp_path, *asked) == here(tmp_path, *asked) == uncached


@pytest.mark.parametrize("command", [("fix",), ("fix", "--unsafe-fixes"), ("check", "--fix")])
def test_fixing_leaves_the_same_files(tmp_path: Path, command: tuple[str, ...]) -> None:
    outputs = []
    for name in ("cached", "uncached"):
        folder = tmp_path / name
        write(folder, FILES)
        no_cache = ["--no-cache"] if name == "uncached" else []
        # The second run finds nothing to fix, the third one knows that.
        runs = [here(folder, *command, *no_cache, ".") for _ in range(3)]
        outputs.append((runs, {path.name: path.read_bytes() for path in folder.rglob("*.yaml")}))
    assert outputs[0] == outputs[1]


# It is used at all


def messages(folder: Path, *arguments: str) -> list[str]:
    return [finding["message"] for finding in report(folder, "check", *arguments)["findings"]]


def test_a_result_is_taken_from_the_cache(tmp_path: Path, cache_folder: str) -> None:
    """Told by what nobody else could have put there."""
    write(tmp_path, {"x.yaml": SAFE})
    assert messages(tmp_path) != ["forged"]
    forge(cache_folder)
    assert messages(tmp_path) == ["forged"]
    assert messages(tmp_path, "--select", RULE) != ["forged"]


def test_no_cache_neither_reads_nor_writes(tmp_path: Path, cache_folder: str) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    for command in ("check", "fix"):
        here(tmp_path, command, "--diff", "--no-cache")
    assert not os.path.lexists(cache_folder)
    messages(tmp_path)
    forge(cache_folder)
    before = packs(cache_folder)
    assert messages(tmp_path, "--no-cache") != ["forged"] == messages(tmp_path)
    assert packs(cache_folder) == before


def test_a_warm_run_loads_no_rules_and_no_parser(tmp_path: Path) -> None:
    """That is where the time goes."""
    write(tmp_path, {"x.yaml": SAFE})
    crdlint(tmp_path, "check")
    program = "import sys; from crdlint.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", program, "check", "--format", "json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 1
    loaded = set(done.stderr.split())
    assert "crdlint.cache.pack" in loaded
    heavy = {"ruamel.yaml", "_ruamel_yaml", "crdlint.linter", "crdlint.rules", "jsonschema", "multiprocessing", "rich"}
    assert not loaded & heavy


def test_a_file_without_a_crd_does_not_touch_the_cache(tmp_path: Path, cache_folder: str) -> None:
    write(tmp_path, {"x.yaml": OTHER})
    program = "import sys; from crdlint.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", program, "check"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environment())
    assert not os.path.lexists(cache_folder)
    assert not {"crdlint.cache.pack", "crdlint.cache.keys", "hashlib"} & set(done.stderr.split())


# What has changed is checked anew


def test_a_file_that_has_changed_is_checked_anew(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    assert rules(tmp_path) == [RULE]
    info = (tmp_path / "x.yaml").stat()
    # Neither size nor time tell: only the content does.
    write(tmp_path, {"x.yaml": SAFE.replace("observedGeneration", "observedGeneratiom")})
    os.utime(tmp_path / "x.yaml", ns=(info.st_atime_ns, info.st_mtime_ns))
    assert rules(tmp_path) != [RULE]


def test_a_configuration_that_has_changed_counts(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", "x.yaml": SAFE})
    assert rules(tmp_path) == [RULE]
    for text, expected in (
        (f"ignore: [{RULE}]\n", []),
        ("stateless: [Gadget]\n", [RULE]),
        ("stateless: [Widget]\n", []),
    ):
        write(tmp_path, {FILE_NAME: text})
        assert rules(tmp_path) == rules(tmp_path) == expected


def test_core_rules_and_the_program_that_have_changed_count(tmp_path: Path) -> None:
    """On a copy of crdlint, whose version stays."""
    shutil.copytree(project.PACKAGE, tmp_path / "copy/crdlint", ignore=shutil.ignore_patterns("__pycache__"))
    pack = project.pack_directory()
    target = tmp_path / "copy" / ("crdlint/rulepack" if pack.name == "rulepack" else "rules")
    shutil.copytree(pack, target, dirs_exist_ok=True)
    write(tmp_path, {"work/x.yaml": SAFE})

    def severities() -> list[str]:
        command = [sys.executable, "-m", "crdlint", "check", "--format", "json"]
        variables = environment(PYTHONPATH=str(tmp_path / "copy"))
        done = subprocess.run(
            command, cwd=tmp_path / "work", capture_output=True, text=True, check=False, env=variables
        )
        return [finding["severity"] for finding in json.loads(done.stdout)["findings"]]

    assert severities() == severities() == ["error"]
    rule = target / f"{RULE}.yaml"
    rule.write_text(rule.read_text("utf-8").replace("severity: error", "severity: info"), "utf-8")
    assert severities() == severities() == ["info"]
    linter = tmp_path / "copy/crdlint/linter.py"
    linter.write_text(
        linter.read_text("utf-8") + "\nLinter.lint = lambda self, path, data: FileResult(path)\n", "utf-8"
    )
    assert severities() == severities() == []


# Where there can be no cache


@pytest.mark.parametrize("below", ["", "/deep/er"])
def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str) -> None:
    write(tmp_path, {"work/x.yaml": SAFE, "file": "mine"})
    monkeypatch.setenv("CRDLINT_CACHE_DIR", str(tmp_path / "file") + below)
    done = crdlint(tmp_path / "work", "check", "--quiet")
    assert (done.returncode, done.stderr) == (1, b"")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="no folder is read-only for root")
def test_a_folder_that_is_read_only_is_read(tmp_path: Path, cache_folder: str) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    rules(tmp_path)
    os.chmod(cache_folder, 0o500)
    write(tmp_path, {"y.yaml": UNSAFE})
    assert crdlint(tmp_path, "check", "--quiet").stderr == b""


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-9], lambda data: data[9:], lambda data: b"\0" * 99]
)
def test_a_damaged_cache_is_checked_anew(tmp_path: Path, cache_folder: str, damage: Any) -> None:
    write(tmp_path, FILES)
    before = here(tmp_path, "check", ".")
    (pack,) = Path(cache_folder).glob("*.jsonl")
    pack.write_bytes(damage(pack.read_bytes()))
    assert here(tmp_path, "check", ".") == here(tmp_path, "check", ".") == before


def test_runs_side_by_side_agree(tmp_path: Path, cache_folder: str) -> None:
    """Cold and warm ones at once, over the same files and others."""
    write(tmp_path, FILES)
    write(tmp_path, {f"more/{number}.yaml": SAFE.replace("size", f"size{number}") for number in range(40)})
    expected = crdlint(tmp_path, "check", "--no-cache", "--format", "json", ".").stdout
    for _ in range(3):
        runs = [
            subprocess.Popen(
                [*COMMAND, "check", "--format", "json", "."],
                cwd=tmp_path,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(),
            )
            for _ in range(4)
        ]
        for run in runs:
            assert run.communicate(timeout=60) == (expected, b"")
    assert crdlint(tmp_path, "check", "--format", "json", ".").stdout == expected


# The command


def test_the_cache_command(tmp_path: Path, cache_folder: str) -> None:
    assert here(tmp_path, "cache", "dir") == (0, cache_folder + "\n")
    assert here(tmp_path, "cache", "clear") == (0, f"{cache_folder}: removed 0 files, 0.0 MB.\n")
    write(tmp_path, FILES)
    here(tmp_path, "check", ".")
    assert here(tmp_path, "cache", "clear") == (0, f"{cache_folder}: removed 1 file, 0.0 MB.\n")
    assert not packs(cache_folder)
    assert crdlint(tmp_path, "cache").returncode == crdlint(tmp_path, "cache", "burn").returncode == 2


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these systems keep caches elsewhere")
def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    monkeypatch.setenv("CRDLINT_CACHE_DIR", "/own")
    assert here(tmp_path, "cache", "dir") == (0, "/own\n")
    monkeypatch.setenv("CRDLINT_CACHE_DIR", "")
    assert here(tmp_path, "cache", "dir") == (0, "/var/caches/crdlint\n")
    # As its specification has it, a path that is not absolute is none.
    for value in ("", "caches"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert here(tmp_path, "cache", "dir") == (0, "/home/me/.cache/crdlint\n")


def test_without_a_home_there_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container with a user that nobody knows. A folder named ``~`` is not what they want."""
    write(tmp_path, {"x.yaml": SAFE})
    monkeypatch.delenv("CRDLINT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert rules(tmp_path) == [RULE]
    assert os.listdir(tmp_path) == ["x.yaml"]
    assert here(tmp_path, "cache", "dir") == (2, "")
