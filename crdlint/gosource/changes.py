"""The edits of Go sources that crdlint makes: a marker, the options of a tag, a field, an import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crdlint.gosource.edits import Edit
from crdlint.gosource.gotypes import StructOf
from crdlint.gosource.package import Declaration
from crdlint.gosource.structs import Field, body_of
from crdlint.gosource.syntax import GoFile, Marker, child

if TYPE_CHECKING:
    from tree_sitter import Node

OPTIONAL = ("optional", "kubebuilder:validation:Optional", "k8s:optional")
REQUIRED = ("required", "kubebuilder:validation:Required", "k8s:required")
_ROOT = "kubebuilder:object:root"
_JSON_VALUE = re.compile(r'(json:"[^",]*)((?:,[^"]*)?")')


class NoPlace(Exception):
    """A change that the text has no room for; the message says why, for a person."""


def field_marker(found: Field, *texts: str) -> Edit:
    """Markers as the last lines of a field's comment."""
    start = found.node.start_byte
    line = found.file.line_start(found.file.line_of(start))
    if found.file.data[line:start].strip():
        raise NoPlace("the field shares its line with another part of the struct")
    return _lines_above(found.file, start, texts)


def type_marker(declaration: Declaration, *texts: str) -> Edit:
    """Markers of a type: beside those that it has, or else above its comment."""
    file, node, comments = declaration.file, declaration.commented, declaration.comments
    own = [marker for marker in comments.markers if marker.name.startswith(_ROOT)] or list(comments.markers)
    if own:
        line = file.line_of(own[0 if own[0].name.startswith(_ROOT) else -1].start)
        return _insert(file, file.line_end(line), _comments(file, file.indentation(own[0].start), texts))
    if node == declaration.node or comments.start == file.line_start(file.line_of(node.start_byte)):
        _check_columns(file, node)
        return _lines_above(file, node.start_byte, texts)
    # A group of its own: gofmt rewrites doc comments, and leaves other comments alone.
    return _insert(file, comments.start, _comments(file, b"", texts) + file.newline)


def _check_columns(file: GoFile, spec: Node) -> None:
    """Types of a group on adjacent lines stand in columns, which a comment in between would cut in two."""
    above = spec.prev_named_sibling
    if above is None or above.type not in ("type_spec", "type_alias"):
        return
    if file.line_of(above.start_byte) == file.line_of(spec.start_byte) - 1:
        raise NoPlace("the type stands in a group, in one column with that of the line above")


def replaced_marker(file: GoFile, marker: Marker, text: str) -> Edit:
    return Edit(file.path, marker.start, marker.end, f"// +{text}".encode())


def with_value(file: GoFile, marker: Marker, value: str) -> Edit:
    """The same marker, spelled the same way, with another value."""
    text = file.data[marker.start : marker.end].decode("utf-8", "replace")
    return Edit(file.path, marker.start, marker.end, (text[: text.index("=") + 1] + value).encode())


def optional(found: Field) -> Iterator[Edit]:
    """What makes a field optional: the marker, and ``omitempty`` in its tag."""
    if found.marker("k8s:required"):
        raise NoPlace("+k8s:required asks for a value that is not empty as well, and only its author can part the two")
    required = [marker for marker in found.markers if marker.name in REQUIRED]
    yield from (replaced_marker(found.file, marker, "optional") for marker in required)
    if not required and found.marker(*OPTIONAL) is None:
        yield field_marker(found, "optional")
    if not found.may_be_left_out:
        yield omitempty(found)


def omitempty(found: Field) -> Edit:
    tag = found.tag
    if tag is None or not (text := found.file.text(tag)).startswith("`"):
        raise NoPlace("the field has no tag between back quotes")
    new, count = _JSON_VALUE.subn(r"\1,omitempty\2", text, count=1)
    if not count:
        raise NoPlace("the tag has no name for JSON")
    return Edit(found.file.path, tag.start_byte, tag.end_byte, new.encode())


