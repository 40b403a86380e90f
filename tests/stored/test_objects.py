"""Objects out of files: every form they come in, at the right line, and one clear line for whatever is none."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.consumers.objects import documents, resources
from crdlint.errors import UsageError
from crdlint.stored import reading
from crdlint.stored.objects import StoredObject, objects_of, read_objects
from crdlint.stored.yamlstream import MAX_ANCHORS, MAX_NODES
from crdlint.yamltext.wellformed import MAX_DEPTH

HEAD = "apiVersion: v1\nkind: Widget\n"
LIST = """\
apiVersion: v1
items:
- apiVersion: example.com/v1
  kind: Widget
  metadata:
    name: one
    namespace: default
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: two}
kind: List
"""


def read(text: str | bytes, path: str = "objects.yaml") -> list[StoredObject]:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return list(objects_of(path, io.BytesIO(data)))


def refused(text: str | bytes) -> str:
    with pytest.raises(UsageError) as problem:
        read(text)
    message = str(problem.value)
    assert "\n" not in message
    return message


def named(found: list[StoredObject]) -> list[tuple[int, str]]:
    return [(stored.line, str(stored)) for stored in found]


# Every form.


def test_a_list_in_yaml() -> None:
    assert named(read(LIST)) == [(3, "Widget default/one"), (8, "Widget two")]


def test_documents_in_yaml() -> None:
    text = f"# a comment\n---\n{HEAD}metadata: {{name: a}}\n---\n---\n{HEAD}metadata: {{name: b}}\n...\n"
    assert named(read(text)) == [(3, "Widget a"), (8, "Widget b")]


def test_a_list_in_json() -> None:
    items = [{"apiVersion": "v1", "kind": "Widget", "metadata": {"name": name}} for name in "ab"]
    text = json.dumps({"apiVersion": "v1", "items": items, "kind": "WidgetList"}, indent=1)
    assert named(read(text)) == [(4, "Widget a"), (10, "Widget b")]
    assert [stored.data for stored in read(text)] == items


def test_json_one_after_another() -> None:
    objects = [{"apiVersion": "v1", "kind": "Widget", "metadata": {"name": name}} for name in "abc"]
    text = "\n".join(json.dumps(data, indent=1) for data in objects)
    assert named(read("\n" + text)) == [(2, "Widget a"), (9, "Widget b"), (16, "Widget c")]
    assert named(read("".join(map(json.dumps, objects)))) == [(1, f"Widget {name}") for name in "abc"]


def test_lists_in_lists() -> None:
    inner = LIST.replace("\n", "\n  ").rstrip()
    assert [str(stored) for stored in read(f"kind: List\napiVersion: v1\nitems:\n- {inner}\n- {inner}\n")] == [
        *("Widget default/one", "Widget two"),
        *("Widget default/one", "Widget two"),
    ]


@pytest.mark.parametrize(
    "text", ["", "\n", "---\n", "# nothing\n", "---\n---\n", "items: []\nkind: List\napiVersion: v1\n"]
)
def test_nothing(text: str) -> None:
    assert read(text) == []


def test_several_files_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(LIST)
    paths = [str(tmp_path / "a.yaml"), "-"]
    found = list(read_objects(paths, io.BytesIO(LIST.encode())))
    assert [(stored.path, stored.line) for stored in found] == [(path, line) for path in paths for line in (3, 8)]


def test_anchors_reach_over_the_items_of_a_list() -> None:
    items = "- &a {apiVersion: v1, kind: Widget, spec: &s {a: 1}}\n- {<<: *a, spec: {<<: *s, b: 2}}\n"
    text = f"kind: List\napiVersion: v1\nitems:\n{items}"
    assert [stored.data["spec"] for stored in read(text)] == [{"a": 1}, {"a": 1, "b": 2}]


def test_a_mark_at_the_beginning_and_windows_lines() -> None:
    assert named(read(b"\xef\xbb\xbf" + LIST.replace("\n", "\r\n").encode())) == [
        (3, "Widget default/one"),
        (8, "Widget two"),
    ]


def test_json_numbers_as_kubernetes_stores_them() -> None:
    text = '{"apiVersion": "v1", "kind": "A", "a": 1.0, "b": 1e3, "c": 1e21, "d": 1.5, "e": "\\ud83d\\ude00 \\ud83d"}'
    data = read(text)[0].data
    assert [data[key] for key in "abcd"] == [1, 1000, 1e21, 1.5]
    assert isinstance(data["a"], int)
    assert isinstance(data["c"], float)
    assert data["e"] == "😀 \ufffd"


KEYS = st.text("ab:#-'\" é😀\n", max_size=4)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e9, 1e9) | KEYS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=3),
    max_leaves=12,
)


@given(
    st.lists(st.fixed_dictionaries({"apiVersion": st.just("v1"), "kind": st.just("Widget"), "spec": DATA}), max_size=4)
)
@settings(deadline=None)
def test_what_json_says_is_read(objects: list[dict[str, Any]]) -> None:
    listed = {"apiVersion": "v1", "items": objects, "kind": "List"}
    assert [stored.data for stored in read(json.dumps(listed, indent=2))] == objects
    assert [stored.data for stored in read("---\n" + json.dumps(listed, ensure_ascii=False))] == objects


@pytest.mark.parametrize(
    "scalar",
    [
        "on",
        "'on'",
        "0o17",
        "1_000",
        "1.0",
        "1e3",
        "~",
        "''",
        "!!str 1",
        "!!binary YQ==",
        "2024-01-01",
        "|\n  a\n  b\n",
        "=",
        "<<",
    ],
)
def test_scalars_are_read_as_elsewhere(scalar: str) -> None:
    text = f"{HEAD}spec: {scalar}\n"
    assert [stored.data for stored in read(text)] == [
        found for document in documents("-", text.encode()) for found in resources(document)
    ]


# What is no object.


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b\n", "objects.yaml:1: not a Kubernetes object: it has no apiVersion and kind"),
        ("- a\n", "objects.yaml:1: not a Kubernetes object: expected a mapping with apiVersion and kind"),
        ("just text\n", "objects.yaml:1: not a Kubernetes object: expected a mapping with apiVersion and kind"),
        (
            f"{HEAD}---\n{HEAD}---\nkind: 1\napiVersion: v1\n",
            "objects.yaml:7: not a Kubernetes object: it has no apiVersion and kind",
        ),
        (
            "kind: List\napiVersion: v1\nitems:\n- a\n",
            "objects.yaml:4: not a Kubernetes object: expected a mapping with apiVersion and kind",
        ),
        (f"{HEAD}items: [{{}}]\n", "objects.yaml:3: not a Kubernetes object: it has no apiVersion and kind"),
        (f"{HEAD}items: []\n", "objects.yaml:1: an object of kind Widget has items, but only a List may have them"),
        (f"{HEAD}a: [\n", "objects.yaml:4: not YAML: did not find expected node content (while parsing a flow node)"),
        (f"{HEAD}a: 1\na: 2\n", "objects.yaml:4: the key 'a' stands twice in one mapping"),
        (
            f"{HEAD}? [a]\n: b\n",
            "objects.yaml:4: the key of a mapping is a collection or no string, which Kubernetes does not accept",
        ),
        (f"{HEAD}a: *b\n", "objects.yaml:3: the alias *b refers to nothing that is complete before it"),
        (f"{HEAD}a: &b [*b]\n", "objects.yaml:3: the alias *b refers to nothing that is complete before it"),
        (f"{HEAD}<<: 1\n", "objects.yaml:3: what << merges is not a mapping, nor a list of mappings"),
        (f"{HEAD}a: .inf\n", "objects.yaml:3: .inf is no number that Kubernetes can read: JSON has none like it"),
        (f"{HEAD}a: !!int x\n", "objects.yaml:3: 'x' is not what its tag !!int says"),
        ("{", "objects.yaml:1: not JSON: expected a key in double quotes"),
        ('{"a"', "objects.yaml:1: not JSON: expected ':'"),
        ('{"a": 1\n"b"', "objects.yaml:2: not JSON: expected ',', not '\"'"),
        ('{\n"a": x}', "objects.yaml:2: not JSON: Expecting value"),
        ('{"a": 1e999}', "objects.yaml:1: not JSON that Kubernetes reads: the number 1e999 is out of range"),
        ('{"a": NaN}', "objects.yaml:1: not JSON that Kubernetes reads: NaN is no number"),
        ('{"apiVersion": "v1", "kind": "A"}\n[]', "objects.yaml:2: not JSON: expected an object"),
        (b'{"a": "\xff"}', "objects.yaml:1: not UTF-8: invalid start byte"),
    ],
)
def test_one_clear_line(text: str | bytes, message: str) -> None:
    assert refused(text) == message


def test_bytes_that_are_no_text() -> None:
    assert refused(HEAD.encode() + b"a: \xff\n").startswith("objects.yaml:")
    assert refused(HEAD.encode() + b"a: \x00\n").startswith("objects.yaml:")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing.yaml: cannot be read: No such file"):
        list(read_objects([str(tmp_path / "missing.yaml")]))
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        list(read_objects([str(tmp_path)]))


def test_what_stands_before_the_mistake_is_read() -> None:
    stream = objects_of("-", io.BytesIO(f"{HEAD}---\n{HEAD}a: [".encode()))
    assert next(stream).line == 1
    with pytest.raises(UsageError, match=r"^-:"):
        next(stream)


# What is hostile.


def test_bombs_of_aliases() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    message = f"an object has more than {MAX_NODES:,} nodes once its aliases are expanded"
    assert refused(HEAD + "\n".join(lines) + "\n").endswith(message)


def test_deep_nesting() -> None:
    message = f"collections are nested deeper than {MAX_DEPTH} levels"
    assert refused(HEAD + "a: " + "[" * 100_000).endswith(message)
    assert refused(HEAD + "a: " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).endswith(message)
    for depth in (MAX_DEPTH + 1, 900, 100_000):
        assert refused('{"kind": "A", "apiVersion": "v1", "a": ' + "[" * depth + "]" * depth + "}").endswith(message)
    chain = "".join(f"a{n}: &a{n} [[[[[[[[[[*a{n - 1}]]]]]]]]]]\n" for n in range(1, 30))
    assert refused(f"{HEAD}a0: &a0 1\n{chain}").endswith(message)


def test_deep_enough() -> None:
    depth = MAX_DEPTH
    assert read(HEAD + "a: " + "[" * depth + "]" * depth + "\n")
    assert read('{"kind": "A", "apiVersion": "v1", "a": ' + "[" * depth + "]" * depth + "}")


def test_too_many_anchors() -> None:
    text = HEAD + "".join(f"a{n}: &a{n} 1\n" for n in range(MAX_ANCHORS + 1))
    assert refused(text).endswith(f"the document has more than {MAX_ANCHORS:,} anchors")


@pytest.mark.parametrize("head", [f"{HEAD}a: ", '{"kind": "A", "apiVersion": "v1", "a": '])
def test_one_endless_object(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_OBJECT_BYTES", 1 << 20)
    assert refused(head + '"' + "x" * (2 << 20) + '"').endswith("which Kubernetes could not have stored")
    assert refused(head + "[" + "1," * (1 << 20) + "1]").endswith("which Kubernetes could not have stored")


def test_an_endless_list_of_small_objects_is_no_large_object(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_OBJECT_BYTES", 1 << 18)
    item = "- {apiVersion: v1, kind: Widget}\n"
    assert len(read("kind: List\napiVersion: v1\nitems:\n" + item * 40_000)) == 40_000
    data = json.dumps({"apiVersion": "v1", "kind": "Widget"})
    assert len(read('{"items": [' + ",".join([data] * 40_000) + '], "kind": "List"}')) == 40_000


def test_a_number_without_end() -> None:
    assert "not JSON that Kubernetes reads" in refused('{"a": ' + "1" * 10_000 + "}")


def test_a_mistake_far_from_the_end_is_named_where_it_stands() -> None:
    item = json.dumps({"apiVersion": "v1", "kind": "Widget"})
    rest = f",\n{item}" * 400_000
    assert (
        refused(f'{{"items": [\n{item},\n{{"a": 1 "b": 2}}{rest}]}}')
        == "objects.yaml:3: not JSON: Expecting ',' delimiter"
    )


@pytest.mark.parametrize(
    ("before", "field"), [(HEAD, "{}: " + "x" * 100 + "\n"), ('{"kind": "A"', ', "{}": "' + "x" * 100 + '"')]
)
def test_one_object_of_endless_fields(before: str, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_OBJECT_BYTES", 1 << 20)
    text = before + "".join(field.format(f"a{number}") for number in range(30_000))
    assert refused(text).endswith("which Kubernetes could not have stored")


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64])
def test_values_that_the_parts_of_a_stream_cut_through(chunk: int) -> None:
    """However a stream is cut into pieces, it says the same."""
    data = {"apiVersion": "v1", "kind": "Widget", "spec": {"a": [-1.5e3, True, None, "\\ü😀\n", 12345678901], "é": {}}}
    text = json.dumps({"items": [data] * 3, "kind": "List"}, indent=1) + json.dumps(data)
    found = list(objects_of("-", Dripping(text.encode(), chunk)))
    assert [stored.data for stored in found] == [data] * 4
    assert [stored.line for stored in found] == [stored.line for stored in read(text)]


class Dripping(io.BytesIO):
    """Gives no more than a few bytes at a time."""

    def __init__(self, data: bytes, chunk: int) -> None:
        super().__init__(data)
        self.chunk = chunk

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(self.chunk, size or 0) if size and size > 0 else size)
