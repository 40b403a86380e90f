"""May a version's fresh object be given an observed generation of -1?

The gate of the whole project: the default closes the race for kstatus, but it is refused by the API server, or leaves
every waiter hanging, for nine CRDs in ten if it is added blindly. A default goes into all versions of a CRD or none,
since the defaults of the storage version are the ones that count on every read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crdlint.checks import races
from crdlint.checks.context import Context, Draft
from crdlint.checks.generation_default import Judgement, plan
from crdlint.checks.subresource import is_fixable_here, subresource_draft
from crdlint.crd.model import COMPOSITION, Version
from crdlint.findings import Applicability
from crdlint.settings import WRITES_OBSERVED_GENERATION
from crdlint.yamltext.data import Templated

# Defaults are written when everything that they rest on is.
STAGE = 1

_RELIES = (
    "it relies on the controller to write status.observedGeneration, as the declared field promises: "
    "where it does not, waiters see -1 for ever"
)
_SHARED = "a default goes into all versions or none, so this fix depends on version {version} too"
_CONFIGURED = "the configuration says that the controllers write status.observedGeneration"


def fix_of(version: Version, context: Context) -> Draft:
    """The fix of a version that has a race: as bad as that of the worst version."""
    if context.generation_fixes is None:
        context.generation_fixes = _judge(context)
    return context.generation_fixes[version.pointer]


def _judge(context: Context) -> dict[str, Draft]:
    versions = [version for version in context.crd.judged_versions if version.status is not None]
    concerned = [version for version in versions if not (version.is_opaque or version.is_pruned)]
    judgements = [_judge_version(version, context) for version in concerned if not _is_guarded(version)]
    common = _storage_objection(context, concerned)
    drafts = {}
    for own in judgements:
        others = [other for other in judgements if other is not own]
        drafts[own.version.pointer] = _combine(own, others, common)
    return drafts


def _is_guarded(version: Version) -> bool:
    """Is a fresh object of this version not taken as ready as things are?"""
    field_schema = version.observed_generation
    if field_schema is not None and not races.has_integer_type(field_schema):
        return False
    if not version.has_fields:
        return False
    return races.race_of(version) is None and not races.is_current_when_fresh(version)


def _storage_objection(context: Context, concerned: list[Version]) -> list[str]:
    return [
        f"the storage version {version.name} declares no status that could carry the default, and its defaults are the "
        "ones that count"
        for version in context.crd.judged_versions
        if version.storage and version not in concerned
    ]


def _combine(own: Judgement, others: list[Judgement], common: list[str]) -> Draft:
    applicability = max((own, *others), key=lambda judgement: judgement.applicability.rank).applicability
    if common:
        applicability = Applicability.MANUAL
    reasons = [*own.reasons, *common]
    for other in others:
        if other.applicability is applicability or other.applicability.rank > own.applicability.rank:
            shared = _SHARED.format(version=other.version.name)
            reasons += [f"{shared}: {reason}" for reason in other.reasons if reason not in own.reasons]
    if applicability is not Applicability.MANUAL:
        reasons += own.rests_on
    must_wait = applicability is Applicability.MANUAL or any(judgement.waits for judgement in (own, *others))
    operations = () if must_wait else tuple(own.operations)
    return Draft(applicability, tuple(dict.fromkeys(reasons)), operations, STAGE)


def _judge_version(version: Version, context: Context) -> Judgement:
    judgement = Judgement(version)
    race = races.race_of(version)
    if race is None:
        judgement.manual.append(_why_no_race(version))
        return judgement
    if not context.reports(race.rule, version, race.pointer):
        judgement.manual.append(f"{race.rule} is not selected or ignored there")
    judgement.manual += _objections(version)
    _judge_controllers(version, context, judgement)
    _judge_subresource(version, context, judgement)
    if not judgement.manual:
        plan(version, race, context, judgement)
        refused = context.refusal(tuple(judgement.operations))
        if refused is not None:
            judgement.manual.append(refused)
    return judgement


def _why_no_race(version: Version) -> str:
    declared = version.observed_generation or {"type": "integer"}
    if not races.has_integer_type(declared) and not isinstance(declared.get("type"), Templated):
        return f"observedGeneration is of type {declared.get('type')}, not integer"
    if not version.has_fields:
        return "status is not an object with declared fields"
    return "a template leaves open what the schema of status says"


def _objections(version: Version) -> Iterable[str]:
    """What no edit of the schema can get around."""
    assert version.status is not None
    if version.crd.preserves_unknown_fields:
        yield "spec.preserveUnknownFields must be false before the API server accepts any default"
    if isinstance(version.crd.data("/spec/preserveUnknownFields"), Templated):
        yield "a template decides on spec.preserveUnknownFields, which must be false before any default is accepted"
    if version.crd.may_have_more_versions:
        yield "a template may add versions, and a default goes into all versions or none"
    if not version.properties:
        yield "status declares no properties, so the API server would not accept observedGeneration in a default"
    for name, schema in (("status", version.status), ("observedGeneration", version.observed_generation or {})):
        for keyword in COMPOSITION:
            if schema.get(keyword) and not _is_int_or_string(keyword, schema):
                yield f"`{keyword}` on {name} might refuse the default"
        if schema.get("x-kubernetes-validations"):
            yield f"a CEL rule (x-kubernetes-validations) on {name} might refuse the default"
    for keyword in ("enum", "maximum"):
        if keyword in (version.observed_generation or {}):
            yield f"`{keyword}` on observedGeneration bounds it: only the author knows whether -1 may be allowed"
    default = version.status.get("default")
    if default is not None and not isinstance(default, dict):
        yield "the existing default of status is not an object"


def _is_int_or_string(keyword: str, schema: dict[str, Any]) -> bool:
    """Is this the ``anyOf`` that spells out ``x-kubernetes-int-or-string``, and bounds nothing?"""
    types = [{"type": "integer"}, {"type": "string"}]
    return keyword == "anyOf" and schema.get("x-kubernetes-int-or-string") is True and schema["anyOf"] == types


def _judge_subresource(version: Version, context: Context, judgement: Judgement) -> None:
    """The subresource has to be on: otherwise each write of status bumps the generation, and it is never reached."""
    if version.has_status_subresource:
        return
    draft = subresource_draft(version, context)
    if version.has_status_subresource is None:
        judgement.manual.append("a template decides whether the status subresource is on")
    elif not is_fixable_here(version, context, draft):
        judgement.manual.append(
            "the status subresource is off and missing-status-subresource is not fixed in this run: "
            "without it every write of status bumps the generation"
        )
    else:
        judgement.waits = True
        if draft.applicability is not Applicability.SAFE:
            judgement.unsafe.append(
                "the status subresource is off: missing-status-subresource is fixed first, and controllers have to "
                "write /status"
            )


def _judge_controllers(version: Version, context: Context, judgement: Judgement) -> None:
    """What the controllers must do for the default not to leave a waiter hanging."""
    if WRITES_OBSERVED_GENERATION in context.controllers.writes:
        judgement.rests_on.append(_CONFIGURED)
    elif version.observed_generation is None:
        judgement.unsafe.append(
            "the controller must write status.observedGeneration (Go: `ObservedGeneration int64` with the tag "
            '`json:"observedGeneration,omitempty"`), else the object stays InProgress for ever'
        )
    elif context.controllers.declared_is_unproven:
        judgement.unsafe.append(
            "the configuration says that a declared field proves nothing: check that the controller writes "
            "status.observedGeneration"
        )
    else:
        judgement.rests_on.append(_RELIES)
    conditions = version.conditions
    if isinstance(version.properties.get("conditions"), Templated):
        judgement.unsafe.append(
            "a template writes the schema of conditions: `kubectl wait` may hang where they have no observedGeneration"
        )
    if conditions is not None and not conditions.observes_generation:
        judgement.unsafe.append(
            "conditions have no observedGeneration of their own: `kubectl wait` falls back to the status-level -1, and "
            "hangs on a controller that writes its conditions first"
        )
