"""The JSON of every command is ASCII, whatever a file holds: nothing in it acts on a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crdlint.config.lookup import FILE_NAME
from tests.cli.run import here
from tests.texts import WARNING

HOSTILE = ["\x9b2J", "\x85", "\x7f", "\u202egnp.exe", "\u2066hidden", "\u200f", "line\u2028break", "\ufeff", "日本 👩"]
COMMANDS = [
    ("check",),
    ("simulate",),
    ("simulate", "--fixed"),
    ("healthchecks", "--all"),
    ("status",),
    ("config", "show"),
    ("migrate",),
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_json_is_ascii_and_gives_back_what_was_put_in(command: tuple[str, ...], text: str, tmp_path: Path) -> None:
    name = f"{text}.yaml"
    (tmp_path / ".git").mkdir()
    quoted = '"Widget{}"'.format("".join(f"\\U{ord(char):08x}" for char in text))
    (tmp_path / name).write_text(WARNING.replace("kind: Widget\n", f"kind: {quoted}\n"), "utf-8")
    (tmp_path / FILE_NAME).write_text(f"stateless: [{quoted}]\n", "utf-8")
    _, output = here(tmp_path, *command, name, "--format", "json")
    assert output.isascii()
    assert "\x7f" not in output
    assert text in json.dumps(json.loads(output), ensure_ascii=False).replace("\\u007f", "\x7f")
