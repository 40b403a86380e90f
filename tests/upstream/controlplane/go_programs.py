"""The programs of a cluster's control plane, built from their Go modules and kept.

Run as a script, this builds all that are missing: about eight minutes from nothing on two cores. A program is kept in
the user's cache folder under a digest of its module files and the Go version, so it is built again when either changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MODULES = Path(__file__).resolve().parent
KUBERNETES_VERSION = "v1.36.1"
# Without it the programs would call themselves v0.0.0, which Helm holds against charts that ask for a version.
_VERSION_FLAGS = f"-s -w -X k8s.io/component-base/version.gitVersion={KUBERNETES_VERSION}"


class Unavailable(Exception):
    """A program cannot be built here: no Go, one too old, or no network for modules that are not there yet."""


@dataclass(frozen=True)
class Program:
    """A program, the folder of the Go module that pins it, and its package."""

    name: str
    module: str
    package: str
    link_flags: str = "-s -w"


KUBE_APISERVER = Program("kube-apiserver", "kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver", _VERSION_FLAGS)
KUBECTL = Program("kubectl", "kubernetes", "k8s.io/kubernetes/cmd/kubectl", _VERSION_FLAGS)
ETCD = Program("etcd", "etcd", "go.etcd.io/etcd/server/v3")
HELM = Program("helm", "helm", "helm.sh/helm/v4/cmd/helm")
PROGRAMS = (ETCD, KUBE_APISERVER, KUBECTL, HELM)


@cache
def binary(program: Program) -> Path:
    """The built program; builds it where it is not there yet. Raises `Unavailable`."""
    path = _folder(program) / program.name
    if not path.exists():
        with _lock(path):
            if not path.exists():
                _build(program, path)
    return path


def _folder(program: Program) -> Path:
    caches = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(caches) / "crdlint-controlplane" / _digest(program)


def _digest(program: Program) -> str:
    module = MODULES / program.module
    digest = hashlib.sha256(f"{_go_version()}\n{program}\n".encode())
    for name in ("go.mod", "go.sum"):
        digest.update((module / name).read_bytes())
    return digest.hexdigest()[:16]


def _go_version() -> str:
    if shutil.which("go") is None:
        raise Unavailable("Go is not installed")
    return _go(["env", "GOVERSION", "GOOS", "GOARCH"], MODULES).stdout.strip()


def _build(program: Program, path: Path) -> None:
    folder = MODULES / program.module
    # Listing brings every module that the package needs: what fails here is missing, not wrong.
    listed = _go(["list", "-mod=readonly", "-deps", "-f", "", program.package], folder, check=False)
    if listed.returncode:
        raise Unavailable(f"{program.name} cannot be built here: {_last_line(listed.stderr)}")
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    flags = ["-mod=readonly", "-buildvcs=false", "-p", "2", "-ldflags", program.link_flags]
    try:
        _go(["build", *flags, "-o", str(partial), program.package], folder)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _go(arguments: list[str], folder: Path, *, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["go", *arguments], cwd=folder, capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"go {' '.join(arguments)}: {done.stderr.strip()}")
    return done


def _last_line(output: str) -> str:
    return (output.strip().splitlines() or ["go says nothing"])[-1]


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """One build at a time, among all processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(f"{path.name}.lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main() -> None:
    for program in PROGRAMS:
        started = time.monotonic()
        path = binary(program)
        print(f"{program.name}: {path} ({time.monotonic() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Unavailable as reason:
        sys.exit(str(reason))
