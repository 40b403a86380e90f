"""What is known before a run, and not reported again: a baseline, or the findings of a Git revision."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from typing import Protocol

from crdlint.cache.results import ResultCache
from crdlint.choices import Choices, is_excluded, linter_for
from crdlint.cli.places import repository_root, working_folder
from crdlint.errors import UsageError
from crdlint.files import SUFFIXES
from crdlint.findings import Compared, Finding, Report
from crdlint.known import baseline
from crdlint.known.comparison import known_from, only_new
from crdlint.known.revision import Changes, changes_since, contents
from crdlint.report import Options
from crdlint.report.fingerprint import Fingerprint
from crdlint.runner import Job, check_content


class KnownBefore(Protocol):
    def concerns(self, path: str) -> bool:
        """Is the file to be checked at all?"""

    def only_new(self, report: Report, found: Sequence[Finding]) -> Report:
        """The report without what is known. It may lack some of what the run has found already."""


def surroundings(root: str | None = None) -> Options:
    """What tells the path of a fingerprint: from the repository's root, or else from the working folder."""
    folder = working_folder()
    return Options(root=root or repository_root(folder) or folder, folder=folder)


class Baseline:
    """The findings of a baseline file."""

    def __init__(self, path: str, choices: Choices, paths: Sequence[str]) -> None:
        self._path = path
        self._choices = choices
        self._paths = paths
        self._known = baseline.read(path)

    def concerns(self, path: str) -> bool:
        return True

    def only_new(self, report: Report, found: Sequence[Finding]) -> Report:
        options = surroundings()
        advice = f"`crdlint baseline --prune --output {self._path}` drops them, and takes nothing new"
        compared = Compared(f"the baseline {self._path}", advice=advice)
        files = BaselineFiles(self._choices, options, self._paths, report)
        return only_new(report, found, self._known, options, files, compared)


class BaselineFiles:
    """The files that a baseline speaks of, beside those of a run, which may be some of them.

    A file that is no more was looked for only where it would have been found: it may have moved to where the run did
    not look.
    """

    def __init__(self, choices: Choices, options: Options, paths: Sequence[str], report: Report) -> None:
        self._choices = choices
        self._root = options.root or ""
        self._asked = [posixpath.join(os.path.abspath(path).replace(os.sep, "/"), "") for path in paths]
        self._checked = {options.from_root(result.path) for result in report.results}

    def has_left(self, path: str) -> bool:
        return not os.path.exists(os.path.join(self._root, path))

    def looked_for(self, fingerprint: Fingerprint) -> bool:
        path = fingerprint.path
        is_checked = path in self._checked or (self.has_left(path) and self._is_asked(path))
        return is_checked and self._is_selected(fingerprint)

    def _is_asked(self, path: str) -> bool:
        """Is a path one of those that were named, or below one?"""
        return posixpath.join(self._root, path, "").startswith(tuple(self._asked))

    def _is_selected(self, fingerprint: Fingerprint) -> bool:
        if self._choices.select is None and not self._choices.ignore:
            return True
        linter = linter_for(os.path.join(self._root, fingerprint.path), self._choices)
        return fingerprint.rule in linter.settings.selected


class Since:
    """The findings of a Git revision. Only files that have changed since are checked."""

    def __init__(self, revision: str, choices: Choices, cache: ResultCache | None) -> None:
        self._revision = revision
        self._choices = choices
        self._cache = cache
        self._changes = changes_since(revision)
        self._root = os.path.realpath(self._changes.root)

    def concerns(self, path: str) -> bool:
        return self._from_root(path) in self._changes.files

    def only_new(self, report: Report, found: Sequence[Finding]) -> Report:
        options = surroundings(self._changes.root)
        known = known_from(self._old_findings(report), options)
        return only_new(report, found, known, options, _ChangedFiles(self._changes), Compared(self._revision))

    def _from_root(self, path: str) -> str:
        folder, name = os.path.split(path)
        inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), self._root)
        if inside.startswith(os.pardir):
            raise UsageError(f"{path}: lies outside of the repository {self._root}, which --since speaks of")
        return inside.replace(os.sep, "/")

    def _old_findings(self, report: Report) -> list[Finding]:
        """What a check would have found then, with the configuration and the names that files have now."""
        changed = [(result.path, self._changes.files[self._from_root(result.path)]) for result in report.results]
        removed = [(os.path.join(self._changes.root, old.path), old) for old in self._changes.removed]
        known = [(path, old) for path, old in changed if old is not None]
        known += [(path, old) for path, old in removed if self._would_be_checked(path)]
        found: list[Finding] = []
        texts = contents(self._changes.root, [old for _, old in known])
        for (path, _), data in zip(known, texts, strict=True):
            found += check_content(path, data, Job(self._choices, keeps_text=False), self._cache).findings
        if self._cache is not None:
            self._cache.keep()
        return found

    def _would_be_checked(self, path: str) -> bool:
        """Would a file be checked if it were there still?"""
        return path.endswith(SUFFIXES) and not is_excluded(path, False, self._choices)


class _ChangedFiles:
    def __init__(self, changes: Changes) -> None:
        self._removed = {old.path for old in changes.removed}

    def has_left(self, path: str) -> bool:
        return path in self._removed

    def looked_for(self, fingerprint: Fingerprint) -> bool:
        return True
