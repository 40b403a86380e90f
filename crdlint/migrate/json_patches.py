"""JSON patches (RFC 6902) of CRDs in kustomizations: they are not converted to v1, so they are named."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from crdlint.crd.model import KIND
from crdlint.migrate.repository import Place
from crdlint.yamltext.data import to_data
from crdlint.yamltext.nodes import Node, locate
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable

# What v1beta1 has elsewhere than v1, or has under another name.
_OF_V1BETA1 = re.compile(
    r"/spec/(?:(?:validation|subresources|additionalPrinterColumns|version)(?:/|$)"
    r"|conversion/(?:webhookClientConfig|conversionReviewVersions)(?:/|$)|.*/JSONPath$)"
)


@dataclass(frozen=True)
class JsonPatch:
    """One operation on what v1 has elsewhere."""

    place: Place
    # The CRD that it is of, as the kustomization names it; empty where it names none.
    target: str
    path: str


def json_patches(kustomizations: Mapping[str, bytes], patches: Mapping[str, bytes]) -> Iterator[JsonPatch]:
    """The operations on v1beta1 in the patches of these kustomizations, inline or in files of their own."""
    patches = {_normal(path): data for path, data in patches.items()}
    for path, data in kustomizations.items():
        for source, root in _documents(data):
            kustomization = to_data(root)
            for key in ("patches", "patchesJson6902") if isinstance(kustomization, dict) else ():
                for index, patch in enumerate(_items(kustomization.get(key))):
                    target = patch.get("target")
                    if isinstance(target, dict) and target.get("kind") == KIND:
                        line, _ = source.position(locate(root, f"/{key}/{index}/patch")[0])
                        yield from _operations(path, line, patch, str(target.get("name") or ""), patches)


def _operations(
    kustomization: str, line: int, patch: Mapping[str, Any], target: str, patches: Mapping[str, bytes]
) -> Iterator[JsonPatch]:
    inline, name = patch.get("patch"), patch.get("path")
    if isinstance(inline, str):
        for _, root in _documents(inline.encode()):
            for _, operation in _moved_operations(root):
                yield JsonPatch(Place(kustomization, line), target, operation)
    if isinstance(name, str):
        path = _normal(posixpath.join(posixpath.dirname(_normal(kustomization)), name))
        for source, root in _documents(patches.get(path, b"")):
            for index, operation in _moved_operations(root):
                at, _ = source.position(locate(root, f"/{index}/path")[0])
                yield JsonPatch(Place(path, at), target, operation)


def _moved_operations(root: Node) -> Iterator[tuple[int, str]]:
    """The operations of a patch that v1 has no place for: index and path."""
    for index, operation in enumerate(_items(to_data(root))):
        path = operation.get("path")
        if isinstance(path, str) and _OF_V1BETA1.match(path):
            yield index, path


def _documents(data: bytes) -> Iterator[tuple[Source, Node]]:
    try:
        source = Source.from_bytes(data)
        documents = parse(source.text).documents
    except Unreadable:
        return
    for document in documents:
        if document.root is not None:
            yield source, document.root


def _normal(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/"))


def _items(value: Any) -> list[dict[str, Any]]:
    return [item if isinstance(item, dict) else {} for item in value] if isinstance(value, list) else []
