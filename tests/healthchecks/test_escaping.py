"""Names that a hostile CRD may have, in every language that is written: what is executed has to mean the same name."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crdlint.consumers.kubectl_wait import wait_for
from crdlint.healthchecks import argocd, flux
from crdlint.healthchecks.assessment import Assessment, Verdict
from crdlint.healthchecks.check import Check
from crdlint.healthchecks.kubectl import waits
from crdlint.healthchecks.recipients import For
from crdlint.healthchecks.report import Answer, as_yaml
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests.consumers.build import METAV1, OBSERVED, crd_of, status_of
from tests.healthchecks.asking import is_met
from tests.yamltext import kubernetes_yaml

NASTY = (
    "'",
    '"',
    "\\",
    "\\'",
    "'] || true || c.type in ['",
    "' || true //",
    '"] = "positive"} os = nil meanings = {["',
    "]]",
    "]==]",
    "--[[",
    "\n",
    "a\nb: c",
    "\r\n",
    "\t",
    "\0",
    "\x1b[2J",
    "\x7f\x85\xa0",
    "\u2028\u2029\ufeff",
    "${x}$(touch /tmp/crdlint-was-here)`id`",
    "; rm -rf x #",
    "a b",
    "*?[a-z]",
    "~",
    "!x",
    "&a *a",
    "%d %s %(x)s",
    "{{ .Values.x }}",
    "yes",
    "null",
    "1e3",
    "0x1f",
    "- a",
    "# a",
    "a: b",
    ": ",
    "|",
    ">",
    "---",
    "ünïcödé",
    "\U0001f600",
    "a=b",
    "=",
    "Ready=True",
    "##[command]x",
    "foo.example.com/Ready",
)
names = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))


def check_of(positive: str, negative: str, group: str = "example.com", kind: str = "Widget") -> Check:
    return Check(
        group=group,
        kind=kind,
        version="v1",
        plural="widgets",
        is_namespaced=True,
        any_of=(),
        needed=(positive,),
        positive=(positive,),
        negative=(negative,),
        progressing=(),
        paused=(),
        observes_generation=True,
    )


def resource(*conditions: tuple[str, str]) -> dict[str, Any]:
    found = [{"type": name, "status": status} for name, status in conditions]
    return {"metadata": {"generation": 1}, "status": {"conditions": found}}


def cases(positive: str, negative: str) -> list[tuple[dict[str, Any], str, str]]:
    """Objects, and the answers of Flux and Argo CD."""
    other = positive + "x"
    return [
        (resource((positive, "True")), "Current", "Healthy"),
        (resource((positive, "False")), "InProgress", "Progressing"),
        (resource((other, "True")), "InProgress", "Progressing"),
        (resource((positive, "True"), (negative, "True")), "Failed", "Degraded"),
        (resource((positive, "True"), (negative + "x", "True"), (negative, "False")), "Current", "Healthy"),
    ]


two_names = st.tuples(names, names).filter(lambda pair: pair[0] not in (pair[1], pair[1] + "x"))


# The Python library ends an object's text at a NUL; Flux does not.
@given(two_names.filter(lambda pair: "\0" not in "".join(pair)))
@settings(max_examples=150, deadline=None)
def test_cel(pair: tuple[str, str]) -> None:
    pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")
    from crdlint.consumers.flux import HealthCheck

    health_check = HealthCheck(flux.expressions(check_of(*pair)))
    for asked, right, _ in cases(*pair):
        assert health_check.evaluate(asked).status == right


@given(two_names)
@settings(max_examples=150, deadline=None)
def test_lua(pair: tuple[str, str]) -> None:
    pytest.importorskip("lupa", reason="scripts need crdlint[argocd]")
    from crdlint.consumers.lua import run

    script = argocd.script(check_of(*pair))
    assert script.isascii()
    for asked, _, right in cases(*pair):
        assert run(script, asked)["status"] == right


def shell_words(commands: list[str]) -> list[list[str]]:
    """What a shell makes of each command's words."""
    script = "\n".join(f"printf '%s\\0' {command.removeprefix('kubectl ')}; printf '\\n\\0'" for command in commands)
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True, text=True, cwd="/")
    parts = done.stdout.split("\0\n\0")
    return [part.split("\0") for part in parts[:-1]]


@given(st.lists(names, min_size=1, max_size=30, unique=True))
@settings(max_examples=20, deadline=None)
def test_shell(types: list[str]) -> None:
    version = crd_of(status_of(observedGeneration=OBSERVED, conditions=METAV1)).versions[0]
    given_commands = [waits(check_of(name, "Stalled"), [version])[0] for name in types]
    asked = [(name, wait.command) for name, wait in zip(types, given_commands, strict=True) if wait.command is not None]
    for name, wait in zip(types, given_commands, strict=True):
        # Kubectl has no way to ask for these.
        assert (wait.command is None) is ("=" in name or "##[" in name or not name.isprintable())
        assert wait.command is not None or wait.note.isprintable()
    for (name, _), words in zip(asked, shell_words([command for _, command in asked]), strict=True):
        assert words[-2] == f"--for=condition={name}"
        assert wait_for(words[-2].removeprefix("--for="))(resource((name, "True"))).met
        assert not is_met(words[-2].removeprefix("--for="), resource((name + "x", "True")))


def yaml_of(check: Check) -> str:
    crd = crd_of(status_of(conditions=METAV1))
    answer = Answer("-", Assessment(crd, Verdict.NEEDED, "", check=check))
    return as_yaml([answer], (For.FLUX, For.ARGOCD))


def check_yaml(check: Check, documents: list[Any]) -> None:
    kustomization, config_map = documents
    assert kustomization["spec"]["healthCheckExprs"] == [flux.entry(check)]
    assert config_map["data"] == {
        f"resource.customizations.health.{check.group}_{check.kind}": argocd.script(check),
    }


@given(two_names, names, names)
@settings(max_examples=100, deadline=None)
@example(("Ready", "Stalled"), "on", "No")
def test_yaml(pair: tuple[str, str], group: str, kind: str) -> None:
    check = check_of(*pair, group, kind)
    check_yaml(check, [to_data(document.root) for document in parse(yaml_of(check)).documents if document.root])


def test_yaml_as_kubernetes_reads_it(tmp_path: Path) -> None:
    reason = kubernetes_yaml.why_not()
    if reason:
        pytest.skip(reason)
    checks = [check_of(name, "Stalled", group=name, kind=name) for name in NASTY]
    texts = [part for check in checks for part in yaml_of(check).split("\n---\n")]
    answers = kubernetes_yaml.ask(kubernetes_yaml.build(tmp_path), texts)
    for index, check in enumerate(checks):
        check_yaml(check, [answer["value"] for answer in answers[2 * index : 2 * index + 2]])
