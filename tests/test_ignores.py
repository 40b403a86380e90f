"""What comments and annotations silence, and what is said of those that silence nothing."""

from __future__ import annotations

import json

import pytest

from crdlint.choices import Choices
from crdlint.findings import Applicability
from crdlint.runner import Job
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests.texts import CLEAN, RULE, SAFE, TWO_SAFE, UNSAFE, variants

KEY = "          status:  # what the controller saw\n"


def beside(comment: str) -> str:
    return SAFE.replace(KEY, f"          status:  {comment}\n")


def above(*lines: str) -> str:
    return SAFE.replace(KEY, "".join(f"{line}\n" for line in lines) + KEY)


def annotated(value: str, text: str = TWO_SAFE) -> str:
    return text.replace("  name: widgets", f"  annotations:\n    crdlint/ignore: {value}\n  name: widgets", 1)


def found(text: str | bytes, **choices: tuple[str, ...]) -> list[tuple[str, str | None]]:
    data = text.encode() if isinstance(text, str) else text
    result = Job(Choices(**choices)).run_bytes("x.yaml", data).result  # type: ignore[arg-type]
    return [(finding.rule, finding.version) for finding in result.findings]


SILENT: list[tuple[str, str | None]] = []
LOUD = (RULE, "v1")
UNUSED = ("unused-ignore", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (beside(f"# crdlint: ignore[{RULE}]"), SILENT),
        (beside(f"# crdlint: ignore[{RULE}] because we know better"), SILENT),
        (beside(f"#crdlint:ignore[ {RULE} , ]"), SILENT),
        (beside(f"# see #12 # crdlint: ignore[{RULE}]"), SILENT),
        (above(f"# crdlint: ignore[{RULE}]"), SILENT),
        (above(f"          # crdlint: ignore[{RULE}] ä 🎉"), SILENT),
        (above(f"# crdlint: ignore[{RULE}]", "# more about it"), SILENT),
        (above(f"# crdlint: ignore[{RULE}]", ""), [UNUSED, LOUD]),
        (above(f"# crdlint: ignore[{RULE}]", KEY.rstrip().replace("status:", "other: {}")), [UNUSED, LOUD]),
        (beside("# crdlint: ignore[pruned-status]"), [LOUD, UNUSED]),
        (beside(f"# crdlint: ignore[{RULE}, pruned-status]"), [UNUSED]),
        (beside("# crdlint: ignore[]"), [LOUD, UNUSED]),
        (beside(f"# crdlint ignore[{RULE}]"), [LOUD]),
        (beside(f"# crdlint: ignore {RULE}"), [LOUD, UNUSED]),
        (SAFE.replace("Widget is", f"'# crdlint: ignore[{RULE}]' #"), [LOUD]),
    ],
)
def test_a_comment_speaks_of_its_line_or_the_next(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert text != SAFE
    assert found(text) == expected


@pytest.mark.parametrize("kind", variants(SAFE))
def test_a_comment_counts_however_the_file_is_written(kind: str) -> None:
    assert found(variants(beside(f"# crdlint: ignore[{RULE}]"))[kind]) == SILENT
    assert found(variants(above(f"# crdlint: ignore[{RULE}]"))[kind]) == SILENT


def test_text_that_looks_like_a_comment_is_none() -> None:
    block = f"            description: |\n              # crdlint: ignore[{RULE}]\n"
    assert found(SAFE.replace(KEY, f"          other:\n{block}{KEY}")) == [LOUD]
    quoted = f"            description: 'a\n              # crdlint: ignore[{RULE}]'\n"
    assert found(SAFE.replace(KEY, f"          other:\n{quoted}{KEY}")) == [LOUD]


def test_behind_the_header_of_a_block_stands_a_comment() -> None:
    text = SAFE.replace(KEY, f"{KEY}            description: |  # crdlint: ignore[pruned-status]\n              text\n")
    assert found(text) == [LOUD, UNUSED]


def test_a_comment_in_another_document_does_not_count() -> None:
    assert found(f"# crdlint: ignore[{RULE}]\nkind: Other\n---\n{SAFE}") == [LOUD]


def test_in_json_there_are_only_annotations() -> None:
    root = parse(annotated(RULE, SAFE)).documents[0].root
    assert root is not None
    assert found(json.dumps(to_data(root), indent=1)) == SILENT


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (RULE, []),
        (f'"{RULE}, pruned-status@v1"', [("unused-ignore", "v1")]),
        (f"{RULE}@v1", [(RULE, "v1beta1")]),
        (f"{RULE}@v1beta1", [LOUD]),
        (f"{RULE}@v1,{RULE}@v1beta1", []),
        (f"{RULE}@v2", [("unused-ignore", "v2"), (RULE, "v1beta1"), LOUD]),
        ("pruned-status", [UNUSED, (RULE, "v1beta1"), LOUD]),
        ('""', [(RULE, "v1beta1"), LOUD]),
        ("'1'", [UNUSED, (RULE, "v1beta1"), LOUD]),
        ("[a]", [(RULE, "v1beta1"), LOUD]),
    ],
)
def test_an_annotation_speaks_of_its_crd(value: str, expected: list[tuple[str, str | None]]) -> None:
    assert found(annotated(value)) == expected


