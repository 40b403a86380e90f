"""Plain data as Kubernetes decodes and compares it: 64-bit integers, 64-bit floats, no mixing of types."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

from crdlint.yamltext.data import Templated


def as_float(value: float) -> float:
    """A number as a 64-bit float."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def copied(value: Any) -> Any:
    """A deep copy of plain data."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def as_decoded(value: float) -> float:
    """A number as Kubernetes decodes it: a 64-bit integer where it can be one, else a float."""
    if isinstance(value, float) and value.is_integer() and -(2**63) <= value < 2**63:
        return int(value)
    return as_float(value) if isinstance(value, int) and not -(2**63) <= value < 2**63 else value


def shortest_integer(bound: float) -> float:
    """An integral float as the fewest digits that tell it apart spell it: 2**63 as 9223372036854776000.

    So does Go's ``strconv.FormatFloat(bound, 'f', -1, 64)``, through which the server checks a bound's range.
    """
    digits, _, exponent = repr(bound).partition("e+")
    if not exponent:
        return bound
    whole, _, fraction = digits.partition(".")
    zeros: int = 10 ** (int(exponent) - len(fraction))
    return int(whole + fraction) * zeros


def truncated(bound: float) -> int:
    """Go's ``int64(bound)``, where it is defined; else the nearest."""
    if bound != bound:
        return 0
    return int(max(-(2.0**63), min(bound, 2.0**63)))


def type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if isinstance(as_decoded(value), int) else "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def equals_member(value: Any, member: Any) -> bool:
    if value is None or member is None:
        return False
    if type_of(value) == "number" and type_of(member) == "integer":
        # Go converts the value to the member's type.
        return abs(value) < 2**63 and int(value) == as_decoded(member)
    if type_of(value) == "integer" and type_of(member) == "number":
        return as_float(value) == as_float(member)
    if type_of(value) == "integer" and isinstance(member, str):
        # So it does here: 65 is "A".
        return 0 <= value < 0x110000 and chr(int(value)) == member
    return same(value, member)


def same(one: Any, other: Any) -> bool:
    """Deep equality with types: 1 is not true."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if one is None or other is None:
        return one is other
    return type_of(one) == type_of(other) and bool(one == other)


def first_duplicate(values: list[Any]) -> int | None:
    """The index of the first item that an earlier one equals."""
    seen = set()
    for index, item in enumerate(values):
        key = hashable(item)
        if key in seen:
            return index
        seen.add(key)
    return None


def hashable(value: Any) -> Hashable:
    """What is equal for two values if, and only if, they are the `same`."""
    if isinstance(value, Mapping):
        return "object", frozenset((key, hashable(item)) for key, item in value.items())
    if isinstance(value, list):
        return "array", tuple(map(hashable, value))
    return ("null", None) if value is None else (type_of(value), value)


def holds_template(data: Any) -> bool:
    """Does a template fill in something anywhere in it?"""
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Templated):
            return True
        if isinstance(item, Mapping):
            waiting += item.keys()
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return False
