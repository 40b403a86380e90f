"""Git, asked about a repository whose configuration may be anybody's: no program that this names is run.

It can name one that watches files, hooks, filters that files pass before they are compared, and ways to fetch objects
that are missing. What the user's own configuration names is the user's.
"""

from __future__ import annotations

import os
import subprocess

# They lead elsewhere: in a hook, to the repository that it is run for.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")
_NO_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "core.quotePath=false")
_REPOSITORY_SCOPES = (b"local", b"worktree")
_COUNT = "GIT_CONFIG_COUNT"


def run(folder: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Ask the repository that a folder is in. Raises `OSError` where there is no Git, and `ValueError` for a NUL."""
    return _run(folder, arguments, stdin, _without_filters(folder))


def _run(
    folder: str, arguments: tuple[str, ...], stdin: bytes, environment: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-C", folder, *_NO_PROGRAMS, *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False)


def _without_filters(folder: str) -> dict[str, str]:
    """An environment in which the filters that the repository's own configuration names do nothing."""
    environment = _environment()
    wanted = ("config", "--show-scope", "--null", "--name-only", "--get-regexp", r"^filter\.")
    scopes_and_names = _run(folder, wanted, b"", environment).stdout.split(b"\0")
    count = environment.get(_COUNT, "")
    number = int(count) if count.isdecimal() else 0
    for scope, name in zip(scopes_and_names[::2], scopes_and_names[1::2], strict=False):
        if scope in _REPOSITORY_SCOPES:
            environment[f"GIT_CONFIG_KEY_{number}"] = os.fsdecode(name)
            environment[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(b".required") else ""
            number += 1
    return {**environment, _COUNT: str(number)}


def _environment() -> dict[str, str]:
    """Without locks: whoever commits meanwhile must not be disturbed."""
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    return {**kept, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
