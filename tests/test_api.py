"""crdlint as a library, and what it costs to import and to start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import crdlint
from crdlint.findings import Applicability, Severity
from tests.texts import CLEAN, MANUAL, OTHER, RULE, SAFE, UNREADABLE, UNSAFE, WARNING, variants, write


def test_check_text_gives_findings_sorted_by_place() -> None:
    found = crdlint.check_text(f"{UNSAFE}---\n{WARNING}")
    assert [finding.rule for finding in found] == ["missing-status-subresource", RULE, "conditions-list-type"]
    assert [finding.path for finding in found] == ["-"] * 3
    assert found == sorted(found, key=lambda finding: finding.sort_key)
    assert crdlint.check_text(SAFE, "config/x.yaml")[0].path == "config/x.yaml"


def test_check_text_takes_rules_and_packs() -> None:
    assert crdlint.check_text(SAFE, select=["pruned-status"]) == []
    assert crdlint.check_text(SAFE, select=iter([RULE]), ignore=iter(["core"])) == []
    with pytest.raises(crdlint.UsageError, match="did you mean 'pruned-status'"):
        crdlint.check_text(SAFE, select=["pruned-statu"])


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "\ufeff", OTHER, "CustomResourceDefinition\ud800: [", UNREADABLE])
def test_any_text_is_taken_and_comes_back(text: str) -> None:
    assert isinstance(crdlint.check_text(text), list)
    assert crdlint.fix_text(text, unsafe=True).text == text


def test_the_path_decides_the_configuration_and_changes_are_seen(tmp_path: Path) -> None:
    write(tmp_path, {".git/x": "", ".crdlint.yaml": "stateless: [Widget]\n", "x.yaml": SAFE})
    path = str(tmp_path / "x.yaml")
    assert crdlint.check_text(SAFE, path) == crdlint.check_paths([path]).findings == []
    write(tmp_path, {".crdlint.yaml": ""})
    assert len(crdlint.check_text(SAFE, path)) == len(crdlint.check_paths([path]).findings) == 1
    write(tmp_path, {".crdlint.yaml": "x: 1\n"})
    with pytest.raises(crdlint.UsageError, match=r"\.crdlint\.yaml:1:1: unknown key 'x'"):
        crdlint.check_text(SAFE, path)


def test_check_paths_does_as_the_command_line(tmp_path: Path) -> None:
    write(tmp_path, {".git/x": "", ".crdlint.yaml": "exclude: [no.yaml]\n", "b/x.yaml": SAFE, "a.yaml": CLEAN})
    write(tmp_path, {"no.yaml": SAFE, "other.yaml": OTHER})
    report = crdlint.check_paths([str(tmp_path)], jobs=2)
    assert [finding.path for finding in report.findings] == [f"{tmp_path}/b/x.yaml"]
    summary = report.summary()
    assert (summary["files"], summary["skipped"], summary["errors"], summary["fixableSafe"]) == (2, 2, 1, 1)
    assert len(crdlint.check_paths([str(tmp_path / "no.yaml")]).findings) == 1
    assert crdlint.check_paths([str(tmp_path)], select=["pruned-status"]).findings == []


def test_check_paths_says_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(crdlint.UsageError, match="no such file"):
        crdlint.check_paths([str(tmp_path / "gone.yaml")])
    with pytest.raises(crdlint.UsageError, match="give the text to check_text"):
        crdlint.check_paths(["-"])
    write(tmp_path, {"x.yaml": SAFE})
    path = str(tmp_path / "x.yaml")
    monkeypatch.setattr("builtins.open", lambda *arguments, **others: (_ for _ in ()).throw(PermissionError(13, "No")))
    with pytest.raises(OSError, match=r"x\.yaml: No"):
        crdlint.check_paths([path])


def test_fix_text_tells_what_it_did() -> None:
    fixed = crdlint.fix_text(f"{UNSAFE}---\n{MANUAL}")
    assert (fixed.text, fixed.applied, fixed.refused) == (f"{UNSAFE}---\n{MANUAL}", [], [])
    assert len(fixed.remaining) == 3
    fixed = crdlint.fix_text(f"{UNSAFE}---\n{MANUAL}", unsafe=True)
    assert fixed.text == f"{CLEAN}---\n{MANUAL}"
    assert [finding.rule for finding in fixed.applied] == ["missing-status-subresource", RULE]
    assert [finding.rule for finding in fixed.remaining] == ["observed-generation-type"]
    assert crdlint.fix_text(SAFE, ignore=[RULE]).text == SAFE


@pytest.mark.parametrize("kind", variants(SAFE))
def test_fix_text_keeps_the_rest(kind: str) -> None:
    assert crdlint.fix_text(variants(SAFE)[kind].decode()).text == variants(CLEAN)[kind].decode()


def test_findings_say_what_they_are() -> None:
    [finding] = crdlint.check_text(SAFE)
    assert finding.severity is crdlint.Severity.ERROR is Severity.ERROR
    assert finding.fix is not None
    assert finding.fix.applicability is crdlint.Applicability.SAFE is Applicability.SAFE
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (33, 11, 33, 17)
    assert (finding.crd, finding.kind, finding.version) == ("widgets.example.com", "Widget", "v1")


def test_all_that_is_promised_is_there() -> None:
    for name in crdlint.__all__:
        assert getattr(crdlint, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        crdlint.nothing  # noqa: B018


# What is loaded

HEAVY = {"jsonschema", "multiprocessing", "pathspec", "regex", "rich", "ruamel", "typer"}


def loaded(program: str, folder: Path) -> set[str]:
    """The top-level modules that a program has loaded at its end."""
    text = f"import json, sys\n{program}\nprint(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_costs_nothing(tmp_path: Path) -> None:
    assert not loaded("import crdlint; dir(crdlint)", tmp_path) & HEAVY


@pytest.mark.parametrize(
    ("name", "expected"), [("other.yaml", {"typer"}), ("safe.yaml", {"jsonschema", "ruamel", "typer"})]
)
def test_a_run_loads_only_what_it_needs(tmp_path: Path, name: str, expected: set[str]) -> None:
    write(tmp_path, {"other.yaml": OTHER, "safe.yaml": SAFE, ".git/x": ""})
    program = f"""
from crdlint.cli import main
sys.argv = ["crdlint", "check", {name!r}]
try:
    main()
except SystemExit:
    pass
"""
    assert loaded(program, tmp_path) & HEAVY <= expected
