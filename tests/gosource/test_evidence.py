"""What controllers are proven to write: a table of ways, one file of Go each, with the answers on top of it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crdlint.gosource import Evidence, Question, Verdict, scan
from crdlint.gosource.syntax import GoFile
from tests.gosource.generator import HERE

TABLE = HERE / "evidence"
CASES = sorted((TABLE / "cases").glob("*.go"))
KINDS = ("Foo", "Bar", "Baz", "Qux")
_EXPECTED = re.compile(r"^// expect (\w+) (\S+) (written|unknown|not found)$", re.MULTILINE)


def evidence_of(case: Path, folder: Path) -> dict[str, Evidence]:
    shutil.copytree(TABLE / "repository", folder)
    (folder / "controller").mkdir()
    shutil.copy(case, folder / "controller")
    repository = scan(str(folder))
    found = {kind: repository.evidence("example.com", kind) for kind in KINDS}
    assert repository.problems == []
    return found


@pytest.mark.parametrize("case", CASES, ids=[case.stem for case in CASES])
def test_ways_of_writing(case: Path, tmp_path: Path) -> None:
    """What a case does not name is not found; the right to write may be left open where no marker asks for any."""
    text = case.read_text("utf-8")
    expected = {(kind, Question(question)): Verdict(verdict) for kind, question, verdict in _EXPECTED.findall(text)}
    assert text.count("// expect") == len(expected)
    for kind, evidence in evidence_of(case, tmp_path / "repository").items():
        asks_for_rights = "+kubebuilder:rbac" in text
        for question, verdict in evidence.verdicts.items():
            otherwise = Verdict.NOT_FOUND
            if question is Question.STATUS_RBAC and not asks_for_rights:
                otherwise = Verdict.UNKNOWN
            assert verdict is expected.get((kind, question), otherwise), (kind, question, evidence.lines)


def test_a_file_that_cannot_be_parsed_leaves_all_open(tmp_path: Path) -> None:
    """Whether it writes anything cannot be told; where the rest proves something, that stays proven."""
    folder = tmp_path / "repository"
    evidence_of(TABLE / "cases" / "assigned.go", folder)
    (folder / "controller" / "bad.go").write_text(
        "package controller\n\nfunc ( { foo.Status.ObservedGeneration\n", "utf-8"
    )
    repository = scan(str(folder))
    expected = {Question.OBSERVED_GENERATION: Verdict.WRITTEN}
    for question, verdict in repository.evidence("example.com", "Foo").verdicts.items():
        assert verdict is expected.get(question, Verdict.UNKNOWN)
    assert len(repository.problems) == 1


@pytest.mark.parametrize("folder", ["test/e2e", "hack", "internal/fake", "vendor/x", "docs/examples"])
def test_code_that_runs_in_no_controller(folder: str, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    shutil.copytree(TABLE / "repository", root)
    (root / folder).mkdir(parents=True)
    shutil.copy(TABLE / "cases" / "assigned.go", root / folder)
    shutil.copy(TABLE / "cases" / "assigned.go", root / "api" / "v1" / "foo_test.go")
    assert scan(str(root)).evidence("example.com", "Foo").lines == ()


def test_a_kind_of_another_repository(tmp_path: Path) -> None:
    shutil.copytree(TABLE / "repository", tmp_path / "repository")
    evidence = scan(str(tmp_path / "repository")).evidence("elsewhere.example.com", "Foo")
    assert set(evidence.verdicts.values()) == {Verdict.UNKNOWN}
    assert evidence.writes == frozenset()


def test_what_is_proven_in_the_words_of_the_configuration(tmp_path: Path) -> None:
    evidence = evidence_of(TABLE / "cases" / "status_update.go", tmp_path / "repository")["Foo"]
    assert evidence.writes == {"status-endpoint"}


@pytest.mark.parametrize(
    "value",
    [
        *("int32(x)", "5", '"x"', "true", "&x", "x.y(1)", "x.y.z", "x[0]", "x + 1", "-x", "v1.Foo{X: y()}", "[]int{1}"),
        *("v1.Foo", "x", "[]string", "map[string]int", "struct{ X int }", "func(int) error", "*v1.Foo"),
    ],
)
def test_new(value: str) -> None:
    """Go 1.26 takes a value there, which the grammar does not know yet."""
    text = f"package x\n\nfunc f() {{\n\t_ = new({value})\n\t_ = new(v1.Foo)\n}}\n"
    assert GoFile("x.go", text.encode()).root is not None


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=st.sampled_from(CASES), data=st.data())
def test_texts_with_holes(case: Path, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever is cut out of a file: what is left is read, or named."""
    text = case.read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    folder = tmp_path_factory.mktemp("holes") / "repository"
    shutil.copytree(TABLE / "repository", folder)
    (folder / "controller").mkdir()
    (folder / "controller" / "case.go").write_bytes(text[:start] + text[end:])
    repository = scan(str(folder))
    for kind in KINDS:
        assert repository.evidence("example.com", kind).verdicts.keys() == set(Question)
    assert len(repository.problems) <= 1
