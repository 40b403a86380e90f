"""Sources that no person writes: too deep, too large, no files at all, cut to pieces. They are named, never a fault."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.gosource import (
    EditConflict,
    Evidence,
    GoRepository,
    Question,
    SourceChange,
    Verdict,
    apply_edits,
    plan,
    scan,
)
from crdlint.gosource.changes import NoPlace, imported
from crdlint.gosource.kinds import META
from crdlint.gosource.syntax import GoFile, parser
from crdlint.migrate.apply import apply
from crdlint.migrate.plan import FilePlan, Plan
from crdlint.yamltext.operations import Op, Operation
from tests.gosource.generator import HERE, SHAPES
from tests.gosource.test_kinds import CONDITIONS, GROUP, ROOT, STATUS, go, written
from tests.gosource.test_kinds import META as IMPORT
from tests.gosource.test_plan import ADD_CONDITIONS, ADD_FIELD, LOOSEN, MAP, MINIMUM, REQUIRE, SET_DEFAULT, finding

PROVIDER = HERE.parent.parent / "fixtures" / "migrate-provider"
TABLE = HERE / "evidence"
OBSERVES = "foo.Status.ObservedGeneration = foo.Generation"
CONTROLLER = (TABLE / "cases" / "assigned.go").read_text("utf-8").partition("func ")[0]
OPEN = dict.fromkeys(Question, Verdict.UNKNOWN)


def with_controller(folder: Path, text: str) -> GoRepository:
    shutil.copytree(TABLE / "repository", folder)
    (folder / "controller").mkdir()
    (folder / "controller" / "case.go").write_text(text, "utf-8")
    return scan(str(folder))


def reconciled(folder: Path, body: str, rest: str = "") -> tuple[GoRepository, Evidence]:
    text = f"{CONTROLLER}func (r *Reconciler) Reconcile(foo *v1.Foo) {{\n{body}\n}}\n{rest}"
    repository = with_controller(folder, text)
    return repository, repository.evidence("example.com", "Foo")


# What nests in Go, at any depth.
NESTED: dict[str, Callable[[int], str]] = {
    "selectors": lambda depth: "x := foo" + ".a" * depth,
    "calls": lambda depth: "x := foo" + ".a()" * depth,
    "writes": lambda depth: "foo" + ".Status()" * depth + ".Update(ctx, foo)",
    "arguments": lambda depth: "foo.Status.Conditions = " + "append(" * depth + "x" + ")" * depth,
    "brackets": lambda depth: "foo.Status.Conditions = " + "(" * depth + "x" + ")" * depth,
    "signs": lambda depth: "x := " + "- " * depth + "1",
    "literals": lambda depth: "x := []T" + "{" * depth + "}" * depth,
    "types": lambda depth: "var x " + "[]" * depth + "T",
    "branches": lambda depth: "if x {\n" * depth + "}\n" * depth,
    "functions": lambda depth: "func() {\n" * depth + "}()\n" * depth,
}


@pytest.mark.parametrize("what", NESTED)
def test_what_nests_too_deep_is_named_and_leaves_all_open(what: str, tmp_path: Path) -> None:
    repository, evidence = reconciled(tmp_path / "r", f"{OBSERVES}\n{NESTED[what](1500)}")
    assert evidence.verdicts == OPEN
    (problem,) = repository.problems
    assert problem.startswith(f"{tmp_path}/r/controller/case.go:")
    assert problem.endswith(": nests deeper than 100 levels of syntax: the file is passed over")


@pytest.mark.parametrize("depth", [5, 15, 45])
@pytest.mark.parametrize("what", NESTED)
def test_what_nests_less_is_read_in_no_time(what: str, depth: int, tmp_path: Path) -> None:
    """Each link of a chain asks for the one before more than once, which must not multiply."""
    start = time.process_time()
    repository, evidence = reconciled(tmp_path / "r", f"{OBSERVES}\n{NESTED[what](depth)}")
    assert time.process_time() - start < 5
    if not repository.problems:
        assert evidence.verdicts[Question.OBSERVED_GENERATION] is Verdict.WRITTEN
    else:
        assert depth > 15


def test_a_long_sum_is_read(tmp_path: Path) -> None:
    """A text of many lines is one, and nests by its grammar only."""
    repository, evidence = reconciled(tmp_path / "r", f"{OBSERVES}\nx := " + " + ".join(['"a"'] * 1500))
    assert repository.problems == []
    assert evidence.verdicts[Question.OBSERVED_GENERATION] is Verdict.WRITTEN


def functions(count: int, last: str) -> str:
    chain = "".join(f"func f{index}(foo *v1.Foo) {{ f{index + 1}(foo) }}\n" for index in range(count))
    return f"{chain}func f{count}(foo *v1.Foo) {{ {last} }}\n"


@pytest.mark.parametrize("last", [OBSERVES, NESTED["arguments"](45), NESTED["calls"](45)])
def test_calls_that_go_too_deep_leave_all_open(last: str, tmp_path: Path) -> None:
    """From one function to the next, each is read for the one that calls it."""
    body = "r.Client.Status().Update(ctx, foo)\nf0(foo)"
    _, evidence = reconciled(tmp_path / "r", body, functions(1500, last))
    assert Verdict.NOT_FOUND not in evidence.verdicts.values()
    assert any(line.what == "calls go too deep to be followed in here" for line in evidence.lines)


def test_calls_that_go_less_deep_are_followed(tmp_path: Path) -> None:
    repository, evidence = reconciled(
        tmp_path / "r", "r.Client.Status().Update(ctx, foo)\nf0(foo)", functions(35, OBSERVES)
    )
    assert repository.problems == []
    assert evidence.verdicts[Question.OBSERVED_GENERATION] is Verdict.WRITTEN
    assert evidence.verdicts[Question.PAUSED] is Verdict.NOT_FOUND


@pytest.mark.parametrize(
    "variables",
    [
        "var v0 = []metav1.Condition{v0}\n",
        "var v0 = []metav1.Condition{v1}\nvar v1 = []metav1.Condition{v0}\n",
        "".join(f"var v{index} = []metav1.Condition{{v{index + 1}, v{index + 1}}}\n" for index in range(1500)),
    ],
)
def test_variables_that_lead_to_each_other(variables: str, tmp_path: Path) -> None:
    _, evidence = reconciled(tmp_path / "r", f"{OBSERVES}\nfoo.Status.Conditions = v0", variables)
    assert evidence.verdicts[Question.OBSERVED_GENERATION] is Verdict.WRITTEN


@pytest.mark.parametrize("copies", [1, 2, 8])
def test_structs_that_embed_themselves(copies: int, tmp_path: Path) -> None:
    """Go refuses them; they have no field but their own."""
    status = "type WidgetStatus struct {\n" + '\tWidgetStatus `json:",inline"`\n' * copies + '\tA int `json:"a"`\n}\n'
    kind = written(tmp_path, {"api/types.go": go("v1", ROOT % STATUS + status, IMPORT, head=GROUP)}).kinds[0]
    assert [found.field.json_name for found in kind.status_fields()] == ["a"]
    assert not kind.has_foreign_fields
    assert kind.types.member(kind.status_type, "B") is None


@pytest.mark.parametrize("tag", ['"json:\\"status\\""', '"json:\\"status\\" \\q\\N{x}"'])
def test_tags_between_double_quotes(tag: str, tmp_path: Path) -> None:
    """Go has other escapes than Python."""
    root = ROOT % f"Status WidgetStatus {tag}"
    kind = written(tmp_path, {"api/types.go": go("v1", root + CONDITIONS, IMPORT, head=GROUP)}).kinds[0]
    assert kind.status is not None


def test_a_file_without_a_package_clause_gets_no_import() -> None:
    with pytest.raises(NoPlace, match="names no package"):
        imported(GoFile("x.go", b"type X struct{}\n"), META, "metav1")


# What is no file, or none that a person wrote.


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # The name of a socket may not be long.
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"package v1\n")
        file.truncate(5_000_001)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


IRREGULAR: dict[str, tuple[Callable[[Path], None], str | None]] = {
    "pipe": (pipe, "no regular file"),
    "socket": (listening, "no regular file"),
    "folder": (Path.mkdir, None),
    "large": (large, "larger than 5,000,000 bytes"),
    "link to a device": (endless, None),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("name", ["api/other.go", "api/go.mod"])
@pytest.mark.parametrize("what", IRREGULAR)
def test_only_files_are_read(what: str, name: str, tmp_path: Path) -> None:
    """What would be waited for is named, and the rest is read; a link is passed over, as Go does."""
    make, problem = IRREGULAR[what]
    written(tmp_path, {"api/types.go": go("v1", ROOT % STATUS + CONDITIONS, IMPORT, head=GROUP)})
    make(tmp_path / name)
    found: list[GoRepository] = []
    reader = threading.Thread(target=lambda: found.append(scan(str(tmp_path))), daemon=True)
    reader.start()
    reader.join(timeout=20)
    assert found, "the scan waits"
    assert [kind.kind for kind in found[0].kinds] == ["Widget"]
    shown = [f"{tmp_path / name}: {problem}: it is passed over"] if problem else []
    assert found[0].problems == shown


# What happens to files after they were read.


def now_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def now_a_link(path: Path) -> None:
    other = path.with_suffix(".old")
    path.rename(other)
    path.symlink_to(other)


AFTER: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "deleted": Path.unlink,
    "emptied": lambda path: path.write_bytes(b""),
    "shortened": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "lengthened": lambda path: path.write_bytes(b"// More.\n" * 99 + path.read_bytes()),
    "broken": lambda path: path.write_bytes(b"package ("),
    "now a folder": now_a_folder,
    "now a link": now_a_link,
}


@pytest.mark.parametrize("what", AFTER)
def test_a_file_that_changes_after_the_scan(what: str, tmp_path: Path) -> None:
    """Edits are of the bytes that were read, and are written only where those still stand."""
    path = tmp_path / "api" / "types.go"
    text = go("v1", ROOT % STATUS + 'type WidgetStatus struct {\n\tA int `json:"a"`\n}\n', IMPORT, head=GROUP)
    repository = written(tmp_path, {"api/types.go": text})
    AFTER[what](path)
    kept = path.read_bytes() if path.is_file() else None
    one = plan(repository, repository.kinds[0], "some-rule", finding(ADD_CONDITIONS))
    assert isinstance(one, SourceChange)
    before = repository.content(str(path))
    assert before == text.encode()
    after = apply_edits(str(path), before, one.edits)
    assert b"Conditions []metav1.Condition" in after
    done = apply(Plan(None, files={str(path): FilePlan(str(path), before, after, is_source=True)}), print)
    if what == "nothing":
        assert path.read_bytes() == after
    else:
        assert list(done.failed) == [str(path)]
        assert (path.read_bytes() if path.is_file() else None) == kept


# Texts cut to pieces.

SUBRESOURCE = Operation(Op.ADD, "/spec/versions/0/subresources/status", {})
OPERATIONS = [ADD_FIELD, SET_DEFAULT, ADD_CONDITIONS, MAP, LOOSEN, MINIMUM, REQUIRE, SUBRESOURCE]
REPOSITORIES = [SHAPES, PROVIDER, TABLE / "repository"]
SOURCES = [(root, path) for root in REPOSITORIES for path in sorted(root.rglob("*.go"))]
SOURCES += [(TABLE / "repository", path) for path in sorted((TABLE / "cases").glob("*.go"))]
EXPRESSIONS = ("expression", "identifier", "literal")


def sort_of(kind: str) -> str:
    """What may stand where another one stands: most texts made so are still Go, whatever they mean."""
    if kind.endswith(EXPRESSIONS):
        return "expression"
    return "statement" if kind.endswith(("statement", "assignment", "short_var_declaration")) else kind


@st.composite
def mutilated(draw: st.DrawFn, data: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 4))):
        spans: dict[str, list[tuple[int, int]]] = {}
        todo = [parser().parse(data).root_node]
        while todo:
            node = todo.pop()
            spans.setdefault(sort_of(node.type), []).append((node.start_byte, node.end_byte))
            todo += node.children
        same = spans[draw(st.sampled_from(sorted(spans)))]
        (start, end), (first, last) = draw(st.sampled_from(same)), draw(st.sampled_from(same))
        here, there = data[start:end], data[first:last]
        new = draw(st.sampled_from([b"", there, there, here + b"\n" + here, b"(" + here + b")", b"/* */" + here]))
        data = data[:start] + new + data[end:]
    return data


@settings(max_examples=120, deadline=None)
@given(source=st.sampled_from(SOURCES), data=st.data())
def test_texts_in_pieces(
    source: tuple[Path, Path], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Parts deleted, doubled, swapped and nested: whatever is left is read, planned for, or named."""
    root, path = source
    folder = tmp_path_factory.mktemp("pieces") / "repository"
    shutil.copytree(root, folder)
    target = folder / path.relative_to(root) if path.is_relative_to(root) else folder / "controller" / path.name
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(data.draw(mutilated(path.read_bytes())))
    repository = scan(str(folder))
    for kind in repository.kinds:
        assert repository.evidence(kind.group, kind.kind).verdicts.keys() == set(Question)
        for operation in OPERATIONS:
            one = plan(repository, kind, "some-rule", finding(operation))
            edits = one.edits if isinstance(one, SourceChange) else ()
            for edited in {edit.path for edit in edits}:
                try:
                    GoFile(edited, apply_edits(edited, repository.content(edited), edits)).root  # noqa: B018
                except EditConflict:
                    assert len(edits) > 1
    assert len(repository.problems) <= 1
