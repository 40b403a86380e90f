"""Which health check a kind needs, if any, and on what that rests; or what has to be said first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from crdlint.consumers.timeline import KSTATUS, simulate
from crdlint.crd.model import Crd, Version
from crdlint.healthchecks.check import Check
from crdlint.healthchecks.conditions_of import Source, observes_generation
from crdlint.healthchecks.known import Evidence, Known
from crdlint.healthchecks.meanings import SUMMARIES, WELL_KNOWN, Meaning
from crdlint.report.readiness import UP_TO_THE_CONTROLLER

_COUNT_AGAINST = (Meaning.NEGATIVE, Meaning.PROGRESSING, Meaning.PAUSED)
# Names that the API server takes (apimachinery, pkg/util/validation); of kinds, it looks at the lower case.
_LABEL = re.compile(r"[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?")
_GROUP = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


class Verdict(str, Enum):
    NEEDED = "needed"
    NOT_NEEDED = "not-needed"
    NOTHING = "nothing"
    """No condition can tell whether such an object is ready."""
    OPEN = "open"
    """Somebody has to say what conditions there are, or what they mean."""


class Used(NamedTuple):
    """A condition that the check looks at, and why it counts as it does."""

    type: str
    meaning: Meaning
    source: Source
    why: str
    reference: str | None


@dataclass(frozen=True)
class Assessment:
    """What crdlint makes of one kind."""

    crd: Crd
    verdict: Verdict
    why: str
    used: tuple[Used, ...] = ()
    undecided: tuple[str, ...] = ()
    """Types that may count, and of which nobody says what they mean."""
    left_out: tuple[str, ...] = ()
    """Types of unknown meaning that need not count, since others sum them up."""
    check: Check | None = None
    versions: tuple[Version, ...] = ()
    """Those that have conditions."""


def assess(crd: Crd, evidence: Evidence) -> Assessment:
    """What a kind that has versions needs."""
    if not _has_names(crd):
        why = (
            "its kind, its group or a version has a name that the API server does not take, or that a template decides"
        )
        return Assessment(crd, Verdict.NOTHING, why)
    if evidence.is_stateless or crd.is_template_kind:
        return Assessment(crd, Verdict.NOTHING, "no controller reconciles it")
    versions = tuple(version for version in crd.judged_versions if not _why_not(version))
    if not versions:
        reasons = dict.fromkeys(map(_why_not, crd.judged_versions))
        return Assessment(crd, Verdict.NOTHING, "; ".join(reasons) or "it has no version that is served")
    return _by_conditions(Known(crd, versions, evidence))


def _has_names(crd: Crd) -> bool:
    labels = (crd.kind or "", *(version.name for version in crd.versions))
    return all(map(_LABEL.fullmatch, labels)) and bool(_GROUP.fullmatch(crd.group))


def _why_not(version: Version) -> str:
    """Why no condition of this version can be looked at; empty where one can."""
    conditions = version.conditions
    if version.status is None:
        is_kept = version.preserves_unknown_fields or version.root_is_open
        return "" if is_kept else "it declares no status"
    if version.is_opaque or version.fields_are_unknown:
        return ""
    if version.is_pruned or not version.has_fields:
        return "nothing in its status is kept"
    if conditions is None:
        return "its status declares no conditions"
    if conditions.is_unknown:
        return ""
    if not conditions.is_array:
        return "its conditions are not a list"
    keeps_all = conditions.items.get("x-kubernetes-preserve-unknown-fields") is True
    has_fields = conditions.is_list_of_conditions and "status" in conditions.fields
    return "" if has_fields or keeps_all else "its conditions have no type, or no status"


def _by_conditions(known: Known) -> Assessment:
    candidates = dict.fromkeys(name for types in known.candidates for name in types)
    undecided = tuple(name for name in candidates if known.meaning(name) is None)
    if undecided and not known.has_summary:
        why = f"nobody says what it means that {' or '.join(undecided)} is True"
        return Assessment(known.crd, Verdict.OPEN, why, undecided=undecided)
    positive = tuple(name for name in candidates if known.meaning(name) is Meaning.POSITIVE)
    if not positive:
        return Assessment(known.crd, Verdict.OPEN, _without_positive(known))
    check = _check(known, positive)
    counting = [name for name in known.sources if name in check.positive or known.meaning(name) in _COUNT_AGAINST]
    verdict, why = _need(known, positive)
    return Assessment(
        known.crd,
        verdict,
        why,
        used=tuple(_used(known, name) for name in dict.fromkeys((*counting, *check.positive))),
        left_out=tuple(name for name in known.sources if known.meaning(name) is None),
        check=check,
        versions=known.versions,
    )


def _without_positive(known: Known) -> str:
    if not known.sources:
        return "nothing names the conditions that it has"
    return f"of the conditions that are named, {', '.join(known.sources)}, none is True only once it is ready"


def _used(known: Known, name: str) -> Used:
    meaning, documented = known.meaning(name), WELL_KNOWN.get(name)
    assert meaning is not None
    source = known.sources.get(name, Source.UNNAMED)
    if known.told.get(name) is not None:
        return Used(name, meaning, source, "the command line says so", None)
    if documented is not None:
        return Used(name, meaning, source, documented.why, documented.reference)
    return Used(name, meaning, source, "so it is in the sample objects that are ready", None)


def _check(known: Known, positive: tuple[str, ...]) -> Check:
    crd = known.crd
    naming = [types for types in known.candidates if types]
    needed = [name for name in positive if name not in SUMMARIES and all(name in types for types in naming)]
    any_of = {name for name in positive if name in SUMMARIES}
    if any_of and len(naming) < len(known.versions) and known.said("Ready") is Meaning.POSITIVE:
        # Objects of a version that names nothing may still have what came first.
        any_of.add("Ready")
    elif not any_of and not needed:
        any_of = set(positive)
    storage = next((version for version in crd.versions if version.storage), known.versions[0])
    plural = crd.data("/spec/names/plural")
    return Check(
        group=crd.group,
        kind=crd.kind or "",
        version=storage.name,
        plural=plural if isinstance(plural, str) and _LABEL.fullmatch(plural) else (crd.kind or "").lower(),
        is_namespaced=crd.data("/spec/scope") == "Namespaced",
        any_of=tuple(sorted(any_of)),
        needed=tuple(sorted(needed)),
        positive=tuple(sorted({*positive, *any_of})),
        negative=known.with_meaning(Meaning.NEGATIVE),
        progressing=known.with_meaning(Meaning.PROGRESSING),
        paused=known.with_meaning(Meaning.PAUSED),
        observes_generation=any(map(observes_generation, known.versions)),
    )


def _need(known: Known, positive: tuple[str, ...]) -> tuple[Verdict, str]:
    """Is kstatus right without any help?"""
    unseen = [name for name in positive if name != "Ready"]
    if unseen:
        return Verdict.NEEDED, f"kstatus does not look at {' and '.join(unseen)}"
    for version in known.versions:
        timeline = simulate(version)
        if timeline.race:
            return Verdict.NEEDED, f"kstatus calls a new object of {version.name} Current at once"
        wrong = [state.name for state in timeline.states if (KSTATUS, "") in state.wrong()]
        serious = [name for name in wrong if name not in UP_TO_THE_CONTROLLER]
        if serious:
            return Verdict.NEEDED, f"kstatus is wrong about an object of {version.name} in the state {serious[0]}"
    return Verdict.NOT_NEEDED, "kstatus reads its Ready condition, and does not call a new object Current"
