"""A Git work tree to migrate, and what ``crdlint migrate`` says of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crdlint.migrate.plan import Plan
from crdlint.migrate.planner import Planner, Wishes
from crdlint.migrate.repository import Repository
from tests.cli.run import crdlint
from tests.texts import write


class WorkTree:
    """A repository in a folder of its own; files are committed as they are put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", ".")

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *identity, *arguments], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return done.stdout

    def commit(self, files: Mapping[str, str | bytes] | None = None) -> WorkTree:
        write(self.folder, files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "files")
        return self

    def copy(self, source: Path) -> WorkTree:
        shutil.copytree(source, self.folder, dirs_exist_ok=True)
        return self.commit()

    def changed(self) -> list[str]:
        return [line[3:] for line in self.git("status", "--porcelain").splitlines()]

    def read(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def migrate(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of ``crdlint migrate``."""
        done = crdlint(self.folder, "migrate", *arguments)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def report(self, *arguments: str) -> Any:
        """The data of a run with ``--format json``."""
        code, out, err = self.migrate(*arguments, "--format", "json")
        assert code in (0, 1), err
        return json.loads(out)

    def steps(self, *arguments: str) -> list[tuple[str, str | None, str | None, str]]:
        """CRD, version, rule (or task) and cure of all steps."""
        return [
            (crd["crd"], step["version"], step["rule"] or step["task"], step["cure"])
            for crd in self.report(*arguments)["crds"]
            for step in crd["steps"]
        ]


def planned(files: Mapping[str, str | bytes], wishes: Wishes | None = None) -> Plan:
    """The plan for files that are only in memory."""
    return planner(files, wishes).plan()


def planner(files: Mapping[str, str | bytes], wishes: Wishes | None = None) -> Planner:
    repository = Repository()
    for path, content in files.items():
        repository.add(path, content.encode() if isinstance(content, str) else content)
    return Planner(repository, wishes or Wishes())
