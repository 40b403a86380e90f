"""Standard input, output and error: filters, colours, pipes that close, interrupts."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, crdlint, environment, report
from tests.texts import CLEAN, MANUAL, OTHER, RULE, SAFE, UNREADABLE, variants, write


def rules(folder: Path, *arguments: str, stdin: bytes) -> list[str]:
    return [finding["rule"] for finding in report(folder, "check", *arguments, stdin=stdin)["findings"]]


posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and special files that Windows does not have")


# Standard input


def test_findings_bear_the_path_that_standard_input_stands_for(tmp_path: Path) -> None:
    data = SAFE.encode()
    assert report(tmp_path, "check", "-", stdin=data)["findings"][0]["path"] == "-"
    named = report(tmp_path, "check", "-", "--stdin-filename", "config/x.yaml", stdin=data)
    assert named["findings"][0]["path"] == "config/x.yaml"


def test_the_name_decides_the_configuration(tmp_path: Path) -> None:
    write(
        tmp_path, {"a/.crdlint.yaml": "stateless: [Widget]\n", "b/.crdlint.yaml": f"ignore: [{RULE}]\n", ".git/x": ""}
    )
    data = SAFE.encode()
    assert rules(tmp_path, "-", stdin=data) == [RULE]
    for name in ("a/x.yaml", "b/x.yaml"):
        assert rules(tmp_path, "-", "--stdin-filename", name, stdin=data) == []


def test_an_excluded_name_passes_through_where_excludes_are_forced(tmp_path: Path) -> None:
    write(tmp_path, {".crdlint.yaml": "exclude: [vendored/]\n"})
    data = SAFE.encode()
    arguments = ("-", "--stdin-filename", "vendored/x.yaml")
    assert rules(tmp_path, *arguments, stdin=data) == [RULE]
    assert rules(tmp_path, *arguments, "--force-exclude", stdin=data) == []
    assert crdlint(tmp_path, "fix", *arguments, "--force-exclude", stdin=data).stdout == data


@pytest.mark.parametrize("kind", variants(SAFE))
def test_fix_is_a_filter(tmp_path: Path, kind: str) -> None:
    done = crdlint(tmp_path, "fix", "-", stdin=variants(SAFE)[kind])
    assert done.stdout == variants(CLEAN)[kind]
    assert done.returncode == 0
    assert b"fixed[missing-observed-generation-default]" in done.stderr


@pytest.mark.parametrize("data", [b"", OTHER.encode(), MANUAL.encode(), UNREADABLE.encode(), b"\xff\xfe\0\r", b"\r\n"])
def test_what_has_no_fix_passes_through_the_filter(tmp_path: Path, data: bytes) -> None:
    for arguments in (("fix", "--unsafe-fixes", "-"), ("check", "--fix", "-", "--format", "json")):
        assert crdlint(tmp_path, *arguments, stdin=data).stdout == data


def test_a_file_of_the_name_is_not_written_by_the_filter(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": OTHER})
    done = crdlint(tmp_path, "fix", "-", "--stdin-filename", "x.yaml", stdin=SAFE.encode())
    assert done.stdout.decode() == CLEAN
    assert (tmp_path / "x.yaml").read_text() == OTHER


def test_a_file_is_written_although_standard_input_would_have_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    crdlint(tmp_path, "fix", "x.yaml", "--stdin-filename", "x.yaml")
    assert (tmp_path / "x.yaml").read_text() == CLEAN


def test_the_difference_of_standard_input(tmp_path: Path) -> None:
    done = crdlint(tmp_path, "fix", "--diff", "-", "--stdin-filename", "gone/x.yaml", stdin=SAFE.encode())
    assert done.stdout.startswith(b"--- ./gone/x.yaml\n+++ ./gone/x.yaml\n@@")


@posix
def test_a_closed_standard_input_is_told(tmp_path: Path) -> None:
    command = f"exec '{COMMAND[0]}' check - <&-"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"crdlint: standard input is closed: there is nothing to read\n")


# Colours


@pytest.mark.parametrize(
    ("arguments", "variables", "colored"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": ""}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        ([], {"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        (["--color", "always"], {"NO_COLOR": "1", "TERM": "dumb"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--color", "always", "--diff"], {}, True),
        (["--color", "always", "--quiet"], {}, True),
        (["--color", "always", "--format", "json"], {}, False),
    ],
)
def test_colours(tmp_path: Path, arguments: list[str], variables: dict[str, str], colored: bool) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    done = crdlint(tmp_path, "check", "x.yaml", *arguments, stdin=b"", **variables)
    assert (b"\x1b[" in done.stdout) is colored


@posix
@pytest.mark.parametrize(("arguments", "colored"), [(["check", "-"], True), (["fix", "-"], False)])
def test_each_stream_decides_for_itself(tmp_path: Path, arguments: list[str], colored: bool) -> None:
    """Standard output is a terminal and standard error is not."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=tmp_path,
        input=SAFE.encode(),
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment(TERM="xterm"),
        check=False,
    )
    os.close(theirs)
    seen = os.read(ours, 65536)
    os.close(ours)
    assert (b"\x1b[" in seen) is colored
    assert b"\x1b[" not in done.stderr


