"""The JSON Schema of configurations as editors want it: with the rules that there are."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any

from crdlint.config.reading import config_schema
from crdlint.rules.catalogue import Catalogue, core_rules

_HAS_OWN_RULES = {"required": ["rules"], "properties": {"rules": {"type": "array", "minItems": 1}}}


def schema_for_editors() -> str:
    """It proposes rules and packs, and says what they are.

    Names of users' own rules are valid as well where the configuration has such rules. Where it has none, any other
    name is a slip.
    """
    schema = copy.deepcopy(config_schema())
    definitions = schema["$defs"]
    catalogue = Catalogue(core_rules())
    described = {pack: f"All rules of the pack {pack}." for pack in catalogue.packs}
    described |= {rule.id: rule.summary for rule in catalogue}
    definitions["pack"] |= _proposing(catalogue.packs)
    definitions["rule"] |= _proposing(described)
    severity = definitions["severity"]
    severity["properties"] = {
        name: {"description": text, **severity["additionalProperties"]} for name, text in described.items()
    }
    definitions["named"] = _naming_only(described)
    schema |= {"if": _HAS_OWN_RULES, "else": _nothing_else(catalogue.packs)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _proposing(names: Iterable[str]) -> dict[str, Any]:
    return {"anyOf": [{"enum": list(names)}, {"type": "string"}]}


def _naming_only(names: Iterable[str]) -> dict[str, Any]:
    """Select, ignore and give severities to these rules and packs alone."""
    name = {"enum": list(names)}
    return {"properties": {"select": {"items": name}, "ignore": {"items": name}, "severity": {"propertyNames": name}}}


def _nothing_else(packs: Iterable[str]) -> dict[str, Any]:
    """A configuration, and its overrides, that name nothing but what comes with crdlint."""
    named = {"$ref": "#/$defs/named"}
    return {**named, "properties": {"packs": {"items": {"enum": list(packs)}}, "overrides": {"items": named}}}
