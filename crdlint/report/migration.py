"""What there is to tell of a migration in any format: the plan, the checklist, readiness before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from crdlint.crd.model import Crd
from crdlint.findings import FileResult, Finding, Report
from crdlint.migrate.checklist import Item, checklist
from crdlint.migrate.held import BROKEN, SAVED, UNDECIDED, Stored, TakenOut
from crdlint.migrate.plan import CrdPlan, Plan, Step
from crdlint.report import Options
from crdlint.report.readiness import Row, views
from crdlint.words import count


@dataclass(frozen=True)
class Prospect:
    """One version of a CRD as it is, and as the migration leaves it."""

    before: Row
    after: Row


@dataclass(frozen=True)
class Migration:
    """A migration to be told of. ``written`` are the files that it has changed; None where it was only planned."""

    plan: Plan
    items: Sequence[Item]
    prospects: Sequence[Prospect]
    remaining: Sequence[Finding]
    written: Sequence[str] | None = None
    # What became of the stored objects, where some were given.
    stored: Stored | None = None

    @property
    def is_done(self) -> bool:
        return self.written is not None

    @property
    def planned(self) -> int:
        return sum(step.is_planned for _, step in self.plan.steps())

    @property
    def by_hand(self) -> int:
        """The findings that are left to people, those that belong to no CRD among them."""
        return sum(not step.is_planned for _, step in self.plan.steps()) + len(self.plan.others)

    def because_of(self, step: Step) -> TakenOut | None:
        """The stored objects for which a step was taken out; None where it was not."""
        return None if self.stored is None else self.stored.because_of(step)

    def summary(self) -> list[str]:
        """What it comes to, in a few lines."""
        plan, (before, after) = self.plan, self.races()
        files = {copy.path for copy in plan.copies()}
        lines = [*plan.notices, f"{count(len(plan.crds), 'CRD')} in {count(len(files), 'file')}"]
        if self.prospects:
            lines.append(
                f"taken as ready before a controller has seen it: {count(before, 'version')}, afterwards {after}"
            )
        if self.written:
            lines.append(f"{count(len(self.written), 'file')} changed; nothing was committed")
        elif self.planned:
            where = count(len(plan.changed), "file")
            lines.append(f"{count(self.planned, 'step')} planned in {where}; --apply takes them")
        else:
            lines.append("nothing is planned")
        if self.stored is not None:
            lines += self.told_of_objects(self.stored)
        if self.by_hand:
            lines.append(f"{count(self.by_hand, 'finding')} that a person has to decide")
        return lines

    def told_of_objects(self, stored: Stored) -> Iterator[str]:
        taken = sum(self.because_of(step) is not None for _, step in self.plan.steps())
        if taken:
            objects = {one.place for found in stored.taken_out for one in found.broken}
            more = " or more" if any(found.are_more for found in stored.taken_out) else ""
            noun = "object" if len(objects) == 1 else "objects"
            yield f"{count(taken, 'step')} taken out because of {len(objects)}{more} {noun}"
        major, minor = stored.kubernetes
        spared = "saved by ratcheting" if stored.has_ratcheting else "tolerated"
        saved = f", {stored.count(SAVED)} {spared}" if stored.count(SAVED) else ""
        strangers = f", {stored.strangers} of other kinds passed over" if stored.strangers else ""
        yield (
            f"{count(stored.checked, 'stored object')} on Kubernetes {major}.{minor}: {stored.count(BROKEN)} broken"
            f"{' by what is left of the plan' if taken else ''}{saved}, {stored.count(UNDECIDED)} undecided{strangers}"
        )

    def races(self) -> tuple[int, int]:
        """How many versions are taken as ready before a controller has seen them: as it is, and afterwards."""
        return sum(one.before.race for one in self.prospects), sum(one.after.race for one in self.prospects)


def migration(
    plan: Plan,
    is_stateless: Callable[[str, Crd], bool],
    stored: Stored | None = None,
    again: Plan | None = None,
    written: Sequence[str] | None = None,
) -> Migration:
    """All that is to be told of a plan; once it was carried out, with what ``again`` found in the files as they are."""
    before = _Texts({file.path: file.before for file in plan.files.values()}, is_stateless)
    after = _Texts({file.path: file.after for file in plan.files.values()}, is_stateless)
    if again is not None:
        after = _Texts({file.path: file.before for file in again.files.values()}, is_stateless)
    prospects = list(_prospects(plan.crds, _rows(before), _rows(after)))
    return Migration(plan, checklist(plan, stored), prospects, (again or plan).remaining, written, stored)


Rows = Mapping[tuple[str, str | None, str], Row]


def _prospects(crds: Sequence[CrdPlan], before: Rows, after: Rows) -> Iterator[Prospect]:
    """The versions of the leading copies, in the order of the plan."""
    for crd in crds:
        for version in crd.leading.crd.judged_versions:
            key = (crd.leading.path, crd.name, version.name)
            if key in before and key in after:
                yield Prospect(before[key], after[key])


def _rows(texts: _Texts) -> Rows:
    report = Report([FileResult(path, has_crd=True) for path in texts.texts])
    found = (row for view in views(report, Options(files=texts), with_fixes=False) for row in view.rows)
    return {(row.path, row.crd.name or "", row.version.name): row for row in found}


class _Texts:
    """Files as they are at one moment of the migration."""

    def __init__(self, texts: Mapping[str, bytes], is_stateless: Callable[[str, Crd], bool]) -> None:
        self.texts = texts
        self.is_stateless = is_stateless

    def read(self, path: str) -> bytes | None:
        return self.texts.get(path)

    def fixed(self, path: str, data: bytes) -> bytes:
        return data
