"""What follows the findings of the text format: their counts by rule where there are many, and the ways on."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crdlint.report.sanitise import clean_short

if TYPE_CHECKING:
    from crdlint.findings import Report

# More findings than these are more than can be overlooked, and more than can be mended at once.
MANY = 20
VERY_MANY = 100

_WAYS_ON = "More: `crdlint explain RULE`; to silence one: `# crdlint: ignore[RULE] reason`."
_MANY = "A line for each: `-q`; a page to look through: `--report html=FILE`."
_VERY_MANY = "New ones only: `crdlint baseline`, then `crdlint check --baseline FILE`."


def counts_by_rule(report: Report) -> Iterator[str]:
    """A line for each rule that is broken, where there are many findings."""
    if len(report.findings) <= MANY:
        return
    counts = Counter((finding.severity, finding.rule) for finding in report.findings)
    width = len(str(max(counts.values())))
    for (severity, rule), number in sorted(counts.items(), key=lambda item: (-item[0][0].rank, -item[1], item[0][1])):
        yield f"{number:>{width}} {severity.value}[{clean_short(rule)}]"


def ways_on(report: Report, width: int) -> Iterator[str]:
    """What to do with findings, beside mending them."""
    if not report.findings:
        return
    yield from textwrap.wrap(_WAYS_ON, width)
    if len(report.findings) > MANY:
        yield from textwrap.wrap(_MANY, width)
    if len(report.findings) > VERY_MANY and not report.compared:
        yield from textwrap.wrap(_VERY_MANY, width)
