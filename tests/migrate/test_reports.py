"""A migration as text, JSON, Markdown and HTML: nothing is lost, nothing in it acts on whoever reads it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from crdlint.choices import Choices
from crdlint.crd.model import Crd
from crdlint.findings import Applicability
from crdlint.migrate.advice import ADVICE, Topic
from crdlint.migrate.checklist import checklist
from crdlint.migrate.planner import Wishes
from crdlint.report import Options
from crdlint.report.migration import Migration, migration
from crdlint.report.migration_html import as_html
from crdlint.report.migration_json import FORMAT, as_json
from crdlint.report.migration_markdown import as_markdown
from crdlint.report.migration_text import as_text
from crdlint.rules.catalogue import core_rules
from tests.chromium import Shown
from tests.migrate.work_tree import WorkTree, planned
from tests.surroundings import ROOT
from tests.texts import CLEAN, SAFE, UNSAFE

SAMPLE = ROOT / "fixtures" / "provider-repo"
# What an item of the checklist may begin with.
VERBS = {
    *("add", "carry", "change", "convert", "declare", "decide", "give", "hold", "let", "look", "make", "mend", "roll"),
    *("say", "see", "set", "take", "to", "try", "write"),
}
FILE = "config/crd/bases/widgets.yaml"
ROLE = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager
rules:
- apiGroups:
  - example.com
  resources:
  - widgets{status}
  verbs: [get, update]
"""


def told(files: dict[str, str], wishes: Wishes | None = None) -> Migration:
    return migration(planned(files, wishes), _is_stateless)


def _is_stateless(path: str, crd: Crd) -> bool:
    return crd.is_template_kind


def sample_files() -> dict[str, str]:
    return {
        path.relative_to(SAMPLE).as_posix(): path.read_text("utf-8")
        for path in sorted(SAMPLE.rglob("*"))
        if path.suffix == ".yaml"
    }


def sample() -> Migration:
    return told(sample_files(), Wishes(to_v1=True))


def items(found: Migration, topic: Topic) -> list[str]:
    return [item.text for item in found.items if item.topic is topic]


# The checklist.


def test_every_place_is_there() -> None:
    """Each item names lines of files that exist."""
    found = sample()
    texts = {path: text.splitlines() for path, text in sample_files().items()}
    mentions = [mention for item in found.items for mention in item.mentions]
    assert len(mentions) > 50
    for mention in mentions:
        assert 0 < mention.place.line <= len(texts[mention.place.path]), mention
        assert texts[mention.place.path][mention.place.line - 1].strip()


def test_no_mention_twice() -> None:
    for item in sample().items:
        assert len(set(item.mentions)) == len(item.mentions)


def test_topics_come_once_and_in_order() -> None:
    topics = [item.topic for item in sample().items]
    assert topics == sorted(topics, key=list(Topic).index)
    # All that unsafe steps rest on is told by the topics of what has to be done.
    expected = set(Topic) - {Topic.UNSAFE, Topic.COPIES, Topic.STORED_VERSIONS, Topic.CAPI}
    assert set(topics) == expected


def test_advice_speaks_of_rules_that_there_are() -> None:
    known = {rule.id for rule in core_rules()}
    assert {rule for advice in ADVICE for rule in advice.rules} <= known


def test_items_are_things_to_do() -> None:
    """Each begins with what to do, and no text asks for the same twice."""
    found = sample()
    for item in found.items:
        if item.topic is not Topic.BY_HAND:
            assert item.text.split()[0] in VERBS or item.text.startswith("in the Go types, "), item.text
    assert len({item.text for item in found.items}) == len(found.items)
    asking = [item for item in found.items if "write status.observedGeneration" in item.text]
    assert len(asking) == 1


def test_all_advice_is_something_to_do() -> None:
    assert {advice.text.split()[0].rstrip(",:") for advice in ADVICE} <= VERBS


def test_what_no_advice_speaks_of_is_an_item() -> None:
    """Unsafe fixes of optional packs tell what they rest on."""
    text = SAFE.replace("example.com", "infrastructure.cluster.x-k8s.io").replace("Widget", "WidgetMachine")
    plan = planned({FILE: text}, Wishes(Choices(select=("capi",))))
    unsafe = [step for _, step in plan.steps() if step.is_planned and step.applicability is Applicability.UNSAFE]
    assert unsafe
    texts = [item.text for item in checklist(plan) if item.topic is Topic.UNSAFE]
    for step in unsafe:
        assert any(step.name in text and all(reason in text for reason in step.reasons) for text in texts), step.name


