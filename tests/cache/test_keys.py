"""What an entry answers for: it is found where nothing has changed, and missed where anything has that decides."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from crdlint import project
from crdlint.cache import keys
from crdlint.cache.keys import Keys
from crdlint.choices import Choices, forget
from crdlint.config.data import Config
from crdlint.config.lookup import FILE_NAME
from crdlint.findings import Applicability
from tests.texts import write

NONE = Choices()
OWN_RULE = "id: own\nsummary: a\nseverity: {}\nscope: crd\nwhy: b\nschema: true\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository, and the working folder."""
    write(tmp_path, {".git/HEAD": "", "a/x.yaml": "", "own/rule.yaml": OWN_RULE.format("error")})
    monkeypatch.chdir(tmp_path)
    keys._program.cache_clear()
    yield tmp_path
    keys._program.cache_clear()


def key(
    path: str = "a/x.yaml", choices: Choices = NONE, fixes: Applicability | None = None, digest: str = "1"
) -> tuple[str, str]:
    """The pack and the entry, as a run finds them that begins now."""
    forget()
    keys._program.cache_clear()
    found = Keys(choices, fixes)
    return found.pack(path), found.entry(path, digest)


def test_nothing_has_changed(folder: Path) -> None:
    assert key() == key()
    assert all(len(part) == 64 for part in key(choices=Choices(rules=("own",)))[:1])


def test_equal_files_without_a_configuration_share_their_entry(folder: Path) -> None:
    assert key("a/x.yaml") == key("b/y.yaml") == key(str(folder / "x.yaml"))


def test_the_content_counts(folder: Path) -> None:
    assert key(digest="2") != key(digest="1")


CHOICES: dict[str, Any] = {
    "select": ("pruned-status",),
    "ignore": ("pruned-status",),
    "rules": ("own",),
    "config": "other.yaml",
    "force_exclude": True,
}


@pytest.mark.parametrize("name", [field.name for field in fields(Choices)])
def test_every_choice_counts(folder: Path, name: str) -> None:
    write(folder, {"other.yaml": "stateless: [A]\n"})
    changed: dict[str, Any] = {name: CHOICES[name]}
    assert key(choices=replace(Choices(), **changed)) != key()


def test_what_is_fixed_counts(folder: Path) -> None:
    assert len({key(fixes=fixes) for fixes in (None, Applicability.SAFE, Applicability.UNSAFE)}) == 3


def other_value(value: Any) -> Any:
    """Some value of the same kind, another one."""
    if isinstance(value, frozenset):
        return frozenset({"A"})
    if isinstance(value, tuple) or value is None:
        return ("A",)
    return type(value)(next(item for item in type(value) if item is not value)) if hasattr(value, "value") else None


@pytest.mark.parametrize("name", [field.name for field in fields(Config) if field.name not in ("path", "rules")])
def test_all_that_is_configured_counts(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a configuration may come to say, with values that need not make sense."""
    before = key()
    changed = replace(Config(), **{name: other_value(getattr(Config(), name))})
    monkeypatch.setattr(keys, "settings_config", lambda path, choices: changed)
    assert key() != before


@pytest.mark.parametrize(
    "text", ["ignore: [pruned-status]\n", "rules: [own]\n", "controllers: {writes: [status-endpoint]}\n"]
)
def test_a_configuration_counts_and_so_does_its_change(folder: Path, text: str) -> None:
    none = key()
    write(folder, {FILE_NAME: text})
    assert key() != none
    one = key()
    write(folder, {FILE_NAME: text + "stateless: [A]\n"})
    assert key() not in (none, one)


def test_a_configuration_may_speak_of_paths(folder: Path) -> None:
    write(folder, {FILE_NAME: "stateless: [A]\n"})
    assert len({key("a/x.yaml"), key("a/y.yaml"), key("b/x.yaml")}) == 3
    assert key("a/x.yaml") == key("a/../a/x.yaml") == key(str(folder / "a/x.yaml"))


def test_where_the_repository_stands_does_not_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "stateless: [A]\nrules: [own]\n"
    write(folder, {FILE_NAME: text})
    here = key()
    for name in ("elsewhere", "elsewhere/.git"):
        (folder / name).mkdir()
    write(folder / "elsewhere", {FILE_NAME: text, "own/rule.yaml": OWN_RULE.format("error")})
    monkeypatch.chdir(folder / "elsewhere")
    assert key() == here


@pytest.mark.parametrize("choices", [Choices(rules=("own",)), Choices(config="configured.yaml")])
def test_rules_of_users_own_count(folder: Path, choices: Choices) -> None:
    write(folder, {"configured.yaml": "rules: [own]\n"})
    seen = {key(choices=choices)}
    write(folder, {"own/rule.yaml": OWN_RULE.format("warning")})
    seen.add(key(choices=choices))
    write(folder, {"own/second.yaml": OWN_RULE.format("warning").replace("own", "second")})
    seen.add(key(choices=choices))
    assert len(seen) == 3


@pytest.fixture
def program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of a few files in the place of crdlint."""
    write(folder, {"package/a.py": "", "package/deep/b.py": "", "package/rulepack/rule.yaml": "severity: error"})
    monkeypatch.setattr(project, "PACKAGE", folder / "package")
    monkeypatch.setattr(sys, "path", [str(folder / "installed"), str(folder / "absent")])
    write(folder, {"installed/crdlint-0.1.0.dist-info/METADATA": "", "installed/pathspec-1.0.dist-info/METADATA": ""})
    return folder


def append_to(name: str) -> Callable[[Path], None]:
    return lambda folder: write(folder, {name: (folder / name).read_text() + "x"})


def touch(folder: Path) -> None:
    os.utime(folder / "package/a.py", (0, 0))


def rename(before: str, after: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / before).rename(folder / after)

    return change


@pytest.mark.parametrize(
    "change",
    [
        append_to("package/a.py"),
        append_to("package/deep/b.py"),
        append_to("package/rulepack/rule.yaml"),
        touch,
        rename("package/deep/b.py", "package/deep/c.py"),
        # A new version, and a new version of what it builds on.
        rename("installed/crdlint-0.1.0.dist-info", "installed/crdlint-0.2.0.dist-info"),
        rename("installed/pathspec-1.0.dist-info", "installed/pathspec-1.1.dist-info"),
        lambda folder: write(folder, {"installed/lupa-2.4.dist-info/METADATA": ""}),
    ],
)
def test_the_program_and_its_rules_count(program: Path, change: Callable[[Path], None]) -> None:
    before = key()
    assert key() == before
    change(program)
    assert key() != before


def test_compiled_modules_do_not_count(program: Path) -> None:
    before = key()
    write(program, {"package/__pycache__/a.pyc": "", "package/deep/__pycache__/b.pyc": ""})
    assert key() == before


def test_python_counts(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key()
    monkeypatch.setattr(sys, "version", "3.99")
    assert key() != before
