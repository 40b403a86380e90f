"""The calls by which controllers write status: of which library, and which argument is the object."""

from __future__ import annotations

import re
from typing import NamedTuple

from crdlint.gosource.evidence import Question, Verdict
from crdlint.gosource.packages import Packages
from crdlint.gosource.values import CAPI, FLUX, PATCH_PACKAGES

_META = "k8s.io/apimachinery/pkg/api/meta"
_CONDITIONS = f"{CAPI}/util/conditions"
_DEPRECATED = f"{CAPI}/util/deprecated/v1beta1"
_MARKS = ("MarkTrue", "MarkFalse", "MarkUnknown", "Set", "SetSummary", "SetMirror", "SetAggregate")
# Cluster API 1.11 made util/conditions the package for metav1 conditions; before, it was that of the older ones.
_METAV1_SINCE = (1, 11)

OPTION_TYPES = frozenset((package, "WithStatusObservedGeneration") for package in PATCH_PACKAGES)
OPTION_FUNCTIONS = frozenset(
    ((f"{FLUX}/reconcile", "AddPatchOptions"), (f"{FLUX}/reconcile", "ComputeReconcileResult")),
)
# What makes a patch helper, and of which type that is.
HELPERS = {
    (package, f"New{name}"): (package, name) for package in PATCH_PACKAGES for name in ("Helper", "SerialPatcher")
}
HELPER_TYPES = frozenset(HELPERS.values())
CLIENT = "sigs.k8s.io/controller-runtime/pkg/client"
# What writes /status only: the types of `Status()` and `SubResource("status")`.
STATUS_WRITERS = frozenset((CLIENT, name) for name in ("StatusWriter", "SubResourceWriter", "SubResourceClient"))
UNSTRUCTURED = "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
SET_STATUS_CONDITION = (_META, "SetStatusCondition")


class Library(NamedTuple):
    """What a function of a library does to the object that is its argument of this index."""

    argument: int
    answers: tuple[tuple[Question, Verdict], ...]
    # Is the next argument the condition, whose type tells whether this sets Paused?
    with_condition: bool = False


_OBSERVES = ((Question.CONDITION_GENERATION, Verdict.WRITTEN),)
_DOES_NOT = ((Question.CONDITION_GENERATION, Verdict.NOT_FOUND),)
_OPEN = ((Question.CONDITION_GENERATION, Verdict.UNKNOWN),)
_PAUSED = ((Question.PAUSED, Verdict.WRITTEN), (Question.STATUS_ENDPOINT, Verdict.WRITTEN))

_FUNCTIONS = {
    (_CONDITIONS, "Set"): Library(0, _OBSERVES, with_condition=True),
    (_CONDITIONS, "SetSummaryCondition"): Library(1, _OBSERVES),
    (_CONDITIONS, "SetMirrorCondition"): Library(1, _OBSERVES),
    (_CONDITIONS, "SetMirrorConditionFromUnstructured"): Library(1, _OBSERVES),
    (_CONDITIONS, "SetAggregateCondition"): Library(1, _OBSERVES),
    (f"{CAPI}/util/paused", "EnsurePausedCondition"): Library(3, (*_PAUSED, *_OBSERVES)),
    (f"{_DEPRECATED}/paused", "EnsurePausedCondition"): Library(3, (*_PAUSED, *_OPEN)),
    **{(f"{FLUX}/conditions", name): Library(0, _OBSERVES) for name in (*_MARKS, "MarkReconciling", "MarkStalled")},
    **{(f"{_DEPRECATED}/conditions", name): Library(0, _DOES_NOT) for name in _MARKS},
    # Their conditions stand beside those that this asks of.
    **{(f"{_CONDITIONS}/v1beta2", name): Library(0, _OPEN) for name in ("Set", "SetSummaryCondition")},
    **{(f"{_DEPRECATED}/conditions/v1beta2", name): Library(0, _OPEN) for name in ("Set", "SetSummaryCondition")},
}


def library_function(packages: Packages, path: str, name: str) -> Library | None:
    """What a function does, where it is one that crdlint knows."""
    if path == _CONDITIONS and name in _MARKS and not _has_metav1_conditions(packages):
        return Library(0, _DOES_NOT)
    return _FUNCTIONS.get((path, name))


def _has_metav1_conditions(packages: Packages) -> bool:
    """Is the Cluster API of this repository new enough for util/conditions to be that of metav1 conditions?"""
    match = re.match(r"v([0-9]+)\.([0-9]+)", packages.required.get(CAPI, ""))
    return match is not None and (int(match[1]), int(match[2])) >= _METAV1_SINCE
