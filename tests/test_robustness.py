"""Whatever stands in a file, crdlint ends in findings, and a fix in a text that can be read and stays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import crdlint
from crdlint.choices import Choices, catalogue_for
from crdlint.findings import Applicability, FileResult
from crdlint.runner import FileRun, Job
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable
from tests.texts import SAFE, TWO_SAFE, UNSAFE, WARNING

MARK = b"CustomResourceDefinition"
IDS = frozenset(rule.id for rule in catalogue_for(Choices()))
FIXABLE = (Applicability.SAFE, Applicability.UNSAFE)
# A CRD with something of everything: two versions, conditions of two kinds, defaults, comments, an alias, a block.
RICH = TWO_SAFE.replace(
    "              phase:\n                type: string\n",
    "              phase:\n                default: New\n                type: string\n"
    "              old: &old\n                description: |\n                  Text: \"quoted\", 'and' # not.\n\n"
    "                properties: {conditions: {type: array, items: {type: object}}}\n                type: object\n"
    "              older: *old\n",
    1,
).replace(
    "    served: true\n",
    '    additionalPrinterColumns:\n    - {jsonPath: .status.fase, name: x, "type": string}\n    served: true\n',
)
BASES = [
    RICH,
    UNSAFE,
    WARNING,
    f"{SAFE}---\n{TWO_SAFE}",
    RICH.replace("\n", "\r\n"),
    RICH.replace("storage: true", "storage: {{ .x }}"),
]
SPECIAL = [
    *"\t\r\0\x85\u2028\ufeff\x1b \n#:-?|>%@`'\"\\[]{},~",
    *("\n\n", " #", ": ", "- ", "? ", "&a ", "*a", "!x ", "!!binary ", "{{", "}}", "{{- if .x }}\n", "{{- end }}\n"),
    *("---\n", "...\n", "<<: ", "null", "-1", "0x1f", "1e400", "9" * 50, "true", "{}", "[]", "ä🎉", "default: "),
    *("status: ", "properties:\n", "x-kubernetes-preserve-unknown-fields: true\n", "required: [a]\n"),
]

lines_or_characters = st.sampled_from(["line", "character"])
mutations = st.one_of(
    st.tuples(st.just("delete"), lines_or_characters, st.integers(1, 4)),
    st.tuples(st.just("duplicate"), lines_or_characters, st.integers(1, 4)),
    st.tuples(st.just("swap"), lines_or_characters, st.just(1)),
    st.tuples(st.just("indent"), st.just("line"), st.integers(1, 8)),
    st.tuples(st.just("insert"), st.sampled_from(SPECIAL), st.just(1)),
    st.tuples(st.just("truncate"), lines_or_characters, st.just(1)),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A CRD with one to four mutations."""
    text = draw(st.sampled_from(BASES))
    for _ in range(draw(st.integers(1, 4))):
        what, unit, count = draw(mutations)
        parts = text.splitlines(keepends=True) if unit == "line" else list(text)
        at = draw(st.integers(0, max(len(parts) - 1, 0)))
        text = "".join(mutate(parts, what, unit, at, count))
    return text


def mutate(parts: list[str], what: str, unit: str, at: int, count: int) -> list[str]:
    before, here, after = parts[:at], parts[at : at + count], parts[at + count :]
    if what == "delete":
        return before + after
    if what == "duplicate":
        return before + here + here + after
    if what == "swap":
        return before + after[:1] + here + after[1:]
    if what == "indent":
        return before + [" " * count + part for part in here] + after
    if what == "truncate":
        return before
    return [*before, unit, *here, *after]


def check(data: bytes) -> FileResult:
    """The result of a check, which is sound whatever the file holds."""
    result = Job().run_bytes("x.yaml", data).result
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = Source(text).line_count
    for finding in result.findings:
        assert finding.rule in IDS
        assert 1 <= finding.line <= finding.end_line <= lines
        assert finding.column >= 1
        assert (finding.line, finding.column) <= (finding.end_line, finding.end_column)
        assert finding.message
        assert finding.fix is None or finding.fix.refused is None
        if finding.fix is not None and finding.fix.applicability is not Applicability.SAFE:
            assert finding.fix.reasons
    assert result.findings == sorted(result.findings, key=lambda finding: finding.sort_key)
    return result


