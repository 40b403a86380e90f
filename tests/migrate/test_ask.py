"""``--ask`` at a terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time

import pytest

from crdlint.cli import asking
from crdlint.migrate.plan import Plan
from crdlint.migrate.planner import Planner
from tests.cli.run import COMMAND, environment
from tests.migrate.work_tree import WorkTree, planner
from tests.texts import CLEAN, SAFE, UNSAFE

FILE, OTHER = "a.yaml", "b.yaml"
GADGETS = UNSAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")
SECONDS = 30


def at_a_terminal(tree: WorkTree, answers: str, *arguments: str) -> tuple[int, str]:
    """Run with ``--ask --apply``, each answer given when it is asked for; exit code and what the terminal showed.

    Two answers are keys: ``^`` interrupts, ``.`` ends the input.
    """
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
            answer = waiting.pop(0)
            if answer == "^":
                process.send_signal(signal.SIGINT)
            else:
                os.write(ours, b"\x04" if answer == "." else f"{answer}\n".encode())
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


@pytest.mark.parametrize("before", ["", "y"])
def test_an_interrupt_is_silent(tree: WorkTree, before: str) -> None:
    tree.commit({FILE: SAFE, OTHER: GADGETS})
    code, shown = at_a_terminal(tree, f"{before}^")
    assert (code, tree.changed()) == (130, [])
    assert shown.rstrip().endswith(asking._CHOICES + ":")


@pytest.mark.parametrize("before", ["", "y", "n"])
def test_the_end_of_the_input_takes_nothing(tree: WorkTree, before: str) -> None:
    """Nobody has said yes to what is left, nor that this is all: not even what was answered is done."""
    tree.commit({FILE: SAFE, OTHER: GADGETS})
    code, shown = at_a_terminal(tree, f"{before}.")
    assert (code, tree.changed()) == (1, [])
    last = shown.rstrip().splitlines()[-1]
    assert last.startswith("crdlint: the input ended before all was answered: nothing was changed")
    assert "Aborted" not in shown


@pytest.mark.parametrize(("answers", "plans"), [("q", 1), ("s", 6), ("a", 0), ("yq", 1), ("asq", 2)])
def test_an_answer_is_planned_once(monkeypatch: pytest.MonkeyPatch, answers: str, plans: int) -> None:
    """However many steps it declines; the last answer is given to all that is asked from then on."""
    files = {f"{name}.yaml": UNSAFE.replace("widget", name).replace("Widget", name.title()) for name in "abcdef"}
    given = list(answers)
    made = planner(files)
    first = made.plan()
    counted = []

    def counting(self: Planner) -> Plan:
        counted.append(self)
        return plan(self)

    plan = Planner.plan
    monkeypatch.setattr(Planner, "plan", counting)
    monkeypatch.setattr(asking, "_ask", lambda crd, step: given.pop(0) if len(given) > 1 else given[0])
    left = asking.asked(made, first)
    assert len(counted) == plans
    assert any(step.is_planned for _, step in left.steps()) is (answers[0] in "ya")
