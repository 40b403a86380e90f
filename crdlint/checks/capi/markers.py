"""The markers of the book's Go types: bounds that Cluster API's own fields have, and the keys of lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crdlint.checks.capi.contracts import V1BETA2, contract_of
from crdlint.checks.capi.roles import Role, role_of
from crdlint.checks.capi.shapes import Shape, differences
from crdlint.checks.capi.topics import Topic
from crdlint.checks.context import Context, Draft, Problem
from crdlint.crd.model import Version
from crdlint.crd.parts import Part
from crdlint.findings import Applicability
from crdlint.yamltext.operations import Op, Operation

# Lower bounds are left alone: clients that write what is unset as an empty value would be refused.
_BOUNDS = ("maxItems", "maxLength", "maximum")
_KEYS, _LIST_TYPE = "x-kubernetes-list-map-keys", "x-kubernetes-list-type"

# What is missing, as a text, and what declares it.
Missing = tuple[str, tuple[Operation, ...]]


def field_markers(version: Version, context: Context, topics: tuple[Topic, ...]) -> Iterator[Problem]:
    """The fields of the contract that have their shape, but not the bounds that go with it."""
    role = role_of(version.crd, context.capi)
    if role is None or contract_of(version, context.capi) != V1BETA2:
        return
    root = version.schema
    found = [found for topic in topics for found in _of_topic(root, topic, role)]
    if found:
        operations = [operation for _, missing in found for operation in missing]
        field, _, _ = operations[0].pointer.rpartition("/")
        yield Problem(
            field,
            f"{role.value} lacks markers of the book's types: {'; '.join(text for text, _ in found)}",
            Draft(Applicability.UNSAFE, (), tuple(operations)),
        )


def _of_topic(root: Part, topic: Topic, role: Role) -> Iterator[Missing]:
    for field in topic.fields.get(role, {}).get(V1BETA2, ()):
        part = root.at(field.path)
        if part.is_declared and not part.is_open and not any(differences(part, field.shape, field.path)):
            yield from _missing(part, field.shape, field.path)


def _missing(part: Part, shape: Shape, path: str) -> Iterator[Missing]:
    for keyword in _BOUNDS:
        if keyword in shape and part.keyword(keyword) is None and part.keyword("enum") is None:
            operation = Operation(Op.ADD, f"{part.pointer}/{keyword}", shape[keyword])
            yield f"`{path}` has no {keyword} {shape[keyword]}", (operation,)
    for name, wanted in shape.get("properties", {}).items():
        field = part.field(name)
        if field.is_declared:
            yield from _missing(field, wanted, f"{path}.{name}")
    items = part.items()
    if "items" in shape and items.is_declared:
        yield from _missing(items, shape["items"], f"{path}[]")
        yield from _missing_keys(part, items, shape, path)


def _missing_keys(part: Part, items: Part, shape: Shape, path: str) -> Iterator[Missing]:
    """A list that is a map keyed by some of its fields, but does not say so."""
    keys, required = shape.get(_KEYS, ()), items.keyword("required")
    optional = [key for key in keys if not isinstance(required, list) or key not in required]
    if not keys or part.keyword(_KEYS) is not None or not _can_have_keys(part, keys):
        return
    op = Op.ADD if part.keyword(_LIST_TYPE) is None else Op.REPLACE
    yield (
        f"`{path}` is no map keyed by {', '.join(keys)}",
        (
            Operation(Op.ADD, f"{part.pointer}/{_KEYS}", keys),
            Operation(op, f"{part.pointer}/{_LIST_TYPE}", "map"),
            *(Operation(Op.INSERT, f"{items.pointer}/required", key) for key in optional),
        ),
    )


def _can_have_keys(part: Part, keys: Sequence[str]) -> bool:
    """Is it a list of objects that declare the keys, as texts? The API server refuses keys of anything else."""
    items = part.items()
    fields = [items.field(key) for key in keys]
    is_typed = (part.type, items.type) == ("array", "object") and all(field.type == "string" for field in fields)
    return is_typed and all(found.keyword("nullable") is None for found in (items, *fields))
