"""The real controller-gen, and copies of Go modules that it generates CRDs from."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from crdlint.gosource import ByHand, GoRepository, SourceChange, apply_edits, scan
from tests.surroundings import ROOT, go_program

HERE = Path(__file__).resolve().parent
SHAPES = HERE / "shapes"
SAMPLE = ROOT / "fixtures" / "migrate-provider"


def controller_gen() -> str:
    return go_program("controller-gen", HERE / "tools", "sigs.k8s.io/controller-tools/cmd/controller-gen")


@dataclass(frozen=True)
class Module:
    """A copy of a Go module that may be changed."""

    folder: Path

    @classmethod
    def copy(cls, source: Path, target: Path) -> Module:
        shutil.copytree(source, target)
        return cls(target)

    def repository(self) -> GoRepository:
        return scan(str(self.folder))

    def crds(self, paths: str = "./...") -> dict[str, bytes]:
        """The CRDs that controller-gen makes of the module, by file name, without descriptions."""
        with tempfile.TemporaryDirectory() as out:
            self.run(controller_gen(), "crd:maxDescLen=0", f"paths={paths}", f"output:crd:dir={out}")
            return {path.name: path.read_bytes() for path in sorted(Path(out).iterdir())}

    def apply_plans(self, plans: Iterable[SourceChange | ByHand]) -> None:
        edits = [edit for plan in plans if isinstance(plan, SourceChange) for edit in plan.edits]
        for path in dict.fromkeys(edit.path for edit in edits):
            Path(path).write_bytes(apply_edits(path, Path(path).read_bytes(), edits))

    def run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert not done.returncode, f"{' '.join(command)}: {done.stdout}{done.stderr}"
        return done.stdout

    def unformatted(self) -> list[str]:
        """The files that gofmt would change."""
        return self.run("gofmt", "-l", ".").split()
