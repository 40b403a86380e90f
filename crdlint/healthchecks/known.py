"""What is known of the conditions of one kind: which it has, where that is said, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from crdlint.crd.model import Crd, Version
from crdlint.healthchecks.conditions_of import Named, Source, named_in, types_of
from crdlint.healthchecks.meanings import SUMMARIES, WELL_KNOWN, Meaning
from crdlint.healthchecks.samples import meaning_by

_CAN_DECIDE = (Meaning.POSITIVE, None)


class Told(NamedTuple):
    """What the command line says: this type there is, for one kind or all, and what it means."""

    kind: str | None
    type: str
    meaning: Meaning | None


@dataclass(frozen=True)
class Evidence:
    """What is known beside the CRDs."""

    told: tuple[Told, ...] = ()
    samples: Mapping[tuple[str, str], Sequence[dict[str, Any]]] = field(default_factory=dict)
    """Objects by their group and kind."""
    configured: tuple[str, ...] = ()
    """Types that the configuration names; they count where nothing else names any."""
    meanings: Mapping[str, Meaning] = field(default_factory=dict)
    """What types mean by the configuration."""
    is_stateless: bool = False
    """Does the configuration say that no controller reconciles the kind?"""


@dataclass(frozen=True)
class Known:
    """The conditions of one kind. ``versions`` are those that can have some."""

    crd: Crd
    versions: tuple[Version, ...]
    evidence: Evidence

    @cached_property
    def told(self) -> dict[str, Meaning | None]:
        """The types that the command line names; what is said of one kind counts more than what is said of all."""
        about = [told for told in self.evidence.told if told.kind in (None, self.crd.kind)]
        return {told.type: told.meaning for told in sorted(about, key=lambda told: told.kind is not None)}

    @cached_property
    def samples(self) -> Sequence[dict[str, Any]]:
        return self.evidence.samples.get((self.crd.group, self.crd.kind or ""), ())

    @cached_property
    def sampled(self) -> list[tuple[str, ...]]:
        """The types that each of the objects has, where it has any."""
        return [types for types in map(types_of, self.samples) if types]

    @cached_property
    def sources(self) -> dict[str, Source]:
        """All types, and the weightiest source that names each."""
        named = [Named(Source.TOLD, tuple(self.told)), *(Named(Source.SAMPLES, types) for types in self.sampled)]
        named += [item for version in self.versions for item in self._named(version)]
        found: dict[str, Source] = {}
        for item in sorted(named, key=lambda item: list(Source).index(item.source)):
            for name in item.types:
                found.setdefault(name, item.source)
        return found

    @cached_property
    def candidates(self) -> list[tuple[str, ...]]:
        """For each version, the types that may tell that an object is ready.

        They are those of the first source that can decide, and those of the command line.
        """
        return [self._candidates(version) for version in self.versions]

    @cached_property
    def has_summary(self) -> bool:
        """Does a condition sum up the others? What they mean does not matter then."""
        candidates = {name for types in self.candidates for name in types}
        return any(self.said(name) is Meaning.POSITIVE for name in SUMMARIES & candidates)

    def said(self, name: str) -> Meaning | None:
        """What the command line, or else the configuration, or the documentation, says that it means."""
        told, documented = self.told.get(name) or self.evidence.meanings.get(name), WELL_KNOWN.get(name)
        return told or (None if documented is None else documented.meaning)

    def meaning(self, name: str) -> Meaning | None:
        """None where nobody says what it means. Objects are asked only where nothing sums up the conditions."""
        said = self.said(name)
        return meaning_by(self.samples, name) if said is None and not self.has_summary else said

    def with_meaning(self, meaning: Meaning) -> tuple[str, ...]:
        return tuple(sorted(name for name in self.sources if self.meaning(name) is meaning))

    def _named(self, version: Version) -> Iterator[Named]:
        """What each source but the command line names, in the order of their weight."""
        if self.sampled:
            in_all = set.intersection(*map(set, self.sampled))
            yield Named(Source.SAMPLES, tuple(name for name in self.sampled[0] if name in in_all))
        yield from named_in(version)
        yield Named(Source.CONFIGURATION, self.evidence.configured)

    def _candidates(self, version: Version) -> tuple[str, ...]:
        deciding: tuple[str, ...] = ()
        for named in self._named(version):
            if any(self.said(name) in _CAN_DECIDE for name in named.types):
                deciding = named.types
                break
        return tuple(name for name in dict.fromkeys((*self.told, *deciding)) if self.said(name) in _CAN_DECIDE)
