"""``metav1.Condition`` as a schema, and how a declared condition differs from it.

The shape is what controller-gen emits for ``[]metav1.Condition`` with ``+listType=map`` and ``+listMapKey=type``
(apimachinery, pkg/apis/meta/v1/types.go). Descriptions never count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import join_pointer
from crdlint.yamltext.operations import Op, Operation

OBSERVED_GENERATION: dict[str, Any] = {"format": "int64", "minimum": 0, "type": "integer"}
FIELDS: dict[str, dict[str, Any]] = {
    "lastTransitionTime": {"format": "date-time", "type": "string"},
    "message": {"maxLength": 32768, "type": "string"},
    "observedGeneration": OBSERVED_GENERATION,
    "reason": {
        "maxLength": 1024,
        "minLength": 1,
        "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
        "type": "string",
    },
    "status": {"enum": ["True", "False", "Unknown"], "type": "string"},
    "type": {
        "maxLength": 316,
        "pattern": r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
        r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
        "type": "string",
    },
}
REQUIRED = ("lastTransitionTime", "message", "reason", "status", "type")
METAV1_LIST: dict[str, Any] = {
    "items": {"properties": FIELDS, "required": list(REQUIRED), "type": "object"},
    "type": "array",
    "x-kubernetes-list-map-keys": ["type"],
    "x-kubernetes-list-type": "map",
}

_SCALARS = ("string", "integer", "number", "boolean")
# Patterns that refuse nothing.
_EMPTY_PATTERNS = ("", ".*", "^.*", ".*$", "^.*$", "^", "$")


@dataclass(frozen=True)
class ConditionList:
    """A declared list of conditions: its schema, and the pointer to it from the CRD."""

    pointer: str
    schema: dict[str, Any]

    @property
    def items(self) -> dict[str, Any]:
        items = self.schema.get("items")
        return items if isinstance(items, dict) else {}

    @property
    def fields(self) -> dict[str, Any]:
        """The declared fields of one condition."""
        fields = self.items.get("properties")
        return fields if isinstance(fields, dict) else {}

    @property
    def required(self) -> list[Any]:
        required = self.items.get("required")
        return required if isinstance(required, list) else []

    @property
    def is_array(self) -> bool:
        return self.schema.get("type") == "array"

    @cached_property
    def is_unknown(self) -> bool:
        """Does a template, or an undeclared type, leave open what stands here?"""
        if _is_templated(self.schema):
            return True
        shapes = ("type", "items", "properties", "additionalProperties")
        return not any(self.schema.get(key) is not None for key in shapes)

    @property
    def is_list_of_conditions(self) -> bool:
        """A list of objects that have a scalar ``type``: what the rules on single conditions need."""
        kind = self.fields.get("type")
        return (
            self.is_array
            and self.items.get("type", "object") == "object"
            and isinstance(kind, dict)
            and kind.get("type") in _SCALARS
        )

    @property
    def observes_generation(self) -> bool:
        """Does each condition declare an ``observedGeneration`` of its own?"""
        return "observedGeneration" in self.fields


@dataclass(frozen=True)
class Difference:
    """How one condition differs from ``metav1.Condition``; without operations no edit of the schema cures it."""

    text: str
    operations: tuple[Operation, ...] = ()
    why_not: str = ""


def _is_templated(schema: Any) -> bool:
    """Does a template write any of this, descriptions aside?"""
    if isinstance(schema, dict):
        return any(
            isinstance(key, Templated) or (key != "description" and _is_templated(value))
            for key, value in schema.items()
        )
    if isinstance(schema, list):
        return any(map(_is_templated, schema))
    return isinstance(schema, Templated)


def differences(conditions: ConditionList) -> list[Difference]:
    """Where the items are weaker than ``metav1.Condition``, or other. Silent where they are stronger."""
    found: list[Difference] = []
    for name in REQUIRED:
        pointer = conditions.pointer + "/items/properties" + join_pointer([name])
        field = conditions.fields.get(name)
        if field is None:
            found.append(Difference(f"`{name}` is not declared", (Operation(Op.ADD, pointer, FIELDS[name]),)))
        elif isinstance(field, dict):
            found += _field_differences(name, field, FIELDS[name], pointer)
    for name in REQUIRED:
        if name not in conditions.required:
            pointer = conditions.pointer + "/items/required"
            found.append(Difference(f"`{name}` is not required", (Operation(Op.INSERT, pointer, name),)))
    return found


def _field_differences(name: str, field: dict[str, Any], wanted: dict[str, Any], pointer: str) -> list[Difference]:
    if field.get("type") != wanted["type"]:
        return [_type_difference(name, field, wanted, pointer)]
    found: list[Difference] = []
    if name == "status":
        found += _enum_differences(field, wanted["enum"], pointer)
    if field.get("format") != wanted.get("format") and "format" in wanted:
        found.append(_format_difference(name, field, wanted, pointer))
    if isinstance(field.get("enum"), list):
        return found  # the author's own list of values is stronger than bounds and patterns
    for keyword in ("maxLength", "minLength", "pattern"):
        if keyword in wanted and _is_weaker(keyword, field.get(keyword), wanted[keyword]):
            operation = _set(field, pointer, keyword, wanted[keyword])
            found.append(Difference(_weaker_text(name, keyword, field.get(keyword), wanted[keyword]), (operation,)))
    return found


def _type_difference(name: str, field: dict[str, Any], wanted: dict[str, Any], pointer: str) -> Difference:
    declared = field.get("type")
    if declared is None and not any(key.startswith("x-kubernetes-int-or-string") for key in field):
        return Difference(f"`{name}` has no type", (_set(field, pointer, "type", wanted["type"]),))
    shown = "int-or-string" if declared is None else declared
    why = f"what is stored for `{name}` would have to change from {shown} to {wanted['type']}"
    return Difference(f"`{name}` is of type {shown}, not {wanted['type']}", why_not=why)


def _format_difference(name: str, field: dict[str, Any], wanted: dict[str, Any], pointer: str) -> Difference:
    declared = field.get("format")
    if declared is None:
        operation = _set(field, pointer, "format", wanted["format"])
        return Difference(f"`{name}` lacks `format: {wanted['format']}`", (operation,))
    why = f"what is stored for `{name}` would have to change from {declared} to {wanted['format']}"
    return Difference(f"`{name}` has `format: {declared}`, not {wanted['format']}", why_not=why)


def _enum_differences(field: dict[str, Any], wanted: list[str], pointer: str) -> list[Difference]:
    declared = field.get("enum")
    if not isinstance(declared, list) or not declared:
        return [Difference('`status` lacks the enum "True", "False", Unknown', (_set(field, pointer, "enum", wanted),))]
    booleans = [value for value in declared if isinstance(value, bool)]
    other = [value for value in declared if value not in wanted and not isinstance(value, bool)]
    if other:
        shown = ", ".join(map(str, other))
        return [Difference(f"the enum of `status` allows {shown}", why_not=f"the enum would lose {shown}")]
    if booleans:
        operations = tuple(
            Operation(Op.REPLACE, f"{pointer}/enum/{index}", str(value))
            for index, value in enumerate(declared)
            if isinstance(value, bool)
        )
        return [Difference("the enum of `status` holds unquoted booleans, which match no string", operations)]
    return []


def _is_weaker(keyword: str, declared: Any, wanted: Any) -> bool:
    if keyword == "pattern":
        return declared is None or declared in _EMPTY_PATTERNS
    if isinstance(declared, bool) or not isinstance(declared, int | float):
        return declared is None
    return bool(declared > wanted if keyword == "maxLength" else declared < wanted)


def _weaker_text(name: str, keyword: str, declared: Any, wanted: Any) -> str:
    if declared is None:
        return f"`{name}` lacks `{keyword}`" + ("" if keyword == "pattern" else f" {wanted}")
    return f"`{name}` has `{keyword}: {declared}`" + ("" if keyword == "pattern" else f", weaker than {wanted}")


def _set(schema: dict[str, Any], pointer: str, keyword: str, value: Any) -> Operation:
    op = Op.ADD if schema.get(keyword) is None else Op.REPLACE
    return Operation(op, f"{pointer}/{keyword}", value)
