"""Rules of users' own: data only, checked before they are used."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from crdlint.choices import Choices, forget
from crdlint.errors import UsageError
from crdlint.findings import Applicability, Finding
from crdlint.rules.user import load_rules
from crdlint.runner import FileRun, Job
from tests.texts import CLEAN, OTHER, TWO_CLEAN, write

HEAD = "summary: something is not as we want it\nseverity: warning\nwhy: because we want it so\n"


def rule(text: str, name: str = "own-rule", scope: str = "status") -> str:
    return f"id: {name}\nscope: {scope}\n{HEAD}{text}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    forget()
    return tmp_path


def run(folder: Path, text: str, fixes: Applicability | None = None, **choices: Any) -> FileRun:
    return Job(Choices(rules=(str(folder),), **choices), fixes).run_bytes("x.yaml", text.encode())


def found(folder: Path, text: str = CLEAN, **choices: Any) -> list[Finding]:
    return run(folder, text, **choices).result.findings


# What they judge


@pytest.mark.parametrize(
    ("scope", "schema", "pointer", "line", "version"),
    [
        ("crd", "{properties: {spec: {properties: {scope: {const: Cluster}}}}}", "/spec/scope", 13, None),
        ("crd", "{properties: {metadata: {required: [labels]}}}", "/metadata", 4, None),
        ("version", "{required: [additionalPrinterColumns]}", "/spec/versions/0", 15, "v1"),
        ("version", "{properties: {served: {const: false}}}", "/spec/versions/0/served", 83, "v1"),
        ("status", "{required: [description]}", "/spec/versions/0/schema/openAPIV3Schema/properties/status", 33, "v1"),
        (
            "status",
            "{properties: {properties: {propertyNames: {pattern: '^[a-o]'}}}}",
            "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties",
            36,
            "v1",
        ),
        (
            "conditions",
            "{properties: {maxItems: true}, required: [maxItems]}",
            "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/conditions",
            37,
            "v1",
        ),
        ("version", "false", "/spec/versions/0", 15, "v1"),
    ],
)
def test_a_schema_judges_its_scope(
    folder: Path, scope: str, schema: str, pointer: str, line: int, version: str | None
) -> None:
    write(folder, {"r.yaml": rule(f"schema: {schema}\n", scope=scope)})
    [finding] = found(folder)
    assert (finding.rule, finding.pointer, finding.version) == ("own-rule", pointer, version)
    assert finding.line == line
    assert finding.severity.value == "warning"
    assert finding.message.startswith("something is not as we want it (")


def test_what_satisfies_the_schema_is_no_finding(folder: Path) -> None:
    write(folder, {"r.yaml": rule("schema: {required: [properties]}\n"), "notes.md": "no rule"})
    assert found(folder) == []
    assert found(folder, OTHER) == []


def test_each_version_is_judged_but_a_crd_once(folder: Path) -> None:
    write(
        folder,
        {
            "a.yaml": rule("schema: false\n", "of-status"),
            "b.json": '{"id": "of-crd", "scope": "crd", "summary": "s", "severity": "info", "why": "w", '
            '"schema": false}',
        },
    )
    assert sorted((one.rule, one.version) for one in found(folder, TWO_CLEAN)) == [
        ("of-crd", None),
        ("of-status", "v1"),
        ("of-status", "v1beta1"),
    ]


def test_a_message_of_its_own(folder: Path) -> None:
    write(folder, {"r.yaml": rule("schema: false\nmessage: say this\nmarker: +own:marker\n")})
    [finding] = found(folder)
    assert (finding.message, finding.marker) == ("say this", "+own:marker")


def test_a_long_detail_is_cut(folder: Path) -> None:
    write(folder, {"r.yaml": rule("schema: {anyOf: [false]}\n", scope="crd")})
    assert len(found(folder)[0].message) < 300


def test_what_a_template_fills_in_violates_nothing(folder: Path) -> None:
    write(folder, {"r.yaml": rule("schema: {properties: {description: {const: x}}}\n")})
    described = CLEAN.replace(
        "            default:\n", "            description: {{ .Values.text }}\n            default:\n"
    )
    assert described != CLEAN
    assert found(folder, described) == []
    assert len(found(folder, described.replace("{{ .Values.text }}", "y"))) == 1


def test_packs_are_chosen_like_rules(folder: Path) -> None:
    write(folder, {"a.yaml": rule("schema: false\n", "one"), "b.yaml": rule("schema: false\npack: ours\n", "two")})
    for select, ignore, expected in (
        (None, (), ["one", "two"]),
        (("custom",), (), ["one"]),
        (("ours",), (), ["two"]),
        (("two", "custom"), ("one",), ["two"]),
        (None, ("ours",), ["one"]),
        (("core",), (), []),
    ):
        assert [one.rule for one in found(folder, select=select, ignore=ignore)] == expected


def test_the_same_folder_twice_is_one(folder: Path) -> None:
    write(folder, {"r/r.yaml": rule("schema: false\n"), "c.yaml": "rules: [r, ./r]\n"})
    choices = Choices(config=str(folder / "c.yaml"), rules=(str(folder / "r"),))
    assert len(Job(choices).run_bytes("x.yaml", CLEAN.encode()).result.findings) == 1


# Their fixes

FIX = """\
schema: {required: [description]}
fix:
  applicability: safe
  title: describe it
  operations:
  - {op: add, path: /description, value: What was seen.}
  - {op: merge, path: /properties/phase, value: {description: The phase.}}
