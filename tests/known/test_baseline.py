"""What is known already is not reported again; what is new always is."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.errors import UsageError
from crdlint.findings import Compared, FileResult, Finding, Report, Severity
from crdlint.known.baseline import FILE_NAME, as_text, read
from crdlint.known.comparison import Known, known_from, only_new
from crdlint.report import FORMATS, Options
from crdlint.report.fingerprint import Fingerprint
from crdlint.runner import Job
from tests.cli.run import crdlint, here
from tests.texts import CLEAN, MANUAL, RULE, SAFE, TWO_SAFE, UNREADABLE, UNSAFE, WARNING, write

OPTIONS = Options(root="/r", folder="/r")
BASELINE = ("--baseline", FILE_NAME)


class Files:
    """The files of a run that saw all there are."""

    def __init__(self, paths: set[str]) -> None:
        self.paths = paths

    def has_left(self, path: str) -> bool:
        return path not in self.paths

    def looked_for(self, fingerprint: Fingerprint) -> bool:
        return True


def compare(old: list[Finding], new: list[Finding], paths: set[str] | None = None) -> Report:
    there = {finding.path for finding in new} if paths is None else paths
    report = Report([FileResult(path, [f for f in new if f.path == path]) for path in sorted(there)])
    return only_new(report, report.findings, known_from(old, OPTIONS), OPTIONS, Files(there), Compared("then"))


def check(text: str, path: str = "x.yaml") -> list[Finding]:
    return Job().run_bytes(path, text.encode()).result.findings


# Properties

# Names that are not UTF-8 have lone surrogates.
texts = st.text(st.characters(codec=None), max_size=4)
names = st.sampled_from(["a.yaml", "b.yaml", "c/d.yaml"])
findings = st.builds(
    Finding,
    rule=st.sampled_from(["one", "two"]),
    severity=st.just(Severity.ERROR),
    message=st.text(max_size=3),
    path=names,
    line=st.integers(1, 99),
    column=st.just(1),
    end_line=st.just(1),
    end_column=st.just(2),
    crd=st.sampled_from([None, "w.example.com"]),
    version=st.sampled_from([None, "v1"]),
    pointer=st.sampled_from([None, "", "/spec/versions/0/a", "/spec/versions/1/a"]),
)
lists = st.lists(findings, max_size=8)


@given(lists, st.randoms())
def test_what_only_moved_within_its_file_is_not_new(old: list[Finding], random: Any) -> None:
    """Other lines, another order, another wording."""
    moved = [Finding(**{**vars(f), "line": f.line + random.randint(0, 9), "message": "?"}) for f in old]
    random.shuffle(moved)
    report = compare(old, moved)
    assert report.findings == []
    assert report.compared == [Compared("then", len(old), 0)]


@given(lists, lists)
def test_what_was_added_is_new_and_what_was_removed_has_gone(common: list[Finding], added: list[Finding]) -> None:
    everywhere = {"a.yaml", "b.yaml", "c/d.yaml"}
    report = compare(common, common + added, everywhere)
    assert len(report.findings) == len(added)
    assert report.compared == [Compared("then", len(common), 0)]
    assert known_from(report.findings, OPTIONS) == known_from(added, OPTIONS)
    report = compare(common + added, common, everywhere)
    assert report.findings == []
    assert report.compared == [Compared("then", len(common), len(added))]


@given(lists, lists)
def test_nothing_is_lost(old: list[Finding], new: list[Finding]) -> None:
    report = compare(old, new)
    (compared,) = report.compared
    assert len(report.findings) + compared.old == len(new)
    assert compared.old + compared.gone == len(old)
    assert not Counter(map(id, report.findings)) - Counter(map(id, new))


@given(st.lists(findings.filter(lambda finding: finding.path == "a.yaml"), max_size=6))
def test_a_file_that_was_moved_has_nothing_new(old: list[Finding]) -> None:
    moved = [Finding(**{**vars(finding), "path": "elsewhere/a.yaml"}) for finding in old]
    assert compare(old, moved).findings == []
    # But not while the first one is there still: it was copied then.
    assert len(compare(old, old + moved).findings) == len(moved)


def test_where_it_is_not_clear_which_file_was_moved_one_was() -> None:
    one, two = check(TWO_SAFE, "a.yaml"), check(TWO_SAFE, "b.yaml")
    number = len(one)
    report = compare(one + two, check(TWO_SAFE, "c.yaml"))
    assert report.findings == []
    assert report.compared == [Compared("then", number, number)]
    # Moved and copied: all findings of one of the two files are new.
    report = compare(one, check(TWO_SAFE, "c.yaml") + check(TWO_SAFE, "d.yaml"))
    assert [finding.path for finding in report.findings] == ["d.yaml"] * number
    assert report.compared == [Compared("then", number, 0)]
    # One CRD often stands in several files: that the other one stays does not matter.
    assert compare(one + two, two + check(TWO_SAFE, "c.yaml")).findings == []


@given(st.dictionaries(st.tuples(names | texts, texts, *[st.none() | texts] * 3), st.integers(1, 3)))
@settings(deadline=None)
def test_a_baseline_is_read_as_it_was_written(entries: dict[tuple[Any, ...], int]) -> None:
    known = Known({Fingerprint(*names): count for names, count in entries.items()})
    path = Path(os.environ["CRDLINT_CACHE_DIR"])
    text = as_text(known)
    path.write_text(text, "utf-8")
    assert read(str(path)) == known
    assert text.isascii()
    assert text.count("\n") == (len(known) + 3 if known else 2)
    assert as_text(Known(dict(reversed(known.items())))) == text


# Real files

DOCUMENTS = [
    text.replace("widgets", f"w{number}s") for number, text in enumerate((SAFE, TWO_SAFE, UNSAFE, MANUAL, WARNING))
]


@settings(deadline=None, max_examples=40)
@given(st.permutations(DOCUMENTS), st.integers(0, 5), st.booleans())
def test_a_file_in_any_other_order_has_nothing_new(documents: list[str], lines: int, crlf: bool) -> None:
    text = "# comment\n" * lines + "---\n".join(documents)
    known = check("---\n".join(DOCUMENTS))
    assert len(known) > 6
    assert compare(known, check(text.replace("\n", "\r\n") if crlf else text)).findings == []


def test_a_version_that_comes_before_others_does_not_make_them_new() -> None:
    head, first, second = TWO_SAFE.partition("  - name: v1beta1\n")[0], *TWO_SAFE.split("  - name: ")[1:]
    versions = [f"  - name: {version}" for version in (first, second)]
    third = versions[0].replace("v1beta1", "v1alpha1")
    known = check(head + "".join(versions))
    assert compare(known, check(head + "".join(reversed(versions)))).findings == []
    new = compare(known, check(head + third + "".join(versions))).findings
    assert [(finding.rule, finding.version) for finding in new] == [(RULE, "v1alpha1")]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_a_finding_that_is_added_is_the_one_that_is_new(text: str) -> None:
    known = check(text)
    worse = text.replace(
        "    served: true\n",
        "    additionalPrinterColumns:\n    - {jsonPath: .status.no, name: x, type: string}\n    served: true\n",
        1,
    )
    new = compare(known, check(worse)).findings
    assert [finding.rule for finding in new] == ["unknown-status-path"]


# The command line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with findings."""
    write(tmp_path, {".git/HEAD": "", "a.yaml": SAFE, "b/b.yaml": UNSAFE, "clean.yaml": CLEAN})
    return tmp_path


