"""A file is replaced as a whole, or left as it was and the reason said."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from crdlint.fix import write
from crdlint.fix.write import NotWritten, remove_leftovers, replace_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and links that Windows does not have")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"old")
    return path


def why(path: Path) -> str:
    with pytest.raises(NotWritten) as refused:
        replace_file(str(path), b"old", b"new")
    return str(refused.value)


def left(file: Path) -> tuple[list[str], bytes]:
    return os.listdir(file.parent), file.read_bytes()


def test_a_file_is_replaced(file: Path) -> None:
    assert replace_file(str(file), b"old", b"new") is None
    assert left(file) == (["x.yaml"], b"new")


def test_a_relative_path_is_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    replace_file("x.yaml", b"old", b"new")
    assert left(file) == (["x.yaml"], b"new")


def test_a_file_that_changed_is_left(file: Path) -> None:
    file.write_bytes(b"newer")
    assert why(file) == "changed since it was read: run crdlint again"
    assert left(file) == (["x.yaml"], b"newer")


def test_a_file_that_changes_while_it_is_written_is_left(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def change(descriptor: int) -> None:
        file.write_bytes(b"newer")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", change)
    assert why(file) == "changed since it was read: run crdlint again"
    assert left(file) == (["x.yaml"], b"newer")


def test_a_file_that_went_is_not_made_anew(file: Path) -> None:
    file.unlink()
    assert why(file) == "is not there any more"
    assert os.listdir(file.parent) == []


@pytest.mark.parametrize("target", ["x.yaml", "gone.yaml"])
def test_a_link_is_not_followed(file: Path, target: str) -> None:
    link = file.with_name("link.yaml")
    link.symlink_to(target)
    assert why(link) == "is a symbolic link: fix the file that it leads to"
    assert link.is_symlink()
    assert file.read_bytes() == b"old"


def test_a_read_only_file_is_left(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert why(file) == "cannot be written: the file is read-only"
    assert left(file) == (["x.yaml"], b"old")


@pytest.mark.parametrize(
    ("function", "code", "told"),
    [
        ("open", errno.EACCES, "cannot be replaced: its folder is read-only"),
        ("open", errno.EROFS, "cannot be written: Read-only file system"),
        ("open", errno.ENOSPC, "cannot be written: No space left on device"),
        ("fsync", errno.EIO, "cannot be written: Input/output error"),
        ("replace", errno.EACCES, "cannot be written: Permission denied"),
    ],
)
def test_what_the_system_refuses_is_said_and_nothing_stays_behind(
    file: Path, monkeypatch: pytest.MonkeyPatch, function: str, code: int, told: str
) -> None:
    def fail(*arguments: object, **others: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, function, fail)
    message = why(file)
    monkeypatch.undo()
    assert message == told
    assert left(file) == (["x.yaml"], b"old")


def test_an_owner_that_cannot_be_kept_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, user: int, group: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    stranger = os.stat_result((0o100644, 1, 1, 1, 12345, 12345, 3, 0, 0, 0))
    monkeypatch.setattr(Path, "stat", lambda path, **others: stranger)
    monkeypatch.setattr(os, "fchown", refuse)
    message = why(file)
    monkeypatch.undo()
    assert message == "belongs to somebody else, and its owner could not be kept"
    assert left(file) == (["x.yaml"], b"old")


def test_a_folder_that_cannot_be_synced_does_no_harm(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync, calls = os.fsync, []

    def only_the_file(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > 1:
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", only_the_file)
    replace_file(str(file), b"old", b"new")
    assert len(calls) == 2
    assert left(file) == (["x.yaml"], b"new")


def test_an_interrupt_leaves_nothing_behind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(str(file), b"old", b"new")
    assert left(file) == (["x.yaml"], b"old")


def test_other_names_of_a_file_are_told(file: Path) -> None:
    os.link(file, file.with_name("a"))
    os.link(file, file.with_name("b"))
    assert replace_file(str(file), b"old", b"new") == "had 2 other names (hard links), which keep the old text"


@pytest.mark.parametrize(
    ("name", "goes"),
    [
        (".crdlint-{dead}-0a.tmp", True),
        (".crdlint-{own}-0a.tmp", True),
        (".crdlint-99999999999999999999-0a.tmp", True),
        (".crdlint-{parent}-0a.tmp", False),
        (".crdlint-{dead}-0a.tmp.yaml", False),
        (".crdlint-{dead}-xyz.tmp", False),
        ("crdlint-{dead}-0a.tmp", False),
        (".crdlint.yaml", False),
    ],
)
def test_only_what_dead_processes_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, goes: bool
) -> None:
    """An own process id is an earlier run's: in a container all of them may have the same."""
    monkeypatch.setattr(os, "kill", lambda process, number: alive(process))
    path = tmp_path / name.format(dead=1234567, own=os.getpid(), parent=os.getppid())
    path.touch()
    remove_leftovers(str(tmp_path))
    assert path.exists() is not goes


def alive(process: int) -> None:
    if process > 2**31:
        raise OverflowError
    if process == 1234567:
        raise ProcessLookupError


def test_a_process_of_somebody_else_is_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: int, number: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "kill", refuse)
    assert write._is_running(1234567)


def test_a_folder_that_cannot_be_listed_is_passed_over(tmp_path: Path) -> None:
    remove_leftovers(str(tmp_path / "gone"))
    (tmp_path / f".crdlint-{os.getpid()}-0a.tmp").mkdir()
    remove_leftovers(str(tmp_path))
