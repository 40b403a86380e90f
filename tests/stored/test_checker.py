"""What becomes of stored objects: which writes are refused, what ratcheting saves, what is lost, what stays open."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest

from crdlint.api import fix_text
from crdlint.errors import UsageError
from crdlint.stored.checker import StoredChecker
from crdlint.stored.objects import StoredObject
from crdlint.stored.verdict import Refusal, Verdict, Write
from crdlint.stored.view import Scale
from crdlint.yamltext.wellformed import MAX_DEPTH
from tests.stored.crds import MAP, TEXT, WHOLE, Json, array, crd, obj, view_of, views

CREATE, UNCHANGED, METADATA, SPEC, STATUS, ADDED, CHANGED = Write
MAIN = (UNCHANGED, METADATA, SPEC)
ON_STATUS = (STATUS, ADDED, CHANGED)
OLD, NEW = (1, 29), (1, 30)


def widget(**parts: Any) -> Json:
    metadata = {"name": "one", "namespace": "default"}
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {}, **parts}


def stored(**parts: Any) -> StoredObject:
    return StoredObject("objects.yaml", 7, widget(**parts))


def conditions(*reasons: str, key: str = "type") -> list[Json]:
    return [{key: f"C{index}", "status": "True", "reason": reason} for index, reason in enumerate(reasons)]


def kind(status: Json, spec: Json | None = None, **parts: Any) -> Json:
    """A CRD with these fields of status, and perhaps of spec."""
    made = crd("widget", spec or obj(), **parts)
    made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"] = status
    return made


def verdict(made: Json, parts: Json, kubernetes: tuple[int, int] = NEW, before: Json | None = None) -> Verdict:
    old = None if before is None else view_of(before, "v1")
    return StoredChecker(old, view_of(made, "v1"), kubernetes).check(stored(**parts))


def refusal(*arguments: Any, **options: Any) -> Refusal:
    found = verdict(*arguments, **options)
    (only,) = (*found.refused, *found.tolerated)
    return only


ITEM = obj(("type", "status"), type=TEXT, status=TEXT, reason={"type": "string", "minLength": 1})
ATOMIC = kind(obj(conditions=array(ITEM), phase=TEXT))
MAPPED = kind(obj(conditions=array(ITEM, **MAP), phase=TEXT))
BAD = {"status": {"conditions": conditions("Fine", "")}}


# Ratcheting.


def test_an_item_of_a_list_that_is_no_map_is_validated_with_the_whole_list() -> None:
    found = refusal(ATOMIC, BAD)
    assert found.path == "status.conditions[1].reason"
    assert found.message == '"" is shorter than minLength 1'
    assert found.writes == (ADDED, CHANGED)
    assert found.saved == (*MAIN, STATUS)
    assert found.why == "status.conditions is validated anew as a whole when something in it changes"


def test_an_item_of_a_map_is_compared_with_that_of_its_key() -> None:
    found = refusal(MAPPED, BAD)
    assert (found.writes, found.saved, found.why) == ((), (*MAIN, *ON_STATUS), "")


def test_a_missing_field_is_met_when_its_item_changes() -> None:
    without = copy.deepcopy(BAD)
    del without["status"]["conditions"][1]["status"]
    without["status"]["conditions"][1]["reason"] = "Fine"
    found = refusal(MAPPED, without)
    assert (found.path, found.writes, found.saved) == (
        "status.conditions[1].status",
        (CHANGED,),
        (*MAIN, STATUS, ADDED),
    )


def test_nothing_is_tolerated_before_ratcheting() -> None:
    found = refusal(MAPPED, BAD, OLD)
    assert (found.writes, found.saved) == ((*MAIN, *ON_STATUS), ())
    assert found.why == "Kubernetes 1.29 validates all that is written; from 1.30 on it tolerates what is unchanged"


def test_two_conditions_of_a_type_are_tolerated_by_every_version() -> None:
    twice = {"status": {"conditions": conditions("Fine") * 2}}
    for kubernetes in (OLD, NEW):
        found = refusal(MAPPED, twice, kubernetes)
        assert (found.path, found.writes) == ("status.conditions[1]", ())
        assert found.saved == (*MAIN, *ON_STATUS)


def test_the_second_condition_of_a_type_is_compared_with_the_first() -> None:
    twice = {"status": {"conditions": [*conditions("Fine"), *conditions("")]}}
    found = verdict(MAPPED, twice)
    (tightened,), (repeated,) = found.refused, found.tolerated
    assert (tightened.path, tightened.writes) == ("status.conditions[1].reason", (*MAIN, *ON_STATUS))
    assert (repeated.path, repeated.writes) == ("status.conditions[1]", ())


def test_a_required_field_of_the_status_blocks_every_write_of_it() -> None:
    found = refusal(kind(obj(("ready",), ready={"type": "boolean"}, phase=TEXT)), {"status": {"phase": "a"}})
    assert (found.path, found.writes, found.saved) == ("status.ready", (STATUS,), MAIN)


def test_a_required_status_blocks_creation() -> None:
    made = kind(obj(phase=TEXT))
    root = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    root["required"] = ["status"]
    assert refusal(made, {"status": {}}).writes == (CREATE,)
    assert refusal(made, {}).writes == (CREATE, *MAIN)


def test_what_stands_in_a_combination_is_compared_as_a_whole() -> None:
    made = kind(obj(both={**obj(a=WHOLE, b=WHOLE), "allOf": [{"properties": {"a": {"minimum": 2}}}]}))
    found = refusal(made, {"status": {"both": {"a": 1}}})
    assert (found.path, found.message) == ("status.both", "allOf: a: 1 is below the minimum 2")
    assert found.saved == (*MAIN, STATUS)


def test_without_the_subresource_the_main_endpoint_meets_the_status() -> None:
    made = kind(MAPPED["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"], subresource=False)
    assert refusal(made, BAD).writes == (CREATE,)
    assert refusal(made, BAD, OLD).writes == (CREATE, *MAIN, *ON_STATUS)


# What is read.


def test_defaults_are_put_in_before_anything_is_judged() -> None:
    made = kind({**obj(("a",), a={"type": "string", "default": ""}), "default": {"a": ""}})
    assert verdict(made, {}) == Verdict((), (), ())
    assert refusal(kind({**obj(a={"type": "string", "minLength": 1}), "default": {"a": ""}}), {}).path == "status.a"


def test_fields_that_get_lost() -> None:
    parts = {
        "spec": {"a": 1, "b": [{"c": 1}]},
        "status": {"conditions": [{**conditions("Fine")[0], "severity": "Info"}]},
    }
    made = kind(obj(conditions=array(ITEM)), spec=obj(b=array(obj())))
    assert verdict(made, parts).pruned == ("spec.a", "spec.b[0].c", "status.conditions[0].severity")
    assert verdict(made, parts).is_broken
    made["spec"]["preserveUnknownFields"] = True
    assert verdict(made, parts).pruned == ()


def test_the_scale_subresource() -> None:
    scale = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
    made = kind(obj(replicas=WHOLE), obj(replicas=WHOLE), subresources={"scale": scale})
    found = verdict(made, {"spec": {"replicas": -1}, "status": {"replicas": 2**31}})
    assert [(bad.path, bad.writes) for bad in found.refused] == [
        ("spec.replicas", (CREATE, *MAIN)),
        ("status.replicas", (*MAIN, STATUS)),
    ]


# What stays open.


def test_a_rule_that_is_reached_leaves_open_what_nothing_else_refuses() -> None:
    rule = {"x-kubernetes-validations": [{"rule": "self > 1"}]}
    made = kind(obj(a={"type": "integer", "minimum": 1, **rule}), obj(b={**WHOLE, **rule}))
    found = verdict(made, {"status": {"a": 1}})
    assert [(question.path, question.reason) for question in found.undecided] == [("status.a", "a CEL rule: self > 1")]
    assert found.refuses(STATUS) is None
    assert found.refuses(CREATE) is False
    assert verdict(made, {"status": {"a": 0}}, OLD).refuses(STATUS) is True
    assert verdict(made, {"status": {"a": None}}) == Verdict((), (), ())


def test_a_pattern_that_no_server_takes() -> None:
    made = kind(obj(a={"type": "string", "pattern": "(?=a)"}))
    (question,) = verdict(made, {"status": {"a": "a"}}, OLD).undecided
    assert question.reason == "RE2 does not take the pattern (?=a)"


def test_a_pattern_that_would_never_end() -> None:
    made = kind(obj(a={"type": "string", "pattern": "^(a+)+$"}))
    assert refusal(made, {"status": {"a": "a" * 100_000 + "b"}}).path == "status.a"


# What is new.


def test_what_was_wrong_before_is_no_news() -> None:
    assert verdict(MAPPED, BAD, OLD, before=ATOMIC) == Verdict((), (), ())
    looser = kind(obj(conditions=array(obj(type=TEXT, status=TEXT, reason=TEXT))))
    assert verdict(ATOMIC, BAD, before=looser) == verdict(ATOMIC, BAD)


def test_writes_that_were_refused_before_for_another_reason_are_no_news() -> None:
    before = kind(obj(a={"type": "string", "maxLength": 1}, b=TEXT))
    after = kind(obj(a={"type": "string", "maxLength": 1}, b={"type": "string", "maxLength": 1}))
    assert verdict(after, {"status": {"a": "xx", "b": "xx"}}, OLD, before=before) == Verdict((), (), ())
    (news,) = verdict(after, {"status": {"a": "x", "b": "xx"}}, OLD, before=before).refused
    assert news.path == "status.b"


def test_what_was_saved_before_and_is_refused_now_is_news() -> None:
    (news,) = verdict(ATOMIC, BAD, before=MAPPED).refused
    assert news.writes == (ADDED, CHANGED)
    assert verdict(MAPPED, BAD, before=MAPPED) == Verdict((), (), ())


def test_what_only_ratcheting_saves_is_news() -> None:
    looser = kind(obj(conditions=array(obj(type=TEXT, status=TEXT, reason=TEXT), **MAP), phase=TEXT))
    found = verdict(MAPPED, BAD, before=looser)
    assert [bad.path for bad in found.tolerated] == ["status.conditions[1].reason"]
    assert not found.is_broken


def test_a_rule_about_the_same_value_is_no_news() -> None:
    rule = {"x-kubernetes-validations": [{"rule": "has(self.a)"}]}
    before = kind({**obj(a=TEXT), **rule})
    after = kind({**obj(a=TEXT, b={"type": "string", "default": "x"}), **rule})
    assert verdict(before, {"status": {"a": "a"}}, before=before).undecided == ()
    assert len(verdict(after, {"status": {"a": "a"}}, before=before).undecided) == 1


def test_fields_that_were_lost_before_are_no_news() -> None:
    before, after = kind(obj(a=TEXT)), kind(obj())
    assert verdict(after, {"status": {"a": "a", "b": "b"}}, before=before).pruned == ("status.a",)


def test_what_the_fix_does_to_objects_is_told() -> None:
    """Conditions that the Cluster API's old type allows, under the schema that ``--unsafe-fixes`` writes."""
    item = obj(("type", "status"), type=TEXT, status=TEXT, reason=TEXT, message=TEXT, lastTransitionTime=TEXT)
    before = kind(obj(conditions=array(item), observedGeneration=WHOLE))
    after = views(fix_text(json.dumps(before), unsafe=True).text)["widgets.example.com", "v1"]
    checker = StoredChecker(view_of(before, "v1"), after, (1, 33))
    found = checker.check(stored(status={"conditions": [{"type": "Ready", "status": "True"}]}))
    missing = ("lastTransitionTime", "message", "reason")
    assert {bad.path.rpartition(".")[2]: bad.writes for bad in found.refused} == dict.fromkeys(missing, (CHANGED,))