def test_a_baseline_silences_what_it_holds(folder: Path) -> None:
    status, out = here(folder, "baseline")
    assert status == 0
    assert out == f"{FILE_NAME} holds 3 findings; `crdlint check --baseline {FILE_NAME}` reports new ones only.\n"
    status, out = here(folder, "check", *BASELINE)
    assert status == 0
    assert out.startswith("No new findings: ")
    assert out.endswith("\nNot shown: 3 findings that the baseline .crdlint-baseline.json has already.\n")
    write(folder, {"c.yaml": WARNING, "a.yaml": CLEAN})
    status, out = here(folder, "check", *BASELINE)
    assert status == 1
    assert "c.yaml:" in out
    assert "b.yaml:" not in out
    assert (
        "Not shown: 2 findings that the baseline .crdlint-baseline.json has already; 1 that it has is no more: " in out
    )
    assert "Found 1 warning in 1 file" in out
    assert here(folder, "check", *BASELINE, "--fail-on", "error")[0] == 0


def test_the_file_can_be_read_and_compared(folder: Path) -> None:
    write(folder, {"two.yaml": SAFE + "---\n" + SAFE})
    here(folder, "baseline")
    text = (folder / FILE_NAME).read_text()
    data = json.loads(text)
    assert data["format"] == "crdlint-baseline/v1"
    assert [line.startswith('{"path": ') for line in text.splitlines()] == [False, False, *[True] * 4, False]
    paths = [(finding["path"], finding["rule"], finding.get("count")) for finding in data["findings"]]
    assert paths == sorted(paths, key=lambda item: item[:2])
    assert ("two.yaml", RULE, 2) in paths
    # Neither lines nor wording: a change of those changes nothing.
    assert set(data["findings"][0]) == {"path", "rule", "crd", "version", "pointer"}
    write(folder, {"a.yaml": "\n\n" + SAFE})
    here(folder, "baseline")
    assert (folder / FILE_NAME).read_text() == text


