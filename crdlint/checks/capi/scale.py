"""The scale subresource of a control plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.checks.capi.contracts import contract_of
from crdlint.checks.capi.roles import Role, role_of
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.model import Version, mapping
from crdlint.findings import Applicability
from crdlint.yamltext.data import Templated
from crdlint.yamltext.operations import Op, Operation

# The paths that the book gives.
PATHS = {
    "labelSelectorPath": ".status.selector",
    "specReplicasPath": ".spec.replicas",
    "statusReplicasPath": ".status.replicas",
}


def scale_subresource(version: Version, context: Context) -> Iterator[Problem]:
    if role_of(version.crd, context.capi) is not Role.CONTROL_PLANE or contract_of(version, context.capi) is None:
        return
    scale = mapping(version.subresources).get("scale")
    if not version.schema.at("spec.replicas").is_declared or _is_templated(version.subresources, scale):
        return
    pointer = f"{version.subresources_pointer}/scale"
    wrong = {keyword: path for keyword, path in PATHS.items() if mapping(scale).get(keyword) != path}
    if scale is None:
        yield Problem(
            version.parts_pointer if version.subresources is None else version.subresources_pointer,
            "ControlPlane has `spec.replicas`, but no scale subresource: `kubectl scale` and autoscalers fail on it",
            Draft(Applicability.UNSAFE, (), (Operation(Op.ADD, pointer, PATHS),)),
        )
    elif wrong:
        shown = ", ".join(f"`{keyword}` is not `{path}`" for keyword, path in wrong.items())
        operations = [
            Operation(Op.REPLACE if keyword in mapping(scale) else Op.ADD, f"{pointer}/{keyword}", path)
            for keyword, path in wrong.items()
        ]
        yield Problem(
            pointer,
            f"ControlPlane has a scale subresource with other paths than the contract's: {shown}",
            Draft(Applicability.UNSAFE, (), tuple(operations)),
        )


def _is_templated(subresources: Any, scale: Any) -> bool:
    """Does a template write the subresource, or any of it?"""
    parts = (subresources, scale, *mapping(subresources), *mapping(scale), *mapping(scale).values())
    return any(isinstance(part, Templated) for part in parts)
