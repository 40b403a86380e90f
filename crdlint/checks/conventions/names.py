"""What a status is made of, and what its parts are called (API conventions, "Spec and Status", "Conditions")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from crdlint.checks.context import Context, Draft, Problem
from crdlint.checks.conventions.fields import Field, listed, problems, status_fields
from crdlint.crd.clusterapi import is_cluster_api
from crdlint.crd.model import Version, mapping
from crdlint.findings import Applicability
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import Mapping, join_pointer

_TOP_LEVEL = ("apiVersion", "kind", "metadata", "spec", "status")
# Within items or values, and on the way from one contract of Cluster API to the next.
_NOT_OF_THE_OBJECT = ("[]", "{}", ".v1beta2.", ".deprecated.")
_FILTER = re.compile(r"""@\.type\s*={2}\s*["']([^"']*)["']""")
# A type may have a domain before it, as the keys of labels may.
_PASCAL_CASE = re.compile(r"(?:[a-z0-9.-]+/)?[A-Z][A-Za-z0-9]*")


def top_level_fields(version: Version, context: Context) -> Iterator[Problem]:
    pointer = f"{version.schema_pointer}/properties"
    declared = version.crd.node(pointer)
    names = [key.key for key, _ in declared.entries if key.templated is None] if isinstance(declared, Mapping) else []
    others = [name for name in names if name not in _TOP_LEVEL]
    if others and {"spec", "status"} <= set(names):
        yield Problem(
            pointer + join_pointer([others[0]]),
            f"there are fields beside spec and status ({listed(others)}): with the status subresource they count as "
            "wanted, and nobody looks there for what is wanted",
            Draft(Applicability.MANUAL),
        )


def nested_conditions(version: Version, context: Context) -> Iterator[Problem]:
    yield from problems(
        [field for field in status_fields(version, context) if _is_nested(field)],
        "conditions of the object do not stand at status.conditions",
        "neither kstatus nor `kubectl wait` looks there",
    )


def _is_nested(field: Field) -> bool:
    """A list of conditions within the status. Those of a list's items speak of the items, and belong to them."""
    return field.is_condition_list and not any(mark in field.path for mark in _NOT_OF_THE_OBJECT)


def phase(version: Version, context: Context) -> Iterator[Problem]:
    """Cluster API keeps its phases on purpose."""
    if not version.has_fields or is_cluster_api(version.crd, context.capi):
        return
    names = [name for name in version.properties if "phase" in name.lower() and not isinstance(name, Templated)]
    if names:
        yield Problem(
            f"{version.status_pointer}/properties{join_pointer([names[0]])}",
            f"status has {listed(names)}: a new phase breaks the clients that know the old "
            "ones, where conditions could be added",
            Draft(Applicability.MANUAL),
        )


def condition_type_names(version: Version, context: Context) -> Iterator[Problem]:
    for pointer, name in _condition_types(version):
        if not _PASCAL_CASE.fullmatch(name):
            yield Problem(
                pointer,
                f"the condition type {name!r} is not in PascalCase, in which people and tools look for it",
                Draft(Applicability.MANUAL),
            )


def _condition_types(version: Version) -> Iterator[tuple[str, str]]:
    """The types that the schema or the printer columns name, and where."""
    for conditions in version.condition_lists():
        enum = mapping(conditions.fields.get("type")).get("enum")
        for index, name in enumerate(enum if isinstance(enum, list) else []):
            if isinstance(name, str) and not isinstance(name, Templated):
                yield f"{conditions.pointer}/items/properties/type/enum/{index}", name
    columns = version.crd.data(f"{version.pointer}/additionalPrinterColumns")
    for index, column in enumerate(columns if isinstance(columns, list) else []):
        path: Any = mapping(column).get("jsonPath")
        if isinstance(path, str) and not isinstance(path, Templated) and path.startswith(".status.conditions["):
            for match in _FILTER.finditer(path):
                yield f"{version.pointer}/additionalPrinterColumns/{index}/jsonPath", match[1]
