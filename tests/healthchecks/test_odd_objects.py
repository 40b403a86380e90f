"""Objects as nobody expects them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.healthchecks.asking import Asked, checked, told
from tests.healthchecks.odd import ODD, TYPES, Odd, crd


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(checked(crd(), told(TYPES))[0], tmp_path)


each_object = pytest.mark.parametrize("odd", ODD.values(), ids=ODD)


@each_object
def test_flux(odd: Odd, asked: Asked) -> None:
    pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")
    assert asked.flux_says(odd.resource) in odd.flux.split("|")


@each_object
def test_argocd(odd: Odd, asked: Asked) -> None:
    pytest.importorskip("lupa", reason="scripts need crdlint[argocd]")
    assert asked.argocd_says(odd.resource) == odd.argocd
