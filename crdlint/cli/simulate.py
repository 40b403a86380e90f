"""``crdlint simulate``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.cli.crdfiles import CrdFiles
from crdlint.cli.failures import EXIT_FAILURE
from crdlint.cli.output import deliver, wants_color, width
from crdlint.errors import UsageError
from crdlint.files import STDIN
from crdlint.findings import Applicability
from crdlint.runner import Job

if TYPE_CHECKING:
    from crdlint.consumers.timeline import Consumers
    from crdlint.report.simulation import Life

HealthChecks = Annotated[
    Optional[str],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
    typer.Option("--health-checks", metavar="FILE", help="A Flux Kustomization with healthCheckExprs."),
]
ArgoScripts = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--argocd-scripts", metavar="DIR", help="Argo CD's resource_customizations: run its scripts."),
]


def simulate(
    paths: options.Paths = None,
    fixed: Annotated[bool, typer.Option("--fixed", help="Show what the fixes, unsafe ones too, make of it.")] = False,
    health_checks: HealthChecks = None,
    argocd_scripts: ArgoScripts = None,
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")] = "text",
    output: options.Output = None,
    config: options.Config = None,
    color: options.ColorOption = options.Color.AUTO,
    debug: options.Debug = False,
) -> None:
    """Show an object's life as those who wait on it see it.

    From creation to deletion, for each version of the CRDs, with what Flux, Helm, kubectl and Argo CD get wrong.
    """
    options.check_text_or_json(format_)
    from crdlint.report.simulation import as_json, as_text

    choices = Choices(config=config)
    run = _Run(consumers(health_checks, argocd_scripts, choices), choices, fixed)
    lives = [life for path, data in run.files(paths or ["."]) for life in run.lives(path, data)]
    if format_ == "json":
        text = as_json(lives)
    else:
        to_terminal = output is None
        paints = to_terminal and wants_color(color, sys.stdout)
        text = as_text(lives, paints, width(sys.stdout) if to_terminal else 80)
    deliver(text, output)
    raise typer.Exit(EXIT_FAILURE if run.failed else 0)


def consumers(health_checks: str | None, argocd_scripts: str | None, choices: Choices) -> Consumers:
    """The consumers as the options, and the configuration of the working folder, set them up."""
    from pathlib import Path

    from crdlint.choices import settings_config
    from crdlint.consumers.argocd import ArgoCd
    from crdlint.consumers.flux import Flux
    from crdlint.consumers.timeline import CONDITION_TYPES, Consumers

    flux = Flux()
    if health_checks is not None:
        from crdlint.consumers.objects import read_documents, resources

        found = [resource for document in read_documents(health_checks) for resource in resources(document)]
        try:
            flux = Flux.from_kustomizations(found)
        except UsageError as error:
            raise UsageError(f"{health_checks}: {error}") from None
    argocd = ArgoCd(None if argocd_scripts is None else Path(argocd_scripts))
    configured = settings_config(os.path.join(os.curdir, STDIN), choices).condition_types
    return Consumers(flux, argocd, tuple(dict.fromkeys((*CONDITION_TYPES, *configured))))


class _Run(CrdFiles):
    """One run over files with CRDs."""

    def __init__(self, consumers: Consumers, choices: Choices, fixes: bool) -> None:
        super().__init__(choices)
        self.consumers = consumers
        self.fixes = fixes

    def lives(self, path: str, data: bytes) -> Iterator[Life]:
        from crdlint.consumers.timeline import simulate as simulated
        from crdlint.report.simulation import Life

        crds = self.crds(path, data)
        after = (
            self.crds(path, Job(self.choices, Applicability.UNSAFE).run_bytes(path, data).after) if self.fixes else []
        )
        for index, crd in enumerate(crds):
            fixed = {version.pointer: version for version in after[index].versions} if index < len(after) else {}
            for version in crd.versions:
                life = simulated(version, self.consumers)
                other = fixed.get(version.pointer)
                later = None if other is None else simulated(other, self.consumers)
                if later is not None and _is_same(life.version, later.version):
                    later = None
                has_check = self.consumers.flux.check_for(life.states[0].object) is not None
                yield Life(path, life, later, self.fixes, has_check)


def _is_same(one: object, other: object) -> bool:
    """Did no fix touch what the timeline depends on?"""
    parts = ("status", "root", "subresources")
    return all(getattr(one, part) == getattr(other, part) for part in parts)
