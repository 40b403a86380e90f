"""Who may write status: the roles in a repository's manifests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from crdlint.migrate.repository import Place
from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Sequence, find, locate
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

GROUP = "rbac.authorization.k8s.io"
_WRITING = frozenset(("update", "patch", "*"))


@dataclass(frozen=True)
class Grant:
    """A rule of a role that lets its subjects write objects of some kind, and whether it covers their status."""

    place: Place
    group: str
    resource: str
    covers_status: bool


def grants(files: Mapping[str, bytes], group: str, plural: str) -> Iterator[Grant]:
    """The rules, in all roles of these files, that let somebody write objects of a kind or their status."""
    for path, data in files.items():
        for rule, place in _rules(path, data):
            resources = set(_texts(rule.get("resources")))
            if not {group, "*"} & set(_texts(rule.get("apiGroups"))) or not _WRITING & set(_texts(rule.get("verbs"))):
                continue
            covers_status = bool({f"{plural}/status", "*/status", "*"} & resources)
            if covers_status or plural in resources:
                yield Grant(place, group, plural, covers_status)


def _rules(path: str, data: bytes) -> Iterator[tuple[Mapping[str, Any], Place]]:
    try:
        source = Source.from_bytes(data)
        documents = parse(source.text, wanted=GROUP).documents
    except Unreadable:
        return
    for document in documents:
        found = None if document.root is None else find(document.root, "/rules")
        if document.root is None or not isinstance(found, Sequence):
            continue
        for index, item in enumerate(found.items):
            rule = to_data(item)
            if isinstance(rule, dict):
                line, _ = source.position(locate(document.root, f"/rules/{index}/resources")[0])
                yield rule, Place(path, line)


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
