"""Go sources of a repository: the types that its CRDs are generated from, and what its controllers write.

    repository = scan(root)                         # UsageError where crdlint[go] is not installed
    repository.kinds, repository.kind(group, kind, version)     # GoKind: places, status, conditions, markers
    repository.problems                             # files that cannot be parsed, as far as they were asked for
    repository.evidence(group, kind)                # Evidence: writes, verdicts by Question, lines
    plan(repository, go_kind, rule_id, finding)     # SourceChange, ByHand, or None where the rule has no source side
    place_of(go_kind, finding)                      # the line of Go that a finding is about
    apply_edits(path, data, edits)                  # the new bytes of one file, for crdlint.fix.write.replace_file

A finding whose fix waits for another one has no operations, and so no plan, until that one is made and the CRD is
checked again. Edits of several plans may be applied together: equal ones count once, and `apply_edits` sets the columns
of the structs that it changes as gofmt does.
"""

from __future__ import annotations

from crdlint.gosource.edits import Edit, EditConflict, apply_edits
from crdlint.gosource.evidence import Evidence, EvidenceLine, Question, Verdict
from crdlint.gosource.kinds import GoKind
from crdlint.gosource.plan import ByHand, SourceChange, place_of
from crdlint.gosource.repository import GoRepository, plan, scan
from crdlint.gosource.syntax import Marker, Place

__all__ = [
    "ByHand",
    "Edit",
    "EditConflict",
    "Evidence",
    "EvidenceLine",
    "GoKind",
    "GoRepository",
    "Marker",
    "Place",
    "Question",
    "SourceChange",
    "Verdict",
    "apply_edits",
    "place_of",
    "plan",
    "scan",
]
