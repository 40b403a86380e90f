"""The rule pack itself: each file valid and documented, each example true, and the set of rules as it was promised."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import crdlint.rules
from crdlint.checks import CHECKS
from crdlint.choices import Choices
from crdlint.findings import Applicability, Finding
from crdlint.project import pack_directory
from crdlint.rules.catalogue import core_rules
from crdlint.rules.pages import pages
from crdlint.rules.rule import CORE, Rule
from crdlint.runner import Job
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests.fixture_tool import NO_CONFIG

# Ids and severities are relied on by other people's scripts: a change here is a breaking one.
SEVERITIES = {
    "capi-addresses": "error",
    "capi-autoscaling": "error",
    "capi-conditions": "warning",
    "capi-contract-label": "error",
    "capi-control-plane-endpoint": "error",
    "capi-control-plane-machines": "error",
    "capi-crd-name": "error",
    "capi-data-secret-name": "error",
    "capi-failure-domains": "error",
    "capi-field-markers": "info",
    "capi-initialization": "error",
    "capi-list-kind": "error",
    "capi-machine-pool-instances": "error",
    "capi-paused-column": "info",
    "capi-paused-condition": "warning",
    "capi-paused-wait": "warning",
    "capi-provider-id": "error",
    "capi-provider-label": "warning",
    "capi-replicas": "error",
    "capi-rollout-after": "error",
    "capi-scale-subresource": "error",
    "capi-scope": "error",
    "capi-template-spec": "error",
    "capi-terminal-failures": "warning",
    "capi-type-meta": "error",
    "capi-version": "error",
    "condition-observed-generation": "warning",
    "conditions-list-type": "warning",
    "conditions-not-a-list": "error",
    "convention-condition-type-names": "info",
    "convention-floats": "info",
    "convention-integer-formats": "info",
    "convention-list-types": "info",
    "convention-maps-of-objects": "info",
    "convention-nested-conditions": "info",
    "convention-phase": "info",
    "convention-top-level-fields": "warning",
    "convention-unbounded-lists": "info",
    "convention-unsigned-integers": "info",
    "extra-condition-fields": "warning",
    "ineffective-observed-generation-default": "error",
    "missing-conditions": "warning",
    "missing-observed-generation": "warning",
    "missing-observed-generation-default": "error",
    "missing-status-subresource": "error",
    "non-metav1-conditions": "error",
    "observed-generation-default-without-subresource": "error",
    "observed-generation-type": "error",
    "obsolete-crd-version": "warning",
    "pruned-status": "warning",
    "rejected-default": "error",
    "required-status-fields": "warning",
    "status-required-at-root": "error",
    "status-subresource-without-status": "warning",
    "unknown-status-path": "warning",
    "unreadable-file": "error",
    "unused-ignore": "info",
    "wrong-observed-generation-default": "error",
}
# Rules that skip stateless kinds, and rules that speak of a status whose fields are not declared.
SKIP_STATELESS = {
    "capi-paused-column",
    "capi-paused-condition",
    "capi-paused-wait",
    "ineffective-observed-generation-default",
    "missing-conditions",
    "missing-observed-generation",
    "missing-observed-generation-default",
    "status-subresource-without-status",
    "wrong-observed-generation-default",
}
SPEAK_OF_OPAQUE = {
    "capi-addresses",
    "capi-autoscaling",
    "capi-conditions",
    "capi-contract-label",
    "capi-control-plane-endpoint",
    "capi-control-plane-machines",
    "capi-crd-name",
    "capi-data-secret-name",
    "capi-failure-domains",
    "capi-field-markers",
    "capi-initialization",
    "capi-list-kind",
    "capi-machine-pool-instances",
    "capi-provider-id",
    "capi-provider-label",
    "capi-replicas",
    "capi-rollout-after",
    "capi-scale-subresource",
    "capi-scope",
    "capi-template-spec",
    "capi-terminal-failures",
    "capi-type-meta",
    "capi-version",
    "convention-condition-type-names",
    "convention-floats",
    "convention-integer-formats",
    "convention-top-level-fields",
    "convention-unsigned-integers",
    "missing-status-subresource",
    "obsolete-crd-version",
    "rejected-default",
    "status-required-at-root",
    "status-subresource-without-status",
    "unreadable-file",
    "unused-ignore",
}
FIXES = {
    "capi-addresses": "manual",
    "capi-autoscaling": "manual",
    "capi-conditions": "unsafe",
    "capi-contract-label": "manual",
    "capi-control-plane-endpoint": "manual",
    "capi-control-plane-machines": "unsafe",
    "capi-crd-name": "manual",
    "capi-data-secret-name": "unsafe",
    "capi-failure-domains": "manual",
    "capi-field-markers": "unsafe",
    "capi-initialization": "unsafe",
    "capi-list-kind": "unsafe",
    "capi-machine-pool-instances": "manual",
    "capi-paused-column": "unsafe",
    "capi-paused-condition": "unsafe",
    "capi-paused-wait": "unsafe",
    "capi-provider-id": "unsafe",
    "capi-provider-label": "manual",
    "capi-replicas": "unsafe",
    "capi-rollout-after": "manual",
    "capi-scale-subresource": "unsafe",
    "capi-scope": "manual",
    "capi-template-spec": "manual",
    "capi-terminal-failures": "manual",
    "capi-type-meta": "safe",
    "capi-version": "unsafe",
    "condition-observed-generation": "unsafe",
    "conditions-list-type": "unsafe",
    "conditions-not-a-list": "manual",
    "convention-condition-type-names": "manual",
    "convention-floats": "manual",
    "convention-integer-formats": "manual",
    "convention-list-types": "manual",
    "convention-maps-of-objects": "manual",
    "convention-nested-conditions": "manual",
    "convention-phase": "manual",
    "convention-top-level-fields": "manual",
    "convention-unbounded-lists": "manual",
    "convention-unsigned-integers": "manual",
    "extra-condition-fields": "manual",
    "ineffective-observed-generation-default": "safe",
    "missing-conditions": "unsafe",
    "missing-observed-generation": "unsafe",
    "missing-observed-generation-default": "safe",
    "missing-status-subresource": "unsafe",
    "non-metav1-conditions": "unsafe",
    "observed-generation-default-without-subresource": "unsafe",
    "observed-generation-type": "manual",
    "obsolete-crd-version": "manual",
    "pruned-status": "manual",
    "rejected-default": "manual",
    "required-status-fields": "unsafe",
    "status-required-at-root": "safe",
    "status-subresource-without-status": "manual",
    "unknown-status-path": "manual",
    "unreadable-file": None,
    "unused-ignore": None,
    "wrong-observed-generation-default": "safe",
}

RULES = core_rules()
each_rule = pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])


# The set.


def test_rules_are_those_that_were_promised() -> None:
    assert {rule.id: rule.severity.value for rule in RULES} == SEVERITIES
    assert {rule.id: rule.fix.applicability.value if rule.fix else None for rule in RULES} == FIXES
    assert {rule.id for rule in RULES if not rule.stateless} == SKIP_STATELESS
    assert {rule.id for rule in RULES if rule.opaque} == SPEAK_OF_OPAQUE
    assert {rule.pack for rule in RULES} == {"capi", "conventions", "core"}


def test_checks_and_rules_use_each_other() -> None:
    assert {rule.check for rule in RULES if rule.check is not None} == set(CHECKS)


# The files.


def _schema() -> Any:
    path = Path(crdlint.rules.__file__).with_name("rule.schema.json")
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("path", sorted(pack_directory().glob("*.yaml")), ids=lambda path: path.stem)
def test_rule_file(path: Path) -> None:
    (document,) = parse(path.read_text("utf-8")).documents
    assert document.root is not None
    data = to_data(document.root)
    jsonschema.Draft202012Validator(_schema()).validate(data)
    assert data["id"] == path.stem


def test_schema_of_rule_files_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(_schema())


@each_rule
def test_rule_is_documented(rule: Rule) -> None:
    assert rule.summary
    assert len(rule.why.split()) >= 20
    assert rule.example is not None
    assert all(reference.startswith("https://") for reference in rule.references)
    if rule.scope != "file":
        assert rule.references
        assert (rule.check is None) != (rule.schema is None)
    if rule.fix is not None and rule.fix.applicability is not Applicability.MANUAL:
        assert rule.example.good is not None


# The examples.

_DOCUMENT = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
  versions:
"""
_VERSION = """\
name: v1
schema:
  openAPIV3Schema:
    properties:
      status:
{status}    type: object
served: true
storage: true
subresources:
  status: {{}}
"""


