"""What applies to a file, and where each part of it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crdlint.choices import Choices, linter_by, settings_config
from crdlint.crd.model import KIND, SPEC_SCHEMA, Crd, Version, crds_of
from crdlint.errors import UsageError
from crdlint.files import STDIN, names_crd
from crdlint.rules.rule import OPTIONAL_PACKS, Rule
from crdlint.settings import GENERATOR_ANNOTATION, Controllers
from crdlint.setup.statements import DEFAULT, Statements
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable


@dataclass(frozen=True)
class Setting:
    """One setting; ``source`` is ``path:line:column`` of what decides it, or says that nothing does."""

    key: str
    value: Any
    source: str


@dataclass(frozen=True)
class RuleSetting:
    """Is a rule used, and which severity is its findings given (None: that of the rule)?"""

    rule: str
    used: bool
    used_source: str
    severity: str | None
    severity_source: str


@dataclass(frozen=True)
class VersionSettings:
    """What applies to one version of a CRD.

    ``overrides`` are those that speak of it alone, not of the file as a whole; ``rules`` those that they change.
    """

    crd: str | None
    kind: str | None
    version: str
    overrides: list[Setting]
    settings: list[Setting]
    rules: list[RuleSetting]


@dataclass(frozen=True)
class FileSettings:
    """What applies to a file: ``rules`` are those that are not as they are by default."""

    path: str
    config: str | None
    excluded: Setting | None
    # Why the CRDs in it cannot be read; then nothing is known of what made them, nor of their versions.
    unreadable: str | None
    # The versions of controller-gen that made CRDs in it.
    generators: list[str]
    overrides: list[Setting]
    settings: list[Setting]
    rules: list[RuleSetting]
    versions: list[VersionSettings]


def settings_of_file(path: str, choices: Choices) -> FileSettings:
    """What applies to a file, or to those in a folder.

    Raises `UsageError` for what is wrong with the configuration, or where there is no way to the file's content.
    """
    return _Teller(path, choices).told()


class _Teller:
    def __init__(self, path: str, choices: Choices) -> None:
        self.path = path
        # Of a folder: as if for a file in it.
        self.file = os.path.join(path, STDIN) if os.path.isdir(path) else path
        self.config = settings_config(self.file, choices)
        self.numbers = self.config.overrides_for(self.file)
        linter = linter_by(self.config, choices, self.numbers)
        self.catalogue, self.settings = linter.catalogue, linter.settings
        self.statements = Statements(self.config)

    def told(self) -> FileSettings:
        crds, unreadable = ([], None) if self.file != self.path else _crds_in(self.path)
        generators = {
            str(crd.annotations[GENERATOR_ANNOTATION]) for crd in crds if GENERATOR_ANNOTATION in crd.annotations
        }
        return FileSettings(
            path=self.path,
            config=None if self.config.path is None else os.path.relpath(self.config.path),
            excluded=self.excluded(),
            unreadable=unreadable,
            generators=sorted(generators),
            overrides=list(map(self.override, self.overrides())),
            settings=list(self.common()),
            rules=[self.rule(rule) for rule in self.catalogue if not self.is_usual(rule)],
            versions=[self.version(version) for crd in crds for version in crd.judged_versions],
        )

    def excluded(self) -> Setting | None:
        index = self.config.excluding_pattern(self.file)
        if index is None:
            return None
        return Setting("exclude", self.config.exclude[index], self.statements.source(("exclude", str(index))))

    def common(self) -> Iterator[Setting]:
        """The settings of the file as a whole."""
        config = self.config
        usual_packs = [pack for pack in self.catalogue.packs if pack not in OPTIONAL_PACKS]
        for key, value in {
            "packs": usual_packs if config.packs is None else config.packs,
            "select": config.select,
            "ignore": config.ignore,
            "severity": {name: severity.value for name, severity in config.severity},
            "exclude": config.exclude,
            "rules": config.rules,
            "stateless": sorted(config.stateless),
            "conditionTypes": config.condition_types,
            "conditionMeanings": dict(config.condition_meanings),
            "controllers.writes": sorted(config.controllers.writes),
            "controllers.declared": _declared(config.controllers),
            "capi.contract": config.capi.contract,
            "capi.groups": config.capi.groups,
            "capi.kinds": dict(config.capi.kinds),
        }.items():
            yield Setting(key, value, self.statements.source(tuple(key.split("."))))
        routes = [("overrides", str(index), "generated") for index in self.overrides()]
        yield Setting(
            "generated", self.settings.generated_policy().value, self.statements.source(("generated",), *routes)
        )

    def version(self, version: Version) -> VersionSettings:
        crd, common = version.crd, self.overrides()
        indexes = [index for index in self.overrides(crd, version.name) if index not in common]
        rules = [self.rule(rule, version) for rule in self.catalogue]
        return VersionSettings(
            crd=crd.name,
            kind=crd.kind,
            version=version.name,
            overrides=list(map(self.override, indexes)),
            settings=list(self.peculiar(crd)),
            rules=[rule for rule, usual in zip(rules, map(self.rule, self.catalogue), strict=True) if rule != usual],
        )

    def override(self, index: int) -> Setting:
        """An override, with what it speaks of as its value."""
        override = self.config.overrides[index]
        matchers = {"paths": override.paths, **vars(override.target)}
        given = {name: patterns for name, patterns in matchers.items() if patterns}
        return Setting("override", given, self.statements.source(("overrides", str(index))))

    def peculiar(self, crd: Crd) -> Iterator[Setting]:
        """The settings of a CRD."""
        tables = [("overrides", str(index)) for index in self.overrides(crd)]
        source = self.statements.source(*((*table, "stateless") for table in tables))
        if source == DEFAULT and crd.kind in self.config.stateless:
            source = self.statements.source(("stateless",))
        elif source == DEFAULT and crd.is_template_kind:
            source = "the kind ends in Template"
        yield Setting("stateless", self.settings.is_stateless(crd), source)
        controllers = self.settings.controllers_of(crd)
        own = ("controllers", "crds", crd.name or "")
        for key, value in (("writes", sorted(controllers.writes)), ("declared", _declared(controllers))):
            routes = [("controllers", key), (*own, key), *((*table, "controllers", key) for table in tables)]
            yield Setting(f"controllers.{key}", value, self.statements.source(*routes))

    def rule(self, rule: Rule, version: Version | None = None) -> RuleSetting:
        place = (None, None) if version is None else (version.crd, version.name)
        indexes = self.overrides(*place)
        severity = self.settings.severity_of(rule.id, *place)
        return RuleSetting(
            rule=rule.id,
            used=rule.id in self.settings.selected_for(*place),
            used_source=self.statements.source_of_use(rule, indexes),
            severity=None if severity is None else severity.value,
            severity_source=self.statements.source_of_severity(rule, indexes),
        )

    def is_usual(self, rule: Rule) -> bool:
        """Is a rule used, for the file as a whole, as it would be without a configuration?"""
        used = rule.id in self.settings.selected_for()
        return used is (rule.pack not in OPTIONAL_PACKS) and self.settings.severity_of(rule.id) is None

    def overrides(self, crd: Crd | None = None, version: str | None = None) -> list[int]:
        """The indexes of the overrides that speak of a version, of a CRD, or of the file as a whole."""
        overrides = zip(self.numbers, self.settings.overrides, strict=True)
        return [index for index, override in overrides if override.target.covers(crd, version)]


def _crds_in(path: str) -> tuple[list[Crd], str | None]:
    """The CRDs of a file, and why they cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        stream = parse(Source.from_bytes(data).text, wanted=KIND, defer=SPEC_SCHEMA) if names_crd(data) else None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except Unreadable as error:
        return [], error.message
    documents = [] if stream is None else stream.documents
    return [crd for document in documents if document.root is not None for crd in crds_of(document.root)], None


def _declared(controllers: Controllers) -> str:
    return "unproven" if controllers.declared_is_unproven else "written"
