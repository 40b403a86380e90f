"""Edits leave a file that gofmt had set as gofmt would set it: gofmt itself is asked, about structs of every shape."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crdlint.gosource import Edit, apply_edits, changes
from crdlint.gosource.gotypes import StructOf
from crdlint.gosource.layout import is_aligned, structs_of
from crdlint.gosource.package import Package
from crdlint.gosource.structs import Field, body_of, fields_of
from crdlint.gosource.syntax import GoFile
from tests.gosource.gofmt import gofmt

PATH = "types.go"
HEAD = "package v1\n\n"
NAMES = ["A", "Ready", "ObservedGenerationOfTheOwner", "Größe", "X, Y", "Conditions"]
TYPES = ["int", "*string", "[]metav1.Condition", "map[string][]string", "struct{}", "func(a int) error", "chan<- int"]
TAGS = ["", '`json:"a"`', '`json:"longer,omitempty"`', '`json:"a" protobuf:"1"`']
LONG_TYPES = [
    'struct {\n\tInner int `json:"inner"`\n\tB string\n}',
    "func(\n\ta int,\n) error",
    "interface {\n\tM()\n}",
]
BETWEEN = ["", "", "", "\n", "\t// Doc of what follows.\n", "\n\t// +marker\n\n\t// Doc.\n", "\t/* old style */\n"]


@st.composite
def fields(draw: st.DrawFn) -> str:
    """One field of a struct, with what stands above it and behind it."""
    above = draw(st.sampled_from(BETWEEN))
    if draw(st.integers(0, 4)) == 0:
        name, kind = "", draw(st.sampled_from(["metav1.TypeMeta", "*Embedded", "Generic[int]"]))
    else:
        name, kind = draw(st.sampled_from(NAMES)), draw(st.sampled_from(TYPES * 2 + LONG_TYPES))
    comment = draw(st.sampled_from(["", "", " // of it", " // über alles"]))
    return f"{above}\t{name} {kind} {draw(st.sampled_from(TAGS))}{comment}\n"


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    """A file of several structs, some of them in a group."""
    parts = []
    for index in range(draw(st.integers(1, 4))):
        body = "".join(draw(st.lists(fields(), min_size=1, max_size=7)))
        text = f"S{index} struct {{\n{body}}}\n"
        parts.append(
            draw(st.sampled_from(["type {}\n", "// Doc.\ntype {}\n", "type (\n{}\n\tOther = int\n)\n"])).format(text)
        )
    return (HEAD + "".join(parts)).encode()


def every_field(file: GoFile) -> Iterator[tuple[StructOf, Field]]:
    package = Package("v1", ".", [], [])
    for struct in structs_of(file):
        for found in fields_of(file, struct):
            yield StructOf(file, struct, package), found


@settings(max_examples=150, deadline=None)
@given(source=sources())
def test_what_gofmt_has_set_is_aligned(source: bytes) -> None:
    file = GoFile(PATH, gofmt(source))
    assert [is_aligned(file, struct) for struct in structs_of(file)] == [True] * len(structs_of(file))


@settings(max_examples=250, deadline=None)
@given(source=sources(), data=st.data())
def test_edits_keep_what_gofmt_has_set(source: bytes, data: st.DataObject) -> None:
    """Markers, omitempty and new fields, on any number of fields at once; nothing but blanks moves beside them."""
    before = gofmt(source)
    file = GoFile(PATH, before)
    edits: list[Edit] = []
    for struct, found in every_field(file):
        what = data.draw(st.sets(st.sampled_from(["marker", "omitempty", "field", "nothing"]), max_size=2))
        if "marker" in what:
            edits.append(changes.field_marker(found, "optional", "listType=map"))
        if "omitempty" in what and found.json_name and not found.may_be_left_out:
            edits.append(changes.omitempty(found))
        if "field" in what and body_of(struct.node).start_point[0] != body_of(struct.node).end_point[0]:
            edits.append(changes.new_field(struct, ["// New is new.", "// +optional", 'New int64 `json:"new"`']))
    after = apply_edits(PATH, before, edits)
    assert after.decode() == gofmt(after).decode()
    assert _without_blanks(_removed(after)) == _without_blanks(before.replace(b",omitempty", b""))


def _removed(text: bytes) -> bytes:
    """The text without what the edits add."""
    added = (b"// +optional", b"// +listType=map", b"// New is new.", b'New int64 `json:"new"`')
    lines = [line for line in text.replace(b",omitempty", b"").split(b"\n") if line.strip() not in added]
    return b"\n".join(lines)


def _without_blanks(text: bytes) -> bytes:
    return b"".join(text.split())


@settings(max_examples=100, deadline=None)
@given(source=sources(), data=st.data())
def test_what_gofmt_has_not_set_keeps_its_blanks(source: bytes, data: st.DataObject) -> None:
    """Lines end as they did, and no other line changes."""
    before = source.replace(b"\n", b"\r\n")
    file = GoFile(PATH, before)
    ragged = [found for struct, found in every_field(file) if not is_aligned(file, struct.node)]
    assume(ragged)
    found = data.draw(st.sampled_from(ragged))
    after = apply_edits(PATH, before, [changes.field_marker(found, "optional")])
    lines = after.split(b"\r\n")
    lines.remove(file.indentation(found.node.start_byte) + b"// +optional")
    assert b"\r\n".join(lines) == before
