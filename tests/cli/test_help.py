"""Help, completion, and the names that crdlint goes by."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crdlint.cli import COMMANDS
from crdlint.cli.help import EXAMPLES

from ..surroundings import missing
from .run import COMMAND, crdlint, environment


def help_of(folder: Path, *command: str) -> str:
    done = crdlint(folder, *command, "--help", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_its_exit_codes_in_80_columns(tmp_path: Path, command: str) -> None:
    text = help_of(tmp_path, command)
    assert "Exit codes:\n    0  " in text
    assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_use_options_that_there_are(tmp_path: Path, command: str) -> None:
    text = help_of(tmp_path, command)
    known = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text.partition("Options:")[2].partition("Examples:")[0]))
    for line, _ in EXAMPLES[command]:
        assert f"crdlint {command}" in line
        arguments = line.partition("crdlint")[2]
        assert set(re.findall(r"(?<!\S)--[\w-]+", arguments)) <= known, line


def test_summaries_are_whole_at_80_columns(tmp_path: Path) -> None:
    text = help_of(tmp_path)
    assert set(COMMANDS) <= set(text.split())
    assert "..." not in text.partition("Commands:")[2]


def complete(*words: str) -> set[str]:
    """What a shell would be told for the last of these words."""
    done = subprocess.run(
        COMMAND,
        env=environment(_CRDLINT_COMPLETE="complete_bash", COMP_WORDS=" ".join(words), COMP_CWORD=str(len(words) - 1)),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ch"], {"check"}),
        (["check", "--unsafe"], {"--unsafe-fixes"}),
        (["check", "--format", "g"], {"github", "gitlab"}),
        (["check", "--report", "htm"], {"html="}),
        (["check", "--fail-on", "w"], {"warning"}),
        (["check", "--select", "missing-cond"], {"missing-conditions"}),
        (["check", "--ignore", "pruned-status,missing-cond"], {"pruned-status,missing-conditions"}),
        (["explain", "wrong"], {"wrong-observed-generation-default"}),
    ],
)
def test_completion(words: list[str], offered: set[str]) -> None:
    assert complete("crdlint", *words) == offered


def test_kubectl_finds_the_plugin(tmp_path: Path) -> None:
    kubectl = shutil.which("kubectl")
    plugin = Path(sys.executable).with_name("kubectl-crdlint")
    if kubectl is None or not plugin.exists():
        missing("kubectl, and an installed crdlint, are needed")
    assert kubectl is not None
    done = subprocess.run(
        [kubectl, "crdlint", "check", "--help"],
        env=environment(PATH=f"{plugin.parent}:/usr/bin:/bin", COLUMNS="80"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Usage: kubectl crdlint check ")


def test_it_is_called_crdlint_as_a_module_too(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "crdlint", "check", "--help"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Usage: crdlint check ")
