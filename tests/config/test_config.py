"""Which configuration applies to a file, what it does, and how its mistakes are told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crdlint.choices import Choices, linter_for
from crdlint.config.data import Config
from crdlint.config.lookup import FILE_NAME, config_for, forget, load
from crdlint.errors import UsageError
from crdlint.findings import Applicability
from crdlint.runner import Job
from tests.cli.run import crdlint, here, rules
from tests.texts import CLEAN, RULE, SAFE, WARNING, write

PYPROJECT = "pyproject.toml"
DEPTH = 1_100


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository, and the working folder."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    forget()
    return tmp_path


def stateless(path: str) -> str:
    """Which configuration applies to a path, told by what it says."""
    return ",".join(sorted(config_for(path).stateless))


# Which one applies


@pytest.mark.parametrize(
    ("files", "path", "expected"),
    [
        ({}, "a/x.yaml", ""),
        ({FILE_NAME: "root"}, "x.yaml", "root"),
        ({FILE_NAME: "root"}, "a/b/c/x.yaml", "root"),
        ({FILE_NAME: "root", f"a/{FILE_NAME}": "a"}, "a/b/x.yaml", "a"),
        ({FILE_NAME: "root", f"a/{FILE_NAME}": "a"}, "b/x.yaml", "root"),
        ({PYPROJECT: "root"}, "a/x.yaml", "root"),
        ({PYPROJECT: "project", FILE_NAME: "own"}, "x.yaml", "own"),
        ({PYPROJECT: "project", f"a/{FILE_NAME}": "own"}, "x.yaml", "project"),
        ({FILE_NAME: "own", f"a/{PYPROJECT}": "project"}, "a/x.yaml", "project"),
        ({FILE_NAME: "root", "a/.git": ""}, "a/b/x.yaml", ""),
        ({FILE_NAME: "root", f"a/{FILE_NAME}": "a", "a/.git": ""}, "a/b/x.yaml", "a"),
    ],
)
def test_the_nearest_one_up_to_the_repository_applies(
    folder: Path, files: dict[str, str], path: str, expected: str
) -> None:
    forms = {FILE_NAME: "stateless: [{}]\n", PYPROJECT: "[tool.crdlint]\nstateless = ['{}']\n", ".git": "{}"}
    write(folder, {name: forms[Path(name).name].format(text) for name, text in files.items()})
    (folder / "a/b").mkdir(parents=True, exist_ok=True)
    assert stateless(path) == stateless(str(folder / path)) == expected


@pytest.mark.parametrize("text", ["", "[tool.other]\nx = 1\n", "# crdlint\n[tool]\nx = 1\n", "tool = 'crdlint'\n"])
def test_a_pyproject_that_does_not_speak_of_crdlint_does_not_count(folder: Path, text: str) -> None:
    write(folder, {FILE_NAME: "stateless: [root]\n", f"a/{PYPROJECT}": text})
    assert stateless("a/x.yaml") == "root"


def test_one_that_is_named_wins_for_all_files(folder: Path) -> None:
    write(
        folder,
        {f"a/{FILE_NAME}": "stateless: [Widget]\n", "c.yaml": f"ignore: [{RULE}]\n", "c.toml": "", "a/x.yaml": SAFE},
    )
    assert rules(folder, "a", "--config", "c.yaml") == []
    assert rules(folder, "a", "--config", "c.toml") == [RULE]
    assert rules(folder, "a") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "---\n",
        "{}\n",
        "packs:\nselect:\nignore:\nseverity:\nexclude:\nrules:\nstateless:\ncontrollers:\ncapi:\noverrides:\n",
    ],
)
def test_one_that_says_nothing_changes_nothing(folder: Path, text: str) -> None:
    write(folder, {FILE_NAME: text})
    assert config_for("x.yaml") == Config(path=str(folder / FILE_NAME))


def test_a_change_is_seen_once_it_is_asked_for(folder: Path) -> None:
    write(folder, {FILE_NAME: "stateless: [a]\n"})
    assert stateless("x.yaml") == "a"
    write(folder, {FILE_NAME: "stateless: [b]\n"})
    forget()
    assert stateless("x.yaml") == "b"


@pytest.mark.parametrize("files", [[".crdlint.yml"], [".crdlint.yml", FILE_NAME], [".crdlint.yml", PYPROJECT]])
@pytest.mark.parametrize("place", ["", "a/"])
def test_a_wrong_suffix_is_told(folder: Path, files: list[str], place: str) -> None:
    write(folder, {place + name: "" for name in files})
    with pytest.raises(UsageError) as wrong:
        linter_for("a/b/x.yaml", Choices())
    assert str(wrong.value) == (
        f"{folder}/{place}.crdlint.yml: crdlint reads no file of this name: call it .crdlint.yaml, or remove it"
    )
    # Where another one is nearer, or is named, it is not looked for.
    write(folder, {f"a/b/{FILE_NAME}": "", "own.yml": ""})
    assert linter_for("a/b/x.yaml", Choices()) == linter_for("a/x.yaml", Choices(config="own.yml"))


BOTH = [
    (
        "packs: [core]\nselect: [core]\nseverity: {core: info}\n"
        "controllers: {crds: {a.b: {writes: [status-endpoint]}}}\n",
        "packs = ['core']\nselect = ['core']\nseverity.core = 'info'\n"
        "[tool.crdlint.controllers.crds.'a.b']\nwrites = ['status-endpoint']\n",
    ),
    (
        "overrides:\n- {paths: [a], generated: skip}\n"
        "- kinds: [B]\n  stateless: false\n  controllers: {declared: written}\n",
        "[[tool.crdlint.overrides]]\npaths = ['a']\ngenerated = 'skip'\n"
        "[[tool.crdlint.overrides]]\nkinds = ['B']\nstateless = false\ncontrollers.declared = 'written'\n",
    ),
    (
        "capi: {contract: v1beta1, groups: [a], kinds: {A: none, B: IPAMPool}}\n",
        "capi.contract = 'v1beta1'\ncapi.groups = ['a']\ncapi.kinds = {B = 'IPAMPool', A = 'none'}\n",
    ),
]


@pytest.mark.parametrize(("in_yaml", "in_toml"), BOTH)
def test_both_forms_say_the_same(folder: Path, in_yaml: str, in_toml: str) -> None:
    write(folder, {"c.yaml": in_yaml, "c.toml": "[tool.crdlint]\n" + in_toml})
    assert replace(load("c.yaml"), path=None) == replace(load("c.toml"), path=None) != Config()


@pytest.mark.parametrize(
    ("text", "loaded"),
    [(None, ()), ("select: [core]\n", ("config.reading", "config.schemacheck")), ("{}\n", ("config.reading",))],
)
def test_only_what_is_needed_is_loaded(folder: Path, text: str | None, loaded: tuple[str, ...]) -> None:
    """A run without a configuration does not load what reads one, and none loads a validator of all JSON Schema."""
    write(folder, {"x.yaml": SAFE} if text is None else {"x.yaml": SAFE, FILE_NAME: text})
    script = (
        "import sys; from crdlint.choices import Choices, check_choices; from crdlint.runner import Job; "
        "check_choices(Choices(), ['x.yaml']); Job().run('x.yaml'); print(*sys.modules)"
    )
    modules = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    lazy = ("config.reading", "config.schemacheck", "config.tomlfile", "config.editors", "setup.show", "tomllib")
    found = [name for name in lazy if f"crdlint.{name}" in modules or name in modules]
    assert set(loaded) <= set(found)
    assert bool(found) is (text is not None)
    assert not {"jsonschema", "crdlint.setup.show", "crdlint.config.tomlfile", "pathspec"} & set(modules)


# What it does


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        (f"select: [{RULE}]", [], [RULE]),
        ("select: [pruned-status]", [], []),
        ("select: [core]", [], [RULE]),
        ("select: []", [], []),
        (f"ignore: [{RULE}]", [], []),
        ("ignore: [core]", [], []),
        ("select: [pruned-status]", ["--select", RULE], [RULE]),
        (f"ignore: [{RULE}]", ["--select", RULE], []),
        ("", ["--ignore", RULE], []),
        ("stateless: [Widget]", [], []),
        ("stateless: [widgets]", [], [RULE]),
    ],
)
def test_rules_are_chosen(folder: Path, text: str, arguments: list[str], expected: list[str]) -> None:
    write(folder, {FILE_NAME: text + "\n", "x.yaml": SAFE})
    assert rules(folder, "x.yaml", *arguments) == expected


@pytest.mark.parametrize(
    ("controllers", "applicability"),
    [
        ("{}", "safe"),
        ("{declared: written}", "safe"),
        ("{declared: unproven}", "unsafe"),
        ("{declared: unproven, writes: [status.observedGeneration, conditions.observedGeneration]}", "safe"),
        ("{declared: unproven, crds: {widgets.example.com: {declared: written}}}", "safe"),
        ("{crds: {widgets.example.com: {declared: unproven}}}", "unsafe"),
        ("{crds: {gadgets.example.com: {declared: unproven}}}", "safe"),
    ],
)
def test_what_is_known_of_controllers_decides_about_fixes(folder: Path, controllers: str, applicability: str) -> None:
    write(folder, {FILE_NAME: f"controllers: {controllers}\n"})
    [finding] = Job().run_bytes("x.yaml", SAFE.encode()).result.findings
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability(applicability)


def test_a_crd_has_what_is_common_unless_it_says_otherwise(folder: Path) -> None:
    by_crd = "{a: {declared: written}, b: {writes: []}, c: }"
    write(folder, {FILE_NAME: f"controllers: {{declared: unproven, writes: [status-endpoint], crds: {by_crd}}}\n"})
    common, found = config_for("x").controllers, dict(config_for("x").controllers_by_crd)
    assert (found["a"].writes, found["a"].declared_is_unproven) == (common.writes, False)
    assert (found["b"].writes, found["b"].declared_is_unproven) == (frozenset(), True)
    assert found["c"] == common


def test_rules_are_found_beside_it(folder: Path) -> None:
    own = "id: own-rule\nsummary: s\nseverity: error\nscope: crd\nwhy: w\nschema: false\n"
    write(
        folder,
        {
            "a/x.yaml": CLEAN,
            "x.yaml": CLEAN,
            f"a/{FILE_NAME}": "rules: [own]\nignore: [own-rule]\nselect: [own-rule]\n",
            "a/own/r.yaml": own,
        },
    )
    assert rules(folder, "a") == []
    write(folder, {f"a/{FILE_NAME}": "rules: [own]\n"})
    assert rules(folder, ".") == rules(folder / "a", "x.yaml") == ["own-rule"]


def test_a_rule_of_a_configuration_further_down_may_be_selected(folder: Path) -> None:
    own = "id: own-rule\nsummary: s\nseverity: error\nscope: crd\nwhy: w\nschema: false\n"
    write(folder, {"a/x.yaml": CLEAN, f"a/{FILE_NAME}": "rules: [own]\n", "a/own/r.yaml": own})
    assert rules(folder, "a/x.yaml", "--select", "own-rule") == ["own-rule"]


# What it leaves out


@pytest.mark.parametrize(
    ("patterns", "path", "excluded"),
    [
        ("[x.yaml]", "a/b/x.yaml", True),
        ("[/x.yaml]", "a/b/x.yaml", False),
        ("[a/]", "a/b/x.yaml", True),
        ("[b/*.yaml]", "a/b/x.yaml", False),
        ("['**/b/*.yaml']", "a/b/x.yaml", True),
        ("['*.yaml', '!x.yaml']", "a/b/x.yaml", False),
        ("['[[:alpha:]]x', '# no']", "a/b/x.yaml", False),
        ("[]", "a/b/x.yaml", False),
    ],
)
def test_patterns_are_those_of_gitignore(folder: Path, patterns: str, path: str, excluded: bool) -> None:
    write(folder, {FILE_NAME: f"exclude: {patterns}\n"})
    assert config_for(path).excludes(path) is excluded


def test_patterns_are_relative_to_the_configuration(folder: Path) -> None:
    write(folder, {f"a/{FILE_NAME}": "exclude: [/x.yaml]\n", "a/x.yaml": SAFE, "a/b/x.yaml": SAFE, "x.yaml": SAFE})
    assert rules(folder, ".") == [RULE, RULE]
    assert rules(folder / "a", ".") == [RULE]
    assert rules(folder / "a" / "b", "..") == [RULE]


def test_what_is_named_wins_over_excludes_unless_they_are_forced(folder: Path) -> None:
    write(folder, {FILE_NAME: "exclude: [x.yaml]\n", "x.yaml": SAFE, "y.yaml": WARNING})
    assert rules(folder, ".") == ["conditions-list-type"]
    assert rules(folder, "*.yaml") == ["conditions-list-type"]
    for name in ("x.yaml", "./x.yaml", str(folder / "x.yaml")):
        assert rules(folder, name) == [RULE]
        assert rules(folder, name, "--force-exclude") == []
    assert here(folder, "fix", "--force-exclude", "x.yaml")[0] == 0
    assert (folder / "x.yaml").read_text() == SAFE


# What is wrong with it


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("- select\n", "1:1", "a mapping of keys to values is expected here"),
        ("\nselct: [core]\n", "2:1", "unknown key 'selct'; did you mean 'select'?"),
        (
            "zzz: 1\n",
            "1:1",
            "unknown key 'zzz'; there are packs, select, ignore, severity, exclude, rules, stateless, conditionTypes, ",
        ),
        ("1: 1\n", "1:1", "unknown key '1'"),
        ("select: core\n", "1:1", "`select` is a list of names"),
        ("select: [core, 1]\n", "1:16", "`select` is a list of names"),
        ("ignore: {a: b}\n", "1:1", "`ignore` is a list of names"),
        ("stateless: [[a]]\n", "1:13", "`stateless` is a list of names"),
        ("controllers: []\n", "1:1", "`controllers` is a mapping of keys to values"),
        ("controllers:\n  write: []\n", "2:3", "unknown key 'write'; did you mean 'writes'?"),
        (
            "controllers:\n  writes:\n  - status-endpont\n",
            "3:5",
            "unknown value 'status-endpont'; did you mean 'status-endpoint'?",
        ),
        ("controllers: {writes: status}\n", "1:15", "`writes` is a list of names"),
        ("controllers: {declared: prove}\n", "1:15", "unknown value 'prove'; did you mean 'unproven'?"),
        ("controllers: {declared: [a]}\n", "1:15", "unknown value ['a']; there are written, unproven"),
        ("controllers:\n  crds:\n    a.b:\n      crds: {}\n", "4:7", "unknown key 'crds'"),
        ("controllers:\n  crds:\n    a.b/c~d: 1\n", "3:5", "`a.b/c~d` is a mapping of keys to values"),
        ("controllers:\n  crds: [a]\n", "2:3", "`crds` is a mapping of keys to values"),
        ("controllers: {writes: [status-endpoint, 1]}\n", "1:41", "unknown value 1; there are "),
        ("packs: [core, cor]\n", "1:15", "there is no pack 'cor'; did you mean 'core'?"),
        ("packs: [pruned-status]\n", "1:9", "there is no pack 'pruned-status'; there are "),
        ("severity: [core]\n", "1:1", "`severity` is a mapping of keys to values"),
        ("severity: {core: warn}\n", "1:12", "unknown value 'warn'; did you mean 'warning'?"),
        ("severity:\n  pruned-statis: info\n", "2:3", "no rule or pack 'pruned-statis'; did you mean 'pruned-status'?"),
        ("generated: warning\n", "1:1", "unknown value 'warning'; did you mean 'warn'?"),
        ("capi: {contract: v1beta3}\n", "1:8", "unknown value 'v1beta3'; did you mean 'v1beta2'?"),
        ("capi: {group: []}\n", "1:8", "unknown key 'group'; did you mean 'groups'?"),
        ("capi:\n  kinds: {Widget: InfraClusters}\n", "2:11", "unknown value 'InfraClusters'; did you mean 'Infra"),
        ("overrides: {paths: [a]}\n", "1:1", "`overrides` is a list of mappings"),
        ("overrides: [a]\n", "1:13", "`overrides` is a list of mappings"),
        ("overrides:\n- path: [a]\n", "2:3", "unknown key 'path'; did you mean 'paths'?"),
        ("overrides:\n- paths: []\n", "2:3", "`paths` is empty: name something, or leave it out"),
        ("overrides:\n- paths: [a]\n- ignore: [core]\n", "3:3", "an override says what it speaks of: give it `paths`"),
        ("overrides:\n- paths: [a, 'a[z-a]']\n", "2:14", "'a[z-a]' is no pattern as .gitignore has them"),
        ("overrides:\n- kinds: [A]\n  stateless: yes please\n", "3:3", "`stateless` is true or false"),
        ("overrides:\n- kinds: [A]\n  ignore:\n  - missing-condition\n", "4:5", "did you mean 'missing-conditions'?"),
        ("overrides:\n- kinds: [A]\n  select: [zzz]\n", "3:12", "there is no rule or pack 'zzz'"),
        ("overrides:\n- kinds: [A]\n  severity:\n    zzz: info\n", "4:5", "there is no rule or pack 'zzz'"),
        ("overrides:\n- kinds: [A]\n  generated: skip\n", "2:3", "`generated` is decided for whole files"),
        ("overrides:\n- versions: [v1]\n  stateless: true\n", "2:3", "are decided for whole CRDs"),
        ("overrides:\n- versions: [v1]\n  controllers: {}\n", "2:3", "are decided for whole CRDs"),
        ("exclude:\n- a\n- 'a[z-a]'\n", "3:3", "'a[z-a]' is no pattern as .gitignore has them"),
        ("rules: [gone]\n", "1:9", "there is no folder"),
        ("select: [core, missing-condition]\n", "1:16", "there is no rule or pack 'missing-condition'; did you mean"),
        ("ignore:\n- core\n- zzz\n", "3:3", "there is no rule or pack 'zzz'; `crdlint rules` lists them"),
        ("a: [\n", "2:1", "cannot be read: "),
        ("select: [core]\nselect: [core]\n", "2:1", "cannot be read: "),
        ("a: 1\n---\nb: 1\n", "2:1", "a second document"),
        ("ignore: [core]\nx: \x01\n", "2:4", "cannot be read: "),
    ],
)
def test_mistakes_are_told_with_their_place(folder: Path, text: str, place: str, told: str) -> None:
    write(folder, {FILE_NAME: text})
    with pytest.raises(UsageError) as wrong:
        linter_for("x.yaml", Choices())
    assert str(wrong.value).startswith(f"{folder}/{FILE_NAME}:{place}: "), wrong.value
    assert told in str(wrong.value)


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        (
            "[[tool.crdlint.overrides]]\npaths = ['a']\n[[tool.crdlint.overrides]]\nkinds = ['B']\nignor = []\n",
            "5:1",
            "unknown key 'ignor'; did you mean 'ignore'?",
        ),
        ("[tool.crdlint]\noverrides = [\n  {paths = ['a'], selct = []}]\n", "3:19", "unknown key 'selct'"),
        ("[tool.crdlint]\nselect = [\n  'core', # one\n  'zzz']\n", "4:3", "there is no rule or pack 'zzz'"),
        ("[tool.crdlint.severity]\ncore = 'info'\nzzz = 'info'\n", "3:1", "there is no rule or pack 'zzz'"),
        ("[tool.crdlint]\nselect = 1979-05-27\n", "2:1", "`select` is a list of names"),
        ("[project]\nname = 'x'\n\n[tool.crdlint]\nselct = []\n", "5:1", "unknown key 'selct'; did you mean 'select'?"),
        ("[tool.crdlint]\nselect = 'core'\n", "2:1", "`select` is a list of names"),
        ("[tool]\ncrdlint = {selct = []}\n", "2:12", "unknown key 'selct'"),
        ("[tool]\ncrdlint = 1\n", "2:1", "a mapping of keys to values is expected here"),
        ("tool.crdlint.selct = []\n", "1:14", "unknown key 'selct'"),
        ("[tool.crdlint]\ncontrollers.declared = 'no'\n", "2:13", "unknown value 'no'"),
        ("[tool.crdlint.controllers]\n  writes = ['status-endpont']\n", "2:13", "did you mean 'status-endpoint'?"),
        ("[tool.crdlint.controllers.crds.'a.b']\nwrite = []\n", "2:1", "unknown key 'write'"),
        ('[ tool . "crdlint" ]\nignore = ["zzz"]\n', "2:11", "there is no rule or pack 'zzz'"),
        ("[tool.crdlint]\nselect = ]\n", "2:10", "cannot be read: "),
        ("[tool.crdlint\n", "1:14", "cannot be read: "),
    ],
)
def test_mistakes_in_pyproject_are_told_with_their_place(folder: Path, text: str, place: str, told: str) -> None:
    write(folder, {PYPROJECT: text})
    with pytest.raises(UsageError) as wrong:
        linter_for("x.yaml", Choices())
    assert str(wrong.value).startswith(f"{folder}/{PYPROJECT}:{place}: "), wrong.value
    assert told in str(wrong.value)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("c.yaml", None, "c.yaml: cannot be read: No such file or directory"),
        ("c.toml", None, "c.toml: cannot be read: No such file or directory"),
        (".git", None, ".git: cannot be read: Is a directory"),
        ("c.yaml", b"\xff", "c.yaml:1:1: cannot be read: byte 0xff is not UTF-8: convert the file to UTF-8"),
        ("c.yaml", "a".encode("utf-16"), "c.yaml:1:1: cannot be read: the file is in UTF-16 or UTF-32"),
        ("c.toml", b"# crdlint \xff", "c.toml: cannot be read: it is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(folder: Path, name: str, content: bytes | None, told: str) -> None:
    if content is not None:
        write(folder, {name: content})
    with pytest.raises(UsageError) as wrong:
        load(name)
    assert str(wrong.value).startswith(told)


# What no configuration should hold


@pytest.mark.parametrize("make", ["gone", "loop", "folder", "pipe"])
@pytest.mark.parametrize("command", ["check", "fix", "migrate", "init", "config show x.yaml"])
def test_what_is_no_file_is_not_taken_for_no_configuration(folder: Path, make: str, command: str) -> None:
    write(folder, {"x.yaml": SAFE})
    own = folder / FILE_NAME
    if make == "folder":
        own.mkdir()
    elif make == "pipe":
        os.mkfifo(own)
    else:
        own.symlink_to({"gone": "gone", "loop": FILE_NAME}[make])
    done = crdlint(folder, *command.split())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        f"crdlint: {own}: this is no file, or a link to none, and holds no configuration: mend or remove it\n"
    )


def test_a_link_to_a_configuration_is_one(folder: Path) -> None:
    write(folder, {"shared/c.yaml": "stateless: [linked]\n"})
    (folder / FILE_NAME).symlink_to("shared/c.yaml")
    assert stateless("a/x.yaml") == "linked"


@pytest.mark.parametrize(
    ("text", "place"),
    [("{{ .x }}\n", "1:1"), ("# x\n  {{- include 'x' . }}", "2:3"), ("{{ if .x }}\nignore: []\n{{ end }}\n", "1:1")],
)
def test_a_configuration_is_no_template(folder: Path, text: str, place: str) -> None:
    write(folder, {FILE_NAME: text})
    with pytest.raises(UsageError, match=f":{place}: a configuration is no template"):
        config_for("x.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"[tool.crdlint]\nselect = {'[' * 5000}\n", "2:10: cannot be read: this is nested too deeply"),
        (f"[tool.crdlint]\n{'a = {' * 5000}\n", "2:5: cannot be read: this is nested too deeply"),
        (f"[tool.crdlint]\ngenerated = {'9' * 5000}\n", "2:13: cannot be read: a number is too long"),
        (f"[tool.other]\nx = [\n{'[' * 2000}{']' * 2000}]\n[tool.crdlint]\n", "2:5: cannot be read: this is nested"),
        (f"[tool.crdlint]\ngenerated = 0x{'f' * 5000}\n", "2:1: unknown value of such a size; there are "),
        (f"[tool.crdlint]\nselect = [{'9' * 4000}]\n", "2:11: `select` is a list of names"),
    ],
    ids=["arrays", "tables", "digits", "another table", "hexadecimal", "many digits"],
)
def test_a_pyproject_that_no_parser_takes_is_told_with_its_place(folder: Path, text: str, told: str) -> None:
    write(folder, {PYPROJECT: text, "x.yaml": SAFE})
    done = crdlint(folder, "check", "x.yaml")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"crdlint: {folder / PYPROJECT}:{told}")


@pytest.mark.parametrize("depth", [100, 200, 300, 400, 450])
def test_places_are_told_beside_deep_tables_of_other_tools(folder: Path, depth: int) -> None:
    deep = f"[tool.other]\nx = {'{a = ' * (depth // 2)}{'[' * (depth // 4)}1{']' * (depth // 4)}{'}' * (depth // 2)}\n"
    write(folder, {PYPROJECT: "[tool.crdlint]\nno = 1\n" + deep, "x.yaml": SAFE})
    done = crdlint(folder, "check", "x.yaml")
    assert done.returncode == 2
    assert b"pyproject.toml:2:1: unknown key 'no'" in done.stderr or b": this is nested too deeply" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "{}: 1\n",
        "generated: {}\n",
        "select: [{}]\n",
        "severity: {{{}: error}}\n",
        "exclude: ['{}\\']\n",
        "rules: [{}]\n",
    ],
)
def test_a_name_without_end_is_told_short(folder: Path, text: str) -> None:
    write(folder, {FILE_NAME: text.format("x" * 3_000_000), "x.yaml": SAFE})
    done = crdlint(folder, "check", "x.yaml")
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr) < 25_000


@pytest.fixture
def deep(folder: Path) -> Iterator[Path]:
    """A folder far down; nothing that removes folders recursively gets there."""
    for _ in range(DEPTH):
        os.mkdir("d")
        os.chdir("d")
    write(Path(), {"x.yaml": SAFE})
    yield Path()
    os.remove("x.yaml")
    for _ in range(DEPTH):
        os.chdir("..")
        os.rmdir("d")


@pytest.mark.parametrize("command", ["check", "baseline", "init", "config show x.yaml"])
def test_folders_may_lie_deep(deep: Path, command: str) -> None:
    assert crdlint(deep, *command.split()).returncode == (1 if command == "check" else 0)
