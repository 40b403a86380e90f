"""``--ask`` at a terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time

import pytest

from tests.cli.run import COMMAND, environment
from tests.migrate.work_tree import WorkTree
from tests.texts import CLEAN, SAFE, UNSAFE

FILE, OTHER = "a.yaml", "b.yaml"
GADGETS = UNSAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")
SECONDS = 30


def at_a_terminal(tree: WorkTree, answers: str, *arguments: str) -> tuple[int, str]:
    """Run with ``--ask --apply``, each answer given when it is asked for; exit code and what the terminal showed."""
    ours, theirs = pty.openpty()
    command = [*COMMAND, "migrate", "--ask", "--apply", *arguments]
    process = subprocess.Popen(
        command, cwd=tree.folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(TERM="dumb")
    )
    os.close(theirs)
    shown, waiting, ended = "", list(answers), time.monotonic() + SECONDS
    asked = 0
    while time.monotonic() < ended:
        ready, _, _ = select.select([ours], [], [], 0.2)
        try:
            shown += os.read(ours, 65536).decode() if ready else ""
        except OSError:
            break  # the other end is closed
        if shown.count("take it?") > asked and waiting:
            asked += 1
            os.write(ours, f"{waiting.pop(0)}\n".encode())
    os.close(ours)
    code = process.wait(timeout=SECONDS)
    assert not waiting, shown
    return code, shown


@pytest.mark.parametrize(
    ("answers", "taken"),
    [
        ("yyy", [FILE, OTHER]),
        ("yn", [FILE]),
        ("nyy", [OTHER]),
        ("ya", [FILE, OTHER]),
        ("ys", [FILE]),
        ("q", []),
        ("yq", [FILE]),
        ("xyq", [FILE]),
    ],
)
def test_answers(tree: WorkTree, answers: str, taken: list[str]) -> None:
    """Yes, no, all or none of a CRD, and stop here; what is none of these is asked again."""
    tree.commit({FILE: SAFE, OTHER: GADGETS})
    code, shown = at_a_terminal(tree, answers)
    assert tree.changed() == taken, shown
    assert code == (0 if taken == [FILE, OTHER] else 1)


def test_what_is_asked_is_told(tree: WorkTree) -> None:
    tree.commit({FILE: UNSAFE})
    _, shown = at_a_terminal(tree, "yy")
    assert "missing-status-subresource (unsafe): switch the status subresource on" in shown
    assert "controllers must write through /status" in shown
    assert f"{FILE}:" in shown


def test_what_rests_on_a_declined_step_is_not_taken(tree: WorkTree) -> None:
    """The default would be wrong without the subresource."""
    tree.commit({FILE: UNSAFE})
    code, shown = at_a_terminal(tree, "n")
    assert (code, tree.changed()) == (1, []), shown
    assert "you left it out" in " ".join(shown.split())


def test_nothing_is_asked_where_nothing_is_to_be_done(tree: WorkTree) -> None:
    tree.commit({FILE: CLEAN})
    code, shown = at_a_terminal(tree, "")
    assert code == 0
    assert "take it?" not in shown
