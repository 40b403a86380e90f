"""Every case under ``fixtures/``: what is found, what the fixes make of it, and the same in other forms of the text."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crdlint.findings import Applicability
from crdlint.rules.catalogue import core_rules
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source
from tests.fixture_tool import FIXTURES, SAMPLES, Case, all_cases, shorts
from tests.surroundings import ask_oracle

CASES = all_cases()
LEVELS = (Applicability.SAFE, Applicability.UNSAFE)
# Races, and what closes them.
RACES = {
    "ineffective-observed-generation-default",
    "missing-observed-generation",
    "missing-observed-generation-default",
    "wrong-observed-generation-default",
}
each_case = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
each_level = pytest.mark.parametrize("level", LEVELS, ids=[level.value for level in LEVELS])


# Findings and fixes.


@each_case
def test_findings(case: Case) -> None:
    assert shorts(case.run(case.before)) == case.expected


@each_level
@each_case
def test_fix(case: Case, level: Applicability) -> None:
    assert (case.run(case.before, level).after or case.before) == case.after(level)


@each_level
@each_case
def test_a_second_run_changes_nothing(case: Case, level: Applicability) -> None:
    fixed = case.after(level)
    assert (case.run(fixed, level).after or fixed) == fixed


@each_case
def test_files_for_fixes_are_there_only_where_they_change_something(case: Case) -> None:
    for level in LEVELS:
        if case.fixed_path(level).exists():
            assert case.after(level) != case.before
    if case.fixed_path(Applicability.SAFE).exists():
        assert case.fixed_path(Applicability.UNSAFE).exists()


@each_case
def test_why(case: Case) -> None:
    lines = case.why.splitlines()
    assert len(lines) == 1
    assert lines[0].strip() == lines[0] != ""
    # The folder of a case that comes from a report is named after it.
    report = re.search(r"github\.com/([^/\s]+)/([^/\s]+)/(?:issues|pull)/(\d+)", case.why)
    if report is not None:
        assert case.folder.name.startswith("-".join(report.groups()).lower())


def test_every_rule_has_bad_cases_and_near_misses() -> None:
    rules = {rule.id for rule in core_rules()}
    assert {case.rule for case in CASES} == rules
    for rule in rules:
        reports = [any(finding["rule"] == rule for finding in case.expected) for case in CASES if case.rule == rule]
        assert reports.count(True) >= 2, rule
        assert reports.count(False) >= 1, rule


def test_only_cases_and_the_sample_stand_here() -> None:
    folders = {path for path in FIXTURES.glob("*/*") if path.is_dir() and path.parent.name not in SAMPLES}
    assert folders == {case.folder for case in CASES}


# The same text in other forms.


def _text(data: bytes) -> str:
    return data.decode("utf-8")


def _is_lf_text(case: Case) -> bool:
    data = case.before
    return (
        data.endswith(b"\n") and b"\r" not in data and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    )


FIXED = [case for case in CASES if case.fixed_path(Applicability.UNSAFE).exists() and _is_lf_text(case)]
each_fixed = pytest.mark.parametrize("case", FIXED, ids=[case.name for case in FIXED])


def _with_crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _with_bom(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def _without_final_newline(data: bytes) -> bytes:
    return data.removesuffix(b"\n")


def _with_crlf_and_no_final_newline(data: bytes) -> bytes:
    return _with_crlf(_without_final_newline(data))


FORMS = [_with_crlf, _with_bom, _without_final_newline, _with_crlf_and_no_final_newline]


@pytest.mark.parametrize("form", FORMS, ids=[form.__name__.strip("_") for form in FORMS])
@each_level
@each_fixed
def test_fix_in_another_form_of_the_same_text(case: Case, level: Applicability, form: Any) -> None:
    before = form(case.before)
    assert case.run(before, level).after == form(case.after(level))


@each_level
@each_fixed
def test_fix_of_indented_sequences(case: Case, level: Applicability) -> None:
    if not _is_plain_block(case):
        pytest.skip("not in plain block style")
    before = _indent_sequences(_text(case.before))
    assert _data(before) == _data(_text(case.before))
    after = case.run(before.encode(), level).after.decode()
    assert after == _indent_sequences(_text(case.after(level)))


@each_level
@each_fixed
def test_fix_of_json(case: Case, level: Applicability) -> None:
    before, after = _single_documents(case, level)
    fixed = case.run(_dump(before, 2).encode(), level, ".json").after.decode()
    assert json.loads(fixed) == after
    assert fixed == _dump(after, 2)


@each_level
@each_fixed
def test_fix_of_flow_style(case: Case, level: Applicability) -> None:
    before, after = _single_documents(case, level)
    fixed = case.run(_dump(before, None).encode(), level).after.decode()
    assert _data(fixed) == [after]
    assert fixed.count("\n") == 1


def test_most_cases_have_the_other_forms() -> None:
    assert sum(map(_is_plain_block, FIXED)) >= 100
    assert sum(_has_single_document(case) for case in FIXED) >= 100


def _data(text: str) -> list[Any]:
    documents = parse(Source.from_bytes(text.encode()).text).documents
    return [to_data(document.root) for document in documents if document.root is not None]


def _dump(data: Any, indent: int | None) -> str:
    return json.dumps(data, indent=indent, sort_keys=True, ensure_ascii=False) + "\n"


def _has_single_document(case: Case) -> bool:
    text = _text(case.before)
    return not any(mark in text for mark in ("{{", "crdlint: ignore", "<<:")) and len(_data(text)) == 1


def _single_documents(case: Case, level: Applicability) -> tuple[Any, Any]:
    """The data before and after, of a case whose meaning does not hang on comments, templates or documents."""
    if not _has_single_document(case):
        pytest.skip("more than the data of one document")
    (before,), (after,) = _data(_text(case.before)), _data(_text(case.after(level)))
    return before, after


_INDENTED_DASH = re.compile(r"^( *)[^\s#-][^\n]*:[ \t]*\n(?:\s*#[^\n]*\n)*\1 +-", re.MULTILINE)


def _is_plain_block(case: Case) -> bool:
    """Block style as controller-gen writes it: dashes under their key, no scalars of several lines with dashes."""
    text = _text(case.before)
    return case.source.suffix == ".yaml" and "{{" not in text and not _INDENTED_DASH.search(text)


def _indent_sequences(text: str) -> str:
    """Move every block sequence of a plain block text two columns to the right of its key."""
    lines: list[str] = []
    comments: list[str] = []
    columns: list[int] = []  # where the dashes of the open sequences stand
    for line in text.splitlines(keepends=True):
        content = line.strip()
        if not content or content.startswith("#"):
            comments.append(line)
            continue
        column = len(line) - len(line.lstrip(" "))
        is_item = content.startswith("- ") or content == "-"
        while columns and (columns[-1] > column or (columns[-1] == column and not is_item)):
            columns.pop()
        if is_item and columns[-1:] != [column]:
            columns.append(column)
        shift = " " * (2 * len(columns))
        lines += [*(shift + comment if comment.strip() else comment for comment in comments), shift + line]
        comments = []
    return "".join(lines + comments)


# The API server and kstatus.


@cache
def _answers() -> dict[str, list[dict[str, Any]]]:
    paths = [path for case in CASES for path in (case.source, *map(case.fixed_path, LEVELS)) if path.exists()]
    answers: dict[str, list[dict[str, Any]]] = {}
    for answer in ask_oracle([path for path in paths if path.parent.parent.name != "unreadable-file"]):
        answers.setdefault(answer["file"], []).append(answer)
    return answers


def _is_accepted(path: Path) -> bool:
    return not any(answer["errors"] for answer in _answers().get(str(path), []))


def _verdicts(path: Path) -> dict[tuple[str, str], str]:
    """What kstatus says of a new object, by CRD and version."""
    answers = _answers().get(str(path), [])
    return {(answer["name"], race["version"]): race["kstatus"] for answer in answers for race in answer["races"] or []}


@each_level
@each_fixed
def test_the_api_server_accepts_what_it_accepted(case: Case, level: Applicability) -> None:
    if case.fixed_path(level).exists() and _is_accepted(case.source):
        assert _is_accepted(case.fixed_path(level))


@each_case
def test_a_refused_default_is_refused_by_the_api_server(case: Case) -> None:
    if any(finding["rule"] == "rejected-default" for finding in case.expected) and b"/v1beta1" not in case.before:
        assert not _is_accepted(case.source)


@each_level
@each_fixed
def test_a_fixed_race_is_closed(case: Case, level: Applicability) -> None:
    levels = {Applicability.SAFE.value, level.value}
    versions = {
        finding["version"]
        for finding in case.expected
        if finding["rule"] in RACES and finding["applicability"] in levels
    }
    if len(_verdicts(case.source)) != len({version for _, version in _verdicts(case.source)}):
        pytest.skip("several CRDs with versions of the same name")
    for name, version in _verdicts(case.source):
        if version in versions:
            assert _verdicts(case.fixed_path(level))[name, version] == "InProgress"
