"""The edit that gives a version's fresh object an observed generation of -1, and what stands in its way."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from crdlint.checks import races
from crdlint.checks.context import Context
from crdlint.crd import structural
from crdlint.crd.model import Version, mapping
from crdlint.findings import Applicability
from crdlint.yamltext.operations import Op, Operation

UNOBSERVED = -1
FIELD_SCHEMA: dict[str, Any] = {"format": "int64", "type": "integer"}


@dataclass
class Judgement:
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


def plan(version: Version, race: races.Race, context: Context, judgement: Judgement) -> None:
    """Add to the judgement the operations that cure a race, and what the API server would say of their result."""
    if race.rule == races.WRONG_DEFAULT:
        _plan_replacement(version, judgement)
    elif race.rule == races.INEFFECTIVE_DEFAULT and _empty_default_suffices(version, judgement):
        return
    else:
        _plan_default(version, context, judgement)


def _plan_replacement(version: Version, judgement: Judgement) -> None:
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


def _empty_default_suffices(version: Version, judgement: Judgement) -> bool:
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


def _with_replaced_default(version: Version, judgement: Judgement) -> dict[str, Any]:
    """The schema of the field, its own default -1 where it was above 0."""
    field_schema = dict(version.observed_generation or {})
    if _is_positive(field_schema.get("default")):
        pointer = f"{version.status_pointer}/properties/observedGeneration/default"
        judgement.operations.append(Operation(Op.REPLACE, pointer, UNOBSERVED))
        field_schema["default"] = UNOBSERVED
    return field_schema


def _check_written(
    version: Version, field_schema: dict[str, Any], default: dict[str, Any], judgement: Judgement
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


def _plan_default(version: Version, context: Context, judgement: Judgement) -> None:
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


def _complete(version: Version, schema: dict[str, Any], before: dict[str, Any], judgement: Judgement) -> None:
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


def _lower_bound(version: Version, judgement: Judgement) -> dict[str, Any]:
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
