"""Which status fields Argo CD's health scripts read; run this file to renew ``crdlint/consumers/argocd_scripts.json``.

The scripts come from the Go module github.com/argoproj/argo-cd/v3, in the version that ``go.mod`` here pins.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[2] / "crdlint" / "consumers" / "argocd_scripts.json"
MODULE = "github.com/argoproj/argo-cd/v3"

_FIELD = re.compile(r"""\bstatus(?:\.(\w+)|\[\s*["'](\w+)["']\s*\])""")
_COMMENT = re.compile(r"--\[\[.*?\]\]|--[^\n]*", re.DOTALL)


def download() -> tuple[Path, str]:
    """The folder of the scripts, and the version of Argo CD that they are from."""
    command = ["go", "mod", "download", "-json", MODULE]
    done = subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True)
    module = json.loads(done.stdout)
    return Path(module["Dir"]) / "resource_customizations", module["Version"]


def table(folder: Path, version: str) -> dict[str, Any]:
    scripts = {path.parent.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("health.lua"))}
    return {"version": version, "scripts": {key: reads(path.read_text("utf-8")) for key, path in scripts.items()}}


def reads(script: str) -> dict[str, Any]:
    code = _COMMENT.sub("", script)
    return {
        "status": sorted({first or second for first, second in _FIELD.findall(code)}),
        "observedGeneration": "observedGeneration" in code,
        "severity": "severity" in code,
    }


def as_text(data: dict[str, Any]) -> str:
    """One script a line."""
    rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(row)}" for key, row in data["scripts"].items())
    return f'{{\n  "version": {json.dumps(data["version"])},\n  "scripts": {{\n{rows}\n  }}\n}}\n'


def main() -> None:
    TABLE.write_text(as_text(table(*download())), "utf-8")


if __name__ == "__main__":
    main()
