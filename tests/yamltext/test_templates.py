"""Helm templates: read with their positions true, and nothing in them taken for absent."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.yamltext.data import FURTHER_KEYS, Templated, to_data
from crdlint.yamltext.nodes import Mapping, Node, Scalar, Sequence, find
from crdlint.yamltext.parse import Stream, parse
from crdlint.yamltext.source import Unreadable
from crdlint.yamltext.templates import FILLER, mask

from .trees import outcome

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
HELM = [
    *sorted(CORPUS.glob("cert-manager__cert-manager/deploy__charts__cert-manager__templates__*")),
    *sorted(CORPUS.glob("emissary-ingress__emissary/charts__emissary-crds__templates__*")),
]


def data(text: str) -> Any:
    root = parse(text).documents[0].root
    assert root is not None
    return to_data(root)


def node(text: str, pointer: str) -> Node:
    root = parse(text).documents[0].root
    found = find(root, pointer) if root is not None else None
    assert found is not None
    return found


def is_open(text: str, pointer: str) -> bool:
    found = node(text, pointer)
    assert isinstance(found, Mapping | Sequence)
    return found.open


@settings(max_examples=300, deadline=20_000)
@given(st.text(alphabet="{}ab \n\r\"`/*:-#'", max_size=80))
def test_masks_keep_every_position(text: str) -> None:
    masked = mask(text)
    assert len(masked.text) == len(text)
    done = 0
    for start, end in masked.spans:
        assert text[done:start] == masked.text[done:start]
        assert text[start : start + 2] == "{{"
        assert text[end - 2 : end] == "}}"
        assert [at for at in range(start, end) if text[at] in "\r\n"] == [
            at for at in range(start, end) if masked.text[at] in "\r\n"
        ]
        done = end
    assert text[done:] == masked.text[done:]


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("a: {{ b }}", ["{{ b }}"]),
        ("{{- b -}}{{c}}", ["{{- b -}}", "{{c}}"]),
        ('{{ "}}" }}x', ['{{ "}}" }}']),
        ('{{ "\\"}}" }}x', ['{{ "\\"}}" }}']),
        ("{{ `}}` }}x", ["{{ `}}` }}"]),
        ("{{/* }} */}}x", ["{{/* }} */}}"]),
        ("{{ b\n  c }}", ["{{ b\n  c }}"]),
        ("a {{ b", []),
        ("a }} b", []),
    ],
)
def test_actions(text: str, actions: list[str]) -> None:
    assert [text[start:end] for start, end in mask(text).spans] == actions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: {{ .x }}\n", {"a": "{{ .x }}"}),
        ("a: x-{{ .x }}-y\n", {"a": "x-{{ .x }}-y"}),
        ('a: "{{ .x }}"\nb: {{ .y }}\n', {"a": '"{{ .x }}"', "b": "{{ .y }}"}),
        ("a: '{{ .x | quote }}'\nb: {{ .y }}\n", {"a": "'{{ .x | quote }}'", "b": "{{ .y }}"}),
        ("- {{ .x }}\n- 1\n", ["{{ .x }}", 1]),
        ("a: {{ .x }} # c\n", {"a": "{{ .x }}"}),
        ("a: {{ if .x }}1{{ else }}2{{ end }}\n", {"a": "{{ if .x }}1{{ else }}2{{ end }}"}),
        ("{{- if .x }}\na: 1\n{{- end }}\n", {"a": 1}),
        ("{{ if .x }}{{ end }}\na: {{ .x }}\n", {"a": "{{ .x }}"}),
        ("a: |\n  x {{ .y }}\nb: {{ .z }}\n", {"a": "|\n  x {{ .y }}", "b": "{{ .z }}"}),
        ("a: !!int {{ .x }}\n", {"a": "!!int {{ .x }}"}),
        ("é: {{ .ü }}\nb: 1\n", {"é": "{{ .ü }}", "b": 1}),
    ],
)
def test_values(text: str, expected: Any) -> None:
    assert data(text) == expected


def test_a_templated_value_is_marked_as_such() -> None:
    text = "a: {{ .x }}\nb: 1\n"
    value = node(text, "/a")
    assert isinstance(value, Scalar)
    assert value.templated == "{{ .x }}" == text[value.start : value.end]
    assert isinstance(data(text)["a"], Templated)
    assert not isinstance(data(text)["b"], Templated)


def test_a_templated_key_may_be_any_key() -> None:
    text = "{{ .key }}: 1\nb: 2\n"
    assert data(text) == {"{{ .key }}": 1, "b": 2, FURTHER_KEYS: FURTHER_KEYS}
    assert is_open(text, "")


@pytest.mark.parametrize(
    ("text", "opened", "closed"),
    [
        ("a:\n  b: 1\n  {{- toYaml .x | nindent 2 }}\nc: {d: 1}\n", ["/a"], ["", "/c"]),
        ("a:\n  b: 1\n{{ toYaml .x | indent 2 }}\n", ["/a"], [""]),
        ("a:\n  b: 1\n{{ toYaml .x }}\n", ["", "/a"], []),
        ("a:\n  - b\n  {{- toYaml .x | nindent 2 }}\nc: 1\n", ["/a"], [""]),
        ("a:\n  b:\n    c: 1\n  {{- include \"x\" . | nindent 2 }}\n  d: 1\n", ["/a"], ["", "/a/b"]),
        ("x: {a: 1}\nb: [{{ .x }}, 1]\n", ["/b"], ["", "/x"]),
        ("{{- if .x }}\na: {}\n{{- end }}\n", [], ["", "/a"]),
        ("{{/* note */}}\na: {}\n", [], ["", "/a"]),
        ("{{ $x := .y }}\na: {}\n", [], ["", "/a"]),
        ("a: {}\n---\n{{ toYaml . }}\nb: 1\n", [], ["", "/a"]),
    ],
)  # fmt: skip
def test_actions_on_lines_of_their_own_open_what_they_may_write_into(
    text: str, opened: list[str], closed: list[str]
) -> None:
    assert [pointer for pointer in opened + closed if is_open(text, pointer)] == opened


def test_a_key_whose_value_a_template_writes_below_is_not_null() -> None:
    text = "a:\n  {{- toYaml .x | nindent 2 }}\nb: 1\n"
    value = node(text, "/a")
    assert isinstance(value, Scalar)
    assert value.templated == "{{- toYaml .x | nindent 2 }}"
    assert data(text)["a"] == Templated("{{- toYaml .x | nindent 2 }}")


def test_texts_with_braces_are_no_templates() -> None:
    for text in (
        "description: use {{ .x }} here\n",
        "description: |\n  {{ .x }}\n  {{- if }}\n",
        'description: "{{ .x }}"\n',
        "# {{ .x }}\na: 1\n",
        "a: 1 # {{ .x }}\n",
        "a: '{{'\n",
        "a: b{{ .x }}\n",
    ):
        stream = parse(text)
        assert stream.masks == []
        assert FILLER not in repr(outcome(text))


def test_an_error_that_no_action_causes_is_not_laid_on_the_template() -> None:
    text = "description: use {{ .x }} here\na: 1\na: 2\n"
    with pytest.raises(Unreadable) as caught:
        parse(text)
    assert caught.value.message.startswith("the key 'a' stands twice")


@pytest.mark.parametrize(
    "text",
    [
        "{{- if .x }}\na: 1\n{{- else }}\na: 2\n{{- end }}\n",
        "a: 1\n  {{ if .x }}b: 2{{ end }}\n",
        "a: [{{ .x }}\nb: 1\n",
        "{{ if .x }}\na: 1\n  b: 2\n{{ end }}\n",
    ],
)
def test_what_cannot_be_read_is_said_to_be_a_template(text: str) -> None:
    with pytest.raises(Unreadable, match="a template whose structure cannot be read as it stands") as caught:
        parse(text)
    assert 0 < caught.value.offset <= len(text)


def test_a_masked_character_in_the_file_itself_is_left_alone() -> None:
    assert data(f"a: {FILLER}\n") == {"a": FILLER}


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 100_000,
        "a: {{ " * 100_000,
        '{{"' * 100_000,
        '{{ "' + '\\"' * 100_000,
        "{{ `" + "a" * 300_000,
        "{{/*" * 100_000,
        "{{a}}" * 100_000,
        "x {{a}}" * 60_000 + " }}",
        "{{ a }}\n" * 30_000,
        "".join(f"a{number}:\n{{{{ x }}}}\n" for number in range(20_000)),
        "- [" + "a," * 100_000 + "b]\n" + "{{ x }}\n" * 20_000,
        "{{ x" + "\n" * 300_000 + "}}",
        "{{ x }}}" * 50_000,
        '{{ "a' + "\n{{ " * 100_000,
        "{{ nindent " + "1" * 300_000 + " }}",
        "a: {{ x }}\n---\n" * 10_000,
    ],
)
def test_hostile_templates_take_no_time(text: str) -> None:
    started = time.process_time()
    mask(text)
    assert time.process_time() - started < 2
    outcome(text)
    assert time.process_time() - started < 3


def helm(path: Path) -> tuple[str, Stream]:
    text = path.read_text("utf-8")
    return text, parse(text, "CustomResourceDefinition")


@pytest.mark.skipif(not HELM, reason="the corpus of real CRDs is not here")
def test_real_charts_are_read() -> None:
    assert len([path for path in HELM if "cert-manager" in path.name]) >= 6
    for path in HELM:
        text, stream = helm(path)
        roots = [document.root for document in stream.documents if document.root is not None]
        assert roots, path
        assert stream.masks, path
        for root in roots:
            kind = find(root, "/kind")
            assert isinstance(kind, Scalar)
            assert text[kind.start : kind.end] == kind.value == "CustomResourceDefinition"
            versions = find(root, "/spec/versions")
            assert isinstance(versions, Sequence), path
            assert not versions.open
            labels = find(root, "/metadata/labels")
            assert FILLER not in repr(to_data(root))
            if isinstance(labels, Mapping) and "nindent 4" in text[labels.start : labels.end + 200]:
                assert labels.open