def wrap(rule: Rule, example: str) -> str:
    """A whole document around the part of a CRD that the example of a rule shows."""
    if rule.scope in ("file", "crd") or rule.pack == "capi":
        return example
    if rule.scope in ("status", "conditions"):
        example = _VERSION.format(status=textwrap.indent(example, " " * 8))
    return _DOCUMENT + "  - " + textwrap.indent(example, " " * 4).lstrip()


def _found(rule: Rule, example: str) -> list[Finding]:
    """What is found in an example; a rule of another pack is asked alone, as it may be off, or silent beside core."""
    select = None if rule.pack == CORE else (rule.id,)
    job = Job(Choices(select=select, config=str(NO_CONFIG)))
    return job.run_bytes("example.yaml", wrap(rule, example).encode()).result.findings


@each_rule
def test_bad_example_breaks_the_rule(rule: Rule) -> None:
    assert rule.example is not None
    found = [finding for finding in _found(rule, rule.example.bad) if finding.rule == rule.id]
    assert len(found) == 1
    assert found[0].severity is rule.severity or rule.id == "condition-observed-generation"


@each_rule
def test_good_example_does_not(rule: Rule) -> None:
    assert rule.example is not None
    if rule.example.good is None:
        pytest.skip("no example of what is right")
    found = {finding.rule for finding in _found(rule, rule.example.good)}
    assert rule.id not in found
    assert "unreadable-file" not in found


