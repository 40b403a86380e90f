"""``crdlint healthchecks``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from crdlint.choices import Choices, linter_for, settings_config
from crdlint.cli import options
from crdlint.cli.crdfiles import CrdFiles
from crdlint.cli.failures import EXIT_FAILURE
from crdlint.cli.output import deliver, wants_color
from crdlint.errors import UsageError
from crdlint.healthchecks.meanings import Meaning
from crdlint.healthchecks.recipients import For

if TYPE_CHECKING:
    from crdlint.crd.model import Crd
    from crdlint.healthchecks.known import Evidence, Told
    from crdlint.healthchecks.report import Answer

_FORMATS = ("text", "json", "yaml")


def healthchecks(
    paths: options.Paths = None,
    for_: Annotated[
        Optional[list[For]],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
        typer.Option("--for", help="Only for this one; may be repeated."),
    ] = None,
    condition: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--condition",
            metavar="[KIND:]TYPE[=MEANING]",
            help="The kinds, or this one, have this condition; that it is True is positive, negative (it has failed), "
            "progressing, paused or ignored. May be repeated.",
        ),
    ] = None,
    objects: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--objects", metavar="FILE", help="Objects that are ready, whose conditions count as well."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Also for kinds that need none.")] = False,
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, json or yaml.")] = "text",
    output: options.Output = None,
    config: options.Config = None,
    color: options.ColorOption = options.Color.AUTO,
    debug: options.Debug = False,
) -> None:
    """Print health checks for kinds that kstatus misjudges.

    Expressions for Flux, a script for Argo CD, `kubectl wait` commands. They are made from the conditions that the
    schema, its printer columns and descriptions, objects or --condition name. What it means that a condition is True is
    known for well-known types and asked for others: where it has to be said first, the exit code is 2.
    """
    if format_ not in _FORMATS:
        raise UsageError(f"unknown format {format_!r}; choose {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}")
    consumers = tuple(dict.fromkeys(for_ or For))
    if format_ == "yaml" and consumers == (For.KUBECTL,):
        raise UsageError("commands for kubectl are no YAML; choose text or json")
    from crdlint.healthchecks import report
    from crdlint.healthchecks.assessment import Verdict

    run = _Run(Choices(config=config), [_told(words) for words in condition or ()], objects or [], all_)
    answers = list(run.answers(paths or ["."]))
    run.complain_of_unknown(answers)
    is_open = any(answer.assessment.verdict is Verdict.OPEN for answer in answers)
    if format_ == "json":
        text = report.as_json(answers, consumers)
    elif format_ == "yaml":
        run.complain_of_open(answers)
        text = report.as_yaml(answers, consumers)
    else:
        text = report.as_text(answers, consumers, output is None and wants_color(color, sys.stdout))
    deliver(text, output)
    raise typer.Exit(EXIT_FAILURE if run.failed or is_open else 0)


def _told(words: str) -> Told:
    """What one ``--condition`` says."""
    from crdlint.healthchecks.conditions_of import is_whole
    from crdlint.healthchecks.known import Told

    kind, colon, rest = words.partition(":")
    name, equals, meaning = (rest if colon else kind).rpartition("=")
    if not equals:
        name, meaning = meaning, ""
    known = [member.value for member in Meaning]
    if not name or not is_whole(name) or (colon and not kind) or (equals and meaning not in known):
        near = get_close_matches(meaning, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"a meaning is one of {', '.join(known)}"
        raise UsageError(f"--condition {words!r} is not [KIND:]TYPE[=MEANING]; {hint}")
    return Told(kind if colon else None, name, Meaning(meaning) if equals else None)


class _Run(CrdFiles):
    """One run over files with CRDs."""

    def __init__(self, choices: Choices, told: list[Told], objects: list[str], gives_all: bool) -> None:
        super().__init__(choices)
        self.told = tuple(told)
        self.gives_all = gives_all
        self.samples = _by_kind(objects)

    def answers(self, paths: list[str]) -> Iterator[Answer]:
        """An answer for each kind; of one that stands in several files, the first counts."""
        from crdlint.healthchecks.assessment import assess
        from crdlint.healthchecks.report import Answer

        seen: dict[tuple[str, str | None], Answer] = {}
        for path, data in self.files(paths):
            # A patch of kustomize has no versions.
            for crd in filter(lambda crd: crd.versions, self.crds(path, data)):
                answer = Answer(path, assess(crd, self.evidence(path, crd)), self.gives_all)
                first = seen.setdefault((crd.group, crd.kind), answer)
                if first is answer:
                    yield answer
                elif first.assessment.check != answer.assessment.check:
                    self.complain(f"{path}: {answer.name} is not the same as in {first.path}, which counts here")

    def evidence(self, path: str, crd: Crd) -> Evidence:
        from crdlint.healthchecks.known import Evidence

        config = settings_config(path, self.choices)
        meanings = {name: Meaning(meaning) for name, meaning in config.condition_meanings}
        is_stateless = linter_for(path, self.choices).settings.is_stateless(crd)
        return Evidence(self.told, self.samples, config.condition_types, meanings, is_stateless)

    def complain_of_unknown(self, answers: list[Answer]) -> None:
        """Of kinds that the command line names, and that there are not."""
        kinds = {answer.assessment.crd.kind for answer in answers}
        for told in self.told:
            if told.kind is not None and told.kind not in kinds:
                self.complain(f"--condition {told.kind}:{told.type}: there is no kind {told.kind} in these files")

    def complain_of_open(self, answers: list[Answer]) -> None:
        from crdlint.healthchecks.assessment import Verdict
        from crdlint.healthchecks.report import to_pass

        for answer in answers:
            if answer.assessment.verdict is Verdict.OPEN:
                words = " ".join(to_pass(answer.assessment))
                self.complain(f"{answer.path}: {answer.name} is left out: {answer.assessment.why}; pass {words}")


def _by_kind(files: list[str]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    from crdlint.consumers.objects import read_documents, resources
    from crdlint.consumers.unstructured import group_and_kind

    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for path in files:
        for document in read_documents(path):
            for resource in resources(document):
                found.setdefault(group_and_kind(resource), []).append(resource)
    return found
