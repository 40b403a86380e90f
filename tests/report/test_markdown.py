"""The summary in Markdown, as its readers read it."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from crdlint.findings import Applicability, Fix
from crdlint.report import Options, blob_address, render
from crdlint.report.markdown import LARGEST, code, prose

from ..surroundings import ROOT
from .build import HeldFiles, checked, clean_report, crd_text, finding, many, plain, report

READER = MarkdownIt("commonmark", {"html": True}).enable("table")
HARMLESS_TAGS = {"h2", "h3", "p", "br", "table", "thead", "tbody", "tr", "th", "td", "code", "a"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[click](https://evil.example)",
    "![x](https://evil.example/x.png)",
    "a|b\\|c`d``e",
    "`",
    "``` x",
    "<!-- ",
    "&lt;b&gt;",
    "https://evil.example www.evil.example",
    "*bold* _it_ ~~no~~ # head",
    "| --- |",
]


def text_of(html: str) -> str:
    plain_text = re.sub(r"<!-- -->|<[^>]+>", "", html)
    return plain_text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text: str) -> None:
    """In prose, as code and in a table: no element that is not ours, no cell too many, and not a character lost."""
    fix = Fix(Applicability.MANUAL, text, refused=text)
    found = report(finding(path=text, message=text, crd=text, version=text, rule=text, fix=fix))
    html = READER.render(render(found, "markdown", Options(files=HeldFiles(crd_text(text)))))
    assert set(re.findall(r"<([a-z0-9]+)", html)) <= HARMLESS_TAGS
    assert not re.findall(r"href", html)
    for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL):
        assert len(re.findall(r"<t[dh]", row)) in (5, 9)
    for written in (prose(text), code(text)):
        (inline,) = re.findall(r"<td>(.*?)</td>", READER.render(f"| x |\n| --- |\n| {written} |\n"), re.DOTALL)
        expected = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"\1", text) if written == prose(text) else text
        assert text_of(inline).strip().replace("`", "") == expected.strip().replace("`", "")


def test_nobody_is_called() -> None:
    written = render(report(plain(message="@everyone see #12 and a@b.example")), "markdown", Options())
    assert "@<!-- -->everyone" in written
    assert "#<!-- -->12" in written
    assert not re.search(r"@\w", written)


def test_links_lead_to_the_line() -> None:
    github = {"GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "abc", "GITHUB_SERVER_URL": "https://ghe.example"}
    assert blob_address(github) == "https://ghe.example/o/r/blob/abc/"
    gitlab = {"CI_PROJECT_URL": "https://gitlab.example/o/r", "CI_COMMIT_SHA": "abc"}
    assert blob_address(gitlab) == "https://gitlab.example/o/r/-/blob/abc/"
    assert blob_address({}) is None
    options = Options(root="/repo", folder="/repo/charts", blob=blob_address(github))
    written = render(report(plain(path="a b).yaml")), "markdown", options)
    assert "[7](https://ghe.example/o/r/blob/abc/charts/a%20b%29.yaml#L7)" in written
    assert "](" not in render(report(plain(path="/elsewhere/a.yaml"), plain(path="-")), "markdown", options)


def test_the_sample_repository() -> None:
    found, options = checked(ROOT / "fixtures/provider-repo", root=ROOT)
    written = render(found, "markdown", options)
    assert "| `lagoonnetworks.infrastructure.example.com` | `v1beta1` (storage) | ❌ off | ✅ integer |" in written
    html = READER.render(written)
    assert html.count("<tr>") == len(found.findings) + 13 + len(re.findall("<table>", html))


def test_a_clean_run() -> None:
    assert render(clean_report(), "markdown", Options()) == (
        "## crdlint\n\n"
        "No findings\\: 1 CRD, 1 version; none is taken as ready by kstatus before a controller has seen it.  \n"
    )


def test_it_stays_below_what_github_takes() -> None:
    written = render(many(12_000), "markdown", Options())
    assert len(written.encode("utf-8")) < LARGEST + 200
    assert written.endswith("There is more than fits here: see the whole report in another format.\n")
