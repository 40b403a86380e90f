"""gofmt, asked about a text."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

from tests.surroundings import missing


@cache
def _program() -> str:
    found = shutil.which("gofmt")
    if found is None:
        missing("gofmt comes with Go")
    return str(found)


def gofmt(text: bytes) -> bytes:
    """The text as gofmt sets it."""
    return subprocess.run([_program()], input=text, capture_output=True, check=True).stdout
