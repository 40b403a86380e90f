"""Results as data: they come back as they were, and what is no result is refused, whatever it is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crdlint.cache.entry import decode, encode
from crdlint.findings import Applicability, FileResult, Finding, Fix, Report, Severity
from crdlint.report import FORMATS, Options, render
from crdlint.runner import Job
from crdlint.yamltext.operations import Op, Operation, same
from tests.texts import SAFE, TWO_SAFE, UNSAFE, WARNING

numbers = st.integers(0, 1 << 32)
texts = st.text(st.characters())
optional = st.none() | texts
data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
operations = st.builds(Operation, st.sampled_from(Op), texts, data)
fixes = st.builds(
    Fix,
    st.sampled_from(Applicability),
    texts,
    st.lists(texts, max_size=3).map(tuple),
    st.lists(operations, max_size=3).map(tuple),
    optional,
    numbers,
    numbers,
)
findings = st.builds(
    Finding,
    texts,
    st.sampled_from(Severity),
    texts,
    st.just("a.yaml"),
    *[numbers] * 4,
    *[optional] * 4,
    st.none() | fixes,
    optional,
    optional,
)
results = st.builds(
    FileResult,
    st.just("a.yaml"),
    st.lists(findings, max_size=3),
    st.booleans(),
    numbers,
    numbers,
    numbers,
    st.none(),
    numbers,
)


@pytest.mark.parametrize(("strategy", "kind"), [(operations, Operation), (fixes, Fix), (findings, Finding)])
def test_the_strategies_vary_every_field(strategy: st.SearchStrategy[Any], kind: type[Any]) -> None:
    """A field that is new has to be kept too."""
    assert len(fields(kind)) == {Operation: 3, Fix: 7, Finding: 15}[kind]


def plain(value: Any) -> Any:
    """What a dataclass holds, with its types."""
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(plain, value)]
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


@given(results)
def test_a_result_comes_back_as_it_was(result: FileResult) -> None:
    text = encode(result)
    assert text.isascii()
    assert "\n" not in text
    assert same(plain(decode(json.loads(text), "a.yaml")), plain(result))


def test_the_path_is_that_of_the_file_asked_for() -> None:
    result = Job().run_bytes("a.yaml", SAFE.encode()).result
    again = decode(json.loads(encode(result)), "b/c.yaml")
    assert again.path == "b/c.yaml"
    assert {finding.path for finding in again.findings} == {"b/c.yaml"}


class OwnText(str):
    pass


@pytest.mark.parametrize("value", [{1: 2}, {"a": (1,)}, OwnText("a"), b"a", {"a": [{None: 1}]}])
def test_what_json_would_change_is_not_kept(value: Any) -> None:
    fix = Fix(Applicability.SAFE, "", operations=(Operation(Op.ADD, "/a", value),))
    result = FileResult("a", [Finding("a", Severity.INFO, "", "a", 1, 1, 1, 1, fix=fix)])
    with pytest.raises(ValueError, match="JSON has no"):
        encode(result)


@given(data)
def test_any_data_is_a_result_or_refused(value: Any) -> None:
    with suppress(ValueError):
        assert isinstance(decode(value, "a.yaml"), FileResult)


def places(value: Any) -> list[Callable[[Any], None]]:
    """What puts something else at each place of some data."""
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else []
    found: list[Callable[[Any], None]] = []
    for key in keys:
        found.append(partial(value.__setitem__, key))
        found += places(value[key])
    return found


TEXTS = [f"{SAFE}---\n{TWO_SAFE}", UNSAFE, WARNING]
ENTRIES = [json.loads(encode(Job().run_bytes("a.yaml", text.encode()).result)) for text in TEXTS]
# Where these stand in an entry, and in a finding of it.
FINDINGS, FIX = 5, 11
odd = data | st.sampled_from(
    [-1, 0, 1 << 39, 1 << 70, 10**30, "", "/", "/spec/versions/7", "/spec/versions/0/schema", "\x1b[2J"]
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(range(len(TEXTS))),
    st.lists(st.tuples(st.booleans(), st.integers(0, 10_000), odd), min_size=1, max_size=2),
)
def test_a_forged_entry_is_refused_or_harmless(number: int, forgeries: list[tuple[bool, int, Any]]) -> None:
    """Nobody but the user can write to a cache, one hopes; who can must not make crdlint fail all the same."""
    entry = copy.deepcopy(ENTRIES[number])
    fixes = [finding[FIX] for finding in entry[FINDINGS]]
    for anywhere, index, value in forgeries:
        possible = places(entry if anywhere else fixes)
        possible[index % len(possible)](value)
    try:
        result = decode(entry, "a.yaml")
    except ValueError:
        return
    result.text = TEXTS[number]
    for name in FORMATS:
        assert "\x1b" not in render(Report([result]), name, Options(version="0"))
