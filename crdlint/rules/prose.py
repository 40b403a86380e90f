"""Rules as text for people: the catalogue, one rule in full, and their Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from crdlint.findings import Severity
from crdlint.report.sanitise import clean
from crdlint.rules.rule import CORE, Rule, RuleFix

_APPLICABILITY = {
    "safe": "made by --fix",
    "unsafe": "made by --unsafe-fixes: something else has to be done as well",
    "manual": "no edit of the schema alone is right",
}

_OF_THE_TEXT = (
    "Where the text does not admit the edit (a template, an anchor or an alias stands there), the fix is manual."
)

# The packs that come with crdlint, and when their rules are used.
_PACKS = {
    CORE: "for every CRD",
    "capi": "for the kinds of Cluster API's providers, by group and name",
    "conventions": "off unless it is selected",
}


@dataclass(frozen=True)
class RuleText:
    """What reports tell of a rule."""

    rule: Rule

    @property
    def id(self) -> str:
        return self.rule.id

    @property
    def summary(self) -> str:
        return self.rule.summary

    @property
    def why(self) -> str:
        return self.rule.why

    @property
    def severity(self) -> Severity:
        return self.rule.severity

    @property
    def help_markdown(self) -> str:
        return markdown(self.rule)


def table(rules: Iterable[Rule], width: int) -> str:
    """The rules of each pack, for a terminal: what they are called, and what they report below that."""
    rules = list(rules)
    id_width = max(len(rule.id) for rule in rules)
    return "\n".join(_pack_table(pack, said, found, id_width, width) for pack, said, found in _by_pack(rules))


def _pack_table(pack: str, said: str, rules: list[Rule], id_width: int, width: int) -> str:
    lines = _wrapped(f"Pack {pack}: {said}.", width)
    lines.append(f"{'rule':<{id_width}}  severity  fix")
    for rule in rules:
        lines.append(f"{rule.id:<{id_width}}  {rule.severity.value:<8}  {fix_kind(rule)}")
        lines += _wrapped(rule.summary, width, "    ")
    return "".join(f"{clean(line)}\n" for line in lines)


def as_json(rules: Iterable[Rule]) -> str:
    """The catalogue for scripts."""
    import json

    data = [
        {
            "id": rule.id,
            "pack": rule.pack,
            "severity": rule.severity.value,
            "summary": rule.summary,
            "why": rule.why,
            "fix": rule.fix.applicability.value if rule.fix else None,
            "safety": dict(rule.fix.safety) if rule.fix else {},
            "marker": rule.marker,
            "markerOn": rule.marker_on,
            "references": list(rule.references),
        }
        for rule in rules
    ]
    return json.dumps(data, indent=2) + "\n"


def fix_kind(rule: Rule) -> str:
    """The usual applicability of the rule's fix."""
    return rule.fix.applicability.value if rule.fix else "-"


def explain(rule: Rule, width: int) -> str:
    """One rule in full, for a terminal."""
    return "".join(f"{clean(line)}\n" for line in _explanation(rule, width))


def _explanation(rule: Rule, width: int) -> Iterator[str]:
    yield f"{rule.id} ({rule.severity.value}, pack {rule.pack})"
    yield from _wrapped(f"{rule.summary[0].upper()}{rule.summary[1:]}.", width)
    yield from ("", "Why")
    for paragraph in rule.why.strip().split("\n\n"):
        yield from _wrapped(" ".join(paragraph.split()), width, "  ")
        yield ""
    if rule.fix is not None:
        kind = rule.fix.applicability.value
        yield from _wrapped(f"Fix, {kind} ({_APPLICABILITY[kind]})", width)
        yield from _wrapped(rule.fix.title, width, "  ")
        for reason in rule.fix.reasons:
            yield from _wrapped("- " + reason, width, "  ")
        yield ""
        yield from _explained_safety(rule.fix, width)
    if rule.marker:
        yield f"Marker, in the Go types{_on(rule)}"
        yield from (f"  // {line}" for line in rule.marker.split("\n"))
        yield ""
    if rule.example is not None:
        yield "Bad"
        yield from (f"  {line}" for line in rule.example.bad.rstrip("\n").split("\n"))
        if rule.example.good is not None:
            yield from ("", "Good")
            yield from (f"  {line}" for line in rule.example.good.rstrip("\n").split("\n"))
        yield ""
    if rule.references:
        yield "See"
        yield from (f"  {reference}" for reference in rule.references)


