"""What each consumer makes of an object by the checks that crdlint gives, in Python."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from crdlint.consumers.argocd import ArgoCd
from crdlint.consumers.flux import Flux
from crdlint.consumers.kubectl_wait import wait_for
from crdlint.crd.model import Crd
from crdlint.healthchecks import argocd, flux
from crdlint.healthchecks.assessment import Assessment, assess
from crdlint.healthchecks.check import Check
from crdlint.healthchecks.known import Evidence, Told
from crdlint.healthchecks.kubectl import waits
from tests.healthchecks.lives import Types


def told(types: Types) -> Evidence:
    """All that is to be known of the types, from the command line."""
    return Evidence(told=tuple(Told(None, name, meaning) for name, meaning in types.items()))


def checked(crd: Crd, evidence: Evidence) -> tuple[Check, Assessment]:
    assessment = assess(crd, evidence)
    assert assessment.check is not None, assessment
    return assessment.check, assessment


class Asked:
    """The consumers, set up with one check."""

    def __init__(self, check: Check, folder: Path) -> None:
        self.check = check
        script = folder / check.group / check.kind / "health.lua"
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(argocd.script(check), "utf-8")
        self.argocd = ArgoCd(folder)

    @cached_property
    def flux(self) -> Flux:
        return Flux.from_kustomizations([flux.kustomization([self.check])])

    def flux_says(self, resource: dict[str, Any]) -> str:
        return self.flux.verdict(resource).status

    def argocd_says(self, resource: dict[str, Any]) -> str:
        health = self.argocd.health(resource)
        assert health is not None
        return health.status


def commands(check: Check, assessment: Assessment) -> Iterator[str]:
    """What ``--for`` is given in the commands."""
    for wait in waits(check, assessment.versions):
        if wait.command is not None:
            yield from (word.removeprefix("--for=") for word in shlex.split(wait.command) if word.startswith("--for="))


def is_met(for_: str, resource: dict[str, Any]) -> bool:
    return wait_for(for_)(resource).met
