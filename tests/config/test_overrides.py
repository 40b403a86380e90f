"""What a configuration says of some files, CRDs or versions only, of severities, and of generated files."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from crdlint.choices import Choices, linter_for
from crdlint.config.lookup import FILE_NAME, config_for, forget
from crdlint.findings import Applicability, Finding, Severity
from crdlint.runner import FileRun, Job
from crdlint.settings import GENERATOR_ANNOTATION, WRITES, Capi, Generated
from tests.cli.run import crdlint, here, report
from tests.texts import CLEAN, MANUAL, RULE, SAFE, TWO_SAFE, UNREADABLE, UNSAFE, WARNING, write

GENERATED = SAFE.replace("metadata:\n  name", f"metadata:\n  annotations:\n    {GENERATOR_ANNOTATION}: v0.16.1\n  name")
NONE = Choices()
WRITES_ALL = f"writes: [{', '.join(WRITES)}]"
TEMPLATE = SAFE.replace("kind: Widget\n", "kind: WidgetTemplate\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository, and the working folder."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    forget()
    return tmp_path


def configure(text: str) -> None:
    Path(FILE_NAME).write_text(text, "utf-8")
    forget()


def run(text: str, path: str = "a/x.yaml", choices: Choices = NONE, fixes: Applicability | None = None) -> FileRun:
    return Job(choices, fixes).run_bytes(path, text.encode())


def findings(text: str, path: str = "a/x.yaml", choices: Choices = NONE) -> list[Finding]:
    return run(text, path, choices).result.findings


def override(matchers: str, *others: str) -> str:
    """A configuration with an override that ignores the rule that is broken, and further ones."""
    return "overrides:\n" + "".join(f"- {{{one}}}\n" for one in (f"{matchers}, ignore: [{RULE}]", *others))


# What an override speaks of


@pytest.mark.parametrize(
    ("matchers", "applies"),
    [
        ("paths: [a/]", True),
        ("paths: [/x.yaml]", False),
        ("paths: ['*.yaml', '!a/*']", False),
        ("paths: [b/, x.yaml]", True),
        ("crds: [widgets.example.com]", True),
        ("crds: ['*.example.com']", True),
        ("crds: [widgets]", False),
        ("groups: [example.com]", True),
        ("groups: [other.com, 'ex*']", True),
        ("groups: [EXAMPLE.com]", False),
        ("kinds: [Widget]", True),
        ("kinds: ['Gadg*', 'W?dget']", True),
        ("kinds: [widget]", False),
        ("versions: [v1]", True),
        ("versions: ['v2*']", False),
        ("kinds: [Widget], versions: [v1], paths: [a/], groups: ['*'], crds: ['*']", True),
        ("kinds: [Widget], versions: [v2]", False),
        ("kinds: [Widget], paths: [b/]", False),
    ],
)
def test_all_matchers_that_are_given_must_match(matchers: str, applies: bool) -> None:
    configure(override(matchers))
    assert [finding.rule for finding in findings(SAFE)] == ([] if applies else [RULE])


def test_a_version_may_be_judged_otherwise_than_its_neighbour() -> None:
    configure(override("versions: [v1beta1]"))
    [finding] = findings(TWO_SAFE)
    assert finding.version == "v1"
    # A default goes into all versions or none.
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.MANUAL
    assert any("v1beta1" in reason for reason in finding.fix.reasons)


def test_patterns_of_paths_are_relative_to_the_configuration(folder: Path) -> None:
    write(folder, {"sub/" + FILE_NAME: override("paths: [/a/]")})
    assert findings(SAFE, "sub/a/x.yaml") == []
    assert findings(SAFE, str(folder / "sub/a/x.yaml")) == []
    assert len(findings(SAFE, "sub/b/a/x.yaml")) == 1


# What it changes


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (override("kinds: [Widget]", f"kinds: [Widget], select: [{RULE}]"), [RULE]),
        (override("kinds: [Widget]", f"versions: [v1], select: [{RULE}], ignore: [core]"), []),
        (f"overrides:\n- {{kinds: [Widget], select: [{RULE}]}}\n- {{paths: [a/], ignore: [core]}}\n", []),
        (f"overrides:\n- {{paths: [a/], ignore: [core]}}\n- {{kinds: [Widget], select: [{RULE}]}}\n", [RULE]),
        (f"ignore: [{RULE}]\noverrides: [{{kinds: [Widget], select: [{RULE}]}}]\n", [RULE]),
        (f"select: [pruned-status]\noverrides: [{{kinds: [Widget], select: [{RULE}]}}]\n", [RULE]),
        ("overrides: [{kinds: [Widget], select: []}]\n", []),
        ("overrides: [{kinds: [Widget], stateless: true}]\n", []),
        ("overrides: [{kinds: [Widget], stateless: true}, {paths: [a/], stateless: false}]\n", [RULE]),
        ("stateless: [Widget]\noverrides: [{kinds: [Widget], stateless: false}]\n", [RULE]),
    ],
)
def test_the_later_override_wins(config: str, expected: list[str]) -> None:
    configure(config)
    assert [finding.rule for finding in findings(SAFE)] == expected


def test_a_template_can_be_declared_to_have_a_controller() -> None:
    assert findings(TEMPLATE) == []
    configure("overrides: [{kinds: ['*Template'], stateless: false}]\n")
    assert [finding.rule for finding in findings(TEMPLATE)] == [RULE]


@pytest.mark.parametrize(
    ("said", "choices", "expected"),
    [
        ("select: [pruned-status]", Choices(select=(RULE,)), [RULE]),
        ("select: [pruned-status]", Choices(select=("core",)), [RULE]),
        ("select: [pruned-status]", Choices(), []),
        (f"select: [{RULE}]", Choices(select=("pruned-status",)), []),
        (f"select: [{RULE}]", Choices(ignore=(RULE,)), []),
        (f"select: [{RULE}]", Choices(select=(RULE,), ignore=(RULE,)), []),
        (f"ignore: [{RULE}]", Choices(select=(RULE,)), []),
    ],
)
def test_the_command_line_wins_over_selections_in_overrides(said: str, choices: Choices, expected: list[str]) -> None:
    configure(f"overrides: [{{kinds: [Widget], {said}}}]\n")
    assert [finding.rule for finding in findings(SAFE, choices=choices)] == expected


@pytest.mark.parametrize(
    ("config", "applicability"),
    [
        ("overrides: [{kinds: [Widget], controllers: {declared: unproven}}]\n", "unsafe"),
        ("overrides: [{kinds: [Gadget], controllers: {declared: unproven}}]\n", "safe"),
        ("controllers: {declared: unproven}\noverrides: [{paths: [a/], controllers: {declared: written}}]\n", "safe"),
        (
            "controllers: {crds: {widgets.example.com: {declared: unproven}}}\n"
            "overrides: [{crds: ['widgets*'], controllers: {declared: written}}]\n",
            "safe",
        ),
        (
            f"controllers: {{declared: unproven}}\noverrides: [{{kinds: [Widget], controllers: {{{WRITES_ALL}}}}}]\n",
            "safe",
        ),
        (
            f"overrides: [{{kinds: [Widget], controllers: {{{WRITES_ALL}}}}}, "
            "{versions: [v1]}, {kinds: [W*], controllers: {declared: unproven}}]\n",
            "safe",
        ),
    ],
)
def test_what_is_known_of_controllers_may_be_otherwise(config: str, applicability: str) -> None:
    configure(config)
    [finding] = findings(SAFE)
    assert finding.fix is not None
    assert finding.fix.applicability.value == applicability


def test_rules_on_whole_files_listen_to_overrides_of_paths_only() -> None:
    configure("overrides: [{kinds: ['*'], ignore: [unreadable-file]}]\n")
    assert [finding.rule for finding in findings(UNREADABLE)] == ["unreadable-file"]
    configure("overrides: [{paths: [a/], severity: {unreadable-file: info}}]\n")
    assert [finding.severity for finding in findings(UNREADABLE)] == [Severity.INFO]
    configure("overrides: [{paths: [a/], ignore: [unreadable-file]}]\n")
    assert findings(UNREADABLE) == []


@pytest.mark.parametrize("ignore", ["comment", "annotation"])
@pytest.mark.parametrize(
    ("config", "unused"),
    [
        ("", True),
        ("overrides: [{kinds: [Widget], ignore: [pruned-status]}]\n", False),
        ("overrides: [{kinds: [Widget], versions: [v1beta1], ignore: [pruned-status]}]\n", True),
        ("overrides: [{versions: ['*'], ignore: [pruned-status]}]\n", False),
        ("ignore: [pruned-status]\noverrides: [{kinds: [Gadget], select: [core]}]\n", False),
        ("ignore: [pruned-status]\noverrides: [{kinds: [Widget], select: [core]}]\n", True),
        ("overrides: [{paths: [a/], ignore: [unused-ignore]}]\n", False),
    ],
)
def test_an_ignore_is_unused_only_where_its_rule_is_used(ignore: str, config: str, unused: bool) -> None:
    configure(config)
    text = CLEAN.replace("scope: Namespaced", "scope: Namespaced  # crdlint: ignore[pruned-status]")
    if ignore == "annotation":
        text = CLEAN.replace("metadata:\n", "metadata:\n  annotations: {crdlint/ignore: pruned-status}\n", 1)
    assert [finding.rule for finding in findings(text)] == (["unused-ignore"] if unused else [])


# Severities and packs


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (f"severity: {{{RULE}: info}}\n", Severity.INFO),
        ("severity: {core: warning}\n", Severity.WARNING),
        (f"severity: {{{RULE}: info, core: warning}}\n", Severity.INFO),
        (f"severity: {{core: warning, {RULE}: info}}\n", Severity.INFO),
        (
            f"severity: {{{RULE}: info}}\noverrides: [{{kinds: [Widget], severity: {{core: warning}}}}]\n",
            Severity.WARNING,
        ),
        (
            f"overrides: [{{kinds: [W*], severity: {{{RULE}: info}}}}, {{paths: [b/], severity: {{core: warning}}}}]\n",
            Severity.INFO,
        ),
        (f"overrides: [{{versions: [v2], severity: {{{RULE}: info}}}}]\n", Severity.ERROR),
    ],
)
def test_the_severity_of_findings_is_replaced(config: str, expected: Severity) -> None:
    configure(config)
    assert [finding.severity for finding in findings(SAFE)] == [expected]


def test_a_severity_that_a_check_chose_is_replaced_too() -> None:
    """The rule is a warning, and an error where status has a default."""
    own = ("observedGeneration:", "  format: int64", "  minimum: 0", "  type: integer")
    text = CLEAN.replace("".join(f"{'':20}{line}\n" for line in own), "")
    rule = "condition-observed-generation"
    assert {finding.rule: finding.severity for finding in findings(text)}[rule] is Severity.ERROR
    configure(f"severity: {{{rule}: info}}\n")
    assert {finding.rule: finding.severity for finding in findings(text)}[rule] is Severity.INFO


def test_severities_decide_about_the_exit_code(folder: Path) -> None:
    write(folder, {"w.yaml": WARNING})
    assert here(folder, "check", "w.yaml")[0] == 1
    configure("severity: {core: info}\n")
    assert here(folder, "check", "w.yaml")[0] == 0
    assert here(folder, "check", "w.yaml", "--fail-on", "info")[0] == 1


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("packs: [core]\n", [RULE]),
        ("packs: []\n", []),
        ("packs: []\nselect: [core]\n", [RULE]),
        ("packs: [custom]\nrules: [own]\n", ["own-rule"]),
        ("packs: [core, custom]\nrules: [own]\n", [RULE, "own-rule"]),
        ("rules: [own]\n", [RULE, "own-rule"]),
        ("packs: [core, custom]\nrules: [own]\nignore: [core]\n", ["own-rule"]),
    ],
)
def test_packs_are_chosen(folder: Path, config: str, expected: list[str]) -> None:
    own = "id: own-rule\nsummary: s\nseverity: error\nscope: crd\nwhy: w\nschema: false\n"
    write(folder, {"own/r.yaml": own})
    configure(config)
    assert sorted(finding.rule for finding in findings(SAFE)) == expected


def test_contracts_of_the_cluster_api_are_settings() -> None:
    configure("capi: {contract: v1beta1, groups: ['*.example.com'], kinds: {B: none, A: ControlPlane}}\n")
    capi = linter_for("x.yaml", Choices()).settings.capi
    assert capi == Capi("v1beta1", ("*.example.com",), (("A", "ControlPlane"), ("B", "none")))
    configure("capi: {groups: [a]}\n")
    assert linter_for("x.yaml", Choices()).settings.capi == Capi(groups=("a",))


# Generated files


@pytest.mark.parametrize("allowed", [Applicability.SAFE, Applicability.UNSAFE])
def test_generated_crds_are_fixed_by_default(allowed: Applicability) -> None:
    for config in ("", "generated: fix\n"):
        configure(config)
        done = run(GENERATED, fixes=allowed)
        assert (done.result.findings, [finding.rule for finding in done.applied]) == ([], [RULE])


@pytest.mark.parametrize("config", ["generated: warn\n", "overrides: [{paths: [a/], generated: warn}]\n"])
def test_generated_crds_are_only_reported(config: str) -> None:
    configure(config)
    for fixes in (None, Applicability.SAFE, Applicability.UNSAFE):
        done = run(GENERATED, fixes=fixes)
        assert done.before == done.after
        assert done.applied == []
        [finding] = done.result.findings
        assert finding.fix is not None
        assert finding.fix.applicability is Applicability.SAFE
        assert "`generated: warn`" in (finding.fix.refused or "")
    assert run(SAFE, fixes=Applicability.SAFE).result.findings == []


def test_every_fix_of_a_generated_crd_says_why_it_is_refused() -> None:
    """Also one that rests on another: `UNSAFE` lacks the subresource and the default."""
    configure("generated: warn\n")
    text = UNSAFE.replace("metadata:\n", f"metadata:\n  annotations:\n    {GENERATOR_ANNOTATION}: v1\n", 1)
    for fixes in (None, Applicability.UNSAFE):
        found = run(text, fixes=fixes).result.findings
        assert len(found) > 1
        assert all("`generated: warn`" in (finding.fix.refused or "") for finding in found if finding.fix)


def test_a_fix_that_nobody_can_make_is_not_refused() -> None:
    configure("generated: warn\n")
    text = MANUAL.replace("metadata:\n", f"metadata:\n  annotations:\n    {GENERATOR_ANNOTATION}: v1\n", 1)
    found = run(text, fixes=Applicability.UNSAFE).result.findings
    assert found
    assert all(finding.fix and finding.fix.refused is None for finding in found)


def test_the_exit_code_says_what_remains(folder: Path) -> None:
    configure("generated: warn\n")
    write(folder, {"g.yaml": GENERATED})
    assert here(folder, "check", "--fix", "g.yaml")[0] == 1
    assert here(folder, "check", "--diff", "g.yaml")[0] == 1
    assert here(folder, "check", "--fix", "g.yaml", "--ignore", RULE)[0] == 0
    assert (folder / "g.yaml").read_text() == GENERATED
    assert b"fixable with" not in crdlint(folder, "check", "g.yaml").stdout


@pytest.mark.parametrize("config", ["generated: skip\n", "overrides: [{paths: [a/], generated: skip}]\n"])
def test_generated_crds_are_passed_over(folder: Path, config: str) -> None:
    configure(config)
    write(folder, {"a/g.yaml": GENERATED, "a/x.yaml": WARNING})
    done = run(GENERATED, fixes=Applicability.UNSAFE)
    assert (done.before, done.result.findings, done.result.has_crd) == (done.after, [], False)
    summary = report(folder, "check")["summary"]
    assert (summary["files"], summary["skipped"], summary["crds"], summary["warnings"]) == (1, 1 + 1, 1, 1)


def test_what_stands_beside_a_generated_crd_is_checked(folder: Path) -> None:
    """And fixed: a bundle, or what a cluster has, holds both."""
    note = "  # crdlint: ignore[pruned-status]"
    both = GENERATED.replace("scope: Namespaced", "scope: Namespaced" + note) + "---\n" + SAFE
    configure("generated: skip\n")
    done = run(both, fixes=Applicability.SAFE)
    assert done.result.findings == []
    assert done.after.decode() == both.removesuffix(SAFE) + CLEAN
    configure("generated: warn\n")
    done = run(both, fixes=Applicability.SAFE)
    assert [finding.rule for finding in done.result.findings] == ["unused-ignore", RULE]
    assert done.after.decode() == both.removesuffix(SAFE) + CLEAN


def test_the_later_word_on_generated_files_counts() -> None:
    configure("generated: skip\noverrides: [{paths: [a/], generated: warn}, {paths: [a/b/], generated: fix}]\n")
    policies = [linter_for(path, Choices()).settings.generated_policy() for path in ("x", "a/x", "a/b/x")]
    assert policies == [Generated.SKIP, Generated.WARN, Generated.FIX]


# Plain data

EVERYTHING = """\
packs: [core]
select: [core]
ignore: [pruned-status, missing-conditions]
severity: {core: info, pruned-status: error}
exclude: [a, b]
stateless: [A, B, C, D]
conditionTypes: [X]
controllers: {writes: [status-endpoint, status.observedGeneration], crds: {b: {}, a: {writes: []}}}
capi: {contract: v1beta1, kinds: {B: none, A: none}}
generated: warn
overrides:
- {paths: [x], select: [core], severity: {core: info}, generated: skip}
- {kinds: [A], stateless: true, controllers: {writes: [status-endpoint, conditions.observedGeneration]}}
"""


def test_configurations_and_settings_are_plain_data(folder: Path) -> None:
    configure(EVERYTHING)
    for value in (config_for("x"), linter_for("x", Choices()).settings):
        copy = pickle.loads(pickle.dumps(value))
        assert (copy, hash(copy)) == (value, hash(value))


def test_the_order_of_keys_says_nothing(folder: Path) -> None:
    configure(EVERYTHING)
    first = config_for("x")
    configure(
        EVERYTHING.replace("{core: info, pruned-status: error}", "{pruned-status: error, core: info}")
        .replace("{b: {}, a: {writes: []}}", "{a: {writes: []}, b: {}}")
        .replace("{B: none, A: none}", "{A: none, B: none}")
        .replace("[A, B, C, D]", "[D, C, B, A]")
    )
    assert repr(config_for("x").severity) == repr(first.severity)
    assert config_for("x") == first
