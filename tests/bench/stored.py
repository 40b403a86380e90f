"""Memory and speed over many stored objects: ``python -m tests.bench.stored [COUNT]``.

Each format is read and checked in a process of its own, whose peak of memory is what counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COUNT = 100_000
LIMIT_MEBIBYTES = 300
FORMATS = ("yaml-list", "yaml-documents", "json-list", "json-documents")
"""``kubectl get -o yaml`` and ``-o json`` print a list; documents one after another come from files and ``--watch``."""

KUBERNETES = (1, 29)
"""The last version without ratcheting: there an empty reason is refused."""

_CHILD = """
import sys
from tests.bench.stored import consume, peak
print(*consume(sys.argv[1]), peak())
"""
_YAML = """\
apiVersion: example.com/v1
kind: Widget
metadata:
  annotations:
    example.com/owner: team-{index}
  creationTimestamp: "2024-01-01T00:00:00Z"
  generation: 3
  labels:
    app: widget
  name: widget-{index}
  namespace: default
  resourceVersion: "{index}"
  uid: 123e4567-e89b-12d3-a456-426614174000
spec:
  replicas: {index}
  size: large
status:
  conditions:
  - lastTransitionTime: "2024-01-01T00:00:00Z"
    message: all is well
    observedGeneration: 3
    reason: Working
    status: "True"
    type: Ready
  - lastTransitionTime: "2024-01-01T00:00:00Z"
    message: ""
    observedGeneration: 3
    reason: {reason}
    status: "False"
    type: Stalled
  observedGeneration: 3
  phase: Running
"""


def write(path: Path, form: str, count: int) -> None:
    """A file of so many objects."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_pieces(form, count))


def _pieces(form: str, count: int) -> Iterator[str]:
    style, _, shape = form.partition("-")
    make = _yaml if style == "yaml" else _json
    if shape == "documents":
        yield from (f"---\n{make(index)}" if style == "yaml" else make(index) for index in range(count))
    elif style == "yaml":
        yield "apiVersion: v1\nitems:\n"
        yield from ("- " + make(index).rstrip("\n").replace("\n", "\n  ") + "\n" for index in range(count))
        yield 'kind: List\nmetadata:\n  resourceVersion: ""\n'
    else:
        yield '{\n    "apiVersion": "v1",\n    "items": [\n'
        yield from (make(index) + (",\n" if index + 1 < count else "\n") for index in range(count))
        yield '    ],\n    "kind": "List"\n}\n'


def _yaml(index: int) -> str:
    return _YAML.format(index=index, reason="Working" if index % 10 else '""')


def _json(index: int) -> str:
    from crdlint.consumers.objects import documents

    (data,) = documents("-", _yaml(index).encode())
    return json.dumps(data, indent=4) + "\n"


@dataclass(frozen=True)
class Measured:
    objects: int
    refused: int
    """Objects for which some write is refused."""
    mebibytes: float
    seconds: float


def peak() -> int:
    """The peak of this process's memory, in KiB; what `getrusage` tells begins with that of the process before it."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def consume(path: str) -> tuple[int, int]:
    """Read and check all objects of a file; how many there are, and for how many of them a write is refused."""
    from crdlint.stored.checker import StoredChecker
    from crdlint.stored.objects import read_objects
    from tests.stored.crds import WIDGET, view_of

    checker = StoredChecker(None, view_of(WIDGET, "v1"), KUBERNETES)
    count = refused = 0
    for stored in read_objects([path]):
        count += 1
        refused += bool(checker.check(stored).refused)
    return count, refused


def measure(path: Path) -> Measured:
    """Peak of memory and time of a process that reads and checks a file."""
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _CHILD, str(path)], capture_output=True, text=True, check=True)
    objects, refused, kibibytes = map(int, done.stdout.split())
    return Measured(objects, refused, kibibytes / 1024, time.perf_counter() - begin)


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMATS:
            path = Path(folder) / form
            write(path, form, count)
            size, measured = path.stat().st_size / 1024**2, measure(path)
            path.unlink()
            worst = max(worst, measured.mebibytes)
            print(
                f"{form}, {size:.0f} MiB: {measured.objects:,} objects, {measured.refused:,} with a refusal;", end=" "
            )
            print(f"peak {measured.mebibytes:.0f} MiB, {measured.objects / measured.seconds:,.0f} objects a second")
    return int(worst > LIMIT_MEBIBYTES)


if __name__ == "__main__":
    sys.exit(main())
