"""What stands in the files that reports, baselines and configurations are written to, whatever comes between."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, crdlint
from tests.texts import SAFE, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits, modes and links that Windows does not have")
WRITERS = [
    ("check --output {}", b"the report cannot be written: File too large"),
    ("check --report json={}", b"the report cannot be written: File too large"),
    ("baseline --output {}", b"the report cannot be written: File too large"),
    ("status object.yml --output {}", b"the report cannot be written: File too large"),
]
OBJECT = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nstatus: {}\n"
OLD = '{"format": "crdlint-baseline/v1", "findings": []}\n'


def without_room(folder: Path, arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run it where no file can grow, which Python is told as an error."""
    script = f"trap '' XFSZ; ulimit -f 0; exec '{COMMAND[0]}' {arguments}"
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, {"x.yaml": SAFE, "object.yml": OBJECT, ".git/x": ""})
    return tmp_path


@pytest.mark.parametrize(("arguments", "told"), WRITERS)
@pytest.mark.parametrize("is_there", [False, True])
def test_without_room_a_file_stays_as_it_was(folder: Path, arguments: str, told: bytes, is_there: bool) -> None:
    if is_there:
        write(folder, {"out.json": OLD})
    before = sorted(os.listdir(folder))
    done = without_room(folder, arguments.format("out.json") + ("" if "status" in arguments else " --no-cache"))
    assert done.returncode == 2
    assert told in done.stderr
    assert sorted(os.listdir(folder)) == before
    assert not is_there or (folder / "out.json").read_text() == OLD


def test_without_room_there_is_no_empty_configuration(folder: Path) -> None:
    done = without_room(folder, "init")
    assert (done.returncode, done.stderr) == (2, b"crdlint: .crdlint.yaml: cannot be written: File too large\n")
    assert not (folder / ".crdlint.yaml").exists()
    assert crdlint(folder, "init").returncode == 0


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_the_mode_of_a_report_stays_and_a_link_is_followed(folder: Path, mode: int) -> None:
    write(folder, {"real/out.json": "x"})
    os.chmod(folder / "real/out.json", mode)
    (folder / "out.json").symlink_to("real/out.json")
    crdlint(folder, "check", "x.yaml", "--format", "json", "--output", "out.json")
    assert (folder / "out.json").is_symlink()
    assert (folder / "real/out.json").read_text().startswith("{")
    assert stat.S_IMODE((folder / "real/out.json").stat().st_mode) == mode
    assert os.listdir(folder / "real") == ["out.json"]


def test_a_new_report_has_the_mode_that_new_files_have(folder: Path) -> None:
    (folder / "plain").touch()
    crdlint(folder, "check", "x.yaml", "--output", "out.txt")
    assert (folder / "out.txt").stat().st_mode == (folder / "plain").stat().st_mode


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_the_file_that_a_device_stands_for_is_written_to(folder: Path, name: str) -> None:
    if not os.path.exists(name):
        pytest.skip(f"there is no {name} here")
    with open(folder / "taken", "wb") as taken:
        command = [*COMMAND, "check", "x.yaml", "--format", "json", "--output", name]
        subprocess.run(command, cwd=folder, stdout=taken, check=False)
        assert os.fstat(taken.fileno()).st_nlink == 1
        assert os.fstat(taken.fileno()).st_size > 0


def test_a_pipe_is_written_to(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=folder, stdout=subprocess.PIPE) as reader:
        crdlint(folder, "check", "x.yaml", "--format", "json", "--output", "pipe")
        assert reader.communicate(timeout=30)[0].startswith(b"{")
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)