def test_an_empty_plan_asks_for_nothing() -> None:
    assert checklist(planned({FILE: CLEAN})) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, f"{FILE}:"),
        ({"role.yaml": ROLE.format(status="")}, "role.yaml:8"),
        ({"role.yaml": ROLE.format(status="/status")}, None),
        ({"role.yaml": ROLE.format(status="/status").replace("update", "list")}, f"{FILE}:"),
        ({"role.yaml": ROLE.format(status="/status").replace("example.com", "example.org")}, f"{FILE}:"),
        ({"role.yaml": ROLE.format(status="").replace("- widgets", "- '*'")}, None),
        ({"a.yaml": ROLE.format(status=""), "b.yaml": ROLE.format(status="/status")}, "a.yaml:8"),
        ({"role.yaml": "rules: [\n# rbac.authorization.k8s.io\n"}, f"{FILE}:"),
    ],
)
def test_rbac(files: dict[str, str], expected: str | None) -> None:
    """Whoever may write the objects, and not their status, is named; or else the CRD; nobody where all is granted."""
    found = told({FILE: UNSAFE, **files})
    places = [str(mention.place) for item in found.items if item.topic is Topic.RBAC for mention in item.mentions]
    assert len(places) == (expected is not None)
    assert all(place.startswith(expected or "") for place in places)


def test_versions_that_are_not_served_any_more() -> None:
    head, _, rest = SAFE.partition("  - name: v1\n")
    old = rest.replace("storage: true", "storage: false").replace("served: true", "served: false")
    found = told({FILE: f"{head}  - name: v1alpha1\n{old}  - name: v1\n{rest}"})
    (item,) = [item for item in found.items if item.topic is Topic.STORED_VERSIONS]
    assert [mention.subject for mention in item.mentions] == ["Widget v1alpha1"]


def test_conversion_is_found_in_a_patch() -> None:
    """A field that is new in status has to survive the way from one version to the other."""
    field = "              observedGeneration:\n                format: int64\n                type: integer\n"
    head, _, rest = SAFE.replace(field, "").partition("  - name: v1\n")
    files = {FILE: f"{head}  - name: v1beta1\n{rest.replace('storage: true', 'storage: false')}  - name: v1\n{rest}"}
    (item,) = [item for item in told(files).items if item.topic is Topic.CONVERSION]
    assert "strategy None" in item.text
    patch = SAFE.partition("spec:\n")[0] + "spec:\n  conversion:\n    strategy: Webhook\n"
    (item,) = [item for item in told({**files, "patch.yaml": patch}).items if item.topic is Topic.CONVERSION]
    assert [str(mention.place) for mention in item.mentions] == ["patch.yaml:7"]


# Text.


@pytest.mark.parametrize("width", [80, 90, 200])
def test_text_fits_the_terminal(width: int) -> None:
    """No line is wider than the terminal but one of a place, or of a single long word; none is hard to read."""
    found = sample()
    assert found.plan.others
    for line in as_text(found, width=width).splitlines():
        is_place = re.match(r"\s*(?:copy: |patch: )?\S+:\d+(?: |$)", line) is not None
        assert len(line) <= min(width, 100) or is_place or len(line.split()) == 1, line


def test_text_tells_each_step_and_each_item() -> None:
    found = sample()
    text = " ".join(as_text(found).split())
    for _, step in found.plan.steps():
        assert " ".join((step.title if step.is_planned else step.message).split()) in text
        assert all(rule in text for rule in step.rules)
        # Why a step is unsafe is told beside it.
        assert not step.is_planned or all(" ".join(reason.split()) in text for reason in step.reasons)
    for item in found.items:
        assert " ".join(item.text.split()) in text
    assert "nothing is planned" in as_text(told({FILE: CLEAN}))


def test_each_place_is_told_with_its_file() -> None:
    """The file stands in the line of the place, or heads the lines of its places."""
    found = sample()
    text = as_text(found).partition("What people must do")[2]
    blocks = re.split(r"^  \[ \] ", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(found.items)
    for item, block in zip(found.items, blocks, strict=True):
        for place in (mention.place for mention in item.mentions):
            below = " ".join(block.partition(f"      {place.path}\n")[2].split())
            assert str(place) in block or f"line {place.line} " in below, (item.text, place)


def test_findings_that_people_decide_are_counted_as_they_are_listed() -> None:
    """An edit that cures two findings counts once, and a file that cannot be read counts too."""
    found = sample()
    listed = [
        mention
        for item in found.items
        if item.topic is Topic.BY_HAND
        for mention in item.mentions
        if mention.place.path.endswith(".yaml")
    ]
    assert found.by_hand == len(listed)
    assert f"{len(listed)} findings that a person has to decide" in as_text(found)


def test_colour_is_all_that_colour_adds() -> None:
    found = sample()
    painted = as_text(found, color=True)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == as_text(found)


# JSON.


def test_json_has_the_numbers() -> None:
    found = sample()
    data = json.loads(as_json(found))
    assert data["format"] == FORMAT
    assert data["applied"] is False
    steps = [step for crd in data["crds"] for step in crd["steps"]]
    assert data["summary"]["planned"] == sum(step["cure"] != "hand" for step in steps) > 10
    by_hand = sum(step["cure"] == "hand" for step in steps)
    assert by_hand > 5
    # The file that cannot be read is left to people too.
    assert data["summary"]["byHand"] == by_hand + 1
    assert sorted(data["changed"]) == sorted(file.path for file in found.plan.changed)
    assert len(data["readiness"]) == len(found.prospects) > 10
    assert sum(row["before"]["race"] for row in data["readiness"]) == data["summary"]["racesBefore"]


# Markdown and HTML.

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "[click](https://evil.example)",
    "a|b`c``d",
    "\x1b[2J::error::x",
    "\u202eevil",
]


