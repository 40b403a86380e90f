"""No text of a file begins a printed line: runners of CI take ``::error::`` there for a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import crdlint
from tests.texts import SAFE, UNSAFE, write

NAMES = ["::error::x", "  ::error::x", "x  ::error file=a::b", "a, ::warning::b ::error::c", "::" + "x" * 300]
COMMANDS = [
    ("check",),
    ("check", "-q"),
    ("check", "--diff", "--unsafe-fixes"),
    ("simulate",),
    ("simulate", "--fixed"),
    ("healthchecks",),
    ("healthchecks", "--all"),
    ("migrate",),
    ("config", "show", "crd.yaml"),
]


def commands_in(text: bytes) -> list[bytes]:
    return [line for line in text.splitlines() if line.lstrip().startswith(b"::")]


def named(text: str, name: str) -> str:
    quoted = json.dumps(name)
    text = text.replace("name: widgets.example.com", f"name: {quoted}").replace("kind: Widget\n", f"kind: {quoted}\n")
    return text.replace("- name: v1\n", f"- name: {quoted}\n")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_names_in_a_crd(tmp_path: Path, command: tuple[str, ...], name: str) -> None:
    write(tmp_path, {"crd.yaml": named(SAFE, name), "other.yaml": named(UNSAFE, name)})
    done = crdlint(tmp_path, *command)
    assert commands_in(done.stdout) + commands_in(done.stderr) == []


@pytest.mark.parametrize("command", [command for command in COMMANDS if command[0] != "config"], ids=" ".join)
def test_names_of_files(tmp_path: Path, command: tuple[str, ...]) -> None:
    write(tmp_path, {"::error::a.yaml": SAFE, "  ::error file=b::/c.yaml": UNSAFE})
    done = crdlint(tmp_path, *command)
    assert commands_in(done.stdout) + commands_in(done.stderr) == []


@pytest.mark.parametrize("name", NAMES)
def test_names_in_objects(tmp_path: Path, name: str) -> None:
    condition = {"type": name, "status": "False", "reason": name, "message": name}
    thing = {
        "apiVersion": "example.com/v1",
        "kind": name,
        "metadata": {"name": name, "namespace": name},
        "status": {"conditions": [condition]},
    }
    for asked in ("current", "paused"):
        done = crdlint(tmp_path, "status", "--for", asked, "-", stdin=json.dumps(thing).encode())
        assert commands_in(done.stdout) + commands_in(done.stderr) == []
