"""Findings held against those that were known before: what is new, what is old, and what has gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
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


def known_from(findings: Iterable[Finding], options: Options) -> Known:
    """Findings as what is known of them later."""
    return Counter(fingerprint_of(finding, options) for finding in findings)


def only_new(report: Report, known: Known, options: Options, files: Files, compared: Compared) -> Report:
    """The report without the findings that are known. ``compared`` says what it is held against."""
    left = Counter(known)
    unknown = [finding for finding in report.findings if not _take(left, fingerprint_of(finding, options))]
    new = set(map(id, _not_moved(unknown, left, options, files)))
    results = [
        replace(result, findings=[finding for finding in result.findings if id(finding) in new])
        for result in report.results
    ]
    gone = sum(count for fingerprint, count in left.items() if count and files.looked_for(fingerprint))
    compared = replace(compared, old=len(report.findings) - len(new), gone=gone)
    return replace(report, results=results, compared=[*report.compared, compared])


def _take(left: Known, fingerprint: Fingerprint) -> bool:
    """Use up one of the known findings, if there is one left."""
    if not left[fingerprint]:
        return False
    left[fingerprint] -= 1
    return True


def _not_moved(findings: list[Finding], left: Known, options: Options, files: Files) -> Iterator[Finding]:
    """The findings that are not known from another file either, which is no more.

    One CRD often stands in several files: where it is not clear which of them was moved, none was.
    """
    sources: dict[tuple[str | None, ...], list[Fingerprint]] = {}
    for fingerprint in +left:
        if files.has_left(fingerprint.path):
            sources.setdefault(fingerprint.elsewhere, []).append(fingerprint)
    targets = Counter(fingerprint.elsewhere for fingerprint in known_from(findings, options))
    for finding in findings:
        elsewhere = fingerprint_of(finding, options).elsewhere
        source = sources.get(elsewhere, [])
        if not (len(source) == targets[elsewhere] == 1 and _take(left, source[0])):
            yield finding
