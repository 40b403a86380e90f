"""CRDs whose objects are checked: one with every keyword, those of the fixtures, those of the corpus, and all fixed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from crdlint.api import fix_text
from crdlint.crd.model import Crd, crds_of
from crdlint.crd.plain import holds_template
from crdlint.stored.view import View
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Unreadable
from tests.surroundings import ROOT, corpus_files

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
WHOLE: Json = {"type": "integer"}


def obj(required: tuple[str, ...] = (), /, **properties: Json) -> Json:
    made: Json = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made


def array(items: Json, **keywords: Any) -> Json:
    return {"type": "array", "items": items, **{name.replace("_", "-"): value for name, value in keywords.items()}}


CONDITION = obj(
    ("type", "status"),
    type=TEXT,
    status={"type": "string", "enum": ["True", "False", "Unknown"]},
    message=TEXT,
    reason={"type": "string", "minLength": 1, "pattern": "^[A-Za-z]+$"},
    observedGeneration={"type": "integer", "format": "int64", "minimum": 0},
    lastTransitionTime={"type": "string", "format": "date-time"},
)
MAP = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"]}

KEYWORDS: dict[str, Json] = {
    "strings": obj(
        short={"type": "string", "minLength": 2, "maxLength": 4},
        anchored={"type": "string", "pattern": "^[a-z]+$"},
        searched={"type": "string", "pattern": "[0-9]"},
        flags={"type": "string", "pattern": r"(?i)^a\.?b|\pL{3}\z"},
        long={"type": "string", "maxLength": 10, "pattern": "^x*$"},
        enum={"type": "string", "enum": ["a", "abc", ""]},
        nullable={"type": "string", "nullable": True, "enum": ["a"]},
    ),
    "formats": obj(
        **{
            name.replace("-", ""): {"type": "string", "format": name}
            for name in (
                "date-time",
                "date",
                "duration",
                "uri",
                "hostname",
                "ipv4",
                "ipv6",
                "cidr",
                "mac",
                "uuid",
                "uuid4",
                "byte",
                "hexcolor",
                "unknown-format",
                "int32",
            )
        },
        texts={"type": "array", "items": TEXT, "format": "date"},
        flag={"type": "boolean", "format": "date"},
    ),
    "names": obj(
        short={"type": "string", "format": "k8s-short-name"}, long={"type": "string", "format": "k8s-long-name"}
    ),
    "numbers": obj(
        small={"type": "integer", "format": "int32", "minimum": 1, "maximum": 443},
        large={"type": "integer", "format": "int64"},
        open={"type": "integer", "minimum": 1, "exclusiveMinimum": True, "maximum": 80, "exclusiveMaximum": True},
        fraction={"type": "number", "minimum": 0.5, "maximum": 2.5},
        float={"type": "number", "format": "float"},
        double={"type": "number", "format": "double", "multipleOf": 0.25},
        steps={"type": "integer", "multipleOf": 5},
        half={"type": "integer", "minimum": 1.5, "exclusiveMinimum": True},
        enum={"type": "number", "enum": [1, 1.5, -1]},
        nullable={"type": "integer", "nullable": True},
    ),
    "both": obj(
        plain={"x-kubernetes-int-or-string": True},
        described={
            "anyOf": [{"type": "integer"}, {"type": "string"}],
            "x-kubernetes-int-or-string": True,
            "pattern": "^[0-9]+%?$",
            "maximum": 100,
        },
    ),
    "lists": obj(
        sized=array(TEXT, minItems=1, maxItems=2),
        set=array(TEXT, **{"x-kubernetes-list-type": "set"}),
        numbers=array({"type": "number"}, **{"x-kubernetes-list-type": "set"}),
        map=array(CONDITION, **MAP),
        atomic=array(CONDITION, **{"x-kubernetes-list-type": "atomic"}),
        pairs=array(
            obj(("name", "port"), name=TEXT, port=WHOLE, text={"type": "string", "maxLength": 2}),
            **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "port"]},
        ),
        nested=array(array(WHOLE, maxItems=1), maxItems=2),
        nullable=array({"type": "string", "nullable": True}),
        objects=array(obj(a={"type": "string", "default": "x"}, b={"type": "integer", "maximum": 3})),
    ),
    "objects": obj(
        sized={"type": "object", "minProperties": 1, "maxProperties": 2, "additionalProperties": TEXT},
        map={"type": "object", "additionalProperties": obj(("a",), a=WHOLE)},
        closed={"type": "object", "properties": {"a": TEXT}, "x-kubernetes-preserve-unknown-fields": True},
        required=obj(("a", "b"), a=TEXT, b=WHOLE, c=TEXT),
        defaults={
            **obj(a={"type": "string", "default": "x"}, b=obj(c={"type": "integer", "default": 1})),
            "default": {"b": {}},
        },
        nullable={**obj(a=TEXT), "nullable": True},
        opaque={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    ),
    "combined": obj(
        any={
            "type": "object",
            "properties": {"a": TEXT, "b": WHOLE},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        one={
            "type": "object",
            "properties": {"a": TEXT, "b": WHOLE},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        all={
            "type": "object",
            "properties": {"a": TEXT, "b": WHOLE},
            "allOf": [{"properties": {"a": {"minLength": 2}}}, {"properties": {"b": {"minimum": 2}}}],
        },
        no={"type": "object", "properties": {"a": TEXT, "b": WHOLE}, "not": {"required": ["a", "b"]}},
        deep={"type": "string", "anyOf": [{"pattern": "^a"}, {"maxLength": 1}, {"enum": ["True"]}]},
        number={"type": "integer", "oneOf": [{"minimum": 2}, {"maximum": 3}], "not": {"enum": [10]}},
    ),
    "embedded": obj(
        whole={"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
        declared={
            **obj(apiVersion=TEXT, kind={"type": "string", "maxLength": 4}, spec=obj(a=WHOLE)),
            "x-kubernetes-embedded-resource": True,
        },
    ),
    "ruled": {
        **obj(
            a={"type": "integer", "x-kubernetes-validations": [{"rule": "self > 1"}]},
            b={"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]},
            c={**array(CONDITION, **MAP, maxItems=4)},
            d={"type": "object", "maxProperties": 3, "properties": {"e": {"type": "string", "maxLength": 5}}},
        ),
        "x-kubernetes-validations": [{"rule": "!has(self.a) || self.a < 100"}],
    },
}


def crd(name: str, schema: Json, subresource: bool = True, **parts: Any) -> Json:
    """A CRD with the schema as that of both spec and status."""
    root = {
        "type": "object",
        "properties": {
            "apiVersion": TEXT,
            "kind": TEXT,
            "metadata": {"type": "object"},
            "spec": schema,
            "status": with_conditions(schema),
        },
    }
    version: Json = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}, **parts}
    if subresource:
        version["subresources"] = {"status": {}, **parts.get("subresources", {})}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}s.example.com"},
        "spec": {
            "group": "example.com",
            "names": {
                "kind": name.capitalize(),
                "listKind": f"{name.capitalize()}List",
                "plural": f"{name}s",
                "singular": name,
            },
            "scope": "Namespaced",
            "versions": [version],
        },
    }


def with_conditions(schema: Json) -> Json:
    return {**schema, "properties": {**schema["properties"], "conditions": array(CONDITION, **MAP)}}


WIDGET = crd("widget", obj(replicas=WHOLE, size=TEXT, phase=TEXT, observedGeneration=WHOLE))
"""A kind as it ought to be."""


def view_of(made: Json, version: str) -> View:
    """The view of one version of a CRD that is plain data."""
    return views(json.dumps(made))[made["metadata"]["name"], version]


def views(text: str) -> dict[tuple[str, str], View]:
    """The views of all versions in a text, by the names of CRD and version."""
    return {(str(crd.name), version.name): View.of(version) for crd in crds(text) for version in crd.versions}


def crds(text: str) -> Iterator[Crd]:
    """The CRDs in a text."""
    for document in parse(text, "CustomResourceDefinition").documents:
        if document.root is not None:
            yield from crds_of(document.root)


def keyword_crds() -> list[Json]:
    """A CRD for each group of keywords, with the status subresource and without."""
    return [crd(name, schema, subresource) for name, schema in KEYWORDS.items() for subresource in (True, False)]


def fixture_crds(count: int, seed: int) -> Iterator[tuple[Json, Json]]:
    """Some CRDs of the fixtures, each as it is and as ``fix --unsafe-fixes`` leaves it."""
    for path in random.Random(seed).sample(sorted((ROOT / "fixtures").glob("*/*/in.yaml")), count):
        yield from fixed_pairs(path.read_text("utf-8-sig", "replace"))


def corpus_crds(count: int, seed: int) -> Iterator[tuple[Json, Json]]:
    """Some CRDs of the corpus, in the same way."""
    for path in random.Random(seed).sample(corpus_files(), count):
        yield from fixed_pairs(path.read_text("utf-8-sig", "replace"))


def fixed_pairs(text: str) -> Iterator[tuple[Json, Json]]:
    """The CRDs of a text before and after all fixes, where both are plain data of the current API version."""
    after = {str(crd.name): crd for crd in readable(fix_text(text, unsafe=True).text)}
    for crd in readable(text):
        if str(crd.name) in after and not crd.is_obsolete:
            yield crd.data(""), after[str(crd.name)].data("")


def readable(text: str) -> list[Crd]:
    try:
        return [crd for crd in crds(text) if not holds_template(crd.data(""))]
    except Unreadable:
        return []


def schema_of(made: Json, name: str) -> Json:
    """The schema of a version, {} where it has none."""
    version = next(version for version in made["spec"]["versions"] if version["name"] == name)
    return (version.get("schema") or {}).get("openAPIV3Schema") or {}


def without_rules(value: Any) -> Any:
    """A CRD without its CEL rules."""
    if isinstance(value, dict):
        return {key: without_rules(item) for key, item in value.items() if key != "x-kubernetes-validations"}
    return [without_rules(item) for item in value] if isinstance(value, list) else value
