"""``crdlint simulate`` and ``crdlint status`` as people and scripts run them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import crdlint
from tests.fixture_tool import FIXTURES

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties:
              observedGeneration: {type: integer, format: int64}
              conditions:
                type: array
                items:
                  type: object
                  properties:
                    type: {type: string}
                    status: {type: string}
                    observedGeneration: {type: integer, format: int64}
"""
TABLE = """\
widgets.example.com v1 (storage)
widgets.yaml
race: a new object is Current to kstatus before any controller has seen it
Argo CD has no health script for this kind: it counts as healthy at once

state                 kstatus      wait Ready  Available  Paused
created               ✗ too early  waits       waits      waits
generation-observed   ✗ too early  waits       waits      waits
in-progress           InProgress   waits       waits      waits
ready                 Current      met         met        waits
spec-changed          InProgress   waits       waits      waits
failed                InProgress   waits       waits      waits
paused-from-creation  ✗ too early  waits       waits      met
deleting              Terminating  waits       waits      waits
"""
HEALTH_CHECKS = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
spec:
  healthCheckExprs:
  - apiVersion: example.com/v1
    kind: Widget
    current: status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "widgets.yaml").write_text(CRD, "utf-8")
    return tmp_path


def resource(name: str, kind: str = "Widget", api_version: str = "example.com/v1", **parts: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "ns", "generation": 1, **parts.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}


# simulate


def test_table(folder: Path) -> None:
    done = crdlint(folder, "simulate", "widgets.yaml")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert text.startswith(TABLE)
    assert text.count("✗ never: ") == 1
    assert crdlint(folder, "simulate").stdout.decode() == text


def test_before_and_after(folder: Path) -> None:
    text = crdlint(folder, "simulate", "--fixed", "widgets.yaml").stdout.decode()
    before, _, after = text.partition("after `crdlint fix --unsafe-fixes`\n")
    assert "created               ✗ too early" in before
    assert "created               InProgress" in after
    assert (folder / "widgets.yaml").read_text("utf-8") == CRD


def test_json(folder: Path) -> None:
    report = json.loads(crdlint(folder, "simulate", "--format", "json", "widgets.yaml").stdout)
    assert report.keys() == {"format", "crds"}
    assert report["format"] == "crdlint-simulate/v1"
    (entry,) = report["crds"]
    assert entry.keys() == {"path", "crd", "kind", "version", "storage", "race", "timeline"}
    assert entry["race"] is True
    created = entry["timeline"][0]
    assert created.keys() == {"state", "object", "verdicts"}
    waits = {"met": False, "message": "there is no condition Ready"}
    assert created["verdicts"]["kstatus"] == {"status": "Current", "message": "Resource is current"}
    assert created["verdicts"]["kubectl-wait"]["Ready"] == waits
    assert created["verdicts"]["argocd"] is None
    assert list(created["verdicts"]) == ["kstatus", "kubectl-wait", "flux", "argocd"]


def test_json_of_the_fixed_versions(folder: Path) -> None:
    report = json.loads(crdlint(folder, "simulate", "--fixed", "--format", "json", "widgets.yaml").stdout)
    assert [entry["race"] for entry in (*report["crds"], *report["fixed"])] == [True, False]


def test_standard_input_and_output_file(folder: Path) -> None:
    done = crdlint(folder, "simulate", "-", "-o", "report.txt", stdin=CRD.encode())
    assert done.stdout == b""
    assert (folder / "report.txt").read_text("utf-8").startswith(TABLE.replace("widgets.yaml", "-"))


def test_health_checks(folder: Path) -> None:
    pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")
    (folder / "flux.yaml").write_text(HEALTH_CHECKS, "utf-8")
    text = crdlint(folder, "simulate", "--health-checks", "flux.yaml", "widgets.yaml").stdout.decode()
    assert "state                 kstatus      Flux         wait Ready" in text
    # There is no status to look at, which is an error that Flux waits on.
    assert "created               ✗ too early  Unknown" in text
    (folder / "flux.yaml").write_text("spec: {}\nkind: Kustomization\n", "utf-8")
    done = crdlint(folder, "simulate", "--health-checks", "flux.yaml", "widgets.yaml")
    assert done.returncode == 2
    assert b"flux.yaml: there are no spec.healthCheckExprs in it" in done.stderr


