"""``crdlint init``: the configuration that it writes loads, changes no finding, and fits the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crdlint.choices import Choices, catalogue_for
from crdlint.config.lookup import FILE_NAME, config_for, forget
from crdlint.setup.starting import starting_config
from crdlint.setup.survey import FoundCrd, Survey, survey
from tests.cli.run import crdlint, here
from tests.fixture_tool import FIXTURES, SAMPLE
from tests.surroundings import CORPUS, missing
from tests.texts import CLEAN, SAFE, UNREADABLE, write

GENERATED = SAFE.replace(
    "metadata:\n  name", "metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.16.1\n  name"
)
COLUMNS = """\
    additionalPrinterColumns:
    - {name: A, type: string, jsonPath: '.status.conditions[?(@.type=="Synced")].status'}
    - {name: B, type: string, jsonPath: ".status.conditions[?(@.type=='Ready')].reason"}
    - {name: C, type: string, jsonPath: '.status.conditions[?(@.type=="no: type")].reason'}
    - {name: D, type: string, jsonPath: .status.phase}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the sample repository, with Git and Go in it."""
    copy = tmp_path / "repository"
    shutil.copytree(FIXTURES / SAMPLE, copy)
    write(copy, {".git/HEAD": "", "api/v1/lagoon_types.go": "", "vendor/x/y_types.go": "", ".github/z_types.go": ""})
    return copy


def findings(folder: Path) -> Any:
    return json.loads(here(folder, "check", "--format", "json")[1])["findings"]


def suggested(text: str) -> str:
    """The configuration with all suggestions taken."""
    return re.sub(r"^#(?=[^ #\n])|^#(?=  \S)", "", text, flags=re.MULTILINE)


def loads(folder: Path, text: str) -> None:
    (folder / FILE_NAME).write_text(text, "utf-8")
    forget()
    catalogue_for(Choices(), [str(folder / "x.yaml")])


def test_it_changes_no_finding(repository: Path) -> None:
    before = findings(repository)
    code, out = here(repository, "init")
    assert (code, out) == (0, ".crdlint.yaml is written: look through its suggestions, then run `crdlint check`\n")
    assert findings(repository) == before != []


def test_it_fits_the_repository(repository: Path) -> None:
    assert here(repository, "init", "config/crd")[0] == 0
    text = (repository / FILE_NAME).read_text("utf-8")
    for line in (
        "# 9 CRDs in config/crd/bases, made by controller-gen v0.17.3",
        "# 1 CRD in hack/legacy",
        "#packs: [core, capi]",
        "#- /hack/legacy/  # not installed?",
        "#- /charts/cluster-api-provider-lagoon/templates/  # copies of CRDs that are made elsewhere?",
        "#generated: warn",
        "#stateless: [LagoonClusterIdentity]",
        "#  groups: [infrastructure.example.com]",
        "# Go types are in api/v1",
    ):
        assert line in text.splitlines()
    assert "_types" not in text
    assert "patches" not in text
    assert "CustomResourceDefinition" not in text, "then every check would parse it"


def test_its_suggestions_can_be_taken(repository: Path) -> None:
    here(repository, "init")
    loads(repository, suggested((repository / FILE_NAME).read_text("utf-8")))
    config = config_for(str(repository / "x.yaml"))
    assert config.packs == ("core", "capi")
    assert config.excludes(str(repository / "hack/legacy/lagoonquota-crd.yaml"))
    assert config.capi.groups == ("infrastructure.example.com",)
    assert config.controllers.writes
    assert len(config.overrides) == 1


def test_types_of_conditions_are_taken_from_columns_and_lists(tmp_path: Path) -> None:
    listed = SAFE.replace("                      maxLength: 316\n", "                      enum: [Ready, Up, 1]\n")
    write(tmp_path, {"a/x.yaml": SAFE.replace("    schema:\n", COLUMNS + "    schema:\n", 1), "b/x.yaml": listed})
    here(tmp_path, "init")
    forget()
    assert config_for(str(tmp_path / "x.yaml")).condition_types == ("Synced", "Up")


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.yaml": UNREADABLE, "b/x.yaml": SAFE})
    text = here(tmp_path, "init", "--stdout")[1]
    assert "# not readable: a/x.yaml\n" in text
    assert "# 1 CRD in b\n" in text


@pytest.mark.parametrize("files", [{}, {"x.yaml": SAFE}, {"x.yaml": CLEAN, "deep/er/y.yaml": GENERATED}])
def test_any_repository_gets_one_that_loads(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    before = findings(tmp_path)
    assert here(tmp_path, "init")[0] == 0
    assert findings(tmp_path) == before
    loads(tmp_path, suggested((tmp_path / FILE_NAME).read_text("utf-8")))


def test_standard_output_gets_the_same_and_nothing_is_written(repository: Path) -> None:
    done = crdlint(repository, "init", "--stdout")
    assert done.returncode == 0
    assert b"nothing was written: save this as .crdlint.yaml, then run `crdlint check`" in done.stderr
    assert not (repository / FILE_NAME).exists()
    here(repository, "init")
    assert (repository / FILE_NAME).read_bytes() == done.stdout


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({FILE_NAME: "select: [core]\n"}, ".crdlint.yaml: there is a configuration already"),
        ({FILE_NAME: "selct: [core]\n"}, ".crdlint.yaml:1:1: unknown key 'selct'"),
        ({"pyproject.toml": "[tool.crdlint]\n"}, "pyproject.toml: there is a configuration already"),
        ({".crdlint.yml": ""}, ".crdlint.yml: crdlint reads no file of this name: call it .crdlint.yaml"),
    ],
)
def test_nothing_is_overwritten(repository: Path, files: dict[str, str], told: str) -> None:
    write(repository, files)
    done = crdlint(repository, "init")
    assert done.returncode == 2
    assert told in done.stderr.decode()
    assert {name: (repository / name).read_text() for name in files} == files
    assert (repository / FILE_NAME).exists() == (FILE_NAME in files)


def test_a_link_that_leads_nowhere_is_not_followed(repository: Path) -> None:
    (repository / FILE_NAME).symlink_to(repository / "elsewhere")
    done = crdlint(repository, "init")
    assert done.returncode == 2
    assert b".crdlint.yaml: this is no file, or a link to none" in done.stderr
    assert not (repository / "elsewhere").exists()


def test_a_path_must_be_a_folder(repository: Path) -> None:
    done = crdlint(repository, "init", "README.md")
    assert done.returncode == 2
    assert b"README.md: there is no such folder" in done.stderr


HOSTILE = st.text(max_size=12) | st.sampled_from(
    ["a: b", "- x", "x\n- core", "a #b", "'", '"', "\\", "yes", "null", "1", "1e3", "~", "*x", "&x", "!x", "{{ x }}"]
)


@given(folder=HOSTILE, name=HOSTILE, group=HOSTILE, kind=HOSTILE, generator=HOSTILE)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_names_are_text(tmp_path: Path, folder: str, name: str, group: str, kind: str, generator: str) -> None:
    """All of them are only in comments; once those are taken away they are the names that were found, no more."""
    crds = [
        FoundCrd(folder, name, group, kind, generator, frozenset(), looks_stateless=True),
        FoundCrd(f"testdata/{folder}", name, group, f"{kind}Machine", None, frozenset(), looks_stateless=False),
        FoundCrd(f"testdata/{folder}", name, group, f"{kind}MachineTemplate", None, frozenset(), looks_stateless=False),
    ]
    text = starting_config(Survey(str(tmp_path), crds, unreadable=[folder], go_types=[folder]))
    loads(tmp_path, text)
    assert config_for(str(tmp_path / "x")).overrides == ()
    loads(tmp_path, suggested(text))
    config = config_for(str(tmp_path / "x"))
    assert config.stateless == {kind}
    assert config.overrides[0].target.crds == (name or "widgets.example.com",)


@pytest.mark.parametrize("name", ["plain", "a b", "a*b", "[x]", "!x", "#x", "tail ", "ü", "𐀀", "a\\b", "x\udcff"])
def test_patterns_mean_the_folders_that_were_found(tmp_path: Path, name: str) -> None:
    write(tmp_path, {f"testdata/{name}/x.yaml": SAFE, "testdata-not/x.yaml": SAFE})
    loads(tmp_path, suggested(starting_config(survey(str(tmp_path)))))
    config = config_for(str(tmp_path / "x"))
    assert config.excludes(str(tmp_path / f"testdata/{name}/x.yaml"))
    assert not config.excludes(str(tmp_path / "testdata-not/x.yaml"))


def test_real_repositories_get_one_that_loads(tmp_path: Path) -> None:
    if not CORPUS.is_dir():
        missing(f"the corpus is not beside the checkout ({CORPUS.name})")
    for folder in sorted(CORPUS.iterdir()):
        if folder.is_dir():
            text = starting_config(survey(os.fspath(folder)))
            loads(tmp_path, text)
            loads(tmp_path, suggested(text))
