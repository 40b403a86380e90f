"""The book's own types keep every rule, and each of their fields is missed where it is gone or of another type."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from crdlint.checks.capi import TOPICS
from crdlint.checks.capi.fields import Field, Need
from crdlint.checks.capi.roles import Role
from crdlint.findings import Applicability, Severity
from tests.capi.crds import BOOK, Document, book, findings, fixed, holder, run
from tests.surroundings import ask_oracle

CONTRACTS = ("v1beta1", "v1beta2")
BOOKS = {contract: book(contract) for contract in CONTRACTS}
# A type that no field of the contract has.
OTHER_TYPE = {"type": "number"}


def fields() -> Iterator[Any]:
    """Rule, contract, role and field of all that the tables ask for."""
    for check, topic in TOPICS.items():
        for role, contracts in topic.fields.items():
            for contract, asked in contracts.items():
                for field in asked:
                    name = f"{contract}-{role.value}-{field.path}"
                    yield pytest.param(check.replace("_", "-"), contract, role, field, id=name)


each_field = pytest.mark.parametrize(("rule", "contract", "role", "field"), list(fields()))


def without(document: Document, path: str) -> Document:
    changed = copy.deepcopy(document)
    found = holder(changed, path)
    if found is not None:
        found.pop(path.rpartition(".")[2], None)
    return changed


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_book_keeps_its_rules(contract: str) -> None:
    assert len(BOOKS[contract]) == len(Role) - (contract == "v1beta1")
    found = run((BOOK / f"{contract}.yaml").read_bytes(), select=None).result.findings
    said = {finding.rule for finding in found}
    # That contract v1beta1 ends is all that there is to say.
    assert said == ({"capi-contract-label"} if contract == "v1beta1" else set())
    assert all(finding.severity is Severity.WARNING for finding in found)


def test_the_api_server_accepts_the_book() -> None:
    answers = ask_oracle([BOOK / f"{contract}.yaml" for contract in CONTRACTS])
    assert len(answers) == sum(map(len, BOOKS.values()))
    assert not any(answer["errors"] for answer in answers)


@each_field
def test_the_book_has_the_field(rule: str, contract: str, role: Role, field: Field) -> None:
    """Otherwise the next tests would miss nothing."""
    found = holder(BOOKS[contract][role], field.path)
    assert found is not None
    assert field.path.rpartition(".")[2] in found


@each_field
def test_a_missing_field_is_found_and_added(rule: str, contract: str, role: Role, field: Field) -> None:
    document = without(BOOKS[contract][role], field.path)
    found = [finding for finding in findings(document) if finding.rule == rule]
    if field.need is Need.MAY:
        assert not found
        return
    (finding,) = found
    if field.path == "status.versions":
        assert "`status.version` in the place of" in finding.message
        assert finding.severity is Severity.INFO
    else:
        assert f"does not declare `{field.path}`" in finding.message
        assert finding.severity is field.need.value
    assert finding.fix is not None
    if field.path == "spec.template.spec":
        assert finding.fix.applicability.value == "manual"
        return
    assert finding.fix.applicability.value == "unsafe"
    remaining = [finding.rule for finding in findings(fixed(document))]
    assert rule not in remaining


@each_field
def test_a_field_of_another_type_is_found(rule: str, contract: str, role: Role, field: Field) -> None:
    document = copy.deepcopy(BOOKS[contract][role])
    found = holder(document, field.path)
    assert found is not None
    found[field.path.rpartition(".")[2]] = OTHER_TYPE
    (finding,) = (finding for finding in findings(document) if finding.rule == rule)
    assert f"`{field.path}` as a number" in finding.message
    assert finding.severity is Severity.ERROR
    assert finding.fix is not None
    assert finding.fix.applicability.value == "manual"
    assert finding.pointer is not None
    assert finding.pointer.endswith("/" + field.path.rpartition(".")[2])


@each_field
def test_a_field_is_not_asked_for_where_anything_is_kept(rule: str, contract: str, role: Role, field: Field) -> None:
    """What the API server keeps without its being declared is neither there nor missing."""
    document = without(BOOKS[contract][role], field.path)
    way = field.path.split(".")[0]
    document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"][way] = {
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": True,
    }
    assert not [finding for finding in findings(document) if finding.rule == rule and field.path in finding.message]


@pytest.mark.parametrize("role", [role for role in Role if role in BOOKS["v1beta1"]])
def test_a_provider_of_the_old_contract_is_told_what_ends(role: Role) -> None:
    """Its CRDs, promised to contract v1beta2 as they are: nothing is an error but what was never there."""
    document = copy.deepcopy(BOOKS["v1beta1"][role])
    labels = document["metadata"]["labels"]
    labels["cluster.x-k8s.io/v1beta2"] = labels.pop("cluster.x-k8s.io/v1beta1")
    found = findings(document)
    assert not [finding for finding in found if finding.severity is Severity.ERROR]
    if not role.is_template:
        assert any("Cluster API 1.16 (tentatively April 2027)" in finding.message for finding in found)


# What may stand anywhere in a file.
JUNK: list[Any] = [None, True, 5, "x", [], {}, [5], {"x": 5}]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*path, key))


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("role", Role)
def test_malformed_crds_are_no_failure(contract: str, role: Role) -> None:
    document = BOOKS[contract].get(role)
    if document is None:
        pytest.skip("not in this contract")
    # A third of the places, each with another piece of junk; the first is the document itself.
    for index, path in enumerate(list(places(document["spec"]))[1::3]):
        changed = copy.deepcopy(document)
        found: Any = changed["spec"]
        for key in path[:-1]:
            found = found[key]
        found[path[-1]] = JUNK[index % len(JUNK)]
        run(json.dumps(changed).encode(), Applicability.UNSAFE)
