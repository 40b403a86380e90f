"""What the README shows: its commands, its configuration, its links."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from crdlint.cli import COMMANDS
from crdlint.config.reading import read

from .cli.run import crdlint
from .surroundings import ROOT, missing

README = ROOT / "README.md"


def readme() -> str:
    if not README.exists():
        missing("README.md lies at the root of a checkout only")
    return README.read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", readme(), re.DOTALL | re.MULTILINE)


def commands() -> list[list[str]]:
    """The words of every crdlint command that the README shows, without what a shell makes of the rest."""
    spans = [span.replace("\\|", "|") for span in re.findall(r"`([^`\n]+)`", readme())]
    lines = [line for block in blocks("(?:console|yaml|groovy|make)") for line in block.splitlines()]
    parts = [part for text in [*spans, *lines] for part in re.split(r"[|;'`]", text)]
    found = [match[1] for part in parts if (match := re.search(r"(?<![\w/.-])crdlint ((?:--)?[a-z].*)", part))]
    return [shlex.split(re.sub(r" [<>].*", "", text), comments=True) for text in found]


def test_commands_are_found() -> None:
    assert {words[0] for words in commands()} >= {"check", "fix", "migrate", "simulate", "status", "baseline", "init"}


def test_commands_and_options_exist(tmp_path: Path) -> None:
    for command in {words[0] for words in commands()} - {"--install-completion"}:
        assert command in COMMANDS
        shown = crdlint(tmp_path, command, "--help").stdout.decode()
        used = {word.partition("=")[0] for words in commands() if words[0] == command for word in words[1:]}
        assert {option for option in used if option.startswith("-") and option != "-"} <= set(
            re.findall(r"(?<!\S)--?[a-z][\w-]*", shown)
        ), command


def test_the_configuration_is_one(tmp_path: Path) -> None:
    text = next(block for block in blocks("yaml") if block.startswith("packs:"))
    path = tmp_path / ".crdlint.yaml"
    path.write_text(text, "utf-8")
    assert read(str(path)).overrides


def test_the_ignore_annotation_is_one() -> None:
    assert any("crdlint/ignore:" in block for block in blocks("yaml"))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "rules/README.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    if not (ROOT / "CONTRIBUTING.md").exists() or not path.exists():
        missing(f"{page}, and what it links to, lie in a checkout only")
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        linked = path.parent / file if file else path
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked), target


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "`code`", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
