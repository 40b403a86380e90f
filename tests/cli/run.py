"""The console script in a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from crdlint.choices import forget
from crdlint.cli import application
from crdlint.cli.failures import report_failures

_SCRIPT = Path(sys.executable).with_name("crdlint")
COMMAND = [str(_SCRIPT)] if _SCRIPT.exists() else [sys.executable, "-m", "crdlint"]
_DECIDE_COLOUR = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "PYTHONUTF8", "PYTHONIOENCODING")


def environment(**variables: str) -> dict[str, str]:
    """The environment without what decides about colours and encodings, and with these variables."""
    kept = {name: value for name, value in os.environ.items() if name not in _DECIDE_COLOUR}
    return {**kept, **variables}


def crdlint(folder: Path, *arguments: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run crdlint in a folder. No run of it may show a traceback unasked."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env=environment(**variables),
    )
    assert "--debug" in arguments or b"Traceback" not in done.stderr, done.stderr.decode()
    return done


def here(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run crdlint in this process, which is quicker; returns the exit code and standard output."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    before = os.getcwd()
    forget()
    os.chdir(folder)
    try:
        with pytest.raises(SystemExit) as ended, redirect_stdout(out), report_failures(debug=True):
            application()(arguments, prog_name="crdlint")
    finally:
        os.chdir(before)
    out.seek(0)
    assert isinstance(ended.value.code, int)
    return ended.value.code, out.read()


def report(folder: Path, *arguments: str, stdin: bytes = b"") -> Any:
    """The data of a run with ``--format json``."""
    return json.loads(crdlint(folder, *arguments, "--format", "json", stdin=stdin).stdout)


def rules(folder: Path, *arguments: str) -> list[str]:
    """The rules that a check reports, in the order of the findings."""
    _, out = here(folder, "check", *arguments, "--format", "json")
    return [finding["rule"] for finding in json.loads(out)["findings"]]
