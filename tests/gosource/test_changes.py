"""Markers of types, and imports: wherever gofmt would put them, and where controller-gen reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crdlint.gosource import apply_edits, changes, scan
from crdlint.gosource.changes import NoPlace
from crdlint.gosource.kinds import META
from crdlint.gosource.syntax import GoFile
from tests.gosource.gofmt import gofmt

PATH = "types.go"
MARKER = "kubebuilder:subresource:status"
# What stands above a type; gofmt rewrites doc comments, so a line must not land in a list, a block or a link of one.
DOCS = {
    "nothing": "",
    "text": "// Widget is a thing.\n",
    "marker": "// +kubebuilder:object:root=true\n",
    "text and marker": "// Widget is a thing.\n// +kubebuilder:object:root=true\n",
    "marker and text": "// +kubebuilder:object:root=true\n// +kubebuilder:storageversion\n\n// Widget is a thing.\n",
    "marker between": "// Widget is\n// +kubebuilder:object:root=true\n// a thing.\n",
    "code": "// Widget is a thing:\n//\n//\tlike this\n",
    "list": "// Widget is a thing:\n//   - one\n//   - two\n",
    "heading": "// Widget is a thing.\n//\n// # Heading\n",
    "link": "// Widget is a [thing].\n//\n// [thing]: https://example.com\n",
    "directive": "// Widget is a thing.\n//\n//nolint:all\n",
    "block": "/* Widget is a thing. */\n",
    "long block": "/*\nWidget is a thing.\n*/\n",
    "other comment above": "// --- Widgets ---\n\n// Widget is a thing.\n",
}
STRUCT = 'struct {\n\tmetav1.TypeMeta   `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata"`\n}\n'
HEAD = '// +groupName=example.com\npackage v1\n\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n\n'
FORMS = {
    "alone": "{doc}type Widget " + STRUCT,
    "grouped": "type (\n\tOther string\n{doc}\tWidget " + STRUCT + ")\n",
}


@pytest.mark.parametrize("doc", DOCS)
@pytest.mark.parametrize("form", FORMS)
def test_marker_of_a_type(doc: str, form: str, tmp_path: Path) -> None:
    """It is read as a marker of the type, gofmt leaves the file alone, and nothing else has changed."""
    before = gofmt((HEAD + FORMS[form].replace("{doc}", DOCS[doc])).encode())
    path = tmp_path / PATH
    path.write_bytes(before)
    kind = scan(str(tmp_path)).kinds[0]
    assert all(marker.name != MARKER for marker in kind.markers)
    if (doc, form) == ("nothing", "grouped"):
        with pytest.raises(NoPlace, match="in one column"):
            changes.type_marker(kind.declaration, MARKER)
        return
    after = apply_edits(str(path), before, [changes.type_marker(kind.declaration, MARKER)])
    assert gofmt(after) == after
    path.write_bytes(after)
    kept = [marker.name for marker in kind.markers]
    found = [marker.name for marker in scan(str(tmp_path)).kinds[0].markers]
    assert sorted(found) == sorted([*kept, MARKER])
    lines = [line for line in after.split(b"\n") if line.strip() != f"// +{MARKER}".encode()]
    assert [line for line in lines if line] == [line for line in before.split(b"\n") if line]


IMPORTS = {
    "none": "",
    "one": 'import "fmt"\n',
    "one with a name": 'import f "fmt"\n',
    "several declarations": 'import "fmt"\nimport "os"\n',
    "a block": 'import (\n\t"fmt"\n\t"os"\n)\n',
    "an empty block": "import ()\n",
    "others of Kubernetes": 'import (\n\t"fmt"\n\n\tcorev1 "k8s.io/api/core/v1"\n\t"k8s.io/utils/ptr"\n)\n',
    "others of Kubernetes before": 'import (\n\t"fmt"\n\n\tcorev1 "k8s.io/api/core/v1"\n)\n',
    "one group": 'import (\n\t"fmt"\n\tcorev1 "k8s.io/api/core/v1"\n\t"sigs.k8s.io/yaml"\n)\n',
    "comments": 'import (\n\t"fmt"\n\n\t"k8s.io/utils/ptr" // pointers\n\t"k8s.io/utils/trace" // traces\n)\n',
    "a block after one": 'import "C"\n\nimport (\n\t"fmt"\n)\n',
}


@pytest.mark.parametrize("imports", IMPORTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_import(imports: str, newline: str) -> None:
    before = gofmt(f"// Package v1 is.\npackage v1 // here\n\n{IMPORTS[imports]}\nvar X int\n".encode())
    before = before.replace(b"\n", newline.encode())
    name, edits = changes.imported(GoFile(PATH, before), META, "metav1")
    after = apply_edits(PATH, before, edits)
    assert name == "metav1"
    assert GoFile(PATH, after).imports["metav1"] == META
    unix = after.replace(b"\r\n", b"\n")
    assert after == unix.replace(b"\n", newline.encode())
    assert gofmt(unix) == unix
    assert changes.imported(GoFile(PATH, after), META, "metav1") == ("metav1", [])


def test_import_under_another_name() -> None:
    file = GoFile(PATH, f'package v1\n\nimport meta "{META}"\n'.encode())
    assert changes.imported(file, META, "metav1") == ("meta", [])


def test_import_whose_name_is_taken() -> None:
    file = GoFile(PATH, b'package v1\n\nimport metav1 "example.com/other"\n')
    with pytest.raises(NoPlace, match=r"stands for example\.com/other"):
        changes.imported(file, META, "metav1")
