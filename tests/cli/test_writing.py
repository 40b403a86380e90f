"""What ``fix`` leaves of the files, whatever comes between."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crdlint.runner import FileRun, Job
from tests.cli.run import COMMAND, crdlint, here, report
from tests.texts import CLEAN, SAFE, TWO_SAFE, UNSAFE, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes, links and signals that Windows does not have")
is_root = hasattr(os, "geteuid") and os.geteuid() == 0


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o2755])
def test_the_mode_stays(tmp_path: Path, mode: int) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    os.chmod(tmp_path / "x.yaml", mode)
    assert crdlint(tmp_path, "fix").returncode == 0
    assert (tmp_path / "x.yaml").read_text() == CLEAN
    assert stat.S_IMODE((tmp_path / "x.yaml").stat().st_mode) == mode
    assert names(tmp_path) == ["x.yaml"]


@pytest.mark.skipif(not is_root, reason="only root may give files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    os.chown(tmp_path / "x.yaml", 1234, 4321)
    assert crdlint(tmp_path, "fix").returncode == 0
    info = (tmp_path / "x.yaml").stat()
    assert (info.st_uid, info.st_gid) == (1234, 4321)


def test_a_file_without_a_fix_is_not_touched(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": CLEAN})
    before = (tmp_path / "x.yaml").stat()
    crdlint(tmp_path, "fix", "--unsafe-fixes")
    after = (tmp_path / "x.yaml").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_link_is_checked_as_ever_and_not_fixed(tmp_path: Path) -> None:
    write(tmp_path, {"real/x.yaml": SAFE, "y.yaml": SAFE})
    os.symlink("real/x.yaml", tmp_path / "link.yaml")
    checked = report(tmp_path, "check", "link.yaml")["findings"]
    assert [(finding["fix"]["applicability"], finding["fix"]["refused"]) for finding in checked] == [("safe", None)]
    done = crdlint(tmp_path, "fix", "link.yaml", "y.yaml")
    assert done.returncode == 1
    assert done.stderr == b"crdlint: link.yaml: not fixed: it is a symbolic link: fix the file that it leads to\n"
    assert (tmp_path / "real/x.yaml").read_text() == SAFE
    assert (tmp_path / "link.yaml").is_symlink()
    assert (tmp_path / "y.yaml").read_text() == CLEAN
    fixed = report(tmp_path, "fix", "link.yaml")["findings"]
    assert fixed[0]["fix"]["applicability"] == "safe"
    assert fixed[0]["fix"]["refused"] == "the file is a symbolic link: fix the file that it leads to"


def test_a_hard_link_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    os.link(tmp_path / "x.yaml", tmp_path / "other.txt")
    done = crdlint(tmp_path, "fix")
    assert done.returncode == 0
    assert done.stderr == b"crdlint: x.yaml: had 1 other name (hard links), which keep the old text\n"
    assert ((tmp_path / "x.yaml").read_text(), (tmp_path / "other.txt").read_text()) == (CLEAN, SAFE)


def test_a_file_that_changes_meanwhile_is_told_and_the_rest_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"a.yaml": SAFE, "b.yaml": SAFE, "c.yaml": SAFE})
    read_and_fix = Job.run

    def change(job: Job, path: str) -> FileRun:
        run = read_and_fix(job, path)
        if path == "b.yaml":
            (tmp_path / path).write_text(TWO_SAFE)
        return run

    monkeypatch.setattr(Job, "run", change)
    code, out = here(tmp_path, "fix", "--format", "json")
    assert code == 1
    assert capsys.readouterr().err == "crdlint: b.yaml: not fixed: it changed since it was read: run crdlint again\n"
    assert [(tmp_path / name).read_text() for name in ("a.yaml", "b.yaml", "c.yaml")] == [CLEAN, TWO_SAFE, CLEAN]
    found = json.loads(out)
    assert found["summary"]["fixed"] == 2
    assert [(one["path"], one["fix"]["refused"]) for one in found["findings"]] == [
        ("b.yaml", "the file changed since it was read: run crdlint again")
    ]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own, so full that a file cannot be written a second time."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24k", "none", str(folder)]
    if not is_root or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a disk of a size of its own needs root, and the right to mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_told_and_the_rest_is_done(small_disk: Path, tmp_path: Path) -> None:
    write(small_disk, {"x.yaml": SAFE})
    write(tmp_path, {"y.yaml": SAFE})
    with open(small_disk / "filler", "wb", buffering=0) as filler:
        while True:
            try:
                filler.write(b"x" * 1024)
            except OSError:
                break
    done = crdlint(tmp_path, "fix", "disk/x.yaml", "y.yaml")
    assert done.returncode == 1
    assert done.stderr == b"crdlint: disk/x.yaml: not fixed: it cannot be written: No space left on device\n"
    assert names(small_disk) == ["filler", "x.yaml"]
    assert ((small_disk / "x.yaml").read_text(), (tmp_path / "y.yaml").read_text()) == (SAFE, CLEAN)


@pytest.fixture
def as_nobody(tmp_path: Path) -> Iterator[Path]:
    """A folder that belongs to an ordinary user, reachable by it."""
    if not is_root:
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("closed", "told"),
    [
        ("shut/x.yaml", "cannot be written: the file is read-only"),
        ("shut", "cannot be replaced: its folder is read-only"),
    ],
)
def test_what_an_ordinary_user_may_not_write_is_told_and_the_rest_is_done(
    as_nobody: Path, closed: str, told: str
) -> None:
    write(as_nobody, {"shut/x.yaml": SAFE, "y.yaml": SAFE})
    for path in (as_nobody, *as_nobody.rglob("*")):
        if is_root:
            os.chown(path, 65534, 65534)
    mode = stat.S_IMODE((as_nobody / closed).stat().st_mode)
    os.chmod(as_nobody / closed, mode & 0o555)
    command = [*COMMAND, "fix", "shut/x.yaml", "y.yaml"]
    user = {"user": 65534, "group": 65534, "extra_groups": []} if is_root else {}
    try:
        done = subprocess.run(command, cwd=as_nobody, capture_output=True, check=False, **user)  # type: ignore[call-overload]
    except PermissionError:
        pytest.skip("an ordinary user cannot run what is installed here")
    finally:
        os.chmod(as_nobody / closed, mode)
    if b"crdlint" not in done.stderr or b"Traceback" in done.stderr:
        pytest.skip("an ordinary user cannot run what is installed here")
    assert done.stderr.decode() == f"crdlint: shut/x.yaml: not fixed: it {told}\n"
    assert done.returncode == 1
    assert (as_nobody / "shut/x.yaml").read_text() == SAFE
    assert (as_nobody / "y.yaml").read_text() == CLEAN


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_a_killed_run_left_goes_with_the_next_one_and_is_never_checked(tmp_path: Path) -> None:
    left = f".crdlint-{dead_process()}-0123456789ab.tmp"
    running = f".crdlint-{os.getpid()}-0123456789ab.tmp"
    write(tmp_path, {left: SAFE, running: SAFE, ".crdlint-x.tmp": SAFE, "x.yaml": CLEAN})
    found = report(tmp_path, "check", ".")
    assert (found["summary"]["files"], found["findings"]) == (1, [])
    assert left in names(tmp_path)
    assert crdlint(tmp_path, "fix").returncode == 0
    assert names(tmp_path) == [running, ".crdlint-x.tmp", "x.yaml"]


def test_what_a_controller_gen_file_needs_is_said_in_one_line(tmp_path: Path) -> None:
    text = SAFE.replace(
        "  name: widgets", "  annotations:\n    controller-gen.kubebuilder.io/version: v0.16\n  name: widgets"
    )
    write(tmp_path, {"x.yaml": text})
    done = crdlint(tmp_path, "fix")
    assert done.returncode == 0
    assert done.stderr.count(b"\n") == 1
    assert b"made by controller-gen" in done.stderr
    assert b'`// +kubebuilder:default={"observedGeneration":-1}`' in done.stderr


def test_a_killed_run_leaves_each_file_old_or_new(tmp_path: Path) -> None:
    texts = [SAFE, TWO_SAFE, UNSAFE]
    old = {f"{number % 7}/{number}.yaml": texts[number % 3].encode() for number in range(500)}
    write(tmp_path / "fixed", old)
    began = time.monotonic()
    crdlint(tmp_path / "fixed", "fix", "--unsafe-fixes", "--quiet")
    whole = time.monotonic() - began
    new = {name: (tmp_path / "fixed" / name).read_bytes() for name in old}
    assert all(new[name] != old[name] for name in old)
    write(tmp_path / "work", old)
    counts = []
    for share in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5):
        process = subprocess.Popen(
            [*COMMAND, "fix", "--unsafe-fixes", "--quiet"],
            cwd=tmp_path / "work",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(share * whole)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        found = {name: (tmp_path / "work" / name).read_bytes() for name in old}
        wrong = [name for name in old if found[name] not in (old[name], new[name])]
        assert wrong == []
        counts.append(sum(found[name] == new[name] for name in old))
    assert counts == sorted(counts)
    assert counts[-1] > 0
    assert crdlint(tmp_path / "work", "fix", "--unsafe-fixes", "--quiet").returncode == 0
    files = {
        path.relative_to(tmp_path / "work").as_posix(): path.read_bytes()
        for path in (tmp_path / "work").rglob("*")
        if path.is_file()
    }
    assert files == new
