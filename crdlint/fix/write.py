"""Replace a file as a whole, or leave it as it was."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

LINK = "is a symbolic link: fix the file that it leads to"
_TEMPORARY = re.compile(r"\.crdlint-(\d+)-[0-9a-f]+\.tmp")


class NotWritten(Exception):
    """A file that was left as it was; the message says why, for a person."""


def replace_file(path: str, before: bytes, after: bytes) -> str | None:
    """Write ``after`` where ``before`` stands, mode and owner kept. Raises `NotWritten`; may return a notice.

    The new bytes go to a temporary file in the same folder first, so that whoever reads, and whatever happens, the file
    holds the old bytes or the new ones.
    """
    target = Path(path)
    why = why_not_writable(path)
    if why is not None:
        raise NotWritten(why)
    temporary = Path(temporary_beside(path))
    try:
        return _write(target, temporary, before, after)
    except OSError as error:
        raise NotWritten(f"cannot be written: {error.strerror or error}") from None
    finally:
        _remove(temporary)


def temporary_beside(path: str) -> str:
    """The name of a temporary file in the same folder, by which `remove_leftovers` knows it."""
    return os.path.join(os.path.dirname(path), f".crdlint-{os.getpid()}-{os.urandom(6).hex()}.tmp")


def why_not_writable(path: str) -> str | None:
    """Why a fix of this file is refused before anything is tried."""
    if os.path.islink(path):
        return LINK
    if not os.path.exists(path):
        return "is not there any more"
    if not os.access(path, os.W_OK):
        return "cannot be written: the file is read-only"
    return None


def _write(target: Path, temporary: Path, before: bytes, after: bytes) -> str | None:
    info = target.stat()
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except PermissionError:
        raise NotWritten("cannot be replaced: its folder is read-only") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(after)
        file.flush()
        _keep_owner_and_mode(file.fileno(), info)
        os.fsync(file.fileno())
    if target.read_bytes() != before:
        raise NotWritten("changed since it was read: run crdlint again")
    os.replace(temporary, target)
    _sync_folder(target.parent)
    others = info.st_nlink - 1
    if others < 1:
        return None
    return f"had {others} other name{'s' if others > 1 else ''} (hard links), which keep the old text"


def _keep_owner_and_mode(descriptor: int, info: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (info.st_uid, info.st_gid):
        try:
            os.fchown(descriptor, info.st_uid, info.st_gid)
        except PermissionError:
            raise NotWritten("belongs to somebody else, and its owner could not be kept") from None
    os.fchmod(descriptor, stat.S_IMODE(info.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last as well; not every system lets a folder be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files that killed runs left in a folder, before anything is written there."""
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in names:
        match = _TEMPORARY.fullmatch(name)
        if match and not _is_running(int(match[1])):
            _remove(Path(folder, name))


def _remove(temporary: Path) -> None:
    # Where that is impossible, so was its making, or the next run tries again.
    with suppress(OSError):
        temporary.unlink()


def _is_running(process: int) -> bool:
    """Does another process have this id? In a container every run may have the same one."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
