r"""The string formats the API server checks, as it checks them.

The names are those of ``strfmt.Default`` (kube-openapi's ``strfmt/default.go``, ``time.go``, ``date.go``,
``duration.go``, ``bson.go``, ``kubernetes-extensions.go``); a format that is not among them is ignored. Go's ``$``
is Python's ``fullmatch``, and its ``\d`` and ``\s`` know only ASCII.
Patterns are compiled when they are first needed: few files need any.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from crdlint.crd.addresses import is_address

_UUID = r"[0-9a-f]{8}-?[0-9a-f]{4}-?%s-?%s-?[0-9a-f]{12}"
_HEX4 = "[0-9a-f]{4}"
_SHORT_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_BYTE_VALUE = r"\s*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])\s*"
_BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"
_CREDIT_CARD = (
    r"(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})"
)
_TIME = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))"
_DURATION = r"[-+]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)"
_SCALA_DURATION = r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)"
_UNITS = frozenset({"ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"})
_UNIT_PREFIXES = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
# After letters are folded to "a" and symbols to "+".
_HOSTNAME = r"[a-zA-Z0-9+](-?[a-zA-Z0-9+]{0,62})?|([a-zA-Z0-9+]([a-zA-Z0-9+-]{0,61}[a-zA-Z0-9+])?\.)+[a-zA-Z]{2,63}"
_HOST = r"(%(25|[89a-fA-F][0-9a-fA-F])|[^%\x00- #/?@\\^`{|}\x7f])*"
_USER = r"(%[0-9a-fA-F]{2}|[A-Za-z0-9._:~!$&'()*+,;=@-])*"
_ESCAPED = r"(%[0-9a-fA-F]{2}|[^%])*"
_INT64_MAX = 2**63 - 1
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

Check = Callable[[str], bool]


def is_format(name: str) -> bool:
    """Does the API server know the format?"""
    return name.replace("-", "") in _FORMATS


def matches_format(name: str, value: str) -> bool:
    """Does the API server accept the string as this format?"""
    check = _FORMATS.get(name.replace("-", ""))
    return check(value) if check else True


def is_date(value: str) -> bool:
    """``2006-01-02``, as Go's ``time.Parse`` reads it."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return False
    year, month, day = int(value[:4]), int(value[5:7]), int(value[8:])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] and (leap or (month, day) != (2, 29))


def is_date_time(value: str) -> bool:
    """``strfmt.IsDateTime``: what follows a second "t" is not looked at."""
    date, *times = value.lower().split("t")
    time = re.fullmatch(_TIME, times[0]) if times else None
    return time is not None and is_date(date) and time[1] <= "23" and time[2] <= "59" and time[3] <= "59"


def is_duration(value: str) -> bool:
    """``strfmt.ParseDuration``: Go's own durations, else any text with a number and a unit in it."""
    found = re.findall(_SCALA_DURATION, value)
    if any(len(number.lstrip("0")) > 19 or int(number[-19:]) > _INT64_MAX for number, _ in found):
        return False
    units = [unit.lower() for _, unit in found]
    return any(unit in _UNITS or unit.startswith(_UNIT_PREFIXES) for unit in units) or bool(
        re.fullmatch(_DURATION, value)
    )


def is_uri(value: str) -> bool:
    """``url.ParseRequestURI``: an absolute URI or an absolute path."""
    if not value or re.search(r"[\x00-\x1f\x7f]", value) or value[0] == ":":
        return False
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", value)
    rest = value[scheme.end() :] if scheme else value
    rest = rest.split("?", 1)[0]
    if not rest.startswith("/"):
        return bool(scheme) or value == "*"
    if scheme and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        return _is_authority(authority, scheme[1].lower()) and bool(re.fullmatch(_ESCAPED, slash + path))
    return bool(re.fullmatch(_ESCAPED, rest))


def _is_authority(authority: str, scheme: str) -> bool:
    user, at, host = authority.rpartition("@")
    if at and not re.fullmatch(_USER, user):
        return False
    if host.startswith("["):
        address, closed, port = host[1:].rpartition("]")
        return bool(closed) and _is_port(port) and is_ipv6(address.split("%25", 1)[0])
    if "[" in host or not re.fullmatch(_HOST, host):
        return False
    split = host.find(":") if scheme in ("http", "https") else host.rfind(":")
    return split < 0 or _is_port(host[split:])


def _is_port(port: str) -> bool:
    return re.fullmatch(r"(:[0-9]*)?", port) is not None


def is_hostname(value: str) -> bool:
    """``strfmt.IsHostname``: note that a single label may have a dash only after its first character."""
    if len(value.encode(errors="replace")) > 255 or not re.fullmatch(_HOSTNAME, "".join(map(_folded, value))):
        return False
    return all(len(label.encode(errors="replace")) <= 63 for label in value.split("."))


