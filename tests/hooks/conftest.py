"""A repository with crdlint's hooks, as they are here, and one of a user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..surroundings import ROOT, missing

TAG = "v0.0.0"


@dataclass(frozen=True)
class Repository:
    """A git repository, and what pre-commit needs to work in it."""

    root: Path
    environment: dict[str, str]

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run(["git", *arguments])

    def commit(self, message: str = "change") -> subprocess.CompletedProcess[str]:
        """Commit all there is, through the hooks."""
        self.git("add", "--all")
        return self.git("commit", "--message", message)

    def commits(self) -> int:
        return len(self.git("log", "--oneline", "--all").stdout.splitlines())

    def pre_commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run([sys.executable, "-m", "pre_commit", *arguments])

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        # Both streams in one, as a person at a terminal sees them.
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )


@pytest.fixture(scope="session")
def hook_environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of git and pre-commit: nobody's configuration, and a store of its own for installed hooks."""
    if shutil.which("git") is None:
        missing("git is not installed")
    store = tmp_path_factory.mktemp("pre-commit")
    # A commit that runs the tests must not be the one that they commit to.
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "VIRTUAL_ENV"))
    }
    return {
        **kept,
        "PRE_COMMIT_HOME": str(store),
        "PRE_COMMIT_COLOR": "never",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "A. Maintainer" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "maintainer@example.com" for who in ("AUTHOR", "COMMITTER")},
    }


@pytest.fixture(scope="session")
def hooks(tmp_path_factory: pytest.TempPathFactory, hook_environment: dict[str, str]) -> Path:
    """A repository that holds crdlint as it is here, uncommitted changes too, under a tag."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        missing("this is no git checkout, which pre-commit installs hooks from")
    repository = Repository(tmp_path_factory.mktemp("crdlint"), hook_environment)
    for name in listed.stdout.split("\0"):
        # What installing needs; tests and fixtures are most of the files.
        if name and not name.startswith(("tests/", "fixtures/")) and (ROOT / name).is_file():
            target = repository.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    repository.git("init", "--quiet")
    committed = repository.commit()
    assert committed.returncode == 0, committed.stdout
    repository.git("tag", TAG)
    return repository.root


@pytest.fixture
def repository(tmp_path: Path, hook_environment: dict[str, str]) -> Repository:
    """A user's repository, still empty."""
    created = Repository(tmp_path / "provider", hook_environment)
    created.root.mkdir()
    created.git("init", "--quiet", "--initial-branch", "main")
    return created
