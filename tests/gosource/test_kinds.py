"""Kinds are found wherever Go lets their parts stand: the table is a folder of packages per case."""

from __future__ import annotations

import builtins
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from crdlint.errors import UsageError
from crdlint.gosource import GoKind, GoRepository, scan
from crdlint.gosource.syntax import parser

META = 'metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"'
ROOT = """type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	%s
}
"""
STATUS = 'Status WidgetStatus `json:"status,omitempty"`'
CONDITIONS = 'type WidgetStatus struct {\n\tConditions []metav1.Condition `json:"conditions"`\n}\n'
MODULE = {"go.mod": "module example.com/repo\n\ngo 1.26\n"}
GROUP = "// +groupName=example.com\n"


def written(folder: Path, files: dict[str, str]) -> GoRepository:
    for name, text in {**MODULE, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return scan(str(folder))


def only(repository: GoRepository) -> GoKind:
    assert repository.problems == []
    assert len(repository.kinds) == 1
    return repository.kinds[0]


def go(package: str, body: str, *imports: str, head: str = "") -> str:
    lines = "".join(f"\t{one if one.endswith(chr(34)) else chr(34) + one + chr(34)}\n" for one in imports)
    return f"{head}package {package}\n\nimport (\n{lines})\n\n{body}"


# What a package may say of its group and version, and what they are.
GROUP_VERSIONS = {
    "marker": ({"api/doc.go": GROUP + "package v1\n"}, ("example.com", "v1")),
    "marker above a blank line": ({"api/doc.go": GROUP + "\n// Package v1 is.\npackage v1\n"}, ("example.com", "v1")),
    "version marker": ({"api/doc.go": GROUP + "// +versionName=v2\npackage v1\n"}, ("example.com", "v2")),
    "literal": (
        {
            "api/gv.go": 'package v1\n\nimport "k8s.io/apimachinery/pkg/runtime/schema"\n\n'
            'var GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v3"}\n'
        },
        ("example.com", "v3"),
    ),
    "constants": (
        {
            "api/gv.go": 'package v1\n\nimport (\n\t"example.com/repo/group"\n'
            '\t"k8s.io/apimachinery/pkg/runtime/schema"\n)\n\n'
            'const version = "v3"\n\nvar GV = schema.GroupVersion{Group: group.Name, Version: version}\n',
            "group/group.go": 'package group\n\nconst (\n\tOther = "x"\n\tName  = prefix\n)\n\n'
            'const prefix = "example.com"\n',
        },
        ("example.com", "v3"),
    ),
}


@pytest.mark.parametrize("case", GROUP_VERSIONS)
def test_group_and_version(case: str, tmp_path: Path) -> None:
    files, expected = GROUP_VERSIONS[case]
    kind = only(written(tmp_path, {**files, "api/types.go": go("v1", ROOT % STATUS + CONDITIONS, META)}))
    assert (kind.group, kind.version) == expected
    assert written(tmp_path, {}).kind(*expected[:1], "Widget", expected[1]) is not None


# Where the conditions of a kind may be declared: the file, and the line.
PLACES = {
    "same file": ({"api/types.go": go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP)}, "api/types.go:14:2"),
    "another file": (
        {"api/types.go": go("v1", ROOT % STATUS, META, head=GROUP), "api/status.go": go("v1", CONDITIONS, META)},
        "api/status.go:8:2",
    ),
    "pointer": (
        {"api/types.go": go("v1", ROOT % 'State *WidgetStatus `json:"status"`' + CONDITIONS, META, head=GROUP)},
        "api/types.go:14:2",
    ),
    "group of types": (
        {
            "api/types.go": go(
                "v1",
                ROOT % STATUS + "type (\n\tA string\n\tWidgetStatus struct {\n\t\t"
                'Conditions []metav1.Condition `json:"conditions"`\n\t}\n)\n',
                META,
                head=GROUP,
            )
        },
        "api/types.go:16:3",
    ),
    "another package": (
        {
            "api/types.go": go(
                "v1", ROOT % 'Status common.WidgetStatus `json:"status"`', META, "example.com/repo/common", head=GROUP
            ),
            "common/status.go": go("common", CONDITIONS, META),
        },
        "common/status.go:8:2",
    ),
    "a package that is not called after its folder": (
        {
            "api/types.go": go(
                "v1", ROOT % 'Status other.WidgetStatus `json:"status"`', META, "example.com/repo/common", head=GROUP
            ),
            "common/status.go": go("other", CONDITIONS, META),
        },
        "common/status.go:8:2",
    ),
    "another module": (
        {
            "api/types.go": go(
                "v1", ROOT % 'Status common.WidgetStatus `json:"status"`', META, "example.com/other/common", head=GROUP
            ),
            "other/go.mod": "module example.com/other\n",
            "other/common/status.go": go("common", CONDITIONS, META),
        },
        "other/common/status.go:8:2",
    ),
    "alias and defined type": (
        {
            "api/types.go": go(
                "v1",
                ROOT % STATUS + "type WidgetStatus = Second\n\ntype Second third\n\ntype third struct {\n"
                '\tConditions []metav1.Condition `json:"conditions"`\n}\n',
                META,
                head=GROUP,
            )
        },
        "api/types.go:18:2",
    ),
    "inlined": (
        {
            "api/types.go": go(
                "v1",
                ROOT % STATUS + 'type WidgetStatus struct {\n\t*Common `json:",inline"`\n}\n\n'
                'type Common struct {\n\tList []metav1.Condition `json:"conditions"`\n}\n',
                META,
                head=GROUP,
            )
        },
        "api/types.go:18:2",
    ),
    "inlined root": (
        {
            "api/types.go": go(
                "v1",
                ROOT % 'Base `json:",inline"`' + f"type Base struct {{\n\t{STATUS}\n}}\n\n" + CONDITIONS,
                META,
                head=GROUP,
            )
        },
        "api/types.go:18:2",
    ),
}


