"""What the author asked crdlint not to report: comments, and, since generators drop those, an annotation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from crdlint.crd.model import Crd
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import Alias, Mapping, Node, Scalar, Sequence, join_pointer, locate
from crdlint.yamltext.parse import Stream
from crdlint.yamltext.source import Source

ANNOTATION = "crdlint/ignore"
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*crdlint:[ \t]*ignore\b(?:\[(?P<rules>[^\]\n]*)\])?", re.MULTILINE)


@dataclass(eq=False)
class Ignore:
    """One rule that one comment or annotation names. ``span`` is where it stands."""

    rule: str
    span: tuple[int, int]
    # The lines that a comment speaks of; None for an annotation.
    lines: tuple[int, ...] | None = None
    # The CRD (by identity) and the version that an annotation speaks of.
    crd: Crd | None = None
    version: str | None = None
    used: bool = False

    def covers(self, rule: str, line: int, crd: Crd, version: str | None) -> bool:
        if self.rule != rule:
            return False
        if self.lines is not None:
            return line in self.lines
        return self.crd is crd and self.version in (None, version)


def comment_ignores(source: Source, stream: Stream) -> Iterator[Ignore]:
    """The ignores in comments. Text in a scalar that looks like one is none."""
    if "crdlint:" not in source.text:
        return
    for match in _COMMENT.finditer(source.text):
        document = next((d for d in stream.documents if d.start <= match.start() < d.end), None)
        if document is None or document.root is None or _in_scalar(source, document.root, match.start()):
            continue
        lines = _lines_spoken_of(source, match.start())
        for rule in _names(match["rules"] or "") or [""]:
            yield Ignore(rule, match.span(), lines=lines)


def annotation_ignores(crd: Crd, root: Node) -> Iterator[Ignore]:
    """The ignores in the annotation of a CRD: ``rule``, or ``rule@version``."""
    value = crd.annotations.get(ANNOTATION)
    if not isinstance(value, str) or isinstance(value, Templated):
        return
    span = locate(root, crd.prefix + join_pointer(["metadata", "annotations", ANNOTATION]))
    for name in _names(value):
        rule, _, version = (part.strip() for part in name.partition("@"))
        yield Ignore(rule, span, crd=crd, version=version or None)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _lines_spoken_of(source: Source, offset: int) -> tuple[int, ...]:
    """Its own line and the next for a comment behind something, else the next line that is no comment."""
    line, _ = source.position(offset)
    if not _is_comment(source.line(line)):
        return line, line + 1
    while line < source.line_count and _is_comment(source.line(line)):
        line += 1
    return (line,)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _in_scalar(source: Source, node: Node, offset: int) -> bool:
    while isinstance(node, Mapping | Sequence):
        children: list[Node] = list(node.items) if isinstance(node, Sequence) else [n for e in node.entries for n in e]
        inside = [child for child in children if child.start <= offset < child.end]
        if not inside:
            return False
        node = inside[0]
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        return "\n" in source.text[node.start : offset]  # behind the header stands a comment
    return not isinstance(node, Alias)
