"""What is to be said of a run on standard error, beside its report."""

from __future__ import annotations

import os
from collections.abc import Sequence

from crdlint.cli.failures import complain
from crdlint.files import STDIN
from crdlint.findings import Applicability, Report, is_fixable


def of_left_out(report: Report) -> None:
    """What is not shown because it is known; formats for machines have no word for it."""
    if report.compared:
        from crdlint.report.text import left_out

        for line in left_out(report):
            complain(line)


def of_empty_difference(report: Report, fixes: Applicability | None) -> None:
    """No fix would change anything, but there are findings."""
    unsafe = [finding.fix for finding in report.findings if is_fixable(finding, Applicability.UNSAFE)]
    number = sum(fix is not None and fix.refused is None for fix in unsafe)
    if number and fixes is Applicability.SAFE:
        what = "1 finding has a fix" if number == 1 else f"{number} findings have fixes"
        complain(
            f"no safe fix would change anything, but {what} that need something else done as well: "
            "--diff --unsafe-fixes shows what would change, and a run without --diff what has to be done"
        )
    else:
        complain("no fix would change anything, but there are findings: see them without --diff")


def of_nothing(paths: Sequence[str], report: Report) -> None:
    """There is no CRD at all: a run in the wrong folder must not pass for a clean one.

    Files that are named one by one, as hooks do, may be any.
    """
    folders = [path for path in paths if path != STDIN and not os.path.isfile(path)]
    if folders and not report.summary()["files"]:
        complain(f"there is no CRD below {', '.join(folders)}: is this the right folder?")
