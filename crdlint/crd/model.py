"""What a CustomResourceDefinition says about its versions and their status."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crdlint.crd import structural
from crdlint.crd.conditions import ConditionList, differences
from crdlint.crd.parts import Part
from crdlint.yamltext.data import Templated, to_data
from crdlint.yamltext.nodes import Mapping, Node, Scalar, Sequence, find, join_pointer, resolve

KIND = "CustomResourceDefinition"
GROUP = "apiextensions.k8s.io"
# Where the schema of ``spec`` stands: most of the text of a CRD, and nothing that the core rules read.
SPEC_SCHEMA = ("openAPIV3Schema", "properties", "spec")

# Root keywords that the API server allows beside the status subresource (apiextensions-apiserver,
# pkg/apis/apiextensions/validation/validation.go: allowedAtRootSchema).
ROOT_KEYWORDS_BESIDE_STATUS = frozenset(
    (
        *("description", "type", "format", "title", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
        *(
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
        ),
        *("properties", "externalDocs", "example", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"),
    )
)
COMPOSITION = ("allOf", "anyOf", "oneOf", "not")


def lacks(schema: dict[str, Any], key: str) -> bool:
    """Is ``key`` known to be absent or null? Not where a template may write it."""
    return schema.get(key) is None and not any(isinstance(name, Templated) for name in schema)


def mapping(value: Any) -> dict[str, Any]:
    """``value`` where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


@dataclass
class Crd:
    """One CRD document. Pointers in here start at the CRD, also inside a ``List``; ``prefix`` leads to it."""

    root: Mapping
    prefix: str = ""

    @cached_property
    def api_version(self) -> str:
        return self._text("/apiVersion")

    @property
    def is_obsolete(self) -> bool:
        """Apiextensions v1beta1, which Kubernetes served until 1.21."""
        return self.api_version == f"{GROUP}/v1beta1"

    @cached_property
    def name(self) -> str | None:
        return self._text("/metadata/name") or None

    @cached_property
    def kind(self) -> str | None:
        return self._text("/spec/names/kind") or None

    @cached_property
    def group(self) -> str:
        return self._text("/spec/group")

    @cached_property
    def annotations(self) -> dict[str, Any]:
        return mapping(self.data("/metadata/annotations"))

    @cached_property
    def preserves_unknown_fields(self) -> bool:
        """``spec.preserveUnknownFields``: v1 wants it false for defaults; in v1beta1 it is true unless it is false."""
        value = self.data("/spec/preserveUnknownFields")
        return value is not False if self.is_obsolete else value is True

    @property
    def is_template_kind(self) -> bool:
        return (self.kind or "").endswith("Template")

    @cached_property
    def versions(self) -> list[Version]:
        node = find(self.root, "/spec/versions")
        if isinstance(node, Sequence) and (node.items or node.open):
            indexed = [(f"/spec/versions/{i}", resolve(item)) for i, item in enumerate(node.items)]
            return [Version(self, pointer, item) for pointer, item in indexed if isinstance(item, Mapping)]
        spec = find(self.root, "/spec")
        if self.is_obsolete and isinstance(spec, Mapping) and self._text("/spec/version"):
            return [Version(self, "/spec", spec)]
        return []

    @cached_property
    def has_version_subresources(self) -> bool:
        """Does any version have subresources of its own?"""
        node = find(self.root, "/spec/versions")
        items = [resolve(item) for item in node.items] if isinstance(node, Sequence) else []
        return any(isinstance(item, Mapping) and item.get("subresources") is not None for item in items)

    @cached_property
    def may_have_more_versions(self) -> bool:
        """May a template write versions that the text does not show?"""
        node = find(self.root, "/spec/versions")
        return isinstance(node, Sequence) and node.open

    @property
    def judged_versions(self) -> list[Version]:
        """The versions that rules speak of: served ones, and the storage version."""
        return [version for version in self.versions if version.served or version.storage]

    def node(self, pointer: str) -> Node | None:
        return find(self.root, pointer)

    def data(self, pointer: str) -> Any:
        node = find(self.root, pointer)
        return None if node is None else to_data(node, sees_templates=True)

    def _text(self, pointer: str) -> str:
        value = self.data(pointer)
        return value if isinstance(value, str) else ""


