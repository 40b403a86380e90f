"""What a rule file says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from crdlint.findings import Applicability, Severity
from crdlint.yamltext.operations import Op, Operation

CORE = "core"
# Packs whose rules are only used where somebody asks for them.
OPTIONAL_PACKS = frozenset({"conventions"})
# What a rule judges: a file as a whole (by the linter itself), a CRD, one of its versions, the schema of a version's
# status, or that of its conditions.
SCOPES = ("file", "crd", "version", "status", "conditions")


@dataclass(frozen=True)
class RuleFix:
    """What the rule file says of the fix. A check decides applicability and operations for each finding itself."""

    applicability: Applicability
    title: str
    reasons: tuple[str, ...] = ()
    operations: tuple[Operation, ...] = ()
    # When it is safe, unsafe and manual, and what is to be known besides (`note`), where that varies.
    safety: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """A bad and a good version of the same thing: the rule's scope, or a whole document for the scopes file and crd."""

    bad: str
    good: str | None = None


@dataclass(frozen=True)
class Rule:
    id: str
    summary: str
    severity: Severity
    scope: str
    why: str
    pack: str = CORE
    check: str | None = None
    schema: dict[str, Any] | bool | None = field(default=None, hash=False)
    message: str = ""
    # Does the rule speak of stateless kinds, and of a status whose fields are not declared?
    stateless: bool = True
    opaque: bool = False
    fix: RuleFix | None = field(default=None, hash=False)
    marker: str | None = None
    # The Go type or field that the marker belongs to.
    marker_on: str | None = None
    references: tuple[str, ...] = ()
    example: Example | None = None

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Rule:
        """Build a rule from a file's data, which must satisfy the schema of rule files."""
        plain = {key: data[key] for key in ("id", "summary", "scope", "why") if key in data}
        others = ("pack", "check", "schema", "message", "stateless", "opaque", "marker", "marker_on")
        optional = {key: data[key] for key in others if key in data}
        return cls(
            severity=Severity(data["severity"]),
            fix=_fix(data["fix"]) if "fix" in data else None,
            references=tuple(data.get("references", ())),
            example=Example(**data["example"]) if "example" in data else None,
            **plain,
            **optional,
        )


def _fix(data: dict[str, Any]) -> RuleFix:
    operations = tuple(Operation(Op(op["op"]), op["path"], op.get("value")) for op in data.get("operations", ()))
    reasons, safety = tuple(data.get("reasons", ())), data.get("safety", {})
    return RuleFix(Applicability(data["applicability"]), data["title"], reasons, operations, safety)
