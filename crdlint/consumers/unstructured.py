"""Objects read as Kubernetes' Go programs read them (apimachinery, pkg/apis/meta/v1/unstructured/helpers.go)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final


class AccessorError(Exception):
    """A field has a type that cannot be read; the message is Go's."""


class Missing:
    """The type of `MISSING`."""

    def __bool__(self) -> bool:
        return False


MISSING: Final = Missing()
"""A field that is not there, where null would be one."""


def is_int64(value: Any) -> bool:
    """Is it a number that Kubernetes decodes as an integer? Larger ones become floats."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def nested(data: Any, *fields: str) -> Any:
    """The value at a path, or `MISSING`, as below null (``NestedFieldNoCopy``). Raises `AccessorError`."""
    for index, field in enumerate(fields):
        if data is None:
            return MISSING
        if not isinstance(data, dict):
            raise _unexpected(fields[: index + 1], data, "map[string]interface{}")
        if field not in data:
            return MISSING
        data = data[field]
    return data


def nested_string(data: Any, *fields: str) -> str | Missing:
    """Raises `AccessorError` where the value is no string, null included (``NestedString``)."""
    value = nested(data, *fields)
    if isinstance(value, str | Missing):
        return value
    raise _unexpected(fields, value, "string")


def nested_int64(data: Any, *fields: str) -> int | Missing:
    """Raises `AccessorError` where the value is no integer, null included (``NestedInt64``)."""
    value = nested(data, *fields)
    if value is MISSING or is_int64(value):
        found: int | Missing = value
        return found
    raise _unexpected(fields, value, "int64")


def nested_list(data: Any, *fields: str) -> list[Any] | Missing:
    """Raises `AccessorError` where the value is no list, null included (``NestedSlice``)."""
    value = nested(data, *fields)
    if isinstance(value, list | Missing):
        return value
    raise _unexpected(fields, value, "[]interface{}")


def group_and_kind(resource: dict[str, Any]) -> tuple[str, str]:
    """As ``GroupVersionKind``: an ``apiVersion`` that cannot be read leaves both empty."""
    api_version, kind = (resource.get(key) for key in ("apiVersion", "kind"))
    group, slash, version = (api_version if isinstance(api_version, str) else "").partition("/")
    if "/" in version:
        return "", ""
    return group if slash else "", kind if isinstance(kind, str) else ""


def go_value(value: Any) -> str:
    """The value as Go's ``%v`` prints it."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + " ".join(map(go_value, value)) + "]"
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{go_value(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, float) or (isinstance(value, int) and not is_int64(value)):
        return _go_float(float(value))
    return str(value)


def _go_float(value: float) -> str:
    """The fewest digits that tell it apart; an exponent from 10**6 on and below 10**-4 (``strconv.FormatFloat``)."""
    if value != value or value in (float("inf"), float("-inf")):
        return {"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}[str(value)]
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    scale = len(digits) + exponent - 1
    if value and not -4 <= scale < 6:
        mantissa = "".join(map(str, digits))
        mantissa = mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "")
        return f"{'-' * sign}{mantissa}e{'-' if scale < 0 else '+'}{abs(scale):02}"
    return format(Decimal(repr(value)).normalize(), "f")


def _go_type(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if is_int64(value):
        return "int64"
    names: dict[type, str] = {str: "string", list: "[]interface {}", dict: "map[string]interface {}"}
    if value is None:
        return "<nil>"
    return next((name for kind, name in names.items() if isinstance(value, kind)), "float64")


def _unexpected(fields: tuple[str, ...], value: Any, expected: str) -> AccessorError:
    path = "." + ".".join(fields)
    return AccessorError(
        f"{path} accessor error: {go_value(value)} is of the type {_go_type(value)}, expected {expected}"
    )
