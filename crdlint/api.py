"""crdlint as a library. All of it is importable from `crdlint` itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crdlint.choices import Choices, files_in, forget
from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.findings import Applicability, Finding, Report
from crdlint.runner import Job, run_files


@dataclass(frozen=True)
class FixResult:
    """What `fix_text` did: the new text, the findings it cured, those whose fix was refused, and those that remain.

    ``remaining`` holds the refused ones too.
    """

    text: str
    applied: list[Finding]
    refused: list[Finding]
    remaining: list[Finding]


def check_text(
    text: str, path: str = "-", *, select: Iterable[str] | None = None, ignore: Iterable[str] = ()
) -> list[Finding]:
    """The findings in the text of one file, sorted by place.

    ``path`` is what findings bear, and decides which configuration applies. ``select`` and ``ignore`` take ids of rules
    and of packs. Raises `crdlint.UsageError` for an unknown one, or a wrong configuration.
    """
    forget()
    return Job(_choices(select, ignore)).run_bytes(path, text.encode("utf-8", "surrogatepass")).result.findings


def check_paths(
    paths: str | Sequence[str], *, select: Iterable[str] | None = None, ignore: Iterable[str] = (), jobs: int = 1
) -> Report:
    """Check files, folders and globs, as the command line does, with what their configuration excludes left out.

    ``jobs`` is the most processes that may be used. Raises `crdlint.UsageError` where a path does not exist; a file
    that cannot be read raises `OSError`.
    """
    forget()
    paths = [paths] if isinstance(paths, str) else paths
    if STDIN in paths:
        raise UsageError("- (standard input) is no file: read it, and give the text to check_text")
    choices = _choices(select, ignore)
    results = []
    for run in run_files(files_in(paths, choices), Job(choices), jobs):
        if run.error is not None:
            raise OSError(f"{run.path}: {run.error}")
        results.append(run.result)
    return Report(results)


def fix_text(
    text: str,
    path: str = "-",
    *,
    unsafe: bool = False,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
) -> FixResult:
    """Fix the text of one file: safe fixes only, unless ``unsafe`` is set. Raises as `check_text` does."""
    forget()
    job = Job(_choices(select, ignore), Applicability.UNSAFE if unsafe else Applicability.SAFE)
    run = job.run_bytes(path, text.encode("utf-8", "surrogatepass"))
    remaining = run.result.findings
    return FixResult(run.after.decode("utf-8", "surrogatepass"), run.applied, run.result.refused, remaining)


def _choices(select: Iterable[str] | None, ignore: Iterable[str]) -> Choices:
    return Choices(None if select is None else tuple(select), tuple(ignore))