def fix(data: bytes, allowed: Applicability) -> FileRun:
    """The result of a fix, which is sound whatever the file holds."""
    before = check(data)
    run = Job(fixes=allowed).run_bytes("x.yaml", data)
    fixable = [one for one in before.findings if one.fix and one.fix.applicability.rank <= allowed.rank]
    if not fixable:
        assert run.after == data
        assert run.applied == []
    if run.after == data:
        assert run.applied == []
        return run
    parse(Source.from_bytes(run.after).text, wanted=MARK.decode())
    again = Job(fixes=allowed).run_bytes("x.yaml", run.after)
    assert again.after == run.after
    assert again.applied == []
    plain = [(one.rule, one.pointer, one.version) for one in check(run.after).findings]
    assert plain == [(one.rule, one.pointer, one.version) for one in run.result.findings]
    for finding in run.result.findings:
        if finding.fix and finding.fix.applicability.rank <= allowed.rank:
            assert finding.fix.refused
    return run


relaxed = settings(
    deadline=timedelta(seconds=20), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@settings(relaxed, max_examples=150)
@given(st.binary(max_size=300), st.binary(max_size=100))
@example(b"", b"")
@example(b"\xff\xfe", b"")
@example(b"kind: ", b"\r\n---\r\n{")
def test_any_bytes_end_in_findings(before: bytes, after: bytes) -> None:
    for data in (before + after, before + MARK + after):
        fix(data, Applicability.UNSAFE)
    check((MARK.decode() + before.decode("latin-1")).encode("utf-16"))


@settings(relaxed, max_examples=100)
@given(st.text(max_size=200))
@example("a: &a [*a]\n")
@example("{{ x }}: {{ y }}\n")
def test_any_text_ends_in_findings(text: str) -> None:
    fix(f"kind: CustomResourceDefinition\n{text}".encode(), Applicability.UNSAFE)


@settings(relaxed, max_examples=150)
@given(mutated())
def test_any_mutation_of_a_crd_ends_in_findings(text: str) -> None:
    check(text.encode())


@settings(relaxed, max_examples=120)
@given(mutated(), st.sampled_from(FIXABLE))
def test_any_mutation_of_a_crd_is_fixed_for_good(text: str, allowed: Applicability) -> None:
    fix(text.encode(), allowed)


@pytest.mark.parametrize("base", BASES)
def test_the_bases_are_crds_with_fixes(base: str) -> None:
    run = fix(base.encode(), Applicability.UNSAFE)
    assert run.applied
    assert run.result.crds


def test_truncated_anywhere() -> None:
    data = f"{RICH}".encode()
    for end in range(0, len(data), 97):
        check(data[:end])


@pytest.mark.parametrize(
    "hostile",
    [
        "[" * 100_000,
        "{a: " * 50_000,
        "- " * 100_000,
        "".join(f"{' ' * depth}a:\n" for depth in range(3_000)),
        "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9 if n else ['*a'])}]\n" for n in range(12)),
        "a: *a\n",
        "? " * 10_000,
        "'" * 100_001,
        '"' + "\\x41" * 100_000,
        "!!" * 10_000 + "\n",
        "a: " + "1" * 1_000_000 + "\n",
        "a:\n" + "  - b\n" * 200_000,
        "{{" * 50_000,
        "{{ if }}\n" * 20_000,
        "\x85" * 10_000,
        "\ufeff" * 1_000,
        "&" * 10_000,
        "- - - -\t-\n" * 1_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_ends_in_seconds(hostile: str) -> None:
    for text in (
        f"{SAFE}---\n{hostile}",
        f"{SAFE}# CustomResourceDefinition\nx:\n{hostile}",
        f"{MARK.decode()}: {hostile}",
    ):
        result = check(text.encode())
        assert result.has_crd or not result.findings


def test_a_text_that_cannot_be_read_says_so_and_is_left() -> None:
    for text in (
        SAFE + "\t: [",
        SAFE + "}\n",
        SAFE.replace("status:  #", "status:\x01  #"),
        SAFE + SAFE.split("spec:")[1],
    ):
        with pytest.raises(Unreadable):
            parse(text)
        assert [finding.rule for finding in crdlint.check_text(text)] == ["unreadable-file"]
        assert crdlint.fix_text(text, unsafe=True).text == text
