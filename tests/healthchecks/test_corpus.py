"""CRDs of real projects: Flux, Argo CD and kubectl, in Python, over the life of an object of each version."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.healthchecks.asking import Asked, commands, is_met
from tests.healthchecks.corpus import LEAST, chosen
from tests.healthchecks.lives import argocd_answer, flux_answer, wait_answer


def test_all_consumers(tmp_path: Path) -> None:
    pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")
    pytest.importorskip("lupa", reason="scripts need crdlint[argocd]")
    answers = 0
    for one in chosen():
        assert one.assessment.check is not None
        asked = Asked(one.assessment.check, tmp_path)
        waits = list(commands(one.assessment.check, one.assessment))
        for state, shape, resource in one.lives():
            where = (one.crd.name, state, resource)
            assert asked.flux_says(resource) == flux_answer(state, shape, one.types, resource), where
            assert asked.argocd_says(resource) == argocd_answer(state, shape, one.types), where
            for for_ in waits:
                assert is_met(for_, resource) is wait_answer(state, shape, for_), (for_, *where)
            answers += 2 + len(waits)
    print(f"{len(chosen())} CRDs of different shape, {answers} answers of Flux, Argo CD and kubectl")
    assert len(chosen()) >= LEAST
