"""``crdlint rules`` and ``crdlint explain``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from crdlint.cli import completion, options
from crdlint.cli.output import width, write_out
from crdlint.errors import UsageError
from crdlint.report.text import WIDEST_PROSE

if TYPE_CHECKING:
    from crdlint.rules.catalogue import Catalogue


def rules(
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")] = "text",
    rules: options.Rules = None,
    debug: options.Debug = False,
) -> None:
    """List the rules."""
    from crdlint.rules import prose

    catalogue = _catalogue(rules)
    if format_ == "json":
        write_out(prose.as_json(catalogue))
    elif format_ == "text":
        write_out(prose.table(catalogue, _width()))
    else:
        raise UsageError(f"unknown format {format_!r}; choose text or json")


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="The id of a rule.", autocompletion=completion.rule)],
    rules: options.Rules = None,
    debug: options.Debug = False,
) -> None:
    """Explain one rule.

    What it finds, why it matters and to whom, an example, and the fix and how safe it is.
    """
    from crdlint.rules import prose

    catalogue = _catalogue(rules)
    if rule not in catalogue:
        raise UsageError(f"there is no rule {rule!r}{catalogue.hint(rule)}")
    write_out(prose.explain(catalogue[rule], _width()))


def _width() -> int:
    return min(width(sys.stdout), WIDEST_PROSE)


def _catalogue(folders: list[str] | None) -> Catalogue:
    from crdlint.choices import Choices, catalogue_for

    return catalogue_for(Choices(rules=tuple(folders or ())))
