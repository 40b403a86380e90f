"""Every rule of the contract has a case that keeps it and one that breaks it, for each kind and each contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from crdlint.checks.capi import CHECKS, TOPICS
from crdlint.checks.capi.contracts import CONTRACTS, V1BETA2, contract_of
from crdlint.checks.capi.roles import Role, role_of
from crdlint.choices import Choices, linter_for
from crdlint.crd.model import Crd, crds_of
from crdlint.yamltext.parse import parse
from tests.fixture_tool import NO_CONFIG, Case, all_cases

# A kind and a contract; the contract is None for rules that are the same in both.
Cell = tuple[Role, str | None]

OF_THE_CONTRACT = [role for role in Role if role is not Role.IPAM_POOL]
WITH_STATUS = [role for role in OF_THE_CONTRACT if not role.is_template]
# What the rules that are no tables speak of.
CELLS: dict[str, set[Cell]] = {
    "capi-conditions": {
        (Role.IPAM_POOL, None),
        *((role, contract) for role in WITH_STATUS for contract in CONTRACTS),
    },
    "capi-contract-label": {(role, contract) for role in OF_THE_CONTRACT for contract in CONTRACTS},
    "capi-crd-name": {(role, None) for role in Role},
    "capi-field-markers": {(role, V1BETA2) for role in WITH_STATUS},
    "capi-list-kind": {(role, None) for role in OF_THE_CONTRACT},
    "capi-provider-label": {(role, None) for role in Role},
    "capi-scale-subresource": {(Role.CONTROL_PLANE, contract) for contract in CONTRACTS},
    "capi-scope": {(role, None) for role in OF_THE_CONTRACT},
    "capi-terminal-failures": {(role, V1BETA2) for role in WITH_STATUS},
    "capi-type-meta": {(role, None) for role in Role},
}
CELLS |= {
    check.replace("_", "-"): {
        (role, contract) for role, contracts in topic.fields.items() for contract, asked in contracts.items() if asked
    }
    for check, topic in TOPICS.items()
}
CASES = all_cases()


def test_the_matrix_has_every_rule() -> None:
    assert set(CELLS) == {check.replace("_", "-") for check in CHECKS}


@pytest.mark.parametrize("rule", sorted(CELLS))
def test_each_cell_has_a_case_that_keeps_the_rule_and_one_that_breaks_it(rule: str) -> None:
    kept, broken = set[Cell](), set[Cell]()
    for case in CASES:
        if case.rule == rule:
            for cell, is_broken in _cells(case):
                (broken if is_broken else kept).add(cell)
    for wanted in CELLS[rule]:
        assert _has(kept, wanted), ("nothing keeps it", wanted)
        assert _has(broken, wanted), ("nothing breaks it", wanted)


def _has(cells: Iterable[Cell], wanted: Cell) -> bool:
    return any(role is wanted[0] and wanted[1] in (None, contract) for role, contract in cells)


def _cells(case: Case) -> Iterator[tuple[Cell, bool]]:
    """The cells that the versions of a case stand for, and whether the rule is broken there."""
    own = case.folder / "config.yaml"
    capi = linter_for("in.yaml", Choices(config=str(own if own.exists() else NO_CONFIG))).settings.capi
    found = case.run(case.before).result.findings
    for crd in _crds(case):
        broken = {finding.version for finding in found if finding.rule == case.rule and finding.crd == crd.name}
        role = role_of(crd, capi)
        for version in crd.judged_versions:
            if role is not None:
                yield (role, contract_of(version, capi)), bool(broken & {version.name, None})


def _crds(case: Case) -> Iterator[Crd]:
    for document in parse(case.before.decode()).documents:
        yield from crds_of(document.root) if document.root is not None else ()
