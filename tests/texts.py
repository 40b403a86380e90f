"""CRDs for the tests of the command line, of fixes and of configurations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_HEAD = """\
# Made for tests.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names:
    kind: Widget
    listKind: WidgetList
    plural: widgets
    singular: widget
  scope: Namespaced
  versions:
"""

_VERSION = """\
  - name: {name}
    schema:
      openAPIV3Schema:
        description: Widget is "a thing", 'so to say'.
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          spec:
            properties:
              size:
                default: 3
                minimum: 1
                type: integer
            type: object
          status:  # what the controller saw
{default}            properties:
              conditions:
                items:
                  properties:
                    lastTransitionTime:
                      format: date-time
                      type: string
                    message:
                      maxLength: 32768
                      type: string
                    observedGeneration:
                      format: int64
                      minimum: 0
                      type: integer
                    reason:
                      maxLength: 1024
                      minLength: 1
                      pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
                      type: string
                    status:
                      enum:
                      - "True"
                      - "False"
                      - Unknown
                      type: string
                    type:
                      maxLength: 316
                      pattern: {pattern}
                      type: string
                  required:
                  - lastTransitionTime
                  - message
                  - reason
                  - status
                  - type
                  type: object
                type: array
                x-kubernetes-list-map-keys:
                - type
                x-kubernetes-list-type: map
              observedGeneration:
                format: int64
                type: integer
              phase:
                type: string
            type: object
        type: object
    served: true
    storage: {storage}
    subresources:
      status: {{}}
"""

_TYPE_PATTERN = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)
_DEFAULT = "            default:\n              observedGeneration: -1\n"


def _version(name: str, storage: str, default: str) -> str:
    return _VERSION.format(name=name, storage=storage, default=default, pattern=_TYPE_PATTERN)


# No finding; one safe finding, a missing default, and what the fix makes of it; the same with two versions.
CLEAN = _HEAD + _version("v1", "true", _DEFAULT)
SAFE = _HEAD + _version("v1", "true", "")
TWO_CLEAN = _HEAD + _version("v1beta1", "false", _DEFAULT) + _version("v1", "true", _DEFAULT)
TWO_SAFE = _HEAD + _version("v1beta1", "false", "") + _version("v1", "true", "")
# Findings that only unsafe fixes cure, one of them an error.
UNSAFE = SAFE.replace("    subresources:\n      status: {}\n", "")
# A single finding, a warning, whose fix is unsafe.
_AS_A_MAP = "x-kubernetes-list-map-keys:\n                - type\n                x-kubernetes-list-type: map\n"
WARNING = CLEAN.replace(" " * 16 + _AS_A_MAP, "")
# Only findings that no edit cures.
MANUAL = SAFE.replace(
    "format: int64\n                type: integer\n              phase", "type: string\n              phase"
)
UNREADABLE = SAFE + "  - name: [\n"
# A single finding of the severity info.
INFO = CLEAN.replace("scope: Namespaced", "scope: Namespaced  # crdlint: ignore[pruned-status] for a test")
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n"

RULE = "missing-observed-generation-default"


def variants(text: str) -> Mapping[str, bytes]:
    """The same text as editors and systems write it."""
    data = text.encode()
    return {
        "lf": data,
        "crlf": data.replace(b"\n", b"\r\n"),
        "no-final-newline": data.rstrip(b"\n"),
        "bom": b"\xef\xbb\xbf" + data,
        "bom-crlf-no-final-newline": b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n").rstrip(b"\r\n"),
    }


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files, and the folders that they need."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
