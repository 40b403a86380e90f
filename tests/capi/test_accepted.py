"""What the API server accepts it still accepts after all fixes of the pack, whatever shapes fields have."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crdlint.checks.capi import TOPICS
from crdlint.checks.capi.roles import Role
from crdlint.choices import Choices
from crdlint.findings import Applicability
from crdlint.runner import Job
from tests.capi.crds import PAUSED, Document, book, fixed, schema
from tests.fixture_tool import NO_CONFIG
from tests.surroundings import ask_oracle

BOOKS = {contract: book(contract) for contract in ("v1beta1", "v1beta2")}
KEEPS_ALL = {"x-kubernetes-preserve-unknown-fields": True}
EMBEDDED = {"x-kubernetes-embedded-resource": True}
# What may stand in the place of a field, or of the items of a list.
OTHER_SHAPES: list[Document] = [
    KEEPS_ALL,
    {"type": "object"},
    {"type": "object", "properties": None},
    {"type": "object", "properties": {}},
    {"type": "object", "properties": {"other": {"type": "string"}}},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "object", "additionalProperties": True},
    {"type": "object", **KEEPS_ALL},
    {"type": "object", "properties": {"spec": {"type": "object"}}, **EMBEDDED},
    {"type": "object", **KEEPS_ALL, **EMBEDDED},
    {"type": "array", "items": {"type": "object"}},
    {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    {"type": "array", "items": KEEPS_ALL},
    {"type": "string"},
    {"type": "string", "nullable": True},
    {"type": "integer"},
    {"x-kubernetes-int-or-string": True},
]
# What may be added to the schema of one, or taken from it.
FURTHER: list[Document] = [
    KEEPS_ALL,
    EMBEDDED,
    {"nullable": True},
    {"required": None},
    {"required": []},
    {"properties": None},
    {"type": None, **KEEPS_ALL},
    {"default": {}},
    {"default": []},
    {"default": [{}]},
    {"default": "x" * 600},
    {"default": 70_000},
    {"default": {"host": "x" * 600}},
    {"maxLength": None},
    {"maxItems": None, "x-kubernetes-list-type": None, "x-kubernetes-list-map-keys": None},
    {"x-kubernetes-list-type": "atomic", "x-kubernetes-list-map-keys": None},
    {"x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": None},
    {"x-kubernetes-map-type": "atomic"},
]

Place = tuple[str, ...]
Fix = Callable[[Document], Document]


def places(document: Document, paths: set[str]) -> Iterator[Place]:
    """Where fields stand, what lies on the way to them, and all that is below."""
    found: dict[Place, None] = {}
    for path in sorted(paths):
        names = path.split(".")
        for end in range(1, len(names) + 1):
            found[tuple(part for name in names[:end] for part in ("properties", name))] = None
        found |= dict.fromkeys(_below(schema(document), tuple(found)[-1]))
    return iter(found)


def _below(root: Document, place: Place) -> Iterator[Place]:
    node = _at(root, place)
    if node is None:
        return
    for name in node.get("properties") or ():
        yield (inner := (*place, "properties", name))
        yield from _below(root, inner)
    for keyword in ("items", "additionalProperties"):
        if isinstance(node.get(keyword), dict):
            yield (inner := (*place, keyword))
            yield from _below(root, inner)


def _at(root: Document, place: Place) -> Any:
    node: Any = root
    for key in place:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def variants(document: Document, paths: set[str]) -> Iterator[Document]:
    """The document with the schema of one of the fields gone, in another shape, or with other keywords."""
    for place in places(document, paths):
        old = _at(schema(document), place)
        if old is None:
            continue
        for new in (None, *OTHER_SHAPES, *({**old, **further} for further in FURTHER)):
            changed = copy.deepcopy(document)
            holder = _at(schema(changed), place[:-1])
            if new is None:
                del holder[place[-1]]
            else:
                holder[place[-1]] = new
            yield changed


def without_markers(document: Any) -> Any:
    """The document without the bounds and keys that the book's types have."""
    left_out = ("maxItems", "maxLength", "maximum", "x-kubernetes-list-map-keys", "x-kubernetes-list-type")
    if isinstance(document, dict):
        return {key: without_markers(value) for key, value in document.items() if key not in left_out}
    return [without_markers(item) for item in document] if isinstance(document, list) else document


def fixed_for_pauses(document: Document) -> Document:
    """The document after the fixes of the rules on pausing."""
    job = Job(Choices(select=PAUSED, config=str(NO_CONFIG)), Applicability.UNSAFE)
    after: Document = json.loads(job.run_bytes("crd.json", json.dumps(document).encode()).after)
    return after


def errors_of(documents: list[Document], folder: Path) -> list[list[str]]:
    """What the API server says against each of them."""
    folder.mkdir()
    files = [folder / f"{index}.json" for index in range(len(documents))]
    for file, document in zip(files, documents, strict=True):
        # In lines: the oracle loses a single line that just fills its reader's buffer.
        file.write_text(json.dumps(document, indent=0), "utf-8")
    answers = {answer["file"]: answer["errors"] for answer in ask_oracle(files)}
    return [answers.get(str(file), ["cannot be read"]) for file in files]


def paths_of(role: Role) -> set[str]:
    """The fields that the rules speak of."""
    tables = (topic.fields.get(role, {}) for topic in TOPICS.values())
    asked = {field.path for table in tables for fields in table.values() for field in fields}
    return asked | {"apiVersion", "kind", "metadata"}


def check_that_all_stay_accepted(documents: list[Document], folder: Path, fix: Fix = fixed) -> None:
    answers = errors_of(documents, folder / "before")
    accepted = [document for document, errors in zip(documents, answers, strict=True) if not errors]
    changed = [after for document in accepted if (after := fix(document)) != document]
    assert changed
    assert not list(filter(None, errors_of(changed, folder / "after")))


CASES = [(contract, role) for contract, roles in BOOKS.items() for role in roles if role is not Role.IPAM_POOL]


@pytest.mark.parametrize(("contract", "role"), CASES, ids=lambda case: getattr(case, "value", case))
def test_fields_of_the_contract(contract: str, role: Role, tmp_path: Path) -> None:
    bare = without_markers(BOOKS[contract][role])
    check_that_all_stay_accepted(list(variants(bare, paths_of(role))), tmp_path)


@pytest.mark.parametrize("role", [Role.INFRA_MACHINE, Role.CONTROL_PLANE])
def test_conditions_that_are_to_say_paused(role: Role, tmp_path: Path) -> None:
    documents = list(variants(BOOKS["v1beta2"][role], {"status.conditions"}))
    check_that_all_stay_accepted(documents, tmp_path, fixed_for_pauses)


@pytest.mark.parametrize("length", [59, 60])
def test_a_kind_that_is_too_long_for_its_list(length: int, tmp_path: Path) -> None:
    kind = "Machine".rjust(length, "A")
    text = json.dumps(BOOKS["v1beta2"][Role.INFRA_MACHINE])
    document = json.loads(text.replace("FooMachine", kind).replace("foomachine", kind.lower()))
    document["spec"]["names"]["listKind"] = "OtherList"
    after = fixed(document)
    assert (after["spec"]["names"]["listKind"] == f"{kind}List") is (length + len("List") <= 63)
    assert errors_of([document, after], tmp_path / "files") == [[], []]