class Version:
    """One version of a CRD, and where its parts stand."""

    def __init__(self, crd: Crd, pointer: str, node: Mapping) -> None:
        self.crd = crd
        self.pointer = pointer
        # v1beta1 has the name of its only version at spec.version, and may have schema, subresources and columns there.
        legacy = pointer == "/spec"
        self.name: str = str(crd.data(pointer + ("/version" if legacy else "/name")) or "")
        self.served = legacy or crd.data(pointer + "/served") is not False
        self.storage = legacy or crd.data(pointer + "/storage") is True
        own_schema = node.get("schema")
        self.schema_pointer = f"{pointer}/schema/openAPIV3Schema"
        if crd.is_obsolete and own_schema is None:
            self.schema_pointer = "/spec/validation/openAPIV3Schema"
        # Subresources stand with the versions or, in v1beta1, once for all of them.
        self.parts_pointer = "/spec" if crd.is_obsolete and not crd.has_version_subresources else pointer

    @property
    def subresources_pointer(self) -> str:
        return f"{self.parts_pointer}/subresources"

    @property
    def status_pointer(self) -> str:
        return f"{self.schema_pointer}/properties/status"

    @cached_property
    def root(self) -> dict[str, Any]:
        """The keywords of the root schema, ``properties`` excluded."""
        node = self.crd.node(self.schema_pointer)
        if not isinstance(node, Mapping):
            return {}
        keys = {key.key for key, _ in node.entries} | {key.key for merged in node.merged() for key, _ in merged.entries}
        data = {key: self.crd.data(self.schema_pointer + join_pointer([key])) for key in keys if key != "properties"}
        return {**data, Templated("…"): None} if node.open else data

    @cached_property
    def schema(self) -> Part:
        """The root schema, for those who look for single fields anywhere in it."""
        node = self.crd.node(self.schema_pointer)
        return Part.made_of(self.schema_pointer, node, self.root_is_open, self.crd.preserves_unknown_fields)

    @cached_property
    def root_is_open(self) -> bool:
        """May a template declare a status that the text does not show?"""
        holder, _, _ = self.schema_pointer.rpartition("/")
        above = (self.pointer, holder, self.schema_pointer, f"{self.schema_pointer}/properties")
        return any(_is_templated(self.crd.node(pointer)) for pointer in above)

    @cached_property
    def preserves_unknown_fields(self) -> bool:
        return self.crd.preserves_unknown_fields or self.root.get("x-kubernetes-preserve-unknown-fields") is True

    @cached_property
    def subresources(self) -> Any:
        return self.crd.data(self.subresources_pointer)

    @cached_property
    def has_status_subresource(self) -> bool | None:
        """None where a template decides."""
        if isinstance(self.subresources, Templated):
            return None
        holder = self.crd.node(self.parts_pointer)
        if isinstance(self.subresources, dict) and self.subresources.get("status") is not None:
            keys = (_entry(holder, "subresources"), _entry(self.crd.node(self.subresources_pointer), "status"))
            decided = not isinstance(self.subresources["status"], Templated) and not any(
                k and k.conditional for k in keys
            )
            return True if decided else None
        unknown = not lacks(mapping(self.subresources), "status") or getattr(holder, "open", False)
        return None if unknown else False

    @cached_property
    def status(self) -> dict[str, Any] | None:
        """The schema of ``status`` as data; None where the version declares none."""
        data = self.crd.data(self.status_pointer)
        return data if isinstance(data, dict) else None

    @cached_property
    def properties(self) -> dict[str, Any]:
        """The declared fields of the status."""
        return mapping((self.status or {}).get("properties"))

    @cached_property
    def is_opaque(self) -> bool:
        """A status whose fields are not declared, but kept."""
        if self.status is None or self.properties or self._may_declare_fields:
            return False
        return self.crd.preserves_unknown_fields or self.status.get("x-kubernetes-preserve-unknown-fields") is True

    @cached_property
    def is_pruned(self) -> bool:
        """A status of which the API server keeps nothing."""
        return self.status is not None and not (self.properties or self.is_opaque or self._may_declare_fields)

    @property
    def _may_declare_fields(self) -> bool:
        """Are there fields without being properties: of a map, or where a template writes them?"""
        return self.fields_are_unknown or (self.status or {}).get("additionalProperties") is not None

    @cached_property
    def has_fields(self) -> bool:
        """Does the status declare fields that rules can speak of?"""
        if self.status is None or self.is_opaque or self.is_pruned:
            return False
        return bool(self.status.get("type", "object") == "object")

    @cached_property
    def fields_are_unknown(self) -> bool:
        """Does a template decide which fields the status declares, if any?"""
        status = self.status or {}
        parts = (status, mapping(status.get("properties")))
        if isinstance(status.get("properties"), Templated):
            return True
        if not self.properties and isinstance(status.get("x-kubernetes-preserve-unknown-fields"), Templated):
            return True
        return any(isinstance(key, Templated) for part in parts for key in part)

    @cached_property
    def observed_generation(self) -> dict[str, Any] | None:
        found = self.properties.get("observedGeneration")
        return found if isinstance(found, dict) else None

    @cached_property
    def default_verdicts(self) -> list[structural.DefaultVerdict]:
        """What the API server thinks of each default in the schema of status."""
        if self.status is None:
            return []
        allowed = self.crd.is_obsolete or not self.crd.preserves_unknown_fields
        return structural.default_verdicts(self.status, defaults_allowed=allowed)

    @cached_property
    def fresh_status(self) -> Any:
        """The status that an object of this version has when it is first read back (`structural.ABSENT`: none)."""
        if self.status is None or self.crd.is_obsolete:
            return structural.ABSENT
        return structural.fresh_status(self.status)

    @cached_property
    def conditions(self) -> ConditionList | None:
        """``status.conditions``, the list that `kubectl wait` and kstatus read."""
        return self._condition_list("conditions")

    @cached_property
    def v1beta2_conditions(self) -> ConditionList | None:
        """``status.v1beta2.conditions``: the first stage of the Cluster API's move to metav1 conditions."""
        return self._condition_list("v1beta2", "conditions")

    @cached_property
    def in_capi_transition(self) -> bool:
        """Is a list that is no metav1 one legitimate, since the metav1 list stands at ``status.v1beta2.conditions``?"""
        new = self.v1beta2_conditions
        return new is not None and new.is_list_of_conditions and not differences(new)

    def condition_lists(self) -> Iterator[ConditionList]:
        """The lists that the rules on conditions judge."""
        if self.in_capi_transition:
            assert self.v1beta2_conditions is not None
            yield self.v1beta2_conditions
        elif self.conditions is not None:
            yield self.conditions

    def _condition_list(self, *path: str) -> ConditionList | None:
        if not self.has_fields:
            return None
        schema: Any = self.status
        for part in path:
            schema = mapping(mapping(schema).get("properties")).get(part)
        pointer = self.status_pointer + "".join(f"/properties/{part}" for part in path)
        return ConditionList(pointer, schema) if isinstance(schema, dict) else None


def _entry(node: Node | None, name: str) -> Scalar | None:
    """The key ``name`` of a mapping as it is written."""
    found = node.entry(name) if isinstance(node, Mapping) else None
    return None if found is None else found[0]


def _is_templated(node: Node | None) -> bool:
    """Does a template write this, or something into it?"""
    if isinstance(node, Scalar):
        return node.templated is not None
    return isinstance(node, Mapping) and node.open


def crds_of(root: Node) -> Iterator[Crd]:
    """The CRDs of a document: itself, or the items of a list."""
    root = resolve(root)
    if not isinstance(root, Mapping):
        return
    kind = _scalar(root, "kind")
    if kind == KIND:
        api_version = _scalar(root, "apiVersion")
        if not api_version or api_version.startswith(GROUP + "/"):
            yield Crd(root)
    elif kind.endswith("List"):
        items = root.get("items")
        if isinstance(items, Sequence):
            for index, item in enumerate(items.items):
                for crd in crds_of(item):
                    yield Crd(crd.root, f"/items/{index}{crd.prefix}")


def _scalar(node: Mapping, key: str) -> str:
    found = node.get(key)
    value = None if found is None or isinstance(found, Mapping | Sequence) else to_data(found)
    return value if isinstance(value, str) else ""