def _folded(character: str) -> str:
    category = unicodedata.category(character)[0]
    if category == "S":
        return "+"
    return "a" if category == "L" else character


def is_ipv6(value: str) -> bool:
    """``net.ParseIP`` with a colon in it."""
    import ipaddress

    try:
        return ipaddress.IPv6Address(value).scope_id is None
    except ValueError:
        return False


def is_ipv4(value: str) -> bool:
    """``ParseIPSloppy`` with a dot in it: leading zeros pass, and so do IPv6 addresses that end in an IPv4 one."""
    head, _, tail = value.rpartition(":")
    if not _is_sloppy_ipv4(tail):
        return False
    return ":" not in value or is_ipv6(f"{head}:0.0.0.0")


def _is_sloppy_ipv4(value: str) -> bool:
    parts = value.split(".")
    return len(parts) == 4 and all(re.fullmatch(r"0*[0-9]{1,3}", part) and int(part[-3:]) <= 255 for part in parts)


def is_cidr(value: str) -> bool:
    """``ParseCIDRSloppy``."""
    address, _, mask = value.partition("/")
    if not re.fullmatch(r"[0-9]{1,9}", mask):
        return False
    if _is_sloppy_ipv4(address):
        return int(mask) <= 32
    return (is_ipv6(address) or is_ipv4(address)) and int(mask) <= 128


def is_mac(value: str) -> bool:
    """``net.ParseMAC``: 6, 8 or 20 bytes, with colons, with dashes, in groups of four, or bare."""
    pair = "[0-9a-fA-F]{2}"
    if not re.fullmatch(rf"{pair}(:{pair})*|{pair}(-{pair})*|{pair}{pair}(\.{pair}{pair})+|({pair})+", value):
        return False
    return len(re.sub("[^0-9a-fA-F]", "", value)) in (12, 16, 40)


def is_isbn10(value: str) -> bool:
    """Ten digits with a checksum; spaces and dashes do not count."""
    digits = re.sub(r"[\t\n\f\r -]+", "", value)
    if not re.fullmatch("[0-9]{9}[0-9X]", digits):
        return False
    return sum(place * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits, 1)) % 11 == 0


def is_isbn13(value: str) -> bool:
    """Thirteen digits with a checksum; spaces and dashes do not count."""
    digits = re.sub(r"[\t\n\f\r -]+", "", value)
    if not re.fullmatch("[0-9]{13}", digits):
        return False
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0


def is_credit_card(value: str) -> bool:
    """A card number with its Luhn digit; whatever is not a digit does not count."""
    digits = re.sub("[^0-9]+", "", value)
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return re.fullmatch(_CREDIT_CARD, digits) is not None and sum(_cross_sums(doubled)) % 10 == 0


def _cross_sums(numbers: Iterable[int]) -> Iterable[int]:
    return (number - 9 if number > 9 else number for number in numbers)


def _pattern(pattern: str, flags: int = 0, longest: int | None = None) -> Check:
    def check(value: str) -> bool:
        return (longest is None or len(value) <= longest) and re.fullmatch(pattern, value, flags | re.ASCII) is not None

    return check


_FORMATS: dict[str, Check] = {
    "bsonobjectid": _pattern("[0-9a-fA-F]{24}"),
    "byte": lambda value: re.fullmatch(_BASE64, value) is not None,
    "cidr": is_cidr,
    "creditcard": is_credit_card,
    "date": is_date,
    "datetime": is_date_time,
    "duration": is_duration,
    "email": is_address,
    "hexcolor": _pattern("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": is_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "isbn": lambda value: is_isbn10(value) or is_isbn13(value),
    "isbn10": is_isbn10,
    "isbn13": is_isbn13,
    "k8slongname": _pattern(rf"{_SHORT_NAME}(\.{_SHORT_NAME})*", longest=253),
    "k8sshortname": _pattern(_SHORT_NAME, longest=63),
    "mac": is_mac,
    "password": lambda value: True,
    "rgbcolor": _pattern(rf"rgb\({_BYTE_VALUE},{_BYTE_VALUE},{_BYTE_VALUE}\)"),
    "ssn": _pattern("[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}"),
    "uri": is_uri,
    "uuid": _pattern(_UUID % (_HEX4, _HEX4), re.IGNORECASE),
    "uuid3": _pattern(_UUID % ("3[0-9a-f]{3}", _HEX4), re.IGNORECASE),
    "uuid4": _pattern(_UUID % ("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"), re.IGNORECASE),
    "uuid5": _pattern(_UUID % ("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"), re.IGNORECASE),
}
