"""What is planned at the source, and what is left to people: the reason, the exact change, and the place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crdlint.findings import Applicability, Finding, Fix, Severity
from crdlint.gosource import ByHand, EditConflict, GoRepository, SourceChange, place_of, plan, scan
from crdlint.gosource.defaults import default_marker, read_default, with_generation
from crdlint.gosource.edits import Edit, apply_edits
from crdlint.yamltext.operations import Op, Operation
from tests.gosource.test_kinds import CONDITIONS, GROUP, META, ROOT, STATUS, go, written

SCHEMA = "/spec/versions/0/schema/openAPIV3Schema"
IN_STATUS = f"{SCHEMA}/properties/status"
MINUS_ONE = {"observedGeneration": -1}
ADD_FIELD = Operation(Op.ADD, f"{IN_STATUS}/properties/observedGeneration", {"format": "int64", "type": "integer"})
SET_DEFAULT = Operation(Op.ADD, f"{IN_STATUS}/default", MINUS_ONE)
ADD_CONDITIONS = Operation(Op.ADD, f"{IN_STATUS}/properties/conditions", {})
MAP = Operation(Op.ADD, f"{IN_STATUS}/properties/conditions/x-kubernetes-list-type", "map")
LOOSEN = Operation(Op.REMOVE, f"{IN_STATUS}/required")
MINIMUM = Operation(Op.REPLACE, f"{IN_STATUS}/properties/observedGeneration/minimum", -1)
REQUIRE = Operation(Op.INSERT, f"{IN_STATUS}/properties/conditions/items/required", "type")


def finding(*operations: Operation, rule: str = "some-rule", pointer: str = IN_STATUS, **other: Any) -> Finding:
    fix = Fix(Applicability.UNSAFE, "title", operations=operations)
    return Finding(rule, Severity.ERROR, "message", "x.yaml", 1, 1, 1, 1, pointer=pointer, fix=fix, **other)


def planned(repository: GoRepository, *operations: Operation, **other: Any) -> SourceChange | ByHand | None:
    one = finding(*operations, **other)
    return plan(repository, repository.kinds[0], one.rule, one)


def types(status: str, head: str = GROUP, root: str = ROOT % STATUS, imports: tuple[str, ...] = ()) -> dict[str, str]:
    return {"api/types.go": go("v1", root + status, META, *imports, head=head)}


BODY = "type WidgetStatus struct {{\n{}}}\n"
FOREIGN = 'other "example.com/elsewhere"'
# What stands in the types, what the fix wants, and what is said instead of an edit.
BY_HAND: dict[str, tuple[dict[str, str], Operation, str, str]] = {
    "status of another repository": (
        types("", root=ROOT % 'Status other.Status `json:"status,omitempty"`', imports=(FOREIGN,)),
        ADD_FIELD,
        "the type of the status is not declared in this repository",
        "add `ObservedGeneration int64",
    ),
    "no status": (types("", root=ROOT % ""), SET_DEFAULT, "the field with the JSON name status", "change the type"),
    "a method of that name": (
        types(CONDITIONS + "\nfunc (s *WidgetStatus) ObservedGeneration() int64 { return 0 }\n"),
        ADD_FIELD,
        "the status has something else of the name ObservedGeneration",
        "add `ObservedGeneration int64",
    ),
    "a field of that name": (
        types(BODY.format('\tConditions string `json:"other"`\n')),
        ADD_CONDITIONS,
        "the status has something else of the name Conditions",
        "add `Conditions []metav1.Condition",
    ),
    "the struct on one line": (
        types('type WidgetStatus struct{ Ready bool `json:"ready"` }\n'),
        ADD_FIELD,
        "the whole struct stands on one line",
        "with the markers +optional",
    ),
    "two fields on one line": (
        types(BODY.format('\tA int `json:"a,omitempty"`; Conditions []metav1.Condition `json:"conditions"`\n')),
        MAP,
        "the field shares its line",
        "add the markers +listType=map and +listMapKey=type",
    ),
    "a tag between double quotes": (
        types(BODY.format('\tReady bool "json:\\"ready\\""\n')),
        LOOSEN,
        "the field has no tag between back quotes",
        "+optional and omitempty on Ready",
    ),
    "required fields of another repository": (
        types(BODY.format('\tother.Common `json:",inline"`\n'), imports=(FOREIGN,)),
        LOOSEN,
        "the status embeds a struct that is not of this repository",
        "mark the required fields +optional",
    ),
    "a marker that asks for more": (
        types(BODY.format('\t// +k8s:required\n\tReady string `json:"ready"`\n')),
        LOOSEN,
        "+k8s:required asks for a value that is not empty as well",
        "+optional and omitempty on Ready",
    ),
    "a list type of another repository": (
        types(BODY.format('\tConditions other.Conditions `json:"conditions"`\n'), imports=(FOREIGN,)),
        MAP,
        "the type of the list, other.Conditions, cannot take a marker here",
        "add the markers",
    ),
    "a minimum that no marker says": (
        types(BODY.format('\tObservedGeneration int64 `json:"observedGeneration"`\n')),
        MINIMUM,
        "no marker +kubebuilder:validation:Minimum was found",
        "write +kubebuilder:validation:Minimum=-1",
    ),
    "a key of a condition of its own type": (
        types(BODY.format('\tConditions []Own `json:"conditions"`\n') + "type Own struct{}\n"),
        REQUIRE,
        "no marker says this",
        "/properties/conditions/items/required",
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_left_to_people(case: str, tmp_path: Path) -> None:
    files, operation, reason, change = BY_HAND[case]
    repository = written(tmp_path, files)
    found = planned(repository, operation)
    assert isinstance(found, ByHand)
    assert reason in found.reason
    assert change in found.change
    assert found.place.path == f"{tmp_path}/api/types.go"


@pytest.mark.parametrize(
    ("rule", "pointer", "change", "line"),
    [
        ("non-metav1-conditions", "/properties/conditions", "declare `Conditions []metav1.Condition`", 14),
        ("condition-observed-generation", "/properties/conditions", "declare `Conditions []metav1.Condition`", 14),
        ("conditions-not-a-list", "/properties/conditions", "declare `Conditions []metav1.Condition`", 14),
        ("observed-generation-type", "/properties/observedGeneration", "declare `ObservedGeneration int64`", 15),
    ],
)
def test_types_are_never_rewritten(rule: str, pointer: str, change: str, line: int, tmp_path: Path) -> None:
    fields = '\tConditions []Own `json:"conditions"`\n\tObservedGeneration string `json:"observedGeneration"`\n'
    repository = written(tmp_path, types(BODY.format(fields) + "type Own struct{}\n"))
    found = planned(repository, REQUIRE, rule=rule, pointer=IN_STATUS + pointer)
    assert isinstance(found, ByHand)
    assert found.change.startswith(change)
    assert (found.place.line, found.place.column) == (line, 2)


def test_a_fix_that_waits_has_no_plan(tmp_path: Path) -> None:
    assert planned(written(tmp_path, types(CONDITIONS))) is None


def test_what_the_source_says_already(tmp_path: Path) -> None:
    root = ROOT % f"// +kubebuilder:default={{observedGeneration:-1}}\n\t{STATUS}"
    found = planned(written(tmp_path, types(CONDITIONS, root=root)), SET_DEFAULT)
    assert isinstance(found, SourceChange)
    assert found.edits == ()
    assert "generate the CRD again" in found.description


def test_what_is_shared_is_named(tmp_path: Path) -> None:
    """The status is that of two kinds; the subresource is of one alone."""
    other = ROOT.replace("Widget", "Gadget") % STATUS
    repository = written(tmp_path, types(CONDITIONS + other))
    shared = planned(repository, MAP)
    own = planned(repository, Operation(Op.ADD, "/spec/versions/0/subresources/status", {}))
    assert isinstance(shared, SourceChange)
    assert isinstance(own, SourceChange)
    assert (shared.shared_with, own.shared_with) == (("Gadget v1",), ())


def test_a_list_with_a_name_is_shared(tmp_path: Path) -> None:
    text = BODY.format('\tConditions List `json:"conditions"`\n') + "type List []metav1.Condition\n"
    other = ROOT.replace("Widget", "Gadget") % 'Status GadgetStatus `json:"status"`'
    other += BODY.replace("Widget", "Gadget").format('\tConditions List `json:"conditions"`\n')
    found = planned(written(tmp_path, types(text + other)), MAP)
    assert isinstance(found, SourceChange)
    assert found.shared_with == ("Gadget v1",)


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("/spec/versions/0", 8),
        (IN_STATUS, 11),
        (f"{IN_STATUS}/properties/conditions/items/properties/type", 14),
        (f"{IN_STATUS}/properties/nested/properties/deep", 19),
        (f"{IN_STATUS}/properties/nested/properties/gone/properties/far", 15),
        (f"{IN_STATUS}/properties/list/items/properties/deep", 19),
    ],
)
def test_the_line_of_a_finding(pointer: str, line: int, tmp_path: Path) -> None:
    fields = (
        '\tConditions []metav1.Condition `json:"conditions"`\n\tNested N `json:"nested"`\n\tList []N `json:"list"`\n'
    )
    text = BODY.format(fields) + 'type N struct {\n\tDeep int `json:"deep"`\n}\n'
    kind = written(tmp_path, types(text)).kinds[0]
    assert place_of(kind, finding(pointer=pointer)).line == line


def test_edits_of_one_place(tmp_path: Path) -> None:
    path = tmp_path / "types.go"
    path.write_bytes(b"package v1\n")
    with pytest.raises(EditConflict, match=r"types\.go:1:9: two changes of one place"):
        apply_edits(str(path), b"package v1\n", [Edit(str(path), 8, 10, b"a"), Edit(str(path), 8, 9, b"b")])
    assert scan(str(tmp_path)).kinds == ()


@pytest.mark.parametrize(
    ("value", "marker"),
    [
        (MINUS_ONE, 'kubebuilder:default={"observedGeneration":-1}'),
        ({"phase": 'a "b"; é', "ok": True}, 'kubebuilder:default={"phase":"a \\"b\\"; é","ok":true}'),
        ({"a": {"list": []}}, 'default={"a":{"list":[]}}'),
        ({"a": None}, 'default={"a":null}'),
        ({}, "kubebuilder:default={}"),
    ],
)
def test_default_markers(value: Any, marker: str) -> None:
    assert default_marker(value) == marker
    assert read_default(marker.partition("=")[2]) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"observedGeneration":1}', '{"observedGeneration":-1}'),
        ("{observedGeneration: 12, phase: x}", "{observedGeneration:-1, phase: x}"),
        ("{`observedGeneration`:0}", "{`observedGeneration`:-1}"),
        ("{phase: x}", None),
        ("{a:{observedGeneration:1},observedGeneration:1}", None),
    ],
)
def test_another_generation_in_a_default(text: str, expected: str | None) -> None:
    assert with_generation(text, -1) == expected