@pytest.mark.parametrize("case", PLACES)
def test_where_the_conditions_are(case: str, tmp_path: Path) -> None:
    files, place = PLACES[case]
    kind = only(written(tmp_path, files))
    assert str(kind.conditions_place) == f"{tmp_path}/{place}"
    assert kind.has_metav1_conditions
    assert kind.conditions_type == "[]metav1.Condition"


@pytest.mark.parametrize(
    ("declared", "is_metav1"),
    [
        ("[]metav1.Condition", True),
        ("[]*metav1.Condition", True),
        ("Named", True),
        ("[]Alias", True),
        ("[]Own", False),
        ("metav1.Condition", False),
        ("clusterv1.Conditions", False),
        ("map[string]metav1.Condition", False),
    ],
)
def test_types_of_conditions(declared: str, is_metav1: bool, tmp_path: Path) -> None:
    status = f'type WidgetStatus struct {{\n\tConditions {declared} `json:"conditions"`\n}}\n'
    types = "type Named []metav1.Condition\n\ntype Alias = metav1.Condition\n\ntype Own metav1.Condition\n"
    text = go("v1", ROOT % STATUS + status + types, META, 'clusterv1 "sigs.k8s.io/cluster-api/api/v1beta1"', head=GROUP)
    assert only(written(tmp_path, {"api/types.go": text})).has_metav1_conditions is is_metav1


LEFT_OUT = (
    "vendor/x/types.go",
    "third_party/x/types.go",
    "api/zz_generated.types.go",
    "api/types_test.go",
    "testdata/types.go",
    ".hidden/types.go",
    "_skipped/types.go",
    "test/types.go",
    "internal/e2e/types.go",
)


@pytest.mark.parametrize("path", LEFT_OUT)
def test_what_is_left_out(path: str, tmp_path: Path) -> None:
    assert written(tmp_path, {path: go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP)}).kinds == ()


def test_generated_files_are_left_out(tmp_path: Path) -> None:
    head = "// Code generated by a tool. DO NOT EDIT.\n\n" + GROUP
    assert written(tmp_path, {"api/x.go": go("v1", ROOT % STATUS + CONDITIONS, META, head=head)}).kinds == ()


def test_links_are_not_followed(tmp_path: Path) -> None:
    written(tmp_path / "outside", {"types.go": go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP)})
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/types.go").symlink_to(tmp_path / "outside/types.go")
    (tmp_path / "inside/folder").symlink_to(tmp_path / "outside")
    assert scan(str(tmp_path / "inside")).kinds == ()


@pytest.mark.parametrize("root", ["", "/", "/api/.."])
def test_ways_to_name_the_folder(root: str, tmp_path: Path) -> None:
    files, place = PLACES["another package"]
    written(tmp_path, files)
    kind = only(scan(str(tmp_path) + root))
    assert str(kind.conditions_place) == f"{tmp_path}/{place}"


def test_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, place = PLACES["another package"]
    written(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    assert str(only(scan(".")).conditions_place) == place


def test_a_folder_of_a_module(tmp_path: Path) -> None:
    """What lies beside it is not read; what lies in it is found by its import path."""
    files, place = PLACES["another package"]
    text = files["api/types.go"].replace("example.com/repo/common", "example.com/repo/part/common")
    written(tmp_path, {"part/api/types.go": text, "part/common/status.go": files["common/status.go"]})
    assert str(only(scan(str(tmp_path / "part"))).conditions_place) == f"{tmp_path}/part/{place}"


def test_without_a_module(tmp_path: Path) -> None:
    (tmp_path / "types.go").write_text(go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP), "utf-8")
    assert only(scan(str(tmp_path))).has_metav1_conditions


