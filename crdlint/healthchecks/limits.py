"""What no health check can make up for in a schema."""

from __future__ import annotations

from collections.abc import Sequence

from crdlint.checks.races import has_integer_type
from crdlint.crd.model import Version, mapping
from crdlint.healthchecks.conditions_of import observes_generation

_UNSEEN = (
    "neither status nor the conditions say which generation they speak of: after a change of spec the old answer "
    "stands until the controller has written again"
)
_NEVER = (
    "the status subresource is off, so that each write of status is a generation that nobody has observed: no check "
    "can call such an object ready; `crdlint explain missing-status-subresource` tells what to do"
)


def limits(versions: Sequence[Version]) -> list[str]:
    """In words, for each version."""
    found = []
    for version in versions:
        if never_converges(version):
            found.append(f"{version.name}: {_NEVER}")
        elif not tells_generation(version):
            found.append(f"{version.name}: {_UNSEEN}")
    return found


def tells_generation(version: Version) -> bool:
    """Can an answer be told from one for an earlier generation?"""
    return observes_generation(version) or has_integer_type(version.observed_generation or {})


def never_converges(version: Version) -> bool:
    """Does each write of status outdate itself?"""
    return version.has_status_subresource is False and tells_generation(version)


def conditions_may_wait(version: Version) -> bool:
    """Does `kubectl wait` believe no condition before status has an observed generation of its own?

    Status begins with a generation that nobody has observed, and the conditions have none.
    """
    observed = mapping(version.fresh_status).get("observedGeneration")
    return isinstance(observed, int) and observed < 1 and not observes_generation(version)
