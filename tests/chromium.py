"""Chromium, for the tests of the HTML report."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.surroundings import missing

# Nothing is looked up in the network, and no sandbox is needed for pages of our own.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    program = shutil.which(os.environ.get("CRDLINT_CHROMIUM", "chromium"))
    if program is None:
        missing("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on which nothing may go wrong, and from which nothing is fetched."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    opened = context.new_page()
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    opened.on("request", lambda request: _note_request(request.url, complaints))
    yield opened
    context.close()
    assert complaints == []


def _note_request(address: str, complaints: list[str]) -> None:
    if not address.startswith(("file:", "data:")):
        complaints.append(f"request: {address}")


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Shown:
    """Opens the text of a report as a file."""
    return Shown(page, tmp_path)


class Shown:
    """Opens reports in a page."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder

    def __call__(self, html: str) -> Page:
        path = self.folder / "report.html"
        path.write_text(html, "utf-8")
        self.page.goto(path.as_uri())
        return self.page


# The text of each element's pieces, where a line ends within a word and nothing lets it break there.
_TORN = """
(selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
  const found = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      // Chromium itself breaks after a dash or a slash between letters.
      if (tops.size > 1 && !/[-/]./.test(word[0])) found.push(word[0]);
    }
  }
  return found;
})
"""


def torn(page: Page, selector: str) -> list[str]:
    """The words of these elements that go on in another line."""
    found: list[str] = page.evaluate(_TORN, selector)
    return found