def test_a_list_is_no_kind(tmp_path: Path) -> None:
    text = 'type WidgetList struct {\n\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ListMeta `json:"metadata"`\n}\n'
    assert written(tmp_path, {"api/types.go": go("v1", text, META, head=GROUP)}).kinds == ()


def test_a_file_that_does_not_parse(tmp_path: Path) -> None:
    """It is named, with the place; the other files of its package still count."""
    good = go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP)
    repository = written(
        tmp_path, {"api/types.go": good, "api/bad.go": "package v1\n\n// TypeMeta ObjectMeta\nfunc {\n"}
    )
    assert [kind.kind for kind in repository.kinds] == ["Widget"]
    assert repository.problems == [f"{tmp_path}/api/bad.go:4:1: cannot be parsed as Go: the file is passed over"]


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"package v1\n" * 3, b"package v1\ntype A struct {", b"\xef\xbb\xbfpackage v1"]
)
def test_odd_files(data: bytes, tmp_path: Path) -> None:
    written(tmp_path, {"api/types.go": go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP)})
    (tmp_path / "api/odd.go").write_bytes(data + b"\n// TypeMeta ObjectMeta SetStatusCondition Widget\n")
    repository = scan(str(tmp_path))
    assert [kind.kind for kind in repository.kinds] == ["Widget"]
    repository.evidence("example.com", "Widget")


def test_types_that_name_each_other(tmp_path: Path) -> None:
    """Go refuses them; crdlint comes to an end."""
    text = (
        ROOT % STATUS
        + 'type WidgetStatus struct {\n\tWidgetStatus `json:",inline"`\n\tA `json:",inline"`\n}\n\n'
        + "type A = B\n\ntype B = A\n"
    )
    kind = only(written(tmp_path, {"api/types.go": go("v1", text, META, head=GROUP)}))
    assert kind.conditions is None


def test_plural_and_markers(tmp_path: Path) -> None:
    head = GROUP
    text = (
        "// +kubebuilder:resource:path=gadgets,scope=Cluster\n\n// Widget is.\n// +kubebuilder:subresource:status\n"
        + ROOT % STATUS
    )
    kind = only(written(tmp_path, {"api/types.go": go("v1", text + CONDITIONS, META, head=head)}))
    assert kind.plural == "gadgets"
    assert [marker.name for marker in kind.markers] == ["kubebuilder:resource:path", "kubebuilder:subresource:status"]


@pytest.mark.parametrize(
    ("kind", "plural"),
    [("widget", "widgets"), ("proxy", "proxies"), ("gateway", "gateways"), ("ingress", "ingresses"), ("box", "boxes")],
)
def test_plural_of_the_kind(kind: str, plural: str, tmp_path: Path) -> None:
    text = (ROOT % STATUS).replace("type Widget", f"type {kind.title()}") + CONDITIONS
    assert only(written(tmp_path, {"api/types.go": go("v1", text, META, head=GROUP)})).plural == plural


def test_without_tree_sitter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("tree_sitter"):
            raise ImportError(name)
        return real(name, *rest)

    parser.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert scan(str(tmp_path)).kinds == ()
    with pytest.raises(UsageError, match=r"pip install 'crdlint\[go\]'"):
        written(tmp_path, {"x.go": "package x\n"})
    monkeypatch.undo()
    parser.cache_clear()


def test_tree_sitter_is_loaded_late() -> None:
    import subprocess

    code = "import sys, crdlint.gosource; sys.exit(any(name.startswith('tree_sitter') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_repository_of_two_thousand_files(tmp_path: Path) -> None:
    """Kinds and evidence within seconds: most files are told apart by a search in their bytes."""
    filler = "".join(f"func f{index}(a int) int {{\n\tb := a + {index}\n\treturn b * b\n}}\n\n" for index in range(100))
    writer = "type r struct{}\n\nfunc (r r) Reconcile(w *v1.Widget) {\n\tw.Status.Conditions = nil\n}\n\n"
    files = {"api/types.go": go("v1", ROOT % STATUS + CONDITIONS, META, head=GROUP)}
    for index in range(2000):
        body = (writer if index % 10 == 0 else "") + filler
        files[f"pkg{index % 100}/file{index}.go"] = go(f"pkg{index % 100}", body, 'v1 "example.com/repo/api"')
    repository = written(tmp_path, files)
    started = time.process_time()
    repository.evidence("example.com", only(repository).kind)
    assert time.process_time() - started < 10
