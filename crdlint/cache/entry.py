"""The result of one file as data, and back. The path is not part of it: equal files have equal results."""

from __future__ import annotations

import json
from typing import Any

from crdlint.findings import Applicability, FileResult, Finding, Fix, Severity
from crdlint.yamltext.operations import Op, Operation

# Larger than any line, column or count, and small enough for whatever is done with one.
_LARGEST = 1 << 40


def encode(result: FileResult) -> str:
    """JSON in ASCII on one line. Raises `ValueError` for a result that would not come back as it is."""
    findings = [_finding_data(finding) for finding in result.findings]
    counts = [result.has_crd, result.crds, result.versions, result.races, result.undecided]
    return json.dumps([*counts, findings], separators=(",", ":"))


def decode(data: Any, path: str) -> FileResult:
    """The result, for the file at ``path``. Raises `ValueError` for data that are none."""
    try:
        has_crd, crds, versions, races, undecided, findings = data
        result = FileResult(path, [_finding(item, path) for item in findings], _flag(has_crd))
        result.crds, result.versions, result.races, result.undecided = map(_number, (crds, versions, races, undecided))
    except TypeError as error:
        raise ValueError(str(error)) from None
    return result


def _finding_data(finding: Finding) -> list[Any]:
    place = [finding.line, finding.column, finding.end_line, finding.end_column]
    about = [finding.crd, finding.kind, finding.version, finding.pointer]
    fix = None if finding.fix is None else _fix_data(finding.fix)
    marker = [finding.marker, finding.marker_on]
    return [finding.rule, finding.severity.value, finding.message, *place, *about, fix, *marker]


def _finding(data: Any, path: str) -> Finding:
    rule, severity, message, line, column, end_line, end_column, *about, fix, marker, marker_on = data
    crd, kind, version, pointer = map(_optional, about)
    return Finding(
        _text(rule),
        Severity(severity),
        _text(message),
        path,
        _number(line),
        _number(column),
        _number(end_line),
        _number(end_column),
        crd,
        kind,
        version,
        pointer,
        None if fix is None else _fix(fix),
        _optional(marker),
        _optional(marker_on),
    )


def _fix_data(fix: Fix) -> list[Any]:
    operations = [[operation.op.value, operation.pointer, _plain(operation.value)] for operation in fix.operations]
    return [fix.applicability.value, fix.title, fix.reasons, operations, fix.refused, fix.document, fix.stage]


def _fix(data: Any) -> Fix:
    applicability, title, reasons, operations, refused, document, stage = data
    return Fix(
        Applicability(applicability),
        _text(title),
        tuple(map(_text, reasons)),
        tuple(Operation(Op(op), _text(pointer), value) for op, pointer, value in operations),
        _optional(refused),
        _number(document),
        _number(stage),
    )


def _plain(value: Any) -> Any:
    """The value of an operation, which JSON must not turn into another one."""
    if type(value) is dict and all(type(key) is str for key in value):
        return {key: _plain(item) for key, item in value.items()}
    if type(value) is list:
        return [_plain(item) for item in value]
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise ValueError(f"JSON has no {type(value).__name__}")


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("a text is expected")
    return value


def _optional(value: Any) -> str | None:
    return None if value is None else _text(value)


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < _LARGEST:
        raise ValueError("a number is expected")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("true or false is expected")
    return value
