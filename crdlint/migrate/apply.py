"""Carrying out a plan: each file is replaced as a whole, or left as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from crdlint.fix.write import NotWritten, remove_leftovers, replace_file
from crdlint.migrate.plan import FilePlan, Plan


@dataclass
class Written:
    """The files that were changed, and those that could not be, with the reason."""

    changed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def apply(plan: Plan, on_notice: Callable[[str], None]) -> Written:
    """Write what the plan says: Go types first, and what is generated from them only if that succeeds.

    So a run that was interrupted is taken up by the next: what is generated still has the findings.
    """
    written = Written()
    for folder in {os.path.dirname(file.path) for file in plan.changed}:
        remove_leftovers(folder)
    for file in plan.changed:
        if file.is_source:
            _write(file, written, on_notice)
    waits = bool(written.failed)
    for file in plan.changed:
        if not file.is_source and waits:
            written.failed[file.path] = "has to wait for the Go types, which could not be changed"
        elif not file.is_source:
            _write(file, written, on_notice)
    return written


def _write(file: FilePlan, written: Written, on_notice: Callable[[str], None]) -> None:
    try:
        notice = replace_file(file.path, file.before, file.after)
    except NotWritten as error:
        written.failed[file.path] = str(error)
    else:
        written.changed.append(file.path)
        if notice is not None:
            on_notice(f"{file.path}: {notice}")
