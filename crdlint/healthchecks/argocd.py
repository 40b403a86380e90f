"""A health script for Argo CD, in Lua, as the ConfigMap argocd-cm holds it.

Objects that are being deleted never reach a script (argo-cd, gitops-engine/pkg/health/health.go).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crdlint.healthchecks.check import Check

_SCRIPT = """\
-- What it means that a condition is True.
local meanings = {
%(meanings)s
}
-- An object is ready if it has one of each of these, and if all positive ones that it has are True.
local groups = {
%(groups)s
}
local status = type(obj.status) == "table" and obj.status or {}
local generation = obj.metadata.generation
if type(status.observedGeneration) == "number" and status.observedGeneration ~= generation then
  return {status = "Progressing", message = "The latest generation has not been observed yet"}
end
local found, said = {}, {}
for _, condition in ipairs(type(status.conditions) == "table" and status.conditions or {}) do
  local meaning = type(condition) == "table" and meanings[condition.type]
  if meaning then
    found[condition.type] = true
    local holds = condition.status == "True"%(fresh)s
    if holds ~= (meaning == "positive") and said[meaning] == nil then
      said[meaning] = type(condition.message) == "string" and condition.message or ""
    end
  end
end
if said.progressing then
  return {status = "Progressing", message = said.progressing}
elseif said.negative then
  return {status = "Degraded", message = said.negative}
elseif said.paused then
  return {status = "Suspended", message = said.paused}
elseif said.positive then
  return {status = "Progressing", message = said.positive}
end
for _, group in ipairs(groups) do
  local has_one = false
  for _, name in ipairs(group) do
    has_one = has_one or found[name]
  end
  if not has_one then
    return {status = "Progressing", message = "Waiting for the condition " .. table.concat(group, " or ")}
  end
end
return {status = "Healthy", message = ""}
"""
_FRESH = """
      and (condition.observedGeneration == nil or condition.observedGeneration == generation)"""


def config_map(checks: Sequence[Check]) -> dict[str, Any]:
    """The ConfigMap, to be merged into the one that is there."""
    metadata = {"name": "argocd-cm", "namespace": "argocd", "labels": {"app.kubernetes.io/part-of": "argocd"}}
    data = {key(check): script(check) for check in checks}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def key(check: Check) -> str:
    """The key under which the ConfigMap holds the script."""
    return f"resource.customizations.health.{check.group}_{check.kind}"


def script(check: Check) -> str:
    meanings = {
        **dict.fromkeys(check.positive, "positive"),
        **dict.fromkeys(check.negative, "negative"),
        **dict.fromkeys(check.progressing, "progressing"),
        **dict.fromkeys(check.paused, "paused"),
    }
    groups = [check.any_of, *((name,) for name in check.needed)]
    return _SCRIPT % {
        "meanings": "\n".join(f'  [{string(name)}] = "{meaning}",' for name, meaning in meanings.items()),
        "groups": "\n".join(f"  {{{', '.join(map(string, group))}}}," for group in groups if group),
        "fresh": _FRESH if check.observes_generation else "",
    }


def string(text: str) -> str:
    """Text as a literal of Lua, in nothing but printable ASCII."""
    return '"' + "".join(map(_escaped, text.encode("utf-8"))) + '"'


def _escaped(byte: int) -> str:
    letter = chr(byte)
    if letter in '"\\':
        return "\\" + letter
    # Some CI runners take `##[` for a command.
    return letter if 0x20 <= byte < 0x7F and letter != "#" else f"\\{byte:03d}"