def test_an_annotation_says_nothing_of_another_crd() -> None:
    assert found(f"{annotated(RULE, SAFE)}---\n{SAFE}") == [LOUD]


def test_an_unused_ignore_stands_where_it_is_and_says_why() -> None:
    [_, unused] = Job().run_bytes("x.yaml", beside("# crdlint: ignore[missing-condition]").encode()).result.findings
    assert (unused.line, unused.column, unused.end_column) == (33, 20, 56)
    assert unused.message == (
        "this ignore names a rule that does not exist: missing-condition; did you mean 'missing-conditions'?"
    )
    assert unused.fix is None
    [unused] = Job().run_bytes("x.yaml", annotated("pruned-status", CLEAN).encode()).result.findings
    assert (unused.line, unused.crd) == (6, "widgets.example.com")
    assert unused.message == "this ignore of pruned-status matches no finding: remove it"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("mising-condtions", "names a rule that does not exist: mising-condtions; did you mean 'missing-conditions'?"),
        ("MISSING_CONDITIONS", "MISSING_CONDITIONS; did you mean 'missing-conditions'?"),
        ("list-type", "list-type; did you mean 'conditions-list-type'?"),
        ("zzz", "zzz; `crdlint rules` lists them"),
        ("capi", "names a pack, and silences nothing: name the rules of capi that it is for"),
    ],
)
def test_a_slip_in_an_ignore_is_told_with_the_nearest_rule(name: str, told: str) -> None:
    for text in (beside(f"# crdlint: ignore[{name}]"), annotated(name)):
        found = Job().run_bytes("x.yaml", text.encode()).result.findings
        [message] = [finding.message for finding in found if finding.rule == "unused-ignore"]
        assert message.endswith(told)


def test_an_ignore_of_a_rule_that_is_not_selected_is_not_unused() -> None:
    text = beside("# crdlint: ignore[pruned-status, zzz]")
    assert found(text, select=(RULE, "unused-ignore")) == [LOUD, UNUSED]
    assert found(text, ignore=("unused-ignore",)) == [LOUD]


def test_what_is_ignored_is_not_fixed() -> None:
    for text in (beside(f"# crdlint: ignore[{RULE}]"), annotated(RULE)):
        run = Job(fixes=Applicability.UNSAFE).run_bytes("x.yaml", text.encode())
        assert run.after.decode() == text
    half = UNSAFE.replace(KEY, KEY.rstrip() + f" # crdlint: ignore[{RULE}]\n")
    run = Job(fixes=Applicability.UNSAFE).run_bytes("x.yaml", half.encode())
    assert run.after.decode() == half + "    subresources:\n      status: {}\n"
