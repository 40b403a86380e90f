"""CRDs of v1beta1 as CRDs of v1: byte for byte in a table of cases, and as the API server's own code sees them."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crdlint.migrate.checklist import checklist
from crdlint.migrate.planner import Wishes
from crdlint.migrate.repository import Repository, crds_in
from crdlint.migrate.structure import structural_problems
from crdlint.migrate.to_v1 import Conversion, convert
from tests.migrate.work_tree import planned
from tests.surroundings import CORPUS, corpus_files
from tests.texts import variants
from tests.upstream.asking import Upstream

CASES = sorted((Path(__file__).parent / "to_v1_cases").iterdir())
OBSOLETE = b"apiextensions.k8s.io/v1beta1"


def converted(data: bytes, keep_unknown_fields: bool = False) -> tuple[bytes, list[Conversion]]:
    repository = Repository()
    repository.add("x.yaml", data)
    (file,) = repository.files
    wanted = [copy for copy in file.copies if copy.crd.is_obsolete]
    parsed, conversions = convert(file, file.parsed, wanted, keep_unknown_fields)
    return parsed.source.to_bytes(), conversions


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Path) -> None:
    """``in.yaml`` becomes ``out.yaml``, or, where that is not there, stays for the reasons in ``problems.txt``."""
    before = (case / "in.yaml").read_bytes()
    after, conversions = converted(before, keep_unknown_fields=case.name.endswith("-kept"))
    problems = [f"{problem.pointer}: {problem.text}" for one in conversions for problem in one.problems]
    if (case / "out.yaml").exists():
        assert problems == []
        assert after.decode() == (case / "out.yaml").read_text("utf-8")
    else:
        assert problems == (case / "problems.txt").read_text("utf-8").splitlines()
        assert after == before


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case_as_editors_write_it(case: Path) -> None:
    """CRLF, a byte order mark, no newline at the end: all that is not edited stays."""
    out = case / "out.yaml"
    before = variants((case / "in.yaml").read_text("utf-8"))
    after = variants(out.read_text("utf-8")) if out.exists() else before
    for name, data in before.items():
        assert converted(data, keep_unknown_fields=case.name.endswith("-kept"))[0] == after[name], name


@pytest.mark.parametrize("case", [case for case in CASES if (case / "out.yaml").exists()], ids=lambda case: case.name)
def test_twice_is_once(case: Path) -> None:
    data = (case / "out.yaml").read_bytes()
    assert converted(data) == (data, [])


def test_what_is_lost_is_said() -> None:
    """Objects that declare no field lose all of them; what keeps its fields is not named."""
    fields = {
        "kept": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "map": {"type": "object", "additionalProperties": {"type": "object"}},
        "list": {"type": "array", "items": {"type": "object"}},
        "open": {"type": "object", "additionalProperties": True},
        "empty": {"type": "object"},
    }
    schema = {
        "type": "object",
        "properties": {"metadata": {"type": "object"}, "spec": {"type": "object", "properties": fields}},
    }
    _, (conversion,) = converted(crd(schema))
    (note,) = conversion.notes
    assert note.text.endswith("lose all of theirs: spec.map.*, spec.list[], spec.empty")
    _, (conversion,) = converted(crd(schema, preserveUnknownFields=False))
    assert conversion.notes == []


# What the API server's own code says.


def crd(schema: Any, **spec: Any) -> bytes:
    return json.dumps(
        {
            "apiVersion": "apiextensions.k8s.io/v1beta1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {
                "group": "example.com",
                "names": {"kind": "Widget", "plural": "widgets"},
                "version": "v1",
                "validation": {"openAPIV3Schema": schema},
                **spec,
            },
        },
        indent=1,
    ).encode()


STRING, OBJECT, LIST = {"type": "string"}, {"type": "object"}, {"type": "array", "items": {"type": "string"}}
KEYED = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"]}
EMBEDDED = {"x-kubernetes-embedded-resource": True}
INT_OR_STRING = {"x-kubernetes-int-or-string": True}
# Schemas of a field that v1 takes or does not, one for each thing that it looks at, with their near misses.
FIELDS: dict[str, Any] = {
    "string": STRING,
    "no type": {"description": "x"},
    "no type but kept": {"x-kubernetes-preserve-unknown-fields": True},
    "preserving says false": {"type": "object", "x-kubernetes-preserve-unknown-fields": False},
    "unknown type": {"type": "text"},
    "list": LIST,
    "list without items": {"type": "array"},
    "items without type": {"type": "array", "items": {"maxLength": 3}},
    "map": {"type": "object", "additionalProperties": STRING},
    "map without type": {"type": "object", "additionalProperties": {}},
    "closed": {"type": "object", "additionalProperties": False},
    "int or string": INT_OR_STRING,
    "int or string with anyOf": {**INT_OR_STRING, "anyOf": [{"type": "integer"}, {"type": "string"}]},
    "int or string with allOf": {
        **INT_OR_STRING,
        "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"pattern": "x"}],
    },
    "int or string in the second allOf": {
        **INT_OR_STRING,
        "allOf": [{"pattern": "x"}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}],
    },
    "int or string in oneOf": {**INT_OR_STRING, "oneOf": [{"type": "integer"}, {"type": "string"}]},
    "int or string and kept": {**INT_OR_STRING, "x-kubernetes-preserve-unknown-fields": True},
    "embedded": {**EMBEDDED, "type": "object", "x-kubernetes-preserve-unknown-fields": True},
    "embedded without type": {**EMBEDDED, "x-kubernetes-preserve-unknown-fields": True},
    "embedded without fields": {**EMBEDDED, "type": "object"},
    "embedded with a kind that is no string": {
        **EMBEDDED,
        "type": "object",
        "properties": {"kind": {"type": "integer"}},
    },
    "embedded with metadata": {**EMBEDDED, "type": "object", "properties": {"metadata": {"type": "object"}}},
    "a type in anyOf": {**OBJECT, "anyOf": [{"type": "object"}]},
    "bounds in anyOf": {**STRING, "anyOf": [{"minLength": 1}, {"pattern": "x"}]},
    "a description in not": {**STRING, "not": {"description": "x", "pattern": "x"}},
    "a title in allOf": {**STRING, "allOf": [{"title": "x"}]},
    "nullable in oneOf": {**STRING, "oneOf": [{"nullable": True}]},
    "additionalProperties in allOf": {**OBJECT, "allOf": [{"additionalProperties": {"minLength": 1}}]},
    "additionalProperties says yes in allOf": {**OBJECT, "allOf": [{"additionalProperties": True}]},
    "required in anyOf": {**OBJECT, "properties": {"a": STRING}, "anyOf": [{"required": ["a"]}]},
    "fields in anyOf": {**OBJECT, "properties": {"a": STRING}, "anyOf": [{"properties": {"a": {"minLength": 1}}}]},
    "metadata in anyOf": {**OBJECT, "properties": {"metadata": OBJECT}, "anyOf": [{"properties": {"metadata": {}}}]},
    "other fields in anyOf": {
        **OBJECT,
        "properties": {"a": STRING},
        "anyOf": [{"properties": {"b": {"minLength": 1}}}],
    },
    "items in allOf": {**LIST, "allOf": [{"items": {"minLength": 1}}]},
    "items in allOf of no list": {**STRING, "allOf": [{"items": {"minLength": 1}}]},
    "a list type in allOf": {**LIST, "allOf": [{"x-kubernetes-list-type": "set"}]},
    "nested": {
        **OBJECT,
        "properties": {"a": OBJECT},
        "allOf": [{"properties": {"a": {"anyOf": [{"type": "object"}]}}}],
    },
    "set": {**LIST, "x-kubernetes-list-type": "set"},
    "set of objects": {"type": "array", "items": OBJECT, "x-kubernetes-list-type": "set"},
    "set of atomic objects": {
        "type": "array",
        "items": {**OBJECT, "x-kubernetes-map-type": "atomic"},
        "x-kubernetes-list-type": "set",
    },
    "set of sets": {
        "type": "array",
        "items": {**LIST, "x-kubernetes-list-type": "set"},
        "x-kubernetes-list-type": "set",
    },
    "set of lists": {"type": "array", "items": LIST, "x-kubernetes-list-type": "set"},
    "set of nullable": {"type": "array", "items": {**STRING, "nullable": True}, "x-kubernetes-list-type": "set"},
    "list map": {**KEYED, "items": {**OBJECT, "required": ["id"], "properties": {"id": STRING}}},
    "list map with an optional key": {**KEYED, "items": {**OBJECT, "properties": {"id": STRING}}},
    "list map with a nullable key": {
        **KEYED,
        "items": {**OBJECT, "required": ["id"], "properties": {"id": {**STRING, "nullable": True}}},
    },
    "list map of nullable": {
        **KEYED,
        "items": {**OBJECT, "nullable": True, "required": ["id"], "properties": {"id": STRING}},
    },
    "metadata of anything": {**OBJECT, "properties": {"metadata": {**OBJECT, "properties": {"x": STRING}}}},
}


def in_place(field: Any) -> Iterator[tuple[str, Any]]:
    """A schema at each place where one may stand."""
    yield "field", {**OBJECT, "properties": {"spec": {**OBJECT, "properties": {"x": field}}}}
    yield "items", {**OBJECT, "properties": {"spec": {"type": "array", "items": field}}}
    yield "values", {**OBJECT, "properties": {"spec": {**OBJECT, "additionalProperties": field}}}
    yield "root", copy.deepcopy(field)


SCHEMAS = {f"{name} as {place}": schema for name, field in FIELDS.items() for place, schema in in_place(field)}
METADATA: list[Any] = [
    {},
    OBJECT,
    STRING,
    {**OBJECT, "description": "x"},
    {**OBJECT, "properties": {"name": {**STRING, "maxLength": 5}}},
    {**OBJECT, "properties": {"labels": OBJECT}},
    {**OBJECT, "required": ["name"]},
]
SCHEMAS |= {f"metadata {index}": {**OBJECT, "properties": {"metadata": one}} for index, one in enumerate(METADATA)}
# Told of in another way than structural problems are, and no matter of the conversion.
_DECIDED = "spec.preserveUnknownFields: Invalid value: true"


def test_what_is_structural(upstream: Upstream) -> None:
    """Refused are exactly the schemas that the API server's code refuses."""
    asked = upstream.ask({"op": "crd", "yaml": crd(schema).decode()} for schema in SCHEMAS.values())
    accepted = 0
    for (name, schema), answer in zip(SCHEMAS.items(), asked, strict=True):
        errors = [error for error in answer["crds"][0]["errors"] if not error.startswith(_DECIDED)]
        problems = structural_problems(schema)
        assert bool(problems) is bool(errors), (name, errors, problems)
        accepted += not errors
    assert accepted > 40
    assert len(SCHEMAS) - accepted > 60


