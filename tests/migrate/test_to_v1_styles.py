"""Random v1beta1 CRDs in random styles: the result says what a conversion of the data says, and keeps each comment."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

import pytest

from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from tests.migrate.test_to_v1 import converted

SEEDS = 300


def random_crd(chance: random.Random) -> dict[str, Any]:
    """A CRD of v1beta1 that v1 admits, with what it says of all versions at the top level or in the versions."""
    schema = {"type": "object", "properties": {"spec": {"type": "object", "description": "of\nlines"}}}
    parts: dict[str, Any] = {"validation": {"openAPIV3Schema": schema}}
    if chance.random() < 0.7:
        parts["subresources"] = {
            "status": {},
            **({"scale": {"specReplicasPath": ".spec.x"}} if chance.random() < 0.3 else {}),
        }
    if chance.random() < 0.7:
        column = {"name": "A", "type": "string", "JSONPath": ".spec.a"}
        parts["additionalPrinterColumns"] = [dict(column) for _ in range(chance.randint(1, 3))]
    versions = [
        {"name": f"v{index + 1}", "served": True, "storage": index == 0} for index in range(chance.randint(1, 3))
    ]
    spec: dict[str, Any] = {"group": "example.com", "names": {"kind": "Widget", "plural": "widgets"}}
    if chance.random() < 0.3:
        for version in versions:
            own = copy.deepcopy(parts)
            version["schema"] = own.pop("validation")
            version.update(own)
    else:
        spec.update(parts)
    if len(versions) == 1 and "schema" not in versions[0] and chance.random() < 0.4:
        spec["version"] = "v1"
    else:
        spec["versions"] = versions
        if chance.random() < 0.5:
            spec["version"] = "v1"
    if chance.random() < 0.6:
        spec["scope"] = chance.choice(("Namespaced", "Cluster"))
    if chance.random() < 0.6:
        spec["preserveUnknownFields"] = chance.choice((True, False))
    if chance.random() < 0.4:
        spec["conversion"] = {
            "strategy": "Webhook",
            "webhookClientConfig": {"service": {"name": "a", "namespace": "b"}},
        }
        if chance.random() < 0.5:
            spec["conversion"]["conversionReviewVersions"] = ["v1", "v1beta1"]
    for key in chance.sample(["version", "validation", "subresources"], 1):
        if key not in spec and chance.random() < 0.2:
            spec[key] = None
    items = list(spec.items())
    chance.shuffle(items)
    api = {"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition"}
    return {**api, "metadata": {"name": "widgets.example.com"}, "spec": dict(items)}


def as_v1(crd: dict[str, Any]) -> dict[str, Any]:
    """The conversion of the data, written down once more."""
    crd = copy.deepcopy(crd)
    crd["apiVersion"] = "apiextensions.k8s.io/v1"
    spec = crd["spec"]
    version = spec.pop("version", None)
    versions = spec.setdefault("versions", [{"name": version, "served": True, "storage": True}])
    for old, new in (("validation", "schema"), ("subresources", "subresources"), ("additionalPrinterColumns",) * 2):
        part = spec.pop(old, None)
        for one in versions if part is not None else ():
            one[new] = copy.deepcopy(part)
    for one in versions:
        for column in one.get("additionalPrinterColumns", ()):
            column["jsonPath"] = column.pop("JSONPath")
    spec.setdefault("scope", "Namespaced")
    if spec.get("preserveUnknownFields") is not False:
        spec["preserveUnknownFields"] = False
    conversion = spec.get("conversion")
    if conversion is not None:
        reviews = conversion.pop("conversionReviewVersions", ["v1beta1"])
        conversion["webhook"] = {
            "clientConfig": conversion.pop("webhookClientConfig"),
            "conversionReviewVersions": reviews,
        }
    return crd


class Style:
    """How one text is written: indentation, dashes, quotes, flow, comments."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.step = chance.choice((2, 4, 3))
        self.dash = chance.choice((0, 2))
        self.flow = chance.choice((0.0, 0.0, 0.2))
        self.comments = chance.choice((0.0, 0.3))
        self.count = 0

    def comment(self, before: str) -> str:
        if self.chance.random() >= self.comments:
            return ""
        self.count += 1
        return f"{before}# comment {self.count} #"

    def block(self, value: Any, column: int) -> list[str]:
        """The lines of a collection that begins at a column."""
        lines: list[str] = []
        pad = " " * column
        for key, item in value.items() if isinstance(value, dict) else (("-", item) for item in value):
            above = self.comment(pad)
            lines += [above] if above else []
            head = f"{pad}{key}" + ("" if key == "-" else ":")
            below = column + (self.step if key != "-" else 2)
            if isinstance(item, list):
                below = column + self.dash
            if item in ({}, []) or not isinstance(item, dict | list) or self.chance.random() < self.flow:
                lines.append(
                    f"{head} {self.scalar(item, below)}" + ("" if isinstance(item, str) else self.comment(" "))
                )
            elif key == "-":
                inner = self.block(item, below)
                while inner[0].lstrip().startswith("#"):
                    lines.append(inner.pop(0)[2:])
                lines += [f"{pad}- {inner[0][below:]}", *inner[1:]]
            else:
                lines += [head + self.comment(" "), *self.block(item, below)]
        return lines

    def scalar(self, value: Any, column: int) -> str:
        if isinstance(value, str) and "\n" in value and self.chance.random() < 0.5:
            return "|-\n" + "\n".join(" " * column + line for line in value.split("\n"))
        return json.dumps(value) if not isinstance(value, str) or "\n" in value or self.chance.random() < 0.2 else value


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_in_any_style(newline: str) -> None:
    for seed in range(SEEDS):
        chance = random.Random(seed)
        crd = random_crd(chance)
        style = Style(chance)
        text = newline.join("\n".join(style.block(crd, 0)).split("\n")) + newline
        assert _data(text) == crd, (seed, text)
        after, (conversion,) = converted(text.encode())
        assert conversion.problems == [], (seed, text)
        assert _data(after.decode()) == as_v1(crd), (seed, text, after.decode())
        for comment in re.findall(r"# comment \d+ #", re.sub(r": null # comment.*", "", text)):
            assert comment in after.decode(), (seed, comment, text, after.decode())
        assert after.decode().count("\r\n") == (after.decode().count("\n") if newline == "\r\n" else 0)


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_in_json(indent: int | None) -> None:
    for seed in range(SEEDS):
        crd = random_crd(random.Random(seed))
        after, (conversion,) = converted(json.dumps(crd, indent=indent).encode())
        assert conversion.problems == [], (seed, conversion.problems)
        assert json.loads(after) == as_v1(crd), seed


def _data(text: str) -> Any:
    (document,) = parse(text).documents
    assert document.root is not None
    return to_data(document.root)
