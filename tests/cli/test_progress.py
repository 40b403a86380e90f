"""The bar: seen on a terminal, by those who wait, and gone without a trace."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.cli.run import environment
from tests.texts import SAFE, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
FILES = 20
SHOW_CURSOR, CLEAR_LINE = b"\x1b[?25h", b"\x1b[2K"

_GENERATED = SAFE.replace("metadata:\n", "metadata:\n  annotations: {controller-gen.kubebuilder.io/version: v1}\n", 1)
# As crdlint itself, but that each file takes a while.
_SLOW = """
import sys, time
from crdlint import runner
from crdlint.cli import progress
from crdlint.__main__ import main
progress.SECONDS_WITHOUT = {seconds}
run = runner.Job.run
def slow(self, path):
    time.sleep({pause})
    return run(self, path)
runner.Job.run = slow
try: main()
finally: assert {loads} == ("rich" in sys.modules)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, {f"{number:02}.yaml": SAFE for number in range(FILES)})
    return tmp_path


def on_terminal(
    folder: Path,
    *arguments: str,
    seconds: float = 0,
    pause: float = 0.005,
    loads: bool = True,
    interrupted_after: bytes | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int, bytes, bytes]:
    """Exit code, standard output, and what a terminal on standard error is sent."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", _SLOW.format(seconds=seconds, pause=pause, loads=loads), "check", "--jobs", "1"]
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(**{"TERM": "xterm", **variables}),
    )
    os.close(theirs)
    sent = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        sent += piece
        if not piece:
            break
        if interrupted_after is not None and interrupted_after in sent:
            process.send_signal(signal.SIGINT)
            interrupted_after = None
    os.close(ours)
    out = process.communicate(timeout=60)[0]
    return process.returncode, out, sent


def test_a_long_run_shows_how_far_it_is(folder: Path) -> None:
    status, out, sent = on_terminal(folder, "--format", "json", pause=0.05)
    assert status == 1
    assert f"{FILES}/{FILES}".encode() in sent
    assert b"files" in sent
    assert sent.endswith(CLEAR_LINE)
    assert SHOW_CURSOR in sent
    # What is printed is what it always is.
    assert out.startswith(b'{"format": "crdlint/v1"')
    assert on_terminal(folder, "--format", "json", "--quiet", loads=False) == (1, out, b"")


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [(("--quiet",), {}), ((), {"TERM": "dumb"}), (("01.yaml",), {})],
)
def test_nobody_waits_or_looks(folder: Path, arguments: tuple[str, ...], variables: dict[str, str]) -> None:
    assert on_terminal(folder, *arguments, loads=False, variables=variables)[2] == b""


def test_a_short_run_shows_none(folder: Path) -> None:
    assert on_terminal(folder, seconds=30, loads=False)[2] == b""


def test_nothing_goes_into_a_pipe(folder: Path) -> None:
    program = _SLOW.format(seconds=0, pause=0.005, loads=False)
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--jobs", "1"],
        cwd=folder,
        capture_output=True,
        check=False,
        env=environment(TERM="xterm"),
    )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(("arguments", "variables"), [(("--color", "never"), {}), ((), {"NO_COLOR": "1"})])
def test_it_is_plain_where_no_colour_is_wanted(
    folder: Path, arguments: tuple[str, ...], variables: dict[str, str]
) -> None:
    sent = on_terminal(folder, *arguments, pause=0.02, variables=variables)[2]
    assert b"files" in sent
    assert b"\x1b[3" not in sent
    assert b"\x1b[9" not in sent


def test_messages_stand_above_it(folder: Path) -> None:
    write(folder, {f"{number:02}.yaml": _GENERATED for number in range(FILES)})
    sent = on_terminal(folder, "--fix", pause=0.02)[2]
    assert b"files" in sent
    assert sent.count(b"made by controller-gen") == FILES
    assert sent.endswith(CLEAR_LINE)


def test_an_interrupt_clears_it(folder: Path) -> None:
    status, out, sent = on_terminal(folder, pause=0.2, interrupted_after=b"files")
    assert (status, out) == (130, b"")
    assert SHOW_CURSOR in sent
    assert sent.endswith(CLEAR_LINE)
    assert b"Traceback" not in sent
