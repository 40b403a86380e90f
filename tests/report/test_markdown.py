"""The summary in Markdown, as its readers read it."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from crdlint.findings import Applicability, Compared, Fix
from crdlint.report import Options, blob_address, render
from crdlint.report.markdown import LARGEST, LONG, MANY, code, prose

from ..surroundings import ROOT
from .build import HeldFiles, checked, clean_report, crd_text, finding, many, plain, report

READER = MarkdownIt("commonmark", {"html": True}).enable("table")
HARMLESS_TAGS = {
    "h2",
    "h3",
    "p",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "code",
    "a",
    "em",
    "details",
    "summary",
}
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
    "a](https://evil.example)",
    "# head",
    "> quoted",
    "_a_b_ snake_case __init__ *a*b",
    "a<b> a < b -> c <!DOCTYPE> <?x?> </p>",
    "&amp &#60; a & b && &lt",
    ":smile: a:b c: d",
    "mailto:a@b.example xmpp:a@b.example ftp://evil.example",
    "ends in !",
    "$a$ and $$",
    "\\",
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


@pytest.mark.parametrize(
    "text",
    [
        "No new findings: 3 CRDs (2 new), 1 version; nothing yet, or x <= 3 & y >= 4!  Good",
        "snake_case names, status.observedGeneration -1, a -> b, #tag, 50% + 2 = 52 {x} 'y' \"z\" /status",
    ],
)
def test_what_means_nothing_is_not_escaped(text: str) -> None:
    """The summary is also read as it stands, in a log."""
    assert prose(text) == text


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
    assert "_lagoonnetworks.yaml` | `v1beta1` (storage) | ❌ off | ✅ integer |" in written
    html = READER.render(written)
    assert html.count("<tr>") == len(found.findings) + 13 + len(re.findall("<table>", html))


def rows_of(written: str) -> list[str]:
    """The names of the CRDs in the table of readiness."""
    return re.findall(r"^\| `(\S+)` \|", written.partition("### Can its status")[2], re.MULTILINE)


def test_findings_come_before_readiness() -> None:
    written = render(report(finding(crd="w")), "markdown", Options(files=HeldFiles(crd_text("w"))))
    assert written.index("missing-status-subresource") < written.index("### Can its status be waited on?")
    assert "<details>" not in written
    assert "*never*: waits although the object is ready" in written
    assert "*stateless*" not in written


def test_the_file_is_told_where_a_crd_stands_in_several() -> None:
    files = HeldFiles(crd_text("w"))
    one = render(report(finding(path="a.yaml")), "markdown", Options(files=files))
    two = render(report(finding(path="a.yaml"), finding(path="b.yaml")), "markdown", Options(files=files))
    assert "| CRD | Version |" in one
    assert "| CRD | File | Version |" in two
    assert "| `w` | `b.yaml` | `w` (storage) |" in two


def test_long_tables_are_folded_and_longer_ones_cut() -> None:
    """Of many versions, or where only what is new is shown, those are left whose CRDs have findings."""
    options = Options(files=HeldFiles(crd_text("w")))

    def written(number: int, with_findings: int, compared: bool = False) -> str:
        found = [finding(path=f"{index:03}.yaml", crd="w") for index in range(number)]
        made = report(*found)
        for result in made.results[with_findings:]:
            result.findings.clear()
        made.compared += [Compared("baseline.json", 1)] * compared
        return render(made, "markdown", options)

    assert "<details>" not in written(LONG, 1)
    folded = written(LONG + 1, 1)
    assert f"<details><summary>{LONG + 1} versions</summary>\n\n|" in folded
    assert folded.rstrip().endswith("</details>")
    assert "<table>" in READER.render(folded).partition("<details>")[2]
    assert len(rows_of(written(MANY, 2))) == MANY
    assert len(rows_of(written(MANY + 1, 2))) == 2
    assert f"Not shown: {MANY - 1} of {MANY + 1} versions" in written(MANY + 1, 2)
    assert len(rows_of(written(3, 1, compared=True))) == 1
    assert "### Can its status" not in written(MANY + 1, 0)


def test_a_clean_run() -> None:
    assert render(clean_report(), "markdown", Options()) == (
        "## crdlint\n\n"
        "No findings: 1 CRD, 1 version; none is taken as ready by kstatus before a controller has seen it.  \n"
    )


def test_it_stays_below_what_github_takes() -> None:
    written = render(many(12_000), "markdown", Options())
    assert len(written.encode("utf-8")) < LARGEST + 200
    assert written.endswith("There is more than fits here: see the whole report in another format.\n")