def test_what_goes_wrong(folder: Path) -> None:
    (folder / "broken.yaml").write_text("kind: CustomResourceDefinition\na: [", "utf-8")
    done = crdlint(folder, "simulate", ".")
    assert done.returncode == 2
    assert b"broken.yaml: cannot be read" in done.stderr
    assert TABLE.encode() in done.stdout
    assert crdlint(folder, "simulate", "missing.yaml").returncode == 2
    assert crdlint(folder, "simulate", "--format", "sarif").returncode == 2
    assert crdlint(folder, "simulate", "--argocd-scripts", "missing").returncode == 2


def test_nothing_to_simulate(tmp_path: Path) -> None:
    done = crdlint(tmp_path, "simulate")
    assert (done.returncode, done.stdout) == (0, b"There is no CRD here.\n")


def test_the_sample_repository_fits_80_columns() -> None:
    text = crdlint(FIXTURES, "simulate", "--fixed", "provider-repo").stdout.decode()
    rows = [line for line in text.splitlines() if not line.startswith("provider-repo/")]
    assert max(map(len, rows)) <= 100
    tables = [line for line in rows if line.startswith(("state", "created", "ready", "paused", "deleting"))]
    assert tables
    assert max(map(len, tables)) <= 80


# status


def test_current(tmp_path: Path) -> None:
    objects = [resource("a"), resource("b", status={"observedGeneration": 0})]
    text = "---\n".join(json.dumps(item) + "\n" for item in objects)
    done = crdlint(tmp_path, "status", "-", stdin=text.encode())
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [
        "✗ Widget ns/b  InProgress  Widget generation is 1, but latest observed generation is 0",
        "✓ Widget ns/a  Current     Resource is current, but it has no status: no controller has written one yet",
        "1 of 2 objects Current to kstatus",
    ]
    assert crdlint(tmp_path, "status", stdin=json.dumps(objects[0]).encode()).returncode == 0


def test_lists_and_concatenated_json(tmp_path: Path) -> None:
    items = [resource("a"), resource("b", "Deployment", "apps/v1")]
    (tmp_path / "list.json").write_text(
        json.dumps({"kind": "List", "items": items}) + json.dumps(resource("c")), "utf-8"
    )
    report = json.loads(crdlint(tmp_path, "status", "--format", "json", "list.json").stdout)
    assert report["format"] == "crdlint-status/v1"
    assert [entry["name"] for entry in report["objects"]] == ["a", "b", "c"]
    entry = report["objects"][1]
    assert entry.keys() == {"path", "apiVersion", "kind", "namespace", "name", "verdicts", "paused"}
    assert entry["paused"] is None
    assert entry["verdicts"]["kstatus"] == {"status": "InProgress", "message": "Replicas: 0/1"}


def test_consumers(tmp_path: Path) -> None:
    ready = resource("a", status={"conditions": [{"type": "Ready", "status": "True", "observedGeneration": 0}]})
    codes = {
        name: crdlint(tmp_path, "status", "--consumer", name, stdin=json.dumps(ready).encode()).returncode
        for name in ("kstatus", "kubectl-wait", "flux", "argocd")
    }
    assert codes == {"kstatus": 0, "kubectl-wait": 1, "flux": 0, "argocd": 0}


def test_paused(tmp_path: Path) -> None:
    label = {"labels": {"cluster.x-k8s.io/cluster-name": "c"}}
    pausing = {"type": "Paused", "status": "True", "observedGeneration": 1}
    group = "cluster.x-k8s.io/v1beta2"
    machine = resource("m", "Machine", group, metadata=label, status={"conditions": [pausing]})
    # The Cluster comes last.
    cluster = resource("c", "Cluster", group, spec={"paused": True}, status={"conditions": [pausing]})
    both = json.dumps(machine) + json.dumps(cluster)
    assert crdlint(tmp_path, "status", "--for", "paused", stdin=both.encode()).returncode == 0
    report = json.loads(crdlint(tmp_path, "status", "--format", "json", stdin=both.encode()).stdout)
    assert report["objects"][0]["paused"] == {
        "requested": True,
        "acknowledged": True,
        "reason": "spec.paused of Cluster c, and the Paused condition says that it is",
    }
    machine["metadata"]["generation"] = 2
    stale = json.dumps(machine) + json.dumps(cluster)
    assert crdlint(tmp_path, "status", "--for", "paused", stdin=stale.encode()).returncode == 1
    assert crdlint(tmp_path, "status", "--for", "paused", stdin=json.dumps(resource("w")).encode()).returncode == 1


