"""How fast crdlint is, as ratios within one run: ``python -m tests.bench.speed [--runs N] [CORPUS]``.

Every figure is the median over whole processes, run in turn, so that a machine whose speed drifts does not matter.
The corpus is what the design measures on: all files outside ``odd/`` and ``emissary-ingress__emissary/``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
LEFT_OUT = ("odd", "emissary-ingress__emissary")

# libyaml over the same bytes, without a Python object: the limit of what any YAML tool can do.
_RAW = """
import sys, time
from _ruamel_yaml import CParser
texts = [open(path, "rb").read() for path in open(sys.argv[1]).read().split("\\0")]
start = time.perf_counter()
for text in texts:
    try:
        CParser(text).raw_parse()
    except Exception:
        pass
print(time.perf_counter() - start)
"""

# What no run with a full cache can do without.
_VERSION_READ_HASH = """
import sys
from hashlib import sha256
names = open(sys.argv[1]).read().split("\\0")
sys.argv = ["crdlint", "--version"]
from crdlint.cli import main
try:
    main()
except SystemExit:
    pass
for name in names:
    with open(name, "rb") as file:
        sha256(file.read()).digest()
"""


@dataclass
class Measured:
    seconds: float
    processor: float
    megabytes: float
    output: str


def run(command: list[str], bytecode: Path, cache: Path) -> Measured:
    """Run a process to its end: wall seconds, and the processor's seconds and peak memory of the process itself.

    Its modules are compiled in ``bytecode``, as an installed package's are.
    """
    environment = {
        **os.environ,
        "PYTHONPYCACHEPREFIX": str(bytecode),
        "PYTHONDONTWRITEBYTECODE": "",
        "CRDLINT_CACHE_DIR": str(cache),
    }
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command} ended with {process.returncode}")
    return Measured(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def files_of(corpus: Path) -> list[Path]:
    return sorted(
        path
        for path in corpus.rglob("*")
        if path.suffix in (".yaml", ".yml", ".json") and path.relative_to(corpus).parts[0] not in LEFT_OUT
    )


class Bench:
    def __init__(self, corpus: Path, work: Path, runs: int) -> None:
        self.runs = runs
        self.files = files_of(corpus)
        self.names = work / "names"
        self.names.write_text("\0".join(map(str, self.files)))
        self.folder = work / "corpus"
        for path in self.files:
            target = self.folder / path.relative_to(corpus)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        self.half = work / "half"
        shutil.copytree(self.folder, self.half, ignore=self._every_other_folder)
        self.plain = work / "plain.yaml"
        self.plain.write_text("kind: ConfigMap\ndata:\n  key: value\n")
        self.work = work
        self.run([sys.executable, "-m", "crdlint", "check", "--jobs", "1", str(min(self.files))])  # compiles

    @staticmethod
    def _every_other_folder(folder: str, names: list[str]) -> set[str]:
        return set(sorted(names)[::2]) if Path(folder).name == "corpus" else set()

    def run(self, command: list[str]) -> Measured:
        return run(command, self.work / "bytecode", self.work / "cache")

    def crdlint(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "crdlint", *arguments]

    def first_run(self) -> Measured:
        """A run that finds an empty cache, and fills it."""
        shutil.rmtree(self.work / "cache", ignore_errors=True)
        return self.run(self.crdlint("check", "--jobs", "1", "--format", "json", str(self.folder)))

    def fixing(self) -> Measured:
        """A fix of a fresh copy; copying is not counted."""
        copy = self.work / "copy"
        shutil.copytree(self.folder, copy)
        try:
            return self.run(
                self.crdlint("fix", "--unsafe-fixes", "--no-cache", "--jobs", "1", "--format", "json", str(copy))
            )
        finally:
            shutil.rmtree(copy)

    def measure(self) -> dict[str, float]:
        rows: dict[str, list[float]] = {}
        memory: dict[str, list[float]] = {}
        check = ("check", "--no-cache", "--format", "json", "--jobs")
        largest = max(self.files, key=lambda path: path.stat().st_size)
        again = self.crdlint("check", "--format", "json", str(self.folder))
        again_for_people = self.crdlint("check", str(self.folder))
        for _ in range(self.runs):
            raw = float(self.run([sys.executable, "-c", _RAW, str(self.names)]).output)
            rows.setdefault("raw", []).append(raw)
            for name, command in (
                ("one", self.crdlint(*check, "1", str(self.folder))),
                ("half", self.crdlint(*check, "1", str(self.half))),
                ("all", self.crdlint("check", "--no-cache", "--format", "json", str(self.folder))),
                ("largest", self.crdlint(*check, "1", str(largest))),
                ("plain", self.crdlint("check", str(self.plain))),
                ("typer", [sys.executable, "-c", "import typer"]),
                ("version", self.crdlint("--version")),
            ):
                measured = self.run(command)
                rows.setdefault(name, []).append(measured.seconds)
                memory.setdefault(name, []).append(measured.megabytes)
            rows.setdefault("fix", []).append(self.fixing().seconds)
            # All of these are one process, whose processor time does not tell what else the machine does.
            rows.setdefault("first", []).append(self.first_run().processor)
            for name, command in (
                ("uncached", self.crdlint(*check, "1", str(self.folder))),
                ("warm", again),
                ("warm text", again_for_people),
                ("version, read, hash", [sys.executable, "-c", _VERSION_READ_HASH, str(self.names)]),
            ):
                rows.setdefault(name, []).append(self.run(command).processor)
        median = {name: statistics.median(values) for name, values in rows.items()}
        size = {
            folder: sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
            for folder in (self.folder, self.half)
        }
        start = median["version"]
        per_byte = [
            (median[name] - start) / size[folder] for name, folder in (("one", self.folder), ("half", self.half))
        ]
        return {
            "files": len(self.files),
            "megabytes": round(size[self.folder] / 1e6, 1),
            "check / raw_parse": median["one"] / median["raw"],
            "per byte, all / half of the corpus": per_byte[0] / per_byte[1],
            "--jobs 1 / default jobs, start-up subtracted": (median["one"] - start) / (median["all"] - start),
            "fix --unsafe-fixes / check": median["fix"] / median["one"],
            "first run with a cache / without one": median["first"] / median["uncached"],
            "warm run, json / version, reading and hashing": median["warm"] / median["version, read, hash"],
            "warm run, text / version, reading and hashing": median["warm text"] / median["version, read, hash"],
            "file without a CRD / import typer": median["plain"] / median["typer"],
            "peak MB, corpus": max(memory["one"]),
            "peak MB, largest file": max(memory["largest"]),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    arguments = parser.parse_args()
    if not arguments.corpus.is_dir():
        print(f"there is no corpus at {arguments.corpus}: name a folder with CRDs", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as work:
        figures = Bench(arguments.corpus, Path(work), arguments.runs).measure()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<46} {value:10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
