"""May a version's fresh object be given an observed generation of -1, and what would that take?

The gate of the whole project: the default closes the race for kstatus, but it is refused by the API server, or leaves
every waiter hanging, for nine CRDs in ten if it is added blindly. A default goes into all versions of a CRD or none,
since the defaults of the storage version are the ones that count on every read.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from crdlint.checks import races
from crdlint.checks.context import Context, Draft
from crdlint.checks.subresource import is_fixable_here, subresource_draft
from crdlint.crd import structural
from crdlint.crd.model import COMPOSITION, Version, mapping
from crdlint.findings import Applicability
from crdlint.settings import WRITES_OBSERVED_GENERATION
from crdlint.yamltext.data import Templated
from crdlint.yamltext.operations import Op, Operation

UNOBSERVED = -1
FIELD_SCHEMA: dict[str, Any] = {"format": "int64", "type": "integer"}
# Defaults are written when everything that they rest on is.
STAGE = 1

_RELIES = (
    "it relies on the controller to write status.observedGeneration, as the declared field promises: "
    "where it does not, waiters see -1 for ever"
)
_CONFIGURED = "the configuration says that the controllers write status.observedGeneration"


@dataclass
class _Judgement:
    """What stands in the way of the default in one version, and the edit that would put it there."""

    version: Version
    manual: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    # What it takes for granted of the controllers.
    rests_on: list[str] = field(default_factory=list)
    # Does it rest on another fix of this run? Then nothing is written before that is.
    waits: bool = False

    @property
    def applicability(self) -> Applicability:
        if self.manual:
            return Applicability.MANUAL
        return Applicability.UNSAFE if self.unsafe else Applicability.SAFE

    @property
    def reasons(self) -> list[str]:
        return self.manual or self.unsafe


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


def _combine(own: _Judgement, others: list[_Judgement], common: list[str]) -> Draft:
    applicability = max((own, *others), key=lambda judgement: judgement.applicability.rank).applicability
    if common:
        applicability = Applicability.MANUAL
    reasons = [*own.reasons, *common]
    for other in others:
        if other.applicability is applicability or other.applicability.rank > own.applicability.rank:
            reasons += [
                f"version {other.version.name}: {reason}" for reason in other.reasons if reason not in own.reasons
            ]
    if applicability is not Applicability.MANUAL:
        reasons += own.rests_on
    must_wait = applicability is Applicability.MANUAL or any(judgement.waits for judgement in (own, *others))
    operations = () if must_wait else tuple(own.operations)
    return Draft(applicability, tuple(dict.fromkeys(reasons)), operations, STAGE)


def _judge_version(version: Version, context: Context) -> _Judgement:
    judgement = _Judgement(version)
    race = races.race_of(version)
    if race is None:
        judgement.manual.append(_why_no_race(version))
        return judgement
    if not context.reports(race.rule, version, race.pointer):
        judgement.manual.append(
            f"{race.rule} is not selected or ignored there, and a default goes into all versions or none"
        )
    judgement.manual += _objections(version)
    _judge_controllers(version, context, judgement)
    _judge_subresource(version, context, judgement)
    if not judgement.manual:
        _plan(version, race, context, judgement)
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


def _judge_subresource(version: Version, context: Context, judgement: _Judgement) -> None:
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


def _judge_controllers(version: Version, context: Context, judgement: _Judgement) -> None:
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


def _plan(version: Version, race: races.Race, context: Context, judgement: _Judgement) -> None:
    if race.rule == races.WRONG_DEFAULT:
        _plan_replacement(version, judgement)
    elif race.rule == races.INEFFECTIVE_DEFAULT and _empty_default_suffices(version, judgement):
        return
    else:
        _plan_default(version, context, judgement)


def _plan_replacement(version: Version, judgement: _Judgement) -> None:
    """A default above 0, at the status or at the field, becomes -1."""
    assert version.status is not None
    default = mapping(version.status.get("default"))
    if _is_positive(default.get("observedGeneration")):
        pointer = f"{version.status_pointer}/default/observedGeneration"
        judgement.operations.append(Operation(Op.REPLACE, pointer, UNOBSERVED))
        default = {**default, "observedGeneration": UNOBSERVED}
    field_schema = _with_replaced_default(version, judgement)
    field_schema.update(_lower_bound(version, judgement))
    _check_written(version, field_schema, default, judgement)


def _empty_default_suffices(version: Version, judgement: _Judgement) -> bool:
    """``default: {}`` on status makes the field's own default count, where the API server accepts it."""
    assert version.status is not None
    errors, undecided = structural.validate_value(version.status, {})
    if errors or undecided:
        return False
    field_schema = _with_replaced_default(version, judgement)
    if field_schema.get("default") == UNOBSERVED:
        field_schema.update(_lower_bound(version, judgement))
    judgement.operations.append(Operation(Op.ADD, f"{version.status_pointer}/default", {}))
    _check_written(version, field_schema, {}, judgement)
    return True


