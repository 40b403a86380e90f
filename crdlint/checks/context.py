"""What a check may know beside the text, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from crdlint.crd.model import Crd, Version
from crdlint.findings import Applicability, Severity
from crdlint.settings import Capi, Controllers
from crdlint.yamltext.operations import Operation


@dataclass(frozen=True)
class Draft:
    """A fix as a check proposes it. The rule's own reasons come in addition where it is as applicable as usual."""

    applicability: Applicability
    reasons: tuple[str, ...] = ()
    operations: tuple[Operation, ...] = ()
    stage: int = 0


@dataclass(frozen=True)
class Problem:
    """What a check found, at a pointer from the CRD. Severity and marker are the rule's own unless given here.

    ``shown_at`` points to what a person should be shown where that is not the key at ``pointer``.
    """

    pointer: str
    message: str
    fix: Draft | None = None
    severity: Severity | None = None
    marker: str | None = None
    shown_at: str | None = None


@dataclass
class Context:
    """One CRD in one run.

    ``reports(rule, version, pointer)`` tells whether a finding of that rule there would be shown: its rule is selected
    and no ignore takes it away. ``refusal(operations)`` tells why the text does not admit an edit, or is None.
    """

    crd: Crd
    controllers: Controllers = Controllers()
    is_stateless: bool = False
    capi: Capi = Capi()
    reports: Callable[[str, Version, str], bool] = field(default=lambda rule, version, pointer: True)
    refusal: Callable[[tuple[Operation, ...]], str | None] = field(default=lambda operations: None)
    # How each version's fresh object could be guarded, by the version's pointer; `generation_gate` judges it once.
    generation_fixes: dict[str, Draft] | None = None
