from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdlint.yamltext import source as source_module
from crdlint.yamltext.source import Source, Unreadable


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_bytes_come_back_as_they_were(text: str) -> None:
    for data in (text.encode(), codecs.BOM_UTF8 + text.encode()):
        if not data.startswith(codecs.BOM_UTF8 * 2):
            assert Source.from_bytes(data).to_bytes() == data


def test_byte_order_mark_is_kept_and_not_counted() -> None:
    source = Source.from_bytes(codecs.BOM_UTF8 + b"a: 1\n")
    assert source.text == "a: 1\n"
    assert source.bom
    assert source.to_bytes("b: 1\n") == codecs.BOM_UTF8 + b"b: 1\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_other_unicode_encodings_are_named(encoding: str) -> None:
    with pytest.raises(Unreadable, match="UTF-16 or UTF-32") as caught:
        Source.from_bytes("kind: CustomResourceDefinition\n".encode(encoding))
    assert caught.value.offset == 0


@pytest.mark.parametrize(
    ("data", "offset", "byte"),
    [
        (b"a: \xff", 3, "ff"),
        ("é: ü\n".encode() + b"b: \xe9", 8, "e9"),
        (codecs.BOM_UTF8 + b"a: \xff", 3, "ff"),
        (b"a: \xed\xa0\x80", 3, "ed"),
        (b"a: \xe2\x82", 3, "e2"),
        (b"\x80", 0, "80"),
    ],
)
def test_bad_bytes_are_located_in_characters(data: bytes, offset: int, byte: str) -> None:
    with pytest.raises(Unreadable, match=f"0x{byte}") as caught:
        Source.from_bytes(data)
    assert caught.value.offset == offset


def test_only_lf_and_crlf_end_lines() -> None:
    source = Source("a\u2028b\x85c\rd\r\ne\nf")
    assert source.line_count == 3
    assert [source.line(line) for line in (1, 2, 3)] == ["a\u2028b\x85c\rd", "e", "f"]
    assert source.position(source.text.index("d")) == (1, 7)
    assert source.position(source.text.index("e")) == (2, 1)
    assert source.position(len(source.text)) == (3, 2)


def test_lines_of_an_empty_text() -> None:
    source = Source("")
    assert (source.line_count, source.position(0), source.line(1)) == (1, (1, 1), "")


@given(st.text(alphabet="a\r\n\x85é", max_size=40))
def test_every_offset_has_the_position_an_editor_shows(text: str) -> None:
    source = Source(text)
    for offset in range(len(text) + 1):
        before = text[:offset].split("\n")
        assert source.position(offset) == (len(before), len(before[-1]) + 1)
    for number in range(1, source.line_count + 1):
        start, end = source.line_span(number)
        assert start == source.position(start)[1] - 1 + start
        assert "\n" not in text[start:end]
        assert source.position(start) == (number, 1)


@given(st.text(alphabet="ab\r\n", max_size=60), st.integers(1, 9))
def test_lines_are_found_wherever_the_strides_of_a_text_end(text: str, stride: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "STRIDE", stride)
        source = Source(text)
        lines = text.split("\n")
        ended_by_crlf = [line.removesuffix("\r") for line in lines]
        assert [source.line(number) for number in range(1, source.line_count + 1)] == ended_by_crlf
        for offset in range(len(text) + 1):
            before = text[:offset].split("\n")
            assert source.position(offset) == (len(before), len(before[-1]) + 1)
