"""Many files, on one processor or several: read, checked, and fixed where that is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from crdlint.config import Config
from crdlint.configlookup import config_for, load, place
from crdlint.configlookup import forget as forget_configurations
from crdlint.errors import UsageError
from crdlint.files import STDIN, names_crd
from crdlint.findings import Applicability, FileResult, Finding
from crdlint.settings import Settings

if TYPE_CHECKING:
    from crdlint.linter import Linter
    from crdlint.rules.catalogue import Catalogue

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
        """Read and check (and fix, in memory) one file. The bytes of one that stays as it is are not kept."""
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            return FileRun(path, FileResult(path), error=error.strerror or str(error))
        run = self.run_bytes(path, data)
        return replace(run, before=b"", after=b"") if run.before == run.after else run

    def run_bytes(self, path: str, data: bytes) -> FileRun:
        if not names_crd(data):
            # Most YAML: nothing is loaded for it.
            return FileRun(path, FileResult(path), data, data)
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


def catalogue_for(choices: Choices, paths: Sequence[str] = ()) -> Catalogue:
    """All rules that there are for these files, or else in the working folder.

    Raises `UsageError` for what is wrong with the choices, or with the configuration of any of the files.
    """
    from crdlint.rules.catalogue import Catalogue

    linters = dict.fromkeys(linter_for(path, choices) for path in paths or (os.path.join(os.curdir, STDIN),))
    return Catalogue({rule.id: rule for linter in linters for rule in linter.catalogue}.values())


def check_choices(choices: Choices, paths: Sequence[str]) -> None:
    """Raise `UsageError` for what is wrong with the choices, or with the configuration of any of the files.

    Where neither names a rule there is nothing to look up, and nothing is loaded for it.
    """
    for config, path in {settings_config(path, choices): path for path in paths or [STDIN]}.items():
        if choices.select or choices.ignore or choices.rules or config.path is not None:
            linter_for(path, choices)


def forget() -> None:
    """Read configurations and users' own rules anew when they are needed next: they may have changed since."""
    forget_configurations()
    _linter.cache_clear()
    _catalogue.cache_clear()


@lru_cache(maxsize=64)
def _linter(config: Config, choices: Choices) -> Linter:
    catalogue = _catalogue((*config.rules, *choices.rules))
    ids = {rule.id for rule in catalogue}
    if choices.select is not None:
        ids = catalogue.expand(choices.select, lambda index: "--select")
    elif config.select is not None:
        ids = catalogue.expand(config.select, lambda index: place(config, "select", str(index)))
    ids -= catalogue.expand(config.ignore, lambda index: place(config, "ignore", str(index)))
    ids -= catalogue.expand(choices.ignore, lambda index: "--ignore")
    from crdlint.linter import Linter

    settings = Settings(frozenset(ids), config.stateless, config.controllers, config.controllers_by_crd)
    return Linter(catalogue, settings)


@lru_cache(maxsize=16)
def _catalogue(folders: tuple[str, ...]) -> Catalogue:
    from crdlint.rules.catalogue import Catalogue, core_rules

    rules = list(core_rules())
    if folders:
        from pathlib import Path

        from crdlint.rules.user import load_rules

        unique: dict[str, str] = {}
        for folder in folders:
            unique.setdefault(os.path.realpath(folder), folder)
        for folder in unique.values():
            rules += load_rules(Path(folder), frozenset(rule.id for rule in rules))
    return Catalogue(rules)


def without_excluded(paths: Sequence[str], named: Callable[[str], bool], choices: Choices) -> list[str]:
    """``paths`` less those that their configuration excludes; one that was named is kept unless excludes are forced."""
    return [path for path in paths if path == STDIN or not is_excluded(path, named(path), choices)]


def is_excluded(path: str, is_named: bool, choices: Choices) -> bool:
    """Is a file left out, by its configuration and by how it was found?"""
    if is_named and not choices.force_exclude:
        return False
    return settings_config(path, choices).excludes(path)


def run_files(paths: Sequence[str], job: Job, jobs: int) -> Iterator[FileRun]:
    """Check, or fix in memory, each file, in the order of ``paths``."""
    workers = min(jobs, _worthwhile_processes(paths)) if jobs > 1 else 1
    if workers < 2:
        yield from map(partial(_run, job), paths)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    with ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            with _interrupts_held_back():
                runs = pool.map(partial(_run, job), paths, chunksize=max(1, min(16, len(paths) // (4 * workers))))
            yield from runs
        except BrokenProcessPool:
            raise UsageError(
                "a process that checks files was ended from outside, perhaps for want of memory: try --jobs 1"
            ) from None
        except BaseException:
            # Not waited for: a pool that was interrupted in the middle may never come to an end.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _run(job: Job, path: str) -> FileRun:
    """Run one file without the garbage collector.

    The trees of a file are made, and dropped, as a whole: collecting in between costs 15 % and finds nothing.
    """
    gc.disable()
    try:
        return job.run(path)
    finally:
        gc.enable()


def _worthwhile_processes(paths: Sequence[str]) -> int:
    return 1 + sum(map(_size, paths)) // BYTES_WORTH_A_PROCESS


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """What is started in here does not see an interrupt before it is ready for one."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _leave_interrupts_to_the_parent() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def default_jobs() -> int:
    """The processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
