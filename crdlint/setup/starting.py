"""The configuration that `crdlint init` writes: what is certain, and the rest as suggestions.

Prose begins with ``# ``; a suggestion is a line of YAML behind a bare ``#``, which does nothing until it is taken away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from crdlint.report.sanitise import clean_short
from crdlint.settings import WRITES
from crdlint.setup.survey import FoundCrd, Survey
from crdlint.words import count

# As many are listed; further ones are counted.
LONGEST_LIST = 8

T = TypeVar("T")

_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9./_-]*")
# What YAML reads as something else than text.
_WORDS = frozenset(("false", "n", "no", "null", "off", "on", "true", "y", "yes"))
_NOT_ASCII = re.compile(r"[^\x20-\x7e]")
# What patterns of .gitignore give a meaning to; and what no YAML can hold, of names that are not UTF-8.
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")
_SURROGATE = re.compile("[\ud800-\udfff]")


def starting_config(found: Survey) -> str:
    """The text of the file."""
    sections = (_head(found), _rules(found), _files(found), _kinds(found), _controllers(found), _overrides(found))
    return "\n".join("".join(f"{line}\n" for line in section) for section in sections)


def _head(found: Survey) -> Iterator[str]:
    yield "# Configuration of crdlint for this repository. `crdlint config schema` tells all that it may say,"
    yield "# `crdlint config show FILE` what applies to a file."
    yield "# Behind a bare # are suggestions: remove the # to use one."
    yield "#"
    if not found.crds:
        yield "# No CRD was found."
    for folder, crds in _first(found.by_folder().items()):
        yield f"# {count(len(crds), 'CRD')} in {_folder(folder)}{_made_by(crds)}"
    yield from _rest(len(found.by_folder()))
    for path in _first(found.unreadable):
        yield f"# not readable: {clean_short(path)}"
    yield from _rest(len(found.unreadable))


def _made_by(crds: list[FoundCrd]) -> str:
    versions = sorted({clean_short(crd.generator) for crd in crds if crd.generator})
    return f", made by controller-gen {', '.join(versions[:LONGEST_LIST])}" if versions else ""


def _rules(found: Survey) -> Iterator[str]:
    yield "# The rules: `crdlint rules` lists them, `crdlint explain RULE` tells more."
    yield f"#packs: [core{', capi' if found.is_capi else ''}]"
    yield "#ignore: [extra-condition-fields]"
    yield "#severity:"
    yield "#  missing-conditions: info"


def _files(found: Survey) -> Iterator[str]:
    yield "# Files to leave out, as in .gitignore. `vendor` and what .gitignore names are left out anyway."
    aside, copies = found.aside, found.copies
    yield "#exclude:"
    for folder in _first(aside):
        yield f"#- {_pattern(folder)}  # not installed?"
    for folder in _first(copies):
        yield f"#- {_pattern(folder)}  # copies of CRDs that are made elsewhere?"
    if not (aside or copies):
        yield "#- /path/to/folder/"
    if found.generators:
        yield ""
        yield "# The next run of controller-gen undoes what is fixed in its files. `warn` reports findings and leaves"
        yield "# the files as they are, `skip` passes them over."
        yield "#generated: warn"


def _kinds(found: Survey) -> Iterator[str]:
    yield "# Kinds whose status no controller writes, beside those that end in Template."
    yield f"#stateless: [{', '.join(map(_quoted, found.stateless_kinds)) or 'WidgetClass'}]"
    yield ""
    yield "# Types of conditions that `crdlint simulate` waits for, beside Ready, Available and Paused."
    if found.condition_types:
        yield "# The CRDs name these."
        yield "conditionTypes:"
        yield from (f"- {_quoted(name)}" for name in found.condition_types)
    else:
        yield "#conditionTypes: [Synced]"
    if found.is_capi:
        yield ""
        yield "# The contract of Cluster API that the provider implements, its API groups beside *.cluster.x-k8s.io."
        yield "#capi:"
        yield "#  contract: v1beta2"
        yield f"#  groups: [{', '.join(map(_quoted, found.capi_groups))}]"


def _controllers(found: Survey) -> Iterator[str]:
    yield "# What the controllers write, which decides whether a fix that adds a field is safe."
    for folder in _first(found.go_types):
        yield f"# Go types are in {_folder(folder)}"
    yield from _rest(len(found.go_types))
    yield "#controllers:"
    yield f"#  writes: [{', '.join(WRITES)}]"


def _overrides(found: Survey) -> Iterator[str]:
    name = next((crd.name for crd in found.crds if crd.name), "widgets.example.com")
    yield "# What is otherwise for some files (paths), CRDs (crds, groups, kinds) or versions; the later ones win."
    yield "#overrides:"
    yield f"#- crds: [{_quoted(name)}]"
    yield "#  ignore: [missing-conditions]"


def _first(items: Iterable[T]) -> list[T]:
    return list(items)[:LONGEST_LIST]


def _rest(number: int) -> Iterator[str]:
    if number > LONGEST_LIST:
        yield f"# … and {number - LONGEST_LIST} more"


def _folder(folder: str) -> str:
    return clean_short(folder) or "the repository's root"


def _pattern(folder: str) -> str:
    """The pattern for all that is in a folder."""
    written = _SURROGATE.sub("?", _SPECIAL.sub(r"\\\1", folder))
    return _quoted(f"/{written}/" if folder else "/*.yaml")


def _quoted(text: str) -> str:
    """A scalar that YAML reads as this text."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return _NOT_ASCII.sub(lambda match: f"\\U{ord(match[0]):08x}", json.dumps(text, ensure_ascii=False))
