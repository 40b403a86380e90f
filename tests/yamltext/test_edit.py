"""Named edits: what operations make of a text, or why they are refused.

The cases are files in ``edit_cases``. Each begins with ``=== name``, then come the operations, a line each, the text
before and what becomes of it: ``--- after``, ``--- unchanged`` or ``--- refused: reason``. Lines of text stand between
bars, so that white space shows; behind the second bar stands ``crlf`` or ``no newline`` where the line does not end
with LF. In them ``␍`` is a CR alone and ``⏎`` a line separator.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from crdlint.yamltext.edit import Op, Operation, Refused, Splice, apply_to_data, plan, refusal, splice
from crdlint.yamltext.parse import parse
from crdlint.yamltext.verify import prove

CASES = Path(__file__).parent / "edit_cases"
ENDINGS = {"": "\n", "crlf": "\r\n", "no newline": ""}
# Characters of every width in UTF-8 and UTF-16.
BEFORE = "# naïve ключ 日本 𝒳\n"


@dataclass
class Case:
    name: str
    operations: list[Operation] = field(default_factory=list)
    before: str = ""
    after: str = ""
    refused: str | None = None
    document: int = 0


def _read_case(text: str) -> Case:
    name, *lines = text.rstrip("\n").split("\n")
    case = Case(name)
    part = "operations"
    for line in lines:
        if line.startswith("--- "):
            part, _, reason = line.removeprefix("--- ").partition(": ")
            if part == "refused":
                case.refused = reason
            elif part == "unchanged":
                case.after = case.before
        elif part == "operations":
            _read_operation(case, line)
        else:
            body, _, ending = line.removeprefix("|").rpartition("|")
            body = body.replace("␍", "\r").replace("⏎", "\u2028") + ENDINGS[ending]
            if part == "before":
                case.before += body
            else:
                case.after += body
    return case


def _read_operation(case: Case, line: str) -> None:
    word, _, rest = line.partition(" ")
    if word == "document":
        case.document = int(rest)
        return
    pointer, _, value = rest.partition(" ")
    pointer = "" if pointer == '""' else pointer
    case.operations.append(Operation(Op(word), pointer, json.loads(value) if value else None))


def _cases() -> dict[str, Case]:
    found = {}
    for path in sorted(CASES.glob("*.txt")):
        for text in ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")[1:]:
            case = _read_case(text)
            name = f"{path.stem}: {case.name}"
            assert name not in found, name
            found[name] = case
    return found


NAMED = _cases()


def _check(case: Case) -> None:
    stream = parse(case.before)
    document = stream.documents[case.document]
    if case.refused is not None:
        with pytest.raises(Refused, match=re.escape(case.refused)):
            plan(stream, document, case.operations)
        assert refusal(stream, document, case.operations) == case.refused
        return
    splices = plan(stream, document, case.operations)
    result = splice(case.before, splices)
    assert result == case.after
    assert bool(splices) == (case.before != case.after)
    prove(stream, {case.document: case.operations}, splices, result)


@pytest.mark.parametrize("name", NAMED)
def test_edit(name: str) -> None:
    _check(NAMED[name])


@pytest.mark.parametrize("name", [name for name, case in NAMED.items() if "\r" not in case.before])
def test_edit_with_crlf(name: str) -> None:
    case = NAMED[name]
    if case.before.count("\n") == 0 and "\n" in case.after:
        pytest.skip("one line without a newline does not say which newlines it would have")
    before, after = (text.replace("\n", "\r\n") for text in (case.before, case.after))
    reason = case.refused.replace("\n", "\r\n") if case.refused else case.refused
    _check(replace(case, before=before, after=after, refused=reason))


@pytest.mark.parametrize("name", NAMED)
def test_edit_behind_characters_of_every_width(name: str) -> None:
    case = NAMED[name]
    _check(replace(case, before=BEFORE + case.before, after=BEFORE + case.after))


def test_there_are_enough_cases() -> None:
    assert len(NAMED) > 300


def test_several_documents_of_a_file_are_edited_together() -> None:
    text = "a: 1\n---\nb: 1\n---\nc: 1\n"
    stream = parse(text)
    operations = {0: [Operation(Op.ADD, "/z", 1)], 2: [Operation(Op.ADD, "/z", {"y": 1})]}
    splices = [s for i, wanted in operations.items() for s in plan(stream, stream.documents[i], wanted)]
    result = splice(text, splices)
    assert result == 'a: 1\nz: 1\n---\nb: 1\n---\nc: 1\nz:\n  "y": 1\n'
    prove(stream, operations, splices, result)


def test_a_mapping_that_is_read_late_is_edited_like_any_other() -> None:
    text = "a:\n  b:\n    c: 1\n    e: 2\nf: 1\n"
    stream = parse(text, defer=("a", "b"))
    wanted = [Operation(Op.ADD, "/a/b/d", 1), Operation(Op.REMOVE, "/a/b/e")]
    splices = plan(stream, stream.documents[0], wanted)
    assert splice(text, splices) == "a:\n  b:\n    c: 1\n    d: 1\nf: 1\n"


def test_a_key_that_is_too_long_is_refused() -> None:
    stream = parse("a: 1\n")
    reason = refusal(stream, stream.documents[0], [Operation(Op.ADD, "/" + "k" * 1100, 1)])
    assert reason is not None
    assert "too long" in reason


def test_operations_do_not_share_their_values_with_the_result() -> None:
    value = {"b": [1]}
    data = apply_to_data({}, [Operation(Op.ADD, "/a", value), Operation(Op.APPEND, "/a/b", 2)])
    assert data == {"a": {"b": [1, 2]}}
    assert value == {"b": [1]}


def test_applying_to_data_leaves_the_old_data_alone() -> None:
    data = {"a": [1, 2, 3], "b": {"c": 1}}
    wanted = [Operation(Op.REMOVE, "/a/0"), Operation(Op.REMOVE, "/a/2"), Operation(Op.REMOVE, "/b/c")]
    assert apply_to_data(data, wanted) == {"a": [2]}
    assert data == {"a": [1, 2, 3], "b": {"c": 1}}


def test_splices_are_sorted_and_insertions_at_one_place_keep_their_order() -> None:
    assert splice("abc", [Splice(3, 3, "!"), Splice(1, 2, "B"), Splice(0, 0, "1"), Splice(0, 0, "2")]) == "12aBc!"


def test_overlapping_splices_are_refused() -> None:
    with pytest.raises(Refused, match="overlap"):
        splice("abc", [Splice(0, 2, ""), Splice(1, 3, "")])


TEXT = "# head\n---\na: 1\nb: 2\n---\nc: 3\n"


@pytest.mark.parametrize(
    ("splices", "after", "reason"),
    [
        ([Splice(14, 15, "5")], TEXT.replace("a: 1", "a: 5").replace("c: 3", "c: 4"), "outside the edit"),
        ([Splice(14, 15, "5")], TEXT, "not what was planned"),
        ([Splice(14, 15, "6")], TEXT.replace("a: 1", "a: 6"), "document 1"),
        ([Splice(14, 15, '"5"')], TEXT.replace("a: 1", 'a: "5"'), "document 1"),
        ([Splice(14, 15, "5\n---")], TEXT.replace("a: 1", "a: 5\n---"), "number of documents"),
        ([Splice(14, 15, "[")], TEXT.replace("a: 1", "a: ["), "could not be read"),
        ([Splice(14, 15, "5"), Splice(28, 29, "4")], TEXT.replace("1", "5").replace("3", "4"), "document 2"),
        ([Splice(14, 16, "5\n"), Splice(15, 15, "")], TEXT.replace("1", "5"), "overlap"),
    ],
)
def test_what_is_not_as_meant_is_not_proven(splices: list[Splice], after: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        prove(parse(TEXT), {0: [Operation(Op.REPLACE, "/a", 5)]}, splices, after)


def test_documents_of_no_interest_are_compared_by_their_text() -> None:
    text = "# head\n---\nkind: x\n---\nother: [1, {}]\n"
    stream = parse(text, "kind")
    index = next(i for i, document in enumerate(stream.documents) if document.root is not None)
    wanted = [Operation(Op.ADD, "/z", 1)]
    splices = plan(stream, stream.documents[index], wanted)
    prove(stream, {index: wanted}, splices, splice(text, splices), "kind")
    also = [*splices, Splice(len(text) - 1, len(text) - 1, " # more")]
    with pytest.raises(Refused, match="document 3"):
        prove(stream, {index: wanted}, also, splice(text, also), "kind")


def test_planning_does_not_scan_the_text() -> None:
    text = "a:\n" + "".join(f"  k{i}:\n    x: 1\n" for i in range(20)) + "b:\n" + "- x: 1\n" * 100_000
    stream = parse(text)
    wanted = [Operation(Op.ADD, "/a/k7/y", {"z": 1})]
    started = time.process_time()
    for _ in range(100):
        assert refusal(stream, stream.documents[0], wanted) is None
    assert time.process_time() - started < 1
