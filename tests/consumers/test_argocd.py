"""Argo CD: which script counts, and what becomes of its answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crdlint.consumers.argocd import ArgoCd, matching_key, shipped_script, shipped_scripts
from crdlint.errors import UsageError

pytest.importorskip("lupa", reason="scripts need crdlint[argocd]")


def health(tmp_path: Path, script: str, **resource: Any) -> Any:
    folder = tmp_path / "example.com" / "Widget"
    folder.mkdir(parents=True)
    (folder / "health.lua").write_text(script, "utf-8")
    return ArgoCd(tmp_path).health({"apiVersion": "example.com/v1", "kind": "Widget", **resource})


def test_no_script_no_health() -> None:
    argocd = ArgoCd()
    assert argocd.health({"apiVersion": "example.com/v1", "kind": "Widget"}) is None
    deleted = {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"deletionTimestamp": "2024-01-01T00:00:00Z"},
    }
    assert argocd.health(deleted) == ("Progressing", "Pending deletion")


def test_what_is_shipped_but_not_run_is_unknown() -> None:
    found = ArgoCd().health({"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Cluster"})
    assert found is not None
    assert found.status == "Unknown"
    assert "status.conditions, status.phase" in found.message
    assert ArgoCd().health({"apiVersion": "apps/v1", "kind": "Deployment"}) is not None


def test_table() -> None:
    cluster = shipped_script("cluster.x-k8s.io", "Cluster")
    assert cluster is not None
    assert cluster.severity
    assert cluster.fields == ("conditions", "phase")
    assert shipped_script("ec2.aws.upbound.io", "VPC") is not None
    assert shipped_script("example.com", "Widget") is None
    assert sum(row.observed_generation for row in shipped_scripts().values()) > 30


def test_own_script_before_wildcards() -> None:
    keys = ["_.crossplane.io/_", "pkg.crossplane.io/Provider", "Pod"]
    assert matching_key(keys, "pkg.crossplane.io", "Provider") == "pkg.crossplane.io/Provider"
    assert matching_key(keys, "pkg.crossplane.io", "Function") == "_.crossplane.io/_"
    assert matching_key(keys, "", "Pod") == "Pod"
    assert matching_key(keys, "crossplane.io", "Function") is None


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("return {status = 'Healthy', message = obj.spec.names[2]}", ("Healthy", "b")),
        ("return {status = 'Healthy', message = tostring(obj.spec.none)}", ("Healthy", "nil")),
        ("return {status = 'Healthy', message = tostring(obj.spec.count + 1)}", ("Healthy", "4")),
        ("for i = 1, 3 do goto continue ::continue:: end return {status = 'Degraded'}", ("Degraded", "")),
        ("return {status = 'Splendid'}", ("Unknown", "Lua returned an invalid health status")),
        ("return {}", ("", "")),
        ("return nil", ("", "")),
        ("return {status = 'Healthy', message = {}}", ("", "")),
        ("return 1", ("Unknown", "expect table output from Lua script, not int")),
        ("return {status = type(os.time())}", ("Unknown", "Lua returned an invalid health status")),
        ("return {status = 'Healthy', message = type(require('os').date)}", ("Healthy", "function")),
        (
            "return {status = 'Healthy', message = type(io) .. type(os.execute) .. type(python)}",
            ("Healthy", "nilnilnil"),
        ),
    ],
)
def test_answers(tmp_path: Path, script: str, expected: tuple[str, str]) -> None:
    assert health(tmp_path, script, spec={"names": ["a", "b"], "none": None, "count": 3}) == expected


@pytest.mark.parametrize("script", ["return obj.no.thing", "while true do end", "return (", "return io.open('x')"])
def test_failing_scripts_are_unknown(tmp_path: Path, script: str) -> None:
    found = health(tmp_path, script)
    assert found.status == "Unknown"
    assert "\n" not in found.message


def test_folder_without_scripts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"health\.lua"):
        ArgoCd(tmp_path)
