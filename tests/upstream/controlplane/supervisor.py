"""Runs programs for as long as its parent lives.

    python supervisor.py FOLDER '{"LOG": ["PROGRAM", "ARGUMENT", …], …}'

When standard input ends, since the parent closed it or died in whatever way, when one of the programs ends, or on
SIGTERM, all are stopped and the folder is removed. Should this process be killed, the programs die with it. What a
program that ended by itself had logged last goes to standard error.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

PR_SET_PDEATHSIG = 1
SECONDS_TO_STOP = 5.0
LAST_BYTES = 3000


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a program whose output goes to a log file."""
    with open(log, "wb") as output:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent
        )


def stop(program: subprocess.Popen[bytes]) -> None:
    """End a program; kill it if it does not end in time."""
    program.terminate()
    try:
        program.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


def report(log: Path) -> None:
    """Show the end of a log."""
    sys.stderr.write(log.read_bytes()[-LAST_BYTES:].decode(errors="replace"))


def leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit


def main() -> None:
    folder, commands = Path(sys.argv[1]), json.loads(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, leave)
    programs: dict[Path, subprocess.Popen[bytes]] = {}
    try:
        for log, command in commands.items():
            programs[folder / log] = start(command, folder / log)
        signal.signal(signal.SIGCHLD, leave)
        if all(program.poll() is None for program in programs.values()):
            sys.stdin.buffer.read()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for log, program in reversed(programs.items()):
            if program.poll() is None:
                stop(program)
            else:
                report(log)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
