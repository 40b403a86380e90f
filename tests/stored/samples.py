"""Random objects of a schema: mostly valid ones, and ones that break it in one or two places."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.stored.crds import schema_of

Schema = dict[str, Any]

STRINGS = (
    *(
        "",
        "a",
        "abc",
        "ABC",
        "Ready",
        "True",
        "False",
        "Unknown",
        "x" * 20,
        "x" * 70,
        "x" * 400,
        "a b",
        "ü",
        "日本語",
        "😀",
    ),
    *("1", "10", "-1", "0.5", "10s", "1h30m", "5m", "1Gi", "100m", "1e3", "50%", "v1", "v1.2.3", "1.2.3", "a.b", "a-b"),
    *("a/b", "a=b", "a:b", "example.com", "https://example.com/a", "http://a b", "/a/b", "a@example.com", "a@b@c"),
    *(
        "10.0.0.1",
        "10.0.0.0/8",
        "::1",
        "fe80::/10",
        "256.0.0.1",
        "aa:bb:cc:dd:ee:ff",
        "#fff",
        "aGVsbG8=",
        "not base64!",
    ),
    *("2024-01-02T03:04:05Z", "2024-01-02T03:04:05.123456Z", "2024-13-01T00:00:00Z", "2024-01-02", "now"),
    *(
        "123e4567-e89b-12d3-a456-426614174000",
        "0123456789abcdef01234567",
        "sha256:" + "0" * 64,
        "arn:aws:iam::1:role/a",
    ),
    *("subnet-0123456789abcdef0", "Kustomization", "*", "[a]", "{{ a }}", "\n", "a\nb", "$", "^a$", "\\", '"'),
)
NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    5,
    10,
    80,
    443,
    1.5,
    0.25,
    -0.5,
    65535,
    65536,
    2**31 - 1,
    2**31,
    -(2**31) - 1,
    2**53,
    2**63 - 1,
)
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "odd",
    0,
    -1,
    1.5,
    10**12,
    [],
    {},
    ["a", "a"],
    [None],
    {"odd": 1},
    {"a": None},
)

OWNER = {"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b"}
METADATA: tuple[tuple[str, Any], ...] = (
    ("name", "a"),
    ("generateName", "a-"),
    ("namespace", "a"),
    ("labels", {"example.com/a": "b"}),
    ("labels", {"a b": "c", "d": None}),
    ("annotations", {"a": "b" * 400}),
    ("finalizers", ["example.com/a", "orphan"]),
    ("finalizers", ["foregroundDeletion", "orphan", ""]),
    ("ownerReferences", [OWNER, {**OWNER, "controller": True, "unheard": 1}]),
    ("ownerReferences", [{**OWNER, "controller": True, "blockOwnerDeletion": False}, {**OWNER, "controller": True}]),
    ("ownerReferences", [{**OWNER, "apiVersion": "a/b/c"}, {"kind": "Pod"}]),
    ("ownerReferences", [{**OWNER, "kind": "Event", "controller": None}]),
    ("creationTimestamp", "2024-01-02T03:04:05Z"),
    ("deletionTimestamp", "now"),
    ("deletionGracePeriodSeconds", 0),
    ("generation", -1),
    ("unheard", "a"),
)


class Samples:
    """Objects of one version of a CRD."""

    def __init__(self, crd: Schema, version: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.schema = schema_of(crd, version)
        self.head = {
            "apiVersion": f"{crd['spec']['group']}/{version}",
            "kind": crd["spec"]["names"]["kind"],
            "metadata": {"name": "one", "uid": "1", "resourceVersion": "1", "generation": 2, "labels": {"a": "b"}},
        }
        if crd["spec"].get("scope") == "Namespaced":
            self.head["metadata"]["namespace"] = "default"

    def objects(self, count: int) -> Iterator[Schema]:
        """Every third as valid as can be, the others with something changed in them."""
        for index in range(count):
            body = self.value(self.schema, 0)
            made = {**(body if isinstance(body, dict) else {}), **copy.deepcopy(self.head)}
            for _ in range(index % 3):
                self.spoil(made)
            yield made

    def value(self, schema: Schema, depth: int) -> Any:
        """A value that satisfies the schema, as far as that is easily had."""
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        kind = schema.get("type")
        if schema.get("x-kubernetes-int-or-string"):
            kind = self.chance.choice(("integer", "string"))
        if kind is None:
            kind = next(
                (
                    branch["type"]
                    for name in ("anyOf", "oneOf", "allOf")
                    for branch in schema.get(name, ())
                    if "type" in branch
                ),
                "object",
            )
        makers: dict[str, Callable[[], Any]] = {
            "object": lambda: self._object(schema, depth),
            "array": lambda: self._list(schema, depth),
            "string": lambda: self._string(schema),
            "boolean": lambda: self.chance.random() < 0.5,
        }
        return makers.get(kind, lambda: self._number(schema, kind == "integer"))()

    def _object(self, schema: Schema, depth: int) -> Schema:
        made: Schema = {}
        for name, field in schema.get("properties", {}).items():
            wanted = 0.9 if name in ("spec", "status", "conditions") else 0.5 if depth < 4 else 0.15
            if name in schema.get("required", ()) or self.chance.random() < wanted:
                made[name] = self.value(field, depth + 1)
        rest = schema.get("additionalProperties")
        if isinstance(rest, dict):
            for _ in range(self.chance.randint(0, 2)):
                made[self.chance.choice(("a", "b", "c"))] = self.value(rest, depth + 1)
        if schema.get("x-kubernetes-preserve-unknown-fields") and self.chance.random() < 0.5:
            made["unknown"] = {"a": [1, None]}
        if schema.get("x-kubernetes-embedded-resource"):
            made |= {"apiVersion": "v1", "kind": "Pod", "metadata": self._metadata()}
        return made

    def _metadata(self) -> Schema:
        """Metadata of an embedded resource: one field that is right, and now and then one that may be wrong."""
        made = copy.deepcopy(dict([self.chance.choice(METADATA)]))
        if self.chance.random() < 0.5:
            made[self.chance.choice(METADATA)[0]] = copy.deepcopy(
                self.chance.choice([value for _, value in METADATA] + list(ODD))
            )
        return made

    def _list(self, schema: Schema, depth: int) -> list[Any]:
        fewest = schema.get("minItems", 0)
        count = self.chance.randint(fewest, max(fewest, min(schema.get("maxItems", 3), 3)))
        items = [self.value(schema.get("items", {}), depth + 1) for _ in range(count)]
        keys = schema.get("x-kubernetes-list-map-keys", ())
        for index, item in enumerate(items):
            for key in keys:
                if isinstance(item, dict) and isinstance(item.get(key), str) and self.chance.random() < 0.8:
                    item[key] = f"{item[key]}{index}" if "enum" not in schema["items"]["properties"][key] else item[key]
        return items

    def _string(self, schema: Schema) -> str:
        import re2

        fitting = [
            text
            for text in self.chance.sample(STRINGS, 40)
            if schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", 999)
        ]
        if "pattern" in schema:
            fitting = [text for text in STRINGS if re2.search(schema["pattern"], text)]
        if schema.get("format") == "date-time":
            fitting = ["2024-01-02T03:04:05Z"]
        return self.chance.choice(fitting or STRINGS)

    def _number(self, schema: Schema, whole: bool) -> Any:
        low, high = schema.get("minimum", -(10**9)), schema.get("maximum", 10**9)
        fitting = [number for number in NUMBERS if low <= number <= high and (not whole or isinstance(number, int))]
        return self.chance.choice(fitting or [int(low) + 1])

    def spoil(self, made: Schema) -> None:
        """Change something somewhere below spec or status."""
        places = [place for key in made if key not in self.head for place in _places(made, key)]
        if not places:
            made[self.chance.choice(("spec", "status", "other"))] = self.chance.choice(ODD)
            return
        holder, key = self.chance.choice(places)
        value = holder[key]
        changes: list[Callable[[], Any]] = [lambda: copy.deepcopy(self.chance.choice(ODD))]
        if isinstance(value, str):
            changes += [lambda: self.chance.choice(STRINGS)] * 3 + [lambda: (value * 300)[:500]]
        if isinstance(value, int | float) and not isinstance(value, bool):
            changes += [lambda: self.chance.choice(NUMBERS)] * 3
        if isinstance(value, list) and value:
            changes += [lambda: [*value, copy.deepcopy(self.chance.choice(value))], lambda: value[:-1]] * 2
        if isinstance(value, dict):
            changes += [lambda: {**value, "unheard": 1}]
            changes += [
                lambda: {name: item for name, item in value.items() if name != self.chance.choice(list(value) or [""])}
            ] * 3
        holder[key] = self.chance.choice(changes)()


def _places(holder: Any, key: Any) -> Iterator[tuple[Any, Any]]:
    """Every field and item at or below one, as its holder and its key there."""
    yield holder, key
    value = holder[key]
    below = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for inner in below:
        yield from _places(value, inner)
