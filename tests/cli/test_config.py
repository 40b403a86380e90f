"""``crdlint config show``: what applies to a file, and where it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crdlint.choices import Choices, forget, linter_for
from crdlint.config.lookup import FILE_NAME
from crdlint.rules.catalogue import core_rules
from crdlint.rules.rule import OPTIONAL_PACKS
from tests.cli.run import crdlint, here
from tests.texts import OTHER, RULE, SAFE, TWO_SAFE, UNREADABLE, write

CONFIG = """\
ignore: [pruned-status, missing-conditions]
severity:
  core: warning
  rejected-default: info
exclude:
- '*.yaml'
- '!/a/x.yaml'
- b/
stateless: [Widget]
controllers:
  writes: [status-endpoint]
  crds:
    widgets.example.com: {declared: unproven}
overrides:
- paths: [a/]
  generated: skip
  select: [core]
- kinds: [Widget]
  versions: [v1beta1]
  ignore: [missing-observed-generation-default]
- crds: ['*.example.com']
  stateless: false
  severity: {core: error}
"""
GENERATED = TWO_SAFE.replace(
    "metadata:\n  name", "metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.16.1\n  name"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write(tmp_path, {"a/x.yaml": GENERATED, "b/x.yaml": SAFE, "other.yaml": OTHER, FILE_NAME: CONFIG})
    return tmp_path


def shown(folder: Path, *arguments: str) -> Any:
    code, out = here(folder, "config", "show", *arguments, "--format", "json")
    assert code == 0
    return json.loads(out)


def test_every_setting_has_its_source(folder: Path) -> None:
    told = shown(folder, "a/x.yaml")
    assert (told["format"], told["path"], told["config"]) == ("crdlint-config/v1", "a/x.yaml", FILE_NAME)
    sources = {key: setting["source"] for key, setting in told["settings"].items()}
    assert sources == {
        "packs": "default",
        "select": "default",
        "ignore": ".crdlint.yaml:1:1",
        "severity": ".crdlint.yaml:2:1",
        "exclude": ".crdlint.yaml:5:1",
        "rules": "default",
        "stateless": ".crdlint.yaml:9:1",
        "conditionTypes": "default",
        "conditionMeanings": "default",
        "controllers.writes": ".crdlint.yaml:11:3",
        "controllers.declared": "default",
        "capi.contract": "default",
        "capi.groups": "default",
        "capi.kinds": "default",
        "generated": ".crdlint.yaml:16:3",
    }
    assert told["settings"]["generated"]["value"] == "skip"
    assert told["settings"]["controllers.writes"]["value"] == ["status-endpoint"]
    assert told["overrides"] == [{"matchers": {"paths": ["a/"]}, "source": ".crdlint.yaml:15:3"}]
    assert told["generators"] == ["v0.16.1"]


def test_rules_are_told_where_they_differ(folder: Path) -> None:
    rules = {rule["rule"]: rule for rule in shown(folder, "b/x.yaml")["rules"]}
    assert rules["pruned-status"] == {
        "rule": "pruned-status",
        "used": False,
        "usedSource": ".crdlint.yaml:1:10",
        "severity": "warning",
        "severitySource": ".crdlint.yaml:3:3",
    }
    assert rules["missing-conditions"]["usedSource"] == ".crdlint.yaml:1:25"
    assert (rules[RULE]["used"], rules[RULE]["usedSource"]) == (True, "default")
    assert rules["rejected-default"]["severity"] == "info"
    assert rules["rejected-default"]["severitySource"] == ".crdlint.yaml:4:3"
    # Selected again in a/.
    again = {rule["rule"]: rule for rule in shown(folder, "a/x.yaml")["rules"]}
    assert (again["pruned-status"]["used"], again["pruned-status"]["usedSource"]) == (True, ".crdlint.yaml:17:12")


def test_versions_are_told_where_they_differ(folder: Path) -> None:
    old, new = shown(folder, "a/x.yaml")["versions"]
    assert [one["version"] for one in (old, new)] == ["v1beta1", "v1"]
    assert [one["source"] for one in old["overrides"]] == [".crdlint.yaml:18:3", ".crdlint.yaml:21:3"]
    assert [one["source"] for one in new["overrides"]] == [".crdlint.yaml:21:3"]
    assert new["settings"] == {
        "stateless": {"value": False, "source": ".crdlint.yaml:22:3"},
        "controllers.writes": {"value": ["status-endpoint"], "source": ".crdlint.yaml:11:3"},
        "controllers.declared": {"value": "unproven", "source": ".crdlint.yaml:13:27"},
    }
    [changed] = [rule for rule in old["rules"] if not rule["used"]]
    assert (changed["rule"], changed["usedSource"]) == (RULE, ".crdlint.yaml:20:12")
    assert {rule["severitySource"] for rule in new["rules"]} == {".crdlint.yaml:23:14"}


@pytest.mark.parametrize(
    ("path", "excluded"),
    [
        ("a/x.yaml", None),
        ("a", None),
        ("b/x.yaml", {"pattern": "*.yaml", "source": ".crdlint.yaml:6:3"}),
        ("b", {"pattern": "b/", "source": ".crdlint.yaml:8:3"}),
        ("other.yaml", {"pattern": "*.yaml", "source": ".crdlint.yaml:6:3"}),
    ],
)
def test_the_pattern_that_excludes_is_named(folder: Path, path: str, excluded: Any) -> None:
    assert shown(folder, path)["excluded"] == excluded


@pytest.mark.parametrize(
    "text", [UNREADABLE, "kind: CustomResourceDefinition\n\tx: [", "CustomResourceDefinition: \x07\n"]
)
def test_of_a_file_that_cannot_be_read_all_else_is_told(folder: Path, text: str) -> None:
    write(folder, {"b/x.yaml": text})
    told = shown(folder, "b/x.yaml")
    assert told["unreadable"]
    assert told["excluded"] == {"pattern": "*.yaml", "source": ".crdlint.yaml:6:3"}
    assert told["settings"]["stateless"]["value"] == ["Widget"]
    assert (told["generators"], told["versions"]) == ([], [])
    code, out = here(folder, "config", "show", "b/x.yaml")
    assert code == 0
    assert f"  unreadable     what applies to its CRDs cannot be told: {told['unreadable']}\n" in out
    assert "generated  " not in out.partition("Settings")[0]
    assert shown(folder, "a/x.yaml")["unreadable"] is None


def test_sources_are_seen_from_the_working_folder(folder: Path) -> None:
    told = shown(folder / "a", "x.yaml")
    assert (told["path"], told["config"]) == ("x.yaml", "../.crdlint.yaml")
    assert told["settings"]["generated"]["source"] == "../.crdlint.yaml:16:3"


def test_without_a_configuration_all_is_by_default(folder: Path) -> None:
    (folder / FILE_NAME).unlink()
    told = shown(folder, "a/x.yaml")
    assert told["config"] is None
    assert {setting["source"] for setting in told["settings"].values()} == {"default"}
    assert told["rules"] == told["overrides"] == []
    assert all(version["rules"] == [] for version in told["versions"])
    assert set(told["settings"]["packs"]["value"]) == {rule.pack for rule in core_rules()} - OPTIONAL_PACKS


def test_a_template_is_stateless_by_its_name(folder: Path) -> None:
    (folder / FILE_NAME).unlink()
    write(folder, {"t.yaml": SAFE.replace("kind: Widget\n", "kind: WidgetTemplate\n")})
    [version] = shown(folder, "t.yaml")["versions"]
    assert version["settings"]["stateless"] == {"value": True, "source": "the kind ends in Template"}
    assert "stateless  true  the kind ends in Template" in here(folder, "config", "show", "t.yaml")[1]


@pytest.mark.parametrize(
    "text",
    [
        CONFIG,
        "packs: [core]\n",
        "packs: []\nignore: [core]\n",
        f"select: [{RULE}, pruned-status]\nignore: [pruned-status]\n",
        "ignore: [core]\noverrides: [{paths: [a/], select: [pruned-status]}, {paths: [a/], ignore: [pruned-status]}]\n",
        "select: []\noverrides: [{versions: [v1], select: [core], ignore: [pruned-status]}]\n",
    ],
)
def test_what_is_said_to_decide_does(folder: Path, text: str) -> None:
    """A rule is used by a list of selections, or of packs, that names it, and not by one that does not."""
    write(folder, {FILE_NAME: text})
    told = shown(folder, "a/x.yaml")
    forget()
    lines = text.splitlines()
    for rule in [*told["rules"], *(rule for version in told["versions"] for rule in version["rules"])]:
        if rule["usedSource"] == "default":
            assert rule["used"]
            continue
        line, column = map(int, rule["usedSource"].split(":")[1:])
        names = (rule["rule"], "core", "capi")
        key = lines[line - 1][: column - 1].rpartition("[")[0].split()
        if lines[line - 1][column - 1 :].startswith(names):
            assert rule["used"] is (key[-1] in ("select:", "packs:"))
        else:
            assert lines[line - 1][column - 1 :].startswith(("select:", "packs:"))
            assert not rule["used"]


def test_used_is_what_the_linter_uses(folder: Path) -> None:
    settings = linter_for(str(folder / "a/x.yaml"), Choices()).settings
    off = {rule["rule"] for rule in shown(folder, "a/x.yaml")["rules"] if not rule["used"]}
    usual = {rule.id for rule in core_rules() if rule.pack not in OPTIONAL_PACKS}
    assert settings.selected_for() == usual - off


def test_people_are_told_the_same(folder: Path) -> None:
    text = here(folder, "config", "show", "a/x.yaml")[1]
    head, settings, rules, old, new = text.split("\n\n")
    assert head.splitlines() == [
        "a/x.yaml",
        "  configuration  .crdlint.yaml",
        "  excluded       no",
        "  generated      yes, by controller-gen v0.16.1",
    ]
    assert "  generated             skip" in settings
    assert rules.startswith("Rules that are not as they are by default\n")
    assert old.startswith("widgets.example.com v1beta1 (Widget)\n")
    assert new.splitlines()[1].split() == ["override", "crds:", "*.example.com", ".crdlint.yaml:21:3"]
    assert "yes, by b/  .crdlint.yaml:8:3" in here(folder, "config", "show", "b")[1]


def test_pyproject_and_a_named_file_are_told_too(folder: Path) -> None:
    (folder / FILE_NAME).unlink()
    write(folder, {"pyproject.toml": "[[tool.crdlint.overrides]]\npaths = ['a/']\ngenerated = 'warn'\n"})
    assert shown(folder, "a/x.yaml")["settings"]["generated"] == {"value": "warn", "source": "pyproject.toml:3:1"}
    write(folder, {"own.yaml": "generated: skip\n"})
    told = shown(folder, "a/x.yaml", "--config", "own.yaml")
    assert told["settings"]["generated"] == {"value": "skip", "source": "own.yaml:1:1"}


def test_hostile_names_are_harmless(folder: Path) -> None:
    write(folder, {FILE_NAME: 'stateless: ["\\e[2J\\u202e", "a\\n::error::x"]\n'})
    text = here(folder, "config", "show", "other.yaml")[1]
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "gone.yaml"], "gone.yaml: there is no such file or folder"),
        (["show", "a/x.yaml", "--format", "xml"], "unknown format 'xml'; choose text or json"),
        (["show", "a/x.yaml", "--config", "gone.yaml"], "gone.yaml: cannot be read: No such file"),
        (["shwo", "a/x.yaml"], "No such command 'shwo'"),
        (["show"], "Missing argument 'PATH'"),
    ],
)
def test_wrong_usage_is_told(folder: Path, arguments: list[str], told: str) -> None:
    done = crdlint(folder, "config", *arguments)
    assert done.returncode == 2
    assert told in done.stderr.decode()
