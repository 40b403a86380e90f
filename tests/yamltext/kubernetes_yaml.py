"""Ask sigs.k8s.io/yaml what it reads. ``python tests/yamltext/kubernetes_yaml.py`` renews the golden file.

The golden file holds one JSON object a line: ``text``, and what the library makes of it, ``value`` or ``error``. To add
a row, append ``{"text": "…"}`` and run this.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).resolve().parents[1] / "upstream" / "yaml"
GOLDEN = Path(__file__).with_name("scalars.golden.jsonl")


def why_not() -> str | None:
    """Why the library cannot be asked here; None where it can."""
    return None if shutil.which("go") else "Go is not installed"


def build(folder: Path) -> Path:
    """Compile the program that asks it."""
    binary = folder / "yaml"
    subprocess.run(
        ["go", "build", "-mod=readonly", "-o", str(binary), "."], cwd=PROGRAM, check=True, capture_output=True
    )
    return binary


def ask(binary: Path, texts: Iterable[str]) -> list[dict[str, Any]]:
    """The answers to ``texts``, each with ``value`` or ``error``."""
    questions = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    done = subprocess.run([str(binary)], input=questions, check=True, capture_output=True, text=True, encoding="utf-8")
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def golden_rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_text("utf-8").split("\n") if line]


def main() -> None:
    texts = [row["text"] for row in golden_rows()]
    with tempfile.TemporaryDirectory() as folder:
        answers = ask(build(Path(folder)), texts)
    rows = [{"text": text, **answer} for text, answer in zip(texts, answers, strict=True)]
    GOLDEN.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
