"""A bar on standard error for runs that take long enough to be wondered about."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from crdlint.cli.options import Color

if TYPE_CHECKING:
    from rich.progress import Progress

# Most runs are over by then, and never load what draws the bar.
SECONDS_WITHOUT = 1.0


@contextmanager
def progress(total: int, wanted: bool, color: Color) -> Iterator[Callable[[], None]]:
    """Gives what is to be called for each of ``total`` files. Whatever happens, the bar is gone afterwards."""
    if not wanted or not _is_shown():
        yield lambda: None
        return
    bar = _Bar(total, color)
    try:
        yield bar.advance
    finally:
        bar.remove()


def _is_shown() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class _Bar:
    def __init__(self, total: int, color: Color) -> None:
        self._total = total
        self._color = color
        self._done = 0
        self._start = time.monotonic()
        self._shown: Progress | None = None

    def advance(self) -> None:
        self._done += 1
        if self._shown is None and self._done < self._total and time.monotonic() - self._start > SECONDS_WITHOUT:
            self._shown = _made(self._total, self._color)
            # Only now: an interrupt while it is drawn has to find it.
            self._shown.start()
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=self._done)

    def remove(self) -> None:
        if self._shown is not None:
            self._shown.stop()


def _made(total: int, color: Color) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("crdlint"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeRemainingColumn())
    # None leaves it to NO_COLOR.
    console = Console(stderr=True, no_color=True if color is Color.NEVER else None)
    # Standard output is left alone: nothing is printed there while the bar stands.
    bar = Progress(*columns, console=console, transient=True, redirect_stdout=False)
    bar.add_task("", total=total)
    return bar
