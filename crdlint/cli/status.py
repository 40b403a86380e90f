"""``crdlint status``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.cli.failures import EXIT_FINDINGS, complain
from crdlint.cli.output import deliver, read_standard_input, wants_color
from crdlint.cli.simulate import ArgoScripts, HealthChecks, consumers
from crdlint.files import STDIN

if TYPE_CHECKING:
    from crdlint.consumers.paused import Pause
    from crdlint.consumers.timeline import Consumers, Verdicts
    from crdlint.report.verdicts import Judged, Wording


class Asked(str, Enum):
    CURRENT = "current"
    PAUSED = "paused"


class Consumer(str, Enum):
    KSTATUS = "kstatus"
    KUBECTL_WAIT = "kubectl-wait"
    FLUX = "flux"
    ARGOCD = "argocd"


# What an object is called that is ready.
_HOLDING = {
    Consumer.KSTATUS: "Current to kstatus",
    Consumer.KUBECTL_WAIT: "Ready to kubectl wait",
    Consumer.FLUX: "Current to Flux",
    Consumer.ARGOCD: "Healthy to Argo CD",
}


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
    """Say what each consumer makes of real objects.

    The exit code tells whether what --for asks holds for all of them. --for paused asks of every object of the Clusters
    given whether its pause is asked for and acknowledged; where there is no such object, it exits 1.
    """
    options.check_text_or_json(format_)
    from crdlint.report.verdicts import as_json, as_text

    judge = _Judge(consumers(health_checks, argocd_scripts, Choices(config=config)), for_, consumer)
    objects = judge.all(files or [STDIN])
    if format_ == "json":
        text = as_json(objects)
    else:
        text = as_text(objects, judge.wording(), output is None and wants_color(color, sys.stdout))
    deliver(text, output)
    raise typer.Exit(0 if judge.holds(objects) else EXIT_FINDINGS)


class _Judge:
    """Judges objects one by one; only what Clusters say of their objects' pause has to wait for the last."""

    def __init__(self, consumers: Consumers, asked: Asked, consumer: Consumer) -> None:
        from crdlint.consumers.paused import Pauses

        self.consumers = consumers
        self.asked = asked
        self.consumer = consumer
        self.pauses = Pauses()
        # Is an input empty, as it is where the command has failed that should have written it?
        self.lacks_input = False

    def all(self, files: list[str]) -> list[Judged]:
        waiting = [self.judge(path, resource) for path, resource in self.objects(files)]
        return [complete() for complete in waiting]

    def objects(self, files: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        from crdlint.consumers.objects import documents, read_documents, resources

        for path in files:
            data = read_standard_input() if path == STDIN else None
            if _is_empty(path, data):
                self.lacks_input = True
                what = "standard input" if path == STDIN else path
                complain(f"{what} is empty: the command that should have written the objects may have failed")
            for document in read_documents(path) if data is None else documents(STDIN, data):
                for resource in resources(document):
                    yield path, resource

    def judge(self, path: str, resource: dict[str, Any]) -> Callable[[], Judged]:
        verdicts, pause = self.consumers.judge(resource), self.pauses.add(resource)
        metadata = resource.get("metadata")
        found = metadata if isinstance(metadata, dict) else {}
        names = [str(value or "") for value in (resource.get("apiVersion"), resource.get("kind"), found.get("name"))]
        namespace = None if found.get("namespace") is None else str(found["namespace"])
        is_unseen = _is_unseen(resource)
        return lambda: self.complete(path, names, namespace, verdicts, pause, is_unseen)

    def complete(
        self, path: str, names: list[str], namespace: str | None, verdicts: Verdicts, pause: Pause, is_unseen: bool
    ) -> Judged:
        from crdlint.consumers.paused import Standing
        from crdlint.report.verdicts import Judged

        standing, paused = self.pauses.judge(pause)
        if self.asked is Asked.PAUSED:
            reason = "not an object that Cluster API pauses" if paused is None else paused.reason
            counts = standing is not Standing.ASIDE
            answer = standing is not Standing.NOT_PAUSED, standing.value, reason
        else:
            counts = self.consumer is not Consumer.ARGOCD or verdicts.argocd is not None
            answer = _answer(verdicts, self.consumer)
            if is_unseen and answer[0] and counts:
                answer = (*answer[:2], f"{answer[2]}, but it has no status: no controller has written one yet")
        return Judged(path, names[0], names[1], namespace, names[2], verdicts, paused, *answer, counts)

    def wording(self) -> Wording:
        """How to call the objects for which it holds, and those of which it is not asked."""
        from crdlint.report.verdicts import Wording

        if self.asked is Asked.PAUSED:
            return Wording("paused", "that need not pause")
        return Wording(_HOLDING[self.consumer], "without a health check")

    def holds(self, objects: list[Judged]) -> bool:
        """Does what was asked for hold for every object?

        Of no object at all everything holds, but an input without a byte is no answer, and a pause that nothing shows
        is none: a script that waits for it must not go on because kubectl has failed, or because its selector matches
        nothing.
        """
        if self.lacks_input:
            return False
        if self.asked is Asked.PAUSED and not any(judged.counts for judged in objects):
            complain("no object here belongs to a Cluster or is asked to pause: nothing is known to be paused")
            return False
        return all(judged.holds for judged in objects)


def _is_empty(path: str, data: bytes | None) -> bool:
    """Is there nothing in standard input, or else in a file?"""
    if data is not None:
        return not data.strip()
    return os.path.isfile(path) and not os.path.getsize(path)


def _is_unseen(resource: dict[str, Any]) -> bool:
    """Has no controller written a status yet? Kinds of Kubernetes' own may have none; their groups have no domain."""
    group = str(resource.get("apiVersion", "")).rpartition("/")[0]
    return "." in group and not group.endswith(".k8s.io") and not resource.get("status")


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