def hostile(text: str) -> Migration:
    """A plan in which a file's name, a kind and a version are hostile."""
    name = json.dumps(text)
    crd = UNSAFE.replace("kind: Widget\n", f"kind: {name}\n").replace("name: v1\n", f"name: {name}\n")
    return told({f"{text}.yaml": crd, "copy.yaml": crd.replace("minimum: 1", "minimum: 2")})


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


HARMLESS = {
    *("html", "head", "meta", "title", "link", "style", "body", "header", "main", "nav", "section", "footer", "div"),
    *("h1", "h2", "h3", "h4", "p", "br", "wbr", "a", "code", "span", "b", "strong", "ul", "li", "dl", "dt", "dd"),
    *("table", "thead", "tbody", "tr", "th", "td", "label", "input", "details", "summary", "pre"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "rel", "href", "id", "class", "type", "data-label"),
}


@pytest.mark.parametrize("text", HOSTILE)
def test_html_has_no_element_but_its_own(text: str) -> None:
    html = as_html(hostile(text), Options())
    tags = _Tags()
    tags.feed(html)
    assert set(tags.tags) <= HARMLESS
    assert tags.attributes <= ATTRIBUTES
    assert html.isascii()
    assert "\x1b" not in html


def test_the_page_opens(show: Shown) -> None:
    """Nothing is complained of, nothing is fetched; what was done can be ticked off, and the changes be looked at."""
    page = show(as_html(sample(), Options()))
    box = page.locator("input[type=checkbox]").first
    box.check()
    assert box.is_checked()
    page.locator("#changes summary").first.click()
    assert page.locator("pre.diff .add").first.is_visible()


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_has_no_element_but_its_own(text: str) -> None:
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(as_markdown(hostile(text), Options()))
    found = set(re.findall(r"<([a-z0-9]+)", html))
    assert found <= {
        *("h2", "h3", "p", "br", "table", "thead", "tbody", "tr", "th", "td", "code", "ul", "li", "strong", "em"),
        *("details", "summary"),
    }
    for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL):
        assert len(re.findall(r"<t[dh]", row)) in (4, 9)


@pytest.mark.parametrize("text", HOSTILE)
def test_text_does_not_act(text: str) -> None:
    shown = as_text(hostile(text))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    assert not re.search("^::", shown, re.MULTILINE)


def test_no_wrapped_line_of_text_is_a_command() -> None:
    """Runners of CI look for one behind blanks too."""
    for length in range(60):
        plan = hostile(f"{'x' * length} ::error file=a::b")
        assert not re.search(r"^\s*::", as_text(plan), re.MULTILINE)


def test_reports_tell_what_was_done(tree: WorkTree, tmp_path: Path) -> None:
    tree.copy(SAMPLE)
    html, markdown = tmp_path / "m.html", tmp_path / "m.md"
    reports = ("--report", f"html={html}", "--report", f"markdown={markdown}")
    tree.migrate(*reports)
    assert "Migration plan" in html.read_text()
    assert "What is planned" in markdown.read_text()
    tree.migrate("--apply", *reports)
    assert "<h1>Migrated</h1>" in html.read_text()
    text = markdown.read_text()
    assert "What was done" in text
    # Readiness before and after, of a version that the migration cures.
    assert "❌ none → ✅ -1" in text
    assert "- [ ] " in text


def test_links_lead_to_the_lines() -> None:
    address = "https://example.com/blob/abc/"
    found = told({FILE: UNSAFE})
    options = Options(root="/r", folder="/r", blob=address)
    assert f'href="{address}{FILE}#L' in as_html(found, options)
    assert f"]({address}{FILE}#L" in as_markdown(found, options)
