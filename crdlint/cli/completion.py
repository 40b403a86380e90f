"""What shells offer for the values of options."""

from __future__ import annotations

from collections.abc import Iterable

from crdlint.report import FORMATS


def formats(incomplete: str) -> list[str]:
    """Formats of reports."""
    return _beginning_with(incomplete, FORMATS)


def reports(incomplete: str) -> list[str]:
    """The first half of FORMAT=FILE."""
    return _beginning_with(incomplete, (f"{name}=" for name in FORMATS))


def rules(incomplete: str) -> list[str]:
    """Rules that come with crdlint, and packs; the last of several with commas between them."""
    from crdlint.rules.catalogue import Catalogue, core_rules

    before, comma, last = incomplete.rpartition(",")
    catalogue = Catalogue(core_rules())
    names = [*catalogue.packs, *(rule.id for rule in catalogue)]
    return [before + comma + name for name in _beginning_with(last, names)]


def rule(incomplete: str) -> list[str]:
    """A rule that comes with crdlint."""
    from crdlint.rules.catalogue import core_rules

    return _beginning_with(incomplete, (rule.id for rule in core_rules()))


def _beginning_with(start: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(start)]
