"""Scalars and keys, held against sigs.k8s.io/yaml itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Scalar
from crdlint.yamltext.parse import parse
from crdlint.yamltext.scalars import BadScalar, is_text, key_text, resolve_plain, scalar_value
from crdlint.yamltext.source import Unreadable

from . import kubernetes_yaml

ROWS = kubernetes_yaml.golden_rows()


def read(text: str) -> dict[str, Any]:
    """What crdlint reads, in the form of the golden file."""
    try:
        documents = parse(text).documents
    except Unreadable as error:
        return {"error": error.message}
    root = documents[0].root if documents else None
    return {"value": None if root is None else to_data(root)}


def same(ours: Any, theirs: Any) -> bool:
    """Equal in value and in type: 1 is neither 1.0 nor true."""
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(same(value, theirs[key]) for key, value in ours.items())
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)


def agree(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    if "error" in theirs:
        return "error" in ours
    return "value" in ours and same(ours["value"], theirs["value"])


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    reason = kubernetes_yaml.why_not()
    if reason is not None:
        pytest.skip(reason)
    return Path(kubernetes_yaml.build(tmp_path_factory.mktemp("yaml")))


def test_table_is_read_as_kubernetes_reads_it() -> None:
    wrong = [(row, ours) for row in ROWS if not agree(ours := read(row["text"]), row)]
    assert not wrong
    assert len(ROWS) > 1300


def test_golden_file_is_not_stale(library: Path) -> None:
    answers = kubernetes_yaml.ask(library, [row["text"] for row in ROWS])
    assert [{"text": row["text"], **answer} for row, answer in zip(ROWS, answers, strict=True)] == ROWS


NUMBER_LIKE = st.text("0123456789+-._eExXoObBaAfFpP:T nNiI", min_size=1, max_size=12)
WORD_LIKE = st.text("yYnNtTrRuUeEoOfFlLsSaA~<>=_", min_size=1, max_size=6)
# Mutations of what is a number, rather than noise.
NUMBERS = st.one_of(
    st.integers(-(2**65), 2**65).map(str),
    st.integers(0, 2**65).flatmap(
        lambda n: st.sampled_from([hex(n), oct(n), bin(n), f"0{n:o}", f"-{hex(n)}", f"{n:_}"])
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map("{:e}".format),
    st.tuples(st.integers(0, 10**25), st.integers(-330, 330)).map(lambda parts: f"{parts[0]}e{parts[1]}"),
    st.tuples(st.integers(0, 10**9), st.integers(0, 10**12)).map(lambda parts: f"{parts[0]}.{parts[1]}"),
)


def is_plain(text: str) -> bool:
    """Does the text stay one plain scalar on a line of its own, as value and as key?"""
    return (
        text == text.strip()
        and text[0] not in "&*!|>%@`'\"#{}[],"
        and not text.endswith(":")
        and text not in ("-", "?", "---", "...")
        and not text.startswith(("- ", "? ", ": "))
        and ": " not in text
        and " #" not in text
    )


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.large_base_example, HealthCheck.data_too_large]
)
@given(st.lists(st.one_of(NUMBER_LIKE, WORD_LIKE, NUMBERS).filter(is_plain), min_size=500, max_size=700))
def test_generated_plain_scalars_are_read_as_kubernetes_reads_them(library: Path, scalars: list[str]) -> None:
    texts = [form for scalar in scalars for form in (f"x: {scalar}\n", f"{scalar}: x\n")]
    answers = kubernetes_yaml.ask(library, texts)
    wrong = [
        (text, ours, theirs)
        for text, theirs in zip(texts, answers, strict=True)
        if not agree(ours := read(text), theirs)
    ]
    assert not wrong


def scalar(value: str, style: str = "", tag: str | None = None) -> Scalar:
    return Scalar(0, len(value), value, style, tag and f"tag:yaml.org,2002:{tag}", None)


@pytest.mark.parametrize(
    "text", ["a", "1:30", "=", "<<", "2001-01-01", "é", "Infinity", "_1", "-", "+", "0x", "1e400", "0b2"]
)
def test_strings(text: str) -> None:
    assert resolve_plain(text) == text


@pytest.mark.parametrize("text", ["", "~", "y", "No", "NULL", "1", "-x", ".", "+1"])
def test_what_may_not_be_text(text: str) -> None:
    assert not is_text(text)


def test_a_tag_that_does_not_fit_is_refused_with_a_reason() -> None:
    with pytest.raises(BadScalar, match="'foo' is not what its tag !!int says"):
        scalar_value(scalar("foo", tag="int"))
    with pytest.raises(BadScalar, match="not base64"):
        scalar_value(scalar("???", tag="binary"))


def test_a_null_key_is_refused() -> None:
    with pytest.raises(BadScalar, match="is null"):
        key_text(scalar("~"))


@pytest.mark.parametrize(
    "text",
    [
        "1" * 5000,
        "0" * 5000 + "1",
        "1" + "0" * 5000 + "e-5000",
        "0x" + "f" * 5000,
        "0." + "0" * 5000,
        "9" * 5000 + ".5",
    ],
)
def test_numbers_of_any_length_are_bounded_work(text: str) -> None:
    resolve_plain(text)
    key_text(scalar(text))


def test_infinity_is_unreadable_where_it_stands() -> None:
    with pytest.raises(Unreadable, match="JSON") as caught:
        parse("a: 1\nb: [.inf]\n")
    assert caught.value.offset == 9
