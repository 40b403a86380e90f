"""The pack `capi`: what Cluster API's book asks of the CRDs of its providers.

`roles` tells which part of the contract a kind plays, `contracts` which contract a version is held to. Most rules are
tables of fields (`common`, `infrastructure`, `control_plane`), which `topics` holds against the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crdlint.checks.capi import common, control_plane, infrastructure, markers, names, scale, status
from crdlint.checks.capi.topics import Topic
from crdlint.checks.context import Context, Problem
from crdlint.crd.model import Version

TOPICS: dict[str, Topic] = {
    "capi_addresses": infrastructure.ADDRESSES,
    "capi_autoscaling": infrastructure.AUTOSCALING,
    "capi_control_plane_endpoint": infrastructure.CONTROL_PLANE_ENDPOINT,
    "capi_control_plane_machines": control_plane.MACHINES,
    "capi_data_secret_name": common.DATA_SECRET_NAME,
    "capi_failure_domains": infrastructure.FAILURE_DOMAINS,
    "capi_initialization": common.INITIALIZATION,
    "capi_machine_pool_instances": infrastructure.MACHINE_POOL_INSTANCES,
    "capi_provider_id": infrastructure.PROVIDER_ID,
    "capi_replicas": control_plane.REPLICAS,
    "capi_rollout_after": control_plane.ROLLOUT_AFTER,
    "capi_template_spec": common.TEMPLATE_SPEC,
    "capi_version": control_plane.VERSION,
}


def _field_markers(version: Version, context: Context) -> Iterator[Problem]:
    return markers.field_markers(version, context, tuple(TOPICS.values()))


CHECKS: dict[str, Callable[[Version, Context], Iterator[Problem]]] = {
    **{name: topic.check for name, topic in TOPICS.items()},
    "capi_conditions": status.conditions,
    "capi_contract_label": names.contract_label,
    "capi_crd_name": names.crd_name,
    "capi_field_markers": _field_markers,
    "capi_list_kind": names.list_kind,
    "capi_provider_label": names.provider_label,
    "capi_scale_subresource": scale.scale_subresource,
    "capi_scope": names.scope,
    "capi_terminal_failures": status.terminal_failures,
    "capi_type_meta": names.type_meta,
}
