"""CRDs of the corpus, of which no two have the same shape."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, Version, crds_of
from crdlint.healthchecks.assessment import Assessment, Verdict, assess
from crdlint.healthchecks.known import Evidence
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable
from tests.healthchecks.asking import told
from tests.healthchecks.lives import NEGATIVE, PAUSED, POSITIVE, PROGRESSING, Shape, Types, objects
from tests.surroundings import corpus_files

LEAST = 30
# Kinds that name no condition are told one of these in turn.
_TOLD: tuple[Types, ...] = (
    {"Ready": POSITIVE},
    {"Available": POSITIVE, "Degraded": NEGATIVE},
    {"Synced": POSITIVE, "Ready": POSITIVE},
    {"Healthy": POSITIVE, "Reconciling": PROGRESSING, "Stalled": NEGATIVE},
    {"Up": POSITIVE, "Broken": NEGATIVE, "Held": PAUSED},
)


class Chosen(NamedTuple):
    """A CRD, what is made of it, and the types that its objects have."""

    crd: Crd
    assessment: Assessment
    types: Types

    def lives(self) -> Iterator[tuple[str, Shape, dict[str, Any]]]:
        """The states of an object of each version: name, shape of the schema, object."""
        for version in self.assessment.versions:
            for state, resource in objects(version, self.types).items():
                yield state, Shape.of(version), resource


@lru_cache(maxsize=1)
def chosen() -> tuple[Chosen, ...]:
    """The first CRD of each shape, in the order of the files."""
    found: dict[object, Chosen] = {}
    turn = 0
    for crd in _crds():
        assessment = assess(crd, Evidence())
        if assessment.verdict is Verdict.OPEN:
            assessment = assess(crd, told(_TOLD[turn % len(_TOLD)]))
            turn += 1
        if assessment.check is not None:
            types = {used.type: used.meaning for used in assessment.used}
            key = (tuple(sorted(types)), *map(_shape, assessment.versions))
            found.setdefault(key, Chosen(crd, assessment, types))
    return tuple(found.values())


def _crds() -> Iterator[Crd]:
    for path in corpus_files():
        data = path.read_bytes()
        try:
            documents = parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA).documents
        except Unreadable:
            continue
        for document in documents:
            yield from crds_of(document.root) if document.root is not None else ()


def _shape(version: Version) -> object:
    """What of a schema can make a difference."""
    conditions = version.conditions
    fields = None if conditions is None else (tuple(sorted(conditions.fields)), tuple(map(str, conditions.required)))
    required = (version.status or {}).get("required")
    return Shape.of(version), fields, str(required), version.is_opaque
