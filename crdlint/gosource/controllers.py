"""Collects from all controllers of a repository what they do to the objects of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from crdlint.gosource.events import Event
from crdlint.gosource.evidence import Evidence, EvidenceLine, Question, Verdict
from crdlint.gosource.expressions import Expressions
from crdlint.gosource.flow import Functions
from crdlint.gosource.gotypes import Types
from crdlint.gosource.kinds import GoKind
from crdlint.gosource.package import Declaration
from crdlint.gosource.packages import Packages, is_aside
from crdlint.gosource.syntax import GoFile
from crdlint.gosource.values import Owner, Parts

# A function without any of these writes no status, unless its file imports one of the libraries.
_TELLING = re.compile(
    rb"[oO]bservedGeneration|SetStatusCondition|Status\(\)|UpdateStatus\(|\.Update\(|\.Patch\(|\.Conditions\b"
)
_LIBRARIES = re.compile(rb"sigs\.k8s\.io/cluster-api/util/|github\.com/fluxcd/pkg/runtime/")
# Called by the framework, under names that no code of the repository has to say.
_CALLED_FROM_OUTSIDE = frozenset(("Reconcile", "ReconcileKind", "main", "init"))
_RBAC = re.compile(rb"//[ \t]*\+kubebuilder:rbac:([^\r\n]*)")
_ARGUMENT = re.compile(r"(\w+)=(\"[^\"]*\"|`[^`]*`|[^,]*)")


class Controllers:
    """What the controllers of a repository write, by kind."""

    def __init__(self, packages: Packages, types: Types, kinds: Iterable[GoKind]) -> None:
        self.packages = packages
        self.kinds = list(kinds)
        api = frozenset(kind.declaration.package.folder for kind in self.kinds)
        self.functions = Functions(Expressions(types, Parts(self.kinds, types)), api)

    def evidence(self, group: str, kind: str) -> Evidence:
        """The answers for one kind. What is done to objects of unknown kinds counts where nothing else is known."""
        plurals = {one.plural for one in self.kinds if (one.group, one.kind) == (group, kind)}
        if not plurals:
            return Evidence(dict.fromkeys(Question, Verdict.UNKNOWN), ())
        own = [event for event in self.events if event.owner == Owner((group, kind))]
        proven = {event.question for event in own if event.verdict is Verdict.WRITTEN}
        own += [event for event in self.events if event.owner is None and event.question not in proven]
        lines = [_line(event) for event in own]
        lines += [*self._rbac_lines(group, plurals), *self._unread]
        verdicts = {question: _verdict(question, lines) for question in Question}
        if verdicts[Question.STATUS_RBAC] is Verdict.NOT_FOUND and not self._rbac_markers:
            verdicts[Question.STATUS_RBAC] = Verdict.UNKNOWN
        endpoint = verdicts[Question.STATUS_ENDPOINT]
        if endpoint is Verdict.WRITTEN and verdicts[Question.STATUS_RBAC] is not Verdict.WRITTEN:
            verdicts[Question.STATUS_ENDPOINT] = Verdict.UNKNOWN
        return Evidence(verdicts, tuple(sorted(set(lines), key=lambda line: (line.path, line.line, line.what))))

    @cached_property
    def events(self) -> list[Event]:
        """All that is done to objects of known kinds, or to ones of which the kind is not known."""
        found = []
        for function in self._controller_functions():
            events = [event for event in self.functions.summary(function).events if not event.is_for_callers]
            is_live = bool(events) and self._is_called(function)
            for event in map(self.functions.decided, events):
                if is_live and event.owner is not None:
                    found.append(event)
                elif event.verdict is not Verdict.NOT_FOUND:
                    found.append(_left_open(event, is_live))
        return found

    def _controller_functions(self) -> Iterator[Declaration]:
        """Functions that may write status; then those that call what was found to write for its callers."""
        read: set[tuple[str, int]] = set()
        needle = _TELLING
        while True:
            helpers = set()
            for function in self._matching(needle, read):
                is_api = function.package.folder in self.functions.api
                events = self.functions.summary(function).events
                if not is_api:
                    yield function
                if any(is_api or event.is_for_callers for event in events):
                    helpers.add(function.name.rpartition(".")[2])
            if not helpers:
                return
            needle = re.compile(rb"\b(?:" + b"|".join(re.escape(name.encode()) for name in sorted(helpers)) + rb")\(")

    def _matching(self, needle: re.Pattern[bytes], read: set[tuple[str, int]]) -> Iterator[Declaration]:
        """The functions with a certain text in them that were not read yet."""
        for package, file in self.packages.files:
            uses_library = needle is _TELLING and _LIBRARIES.search(file.data) is not None
            if is_aside(self.packages, package) or not (uses_library or needle.search(file.data)):
                continue
            for (what, name), node in package.declared_in(file).items():
                if what not in ("function", "method") or (file.path, node.start_byte) in read:
                    continue
                if uses_library or needle.search(file.data, node.start_byte, node.end_byte):
                    read.add((file.path, node.start_byte))
                    yield Declaration(file, node, package, name)

    def _is_called(self, function: Declaration) -> bool:
        """Does any code of the repository name this function, beside its declaration?"""
        name = function.name.rpartition(".")[2]
        if name in _CALLED_FROM_OUTSIDE:
            return True
        wanted = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
        count = 0
        for _, file in self.packages.files:
            if name.encode() in file.data:
                count += sum(1 for match in wanted.finditer(file.data) if not _is_in_comment(file, match.start()))
                if count > 1:
                    return True
        return False

    @cached_property
    def _rbac_markers(self) -> list[tuple[GoFile, int, dict[str, list[str]]]]:
        """The markers that ask for rights: file, offset, and the lists of their arguments."""
        return [
            (file, match.start(), _arguments(match[1].decode("utf-8", "replace")))
            for _, file in self.packages.files
            if b"+kubebuilder:rbac" in file.data
            for match in _RBAC.finditer(file.data)
        ]

    @cached_property
    def _unread(self) -> list[EvidenceLine]:
        """What may write status and cannot be read, files and calls that go too deep: it leaves everything open."""
        found = [
            (file, 0, "the file cannot be read")
            for package, file in self.packages.files
            if _may_write(file) and not is_aside(self.packages, package) and not package.is_readable(file)
        ]
        found += [
            (function.file, function.node.start_byte, "calls go too deep to be followed in here")
            for function in self.functions.not_followed
        ]
        questions = [question for question in Question if question is not Question.STATUS_RBAC]
        return [_at(*one[:2], question, Verdict.UNKNOWN, one[2]) for one in found for question in questions]

    def _rbac_lines(self, group: str, plurals: set[str]) -> Iterator[EvidenceLine]:
        wanted = {"*", "*/status", *(f"{plural}/status" for plural in plurals)}
        for file, offset, arguments in self._rbac_markers:
            may_write = {"update", "patch", "*"} & set(arguments.get("verbs", ()))
            asked = wanted & set(arguments.get("resources", ()))
            if asked and {group, "*"} & set(arguments.get("groups", ())):
                verdict = Verdict.WRITTEN if may_write else Verdict.NOT_FOUND
                what = f"asks for the right to write {min(asked)}" if may_write else "asks for no writes"
                yield _at(file, offset, Question.STATUS_RBAC, verdict, what)


def _may_write(file: GoFile) -> bool:
    return bool(_TELLING.search(file.data) or _LIBRARIES.search(file.data))


def _verdict(question: Question, lines: list[EvidenceLine]) -> Verdict:
    """What the lines on a question come to. That some writes leave conditions without a generation leaves it open."""
    said = {line.verdict for line in lines if line.question is question}
    if Verdict.WRITTEN not in said:
        return Verdict.UNKNOWN if Verdict.UNKNOWN in said else Verdict.NOT_FOUND
    wants_all = question in (Question.CONDITION_GENERATION, Question.STATUS_ENDPOINT)
    return Verdict.UNKNOWN if wants_all and said != {Verdict.WRITTEN} else Verdict.WRITTEN


def _left_open(event: Event, is_live: bool) -> Event:
    why = "in a function that nothing calls" if not is_live else "of an object whose kind is not known"
    return replace(event, verdict=Verdict.UNKNOWN, what=f"{event.what}, {why}")


def _line(event: Event) -> EvidenceLine:
    return _at(event.file, event.offset, event.question, event.verdict, event.what)


def _at(file: GoFile, offset: int, question: Question, verdict: Verdict, what: str) -> EvidenceLine:
    place = file.place(offset)
    return EvidenceLine(question, verdict, place.path, place.line, place.column, what, file.source_line(offset))


def _arguments(text: str) -> dict[str, list[str]]:
    return {name: value.strip('"`').split(";") for name, value in _ARGUMENT.findall(text)}


def _is_in_comment(file: GoFile, offset: int) -> bool:
    line = file.line_start(file.line_of(offset))
    return b"//" in file.data[line:offset]
