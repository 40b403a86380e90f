"""``crdlint healthchecks`` as people and scripts run it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from crdlint.config.reading import config_schema
from crdlint.healthchecks.meanings import Meaning
from crdlint.report.sanitise import clean
from tests.cli.run import crdlint
from tests.healthchecks.test_assessment import FULL, GUARDED, crd_with

TEXT = """\
Widget (widgets.example.com)
widgets.yaml
needed: kstatus does not look at Available
  Available: positive; sums up whether the object serves its purpose (from a printer column)
  Degraded: negative; it has been off what is wanted for some time (from a printer column)
  Paused: paused; the controller leaves the object alone (from a printer column)
"""
FLUX = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "inProgress": "has(metadata.deletionTimestamp)",
    "failed": "status.?conditions.orValue([]).exists(c, c.?type.orValue('') == 'Degraded' && "
    "c.?status.orValue('') == 'True' && "
    "(!has(c.observedGeneration) || c.observedGeneration == metadata.generation))",
    "current": "status.?conditions.orValue([]).exists(c, c.?type.orValue('') == 'Available') &&\n"
    "status.?conditions.orValue([]).filter(c, c.?type.orValue('') == 'Available')\n"
    "  .all(c, c.?status.orValue('') == 'True' && "
    "(!has(c.observedGeneration) || c.observedGeneration == metadata.generation))",
}


def write(folder: Path, name: str, *columns: str, kind: str = "Widget", status: dict[str, Any] = FULL) -> None:
    crd = crd_with(columns, status=status, names={"kind": kind, "plural": f"{kind.lower()}s"})
    (folder / name).write_text(json.dumps(crd.data("")), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, "widgets.yaml", "Available", "Degraded", "Paused")
    return tmp_path


def kinds(folder: Path, *arguments: str) -> dict[str, Any]:
    done = crdlint(folder, "healthchecks", "--format", "json", *arguments)
    return {entry["kind"]: entry for entry in json.loads(done.stdout)["kinds"]}


def test_text(folder: Path) -> None:
    done = crdlint(folder, "healthchecks", "widgets.yaml")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert lines[:7] == [*TEXT.splitlines(), ""]
    assert "  failed: " + FLUX["failed"] in lines
    assert "resource.customizations.health.example.com_Widget: |" in lines
    command = "kubectl wait -n NAMESPACE widgets.example.com/NAME --for=condition=Available --timeout=5m"
    assert lines[-1] == command
    assert crdlint(folder, "healthchecks").stdout == done.stdout
    assert crdlint(folder, "healthchecks", "-o", "out", "widgets.yaml").stdout == b""
    assert (folder / "out").read_bytes() == done.stdout


@pytest.mark.parametrize(("consumer", "titles"), [("flux", "Flux"), ("argocd", "Argo CD"), ("kubectl", "kubectl")])
def test_for_one(folder: Path, consumer: str, titles: str) -> None:
    text = crdlint(folder, "healthchecks", "--for", consumer).stdout.decode()
    found = [
        line.partition(",")[0].rstrip(":")
        for line in text.splitlines()
        if line.startswith(("Flux", "Argo", "kubectl:"))
    ]
    assert found == [titles]
    assert {"flux", "argocd", "kubectl"} & kinds(folder, "--for", consumer)["Widget"].keys() == {consumer}


def test_json(folder: Path) -> None:
    report = json.loads(crdlint(folder, "healthchecks", "--format", "json").stdout)
    assert report["format"] == "crdlint-healthchecks/v1"
    (entry,) = report["kinds"]
    assert list(entry) == [
        "path",
        "crd",
        "group",
        "kind",
        "verdict",
        "reason",
        "conditions",
        "undecided",
        "pass",
        "leftOut",
        "limits",
        "flux",
        "argocd",
        "kubectl",
    ]
    assert entry["flux"] == FLUX
    assert entry["conditions"][0] == {
        "type": "Available",
        "meaning": "positive",
        "source": "column",
        "why": "sums up whether the object serves its purpose",
        "reference": "https://github.com/kubernetes-sigs/cluster-api/blob/main/docs/proposals/"
        "20240916-improve-status-in-CAPI-resources.md",
    }
    assert entry["argocd"]["key"] == "resource.customizations.health.example.com_Widget"
    assert [wait["note"] for wait in entry["kubectl"]] == [""]


def test_yaml_is_what_simulate_reads(folder: Path) -> None:
    """The loop: what is printed here, `simulate` takes, and finds nothing wrong with Flux any more."""
    pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")
    write(folder, "widgets.yaml", "Ready", status=FULL)
    text = crdlint(folder, "healthchecks", "--format", "yaml", "--for", "flux", "-o", "flux.yaml", "widgets.yaml")
    assert text.returncode == 0
    arguments = ("--health-checks", "flux.yaml", "--format", "json", "widgets.yaml")
    (entry,) = json.loads(crdlint(folder, "simulate", *arguments).stdout)["crds"]
    answers = {state["state"]: state["verdicts"]["flux"]["status"] for state in entry["timeline"]}
    assert answers == {
        "created": "Unknown",
        "generation-observed": "InProgress",
        "in-progress": "InProgress",
        "ready": "Current",
        "spec-changed": "InProgress",
        "failed": "InProgress",
        "paused-from-creation": "InProgress",
        "deleting": "InProgress",
    }


def test_yaml_has_no_commands(folder: Path) -> None:
    text = crdlint(folder, "healthchecks", "--format", "yaml").stdout.decode()
    assert text.startswith("# for a Kustomization of Flux")
    assert "\n---\n# for Argo CD\napiVersion: v1\nkind: ConfigMap\n" in text
    done = crdlint(folder, "healthchecks", "--format", "yaml", "--for", "kubectl")
    assert done.returncode == 2
    assert b"no YAML" in done.stderr


def test_what_kstatus_sees(folder: Path) -> None:
    write(folder, "gadgets.yaml", "Ready", kind="Gadget", status=GUARDED)
    write(folder, "sprockets.yaml", kind="SprocketTemplate")
    done = crdlint(folder, "healthchecks")
    assert done.returncode == 0
    assert done.stdout.decode().endswith(
        "kstatus is right already, nothing is needed (--all prints it all the same):\n  Gadget\n"
        "no condition can tell whether such an object is ready (--format json says why):\n  SprocketTemplate\n"
    )
    assert kinds(folder)["Gadget"]["flux"] is None
    assert kinds(folder, "--all")["Gadget"]["flux"] is not None
    assert "  kind: Gadget\n" in crdlint(folder, "healthchecks", "--all").stdout.decode()


class TestOpen:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        write(tmp_path, "gadgets.yaml", "Synced", "Fancy", kind="Gadget")
        return tmp_path

    def test_asks(self, folder: Path) -> None:
        done = crdlint(folder, "healthchecks")
        assert done.returncode == 2
        assert "left open: nobody says what it means that Fancy is True\n" in done.stdout.decode()
        asked = [line for line in done.stdout.decode().splitlines() if line.startswith("  pass ")]
        assert asked == [
            "  pass --condition Gadget:Fancy=positive (or negative, progressing, paused, ignored)",
        ]
        answer = shlex.split(asked[0])[1:3]
        assert crdlint(folder, "healthchecks", *answer).returncode == 0

    def test_asks_on_standard_error_beside_yaml(self, folder: Path) -> None:
        write(folder, "widgets.yaml", "Ready")
        done = crdlint(folder, "healthchecks", "--format", "yaml")
        assert done.returncode == 2
        assert b"kind: Widget\n" in done.stdout
        assert b"Gadget" not in done.stdout
        assert b"pass --condition Gadget:Fancy=positive" in done.stderr

    def test_nothing_is_known(self, folder: Path) -> None:
        write(folder, "gadgets.yaml", kind="Gadget")
        found = kinds(folder)["Gadget"]
        assert (found["verdict"], found["pass"]) == ("open", ["--condition Gadget:TYPE=positive"])
        assert kinds(folder, "--condition", "Ready")["Gadget"]["verdict"] == "needed"

    def test_objects(self, folder: Path) -> None:
        statuses = [{"type": "Synced", "status": "True"}, {"type": "Fancy", "status": "True"}]
        sample = {"apiVersion": "example.com/v1", "kind": "Gadget", "status": {"conditions": statuses}}
        (folder / "objects.json").write_text(json.dumps({"kind": "List", "items": [sample]}), "utf-8")
        found = kinds(folder, "--objects", "objects.json", "gadgets.yaml")["Gadget"]
        assert [used["type"] for used in found["conditions"]] == ["Synced", "Fancy"]
        assert crdlint(folder, "healthchecks", "--objects", "missing.json").returncode == 2

    def test_configuration(self, folder: Path) -> None:
        write(folder, "gadgets.yaml", kind="Gadget")
        (folder / ".crdlint.yaml").write_text("conditionTypes: [Accepted]\n", "utf-8")
        assert kinds(folder)["Gadget"]["conditions"][0]["source"] == "configuration"
        (folder / ".crdlint.yaml").write_text("conditionTypes: [Fancy]\n", "utf-8")
        assert kinds(folder)["Gadget"]["verdict"] == "open"
        configured = "conditionTypes: [Fancy]\nconditionMeanings: {Fancy: positive}\n"
        (folder / ".crdlint.yaml").write_text(configured, "utf-8")
        assert kinds(folder)["Gadget"]["conditions"][0]["type"] == "Fancy"
        (folder / ".crdlint.yaml").write_text("stateless: [Gadget]\n", "utf-8")
        assert kinds(folder)["Gadget"]["verdict"] == "nothing"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("Ready=positiv", "did you mean 'positive'?"),
        ("Ready=", "a meaning is one of positive, negative, progressing, paused, ignored"),
        ("=positive", "is not [KIND:]TYPE[=MEANING]"),
        (":Ready", "is not [KIND:]TYPE[=MEANING]"),
        ("Widget:", "is not [KIND:]TYPE[=MEANING]"),
        ("", "is not [KIND:]TYPE[=MEANING]"),
    ],
)
def test_conditions_that_say_nothing(folder: Path, words: str, hint: str) -> None:
    done = crdlint(folder, "healthchecks", "--condition", words)
    assert done.returncode == 2
    assert hint in done.stderr.decode()


def test_kinds_that_there_are_not(folder: Path) -> None:
    done = crdlint(folder, "healthchecks", "--condition", "Wigdet:Up=positive")
    assert done.returncode == 2
    assert b"--condition Wigdet:Up: there is no kind Wigdet in these files" in done.stderr


def test_one_kind_in_two_files(folder: Path) -> None:
    write(folder, "copy.yaml", "Available", "Degraded", "Paused")
    assert crdlint(folder, "healthchecks").returncode == 0
    write(folder, "xcopy.yaml", "Ready")
    done = crdlint(folder, "healthchecks")
    assert done.returncode == 2
    assert b"xcopy.yaml: Widget (widgets.example.com) is not the same as in copy.yaml" in done.stderr
    assert done.stdout.decode().count("  kind: Widget\n") == 1


def test_patches_of_kustomize_are_passed_over(folder: Path) -> None:
    patch = (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n"
    )
    (folder / "patch.yaml").write_text(patch, "utf-8")
    assert list(kinds(folder)) == ["Widget"]


def test_what_goes_wrong(folder: Path) -> None:
    (folder / "broken.yaml").write_text("kind: CustomResourceDefinition\na: [", "utf-8")
    done = crdlint(folder, "healthchecks")
    assert done.returncode == 2
    assert b"broken.yaml: cannot be read" in done.stderr
    assert b"kind: Widget" in done.stdout
    assert crdlint(folder, "healthchecks", "--format", "sarif").returncode == 2
    assert crdlint(folder, "healthchecks", "--for", "helm").returncode == 2
    assert crdlint(folder, "healthchecks", "missing.yaml").returncode == 2


def test_nothing_here(tmp_path: Path) -> None:
    done = crdlint(tmp_path, "healthchecks")
    assert (done.returncode, done.stdout) == (0, b"There is no CRD here.\n")
    assert crdlint(tmp_path, "healthchecks", "--format", "yaml").stdout == b""


def test_standard_input(folder: Path) -> None:
    data = (folder / "widgets.yaml").read_bytes()
    done = crdlint(folder, "healthchecks", "-", stdin=data)
    assert done.stdout == crdlint(folder, "healthchecks", "widgets.yaml").stdout.replace(b"\nwidgets.yaml\n", b"\n-\n")


@pytest.mark.parametrize("name", ["\x1b[2J", "##[command]x", "a\nb", "\u202e"])
def test_names_cannot_act_on_what_shows_them(folder: Path, name: str) -> None:
    write(folder, "widgets.yaml", "Ready", name, f"{name}Stalled")
    (folder / "gadgets.yaml").write_text(
        (folder / "widgets.yaml").read_text("utf-8").replace("Widget", f"{name}Widget")
    )
    telling = ["--condition", f"{name}=positive", "--condition", f"{name}Stalled=negative", "--all"]
    text = crdlint(folder, "healthchecks", *telling, "--color", "never").stdout.decode()
    assert clean(text.replace("\n", " ")) == text.replace("\n", " ")
    assert "a\nb" not in text


def test_the_configuration_knows_the_same_meanings() -> None:
    properties = config_schema()["properties"]
    assert properties["conditionMeanings"]["additionalProperties"]["enum"] == [meaning.value for meaning in Meaning]
