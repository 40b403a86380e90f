"""A whole migration on a real API server: CRDs and objects as they were, then what `migrate` makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crdlint.migrate.planner import Planner, Wishes
from crdlint.migrate.repository import Repository, crds_in
from crdlint.yamltext.data import to_data
from tests.surroundings import ROOT
from tests.upstream.controlplane.api_client import ApiClient, Json, resource_of

SAMPLE = ROOT / "fixtures" / "migrate-provider"
CASES = ROOT / "tests" / "migrate" / "to_v1_cases"
# A spec that each kind admits.
SPECS = {"quarryclusters": {"region": "north"}, "quarryimages": {"source": "a"}, "quarrymachines": {"flavor": "small"}}


def crds(data: bytes) -> Iterator[Json]:
    for _, crd in crds_in(Repository.parsed(data)):
        yield to_data(crd.root)


def migrated() -> tuple[dict[str, Json], dict[str, Json]]:
    """The provider's CRDs by their plural, before and after; without conversion webhooks, which nobody serves here."""
    repository = Repository(folder=str(SAMPLE))
    for path in sorted((SAMPLE / "config/crd/bases").iterdir()):
        repository.add(str(path), path.read_bytes())
    plan = Planner(repository, Wishes()).plan()
    texts = [(file.before, file.after) for file in plan.files.values() if not file.is_source]
    before, after = ([crd for pair in texts for crd in crds(pair[side])] for side in (0, 1))
    return tuple({one["spec"]["names"]["plural"]: one for one in side} for side in (before, after))  # type: ignore[return-value]


@pytest.mark.parametrize(
    "case", [case for case in sorted(CASES.iterdir()) if (case / "out.yaml").exists()], ids=lambda case: case.name
)
def test_what_is_converted_is_established(api: ApiClient, case: Path) -> None:
    """Each CRD that `--to-v1` writes is served, status and all."""
    for number, crd in enumerate(crds((case / "out.yaml").read_bytes())):
        spec: dict[str, Any] = crd.get("spec", {})
        if "versions" not in spec:
            continue  # a patch
        spec = {**spec, "group": f"{case.name}.{number}.{spec['group']}".replace("_", "-")}
        spec.pop("conversion", None)
        named = {**crd, "metadata": {"name": f"{spec['names']['plural']}.{spec['group']}"}, "spec": spec}
        named.pop("status", None)
        resource = api.apply_crd(named)
        api.create(resource.collection, resource.new("x", spec={}))
        assert api.get(resource.path("x"))["metadata"]["name"] == "x"


def test_the_sample_provider(api: ApiClient) -> None:
    """The migrated CRDs replace the old ones; stored objects stay, can be written, and new ones start at -1."""
    before, after = migrated()
    assert set(before) == set(after)
    stored: dict[str, Json] = {}
    for plural, crd in before.items():
        resource = api.apply_crd(crd)
        api.create(resource.collection, resource.new("old", spec=SPECS[plural]))
        stored[plural] = api.get(resource.path("old"))
    for plural, crd in after.items():
        resource = api.apply_crd(crd)
        old = api.get(resource.path("old"))
        assert old["spec"] == stored[plural]["spec"], plural
        api.replace(resource.path("old"), {**old, "metadata": {**old["metadata"], "labels": {"a": "b"}}})
    for plural in ("quarryclusters", "quarrymachines"):
        resource = resource_of(after[plural])
        api.create(resource.collection, resource.new("fresh", spec=SPECS[plural]))
        for name in ("old", "fresh"):
            assert api.get(resource.path(name))["status"] == {"observedGeneration": -1}, (plural, name)
