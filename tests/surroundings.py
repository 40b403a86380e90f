"""What lies beside the checkout, and what has to be built: corpus, truth file, acceptance cases, oracle.

Tests that use any of it skip with the reason where it is absent; in CI its absence fails.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("CRDLINT_SHARED", ROOT.parent / "shared"))
CORPUS = SHARED / "corpus"


def missing(what: str) -> None:
    """Skip a test for the reason given; in CI nothing may be missing."""
    if os.environ.get("CI") == "true" and not os.environ.get("CRDLINT_ALONE"):
        pytest.fail(what)
    pytest.skip(what)


def corpus_files() -> list[Path]:
    """All files of the corpus."""
    if not CORPUS.is_dir():
        missing(f"the corpus is not beside the checkout ({CORPUS.name})")
    return sorted(path for path in CORPUS.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))


def truth() -> list[dict[str, Any]]:
    """What the real API server validation and kstatus say of each version in the corpus."""
    path = SHARED / "truth.jsonl"
    if not path.exists():
        missing("the truth file is not beside the checkout")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def go_program(name: str, sources: Path, package: str = ".") -> str:
    """The path of a Go program, or of a package that its module names, built once per content of its sources."""
    go = shutil.which("go")
    if go is None or not (sources / "go.mod").exists():
        missing(f"{name} needs Go, and its sources")
    files = sorted(path for path in sources.iterdir() if path.suffix in (".go", ".mod", ".sum"))
    digest = hashlib.sha256(b"\0".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()[:16]
    binary = Path(tempfile.gettempdir()) / f"crdlint-{name}-{digest}"
    with _only_one(f"{binary}.lock"):
        if not binary.exists():
            partial = f"{binary}.{os.getpid()}"
            command = ["go", "build", "-o", partial, package]
            built = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
            if built.returncode:
                missing(f"{name} does not build here: {built.stderr[-300:]}")
            os.replace(partial, binary)
    return str(binary)


@contextmanager
def _only_one(lock: str) -> Iterator[None]:
    """Test processes run side by side; one builds, and the others wait for it."""
    with open(lock, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def oracle() -> str:
    """The program that says what the API server and kstatus think of a file."""
    return os.environ.get("CRDLINT_ORACLE") or go_program("oracle", SHARED / "oracle")


def ask_oracle(files: Sequence[Path]) -> list[dict[str, Any]]:
    """What the oracle says of each CRD in the files."""
    names = "\n".join(map(str, files))
    done = subprocess.run([oracle(), "-"], input=names, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
