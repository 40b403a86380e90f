"""CRDs of apiextensions v1beta1 as CRDs of v1: by edits of the text, or not at all.

What v1beta1 says once for all versions goes into each of them; what it left to the API server's defaults is written
down; and what v1 does not admit is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from crdlint.crd.model import GROUP, Crd, mapping
from crdlint.crd.schema import PRESERVE_UNKNOWN_FIELDS, additional, flag, properties
from crdlint.linter import Parsed
from crdlint.migrate.repository import Copy, RepositoryFile, crds_in
from crdlint.migrate.rewrite import applied, moved, renamed
from crdlint.migrate.structure import structural_problems
from crdlint.yamltext.data import Templated
from crdlint.yamltext.nodes import Sequence as SequenceNode
from crdlint.yamltext.operations import Op, Operation, Refused, is_vacant

APPROVAL = "api-approved.kubernetes.io"
# Where v1beta1 has what it says of all versions, and where v1 has it in each of them.
_MOVES = {
    "/spec/validation": "schema",
    "/spec/subresources": "subresources",
    "/spec/additionalPrinterColumns": "additionalPrinterColumns",
}
_CLIENT, _REVIEWS = "/spec/conversion/webhookClientConfig", "/spec/conversion/conversionReviewVersions"
# What only v1beta1 knows.
_OF_V1BETA1 = ("/spec/version", *_MOVES, _CLIENT, _REVIEWS)
_PROTECTED = (".k8s.io", ".kubernetes.io")
_KEPT_BEFORE = "spec.preserveUnknownFields is true in v1beta1 unless it says false, and has to be false in v1"


@dataclass(frozen=True)
class Note:
    """Something that a person should know, at a pointer from the CRD as it was."""

    pointer: str
    text: str


@dataclass
class Conversion:
    """What became of one CRD: ``problems`` are why it stayed as it is."""

    copy: Copy
    done: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    problems: list[Note] = field(default_factory=list)


def convert(
    file: RepositoryFile, parsed: Parsed, wanted: Sequence[Copy], keep_unknown_fields: bool = False
) -> tuple[Parsed, list[Conversion]]:
    """The text that a file has come to with the obsolete CRDs that are wanted converted, and what became of each.

    One with problems stays as it is.
    """
    conversions = []
    for index, copy in enumerate(file.copies):
        if copy in wanted:
            crd = list(crds_in(parsed))[index][1]
            converter = _Converter(parsed, copy, crd, keep_unknown_fields)
            parsed = converter.run()
            conversions.append(converter.conversion)
    return parsed, conversions


class _Converter:
    def __init__(self, parsed: Parsed, copy: Copy, crd: Crd, keep_unknown_fields: bool) -> None:
        self.parsed = parsed
        self.crd = crd
        self.document = copy.document
        self.keeps = keep_unknown_fields
        self.conversion = Conversion(copy)

    def run(self) -> Parsed:
        before = self.parsed
        self.conversion.problems += self.problems()
        if not self.conversion.problems:
            try:
                self.rewrite()
            except Refused as error:
                self.conversion.problems.append(Note("/apiVersion", f"the text cannot be edited so: {error}"))
        return before if self.conversion.problems else self.parsed

    # What stands against it.

    def problems(self) -> Iterator[Note]:
        if self.conversion.copy.is_patch:
            yield from self.problems_of_patch()
            return
        group = self.crd.group
        if group.endswith(_PROTECTED) and APPROVAL not in self.crd.annotations:
            yield Note(
                "/spec/group",
                f"v1 admits CRDs of the group {group} only with the annotation {APPROVAL}: the address of the "
                'approval, or "unapproved, " and the reason',
            )
        if not self.crd.versions:
            yield Note("/spec", "neither spec.versions nor spec.version says which versions there are")
        for origin, name in _MOVES.items():
            own = [version for version in self.crd.versions if self.has(f"{version.pointer}/{name}")]
            if self.has(origin) and own and own[0].pointer != "/spec":
                yield Note(f"{own[0].pointer}/{name}", f"it stands here and at {origin}: which of the two counts?")
        yield from self.problems_of_conversion()
        yield from self.problems_of_schemas()

    def problems_of_patch(self) -> Iterator[Note]:
        for origin in _MOVES:
            if self.has(origin):
                yield Note(origin, "a patch of what v1 has in each version: write it for the versions that it means")

    def problems_of_conversion(self) -> Iterator[Note]:
        """The API server writes a conversion down where there is none, but never completes one."""
        conversion = self.crd.data("/spec/conversion")
        if not isinstance(conversion, dict) or any(isinstance(key, Templated) for key in conversion):
            return
        strategy = conversion.get("strategy")
        has_webhook, has_reviews = (not is_vacant(self.crd.data(pointer)) for pointer in (_CLIENT, _REVIEWS))
        if not strategy:
            yield Note("/spec/conversion", "v1 demands that it names its strategy: None or Webhook")
        elif strategy == "Webhook" and not has_webhook:
            yield Note("/spec/conversion", "the strategy is Webhook, and webhookClientConfig does not say where it is")
        elif strategy == "None" and (has_webhook or has_reviews):
            yield Note(
                _CLIENT if has_webhook else _REVIEWS, "it is of a webhook, and the strategy is None: which counts?"
            )

    def problems_of_schemas(self) -> Iterator[Note]:
        for pointer in dict.fromkeys(version.schema_pointer for version in self.crd.versions):
            schema = self.crd.data(pointer)
            if isinstance(schema, Templated):
                yield Note(pointer, "a template writes the schema: whether it is structural cannot be known")
            elif not mapping(schema) and not self.keeps:
                yield Note(
                    pointer,
                    "there is no schema, and v1 demands one: write it, or let --keep-unknown-fields write one that "
                    "admits and keeps everything",
                )
            for problem in structural_problems(schema):
                yield Note(pointer + problem.pointer, f"v1 does not admit this schema: {problem.message}")

    # The edits.

    def rewrite(self) -> None:
        is_patch = self.conversion.copy.is_patch
        self.edit([Operation(Op.REPLACE, "/apiVersion", f"{GROUP}/v1")])
        if not is_patch:
            self.drop_vacant()
        self.edit_conversion()
        if is_patch:
            return
        self.edit_heads()
        self.rename_paths()
        for origin, name in _MOVES.items():
            self.move(origin, name)
        self.decide_unknown_fields()

    def edit(self, operations: list[Operation]) -> None:
        if operations:
            at = self.crd.prefix
            operations = [Operation(one.op, at + one.pointer, one.value) for one in operations]
            self.update(applied(self.parsed, self.document, operations))

    def update(self, parsed: Parsed) -> None:
        """Go on with a new text, and the same CRD in it."""
        self.parsed = parsed
        prefix = self.crd.prefix
        self.crd = next(crd for index, crd in crds_in(parsed) if (index, crd.prefix) == (self.document, prefix))

    def drop_vacant(self) -> None:
        """Null or empty, the keys of v1beta1 say nothing; v1 does not even know them. (In a patch null takes away.)"""
        there = [pointer for pointer in _OF_V1BETA1 if self.crd.node(pointer) is not None]
        self.edit([Operation(Op.REMOVE, pointer) for pointer in there if is_vacant(self.crd.data(pointer))])

    def edit_heads(self) -> None:
        """Scope and versions, which v1 does not fill in."""
        operations = []
        if not self.crd.data("/spec/scope"):
            operations.append(self.put("/spec/scope", "Namespaced"))
            self.conversion.done.append("scope: Namespaced written down, which was the default")
        version = self.crd.data("/spec/version")
        if is_vacant(self.crd.data("/spec/versions")):
            entry = {"name": version, "served": True, "storage": True}
            operations.append(Operation(Op.ADD, "/spec/versions", [entry]))
        if self.has("/spec/version"):
            operations.append(Operation(Op.REMOVE, "/spec/version"))
            self.conversion.done.append("spec.version, which spec.versions says already, removed")
        self.edit(operations)

    def edit_conversion(self) -> None:
        """The webhook's address goes to spec.conversion.webhook, with the versions of the review that it answers."""
        if self.has(_CLIENT):
            self.relocate(_CLIENT, ["/spec/conversion/webhook/clientConfig"])
        if self.has(_REVIEWS):
            self.relocate(_REVIEWS, ["/spec/conversion/webhook/conversionReviewVersions"])
        elif self.has("/spec/conversion/webhook"):
            self.edit([Operation(Op.ADD, "/spec/conversion/webhook/conversionReviewVersions", ["v1beta1"])])
            self.conversion.notes.append(
                Note(
                    _CLIENT,
                    "the webhook is asked in ConversionReview v1beta1, as it was by default: add v1 before it to "
                    "conversionReviewVersions once the webhook answers that too",
                )
            )
        if self.has("/spec/conversion/webhook"):
            self.conversion.done.append("the conversion webhook moved to spec.conversion.webhook")

    def rename_paths(self) -> None:
        """JSONPath became jsonPath."""
        lists = ["/spec/additionalPrinterColumns"]
        lists += [f"{version.pointer}/additionalPrinterColumns" for version in self.crd.versions]
        holders = [
            f"{self.crd.prefix}{pointer}/{index}"
            for pointer in dict.fromkeys(lists)
            for index in range(self.length(pointer))
            if self.crd.node(f"{pointer}/{index}/JSONPath") is not None
        ]
        if holders:
            self.update(renamed(self.parsed, self.document, holders, "JSONPath", "jsonPath"))
            self.conversion.done.append("JSONPath of the printer columns renamed to jsonPath")

    def move(self, origin: str, name: str) -> None:
        if self.has(origin):
            targets = [f"{version.pointer}/{name}" for version in self.crd.versions]
            self.relocate(origin, targets)
            each = "each of the versions" if len(targets) > 1 else "its version"
            self.conversion.done.append(f"{origin[1:].replace('/', '.')} moved into {each}")

    def relocate(self, origin: str, targets: list[str]) -> None:
        at = self.crd.prefix
        self.update(moved(self.parsed, self.document, at + origin, [at + target for target in targets]))

    def decide_unknown_fields(self) -> None:
        """v1beta1 kept undeclared fields unless it was told not to; v1 wants that said in the schema."""
        kept = self.crd.data("/spec/preserveUnknownFields") is not False
        operations = []
        if kept:
            operations.append(self.put("/spec/preserveUnknownFields", False))
            self.conversion.done.append("preserveUnknownFields: false written down: a cluster may hold true")
        for version in self.crd.versions:
            pointer = version.schema_pointer
            schema = mapping(self.crd.data(pointer))
            if not schema:
                everything = {"type": "object", PRESERVE_UNKNOWN_FIELDS: True}
                operations.append(Operation(Op.ADD, pointer, everything))
            elif self.keeps and kept and not flag(schema, PRESERVE_UNKNOWN_FIELDS):
                operations.append(Operation(Op.ADD, f"{pointer}/{PRESERVE_UNKNOWN_FIELDS}", True))
            if kept and schema:
                self.conversion.notes.append(Note(self.old_pointer(pointer), self.what_is_lost(schema)))
        self.edit(operations)

    def what_is_lost(self, schema: dict[str, Any]) -> str:
        where = "below the root, fields" if self.keeps else "fields"
        lost = f"{_KEPT_BEFORE}: {where} that the schema does not declare go from stored objects at their next write"
        empty = list(_empty_objects(schema, "", is_root=True))
        if not empty:
            return lost
        shown = ", ".join(empty[:5]) + (f" and {len(empty) - 5} more" if len(empty) > 5 else "")
        return f"{lost}; these declare none, and lose all of theirs: {shown}"

    def old_pointer(self, pointer: str) -> str:
        crd = self.conversion.copy.crd
        return pointer if crd.node(pointer) is not None else "/spec/validation/openAPIV3Schema"

    def has(self, pointer: str) -> bool:
        return self.crd.data(pointer) is not None

    def put(self, pointer: str, value: Any) -> Operation:
        return Operation(Op.REPLACE if self.has(pointer) else Op.ADD, pointer, value)

    def length(self, pointer: str) -> int:
        node = self.crd.node(pointer)
        return len(node.items) if isinstance(node, SequenceNode) else 0


def _empty_objects(schema: dict[str, Any], path: str, is_root: bool = False) -> Iterator[str]:
    """The paths of objects that declare no field and keep none."""
    if flag(schema, PRESERVE_UNKNOWN_FIELDS):
        return
    fields = {} if additional(schema) not in (None, False) else properties(schema)
    if schema.get("type") == "object" and not fields and additional(schema) in (None, False) and path:
        yield path
    for name, inner in fields.items():
        if isinstance(inner, dict) and not (is_root and name == "metadata"):
            yield from _empty_objects(inner, f"{path}.{name}" if path else name)
    for keyword, mark in (("items", "[]"), ("additionalProperties", ".*")):
        inner = schema.get(keyword)
        if isinstance(inner, dict):
            yield from _empty_objects(inner, path + mark)
