"""Many files, on one processor or several: read, checked, and fixed where that is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

from crdlint.config import Config, config_for, load
from crdlint.files import STDIN
from crdlint.findings import Applicability, FileResult, Finding
from crdlint.linter import Linter, Settings
from crdlint.rules.catalogue import Catalogue, core_rules

# Below this many bytes another process costs more than it saves.
BYTES_WORTH_A_PROCESS = 1_000_000


@dataclass(frozen=True)
class Choices:
    """What the command line, or the caller, chose; it wins over the configuration."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    config: str | None = None
    force_exclude: bool = False


@dataclass(frozen=True)
class FileRun:
    """What became of one file: its result, and its bytes before and after where it was to be fixed."""

    path: str
    result: FileResult
    before: bytes = b""
    after: bytes = b""
    applied: list[Finding] = field(default_factory=list)
    # Why the file could not be read.
    error: str | None = None


@dataclass(frozen=True)
class Job:
    """What is done with each file. It is sent to other processes, so it is plain data."""

    choices: Choices = Choices()
    # Which fixes are made; None checks only.
    fixes: Applicability | None = None
    # Are the texts of files with findings wanted, for code frames?
    keeps_text: bool = True

    def run(self, path: str) -> FileRun:
        """Read and check (and fix, in memory) one file."""
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            return FileRun(path, FileResult(path), error=error.strerror or str(error))
        return self.run_bytes(path, data)

    def run_bytes(self, path: str, data: bytes) -> FileRun:
        linter = linter_for(path, self.choices)
        if self.fixes is None:
            return FileRun(path, self._trimmed(linter.lint(path, data)))
        from crdlint.fix.apply import fix

        outcome = fix(linter, path, data, self.fixes)
        return FileRun(path, self._trimmed(outcome.result), data, outcome.data, outcome.applied)

    def _trimmed(self, result: FileResult) -> FileResult:
        if not self.keeps_text:
            result.text = None
        return result


def settings_config(path: str, choices: Choices) -> Config:
    """The configuration that applies to a file."""
    return load(choices.config) if choices.config is not None else config_for(path)


def linter_for(path: str, choices: Choices) -> Linter:
    """The linter for one file, by the choices and the configuration that applies to it."""
    return _linter(settings_config(path, choices), choices)


@lru_cache(maxsize=64)
def _linter(config: Config, choices: Choices) -> Linter:
    catalogue = _catalogue((*config.rules, *choices.rules))
    chosen = choices.select if choices.select is not None else config.select
    source = config.path or ""
    select = None if chosen is None else catalogue.expand(chosen, "--select" if choices.select is not None else source)
    ignored = catalogue.expand(config.ignore, source) | catalogue.expand(choices.ignore, "--ignore")
    selected = ({rule.id for rule in catalogue} if select is None else select) - ignored
    settings = Settings(frozenset(selected), config.stateless, config.controllers, config.controllers_by_crd)
    return Linter(catalogue, settings)


def catalogue_for(choices: Choices) -> Catalogue:
    """All rules that there are in the working folder."""
    return linter_for(os.path.join(os.curdir, STDIN), choices).catalogue


@lru_cache(maxsize=16)
def _catalogue(folders: tuple[str, ...]) -> Catalogue:
    rules = list(core_rules())
    if folders:
        from pathlib import Path

        from crdlint.rules.user import load_rules

        for folder in dict.fromkeys(folders):
            rules += load_rules(Path(folder), frozenset(rule.id for rule in rules))
    return Catalogue(rules)


def without_excluded(paths: Sequence[str], named: Callable[[str], bool], choices: Choices) -> list[str]:
    """``paths`` less those that their configuration excludes; one that was named is kept unless excludes are forced."""
    return [
        path
        for path in paths
        if path == STDIN
        or (named(path) and not choices.force_exclude)
        or not settings_config(path, choices).excludes(path)
    ]


def run_files(paths: Sequence[str], job: Job, jobs: int) -> Iterator[FileRun]:
    """Check, or fix in memory, each file, in the order of ``paths``."""
    workers = min(jobs, _worthwhile_processes(paths)) if jobs > 1 else 1
    if workers < 2:
        yield from map(job.run, paths)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers, initializer=_quiet_interrupts) as pool:
        try:
            yield from pool.map(partial(_run, job), paths, chunksize=max(1, min(16, len(paths) // (4 * workers))))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _run(job: Job, path: str) -> FileRun:
    return job.run(path)


def _worthwhile_processes(paths: Sequence[str]) -> int:
    size = 0
    for path in paths:
        try:
            size += os.path.getsize(path)
        except OSError:
            continue
    return 1 + size // BYTES_WORTH_A_PROCESS


def _quiet_interrupts() -> None:
    """An interrupt is the parent's to report."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def default_jobs() -> int:
    """The processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
