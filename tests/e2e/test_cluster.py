"""The control plane of these tests leaves nothing behind, whatever ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.upstream.controlplane.api_client import wait_until
from tests.upstream.controlplane.cluster import Cluster

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

ROOT = Path(__file__).resolve().parents[2]
STARTER = """
import sys, time
from tests.upstream.controlplane.cluster import Cluster
print(Cluster.start().folder, flush=True)
time.sleep(600)
"""


def processes_with(text: str) -> set[int]:
    """The processes that have a text among their arguments."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in path.read_bytes():
                found.add(int(path.parent.name))
        except OSError:
            # It has ended meanwhile.
            continue
    return found


@pytest.mark.usefixtures("cluster")
def test_nothing_is_left_of_a_cluster_whose_owner_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", STARTER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().strip())
        assert len(processes_with(str(folder))) == 3
        owner.kill()
    wait_until(lambda: not processes_with(str(folder)) and not folder.exists(), "nothing is left")


@pytest.mark.usefixtures("cluster")
def test_the_programs_end_with_their_supervisor() -> None:
    other = Cluster.start()
    os.kill(other.supervisor.pid, signal.SIGKILL)
    wait_until(lambda: processes_with(str(other.folder)) <= {other.supervisor.pid}, "the programs have ended")
    other.stop()
    assert not other.folder.exists()


def test_a_cluster_listens_on_loopback_only(cluster: Cluster) -> None:
    sockets = set()
    for pid in processes_with(str(cluster.folder)):
        sockets |= {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    addresses = {
        address
        for table in ("tcp", "tcp6")
        for address, state, inode in rows(Path("/proc/net") / table)
        if state == LISTENING and f"socket:[{inode}]" in sockets
    }
    assert len(addresses) == 3
    assert all(address.startswith(LOOPBACK) for address in addresses)


LISTENING = "0A"
# 127.0.0.1, the bytes of the number in the order of the machine.
LOOPBACK = f"{int.from_bytes(bytes([127, 0, 0, 1]), sys.byteorder):08X}:"


def rows(table: Path) -> list[tuple[str, str, str]]:
    """Local address, state and inode of each socket."""
    lines = [line.split() for line in table.read_text().splitlines()[1:]]
    return [(fields[1], fields[3], fields[9]) for fields in lines]