def new_field(struct: StructOf, lines: list[str]) -> Edit:
    """A field at the end of a struct, set apart by a blank line."""
    file, body = struct.file, body_of(struct.node)
    opening, closing = body.children[0], body.children[-1]
    indent = file.indentation(struct.node.start_byte) + b"\t"
    text = file.newline.join(indent + line.encode() for line in lines)
    if file.line_of(opening.start_byte) == file.line_of(closing.start_byte):
        raise NoPlace("the whole struct stands on one line")
    is_empty = not file.data[opening.end_byte : closing.start_byte].strip()
    blank = b"" if is_empty else file.newline
    return _insert(file, file.line_start(file.line_of(closing.start_byte)), blank + text + file.newline)


def imported(file: GoFile, path: str, wanted: str) -> tuple[str, list[Edit]]:
    """The name by which a file knows a package, and the edits that import it where it does not yet."""
    for name, known in file.imports.items():
        if known == path and any(file.text(spec).startswith((f"{name} ", f"{name}\t")) for spec in file.import_specs):
            return name, []
    if wanted in file.imports:
        raise NoPlace(f"the name {wanted} stands for {file.imports[wanted]} in this file")
    return wanted, [_import(file, path, wanted)]


def _import(file: GoFile, path: str, name: str) -> Edit:
    spec = f'{name} "{path}"'.encode()
    declarations = list(file.declarations("import_declaration"))
    if not declarations:
        clause = next(file.declarations("package_clause"), None)
        if clause is None:
            raise NoPlace("the file names no package")
        end = file.line_end(file.line_of(clause.end_byte))
        return _insert(file, end, file.newline + b"import " + spec + file.newline)
    parts = [part for node in declarations for part in node.named_children]
    block = next((part for part in parts if part.type == "import_spec_list" and part.named_children), None)
    if block is None:
        end = file.line_end(file.line_of(declarations[-1].end_byte))
        return _insert(file, end, b"import " + spec + file.newline)
    return _into_block(file, block, path, b"\t" + spec + file.newline)


def _into_block(file: GoFile, block: Node, path: str, line: bytes) -> Edit:
    """In the group that imports others of Kubernetes, where gofmt's order puts it; else in a group of its own."""
    groups: list[list[Node]] = []
    for spec in (part for part in block.named_children if part.type == "import_spec"):
        is_adjacent = groups and file.line_of(spec.start_byte) == file.line_of(groups[-1][-1].start_byte) + 1
        if is_adjacent:
            groups[-1].append(spec)
        else:
            groups.append([spec])
    for group in groups:
        paths = [file.text(child(spec, "path"))[1:-1] for spec in group]
        has_comments = any(b"//" in _after(file, spec) for spec in group)
        if has_comments or not any(known.startswith("k8s.io/") for known in paths):
            continue
        behind = next((spec for spec, known in zip(group, paths, strict=True) if known > path), None)
        if behind is not None:
            return _insert(file, file.line_start(file.line_of(behind.start_byte)), line)
        return _insert(file, file.line_end(file.line_of(group[-1].start_byte)), line)
    closing = file.line_start(file.line_of(block.end_byte - 1))
    return _insert(file, closing, (file.newline if groups else b"") + line)


def _after(file: GoFile, node: Node) -> bytes:
    return file.data[node.end_byte : file.line_end(file.line_of(node.end_byte))]


def _lines_above(file: GoFile, offset: int, markers: tuple[str, ...]) -> Edit:
    return _insert(file, file.line_start(file.line_of(offset)), _comments(file, file.indentation(offset), markers))


def _comments(file: GoFile, indentation: bytes, markers: tuple[str, ...]) -> bytes:
    return b"".join(indentation + f"// +{marker}".encode() + file.newline for marker in markers)


def _insert(file: GoFile, offset: int, text: bytes) -> Edit:
    return Edit(file.path, offset, offset, text)
