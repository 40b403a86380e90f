"""What single fixes change, as hunks."""

from __future__ import annotations

from crdlint.findings import FileResult
from crdlint.report.changes import CONTEXT, FileChanges, difference

from ..surroundings import ROOT
from .build import checked

SAMPLE = ROOT / "fixtures/provider-repo/config/crd/bases"


def test_the_hunks_of_a_fix() -> None:
    found, _ = checked(SAMPLE / "infrastructure.example.com_lagoonnetworks.yaml")
    (result,) = found.results
    assert result.text is not None
    changes = FileChanges(result, result.text)
    (off,) = (finding for finding in result.findings if finding.rule == "missing-status-subresource")
    (hunk,) = changes.hunks(off)
    assert hunk.lines[-3:] == ["-    subresources: {}", "+    subresources:", "+      status: {}"]
    assert all(line.startswith(" ") for line in hunk.lines[:-3])
    assert len(hunk.lines[:-3]) == CONTEXT


def test_a_difference_has_its_lines_and_their_numbers() -> None:
    before = "".join(f"line {number}\n" for number in range(1, 101))
    after = before.replace("line 10\n", "ten\nand a half\n").replace("line 90\n", "").replace("line 12\n", "twelve\n")
    first, second = difference(before, after)
    assert (first.before, first.after) == (8, 8)
    assert first.lines == [
        *(" line 8", " line 9", "-line 10", "+ten", "+and a half", " line 11"),
        *("-line 12", "+twelve", " line 13", " line 14"),
    ]
    assert (second.before, second.after) == (88, 89)
    assert second.lines == [" line 88", " line 89", "-line 90", " line 91", " line 92"]
    assert difference(before, before) == []
    assert [hunk.lines for hunk in difference("a\r\nb", "a\r\nc")] == [[" a", "-b", "+c"]]


def test_text_that_cannot_be_read_changes_nothing() -> None:
    found, _ = checked(SAMPLE / "infrastructure.example.com_lagoonnetworks.yaml")
    broken = FileChanges(FileResult("a.yaml", found.findings), "kind: CustomResourceDefinition\na: [\n")
    assert not any(broken.splices(finding) for finding in found.findings)
