"""What has changed in a Git repository since a revision, up to the files as they are now.

Git is asked, never imitated. Names come and go separated by NUL, so that none needs quoting, and the revision is handed
over where Git cannot take it for an option.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from crdlint import git
from crdlint.errors import UsageError

_REGULAR_FILE = b"100"
_UNMERGED = b"U"
_RENAMED = b"R"
_REMOVED = b"D"


@dataclass(frozen=True)
class Old:
    """A file of the revision: where it was, and which object holds its content."""

    path: str
    object: str


@dataclass
class Changes:
    """Paths are from ``root``, the top of the working tree, with forward slashes."""

    root: str
    # Files that are new or have changed, with what they were; None for what was not there.
    files: dict[str, Old | None] = field(default_factory=dict)
    removed: list[Old] = field(default_factory=list)


def changes_since(revision: str) -> Changes:
    """The changes in the repository of the working folder. Raises `UsageError` that says why they cannot be told."""
    root = os.fsdecode(_git(os.curdir, "rev-parse", "--show-toplevel").removesuffix(b"\n"))
    changes = Changes(root)
    # Without the program that may show differences, and not into other repositories.
    compared = ("diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", "--ignore-submodules")
    _add_records(changes, _git(root, *compared, _commit(revision), "--").split(b"\0"))
    removed = {old.path: old for old in changes.removed}
    for name in _git(root, "ls-files", "-z", "--others", "--exclude-standard").split(b"\0"):
        path = os.fsdecode(name)
        if path and path not in changes.files:
            # Removed from the index only, perhaps.
            changes.files[path] = removed.pop(path, None)
    changes.removed = list(removed.values())
    return changes


def contents(root: str, files: Sequence[Old]) -> Iterator[bytes]:
    """The content of each file, in their order. Raises `UsageError` where the repository does not hold one."""
    answer = _git(root, "cat-file", "--batch", stdin="".join(f"{old.object}\n" for old in files).encode("ascii"))
    position = 0
    for old in files:
        end = answer.index(b"\n", position)
        _, _, size = answer[position:end].rpartition(b" ")
        if not size.isdigit():
            raise UsageError(f"{old.path}: the repository does not hold its content as it was: fetch that first")
        position = end + 1 + int(size) + 1
        yield answer[end + 1 : position - 1]


def _commit(revision: str) -> str:
    try:
        verified = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        found = _git(os.curdir, *verified).strip()
    except UsageError:
        found = b""
    # `^REV`, what is not reachable from it, is no commit.
    if not found.isalnum():
        raise UsageError(
            f"--since {revision}: Git knows no such revision here; a shallow clone has to be deepened first"
        )
    return found.decode("ascii")


def _add_records(changes: Changes, fields: list[bytes]) -> None:
    """Read ``:MODE MODE OBJECT OBJECT STATUS``, a path, and for a renamed file another one, over and over."""
    remaining = iter(fields)
    for record in remaining:
        if not record:
            return
        mode, _, object_, _, status = record.removeprefix(b":").split(b" ")
        path = os.fsdecode(next(remaining))
        is_known = mode.startswith(_REGULAR_FILE) and not status.startswith(_UNMERGED)
        old = Old(path, object_.decode("ascii")) if is_known else None
        if status.startswith(_RENAMED):
            path = os.fsdecode(next(remaining))
        if not status.startswith(_REMOVED):
            # An unmerged file has a second record, with what it was.
            changes.files[path] = old or changes.files.get(path)
        elif old is not None:
            changes.removed.append(old)


def _git(folder: str, *arguments: str, stdin: bytes = b"") -> bytes:
    """What Git prints. Raises `UsageError` with what it complains of."""
    try:
        done = git.run(folder, *arguments, stdin=stdin)
    except (FileNotFoundError, PermissionError):
        raise UsageError("--since asks Git, which is not installed, or not on the PATH") from None
    except ValueError:
        raise UsageError("--since: no revision has a NUL in its name") from None
    if done.returncode:
        complaint = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: ")
        raise UsageError(f"--since asks Git, which says: {complaint or f'exit code {done.returncode}'}")
    return done.stdout
