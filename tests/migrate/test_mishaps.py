"""What goes wrong while a migration runs: what was written is told all the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from crdlint.migrate.apply import Written, apply
from crdlint.migrate.plan import Plan
from tests.cli.run import here
from tests.migrate.work_tree import WorkTree
from tests.texts import SAFE

FILE, OTHER = "a.yaml", "b.yaml"
GADGETS = SAFE.replace("widgets", "gadgets").replace("Widget", "Gadget")
FULL = "/dev/full"
needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason=f"there is no {FULL}")


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A pipe that nobody writes to."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return str(path)


def test_objects_from_a_pipe_are_refused(tree: WorkTree, pipe: str) -> None:
    """It can be read once only, and the objects are held against each plan."""
    tree.commit({FILE: SAFE})
    for path in (pipe, "-", os.devnull, str(tree.folder)):
        code, out, err = tree.migrate("--objects", path)
        assert (code, out) == (2, "")
        assert err.startswith(f"crdlint: --objects {path}: no regular file, and it is read more than once: save the")
        assert err.count("\n") == 1


def test_a_pipe_is_no_file_of_a_repository(tree: WorkTree, pipe: str) -> None:
    tree.commit({FILE: SAFE})
    code, out, err = tree.migrate(FILE, pipe, "--allow-dirty")
    assert (code, err) == (1, f"crdlint: {pipe}: cannot be read: it is no regular file\n")
    assert "1 CRD in 1 file" in out


@pytest.mark.parametrize("name", [FILE, OTHER])
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("chosen", [(), ("--crd", "widgets.example.com")], ids=["all", "chosen"])
def test_a_file_that_goes_away(
    tree: WorkTree,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    moment: str,
    chosen: tuple[str, ...],
) -> None:
    """Before it is written, or before it is looked at again: the others are written, and the report says so."""
    tree.commit({FILE: SAFE, OTHER: GADGETS})

    def disturbed(plan: Plan, on_notice: Callable[[str], None]) -> Written:
        if moment == "before":
            (tree.folder / name).unlink()
        written = apply(plan, on_notice)
        if moment == "after":
            (tree.folder / name).unlink()
        return written

    monkeypatch.setattr("crdlint.cli.migration.apply", disturbed)
    code, out = here(tree.folder, "migrate", "--apply", *chosen)
    said = f"{name}: cannot be read again: No such file or directory"
    assert code == 1
    assert said in " ".join(out.split())
    assert f"crdlint: {said}\n" in capsys.readouterr().err
    written = {FILE: SAFE} if chosen else {FILE: SAFE, OTHER: GADGETS}
    assert all(tree.read(path) != text for path, text in written.items() if path != name)
    kept = len(written) - (moment == "before" and name in written)
    assert (f"{kept} file{'' if kept == 1 else 's'} changed" in out) is (kept > 0)


@needs_full
@pytest.mark.parametrize("option", [("--report", f"html={FULL}"), ("--output", FULL)], ids=["report", "output"])
def test_the_result_is_told_where_a_report_cannot_be_written(
    tree: WorkTree, tmp_path: Path, option: tuple[str, str]
) -> None:
    tree.commit({FILE: SAFE})
    report = tmp_path / "report.md"
    code, out, err = tree.migrate("--apply", *option, "--report", f"markdown={report}")
    assert (code, err) == (2, f"crdlint: {FULL}: the report cannot be written: No space left on device\n")
    assert tree.changed() == [FILE]
    assert "1 file changed; nothing was committed" in out
    assert "widgets.example.com" in report.read_text("utf-8")
