"""Is a text YAML at all, within limits? libyaml decides, shielded from what it cannot bear."""

from __future__ import annotations

import re

from _ruamel_yaml import CParser
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import MappingEndEvent, MappingStartEvent, SequenceEndEvent, SequenceStartEvent
from ruamel.yaml.reader import ReaderError

from crdlint.yamltext.source import Unreadable

MAX_DEPTH = 250
MAX_CHARACTERS = 64 * 1024 * 1024
_MAX_TAG_DIRECTIVES = 100

# libyaml walks all open flow collections for each token: this many steps cost half a second.
_BEARABLE_STEPS = 500_000_000
# Brackets that may open a flow collection: not those in the middle of a word, which are nearly all in most CRDs. What
# stands before them is looked at last: that is what makes the search fast.
_OPENER = re.compile(r"[\[{](?<![^\s\[{,:?\-].)")
# Where libyaml notices these is often far behind what is wrong.
_WHERE_IT_STARTS_COUNTS = ("while scanning a simple key", "while scanning a quoted scalar")


def check(text: str) -> None:
    """Raise `Unreadable`, with the offset of what is wrong, unless ``text`` is well-formed YAML within the limits."""
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(f"the file has {len(text):,} characters, more than the {MAX_CHARACTERS:,} that crdlint reads")
    if has_directives(text) and text.count("\n%TAG") > _MAX_TAG_DIRECTIVES:
        raise Unreadable(f"the file has more than {_MAX_TAG_DIRECTIVES} %TAG directives", text.index("\n%TAG") + 1)
    try:
        if _may_nest_deeply(text):
            _check_depth(text)
        else:
            CParser(text).raw_parse()
    except YAMLError as error:
        raise unreadable(error, text) from None
    except UnicodeEncodeError as error:
        raise _forbidden(ord(text[error.start]), error.start) from None


def has_directives(text: str) -> bool:
    """May there be lines like ``%YAML 1.1``?"""
    return "%" in text and (text.startswith("%") or "\n%" in text)


def too_deep(offset: int) -> Unreadable:
    return Unreadable(f"collections are nested deeper than {MAX_DEPTH} levels", offset)


def unreadable(error: YAMLError, text: str) -> Unreadable:
    """What libyaml says of ``text``, for a person."""
    if isinstance(error, ReaderError):
        # It counts bytes.
        before = text.encode("utf-8", "surrogatepass")[: error.position].decode("utf-8", "ignore")
        return _forbidden(error.character, len(before))
    problem = getattr(error, "problem", None) or "it cannot be parsed"
    context = getattr(error, "context", None)
    marks = [getattr(error, "problem_mark", None), getattr(error, "context_mark", None)]
    if context in _WHERE_IT_STARTS_COUNTS:
        marks.reverse()
    offset = next((mark.index for mark in marks if mark is not None), 0)
    return Unreadable(f"not YAML: {problem}" + (f" ({context})" if context else ""), offset)


def _forbidden(code: int, offset: int) -> Unreadable:
    return Unreadable(f"the character U+{code:04X} is not allowed in YAML", offset)


def _may_nest_deeply(text: str) -> bool:
    """Could flow collections be so deep that libyaml, whose time for them grows with the depth, takes very long?"""
    if (text.count("[") + text.count("{")) * len(text) <= _BEARABLE_STEPS:
        return False
    openers = sum(1 for _ in _OPENER.finditer(text))
    return openers > MAX_DEPTH and openers * len(text) > _BEARABLE_STEPS


def _check_depth(text: str) -> None:
    depth = 0
    next_event = CParser(text).get_event
    while (event := next_event()) is not None:
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise too_deep(event.start_mark.index)
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            depth -= 1