def _with_replaced_default(version: Version, judgement: _Judgement) -> dict[str, Any]:
    """The schema of the field, its own default -1 where it was above 0."""
    field_schema = dict(version.observed_generation or {})
    if _is_positive(field_schema.get("default")):
        pointer = f"{version.status_pointer}/properties/observedGeneration/default"
        judgement.operations.append(Operation(Op.REPLACE, pointer, UNOBSERVED))
        field_schema["default"] = UNOBSERVED
    return field_schema


def _check_written(
    version: Version, field_schema: dict[str, Any], default: dict[str, Any], judgement: _Judgement
) -> None:
    """The API server has to accept the default of status, and that of the field, as they will stand."""
    assert version.status is not None
    status = {**version.status, "properties": {**version.properties, "observedGeneration": field_schema}}
    written = [(status, default)] if version.status.get("default") is not None or not default else []
    if field_schema.get("default") is not None:
        written.append((field_schema, field_schema["default"]))
    for schema, value in written:
        errors, _ = structural.validate_value(schema, value)
        judgement.manual += [f"the API server would refuse the default: {error}" for error in errors]


def _plan_default(version: Version, context: Context, judgement: _Judgement) -> None:
    """The default itself, completed with what status requires."""
    assert version.status is not None
    schema = copy.copy(version.status)
    properties = schema["properties"] = dict(version.properties)
    if version.observed_generation is None:
        properties["observedGeneration"] = FIELD_SCHEMA
        pointer = f"{version.status_pointer}/properties/observedGeneration"
        judgement.operations.append(Operation(Op.ADD, pointer, FIELD_SCHEMA))
    else:
        field_schema = _with_replaced_default(version, judgement)
        properties["observedGeneration"] = {**field_schema, **_lower_bound(version, judgement)}
    before = mapping(version.status.get("default"))
    missing = [name for name in _required(version) if name not in before and name != "observedGeneration"]
    if missing:
        loosened = _is_loosened_first(version, context)
        shown = ", ".join(missing)
        if loosened:
            judgement.unsafe.append(f"status.required ({shown}) is loosened first by required-status-fields")
            judgement.waits = True
            schema["required"] = []
        else:
            judgement.unsafe.append(f"status.required asks for {shown}: the default is completed with zero values")
    _complete(version, schema, before, judgement)


def _complete(version: Version, schema: dict[str, Any], before: dict[str, Any], judgement: _Judgement) -> None:
    try:
        completed = structural.complete(schema, {**before, "observedGeneration": UNOBSERVED})
    except structural.NoZero as error:
        judgement.manual.append(f"the default cannot be completed: {error}")
        return
    errors, undecided = structural.validate_value(schema, completed)
    known = structural.validate_value(schema, before)[1] if before else []
    judgement.manual += [f"the API server would refuse the default: {error}" for error in errors]
    judgement.manual += [
        f"nobody but the API server can tell whether it accepts the default: {why}"
        for why in undecided
        if why not in known
    ]
    op = Op.MERGE if version.status is not None and version.status.get("default") is not None else Op.ADD
    judgement.operations.append(Operation(op, f"{version.status_pointer}/default", completed))


def _lower_bound(version: Version, judgement: _Judgement) -> dict[str, Any]:
    """Lower a ``minimum`` that refuses -1; returns the changed keyword."""
    declared = version.observed_generation or {}
    minimum = declared.get("minimum")
    if isinstance(minimum, bool) or not isinstance(minimum, int | float):
        return {}
    exclusive = declared.get("exclusiveMinimum") is True
    lowest = UNOBSERVED - 1 if exclusive else UNOBSERVED
    if minimum <= lowest:
        return {}
    keyword = "exclusive minimum" if exclusive else "minimum"
    judgement.unsafe.append(
        f"the {keyword} {minimum} of observedGeneration refuses -1 and is lowered: it is the author's bound"
    )
    judgement.operations.append(
        Operation(Op.REPLACE, f"{version.status_pointer}/properties/observedGeneration/minimum", lowest)
    )
    return {"minimum": lowest}


def _required(version: Version) -> list[str]:
    required = (version.status or {}).get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []


def _is_loosened_first(version: Version, context: Context) -> bool:
    pointer = f"{version.status_pointer}/required"
    is_reported = context.reports("required-status-fields", version, pointer)
    return is_reported and context.refusal((Operation(Op.REMOVE, pointer),)) is None


def _is_positive(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
