"""Patterns of .gitignore: the same matches as pathspec's own, and none that takes long."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from crdlint.files import discover
from crdlint.gitpatterns import compiled, is_pattern
from tests.cli.run import crdlint
from tests.texts import SAFE, write

NAME = "a" * 255
FOLDERS = "/".join(["a"] * 2040)
LONG_FOLDERS = "/".join(["a" * 254] * 16)
SLOW = [
    *("*a" * 12 + "b", "*a" * 100 + "b", "**/a/" * 8 + "b", "*" * 100 + "b", "*?*?*?*?*?b", "*[a]*[a]*[a]*[a]*[!a]"),
    *("*a*a*a*a/*a*a*a*a/*a*a*a*b", "**/*a*a*b/**/*a*a*b/**/*b", "**/*a*a*a*/**/*a*a*a*/**/*a*ac/x"),
]
SEGMENTS = st.lists(st.sampled_from(["*", "*", "a", "b", "?", "[ab]", r"\*"]), min_size=1, max_size=6).map("".join)
PATTERNS = st.builds(
    lambda start, parts, end: start + "/".join(parts) + end,
    st.sampled_from(["", "/", "!"]),
    st.lists(st.one_of(SEGMENTS, st.just("**")), min_size=1, max_size=5),
    st.sampled_from(["", "/"]),
)
PATHS = st.lists(st.text("ab*", min_size=1, max_size=5), min_size=1, max_size=6).map("/".join)


@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=8))
def test_patterns_mean_what_they_mean_to_pathspec(pattern: str, paths: list[str]) -> None:
    theirs, ours = GitIgnoreSpec.from_lines([pattern], backend="simple"), compiled([pattern])
    assert [theirs.check_file(path) for path in paths] == [ours.check_file(path) for path in paths]


@pytest.mark.parametrize("path", [NAME, FOLDERS, LONG_FOLDERS], ids=["name", "folders", "long folders"])
@pytest.mark.parametrize("pattern", SLOW)
def test_no_pattern_takes_long(pattern: str, path: str) -> None:
    specification = compiled([pattern])
    start = time.perf_counter()
    specification.check_file(path)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize("pattern", ["*a" * 4000, "**/a/" * 1900, "a" * 3_000_000, "[a]" * 3000, "?" * 9000])
def test_no_pattern_takes_long_to_understand(pattern: str) -> None:
    start = time.perf_counter()
    if is_pattern(pattern):
        compiled([pattern]).check_file(FOLDERS)
    assert time.perf_counter() - start < 4


def test_an_ignore_file_cannot_hang_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"{'a' * 60}.yaml"
    write(tmp_path, {".gitignore": "*a" * 12 + "b\n", name: ""})
    start = time.perf_counter()
    assert discover(["."]) == [name]
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize("configuration", ["exclude: ['{}']\n", "overrides: [{{paths: ['{}'], stateless: true}}]\n"])
def test_a_configuration_cannot_hang_a_run(tmp_path: Path, configuration: str) -> None:
    write(tmp_path, {".crdlint.yaml": configuration.format("*a" * 12 + "b"), f"{'a' * 60}.yaml": SAFE})
    assert crdlint(tmp_path, "check").returncode == 1
