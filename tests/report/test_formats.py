"""What holds for every format: the registry, and text that means harm."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crdlint.errors import UsageError
from crdlint.findings import Applicability, Finding, Fix
from crdlint.report import FORMATS, Options, render, renderer
from crdlint.report.sanitise import dangerous

from .build import TEXT, HeldFiles, Rule, crd_text, embedded, finding, report

HOSTILE = [
    "%0A::error::forged",
    "\n::error::forged",
    "\r\n::stop-commands::x",
    "::add-mask::x",
    "##[error]forged",
    "<script>alert(1)</script>",
    "\x1b[2J\x1b[H",
    "\x9b2J",
    "\u202egnp.exe",
    "\u2066hidden\u2069",
    "line\u2028break\u2029",
    "\x00\x07\x08\x7f\x85",
    "x" * 10_000,
    "a:b,c=d;e",
    '"quoted\\',
    "[click](https://evil.example)",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a|b\\|c`d``e",
    "@everyone #1",
    "]]><!--{{script}}",
    "\ufffe\uffff",
    "caf\udce9",
    "👩‍💻 日本語",
]
LINES_OF_TEXT = {"text", "github", "markdown"}


def hostile_finding(text: str) -> Finding:
    fix = Fix(Applicability.UNSAFE, text, (text, f"because {text}"), refused=text)
    return finding(path=text, message=f"CRD {text} is odd", crd=text, kind=text, version=text, fix=fix, marker=text)


def rendered(name: str, *findings: Finding, text: str | None = TEXT, crd: str | None = None) -> str:
    """The report of the findings; the CRD named stands in each of their files."""
    files = HeldFiles("" if crd is None else crd_text(crd))
    options = Options(version="1", rules=[Rule("missing-status-subresource")], files=files)
    return render(report(*findings, text=text), name, options)


def assert_harmless(name: str, output: str) -> None:
    """Nothing that acts on a terminal, whatever the format; `dangerous` also knows the brackets of CI commands."""
    found = dangerous().search(output.replace("\n", "")) if name in LINES_OF_TEXT else re.search(r"[^ -~\n]", output)
    assert found is None, found
    output.encode("utf-8")


def assert_well_formed(name: str, output: str) -> None:
    """What reads the format can read the output, and finds nothing in it that text has put there."""
    if name == "junit":
        assert {element.tag for element in ElementTree.fromstring(output).iter()} <= JUNIT_TAGS
    elif name == "html":
        assert isinstance(embedded(output)["findings"], list)
        assert re.findall(r"<script[^>]*>", output) == ['<script type="application/json" id="data">', "<script>"]
    elif name not in LINES_OF_TEXT:
        for line in output.splitlines() if name == "jsonl" else [output]:
            json.loads(line)


JUNIT_TAGS = {"testsuites", "testsuite", "testcase", "failure", "system-out"}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:16]))
def test_hostile_text_is_harmless(name: str, text: str) -> None:
    output = rendered(name, hostile_finding(text), text=f"{text}\n" * 9, crd=text)
    assert_harmless(name, output)
    assert_well_formed(name, output)
    commands = [line for line in output.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == (name == "github")
    if name in LINES_OF_TEXT:
        assert max(map(len, output.splitlines())) < 5_000


ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)


@given(path=ANY_TEXT, message=ANY_TEXT, crd=ANY_TEXT, marker=ANY_TEXT, text=ANY_TEXT)
def test_any_text_is_harmless(path: str, message: str, crd: str, marker: str, text: str) -> None:
    fix = Fix(Applicability.MANUAL, message, (crd,))
    findings = [
        finding(path=path or "x", message=message, crd=crd, marker=marker, fix=fix, line=line, end_line=line)
        for line in (1, 2)
    ]
    for name in FORMATS:
        output = rendered(name, *findings, text=text)
        assert_harmless(name, output)
        assert_well_formed(name, output)
    lines = rendered("github", *findings).splitlines()
    assert sum(line.lstrip().startswith("::") for line in lines) == len(findings)


@given(path=st.text(min_size=1), message=st.text(), crd=st.none() | st.text())
def test_json_gives_back_what_was_put_in(path: str, message: str, crd: str | None) -> None:
    given_finding = finding(path=path, message=message, crd=crd)
    (whole,) = json.loads(rendered("json", given_finding))["findings"]
    line = json.loads(rendered("jsonl", given_finding))
    assert whole == line
    assert (line["path"], line["message"], line["crd"]) == (path, message, crd)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_renders_nothing_and_something(name: str) -> None:
    for output in (rendered(name), rendered(name, finding())):
        assert output == "" or output.endswith("\n")
        assert not output.endswith("\n\n")


def test_an_unknown_format_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'jsonl'"):
        renderer("jsonlines")
    with pytest.raises(UsageError, match="use one of text, json, "):
        renderer("yamlish")


# What shows findings as text.
FINDINGS = {"ending", "frame", "notes", "text"}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_loads_no_other(name: str) -> None:
    program = (
        f"import sys; from crdlint.report import renderer; renderer({name!r}); "
        "print(*[module for module in sys.modules if module.startswith('crdlint.report.') or module == 'rich'])"
    )
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    allowed = {
        "text": FINDINGS,
        "github": {*FINDINGS, "github"},
        "sarif": {"jsonformat", "sarif", "fingerprint", "links"},
        "gitlab": {"jsonformat", "gitlab", "fingerprint", "links"},
        "junit": {*FINDINGS, "junit", "links"},
        "markdown": {*FINDINGS, "markdown", "links"},
        "html": {*FINDINGS, "changes", "html", "jsonformat", "lanes", "links", "readiness"},
    }
    loaded = {module.removeprefix("crdlint.report.") for module in output.split()} - {"sanitise"}
    assert loaded == allowed.get(name, {"jsonformat"})
