"""``crdlint rules`` and ``crdlint explain``."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from crdlint.cli import options
from crdlint.cli.output import width, write_out
from crdlint.errors import UsageError
from crdlint.rules.prose import fix_kind
from crdlint.rules.rule import Rule
from crdlint.runner import Choices, catalogue_for


def _as_json(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "pack": rule.pack,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "why": rule.why,
        "fix": fix_kind(rule) if rule.fix else None,
        "marker": rule.marker,
        "references": list(rule.references),
    }


def rules(
    format_: Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")] = "text",
    rules: options.Rules = None,
    debug: options.Debug = False,
) -> None:
    """List the rules."""
    catalogue = catalogue_for(Choices(rules=tuple(rules or ())))
    if format_ == "json":
        write_out(json.dumps([_as_json(rule) for rule in catalogue], indent=2) + "\n")
    elif format_ == "text":
        from crdlint.rules.prose import table

        write_out(table(catalogue))
    else:
        raise UsageError(f"unknown format {format_!r}; choose text or json")


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="The id of a rule.")],
    rules: options.Rules = None,
    debug: options.Debug = False,
) -> None:
    """Explain one rule: what it finds, why it matters and to whom, an example, the fix and how safe it is."""
    catalogue = catalogue_for(Choices(rules=tuple(rules or ())))
    if rule not in catalogue:
        raise UsageError(f"there is no rule {rule!r}{catalogue.hint(rule)}")
    from crdlint.rules.prose import explain

    write_out(explain(catalogue[rule], min(width(sys.stdout), 100)))