# Pipes and interrupts


@posix
@pytest.mark.parametrize("arguments", ["check --format jsonl", "check", "check --diff --unsafe-fixes", "rules"])
def test_nothing_is_said_when_the_reader_goes_away(tmp_path: Path, arguments: str) -> None:
    write(tmp_path, {f"{number}.yaml": SAFE for number in range(60)})
    command = f"{{ '{COMMAND[0]}' {arguments}; echo $? >code; }} 2>err | head -c 1"
    subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "err").read_text() == ""
    assert int((tmp_path / "code").read_text()) in (0, 1)


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("arguments", ["check", "check --format json", "fix --diff", "rules", "explain pruned-status"])
def test_output_that_cannot_be_written_is_one_line(tmp_path: Path, arguments: str) -> None:
    write(tmp_path, {"x.yaml": SAFE})
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments.split()], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.stderr == b"crdlint: the output cannot be written: No space left on device\n"
    assert done.returncode == 2


def interrupt(process: subprocess.Popen[bytes], delay: float) -> tuple[int, bytes]:
    """Interrupt a process as a terminal does it, with all others of its group; exit code and standard error."""
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    _, complaints = process.communicate(timeout=30)
    return process.returncode, complaints


@posix
def test_an_interrupt_is_130_and_no_more(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "check", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert interrupt(process, 1) == (130, b"")


@posix
@pytest.mark.parametrize("delay", [0.4, 0.6, 0.8])
def test_an_interrupt_of_several_processes_is_quiet(tmp_path: Path, delay: float) -> None:
    write(tmp_path, {f"{number}.yaml": SAFE + f"---\n{SAFE}" * 20 for number in range(60)})
    process = subprocess.Popen(
        [*COMMAND, "check", "--quiet", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    code, complaints = interrupt(process, delay)
    # A fast machine may have been done before.
    assert (code in (1, 130), complaints) == (True, b"")


@posix
@pytest.mark.parametrize("script", ["import crdlint.__main__ as m; m.main()"])
def test_an_interrupt_while_it_is_loaded_is_130_and_no_more(tmp_path: Path, script: str) -> None:
    """Interrupted by what it loads, at every module of its own."""
    hook = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == sys.argv[-1]: os.kill(os.getpid(), signal.SIGINT)\n"
        "import crdlint.__main__\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    for module in ("crdlint.cli", "typer", "crdlint.cli.failures", "crdlint.cli.help"):
        command = [sys.executable, "-c", hook + script, "rules", module]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (130, b""), module


# Closed and full streams

OBJECT = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nstatus: {}\n"
COMMANDS = [
    *("check", "check --diff --unsafe-fixes", "fix", "fix --diff", "migrate", "simulate x.yaml", "status object.yml"),
    *("healthchecks x.yaml", "explain pruned-status", "rules", "config show x.yaml", "--version", "--help", "check -h"),
]
full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")


def in_shell(folder: Path, arguments: str, streams: str = "") -> subprocess.CompletedProcess[bytes]:
    write(folder, {"x.yaml": SAFE, "object.yml": OBJECT})
    command = f"exec '{COMMAND[0]}' {arguments} {streams}"
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=False, timeout=60)


@posix
@pytest.mark.parametrize("arguments", COMMANDS)
@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_nothing_else(tmp_path: Path, arguments: str, streams: str) -> None:
    usual = in_shell(tmp_path / "usual", arguments)
    done = in_shell(tmp_path / "closed", arguments, streams)
    assert done.returncode == usual.returncode
    assert done.stdout == (b"" if " >&-" in f" {streams}" else usual.stdout)
    assert done.stderr == (b"" if "2>&-" in streams else usual.stderr)
    assert (tmp_path / "closed/x.yaml").read_text() == (tmp_path / "usual/x.yaml").read_text()


@posix
@full_device
@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("arguments", ["check gone.yaml", "nothing", "check --nothing", "check --fail-on nothing"])
def test_wrong_usage_is_2_whoever_hears_of_it(tmp_path: Path, arguments: str, streams: str) -> None:
    assert in_shell(tmp_path, arguments, streams).returncode == 2


@posix
@full_device
def test_a_full_standard_error_does_not_stop_fixes(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to("x.yaml")
    write(tmp_path, {"z.yaml": SAFE})
    done = in_shell(tmp_path, "fix a.yaml x.yaml z.yaml", "2>/dev/full")
    assert done.returncode == 1
    assert (tmp_path / "x.yaml").read_text() == (tmp_path / "z.yaml").read_text() == CLEAN


@posix
@full_device
@pytest.mark.parametrize("arguments", ["--version", "--help", "check --help", "config --help", "rules --help"])
def test_help_that_cannot_be_written_is_one_line(tmp_path: Path, arguments: str) -> None:
    done = in_shell(tmp_path, arguments, ">/dev/full")
    assert done.stderr == b"crdlint: the output cannot be written: No space left on device\n"
    assert done.returncode == 2