def test_it_stands_at_the_root_and_paths_are_seen_from_there(folder: Path) -> None:
    assert here(folder / "b", "baseline", "b.yaml", "../a.yaml")[0] == 0
    assert here(folder, "check", *BASELINE)[0] == 0
    assert here(folder / "b", "check", "--baseline", f"../{FILE_NAME}")[0] == 0
    assert here(folder, "check", str(folder / "b"), *BASELINE)[0] == 0


def test_only_what_was_looked_for_can_have_gone(folder: Path) -> None:
    here(folder, "baseline")
    assert "no more" not in here(folder, "check", *BASELINE, "a.yaml")[1]
    assert "no more" not in here(folder, "check", *BASELINE, "--ignore", "core")[1]
    (folder / "a.yaml").unlink()
    # It may have moved to where nobody looked.
    assert "no more" not in here(folder, "check", *BASELINE, "b")[1]
    assert "1 that it has is no more" in here(folder, "check", *BASELINE)[1]
    assert "1 that it has is no more" in here(folder / "b", "check", "--baseline", f"../{FILE_NAME}", "..")[1]


def test_a_moved_file_is_known(folder: Path) -> None:
    here(folder, "baseline")
    (folder / "a.yaml").rename(folder / "b/moved.yaml")
    status, out = here(folder, "check", *BASELINE)
    assert (status, "no more" in out) == (0, False)


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_has_new_findings_only(folder: Path, format_: str) -> None:
    here(folder, "baseline")
    write(folder, {"c.yaml": WARNING})
    done = crdlint(folder, "check", *BASELINE, "--format", format_)
    assert done.returncode == 1
    assert b"conditions-list-type" in done.stdout
    told = b"crdlint: Not shown: 3 findings that the baseline .crdlint-baseline.json has already.\n"
    # Once: in the report, or beside it.
    assert done.stderr == (b"" if format_ in ("text", "github") else told)
    assert format_ != "github" or done.stdout.endswith(told.removeprefix(b"crdlint: "))
    quiet = crdlint(folder, "check", *BASELINE, "--format", format_, "--quiet")
    assert quiet.stderr == b""
    if format_ == "json":
        report = json.loads(done.stdout)
        assert set(report) == {"format", "tool", "summary", "findings"}
        assert (report["summary"]["errors"], report["summary"]["warnings"]) == (0, 1)
    if format_ == "sarif":
        (result,) = json.loads(done.stdout)["runs"][0]["results"]
        assert result["baselineState"] == "new"


def test_fixes_are_made_whether_findings_are_known_or_not(folder: Path) -> None:
    """The baseline says what is reported. That a fix cures what is old is no reason against it."""
    here(folder, "baseline")
    status, out = here(folder, "fix", *BASELINE)
    assert (folder / "a.yaml").read_text() == CLEAN
    assert status == 0
    assert "1 that it has is no more" in out


def test_standard_input_under_a_name_is_known_by_it(folder: Path) -> None:
    here(folder, "baseline")
    for name, status in (("a.yaml", 0), ("new.yaml", 1)):
        done = crdlint(folder, "check", *BASELINE, "--stdin-filename", name, "-", stdin=SAFE.encode())
        assert done.returncode == status


def test_unreadable_files_are_findings_like_others(folder: Path) -> None:
    write(folder, {"bad.yaml": UNREADABLE})
    here(folder, "baseline")
    assert here(folder, "check", *BASELINE)[0] == 0


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, f"{FILE_NAME}: there is no such baseline: `crdlint baseline --output {FILE_NAME}` makes one"),
        ("", f"{FILE_NAME}:1:1: the baseline cannot be read: "),
        ('{"format": "crdlint-baseline/v1",\n  "findings": [}', f"{FILE_NAME}:2:16: the baseline cannot be read: "),
        (b"\xff", f"{FILE_NAME}: the baseline cannot be read: it is not UTF-8"),
        ("[]", f"{FILE_NAME}:1:1: this is no baseline in the format crdlint-baseline/v1: "),
        ('{"format": "crdlint/v1", "findings": []}', f"{FILE_NAME}:1:1: this is no baseline in the format "),
        ('{"format": "crdlint-baseline/v1"}', f"{FILE_NAME}:1:1: the baseline has no list of `findings`: "),
        ("[" * 100_000, f"{FILE_NAME}: the baseline cannot be read: "),
    ],
)
def test_what_is_no_baseline(folder: Path, content: str | bytes | None, expected: str) -> None:
    if content is not None:
        write(folder, {FILE_NAME: content})
    done = crdlint(folder, "check", *BASELINE)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"crdlint: {expected}")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "entry",
    [
        "1",
        "{}",
        '{"path": 1, "rule": "a", "crd": null, "version": null, "pointer": null}',
        '{"path": "a", "rule": "a", "crd": [], "version": null, "pointer": null}',
        '{"path": "a", "rule": "a", "crd": null, "version": null, "pointer": null, "count": 0}',
        '{"path": "a", "rule": "a", "crd": null, "version": null, "pointer": null, "count": true}',
    ],
)
def test_what_is_no_finding_of_a_baseline(tmp_path: Path, entry: str) -> None:
    good = '{"path": "a", "rule": "a", "crd": null, "version": null, "pointer": null}'
    (tmp_path / "x").write_text(f'{{"format": "crdlint-baseline/v1", "findings": [{good}, {entry}]}}')
    with pytest.raises(UsageError, match="finding 2 of the baseline is none"):
        read(str(tmp_path / "x"))


