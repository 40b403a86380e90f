"""Many files, on one processor or several: read, checked, and fixed where that is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from crdlint.choices import Choices, linter_for
from crdlint.errors import UsageError
from crdlint.files import names_crd
from crdlint.findings import Applicability, FileResult, Finding

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
