"""Types of many shapes, and any operations on them: gofmt is content, and a second plan finds nothing to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.gosource import SourceChange, apply_edits, scan
from crdlint.yamltext.operations import Op, Operation
from tests.gosource.gofmt import gofmt
from tests.gosource.test_kinds import GROUP, META, go
from tests.gosource.test_plan import (
    ADD_CONDITIONS,
    ADD_FIELD,
    IN_STATUS,
    LOOSEN,
    MAP,
    MINIMUM,
    SCHEMA,
    SET_DEFAULT,
    planned,
)

SUBRESOURCE = Operation(Op.ADD, "/spec/versions/0/subresources/status", {})
ROOT_REQUIRED = Operation(Op.REMOVE, f"{SCHEMA}/required/0")
FIELD_DEFAULT = Operation(Op.REPLACE, f"{IN_STATUS}/properties/observedGeneration/default", -1)
ALWAYS = (SUBRESOURCE, ROOT_REQUIRED, LOOSEN, SET_DEFAULT)

ABOVE = [
    *("", "\n", "\t// Doc of it.\n", "\n\t// +optional\n", "\n\t// Doc.\n\t// +required\n"),
    "\t// +kubebuilder:validation:Required\n",
]
BEHIND = ["", " // of it", " /* old */"]
OTHERS = [
    'Ready bool `json:"ready"`',
    'Phase string `json:"phase,omitempty"`',
    'A, B int `json:"a"`',
    'Nested *struct {\n\t\tX int `json:"x"`\n\t} `json:"nested"`',
    'Labels map[string]string `json:"labels"`',
    "hidden int",
    'Common `json:",inline"`',
]
BOUND = "\n\t// +kubebuilder:validation:Minimum=1\n\t// +kubebuilder:default:=1\n\t"
OBSERVED = ["", 'ObservedGeneration int64 `json:"observedGeneration"`']
OBSERVED.append(BOUND + OBSERVED[1])
CONDITIONS = ["", 'Conditions []metav1.Condition `json:"conditions"`', 'Conditions List `json:"conditions,omitempty"`']
ROOTS = [
    '\tStatus WidgetStatus `json:"status"`\n',
    '\n\t// Status is.\n\tStatus *WidgetStatus `json:"status,omitempty"`\n',
    '\tSpec struct{} `json:"spec"` // of it\n\tStatus WidgetStatus `json:"status"`\n',
    '\n\tSpec int `json:"spec"`\n\t// +kubebuilder:default={observedGeneration:1}\n'
    '\tStatus WidgetStatus `json:"status"`\n',
]
HEADS = ["", "// Widget is.\n", "// +kubebuilder:object:root=true\n\n// Widget is.\n"]
TEXT = """{head}type Widget struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
{root}}}

type WidgetStatus struct {{
{body}}}

// List is.
type List []metav1.Condition

type Common struct {{
	C int    `json:"c"`
	D string `json:"d"` // of it
}}
"""


@st.composite
def shapes(draw: st.DrawFn) -> tuple[bytes, list[Operation]]:
    """A file of Go, and operations that its generated schema would allow."""
    observed, conditions = draw(st.sampled_from(OBSERVED)), draw(st.sampled_from(CONDITIONS))
    operations = [*ALWAYS, MAP if conditions else ADD_CONDITIONS]
    if observed.startswith(BOUND):
        operations += [MINIMUM, FIELD_DEFAULT]
    elif not observed:
        operations.append(ADD_FIELD)
    fields = [*draw(st.lists(st.sampled_from(OTHERS), unique=True, max_size=5)), observed, conditions]
    lines = draw(st.permutations([field for field in fields if field]))
    body = "".join(f"{draw(st.sampled_from(ABOVE))}\t{line}{draw(st.sampled_from(BEHIND))}\n" for line in lines)
    text = TEXT.format(head=draw(st.sampled_from(HEADS)), root=draw(st.sampled_from(ROOTS)), body=body)
    asked = st.lists(st.sampled_from(operations), unique_by=lambda operation: operation.pointer, min_size=1)
    return gofmt(go("v1", text, META, head=GROUP).encode()), draw(asked)


@settings(max_examples=200, deadline=None)
@given(shape=shapes())
def test_plans_are_clean_and_come_to_rest(
    tmp_path_factory: pytest.TempPathFactory, shape: tuple[bytes, list[Operation]]
) -> None:
    source, operations = shape
    folder = tmp_path_factory.mktemp("shape")
    path = Path(folder, "types.go")
    path.write_bytes(source)
    found = [planned(scan(str(folder)), operation) for operation in operations]
    edits = [edit for one in found if isinstance(one, SourceChange) for edit in one.edits]
    after = apply_edits(str(path), source, edits)
    assert after.decode() == gofmt(after).decode()
    path.write_bytes(after)
    for operation, first in zip(operations, found, strict=True):
        again = planned(scan(str(folder)), operation)
        assert isinstance(again, type(first))
        assert not isinstance(again, SourceChange) or again.edits == ()