# What the CRD says beside its schema.


def test_a_view_of_a_version() -> None:
    made = kind(obj(), subresource=False, subresources={"scale": {"specReplicasPath": ".spec.replicas"}})
    view = view_of(made, "v1")
    assert (view.api_version, view.kind) == ("example.com/v1", "Widget")
    assert (view.has_status_subresource, view.preserves_unknown_fields) == (False, False)
    assert view.scale == Scale(".spec.replicas", "")


def test_a_view_of_an_obsolete_version() -> None:
    made = crd("widget", obj(a=TEXT))
    schema = made["spec"]["versions"].pop()["schema"]
    made["spec"] |= {"version": "v1", "versions": [], "validation": schema, "subresources": {"status": {}}}
    made["apiVersion"] = "apiextensions.k8s.io/v1beta1"
    del made["spec"]["versions"]
    view = view_of(made, "v1")
    assert (view.has_status_subresource, view.preserves_unknown_fields) == (True, True)
    assert verdict(made, {"spec": {"a": 1, "b": 2}}).refused[0].path == "spec.a"


# What cannot be judged at all.


def test_an_object_of_another_kind() -> None:
    other = StoredObject("objects.yaml", 7, {**widget(), "kind": "Gadget"})
    with pytest.raises(UsageError) as problem:
        StoredChecker(None, view_of(ATOMIC, "v1"), NEW).check(other)
    assert str(problem.value) == (
        "objects.yaml:7: Gadget default/one is of example.com/v1, not a Widget of example.com/v1"
    )


