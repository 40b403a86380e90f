"""Which rule on the observed generation of a fresh object a version breaks.

A version has at most one of them: the one that names what is missing. Source: kubernetes-sigs/cluster-api#9299.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from crdlint.consumers import kstatus
from crdlint.crd import structural
from crdlint.crd.model import Version, lacks, mapping
from crdlint.yamltext.data import Templated

MISSING = "missing-observed-generation"
MISSING_DEFAULT = "missing-observed-generation-default"
INEFFECTIVE_DEFAULT = "ineffective-observed-generation-default"
WRONG_DEFAULT = "wrong-observed-generation-default"


class Race(NamedTuple):
    """A broken rule, and the pointer to what breaks it."""

    rule: str
    pointer: str


def has_integer_type(field: dict[str, Any]) -> bool:
    """integer, or int-or-string, which kstatus reads where an integer is stored."""
    return field.get("type") == "integer" or field.get("x-kubernetes-int-or-string") is True


def race_of(version: Version) -> Race | None:
    """The rule that an object of this version breaks when it is first read, if any.

    None as well where a template leaves open what the schema says, and where the type of the field is wrong, which is
    another rule's business.
    """
    status, field = version.status, version.observed_generation
    if status is None or version.crd.is_obsolete or not version.has_fields:
        return None
    if field is not None and not has_integer_type(field):
        return None
    fresh = version.fresh_status
    if _is_unknown(version, fresh):
        return None
    observed = mapping(fresh).get("observedGeneration")
    if isinstance(observed, int) and not isinstance(observed, bool):
        return Race(WRONG_DEFAULT, _default_pointer(version)) if observed > 0 else None
    if not is_current_when_fresh(version):
        return None
    if field is None:
        return Race(MISSING, version.status_pointer)
    if field.get("default") is not None:
        return Race(INEFFECTIVE_DEFAULT, f"{version.status_pointer}/properties/observedGeneration/default")
    return Race(MISSING_DEFAULT, version.status_pointer)


def is_current_when_fresh(version: Version) -> bool:
    """Does kstatus call an object of this version Current before any controller has seen it?"""
    resource: dict[str, Any] = {"kind": version.crd.kind, "metadata": {"generation": 1}}
    if version.fresh_status is not structural.ABSENT:
        resource["status"] = version.fresh_status
    try:
        return kstatus.compute(resource).status == kstatus.CURRENT
    except kstatus.ComputeError:
        return False


def is_undecided(version: Version) -> bool:
    """Does a template decide whether a new object is taken as ready?"""
    if version.status is None:
        return version.root_is_open
    return _is_unknown(version, version.fresh_status)


def is_taken_as_ready(version: Version) -> bool:
    """Is a new object of a version with a status ready to kstatus? Not where a template decides that."""
    if version.status is None or _is_unknown(version, version.fresh_status):
        return False
    return is_current_when_fresh(version)


def _is_unknown(version: Version, fresh: Any) -> bool:
    assert version.status is not None
    if version.fields_are_unknown:
        return True
    field = version.properties.get("observedGeneration")
    read = [mapping(fresh).get(key) for key in ("observedGeneration", "conditions")]
    parts = (field, mapping(field).get("default"), version.status.get("default"), *read, *mapping(field))
    return any(isinstance(part, Templated) for part in parts)


def _default_pointer(version: Version) -> str:
    assert version.status is not None
    default = mapping(version.status.get("default"))
    if lacks(default, "observedGeneration"):
        return f"{version.status_pointer}/properties/observedGeneration/default"
    return f"{version.status_pointer}/default/observedGeneration"
