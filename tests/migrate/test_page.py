"""The page of a migration in a real Chromium: its numbers, its colours, and where its lines break."""

from __future__ import annotations

import re

import pytest

from crdlint.migrate.advice import Topic
from crdlint.report import Options
from crdlint.report.migration_html import as_html
from tests.chromium import Shown, torn
from tests.migrate.test_reports import sample

# How far from the box, for each item of the checklist, its lines begin.
LINES_BESIDE_BOXES = """
[...document.querySelectorAll('.todo label')].map((label) => {
  const text = document.createRange();
  text.selectNodeContents(label.querySelector('span'));
  const box = label.querySelector('input').getBoundingClientRect();
  return [...text.getClientRects()].map((line) => line.left - box.right);
})
"""


def test_the_numbers_of_the_page_are_those_of_the_plan(show: Shown) -> None:
    """The findings that are counted are as many as are listed."""
    found = sample()
    page = show(as_html(found, Options()))
    tiles = [re.split(r"\n+", text, maxsplit=1) for text in page.locator(".numbers li").all_inner_texts()]
    numbers = {label: value for value, label in tiles}
    before, after = found.races()
    assert numbers["versions taken as ready before a controller has seen the object"] == f"{before} \u2192 {after}"
    wrong_before, wrong_after = numbers["wrong answers to those who wait for an object"].split(" \u2192 ")
    assert int(wrong_before) > int(wrong_after) > 0
    assert int(numbers["steps planned"]) == page.locator(".step").count()
    assert int(numbers["files to change"]) == page.locator("#changes details").count()
    listed = page.locator("h3", has_text=Topic.BY_HAND.value).locator("+ .todo > li > ul > li")
    assert int(numbers["findings left to people"]) == listed.count()


def test_the_head_leads_to_every_part(show: Shown) -> None:
    page = show(as_html(sample(), Options()))
    links = page.locator("nav a").all()
    assert [link.inner_text() for link in links] == page.locator("main h2").all_inner_texts()
    for link in links:
        link.click()
        assert page.locator("section:target h2").inner_text() == link.inner_text()


def test_what_is_still_wrong_is_not_green() -> None:
    """A cell is green only where it became right, and red where it no longer is."""
    html = as_html(sample(), Options())
    looks: dict[str, set[str]] = {}
    for look, content in re.findall(r'<td data-label="[^"]*" class="(\w+)">([^\n]*?&#8594;.*?)</td>', html):
        old, new = re.findall(r'class="mark (\w+)', content)
        looks.setdefault(look, set()).add(new)
        assert look == ("better" if new == "good" else "worse" if old == "good" else "changed"), content
    assert looks["better"] == {"good"}
    assert looks["changed"]


@pytest.mark.parametrize("width", [390, 1280])
def test_names_are_not_torn(show: Shown, width: int) -> None:
    """Names break where the page allows it, and nothing is wider than the window or its frame."""
    page = show(as_html(sample(), Options()))
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every((box) => box.scrollWidth <= box.clientWidth)")
    assert torn(page, ".name, .path") == []


def test_a_second_line_stands_below_the_first(show: Shown) -> None:
    """Not below the box to be ticked."""
    page = show(as_html(sample(), Options()))
    page.set_viewport_size({"width": 390, "height": 900})
    lines = page.evaluate(LINES_BESIDE_BOXES)
    assert max(len(lefts) for lefts in lines) > 3
    assert all(left > 0 for lefts in lines for left in lefts)