def test_a_schema_that_a_template_fills_in() -> None:
    text = fix_text(CHART).text
    with pytest.raises(UsageError, match="a template fills in the schema of v1"):
        views(text)


CHART = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            maxProperties: {{ .Values.max }}
"""

ANYTHING: tuple[Any, ...] = (None, True, 0, -1.5, "", "a" * 5_000_000, [], [[]], {}, {"": {}}, {"a": [None]})


@pytest.mark.parametrize("value", ANYTHING, ids=[type(value).__name__ for value in ANYTHING])
@pytest.mark.parametrize("part", ["spec", "status", "metadata"])
def test_values_of_any_type(part: str, value: Any) -> None:
    for kubernetes in (OLD, NEW):
        found = StoredChecker(view_of(ATOMIC, "v1"), view_of(MAPPED, "v1"), kubernetes).check(stored(**{part: value}))
        assert all(len(bad.message) < 300 for bad in found.refused)


def test_the_time_for_a_long_list_grows_with_its_length() -> None:
    """Twenty thousand items, compared with one another, would take minutes."""
    made = kind(obj(conditions=array(ITEM, **MAP)))
    begin = time.process_time()
    found = verdict(made, {"status": {"conditions": conditions(*[""] * 20_000)}})
    assert len(found.tolerated) == 20_000
    assert time.process_time() - begin < 30


def test_objects_as_deep_as_they_may_be() -> None:
    deep: Any = {}
    for _ in range(MAX_DEPTH // 2 - 1):
        deep = {"a": [deep]}
    opaque = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert verdict(kind(opaque), {"status": deep}) == Verdict((), (), ())
    assert verdict(kind(obj()), {"status": deep}).pruned == ("status.a",)
