"""Helm templates: ``{{ … }}`` is hidden behind text of equal length that parses, so that positions stay true.

Actions that have a line to themselves become a comment, any other a run of `FILLER`. Edits go to the original text, so
nothing of this ever reaches a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from crdlint.yamltext.source import Unreadable

# A private-use character: printable to libyaml, and in no CRD known.
FILLER = "\ue000"

MAX_ACTIONS = 100_000

_Span = tuple[int, int]
_STOP = re.compile(r'\}\}|"(?:[^"\\\n]|\\.)*"?|`[^`]*`|/\*')
OPENS = re.compile(r"\{\{-?\s*(?:if|range|with|define|block)\b")
CLOSES = re.compile(r"\{\{-?\s*end\b")
_CONTROL = re.compile(r"\{\{-?\s*(?:if|else|end|range|with|define|block|break|continue|/\*|\$\w*\s*:?=)")
_INDENT = re.compile(r"\bn?indent\s+(\d{1,4})\b")
_NOT_NEWLINE = re.compile(r"[^\r\n]")


@dataclass(frozen=True)
class Output:
    """An action on a line of its own, which may write keys or items; ``column`` is where it says it does."""

    offset: int
    end: int
    column: int | None


@dataclass
class Masked:
    """A text without its actions, where they were, and those of them that write into the structure."""

    text: str
    spans: list[_Span] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)


def mask(text: str) -> Masked:
    """Hide every action of ``text``. Linear in its length. Raises `Unreadable` where there are too many."""
    masked = Masked(text)
    pieces: list[str] = []
    done = 0
    for group in _by_line(text, _actions(text)):
        alone = _stand_alone(text, group)
        for start, end in group:
            action = text[start:end]
            pieces += [text[done:start], _comment(action) if alone else _filler(action)]
            done = end
            masked.spans.append((start, end))
            if alone and not _CONTROL.match(action):
                hints = _INDENT.findall(action)
                masked.outputs.append(Output(start, end, int(hints[-1]) if hints else None))
    masked.text = "".join(pieces) + text[done:]
    return masked


def _actions(text: str) -> Iterator[_Span]:
    count = 0
    start = text.find("{{")
    while start >= 0:
        end = _action_end(text, start + 2)
        if end is None:
            return
        count += 1
        if count > MAX_ACTIONS:
            raise Unreadable(f"the template has more than {MAX_ACTIONS:,} actions", start)
        yield start, end
        start = text.find("{{", end)


def _action_end(text: str, at: int) -> int | None:
    while stop := _STOP.search(text, at):
        if stop[0] == "}}":
            return stop.end()
        at = stop.end()
        if stop[0] == "/*":
            at = text.find("*/", at)
            if at < 0:
                return None
            at += 2
    return None


def _by_line(text: str, actions: Iterator[_Span]) -> Iterator[list[_Span]]:
    """Actions with no newline between them."""
    group: list[_Span] = []
    for action in actions:
        if group and "\n" in text[group[-1][1] : action[0]]:
            yield group
            group = []
        group.append(action)
    if group:
        yield group


def _stand_alone(text: str, group: list[_Span]) -> bool:
    """Is there nothing on the lines of these actions but the actions?"""
    line_start = text.rfind("\n", 0, group[0][0]) + 1
    line_end = text.find("\n", group[-1][1])
    ends = [line_start, *(end for _, end in group)]
    starts = [*(start for start, _ in group), len(text) if line_end < 0 else line_end]
    return not any(text[end:start].strip() for end, start in zip(ends, starts, strict=True))


def _comment(action: str) -> str:
    return _NOT_NEWLINE.sub("#", action)


def _filler(action: str) -> str:
    """Lines after the first would have to be indented to belong to the same scalar: they become a comment."""
    first, newline, rest = action.partition("\n")
    return _NOT_NEWLINE.sub(FILLER, first) + newline + _comment(rest)
