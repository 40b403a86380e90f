"""Flux: which expressions count for an object."""

from __future__ import annotations

from typing import Any

import pytest

from crdlint.consumers.flux import Flux
from crdlint.errors import UsageError

pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")

WIDGET: dict[str, Any] = {"apiVersion": "example.com/v2", "kind": "Widget", "metadata": {"generation": 1}}


def flux(*checks: dict[str, Any]) -> Flux:
    return Flux.from_kustomizations([{"kind": "Kustomization", "spec": {"healthCheckExprs": list(checks)}}])


def check(current: str, api_version: str = "example.com/v1", **more: str) -> dict[str, Any]:
    return {"apiVersion": api_version, "current": current, **more}


def test_without_expressions_it_is_kstatus() -> None:
    assert Flux().verdict(WIDGET) == ("Current", "Resource is current")
    assert flux(check("false", "other.com/v1")).verdict(WIDGET) == ("Current", "Resource is current")


def test_the_kind_before_its_group_and_the_version_does_not_count() -> None:
    found = flux(check("false"), check("true", kind="Widget"))
    assert found.verdict(WIDGET).status == "Current"
    assert found.verdict({**WIDGET, "kind": "Gadget"}).status == "InProgress"


def test_an_unobserved_generation_comes_before_all_expressions() -> None:
    found = flux(check("true", failed="true"))
    assert found.verdict({**WIDGET, "status": {"observedGeneration": -1}}).status == "InProgress"
    assert found.verdict({**WIDGET, "status": {"observedGeneration": 1}}).status == "Failed"
    assert found.verdict({**WIDGET, "status": {"observedGeneration": "x"}}).status == "Failed"


def test_an_expression_that_fails_is_unknown() -> None:
    verdict = flux(check("status.ready == true")).verdict(WIDGET)
    assert verdict.status == "Unknown"
    assert "status.ready == true" in verdict.message


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ([], "no spec.healthCheckExprs"),
        ([check("")], "Current not specified"),
        ([check("status.(")], "failed to parse"),
        ([check("true"), check("false", "example.com/v9")], "duplicate"),
    ],
)
def test_what_flux_refuses(checks: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        flux(*checks)
