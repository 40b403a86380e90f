"""Checks that a JSON Schema cannot express. A rule file names one of these; nothing else can be named there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crdlint.checks import (
    capi,
    columns,
    conditions,
    conventions,
    defaults,
    observed_generation,
    paused,
    shape,
    subresource,
)
from crdlint.checks.context import Context, Problem
from crdlint.crd.model import Version

Check = Callable[[Version, Context], Iterator[Problem]]

CHECKS: dict[str, Check] = {
    **capi.CHECKS,
    **conventions.CHECKS,
    **observed_generation.CHECKS,
    "condition_observed_generation": conditions.condition_observed_generation,
    "conditions_list_type": conditions.conditions_list_type,
    "conditions_not_a_list": conditions.conditions_not_a_list,
    "extra_condition_fields": conditions.extra_condition_fields,
    "missing_conditions": conditions.missing_conditions,
    "missing_status_subresource": subresource.missing_status_subresource,
    "non_metav1_conditions": conditions.non_metav1_conditions,
    "observed_generation_type": shape.observed_generation_type,
    "obsolete_crd_version": shape.obsolete_crd_version,
    "observed_generation_default_without_subresource": subresource.observed_generation_default_without_subresource,
    "paused_column": paused.paused_column,
    "paused_condition": paused.paused_condition,
    "paused_wait": paused.paused_wait,
    "pruned_status": shape.pruned_status,
    "required_status_fields": shape.required_status_fields,
    "rejected_default": defaults.rejected_default,
    "status_required_at_root": subresource.status_required_at_root,
    "status_subresource_without_status": subresource.status_subresource_without_status,
    "unknown_status_path": columns.unknown_status_path,
}
