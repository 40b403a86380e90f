"""Argo CD's Lua scripts, run in Lua 5.1 without anything that reaches out of them (argo-cd, util/lua/lua.go).

Argo CD's interpreter has ``goto`` beside what is Lua 5.1, and some scripts use it; of those at hand, LuaJIT is like it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from crdlint.errors import UsageError

_HOW = "Lua scripts are run by the package lupa: pip install 'crdlint[argocd]'"
# Argo CD stops a script after a second.
_SECONDS = 1.0
_MEMORY = 256 * 1024 * 1024

# Scripts keep what Argo CD gives them: the base, table, string and math libraries, and two functions of os.
_PRELUDE = """
if jit then jit.off() end
local clock, error = os.clock, error
local deadline = clock() + ...
debug.sethook(function() if clock() > deadline then error("the script ran for too long", 0) end end, "", 1000)
local time, date = os.time, os.date
os = { time = time, date = date }
local modules = { os = os, table = table, string = string, math = math }
require = function(name) return modules[name] or error("module " .. tostring(name) .. " not found") end
io, debug, package, dofile, loadfile, load, loadstring, python, module, newproxy, collectgarbage, jit = nil
"""


class LuaError(Exception):
    """A script failed."""


def run(script: str, resource: dict[str, Any]) -> Any:
    """What a script returns for an object: None, a scalar, or a table as a dict. Raises `LuaError`."""
    lua = _implementation()
    runtime = lua.LuaRuntime(
        unpack_returned_tuples=True,
        register_eval=False,
        register_builtins=False,
        attribute_filter=_refuse_attribute,
        max_memory=_MEMORY,
    )
    try:
        runtime.execute(_PRELUDE, _SECONDS)
        runtime.globals().obj = _to_lua(runtime, resource)
        answer = runtime.execute(script)
    except (lua.LuaError, MemoryError) as error:
        raise LuaError(str(error).partition("\nstack traceback:")[0]) from None
    if isinstance(answer, tuple):
        answer = answer[-1]
    return dict(answer.items()) if lua.lua_type(answer) == "table" else answer


@lru_cache(maxsize=1)
def _implementation() -> Any:
    for name in ("luajit21", "luajit20", "lua51"):
        try:
            return import_module(f"lupa.{name}")
        except ImportError:
            continue
    raise UsageError(_HOW)


def _refuse_attribute(owner: object, name: object, is_setting: bool) -> str:
    raise AttributeError(str(name))


def _to_lua(runtime: Any, value: Any) -> Any:
    """Null is nil, so that its key is absent; all numbers are floats (``decodeValue``)."""
    if isinstance(value, dict):
        table = runtime.table()
        for key, item in value.items():
            if item is not None:
                table[str(key)] = _to_lua(runtime, item)
        return table
    if isinstance(value, list):
        return runtime.table(*(_to_lua(runtime, item) for item in value))
    return str(value) if isinstance(value, str) else value
