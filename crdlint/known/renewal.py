"""A baseline written anew: with what is found today, and with what this run did not look for as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from crdlint.findings import Finding
from crdlint.known.comparison import Files, Known, compare, known_from
from crdlint.report import Options


@dataclass(frozen=True)
class Renewal:
    """What a baseline is to hold, and how that differs from what it held.

    ``new`` were found and not known, ``kept`` were not looked for, ``gone`` were looked for and not found.
    """

    known: Known
    new: int
    kept: int
    gone: int


def renewed(findings: Sequence[Finding], old: Known, options: Options, files: Files, takes_new: bool) -> Renewal:
    """The baseline after a run that found these."""
    comparison = compare(findings, old, options, files)
    kept = Counter({known: count for known, count in comparison.left.items() if not files.looked_for(known)})
    found = known_from(findings, options)
    if not takes_new:
        found -= known_from(comparison.new, options)
    return Renewal(found + kept, len(comparison.new), kept.total(), comparison.left.total() - kept.total())
