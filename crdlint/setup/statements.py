"""Which statement of a configuration decides about something, and where it stands."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from crdlint.config.data import Config
from crdlint.config.reading import read_data
from crdlint.rules.rule import Rule

DEFAULT = "default"
# The keys and indexes that lead to a statement.
Route = tuple[str, ...]


class Statements:
    """All that a configuration file says."""

    def __init__(self, config: Config) -> None:
        self.data: Any = None
        if config.path is not None:
            self.data, self.place = read_data(os.path.relpath(config.path))

    def find(self, route: Route) -> Any:
        """What stands there; None where nothing does."""
        found = self.data
        for part in route:
            if isinstance(found, dict):
                found = found.get(part)
            elif isinstance(found, list):
                found = found[int(part)]
            else:
                return None
        return found

    def source(self, *routes: Route) -> str:
        """``path:line:column`` of the last of these statements that is made; or that none is, so the default holds."""
        made = [route for route in routes if self.find(route) is not None]
        return self.place(made[-1]) if made else DEFAULT

    def source_of_use(self, rule: Rule, overrides: Iterable[int]) -> str:
        """Where it is decided whether a rule is used; ``overrides`` are those that count."""
        routes = [("packs",), *self._naming(rule, ("packs",)), *self._on_use(rule, ())]
        for index in overrides:
            routes += self._on_use(rule, ("overrides", str(index)))
        return self.source(*routes)

    def _on_use(self, rule: Rule, table: Route) -> list[Route]:
        """What is said in a table: a selection is about all rules, also those that it does not name."""
        selection = (*table, "select")
        return [selection, *self._naming(rule, selection), *self._naming(rule, (*table, "ignore"))]

    def _naming(self, rule: Rule, names: Route) -> list[Route]:
        """The items of a list of names that stand for a rule."""
        return [(*names, str(i)) for i, name in enumerate(self.find(names) or ()) if name in (rule.id, rule.pack)]

    def source_of_severity(self, rule: Rule, overrides: Iterable[int]) -> str:
        """Where the severity of a rule's findings is decided."""
        tables: list[Route] = [(), *(("overrides", str(index)) for index in overrides)]
        return self.source(*((*table, "severity", name) for table in tables for name in (rule.pack, rule.id)))