def _explained_safety(fix: RuleFix, width: int) -> Iterator[str]:
    if not fix.safety:
        return
    yield "When it is " + _listed(fix.safety)
    for kind, text in _kinds(fix):
        yield from _wrapped(f"- {kind}: {text}", width, "  ")
    for note in _safety_notes(fix):
        yield from _wrapped(note, width, "  ")
    yield ""


def _kinds(fix: RuleFix) -> list[tuple[str, str]]:
    """When the fix is safe, unsafe and manual."""
    return [(kind, fix.safety[kind]) for kind in _APPLICABILITY if kind in fix.safety]


def _safety_notes(fix: RuleFix) -> Iterator[str]:
    if "note" in fix.safety:
        yield fix.safety["note"]
    yield _OF_THE_TEXT


def _listed(safety: dict[str, str]) -> str:
    *others, last = (kind for kind in _APPLICABILITY if kind in safety)
    return f"{', '.join(others)} or {last}" if others else last


def _on(rule: Rule) -> str:
    return f" (on {rule.marker_on})" if rule.marker_on else ""


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + ("  " if text.startswith("- ") else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )


def markdown(rule: Rule) -> str:
    """One rule in full, as Markdown without a heading of its own."""
    parts = [f"{rule.summary[0].upper()}{rule.summary[1:]}.", rule.why.strip()]
    if rule.fix is not None:
        kind = rule.fix.applicability.value
        reasons = "".join(f"\n- {reason}" for reason in rule.fix.reasons)
        parts.append(
            f"**Fix ({kind}: {_APPLICABILITY[kind]}):** {rule.fix.title}." + ("\n" + reasons if reasons else "")
        )
        parts += _markdown_safety(rule.fix)
    if rule.marker:
        markers = "\n".join(f"// {line}" for line in rule.marker.split("\n"))
        parts.append(f"In the Go types{_on(rule)}:\n\n```go\n{markers}\n```")
    if rule.example is not None:
        parts.append(f"Bad:\n\n```yaml\n{rule.example.bad.rstrip()}\n```")
        if rule.example.good is not None:
            parts.append(f"Good:\n\n```yaml\n{rule.example.good.rstrip()}\n```")
    if rule.references:
        parts.append("\n".join(f"- <{reference}>" for reference in rule.references))
    return "\n\n".join(parts) + "\n"


def _markdown_safety(fix: RuleFix) -> Iterator[str]:
    if fix.safety:
        yield "\n".join(f"- **{kind}:** {text}" for kind, text in _kinds(fix))
        yield from _safety_notes(fix)


def readme_table(rules: Iterable[Rule]) -> str:
    """The rule tables of the README, one for each pack."""
    head = "| rule | severity | fix | reports |\n|---|---|---|---|\n"
    packs = _by_pack(rules)
    return "\n".join(f"{_title(pack, said)}\n\n{head}{''.join(map(_row, found))}" for pack, said, found in packs)


def _row(rule: Rule) -> str:
    link = f"[`{rule.id}`](rules/README.md#{rule.id})"
    return f"| {link} | {rule.severity.value} | {fix_kind(rule)} | {rule.summary} |\n"


def _title(pack: str, said: str) -> str:
    return f"**Pack `{pack}`**: {said}."


def _by_pack(rules: Iterable[Rule]) -> Iterator[tuple[str, str, list[Rule]]]:
    """Each pack, what is said of it, and its rules."""
    rules = list(rules)
    for pack in dict.fromkeys([*_PACKS, *(rule.pack for rule in rules)]):
        found = [rule for rule in rules if rule.pack == pack]
        if found:
            yield pack, _PACKS.get(pack, "rules of your own"), found


def rules_page(rules: Iterable[Rule]) -> str:
    """The page ``rules/README.md``."""
    rules = list(rules)
    parts = [
        "# The rules\n\nMade from the rule files in this folder by `python -m crdlint.rules.pages`; "
        "`crdlint explain RULE` prints the same.\n"
    ]
    for pack, said, found in _by_pack(rules):
        listed = "".join(f"- [{rule.id}](#{rule.id}): {rule.summary}\n" for rule in found)
        parts.append(f"{_title(pack, said)}\n\n{listed}")
    parts += [f"## {rule.id}\n\n{markdown(rule)}" for rule in rules]
    return "\n".join(parts)