def test_what_is_converted_is_accepted(upstream: Upstream) -> None:
    texts = [(case / "out.yaml").read_text("utf-8") for case in CASES if (case / "out.yaml").exists()]
    texts += [converted(crd(schema))[0].decode() for schema in SCHEMAS.values() if not structural_problems(schema)]
    answers = upstream.ask({"op": "crd", "yaml": text} for text in texts)
    for text, answer in zip(texts, answers, strict=True):
        for found in answer["crds"]:
            assert found["errors"] == [] or "versions" not in text, (text, found["errors"])


def test_versions_say_the_same(upstream: Upstream) -> None:
    """A new object of each version is read back alike before and after the conversion."""
    for case in CASES:
        if not (case / "out.yaml").exists():
            continue
        texts = [(case / name).read_text("utf-8") for name in ("in.yaml", "out.yaml")]
        before, after = upstream.ask({"op": "crd", "yaml": text} for text in texts)
        for old, new in zip(before["crds"], after["crds"], strict=True):
            assert old["name"] == new["name"]
            seen = [
                [(v["version"], v["served"], v["storage"], v["object"]) for v in one["versions"]] for one in (old, new)
            ]
            assert seen[0] == seen[1], case.name


def test_corpus(upstream: Upstream) -> None:
    """Each v1beta1 CRD of the corpus is accepted as v1, or the refusal says exactly what the API server's code says."""
    outcomes: dict[str, str] = {}
    for path in corpus_files():
        data = path.read_bytes()
        if b"apiextensions.k8s.io/v1beta1" not in data:
            continue
        after, conversions = converted(data)
        before, answer = upstream.ask({"op": "crd", "yaml": text.decode()} for text in (data, after))
        for conversion, old, new in zip(conversions, before["crds"], answer["crds"], strict=True):
            name = path.relative_to(CORPUS).as_posix()
            if conversion.copy.is_patch:
                outcomes[name] = "patch"
            elif conversion.problems:
                outcomes[name] = "refused"
                assert len(conversion.problems) == len(_errors(old, keep_missing=conversion)), (name, old["errors"])
            else:
                outcomes[name] = "accepted"
                assert new["errors"] == [], name
    found = list(outcomes.values())
    assert (found.count("accepted"), found.count("refused"), found.count("patch")) == (10, 3, 1), outcomes