def entries(folder: Path, name: str = FILE_NAME) -> dict[str, int]:
    """How many findings a baseline has of each file."""
    return dict(Counter(entry["path"] for entry in json.loads((folder / name).read_text())["findings"]))


def test_what_was_not_checked_stays_in_the_baseline(folder: Path) -> None:
    here(folder, "baseline")
    before = entries(folder)
    write(folder, {"b/c.yaml": WARNING, "b/b.yaml": CLEAN, "d.yaml": WARNING})
    (folder / "a.yaml").rename(folder / "moved.yaml")
    status, out = here(folder, "baseline", "b")
    assert (status, out.partition("; `")[0]) == (
        0,
        f"{FILE_NAME} holds 2 findings; 1 new one taken; 2 dropped, being no more; 1 kept, of what was not checked",
    )
    # The one that has moved is known still, and the one that was not checked is still unknown.
    assert entries(folder) == {"a.yaml": before["a.yaml"], "b/c.yaml": 1}
    assert "moved.yaml" not in here(folder, "check", *BASELINE)[1]
    here(folder, "baseline")
    assert entries(folder) == {"moved.yaml": before["a.yaml"], "b/c.yaml": 1, "d.yaml": 1}


def test_rules_that_are_not_selected_stay_in_the_baseline(folder: Path) -> None:
    here(folder, "baseline")
    before = (folder / FILE_NAME).read_text()
    for choice in (("--select", RULE), ("--ignore", RULE), ("--ignore", "core")):
        here(folder, "baseline", *choice)
        assert (folder / FILE_NAME).read_text() == before


def test_pruning_takes_nothing_new(folder: Path) -> None:
    here(folder, "baseline")
    write(folder, {"c.yaml": WARNING, "b/b.yaml": CLEAN})
    (folder / "a.yaml").rename(folder / "b/moved.yaml")
    status, out = here(folder, "baseline", "--prune")
    assert (status, out.partition("; `")[0]) == (
        0,
        f"{FILE_NAME} holds 1 finding; 1 new one left out; 2 dropped, being no more",
    )
    assert entries(folder) == {"b/moved.yaml": 1}
    status, out = here(folder, "check", *BASELINE)
    assert (status, "c.yaml:" in out, "no more" in out) == (1, True, False)
    assert crdlint(folder, "baseline", "--prune", "--output", "none.json").returncode == 2


def test_the_advice_does_what_it_says(folder: Path) -> None:
    here(folder, "baseline")
    write(folder, {"c.yaml": WARNING, "a.yaml": CLEAN})
    out = here(folder, "check", *BASELINE)[1]
    (advice,) = [line.partition("no more: `")[2].partition("`")[0] for line in out.splitlines() if "no more" in line]
    assert here(folder, *advice.split()[1:])[0] == 0
    status, out = here(folder, "check", *BASELINE)
    assert (status, "c.yaml:" in out, "no more" in out) == (1, True, False)


def test_what_cannot_be_recorded(folder: Path) -> None:
    assert crdlint(folder, "baseline", "-").returncode == 2
    assert crdlint(folder, "baseline", "nowhere").returncode == 2
    assert crdlint(folder, "baseline", "--output", "nowhere/x.json").returncode == 2
    assert not (folder / FILE_NAME).exists()


def test_choices_hold_for_a_baseline_too(folder: Path) -> None:
    here(folder, "baseline", "--select", RULE, "--output", "some.json")
    assert {finding["rule"] for finding in json.loads((folder / "some.json").read_text())["findings"]} == {RULE}
    assert here(folder, "check", "--baseline", "some.json", "--select", RULE)[0] == 0
    assert here(folder, "check", "--baseline", "some.json")[0] == 1


def test_unsafe_fixes_alone_say_that_they_do_nothing(folder: Path) -> None:
    done = crdlint(folder, "check", "--unsafe-fixes")
    assert (
        done.stderr
        == b"crdlint: --unsafe-fixes does nothing by itself: add --fix to make them, or --diff to see them\n"
    )
    assert (folder / "a.yaml").read_text() == SAFE
    assert crdlint(folder, "check", "--unsafe-fixes", "--diff").stderr == b""
