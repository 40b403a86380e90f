"""What to give the consumers, for people and as the ``crdlint-healthchecks/v1`` format."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from crdlint.consumers.argocd import shipped_script
from crdlint.crd.model import Version
from crdlint.healthchecks import argocd, flux, yamlform
from crdlint.healthchecks.assessment import Assessment, Verdict
from crdlint.healthchecks.check import Check
from crdlint.healthchecks.conditions_of import Source
from crdlint.healthchecks.kubectl import Wait, waits
from crdlint.healthchecks.limits import limits
from crdlint.healthchecks.meanings import Meaning
from crdlint.healthchecks.recipients import For
from crdlint.report.jsonformat import dumps
from crdlint.report.notes import wrapped
from crdlint.report.sanitise import clean, clean_short, shown_path

FORMAT = "crdlint-healthchecks/v1"
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_FLUX_TITLE = "Flux, in spec.healthCheckExprs of a Kustomization that waits (of apiVersion only the group counts):"
_FLUX_COMMENT = "# for a Kustomization of Flux, 2.5 or newer, that waits; of apiVersion only the group counts"
_VERDICTS = {Verdict.NEEDED: "needed", Verdict.NOT_NEEDED: "not needed", Verdict.OPEN: "left open"}
_GIVEN_NOTHING = {
    Verdict.NOT_NEEDED: "kstatus is right already, nothing is needed (--all prints it all the same):",
    Verdict.NOTHING: "no condition can tell whether such an object is ready (--format json says why):",
}
_SOURCES = {
    Source.TOLD: "--condition",
    Source.SAMPLES: "the objects",
    Source.COLUMN: "a printer column",
    Source.ENUM: "the enum of the types",
    Source.DEFAULT: "the default of the conditions",
    Source.DESCRIPTION: "a description",
    Source.CONFIGURATION: "the configuration",
    Source.UNNAMED: "a version that names none",
}
_ELSE = ", ".join(meaning.value for meaning in Meaning if meaning is not Meaning.POSITIVE)


@dataclass(frozen=True)
class Answer:
    """What is said of one kind, and where its CRD stands."""

    path: str
    assessment: Assessment
    gives_all: bool = False
    """Also what is not needed?"""

    @property
    def name(self) -> str:
        return f"{self.assessment.crd.kind} ({self.assessment.crd.name})"

    @property
    def check(self) -> Check | None:
        """The check that is given."""
        is_given = self.gives_all or self.assessment.verdict is Verdict.NEEDED
        return self.assessment.check if is_given else None

    @property
    def has_part(self) -> bool:
        """Does the text have more to say of it than its name?"""
        return self.check is not None or self.assessment.verdict is Verdict.OPEN


def to_pass(assessment: Assessment) -> list[str]:
    """What decides about an open kind."""
    kind = assessment.crd.kind
    return [shlex.join(["--condition", f"{kind}:{name}=positive"]) for name in assessment.undecided or ("TYPE",)]


def as_json(answers: Sequence[Answer], consumers: Sequence[For]) -> str:
    report = {"format": FORMAT, "kinds": [_data(answer, consumers) for answer in answers]}
    return dumps(report, indent=2) + "\n"


def _data(answer: Answer, consumers: Sequence[For]) -> dict[str, Any]:
    assessment = answer.assessment
    crd = assessment.crd
    return {
        "path": answer.path,
        "crd": crd.name,
        "group": crd.group,
        "kind": crd.kind,
        "verdict": assessment.verdict.value,
        "reason": assessment.why,
        "conditions": [used._asdict() for used in assessment.used],
        "undecided": list(assessment.undecided),
        "pass": to_pass(assessment) if assessment.verdict is Verdict.OPEN else [],
        "leftOut": list(assessment.left_out),
        "limits": limits(assessment.versions),
        **{consumer.value: _given(answer, consumer) for consumer in consumers},
    }


def _given(answer: Answer, consumer: For) -> Any:
    check = answer.check
    if check is None:
        return None
    if consumer is For.FLUX:
        return flux.entry(check)
    if consumer is For.ARGOCD:
        return {"key": argocd.key(check), "script": argocd.script(check)}
    return [wait._asdict() for wait in waits(check, answer.assessment.versions)]


def as_yaml(answers: Sequence[Answer], consumers: Sequence[For]) -> str:
    """Documents to paste from, or to give to kustomize as patches."""
    checks = [answer.check for answer in answers if answer.check is not None]
    documents = []
    if checks and For.FLUX in consumers:
        documents.append((_FLUX_COMMENT, flux.kustomization(checks)))
    if checks and For.ARGOCD in consumers:
        documents.append(("# for Argo CD", argocd.config_map(checks)))
    return "---\n".join("".join(f"{line}\n" for line in (title, *yamlform.lines(data))) for title, data in documents)


def as_text(answers: Sequence[Answer], consumers: Sequence[For], color: bool = False) -> str:
    """A part for each kind that is given a check or is open; what is to be pasted stands at the margin."""
    if not answers:
        return "There is no CRD here.\n"
    page = _Page(color)
    parts = [page.part(answer, consumers) for answer in answers if answer.has_part]
    parts.append(_others([answer for answer in answers if not answer.has_part]))
    return "\n".join("".join(f"{line}\n" for line in part) for part in filter(None, map(list, parts)))


def _others(answers: Sequence[Answer]) -> Iterator[str]:
    """Those that are given nothing, and why."""
    for verdict, title in _GIVEN_NOTHING.items():
        names = [answer.assessment.crd.kind or "?" for answer in answers if answer.assessment.verdict is verdict]
        if names:
            yield title
            yield from wrapped(", ".join(map(clean_short, names)), 80, "  ", "  ")


@dataclass(frozen=True)
class _Page:
    color: bool

    def part(self, answer: Answer, consumers: Sequence[For]) -> Iterator[str]:
        assessment = answer.assessment
        yield self.paint(clean_short(answer.name), _BOLD)
        yield self.paint(shown_path(answer.path), _DIM)
        yield clean_short(f"{_VERDICTS[assessment.verdict]}: {assessment.why}")
        yield from self.conditions(assessment)
        if assessment.verdict is Verdict.OPEN:
            yield from self.question(assessment)
        yield from (clean_short(limit) for limit in limits(assessment.versions))
        if answer.check is not None:
            for consumer in consumers:
                yield ""
                yield from self.given(answer.check, assessment.versions, consumer)

    def conditions(self, assessment: Assessment) -> Iterator[str]:
        for used in assessment.used:
            yield clean_short(f"  {used.type}: {used.meaning.value}; {used.why} (from {_SOURCES[used.source]})")
        if assessment.left_out:
            names = ", ".join(assessment.left_out)
            yield clean_short(f"  not looked at, since others sum them up and nobody says what they mean: {names}")

    def question(self, assessment: Assessment) -> Iterator[str]:
        for words in to_pass(assessment):
            yield clean_short(f"  pass {words} (or {_ELSE})")
        yield "  or --objects FILE, with objects that are ready"

    def given(self, check: Check, versions: Sequence[Version], consumer: For) -> Iterator[str]:
        if consumer is For.FLUX:
            yield self.paint(_FLUX_TITLE, _BOLD)
            yield from yamlform.lines([flux.entry(check)])
        elif consumer is For.ARGOCD:
            yield self.paint("Argo CD, in data of the ConfigMap argocd-cm:", _BOLD)
            if shipped_script(check.group, check.kind) is not None:
                yield "# It takes the place of the script that Argo CD ships for this kind."
            yield from yamlform.lines({argocd.key(check): argocd.script(check)})
        else:
            yield self.paint("kubectl:", _BOLD)
            for wait in waits(check, versions):
                yield from self.wait(wait)

    def wait(self, wait: Wait) -> Iterator[str]:
        if wait.note:
            yield f"# {clean(wait.note)}"
        if wait.command is not None:
            yield wait.command

    def paint(self, text: str, color: str) -> str:
        return f"{color}{text}{_PLAIN}" if self.color else text
