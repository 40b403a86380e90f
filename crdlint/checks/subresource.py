"""The status subresource: on, and nothing in its way.

With it, writes of the main endpoint ignore status and do not bump the generation for it; without it, every write of
status does (API conventions, "Spec and Status"; DataDog/chaos-controller#511).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.model import ROOT_KEYWORDS_BESIDE_STATUS, Version, mapping
from crdlint.findings import Applicability
from crdlint.settings import WRITES_STATUS_ENDPOINT
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import Mapping
from crdlint.yamltext.operations import Op, Operation

MISSING = "missing-status-subresource"


def missing_status_subresource(version: Version, context: Context) -> Iterator[Problem]:
    if version.status is None or version.has_status_subresource is not False:
        return
    pointer = _subresource_pointer(version)
    what = "`subresources.status` is empty" if pointer != version.parts_pointer else "there is no `subresources.status`"
    yield Problem(
        pointer,
        f"status is declared, but {what}: status is written through the main endpoint and every write of it bumps the "
        "generation, while clients that write /status get 404",
        subresource_draft(version, context),
        shown_at=_subresource_place(version),
    )


def status_subresource_without_status(version: Version, context: Context) -> Iterator[Problem]:
    declares = (
        version.status is not None or version.root_is_open or version.crd.node(version.status_pointer) is not None
    )
    if not version.has_status_subresource or declares or version.preserves_unknown_fields:
        return
    yield Problem(
        version.subresources_pointer,
        "the status subresource is on, but the schema declares no status: all that controllers write to it is pruned",
        Draft(Applicability.MANUAL),
    )


def status_required_at_root(version: Version, context: Context) -> Iterator[Problem]:
    if not version.has_status_subresource or "status" not in _root_required(version):
        return
    yield Problem(
        f"{version.schema_pointer}/required",
        "the root schema requires status while the subresource is on: the API server removes status before it "
        "validates, so that no object can ever be created",
        Draft(
            Applicability.SAFE,
            ("nothing could be created before, so nothing stored depends on it",),
            _loosen_root(version),
        ),
    )


def observed_generation_default_without_subresource(version: Version, context: Context) -> Iterator[Problem]:
    if version.has_status_subresource is not False or not version.has_fields:
        return
    observed = mapping(version.fresh_status).get("observedGeneration")
    if isinstance(observed, bool) or not isinstance(observed, int):
        return
    yield Problem(
        f"{version.status_pointer}/default",
        f"a new object gets observedGeneration {observed}, but the status subresource is off: each write of status "
        "bumps the generation, so the observed one never catches up and waiters never finish",
        subresource_draft(version, context),
    )


def subresource_draft(version: Version, context: Context) -> Draft:
    """How to switch the subresource on: with ``status`` dropped from the root's ``required`` in the same edit."""
    required = version.root.get("required")
    if isinstance(required, Templated) or any(isinstance(name, Templated) for name in _root_required(version)):
        return Draft(Applicability.MANUAL, ("a template decides whether the root requires status",))
    forbidden = [key for key, value in version.root.items() if _forbids_subresource(key, value)]
    if forbidden:
        shown = ", ".join(f"`{key}`" for key in sorted(forbidden))
        return Draft(
            Applicability.MANUAL, (f"the API server forbids {shown} at the root of the schema beside the subresource",)
        )
    if _would_be_identical(version):
        why = f"{version.crd.api_version} refuses per-version subresources that are all identical: move them to "
        return Draft(Applicability.MANUAL, (why + "spec.subresources",))
    operations = (Operation(Op.ADD, f"{version.subresources_pointer}/status", {}), *_loosen_root(version))
    loosened = ("status is dropped from the root's `required` in the same edit: with it nothing could be created",)
    common = loosened if _loosen_root(version) else ()
    if WRITES_STATUS_ENDPOINT in context.controllers.writes:
        return Draft(
            Applicability.SAFE,
            ("the configuration says that the controllers write the /status endpoint", *common),
            operations,
        )
    return Draft(
        Applicability.UNSAFE,
        (
            "controllers must write through /status (Status().Update or Status().Patch): with a plain Update or Patch "
            "of the main endpoint their status silently stops being stored",
            f"controllers need RBAC for `{_plural(version)}/status` (verbs update and patch)",
            "status in manifests and backups that are applied is ignored from then on",
            *common,
        ),
        operations,
    )


def is_fixable_here(version: Version, context: Context, draft: Draft) -> bool:
    """Will the subresource be switched on in this run, if the user allows it?"""
    if draft.applicability is Applicability.MANUAL or context.refusal(draft.operations) is not None:
        return False
    return context.reports(MISSING, version, _subresource_place(version))


def _subresource_pointer(version: Version) -> str:
    """Where the absence shows: at the empty value, or at the version."""
    holder = version.crd.node(version.parts_pointer)
    if not isinstance(holder, Mapping) or holder.get("subresources") is None:
        return version.parts_pointer
    status = version.crd.node(f"{version.subresources_pointer}/status")
    return version.subresources_pointer + ("" if status is None else "/status")


def _subresource_place(version: Version) -> str:
    """What to show for it: the name of a version stands for the version."""
    pointer = _subresource_pointer(version)
    return f"{pointer}/name" if pointer == version.pointer != "/spec" else pointer


def _root_required(version: Version) -> list[Any]:
    required = version.root.get("required")
    return required if isinstance(required, list) else []


def _loosen_root(version: Version) -> tuple[Operation, ...]:
    return tuple(
        Operation(Op.REMOVE, f"{version.schema_pointer}/required/{index}")
        for index, name in enumerate(_root_required(version))
        if name == "status"
    )


def _forbids_subresource(keyword: str, value: Any) -> bool:
    """A keyword counts only if it says something: the API server drops empty ones when it decodes."""
    if isinstance(keyword, Templated) or keyword in ROOT_KEYWORDS_BESIDE_STATUS or value is None:
        return False
    return keyword == "additionalProperties" or not (value is False or value in ([], ""))


def _would_be_identical(version: Version) -> bool:
    """Would all versions of a v1beta1 CRD have the same subresources, each of its own?"""
    if not version.crd.is_obsolete or version.parts_pointer == "/spec":
        return False
    fixed = {**mapping(version.subresources), "status": {}}
    return all(other is version or mapping(other.subresources) == fixed for other in version.crd.versions)


def _plural(version: Version) -> str:
    return (version.crd.name or "<plural>").partition(".")[0]
