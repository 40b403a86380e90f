"""``crdlint status``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.cli.failures import EXIT_FINDINGS
from crdlint.cli.output import deliver, wants_color
from crdlint.cli.simulate import ArgoScripts, HealthChecks, consumers
from crdlint.errors import UsageError
from crdlint.files import STDIN

if TYPE_CHECKING:
    from crdlint.consumers.paused import Pause, Paused
    from crdlint.consumers.timeline import Consumers, Verdicts
    from crdlint.report.verdicts import Judged


class Asked(str, Enum):
    CURRENT = "current"
    PAUSED = "paused"


class Consumer(str, Enum):
    KSTATUS = "kstatus"
    KUBECTL_WAIT = "kubectl-wait"
    FLUX = "flux"
    ARGOCD = "argocd"


def status(
    files: Annotated[
        Optional[list[str]],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
        typer.Argument(metavar="[FILE]...", help="YAML or JSON files; - is standard input, and the default."),
    ] = None,
    for_: Annotated[Asked, typer.Option("--for", help="What has to hold for every object.")] = Asked.CURRENT,
    consumer: Annotated[Consumer, typer.Option("--consumer", help="Who judges what is current.")] = Consumer.KSTATUS,
    health_checks: HealthChecks = None,
    argocd_scripts: ArgoScripts = None,
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")] = "text",
    output: options.Output = None,
    config: options.Config = None,
    color: options.ColorOption = options.Color.AUTO,
    debug: options.Debug = False,
) -> None:
    """Say what each consumer makes of real objects; exit 0 if what --for asks holds for all of them, else 1.

    Examples: kubectl get machines -o yaml | crdlint status -; crdlint status --for paused cluster.yaml
    """
    if format_ not in ("text", "json"):
        raise UsageError(f"unknown format {format_!r}; choose text or json")
    from crdlint.report.verdicts import as_json, as_text

    judge = _Judge(consumers(health_checks, argocd_scripts, Choices(config=config)), for_, consumer)
    objects = judge.all(files or [STDIN])
    if format_ == "json":
        text = as_json(objects)
    else:
        text = as_text(objects, output is None and wants_color(color, sys.stdout))
    deliver(text, output)
    raise typer.Exit(0 if all(judged.holds for judged in objects) else EXIT_FINDINGS)


class _Judge:
    """Judges objects one by one; only what a Cluster says of its objects' pause has to wait for the last."""

    def __init__(self, consumers: Consumers, asked: Asked, consumer: Consumer) -> None:
        self.consumers = consumers
        self.asked = asked
        self.consumer = consumer
        self.paused_clusters: set[tuple[str, str]] = set()

    def all(self, files: list[str]) -> list[Judged]:
        waiting = [self.judge(path, resource) for path, resource in _objects(files)]
        return [complete() for complete in waiting]

    def judge(self, path: str, resource: dict[str, Any]) -> Callable[[], Judged]:
        from crdlint.consumers.paused import pause_of, paused_cluster

        cluster = paused_cluster(resource)
        if cluster is not None:
            self.paused_clusters.add(cluster)
        verdicts, pause = self.consumers.judge(resource), pause_of(resource)
        metadata = resource.get("metadata")
        found = metadata if isinstance(metadata, dict) else {}
        names = [str(value or "") for value in (resource.get("apiVersion"), resource.get("kind"), found.get("name"))]
        namespace = None if found.get("namespace") is None else str(found["namespace"])
        return lambda: self.complete(path, names, namespace, verdicts, pause)

    def complete(
        self, path: str, names: list[str], namespace: str | None, verdicts: Verdicts, pause: Pause | None
    ) -> Judged:
        from crdlint.report.verdicts import Judged

        paused = None if pause is None else pause.resolve(self.paused_clusters.__contains__)
        answer = _pause_answer(paused) if self.asked is Asked.PAUSED else _answer(verdicts, self.consumer)
        return Judged(path, names[0], names[1], namespace, names[2], verdicts, paused, *answer)


def _objects(files: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    from crdlint.consumers.objects import documents, read_documents, resources

    for path in files:
        found = documents(STDIN, sys.stdin.buffer.read()) if path == STDIN else read_documents(path)
        for document in found:
            for resource in resources(document):
                yield path, resource


def _pause_answer(paused: Paused | None) -> tuple[bool, str, str]:
    if paused is None:
        return False, "-", "not an object that the Cluster API pauses"
    return paused.acknowledged, "Paused" if paused.acknowledged else "not paused", paused.reason


def _answer(verdicts: Verdicts, consumer: Consumer) -> tuple[bool, str, str]:
    """Does the object count as ready to the consumer, and what does it say?"""
    if consumer is Consumer.KUBECTL_WAIT:
        answer = verdicts.wait["Ready"]
        return answer.met, "met" if answer.met else "waits", answer.message
    if consumer is Consumer.ARGOCD:
        health = verdicts.argocd
        if health is None:
            return True, "-", "no health: does not count"
        return health.status == "Healthy", health.status or "-", health.message
    result = verdicts.flux if consumer is Consumer.FLUX else verdicts.kstatus
    return result.status == "Current", result.status, result.message
