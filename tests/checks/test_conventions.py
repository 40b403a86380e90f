"""The conventions pack as a whole: which fields it looks at, that it is off, and that it repeats no other rule."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdlint.checks.conventions import CHECKS
from crdlint.checks.conventions.fields import fields_of
from crdlint.choices import Choices
from crdlint.crd.model import Crd, crds_of
from crdlint.crd.structural import validate_value
from crdlint.rules.catalogue import core_rules
from crdlint.runner import Job
from crdlint.yamltext.nodes import split_pointer
from crdlint.yamltext.parse import parse
from tests.cli.run import rules
from tests.surroundings import corpus_files
from tests.texts import CLEAN, write

Json = dict[str, Any]

PACK = sorted(rule.id for rule in core_rules() if rule.pack == "conventions")
# Of each of them there may be several findings in a version.
ONE_BY_ONE = {"convention-condition-type-names"}
NAMES = st.sampled_from(["conditions", "a", "a.b", "a/b", "a~b", "status", "spec", "phase", "é"])


def nested(schemas: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("object"), "properties": st.dictionaries(NAMES, schemas, max_size=3)}),
        st.fixed_dictionaries({"type": st.just("object"), "additionalProperties": schemas}),
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": schemas},
            optional={"x-kubernetes-list-type": st.sampled_from(["atomic", "map"])},
        ),
    )


SCHEMAS = st.recursive(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "number", "boolean"])}), nested, max_leaves=12
)
ROOTS = st.dictionaries(st.sampled_from(["spec", "status", "metadata", "data", "kind"]), SCHEMAS)


def crd_of(properties: Json) -> Crd:
    schema = {"openAPIV3Schema": {"type": "object", "properties": properties}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    names = {"kind": "Widget", "plural": "widgets"}
    data = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    root = parse(json.dumps(data)).documents[0].root
    assert root is not None
    return next(crds_of(root))


def at(data: Any, pointer: str) -> Any:
    for part in split_pointer(pointer):
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data


def schemas_in(data: Any, path: str) -> list[str]:
    """The paths of all schemas, by another way than the pack's: through the JSON as it comes."""
    found = [path]
    for name, schema in data.get("properties", {}).items():
        found += schemas_in(schema, f"{path}.{name}")
    for keyword, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if keyword in data:
            found += schemas_in(data[keyword], path + mark)
    return found


@given(ROOTS)
def test_every_field_is_seen_once_and_in_its_place(properties: Json) -> None:
    crd = crd_of(properties)
    (version,) = crd.versions
    found = fields_of(version)
    expected = [
        path
        for name, schema in properties.items()
        if name not in ("metadata", "kind")
        for path in schemas_in(schema, name)
    ]
    core = ("status.conditions", "status.v1beta2.conditions", "status.deprecated")
    seen = [path for path in expected if not any(_is_below(path, other) for other in core)]
    assert Counter(field.path for field in found) == Counter(seen)
    whole = crd.data("")
    assert all(at(whole, field.pointer) == field.schema for field in found)


def _is_below(path: str, other: str) -> bool:
    return path == other or path.startswith((f"{other}.", f"{other}[", f"{other}{{"))


@given(ROOTS)
def test_nothing_is_merged_within_an_atomic_list(properties: Json) -> None:
    (version,) = crd_of(properties).versions
    fields = fields_of(version)
    lists = [field for field in fields if field.type == "array"]
    for field in fields:
        around = [outer for outer in lists if field.path.startswith(f"{outer.path}[]") and field is not outer]
        is_merged = all(outer.schema.get("x-kubernetes-list-type") == "map" for outer in around)
        assert field.is_merged is is_merged


# The pack.


def test_pack_is_off_unless_it_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"widgets.yaml": CLEAN})
    assert rules(tmp_path) == []
    assert rules(tmp_path, "--select", "conventions") == ["convention-integer-formats", "convention-phase"]
    assert rules(tmp_path, "--select", "core,conventions", "--ignore", "convention-phase") == [
        "convention-integer-formats"
    ]


def test_every_check_has_its_rule() -> None:
    assert {rule.check for rule in core_rules() if rule.pack == "conventions"} == set(CHECKS)


def test_findings_in_the_corpus_repeat_no_other_rule() -> None:
    counts: Counter[str] = Counter()
    for path in corpus_files()[::4]:
        run = Job(Choices(select=("core", "conventions"))).run_bytes(path.name, path.read_bytes())
        own = [finding for finding in run.result.findings if finding.rule in PACK]
        others = {(finding.version, finding.pointer) for finding in run.result.findings if finding.rule not in PACK}
        assert not others & {(finding.version, finding.pointer) for finding in own}
        by_version = Counter((finding.rule, finding.crd, finding.version, finding.line) for finding in own)
        assert all(count == 1 for (rule, *_), count in by_version.items() if rule not in ONE_BY_ONE)
        assert all(finding.fix is not None and finding.fix.reasons for finding in own)
        counts.update(finding.rule for finding in own)
    assert sum(counts.values()) > 50
    assert set(counts) <= set(PACK)


# What the rules rest on.


@pytest.mark.parametrize("form", ["uint32", "uint64"])
def test_the_api_server_admits_negative_numbers_of_unsigned_formats(form: str) -> None:
    assert validate_value({"type": "integer", "format": form}, -1) == ([], [])
