"""What Kubernetes reads in a scalar.

Kubernetes reads YAML with sigs.k8s.io/yaml: go-yaml v2's resolver (its ``resolve.go``), then JSON. That is neither
YAML 1.1 nor 1.2: ``y`` and ``on`` are booleans, ``1:30`` is a string, ``0o17`` and ``0x1f`` are numbers, dates are
strings and ``=`` is a string. JSON leaves no trace of a float that is whole (``1.0`` is ``1``), has no infinity, and
makes strings of the keys of mappings.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct

from crdlint.yamltext.nodes import Scalar

_TAG = "tag:yaml.org,2002:"
_NULL, _BOOL, _INT, _FLOAT, _STR, _TIMESTAMP = (
    _TAG + name for name in ("null", "bool", "int", "float", "str", "timestamp")
)
_BINARY = _TAG + "binary"
_CHECKED_TAGS = frozenset((_NULL, _BOOL, _INT, _FLOAT, _TIMESTAMP))

_INFINITE: dict[str, float] = {
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
}
# Plain scalars that are numbers to YAML and nothing to JSON.
NOT_JSON = frozenset(_INFINITE)

_MAYBE_NUMBER = frozenset("0123456789+-.")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# go-yaml drops underscores wherever they are, but leaves numbers that begin with the point to Go, which is stricter.
_POINT_FIRST = re.compile(r"\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?")
_PREFIXES = (("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2), ("0", 8))
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")
# What is left of ``0b`` once Go's own reading of integers has refused it: go-yaml reads a sign behind the prefix.
_SIGNED_BINARY = re.compile(r"0b([-+][01]+)")
_LEAST_INT64, _MOST_INT64, _MOST_UINT64 = -(2**63), 2**63 - 1, 2**64 - 1
# From here on Go writes a float into JSON with an exponent, and whoever reads that has a float again.
_EXPONENT_FROM = 1e21
# Keys get one sooner: the power of ten from which `_float_key` writes it.
_KEY_EXPONENT_FROM = 6

Value = None | bool | int | float | str


class BadScalar(ValueError):
    """A scalar that Kubernetes refuses; the message says why, for a person."""


def resolve_plain(text: str) -> Value:
    """The value of an untagged plain scalar; `NOT_JSON` ones are floats."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in _MAYBE_NUMBER:
        return _as_json(_number(text))
    return text


def is_text(plain: str) -> bool:
    """Is a plain scalar simply the string that it looks like?"""
    return plain not in _WORDS and plain[0] not in _MAYBE_NUMBER


def scalar_value(node: Scalar) -> Value:
    """The value of a scalar, its tag and style respected. Raises `BadScalar` only for a scalar with a tag."""
    if node.tag is not None:
        return _as_json(_tagged(node.value, node.tag))
    return resolve_plain(node.value) if node.style == "" else node.value


def key_text(node: Scalar) -> str:
    """A mapping key as the string that JSON makes of it. Raises `BadScalar`."""
    if node.tag is None and (node.style != "" or is_text(node.value)):
        return node.value
    value = _tagged(node.value, node.tag)
    if value is None:
        raise BadScalar("the key of a mapping is null, which Kubernetes does not accept")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float_key(value)
    if isinstance(value, int) and value > _MOST_INT64:
        raise BadScalar(f"the key {value} is too large a number for Kubernetes: put it in quotes")
    return str(value)


def _tagged(text: str, tag: str | None) -> Value:
    """The value of a scalar that has a tag, or of a plain one without."""
    if tag == _BINARY:
        return _binary(text)
    if tag is not None and tag not in _CHECKED_TAGS:
        return text
    value = _plain(text)
    if tag is None:
        return value
    if tag == _FLOAT and type(value) is int and value <= _MOST_INT64:
        return float(value)
    if tag != _tag_of(text, value):
        raise BadScalar(f"{text!r} is not what its tag !!{tag.removeprefix(_TAG)} says")
    return value


def _plain(text: str) -> Value:
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _MAYBE_NUMBER else text


def _tag_of(text: str, value: Value) -> str:
    if value is None:
        return _NULL
    if isinstance(value, str):
        return _TIMESTAMP if _DATE.fullmatch(text) else _STR
    return _BOOL if isinstance(value, bool) else _INT if isinstance(value, int) else _FLOAT


def _as_json(value: Value) -> Value:
    """A whole float is an integer once it has been JSON, written with the digits that identify it."""
    if type(value) is float and value.is_integer() and abs(value) < _EXPONENT_FROM:
        mantissa, _, exponent = repr(value).partition("e")
        whole, _, fraction = mantissa.partition(".")
        return int(int(whole + fraction) * 10 ** int(exponent or 0) // 10 ** len(fraction))
    return value


def _number(text: str) -> int | float | str:
    """The number that ``text`` is, or ``text``."""
    if text in _INFINITE:
        return _INFINITE[text]
    if text[0] == "." and not _POINT_FIRST.fullmatch(text):
        return text
    plain = text.replace("_", "")
    integer = _integer(plain)
    if integer is not None:
        return integer
    if _DECIMAL.fullmatch(plain):
        value = float(plain)
        return value if math.isfinite(value) else text
    return text


def _integer(text: str) -> int | None:
    """Go's ``strconv.ParseInt(text, 0, 64)``, then ParseUint, then go-yaml's own binary forms."""
    signed = text[:1] in ("+", "-")
    digits = text[1:] if signed else text
    prefix, base = next(
        (known for known in _PREFIXES if digits.startswith(known[0]) and len(digits) > len(known[0])), ("", 10)
    )
    body = digits[len(prefix) :]
    if not (body.isascii() and body.isalnum()):
        body, base = (match[1] if (match := _SIGNED_BINARY.fullmatch(text)) else ""), 2
    try:
        value = int(body, base)
    except ValueError:
        return None
    value = -value if text[:1] == "-" else value
    if _LEAST_INT64 <= value <= _MOST_INT64 or (not signed and value <= _MOST_UINT64):
        return value
    return None


def _binary(text: str) -> str:
    compact = text.replace("\n", "")
    try:
        # Python 3.10 takes padding alone for nothing.
        if len(compact) % 4 or compact.startswith("="):
            raise ValueError
        data = base64.b64decode(compact, validate=True)
    except (binascii.Error, ValueError):
        raise BadScalar(f"{text[:20]!r} has the tag !!binary but is not base64") from None
    # Go puts one replacement character for each byte that is not UTF-8.
    return re.sub("[\udc80-\udcff]", "�", data.decode("utf-8", "surrogateescape"))


def _float_key(value: float) -> str:
    """Go's ``strconv.FormatFloat(value, 'g', -1, 32)``, which sigs.k8s.io/yaml uses for keys."""
    narrow = _narrowed(value)
    if math.isnan(narrow):
        return ".nan"
    if math.isinf(narrow):
        return ".inf" if narrow > 0 else "-.inf"
    sign, digits, exponent = _shortest(narrow)
    if exponent < -4 or exponent >= _KEY_EXPONENT_FROM:
        mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
        return f"{sign}{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole, fraction = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
    return sign + whole + ("." + fraction if fraction else "")


def _shortest(narrow: float) -> tuple[str, str, int]:
    """Sign, fewest digits that mean this 32-bit float, and the power of ten of the first of them."""
    for precision in range(9):
        text = f"{narrow:.{precision}e}"
        if _narrowed(float(text)) == narrow:
            break
    mantissa, _, exponent = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    return sign, mantissa.removeprefix("-").replace(".", ""), int(exponent)


def _narrowed(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)