def test_the_total_says_of_what(tmp_path: Path) -> None:
    written = {"observedGeneration": 1, "conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1}]}
    both = json.dumps(resource("a", status=written)) + json.dumps(resource("s", "Secret", "v1"))
    totals = {
        name: crdlint(tmp_path, "status", "--consumer", name, stdin=both.encode()).stdout.decode().splitlines()[-1]
        for name in ("kstatus", "kubectl-wait", "flux", "argocd")
    }
    assert totals == {
        "kstatus": "2 of 2 objects Current to kstatus",
        "kubectl-wait": "1 of 2 objects Ready to kubectl wait",
        "flux": "2 of 2 objects Current to Flux",
        "argocd": "0 of 0 objects Healthy to Argo CD; left aside: 2 without a health check",
    }


def test_what_need_not_pause_does_not_count(tmp_path: Path) -> None:
    pausing = {"type": "Paused", "status": "True", "observedGeneration": 1}
    group = "cluster.x-k8s.io/v1beta2"
    cluster = resource("c", "Cluster", group, spec={"paused": True}, status={"conditions": [pausing]})
    text = json.dumps(resource("s", "Secret", "v1")) + json.dumps(cluster)
    done = crdlint(tmp_path, "status", "--for", "paused", stdin=text.encode())
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("- Secret ns/s   -       ")
    assert lines[-1] == "1 of 1 object paused; left aside: 1 that need not pause"


def test_a_long_name_leaves_the_columns_alone(tmp_path: Path) -> None:
    names = ["a", "n" * 80, "b"]
    text = "".join(json.dumps(resource(name, "Secret", "v1")) for name in names)
    lines = crdlint(tmp_path, "status", stdin=text.encode()).stdout.decode().splitlines()
    assert lines[1] == f"✓ Secret ns/{'n' * 80}"
    assert {line.index("Current") for line in (lines[0], *lines[2:4])} == {54}


@pytest.mark.parametrize(
    ("text", "code"),
    [(b"", 1), (b'{"kind": "List", "items": []}', 0), (b"---\n", 0), (b"apiVersion: v1\nkind: A\n", 0)],
)
def test_an_input_without_a_byte_is_no_answer(tmp_path: Path, text: bytes, code: int) -> None:
    (tmp_path / "x.yaml").write_bytes(text)
    for arguments, stdin in ((["-"], text), (["x.yaml"], b""), (["--consumer", "argocd"], text)):
        done = crdlint(tmp_path, "status", *arguments, stdin=stdin)
        assert done.returncode == code
        assert (b" is empty: " in done.stderr) is (code == 1)


@pytest.mark.parametrize(
    ("kind", "group", "status", "hints"),
    [
        ("Widget", "example.com/v1", None, True),
        ("Widget", "example.com/v1", {}, True),
        ("Widget", "example.com/v1", {"phase": "Up"}, False),
        ("Machine", "cluster.x-k8s.io/v1beta2", None, True),
        ("ConfigMap", "v1", None, False),
        ("Role", "rbac.authorization.k8s.io/v1", None, False),
    ],
)
def test_a_new_object_is_told_from_a_ready_one(
    tmp_path: Path, kind: str, group: str, status: dict[str, Any] | None, hints: bool
) -> None:
    given = resource("a", kind, group) | ({} if status is None else {"status": status})
    done = crdlint(tmp_path, "status", stdin=json.dumps(given).encode())
    assert done.returncode == 0
    assert ("no controller has written one yet" in done.stdout.decode()) is hints


def test_blank_standard_input_is_as_good_as_none(tmp_path: Path) -> None:
    assert crdlint(tmp_path, "status", "-", stdin=b" \n").returncode == 1


def test_input_that_cannot_be_read(tmp_path: Path) -> None:
    for text in (b"a: [", b'{"a": ', b"\xff\xfea\x00"):
        done = crdlint(tmp_path, "status", "-", stdin=text)
        assert done.returncode == 2, text
        assert done.stderr.startswith(b"crdlint: -:")
    assert crdlint(tmp_path, "status", "missing.yaml").returncode == 2
    assert crdlint(tmp_path, "status", "--for", "ready").returncode == 2


def test_names_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    done = crdlint(tmp_path, "status", stdin=json.dumps(resource("a\x1b[2Jb")).encode())
    assert b"\x1b" not in done.stdout
