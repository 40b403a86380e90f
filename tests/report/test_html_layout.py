"""The HTML report in a real Chromium, measured: no word torn, nothing cut, at the widths of telephones and screens."""

from __future__ import annotations

import pytest

from crdlint.report import render

from ..chromium import Shown, torn
from ..surroundings import ROOT
from .build import checked

SAMPLE = ROOT / "fixtures/provider-repo"


@pytest.fixture(scope="module")
def sample() -> str:
    found, options = checked(SAMPLE, root=ROOT)
    return render(found, "html", options)


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_nothing_is_torn_or_cut(show: Shown, sample: str, width: int) -> None:
    """At the width of a telephone, of a tablet and of screens; all timelines are open."""
    page = show(sample)
    page.set_viewport_size({"width": width, "height": 900})
    page.click("#open-lives")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert torn(page, ".version-name, .name, .outcome, .drawing .word, .drawing button, .mark") == []
    versions = page.evaluate(
        "[...document.querySelectorAll('.version-name code')].map((one) => one.getClientRects().length)"
    )
    assert set(versions) == {1}
    wide = page.evaluate(
        "[...document.querySelectorAll('.chart, .scroll, .drawing .bar, .drawing thead button')]"
        ".filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className + box.textContent)"
    )
    assert wide == ([] if width != 768 else [one for one in wide if one.startswith("scroll")])


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_bars_keep_their_distance(show: Shown, sample: str, width: int) -> None:
    """Neighbours of different looks do not touch."""
    page = show(sample)
    page.set_viewport_size({"width": width, "height": 900})
    gaps = page.evaluate(
        "[...document.querySelectorAll('.drawing tbody tr:not(.truth)')].flatMap((row) => {"
        "const bars = [...row.querySelectorAll('.bar')];"
        "return bars.slice(1).filter((bar) => bar.classList.contains('first')).map((bar) =>"
        "bar.getBoundingClientRect().left - bars[bars.indexOf(bar) - 1].getBoundingClientRect().right) })"
    )
    assert len(gaps) > 10
    assert min(gaps) >= 3


def test_tiles_and_filters_stand_in_one_row(show: Shown, sample: str) -> None:
    page = show(sample)
    page.set_viewport_size({"width": 1280, "height": 900})
    for items in ("#numbers > li", "#filters > *"):
        boxes = [box.bounding_box() for box in page.locator(items).all()]
        middles = {round(box["y"] + box["height"] / 2) for box in boxes if box is not None}
        assert max(middles) - min(middles) <= 2, items


def test_paper_holds_the_whole_table(show: Shown, sample: str) -> None:
    """On A4, within the margins of the page; what is folded on the screen is unfolded."""
    page = show(sample)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every((box) => box.scrollWidth <= box.clientWidth)")
    assert torn(page, ".version-name, .name, .drawing button, .mark") == []
    assert page.evaluate("document.querySelector('#words dl').checkVisibility({ contentVisibilityAuto: true })")
