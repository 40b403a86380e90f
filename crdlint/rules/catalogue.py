"""Which rules there are, and which of them a run uses."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from crdlint.errors import UsageError
from crdlint.project import pack_directory
from crdlint.rules.rule import Rule
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse


@lru_cache(maxsize=1)
def core_rules() -> tuple[Rule, ...]:
    """The rules that come with crdlint, in the order of their ids."""
    return tuple(_read(path) for path in sorted(pack_directory().glob("*.yaml")))


def _read(path: Path) -> Rule:
    root = parse(path.read_text("utf-8")).documents[0].root
    assert root is not None
    return Rule.from_data(to_data(root))


class Catalogue:
    """All rules of a run, by id and by pack."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = {rule.id: rule for rule in rules}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())

    def __getitem__(self, rule_id: str) -> Rule:
        return self._rules[rule_id]

    def __contains__(self, rule_id: str) -> bool:
        return rule_id in self._rules

    @property
    def packs(self) -> list[str]:
        return sorted({rule.pack for rule in self})

    def expand(self, names: Iterable[str], where: Callable[[int], str]) -> set[str]:
        """The ids that ids and packs stand for.

        Raises `UsageError` for a name that is neither; ``where`` tells where the name of an index stands.
        """
        found: set[str] = set()
        for index, name in enumerate(names):
            if name in self._rules:
                found.add(name)
            elif name in self.packs:
                found |= {rule.id for rule in self if rule.pack == name}
            else:
                raise UsageError(f"{where(index)}: there is no rule or pack {name!r}{self.hint(name, packs=True)}")
        return found

    def hint(self, name: str, packs: bool = False) -> str:
        """A question that names the nearest id, or the nearest of ids and packs, if one is near."""
        names = [*self._rules, *(self.packs if packs else ())]
        wanted = name.lower().replace("_", "-")
        near = difflib.get_close_matches(wanted, names, n=1) or [known for known in names if wanted and wanted in known]
        return f"; did you mean {near[0]!r}?" if near else "; `crdlint rules` lists them"
