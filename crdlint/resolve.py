"""From the names in a configuration, and on the command line, to the rules that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crdlint.config.data import Config, Override, Severities
from crdlint.config.lookup import place
from crdlint.errors import UsageError
from crdlint.rules.catalogue import Catalogue
from crdlint.rules.rule import OPTIONAL_PACKS
from crdlint.settings import Override as ResolvedOverride
from crdlint.settings import Settings

if TYPE_CHECKING:
    from crdlint.choices import Choices


def resolve(config: Config, choices: Choices, catalogue: Catalogue) -> Settings:
    """What both say together; the choices win. Raises `UsageError` for a name that stands for nothing."""
    return _Resolver(config, choices, catalogue).settings()


class _Resolver:
    def __init__(self, config: Config, choices: Choices, catalogue: Catalogue) -> None:
        self.config = config
        self.catalogue = catalogue
        self.chosen = None if choices.select is None else catalogue.expand(choices.select, lambda index: "--select")
        self.unwanted = catalogue.expand(choices.ignore, lambda index: "--ignore")

    def settings(self) -> Settings:
        config = self.config
        of_packs = self.rules_of_packs()
        selected = of_packs if config.select is None else self.rules(config.select, "select")
        selected = selected if self.chosen is None else self.chosen
        return Settings(
            selected=frozenset(selected - self.rules(config.ignore, "ignore") - self.unwanted),
            stateless_kinds=config.stateless,
            controllers=config.controllers,
            controllers_by_crd=config.controllers_by_crd,
            capi=config.capi,
            severities=self.severities(config.severity, "severity"),
            generated=config.generated,
            overrides=tuple(self.override(index, override) for index, override in enumerate(config.overrides)),
        )

    def rules_of_packs(self) -> set[str]:
        if self.config.packs is None:
            return {rule.id for rule in self.catalogue if rule.pack not in OPTIONAL_PACKS}
        for index, pack in enumerate(self.config.packs):
            if pack not in self.catalogue.packs:
                from crdlint.config.schemacheck import nearest

                where = place(self.config, "packs", str(index))
                raise UsageError(f"{where}: there is no pack {pack!r}; {nearest(pack, self.catalogue.packs)}")
        return {rule.id for rule in self.catalogue if rule.pack in self.config.packs}

    def override(self, index: int, override: Override) -> ResolvedOverride:
        here = ("overrides", str(index))
        selected = None
        if override.select is not None:
            selected = frozenset(self.rules(override.select, *here, "select") - self.unwanted)
        return ResolvedOverride(
            target=override.target,
            selected=selected if self.chosen is None else None,
            ignored=frozenset(self.rules(override.ignore, *here, "ignore")),
            severities=self.severities(override.severity, *here, "severity"),
            stateless=override.stateless,
            controllers=override.controllers,
            generated=override.generated,
        )

    def severities(self, given: Severities, *where: str) -> Severities:
        """The severity of each rule; what is said of a rule itself counts more than what is said of its pack."""
        found = {}
        for name, severity in sorted(given, key=lambda item: item[0] in self.catalogue):
            found.update(dict.fromkeys(self.rules_named(name, *where), severity))
        return tuple(sorted(found.items()))

    def rules(self, names: tuple[str, ...], *where: str) -> set[str]:
        """The rules that a list under these keys names."""
        return self.catalogue.expand(names, lambda index: place(self.config, *where, str(index)))

    def rules_named(self, name: str, *where: str) -> set[str]:
        """The rules that a key under these keys names."""
        return self.catalogue.expand([name], lambda index: place(self.config, *where, name))
