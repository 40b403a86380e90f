"""Many files, on one processor or several: read, checked, and fixed where that is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from crdlint.choices import Choices, linter_for
from crdlint.errors import UsageError
from crdlint.files import names_crd
from crdlint.findings import Applicability, FileResult, Finding

if TYPE_CHECKING:
    from crdlint.cache.results import ResultCache

# Below this many bytes another process costs more than it saves.
BYTES_WORTH_A_PROCESS = 1_000_000


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
    # What tells its content from others', where the result is worth keeping.
    digest: str | None = None


@dataclass(frozen=True)
class Job:
    """What is done with each file. It is sent to other processes, so it is plain data."""

    choices: Choices = Choices()
    # Which fixes are made; None checks only.
    fixes: Applicability | None = None
    # Are the texts of files with findings wanted, for code frames?
    keeps_text: bool = True
    # Are results kept for later runs?
    keeps_results: bool = False

    def run(self, path: str) -> FileRun:
        """Read and check (and fix, in memory) one file. The bytes of one that stays as it is are not kept."""
        try:
            data = _read(path)
        except OSError as error:
            return FileRun(path, FileResult(path), error=error.strerror or str(error))
        run = self.run_bytes(path, data)
        if run.before != run.after:
            return run
        run = replace(run, before=b"", after=b"")
        return replace(run, digest=_digest(data)) if self.keeps_results and names_crd(data) else run

    def known(self, path: str, cache: ResultCache) -> FileRun | None:
        """The run of a file that needs no checking: it has no CRD, or is as an earlier run found it."""
        if cache.is_known_to_be_empty:
            return None  # reading the file would be for nothing
        try:
            data = _read(path)
        except OSError:
            return None
        if not names_crd(data):
            return FileRun(path, FileResult(path))
        result = cache.find(path, data)
        if result is None:
            return None
        if self.keeps_text and result.findings:
            result.text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        return FileRun(path, result)

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


def run_files(paths: Sequence[str], job: Job, jobs: int, cache: ResultCache | None = None) -> Iterator[FileRun]:
    """Check, or fix in memory, each file, in the order of ``paths`` (each of which stands there once)."""
    if cache is None:
        yield from _run_files(paths, job, jobs)
        return
    known = {run.path: run for path in paths if (run := job.known(path, cache)) is not None}
    others = _run_files([path for path in paths if path not in known], replace(job, keeps_results=True), jobs)
    try:
        for path in paths:
            run = known.pop(path, None) or next(others)
            if run.digest is not None:
                cache.add(path, run.digest, run.result)
            yield run
        # Their processes are waited for, as they are where nothing is known.
        next(others, None)
    finally:
        cache.keep()


def check_content(path: str, data: bytes, job: Job, cache: ResultCache | None) -> FileResult:
    """Check what a file once held; for few files, since it is done here and now."""
    if not names_crd(data):
        return FileResult(path)
    known = None if cache is None else cache.find(path, data)
    if known is not None:
        return known
    result = job.run_bytes(path, data).result
    if cache is not None:
        cache.add(path, _digest(data), result)
    return result


def _run_files(paths: Sequence[str], job: Job, jobs: int) -> Iterator[FileRun]:
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


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _digest(data: bytes) -> str:
    from crdlint.cache.results import digest

    return digest(data)


def _run(job: Job, path: str) -> FileRun:
    """Run one file without the garbage collector.

    The trees of a file are made, and dropped, as a whole: collecting in between costs 15 % and finds nothing. What
    refers to itself is left then, and is dropped before it is joined by that of the next file.
    """
    gc.disable()
    try:
        return job.run(path)
    finally:
        gc.enable()
        gc.collect(0)


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
