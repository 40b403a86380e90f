"""Plans for real providers of the Cluster API, from the corpus: what they promise holds."""

from __future__ import annotations

import pytest

from crdlint.choices import Choices
from crdlint.findings import Applicability
from crdlint.migrate.plan import Plan, Task
from crdlint.migrate.planner import Wishes
from crdlint.report.migration import migration
from crdlint.report.migration_text import as_text
from tests.fixture_tool import NO_CONFIG
from tests.migrate.work_tree import planned
from tests.surroundings import CORPUS, missing
from tests.upstream.asking import Upstream

PROVIDERS = (
    *("k3s-io__cluster-api-k3s", "kubernetes-sigs__cluster-api", "kubernetes-sigs__cluster-api-operator"),
    *("kubernetes-sigs__cluster-api-provider-aws", "kubernetes-sigs__cluster-api-provider-azure"),
    *("kubernetes-sigs__cluster-api-provider-gcp", "kubernetes-sigs__cluster-api-provider-nested"),
    *("kubernetes-sigs__cluster-api-provider-openstack", "kubernetes-sigs__cluster-api-provider-packet"),
    *("linode__cluster-api-provider-linode", "metal3-io__cluster-api-provider-metal3"),
    "syself__cluster-api-provider-hetzner",
)
WISHES = Wishes(Choices(config=str(NO_CONFIG)), to_v1=True, capi_stage1=True)
each_provider = pytest.mark.parametrize("provider", PROVIDERS)


def files_of(provider: str) -> dict[str, str | bytes]:
    folder = CORPUS / provider
    if not folder.is_dir():
        missing(f"the corpus is not beside the checkout ({provider})")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def plan_of(provider: str) -> Plan:
    return planned(files_of(provider), WISHES)


@each_provider
def test_a_second_run_plans_nothing(provider: str) -> None:
    plan = plan_of(provider)
    again = planned({path: file.after for path, file in plan.files.items()}, WISHES)
    assert [(crd.name, step.rule) for crd, step in again.steps() if step.is_planned] == []
    told, found = ({finding.identity for finding in one.remaining} for one in (plan, again))
    assert told == found


@each_provider
def test_each_step_can_be_acted_on(provider: str) -> None:
    """What is planned is in all copies or says which cannot follow; what is not says why."""
    plan = plan_of(provider)
    assert plan.crds
    for crd, step in plan.steps():
        where = (crd.name, step.version, step.rule)
        for spot in step.spots:
            lines = plan.files[spot.place.path].before.decode().split("\n")
            assert 0 < spot.place.line <= len(lines), where
            assert spot.planned or spot.why_not or step.applicability is Applicability.MANUAL, where
        if step.is_planned and step.applicability is Applicability.UNSAFE and step.task is not Task.TO_V1:
            assert step.reasons, where
        if not step.is_planned:
            assert step.message, where
    text = as_text(migration(plan, lambda path, crd: crd.is_template_kind))
    assert all(crd.name in text for crd, _ in plan.steps())


@each_provider
def test_the_api_server_takes_the_result(provider: str, upstream: Upstream) -> None:
    """No CRD is refused that was not refused before, and no version is lost or changes its storage."""
    plan = plan_of(provider)
    changed = plan.changed
    asked = [text.decode() for file in changed for text in (file.before, file.after)]
    answers = upstream.ask({"op": "crd", "yaml": text} for text in asked)
    for file, before, after in zip(changed, answers[::2], answers[1::2], strict=True):
        for old, new in zip(before["crds"], after["crds"], strict=True):
            assert old["errors"] or not new["errors"], (file.path, new["errors"])
            kept = [[(v["version"], v["served"], v["storage"]) for v in one["versions"]] for one in (old, new)]
            assert kept[0] == kept[1], file.path


def test_nobody_waits_longer_than_before() -> None:
    """The plans close races, and open none."""
    before = after = 0
    for provider in PROVIDERS:
        told = migration(plan_of(provider), lambda path, crd: crd.is_template_kind)
        for prospect in told.prospects:
            assert prospect.before.race or not prospect.after.race
        races = told.races()
        before, after = before + races[0], after + races[1]
    assert before > 100
    assert after < before * 0.75
