"""What the contract says of a status beyond its fields: conditions, and failures that nobody reads any more."""

from __future__ import annotations

from collections.abc import Iterator

from crdlint.checks.capi.contracts import END_OF_V1BETA1, V1BETA2, contract_of
from crdlint.checks.capi.roles import Role, role_of
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.conditions import METAV1_LIST, ConditionList
from crdlint.crd.model import Version, lacks, mapping
from crdlint.findings import Applicability
from crdlint.yamltext.operations import Op, Operation

# The rule of the core pack that says the same of every kind.
_MISSING_CONDITIONS = "missing-conditions"
_AUTHORS_LIST = "only the author knows why a condition may not say it"
_FAILURES = ("failureReason", "failureMessage")
_STATUSES = ("True", "False", "Unknown")


def conditions(version: Version, context: Context) -> Iterator[Problem]:
    """The conditions that Cluster API mirrors: they are there, and can hold what it looks for."""
    role = role_of(version.crd, context.capi)
    if role is None or role.is_template or not version.has_fields:
        return
    if role is not Role.IPAM_POOL and contract_of(version, context.capi) is None:
        return
    declared = version.conditions
    mirrored = "Available" if role is Role.CONTROL_PLANE else "Ready"
    if declared is not None:
        yield from _unreadable(declared, role, mirrored)
    elif _are_missing(version, context):
        pointer = f"{version.status_pointer}/properties/conditions"
        yield Problem(
            version.status_pointer,
            f"{role.value} has no conditions: Cluster API has no `{mirrored}` to show for it",
            Draft(Applicability.UNSAFE, (), (Operation(Op.ADD, pointer, METAV1_LIST),)),
        )


def _are_missing(version: Version, context: Context) -> bool:
    """Are there none, and has the core pack not said so already?"""
    if not version.properties or version.fields_are_unknown or not lacks(version.properties, "conditions"):
        return False
    return not context.reports(_MISSING_CONDITIONS, version, version.status_pointer)


def _unreadable(declared: ConditionList, role: Role, mirrored: str) -> Iterator[Problem]:
    if not declared.is_list_of_conditions or declared.is_unknown:
        return
    for name, wanted in (("type", (mirrored,)), ("status", _STATUSES)):
        allowed = mapping(declared.fields.get(name)).get("enum")
        # That a status is not declared, or is a boolean, `non-metav1-conditions` says of every kind.
        refused = [value for value in wanted if isinstance(allowed, list) and value not in map(str, allowed)]
        if refused:
            yield Problem(
                declared.pointer,
                f"conditions of {role.value} refuse the {name} {', '.join(refused)}",
                Draft(Applicability.MANUAL, (_AUTHORS_LIST,)),
            )


def terminal_failures(version: Version, context: Context) -> Iterator[Problem]:
    """Failures outside of conditions, which the contract v1beta2 has no more."""
    role = role_of(version.crd, context.capi)
    if role in (None, Role.IPAM_POOL) or role.is_template or contract_of(version, context.capi) != V1BETA2:
        return
    found = [name for name in _FAILURES if name in version.properties]
    if found:
        shown = " and ".join(f"`status.{name}`" for name in found)
        yield Problem(
            f"{version.status_pointer}/properties/{found[0]}",
            f"{role.value} of contract v1beta2 reports failures in {shown}: nothing stops at that any more, and it is "
            f"read until {END_OF_V1BETA1}; a condition should say it",
            Draft(Applicability.MANUAL),
        )