@each_rule
def test_fix_turns_the_bad_example_into_the_good_one(rule: Rule) -> None:
    if rule.fix is None or rule.fix.applicability is Applicability.MANUAL:
        pytest.skip("nothing to fix")
    assert rule.example is not None
    assert rule.example.good is not None
    job = Job(Choices(select=(rule.id,), config=str(NO_CONFIG)), Applicability.UNSAFE)
    after = job.run_bytes("example.yaml", wrap(rule, rule.example.bad).encode()).after.decode()
    assert after == wrap(rule, rule.example.good)


@each_rule
def test_fix_of_the_example_is_as_applicable_as_the_rule_says(rule: Rule) -> None:
    if rule.fix is None:
        pytest.skip("nothing to fix")
    assert rule.example is not None
    (finding,) = (finding for finding in _found(rule, rule.example.bad) if finding.rule == rule.id)
    assert finding.fix is not None
    assert finding.fix.applicability is rule.fix.applicability


# The pages made from them.


def test_pages_are_not_stale() -> None:
    root = pack_directory().parent
    if not (root / "README.md").exists():
        pytest.skip("not in a checkout")
    for path, text in pages(root).items():
        assert path.exists(), f"{path.name}: run python -m crdlint.rules.pages"
        assert path.read_text("utf-8") == text, f"{path.name}: run python -m crdlint.rules.pages"


@each_rule
def test_rule_is_in_the_readme(rule: Rule) -> None:
    readme = pack_directory().parent / "README.md"
    if not readme.exists():
        pytest.skip("not in a checkout")
    assert f"`{rule.id}`" in readme.read_text("utf-8")
