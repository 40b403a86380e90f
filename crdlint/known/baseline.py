"""The baseline: a file with the findings that are known, so that a check reports only new ones.

It is made to be committed: sorted, a finding a line, without lines and wording, so that it changes only where findings
come and go.
"""

from __future__ import annotations

import json
from typing import Any

from crdlint.errors import UsageError
from crdlint.known.comparison import Known
from crdlint.report.fingerprint import Fingerprint

FILE_NAME = ".crdlint-baseline.json"
FORMAT = "crdlint-baseline/v1"
_COUNT = "count"


def as_text(known: Known) -> str:
    """The content of a baseline file."""
    entries = sorted(known.items(), key=lambda item: [(part is not None, part or "") for part in item[0]])
    lines = ",\n".join(json.dumps(_entry(fingerprint, count)) for fingerprint, count in entries)
    listed = f"[\n{lines}\n]" if lines else "[]"
    return f'{{"format": "{FORMAT}",\n"findings": {listed}}}\n'


def read(path: str) -> Known:
    """What a baseline file holds. Raises `UsageError` that names the place of what is wrong."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such baseline: `crdlint baseline --output {path}` makes one") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the baseline cannot be read: it is not UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path}: the baseline cannot be read: {error.strerror}") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: the baseline cannot be read: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: the baseline cannot be read: {error}") from None
    return _known(path, data)


def _known(path: str, data: Any) -> Known:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(
            f"{path}:1:1: this is no baseline in the format {FORMAT}: remove it, and make one with `crdlint baseline`"
        )
    findings = data.get("findings")
    if not isinstance(findings, list):
        raise UsageError(
            f"{path}:1:1: the baseline has no list of `findings`: remove it, and make one with `crdlint baseline`"
        )
    known = Known()
    for number, entry in enumerate(findings, 1):
        try:
            fingerprint, count = _finding(entry)
        except (KeyError, TypeError, ValueError):
            raise UsageError(
                f"{path}: finding {number} of the baseline is none: remove it, and make one with `crdlint baseline`"
            ) from None
        known[fingerprint] += count
    return known


def _entry(fingerprint: Fingerprint, count: int) -> dict[str, Any]:
    entry: dict[str, Any] = fingerprint._asdict()
    return entry | {_COUNT: count} if count > 1 else entry


def _finding(entry: dict[str, Any]) -> tuple[Fingerprint, int]:
    """Raises `KeyError`, `TypeError` or `ValueError` where it is none."""
    fingerprint = Fingerprint(**{name: entry[name] for name in Fingerprint._fields})
    count = entry.get(_COUNT, 1)
    names = (fingerprint.path, fingerprint.rule)
    if not all(isinstance(name, str) for name in names) or type(count) is not int or count < 1:
        raise ValueError(f"{entry} is no finding")
    hash(fingerprint)
    return fingerprint, count