"""


def test_a_safe_fix_is_made(folder: Path) -> None:
    write(folder, {"r.yaml": rule(FIX)})
    assert found(folder)[0].fix is not None
    done = run(folder, TWO_CLEAN, Applicability.SAFE)
    assert done.result.findings == []
    assert [finding.version for finding in done.applied] == ["v1beta1", "v1"]
    phase = "              phase:\n"
    assert done.after.decode() == TWO_CLEAN.replace(
        "            properties:\n              conditions:\n",
        "            description: What was seen.\n            properties:\n              conditions:\n",
    ).replace(phase, phase + "                description: The phase.\n")


@pytest.mark.parametrize(
    ("applicability", "allowed"), [("unsafe", Applicability.SAFE), ("manual", Applicability.UNSAFE)]
)
def test_other_fixes_are_not_made_unasked(folder: Path, applicability: str, allowed: Applicability) -> None:
    text = rule(FIX.replace("safe", applicability) + "  reasons: [somebody has to look]\n")
    write(folder, {"r.yaml": text})
    done = run(folder, CLEAN, allowed)
    assert done.after.decode() == CLEAN
    [finding] = done.result.findings
    assert finding.fix is not None
    assert (finding.fix.applicability.value, finding.fix.reasons) == (applicability, ("somebody has to look",))


def test_a_fix_that_cures_nothing_does_not_keep_others_back(folder: Path) -> None:
    idle = FIX.replace("[description]", "[title]")
    write(folder, {"r.yaml": rule(idle), "s.yaml": rule(FIX.replace("description", "example"), "other")})
    done = run(folder, CLEAN, Applicability.SAFE)
    assert [finding.rule for finding in done.applied] == ["other"]
    [finding] = done.result.findings
    assert finding.fix is not None
    assert finding.fix.refused == "the fix would change nothing in the text"


# What is wrong with them


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("", "1:1", "the file holds no rule"),
        ("[]\n", "1:1", "[] is not of type 'object'"),
        ("id: [\n", "2:1", "cannot be read: "),
        ("id: a\n---\nid: b\n", "2:1", "a second document"),
        (b"id: \xff\n", "1:5", "cannot be read: byte 0xff is not UTF-8"),
        ("id: a\nid: a\n", "2:1", "cannot be read: "),
        ("id: own\n", "1:1", "'summary' is a required property"),
        (rule("schema: {}\nseverty: error\n"), "7:1", "unknown key 'severty'; did you mean 'severity'?"),
        (rule("schema: {}\n").replace("warning", "fatal"), "4:1", "'fatal' is not one of ['error', 'warning', 'info']"),
        (rule("schema: {}\n", "Own_Rule"), "1:1", "'Own_Rule' does not match"),
        (rule("schema: {}\n", scope="statuses"), "2:1", "'statuses' is not one of"),
        (rule("schema: {}\n", scope="file"), "2:1", "a scope of crd, version, status, conditions"),
        (rule("check: pruned_status\n"), "6:1", "a rule of your own has a `schema`"),
        (rule(""), "1:1", "a rule of your own needs a `schema`"),
        (rule("schema: {type: strng}\n"), "6:10", "'strng' is not valid under any of the given schemas"),
        (rule("schema: {pattern: '('}\n"), "6:10", "'(' is not a 'regex'"),
        (rule("schema:\n  allOf:\n  - $ref: https://example.com/x.json\n"), "8:5", "nothing is ever fetched"),
        (rule("schema: {$ref: file:///etc/passwd}\n"), "6:10", "nothing is ever fetched"),
        (rule("schema: {$ref: other.json#/x}\n"), "6:10", "nothing is ever fetched"),
        (rule("schema: {$dynamicRef: https://example.com}\n"), "6:10", "nothing is ever fetched"),
        (rule("schema: {enum: [{$ref: 'https://example.com'}], $ref: '#/enum/0'}\n"), "6:49", "leads nowhere"),
        (rule("schema: {$ref: '#/$defs/x', $defs: {y: {}}}\n"), "6:10", "`$ref` leads nowhere: there is no #/$defs/x"),
        (rule("schema: {$ref: '#'}\n"), "6:1", "refers to itself without end"),
        (rule("schema: {$id: 'https://example.com', type: object}\n"), "6:10", "`$id` has no use in a rule"),
        (rule("schema: {patternProperties: {a: {}}}\n"), "6:10", "`patternProperties` is not supported"),
        (
            rule("schema: {}\nfix: {applicability: safe, title: t, operations: [{op: drop, path: /x}]}\n"),
            "7:52",
            "'drop'",
        ),
        (rule("schema: {}\nfix: {applicability: unsafe, title: t}\n"), "7:1", "'reasons' is a required property"),
        (rule("schema: {}\nfix: {applicability: safe, title: t, path: /x}\n"), "7:38", "unknown key 'path'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(folder: Path, text: str | bytes, place: str, told: str) -> None:
    write(folder, {"r.yaml": text})
    with pytest.raises(UsageError) as wrong:
        load_rules(folder, frozenset())
    message = str(wrong.value)
    assert message.startswith(f"{folder}/r.yaml:{place}: "), message
    assert told in message


@pytest.mark.parametrize(
    "schema",
    [
        "{properties: {$ref: false, $id: {}, patternProperties: true}}",
        "{const: {$ref: x}}",
        "{$ref: '#/$defs/a~1b', $defs: {a/b: {}}}",
        "{allOf: [{}, {$ref: '#/allOf/0'}]}",
        "{$schema: 'http://json-schema.org/draft-04/schema#'}",
    ],
)
def test_what_only_looks_wrong_is_accepted(folder: Path, schema: str) -> None:
    write(folder, {"r.yaml": rule(f"schema: {schema}\n")})
    found(folder)


def test_a_schema_may_follow_the_nesting_of_what_it_judges(folder: Path) -> None:
    schema = "{properties: {properties: {additionalProperties: {$ref: '#'}}}, required: [type]}"
    write(folder, {"r.yaml": rule(f"schema: {schema}\n")})
    assert found(folder) == []


@pytest.mark.parametrize("taken", [frozenset({"own-rule"}), frozenset()])
def test_an_id_is_taken_once(folder: Path, taken: frozenset[str]) -> None:
    write(folder, {"a.yaml": rule("schema: {}\n"), "b.yaml": rule("schema: {}\n")})
    with pytest.raises(
        UsageError, match=r"[ab]\.yaml:1:1: there is a rule 'own-rule' already: give it an id of its own"
    ):
        load_rules(folder, taken)


def test_a_core_rule_is_not_replaced(folder: Path) -> None:
    write(folder, {"a.yaml": rule("schema: {}\n", "pruned-status")})
    with pytest.raises(UsageError, match="there is a rule 'pruned-status' already"):
        found(folder)


def test_a_folder_has_to_hold_rules(folder: Path) -> None:
    with pytest.raises(UsageError, match="the folder holds no rule"):
        load_rules(folder, frozenset())
    with pytest.raises(UsageError, match="gone: the folder with rules cannot be read: No such file"):
        load_rules(folder / "gone", frozenset())
    write(folder, {"r.yaml/x": ""})
    with pytest.raises(UsageError, match=r"r\.yaml: cannot be read: Is a directory"):
        load_rules(folder, frozenset())


# Patterns

CATASTROPHE = r"'^(\w|\w\w|\w\w\w|\w\w\w\w)+\s'"


def test_a_pattern_that_hangs_ends_the_run_within_seconds(folder: Path) -> None:
    write(folder, {"r.yaml": rule(f"schema: {{properties: {{kind: {{pattern: {CATASTROPHE}}}}}}}\n", scope="crd")})
    began = time.monotonic()
    with pytest.raises(
        UsageError, match=r"rule own-rule: the pattern .* ran for more than 0\.5 s on one text: write it"
    ):
        found(folder)
    assert time.monotonic() - began < 20


def test_many_slow_searches_end_the_run_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crdlint.rules.patterns.SLOW_SEARCH", 0)
    monkeypatch.setattr("crdlint.rules.patterns.SLOW_SECONDS", 0)
    write(folder, {"r.yaml": rule("schema: {properties: {kind: {pattern: x}}}\n", scope="crd")})
    with pytest.raises(UsageError, match="ran for more than 0 s on a few texts"):
        found(folder)


def test_patterns_mean_what_they_mean(folder: Path) -> None:
    for pattern, matches in (("^Custom", True), ("Definition$", True), ("esource", True), ("^esource", False)):
        forget()
        write(folder, {"r.yaml": rule(f"schema: {{properties: {{kind: {{pattern: {pattern}}}}}}}\n", scope="crd")})
        assert (found(folder) == []) is matches
