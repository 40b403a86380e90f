"""The GitHub Action: its scripts, run by bash as a runner would run them, and what may stand in them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crdlint.datafile import DataFile

from .cli.run import COMMAND
from .surroundings import ROOT, missing
from .texts import CLEAN, INFO, RULE, SAFE, WARNING, write

ACTION = ROOT / "action.yml"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    outputs: dict[str, str]
    summary: str


@pytest.fixture(scope="module")
def action() -> Any:
    if not ACTION.exists():
        missing("action.yml lies at the root of a checkout only")
    if shutil.which("bash") is None:
        missing("bash, which runs the action's scripts, is not installed")
    return DataFile.read(str(ACTION)).data


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A runner's folders: a checkout, and a temporary one with crdlint installed as the first step installs it."""
    binaries = tmp_path / "temp" / "crdlint" / "bin"
    binaries.mkdir(parents=True)
    script = binaries / "crdlint"
    script.write_text('#!/bin/sh\nexec "{}" {} "$@"\n'.format(COMMAND[0], " ".join(COMMAND[1:])), "utf-8")
    script.chmod(0o755)
    (tmp_path / "checkout").mkdir()
    return tmp_path


def steps(action: Any) -> list[dict[str, Any]]:
    return [dict(step) for step in action["runs"]["steps"]]


def run_check(action: Any, runner: Path, **inputs: str) -> Ran:
    """The check step with these inputs; the others are as the action has them."""
    step = next(step for step in steps(action) if step.get("id") == "check")
    values = {name: str(declared.get("default", "")) for name, declared in action["inputs"].items()}
    values.update({name.replace("_", "-"): value for name, value in inputs.items()})
    variables = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], expression)
        for name, expression in step["env"].items()
    }
    files = {name: runner / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("", "utf-8")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=runner / "checkout",
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(runner),
            "RUNNER_TEMP": str(runner / "temp"),
            **{name: str(file) for name, file in files.items()},
            **variables,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines())
    return Ran(done.returncode, done.stdout, outputs, files["GITHUB_STEP_SUMMARY"].read_text("utf-8"))


def test_scripts_hold_no_expression(action: Any) -> None:
    scripts = [step["run"] for step in steps(action) if "run" in step]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]


def test_every_input_is_used_and_every_used_one_declared(action: Any) -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", ACTION.read_text("utf-8")))
    assert used == set(action["inputs"])
    declared = {name for step in steps(action) for name in step.get("env", {})}
    read = {name for step in steps(action) for name in re.findall(r"CRDLINT_\w+", step.get("run", ""))}
    assert read == declared


def test_findings_are_annotations_a_summary_and_sarif(action: Any, runner: Path) -> None:
    write(runner / "checkout", {"config/crd.yaml": SAFE})
    ran = run_check(action, runner)
    assert ran.code == 1
    assert ran.outputs["exit-code"] == "1"
    assert re.search(rf"^::error .*file=config/crd.yaml,line=33.*{RULE}", ran.out, re.MULTILINE)
    assert RULE in ran.summary
    sarif = json.loads(Path(ran.outputs["sarif-file"]).read_text("utf-8"))
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == [RULE]


def test_a_clean_repository_passes(action: Any, runner: Path) -> None:
    write(runner / "checkout", {"crd.yaml": CLEAN})
    ran = run_check(action, runner, html_file="report.html")
    assert (ran.code, ran.outputs["exit-code"]) == (0, "0")
    assert "<html" in (runner / "checkout" / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "inputs", "code"),
    [
        (SAFE, {"ignore": RULE}, 0),
        (SAFE, {"select": "missing-conditions"}, 0),
        (WARNING, {}, 1),
        (WARNING, {"fail_on": "error"}, 0),
        (INFO, {"fail_on": "info"}, 1),
        (SAFE, {"paths": "other\n"}, 0),
        (SAFE, {"paths": "  \nother\ncrd.yaml\n"}, 1),
        (SAFE, {"select": "no-such-rule"}, 2),
        (SAFE, {"config": "strict.yaml"}, 0),
    ],
)
def test_inputs(action: Any, runner: Path, text: str, inputs: dict[str, str], code: int) -> None:
    files = {"crd.yaml": text, "other/crd.yaml": CLEAN, "strict.yaml": f"ignore: [{RULE}]\n"}
    write(runner / "checkout", files)
    ran = run_check(action, runner, **inputs)
    assert ran.code == code, ran.out


def test_what_an_earlier_use_left_is_not_taken_for_this_one(action: Any, runner: Path) -> None:
    write(runner / "checkout", {"crd.yaml": SAFE})
    assert run_check(action, runner).outputs["sarif-file"]
    failed = run_check(action, runner, select="no-such-rule")
    assert (failed.code, failed.outputs, failed.summary) == (2, {"exit-code": "2"}, "")


def test_reports_go_into_folders_that_are_not_there_yet(action: Any, runner: Path) -> None:
    write(runner / "checkout", {"crd.yaml": CLEAN})
    ran = run_check(action, runner, html_file="out/a b/crds.html", sarif_file="out/x.sarif")
    assert (ran.code, ran.outputs["sarif-file"]) == (0, "out/x.sarif")
    assert (runner / "checkout" / "out" / "a b" / "crds.html").exists()


@pytest.mark.parametrize("switch", ["annotations", "summary"])
def test_switches(action: Any, runner: Path, switch: str) -> None:
    write(runner / "checkout", {"crd.yaml": SAFE})
    ran = run_check(action, runner, **{switch: "false"})
    assert ("::error" in ran.out) == (switch != "annotations")
    assert bool(ran.summary) == (switch != "summary")


HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    '"; touch pwned; "',
    "--output=pwned",
    "a'b",
    "x y",
    "${{ github.token }}",
]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("name", ["paths", "select", "ignore", "config", "baseline", "since"])
def test_no_input_runs_as_code_or_counts_as_an_option(action: Any, runner: Path, name: str, value: str) -> None:
    write(runner / "checkout", {"crd.yaml": SAFE})
    ran = run_check(action, runner, **{name: value})
    assert ran.code == 2
    assert not list(runner.rglob("pwned"))


def test_crdlint_is_installed_from_the_action_itself(action: Any) -> None:
    install = steps(action)[0]
    assert 'pip" install' in install["run"]
    assert '"$GITHUB_ACTION_PATH"' in install["run"]
