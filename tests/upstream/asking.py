"""Questions to the real packages of Kubernetes, kubectl, cli-utils and Flux: the Go program in this folder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.surroundings import go_program

SOURCES = Path(__file__).resolve().parent


class Upstream:
    """The program, built."""

    def __init__(self) -> None:
        self.binary = go_program("upstream", SOURCES)

    def ask(self, questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers, in the order of the questions; one with ``error`` where the package gave an error."""
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        done = subprocess.run([self.binary], input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
        return [json.loads(line) for line in done.stdout.split("\n") if line]
