"""The JSON Schema of configurations as editors want it: with the rules that there are."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any

from crdlint.config.reading import config_schema
from crdlint.rules.catalogue import Catalogue, core_rules


def schema_for_editors() -> str:
    """It proposes rules and packs, and says what they are; other names, of users' own rules, are valid as well."""
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
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _proposing(names: Iterable[str]) -> dict[str, Any]:
    return {"anyOf": [{"enum": list(names)}, {"type": "string"}]}
