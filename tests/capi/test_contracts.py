"""Which contract a version is held to: by the labels of the CRD, or by configuration where it has none."""

from __future__ import annotations

import pytest

from crdlint.checks.capi.contracts import contract_labels, contract_of
from crdlint.settings import Capi
from tests.capi.crds import Document, crd_of


def document(versions: str, labels: dict[str, str]) -> Document:
    """Versions by name; those that are not served end in a minus."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"labels": {f"cluster.x-k8s.io/{key}": value for key, value in labels.items()}},
        "spec": {
            "versions": [
                {"name": name.removesuffix("-"), "served": not name.endswith("-"), "storage": False}
                for name in versions.split()
            ]
        },
    }


def contracts(versions: str, labels: dict[str, str], contract: str = "v1beta2") -> dict[str, str | None]:
    crd = crd_of(document(versions, labels))
    return {version.name: contract_of(version, Capi(contract)) for version in crd.versions}


@pytest.mark.parametrize(
    ("versions", "newest"),
    [
        ("v1", "v1"),
        ("v1beta1 v1beta2", "v1beta2"),
        ("v1beta2 v1beta1", "v1beta2"),
        ("v1beta9 v1beta10", "v1beta10"),
        ("v1alpha2 v1beta1", "v1beta1"),
        ("v2alpha1 v1", "v1"),
        ("v9 v10", "v10"),
        ("v1beta1 v1beta2-", "v1beta1"),
        ("foo v1alpha1", "v1alpha1"),
    ],
)
@pytest.mark.parametrize("contract", ["v1beta1", "v1beta2"])
def test_without_labels_the_newest_served_version_is_held_to_the_configured_contract(
    versions: str, newest: str, contract: str
) -> None:
    found = contracts(versions, {"provider": "infrastructure-foo"}, contract)
    assert {name: kept for name, kept in found.items() if kept} == {newest: contract}


def test_labels_decide_for_each_version() -> None:
    labels = {"v1beta1": "v1alpha4_v1beta1", "v1beta2": "v1beta2", "v1alpha3": "v1alpha3"}
    assert contracts("v1alpha3 v1alpha4 v1beta1 v1beta2 v1beta3", labels) == {
        "v1alpha3": None,
        "v1alpha4": "v1beta1",
        "v1beta1": "v1beta1",
        "v1beta2": "v1beta2",
        "v1beta3": None,
    }


@pytest.mark.parametrize("contract", ["v1beta1", "v1beta2"])
def test_a_version_that_is_promised_to_both_contracts_is_read_by_the_newer(contract: str) -> None:
    assert contracts("v1", {"v1beta1": "v1", "v1beta2": "v1"}, contract) == {"v1": "v1beta2"}


def test_other_keys_are_no_contracts() -> None:
    labels = {"provider": "infrastructure-foo", "v1beta2x": "v1", "v1beta": "v1", "v1gamma1": "v1", "v2": "v1_v1beta1"}
    assert contract_labels(crd_of(document("v1", labels))) == {"v2": ["v1", "v1beta1"]}