def _errors(answer: dict[str, Any], keep_missing: Conversion) -> list[str]:
    return [error for error in answer["errors"] if not error.startswith(_DECIDED)]


def test_documents_are_kept_apart() -> None:
    """Two CRDs in one file: one is refused, the other converted."""
    first, second = crd({}).decode(), crd(OBJECT).decode()
    after, conversions = converted(f"{first}\n---\n{second}\n".encode())
    assert [bool(one.problems) for one in conversions] == [True, False]
    assert after.decode().startswith(first)
    repository = Repository()
    repository.add("x.yaml", after)
    assert [found.is_obsolete for _, found in crds_in(repository.files[0].parsed)] == [True, False]


ONE_LINE = (CASES[0].parent / "one-line-versions" / "in.yaml").read_text("utf-8").partition("---\n")[0]
VERSIONS = "[{name: v1, served: true, storage: true}, {name: v1beta1, served: true, storage: false}]"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (VERSIONS, VERSIONS.replace("[{", "[&first {")),
        (VERSIONS, VERSIONS.replace(", {", ",  # the old one\n    {")),
        (VERSIONS, f"!!seq {VERSIONS}"),
        (
            "  scope:",
            "  conversion:\n    strategy: Webhook\n    webhookClientConfig:  # its address\n      url: x\n"
            "    webhook: {}\n  scope:",
        ),
    ],
)
def test_what_cannot_be_written_as_a_block_is_left(old: str, new: str) -> None:
    """Anchors, tags and comments in it would be lost, and what is empty has no block."""
    assert old in ONE_LINE
    data = ONE_LINE.replace(old, new).encode()
    after, (conversion,) = converted(data)
    assert after == data
    assert ["write that as a block first" in problem.text for problem in conversion.problems] == [True]


