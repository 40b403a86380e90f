"""What applies to a file, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from crdlint.report.jsonformat import dumps
from crdlint.report.sanitise import clean

if TYPE_CHECKING:
    from crdlint.setup.show import FileSettings, RuleSetting, Setting, VersionSettings

FORMAT = "crdlint-config/v1"
WIDEST_COLUMN = 60
_DEFAULT = "default"


def as_json(shown: FileSettings) -> str:
    data = {
        "format": FORMAT,
        "path": shown.path,
        "config": shown.config,
        "excluded": None if shown.excluded is None else _setting(shown.excluded, "pattern"),
        "unreadable": shown.unreadable,
        "generators": shown.generators,
        "overrides": [_setting(override, "matchers") for override in shown.overrides],
        "settings": {setting.key: _setting(setting) for setting in shown.settings},
        "rules": [_rule(rule) for rule in shown.rules],
        "versions": [
            {
                "crd": version.crd,
                "kind": version.kind,
                "version": version.version,
                "overrides": [_setting(override, "matchers") for override in version.overrides],
                "settings": {setting.key: _setting(setting) for setting in version.settings},
                "rules": [_rule(rule) for rule in version.rules],
            }
            for version in shown.versions
        ],
    }
    return dumps(data, indent=2) + "\n"


def _setting(setting: Setting, name: str = "value") -> dict[str, Any]:
    return {name: setting.value, "source": setting.source}


def _rule(rule: RuleSetting) -> dict[str, Any]:
    return {
        "rule": rule.rule,
        "used": rule.used,
        "usedSource": rule.used_source,
        "severity": rule.severity,
        "severitySource": rule.severity_source,
    }


def as_text(shown: FileSettings) -> str:
    return "".join(f"{clean(line)}\n" for line in _lines(shown))


def _lines(shown: FileSettings) -> Iterator[str]:
    yield shown.path
    excluded = "no" if shown.excluded is None else f"yes, by {shown.excluded.value}  {shown.excluded.source}"
    facts = [("configuration", shown.config or "none"), ("excluded", excluded)]
    if shown.unreadable is not None:
        facts.append(("unreadable", f"what applies to its CRDs cannot be told: {shown.unreadable}"))
    else:
        generated = "no" if not shown.generators else f"yes, by controller-gen {', '.join(shown.generators)}"
        facts.append(("generated", generated))
    yield from _columns([(f"  {name}", value) for name, value in facts])
    yield ""
    yield "Settings"
    yield from _columns([_row(setting) for setting in (*shown.settings, *shown.overrides)])
    if shown.rules:
        yield ""
        yield "Rules that are not as they are by default"
        yield from _columns(list(map(_rule_row, shown.rules)))
    for version in shown.versions:
        yield from _peculiar(version)


def _peculiar(version: VersionSettings) -> Iterator[str]:
    """What applies to a version and not to the file as a whole."""
    settings = [setting for setting in version.settings if setting.source != _DEFAULT]
    if not (version.overrides or settings):
        return
    yield ""
    yield " ".join(filter(None, (version.crd, version.version, f"({version.kind})" if version.kind else "")))
    rows = [_row(setting) for setting in (*version.overrides, *settings)]
    yield from _columns(rows + list(map(_rule_row, version.rules)))


def _row(setting: Setting) -> tuple[str, str, str]:
    return f"  {setting.key}", _value(setting.value), setting.source


def _rule_row(rule: RuleSetting) -> tuple[str, str, str]:
    if rule.used and rule.severity is not None:
        return f"  {rule.rule}", rule.severity, rule.severity_source
    return f"  {rule.rule}", "on" if rule.used else "off", rule.used_source


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_value(item)}" for key, item in value.items()) or "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(value) or "-"
    return "-" if value is None else str(value)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The rows as a table, its columns as wide as what stands in them."""
    widths = [min(max(map(len, column)), WIDEST_COLUMN) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
