"""Findings held against those that were known before: what is new, what is old, and what has gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from crdlint.findings import Compared, Finding, Report
from crdlint.report import Options
from crdlint.report.fingerprint import Fingerprint, fingerprint_of

Known = Counter[Fingerprint]


class Files(Protocol):
    """What has to be known of files where findings were known before. Paths are those of fingerprints."""

    def has_left(self, path: str) -> bool:
        """Is there no file any more? What was known there may have moved elsewhere."""

    def looked_for(self, fingerprint: Fingerprint) -> bool:
        """Would this run have found it, if it were still there?"""


@dataclass(frozen=True)
class Comparison:
    """The findings that are not known, and what is known and was not found."""

    new: list[Finding]
    left: Known


def known_from(findings: Iterable[Finding], options: Options) -> Known:
    """Findings as what is known of them later."""
    return Counter(fingerprint_of(finding, options) for finding in findings)


def compare(findings: Sequence[Finding], known: Known, options: Options, files: Files) -> Comparison:
    """Hold findings against what is known of their files, or of others that are no more."""
    left = Counter(known)
    unknown = [finding for finding in findings if not _take(left, fingerprint_of(finding, options))]
    new = list(_not_moved(unknown, left, options, files))
    return Comparison(new, +left)


def only_new(
    report: Report, found: Sequence[Finding], known: Known, options: Options, files: Files, compared: Compared
) -> Report:
    """The report without the findings that are known. ``compared`` says what it is held against.

    ``found`` is all that the run found: where the report has been held against something else already, what that took
    away is not gone.
    """
    comparison = compare(found, known, options, files)
    new = set(map(id, comparison.new))
    results = [
        replace(result, findings=[finding for finding in result.findings if id(finding) in new])
        for result in report.results
    ]
    gone = sum(count for fingerprint, count in comparison.left.items() if files.looked_for(fingerprint))
    compared = replace(compared, old=len(found) - len(new), gone=gone)
    return replace(report, results=results, compared=[*report.compared, compared])


def _take(left: Known, fingerprint: Fingerprint) -> bool:
    """Use up one of the known findings, if there is one left."""
    if not left[fingerprint]:
        return False
    left[fingerprint] -= 1
    return True


def _not_moved(findings: list[Finding], left: Known, options: Options, files: Files) -> Iterator[Finding]:
    """The findings that are not known from another file either, which is no more.

    Where a file was moved and copied as well, nothing tells which of the two is the old one: it is the first by its
    path, and the other is new.
    """
    sources: dict[tuple[str | None, ...], list[Fingerprint]] = {}
    for fingerprint in +left:
        if files.has_left(fingerprint.path):
            sources.setdefault(fingerprint.elsewhere, []).append(fingerprint)
    for finding in findings:
        elsewhere = fingerprint_of(finding, options).elsewhere
        if not any(_take(left, source) for source in sources.get(elsewhere, ())):
            yield finding
