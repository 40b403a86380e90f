"""Printer columns and scale paths that name a status field which the schema does not declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.jsonpath import undeclared
from crdlint.crd.model import Version, mapping
from crdlint.findings import Applicability
from crdlint.yamltext.data import Templated

_SCALE_PATHS = ("statusReplicasPath", "labelSelectorPath")


def unknown_status_path(version: Version, context: Context) -> Iterator[Problem]:
    if not version.has_fields or version.crd.preserves_unknown_fields:
        return
    assert version.status is not None
    for pointer, path in _paths(version):
        missing = undeclared(version.status, path)
        if missing is not None:
            yield Problem(
                pointer,
                f"`{path}` names the status field `{missing}`, which the schema does not declare: it is always empty",
                Draft(Applicability.MANUAL),
            )


def _paths(version: Version) -> Iterator[tuple[str, str]]:
    """Pointer and path of each column and scale path that leads into status."""
    keyword = "JSONPath" if version.crd.is_obsolete else "jsonPath"
    for holder in (version.pointer, "/spec") if version.crd.is_obsolete else (version.pointer,):
        columns = version.crd.data(f"{holder}/additionalPrinterColumns")
        for index, column in enumerate(columns if isinstance(columns, list) else []):
            yield from _in_status(f"{holder}/additionalPrinterColumns/{index}/{keyword}", mapping(column).get(keyword))
    scale = mapping(mapping(version.subresources).get("scale"))
    for keyword in _SCALE_PATHS:
        yield from _in_status(f"{version.subresources_pointer}/scale/{keyword}", scale.get(keyword))


def _in_status(pointer: str, path: Any) -> Iterator[tuple[str, str]]:
    if isinstance(path, str) and not isinstance(path, Templated) and path.startswith((".status.", ".status[")):
        yield pointer, path
