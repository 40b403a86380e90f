"""A stored object as the API server reads it: defaults put in, unknown fields and meaningless nulls dropped.

After ``unstructuredDefaulter`` and ``schemaCoercingDecoder`` of apiextensions-apiserver
(``pkg/apiserver/customresource_handler.go``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crdlint.crd.pruning import prune_value
from crdlint.crd.schema import EMBEDDED_RESOURCE
from crdlint.crd.structural import apply_defaults
from crdlint.crd.values import Findings
from crdlint.stored.embedded import coerced, has_embedded
from crdlint.stored.view import View


class Decoder:
    """Reads objects of one version."""

    def __init__(self, view: View) -> None:
        # apiVersion, kind and metadata of the object itself are never pruned, as those of an embedded resource.
        self._root = {**view.schema, EMBEDDED_RESOURCE: True}
        self._schema = view.schema
        self._prunes = not view.preserves_unknown_fields
        self._has_embedded = has_embedded(view.schema)

    def decode(self, data: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The object, and the paths of the fields that it lost."""
        lost = _Lost()
        value: dict[str, Any] = dict(data)
        if self._prunes:
            value = prune_value(self._root, apply_defaults(self._schema, value), lost)
        if self._has_embedded:
            value = coerced(self._schema, value, "", lost)
        return value, tuple(lost.errors)


class _Lost(Findings):
    """Takes note of where something was dropped, whatever the reason."""

    def error(self, path: str, message: str) -> None:
        self.errors.append(path)