OLD = (CASES[0].parent / "top-level" / "in.yaml").read_text("utf-8")
INLINE = """\
patches:
- target: {kind: CustomResourceDefinition, name: NAME}
  patch: |-
    - {op: add, path: /spec/validation/openAPIV3Schema/description, value: x}
    - {op: add, path: /metadata/labels, value: {}}
"""
IN_A_FILE = """\
patchesJson6902:
- path: ../patches/columns.yaml
  target: {group: apiextensions.k8s.io, version: v1beta1, kind: CustomResourceDefinition, name: NAME}
- path: ../patches/other.yaml
  target: {kind: Deployment, name: x}
"""
COLUMNS = """\
- op: add
  path: /spec/scope
  value: Cluster
- op: replace
  path: /spec/additionalPrinterColumns/0/JSONPath
  value: .status.x
"""


@pytest.mark.parametrize(
    ("kustomization", "expected"),
    [
        (INLINE, [("config/crd/kustomization.yaml:3", "/spec/validation/openAPIV3Schema/description")]),
        (IN_A_FILE, [("config/patches/columns.yaml:5", "/spec/additionalPrinterColumns/0/JSONPath")]),
        (INLINE.replace("CustomResourceDefinition", "Deployment"), []),
        (INLINE.replace("NAME", "others.example.com"), []),
        (INLINE.replace("/spec/validation/", "/spec/versions/0/schema/"), []),
        ("patches: {}\n", []),
        ("patches: [", []),
    ],
)
def test_json_patches_are_named(kustomization: str, expected: list[tuple[str, str]]) -> None:
    """They are not converted: each operation on what v1 has elsewhere is an item, in whichever file it stands."""
    name = next(crd.name for _, crd in crds_in(Repository.parsed(OLD.encode())))
    files = {
        "config/crd/bases/x.yaml": OLD,
        "config/crd/kustomization.yaml": kustomization.replace("NAME", name or ""),
        "config/patches/columns.yaml": COLUMNS,
        "config/patches/other.yaml": COLUMNS,
    }
    items = [item for item in checklist(planned(files, Wishes(to_v1=True))) if "JSON patches" in item.text]
    found = [(str(mention.place), mention.remark.partition(": ")[0]) for item in items for mention in item.mentions]
    assert found == expected
    # Without a conversion they are as right as before.
    assert not any("JSON patches" in item.text for item in checklist(planned(files)))
