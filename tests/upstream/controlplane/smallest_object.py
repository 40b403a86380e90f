"""The smallest object that a schema admits, found with the API server's help where the schema alone does not say.

A first guess has what is required and nothing else. What CEL rules, unions and unusual patterns want on top is searched
for: the server names the fields it objects to, and small changes around them are tried until it has no objection.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from tests.upstream.controlplane.api_client import ApiError, Json

Path = tuple[str | int, ...]
Schema = Mapping[str, Any]

# More than enough: most objects need one try, the worst of the corpus some dozens.
MAX_TRIES = 400
MAX_PAIRS = 60
ROOT_KEYS = ("apiVersion", "kind", "metadata")
_DIGEST = "0123456789abcdef" * 4
TEXTS = (
    "a",
    "aa",
    "",
    "1",
    "0",
    "a-1",
    "A",
    "Aa",
    "a.a",
    "a/a",
    "a:a",
    "a=a",
    "a.example.com",
    "https://example.com",
    "http://example.com",
    "oci://example.com/a",
    "ssh://example.com/a",
    "git@example.com:a",
    "/a",
    "/",
    "10.0.0.1",
    "10.0.0.0/24",
    "fd00::1",
    "fd00::/64",
    "1s",
    "1m",
    "1h",
    "1h0m0s",
    "1.0",
    "1.0.0",
    "v1",
    "v1.0.0",
    "v1alpha1",
    "1Gi",
    "100",
    "12345678",
    "a@example.com",
    "arn:aws:iam::123456789012:role/a",
    "ami-12345678",
    "sg-12345678",
    "subnet-12345678",
    "vpc-12345678",
    "00:00:00:00:00:00",
    "2020-01-01",
    "2020-01-01T00:00:00Z",
    "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
    "/subscriptions/a/resourceGroups/a",
    "projects/a/locations/a/keyRings/a/cryptoKeys/a",
    "True",
    "true",
    "*",
    "a.b.c/v1",
    "Aa/v1",
    "sha256:" + _DIGEST,
    _DIGEST,
    "example.com/a@sha256:" + _DIGEST,
    "100%",
    "0 0 * * *",
    "* * * * *",
    "00:00",
    "Mon:00:00-Mon:01:00",
    "Mon:00:00-01:00",
    "#aaaaaa",
    "YWE=",
)
FORMATS = {
    "date": "2020-01-01",
    "date-time": "2020-01-01T00:00:00Z",
    "duration": "1s",
    "email": "a@example.com",
    "hostname": "a.example.com",
    "ipv4": "10.0.0.1",
    "ipv6": "fd00::1",
    "cidr": "10.0.0.0/24",
    "uri": "https://example.com",
    "uuid": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
    "byte": "YWE=",
    "mac": "00:00:00:00:00:00",
}


# What the schema says.


def smallest_value(schema: Schema) -> Any:
    """A value with what the node requires."""
    if schema.get("default") is not None:
        return deepcopy(schema["default"])
    if schema.get("enum"):
        return next((member for member in schema["enum"] if member), schema["enum"][0])
    if schema.get("x-kubernetes-int-or-string"):
        return _int_or_string(schema)
    kind = schema.get("type")
    if kind == "object":
        return _object(schema)
    if kind == "array":
        return _list(schema)
    if kind == "string":
        return next(_texts(schema))
    if kind in ("integer", "number"):
        return next(_numbers(schema))
    return {} if kind is None else False


def smallest_fields(schema: Schema, *, with_status: bool) -> Json:
    """The fields beside apiVersion, kind and metadata that a root schema requires."""
    skipped = ROOT_KEYS if with_status else (*ROOT_KEYS, "status")
    return {key: value for key, value in _object(schema).items() if key not in skipped}


def _object(schema: Schema) -> Json:
    value: Json = {}
    if schema.get("x-kubernetes-embedded-resource"):
        value = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    properties = schema.get("properties") or {}
    for key in [*(schema.get("required") or ()), *_required_by_unions(schema)]:
        inner = properties.get(key, schema.get("additionalProperties"))
        if key not in value and _default(inner) is None:
            value[key] = smallest_value(inner) if isinstance(inner, Mapping) else {}
    _fill_up(schema, value)
    return value


def _default(schema: Any) -> Any:
    return schema.get("default") if isinstance(schema, Mapping) else None


def _required_by_unions(schema: Schema) -> Iterator[str]:
    """What the first branch of each union requires."""
    for union in ("oneOf", "anyOf"):
        for branch in (schema.get(union) or ())[:1]:
            yield from branch.get("required") or ()
    for branch in schema.get("allOf") or ():
        yield from branch.get("required") or ()
        yield from _required_by_unions(branch)


def _fill_up(schema: Schema, value: Json) -> None:
    """Add fields up to ``minProperties``."""
    wanted = schema.get("minProperties") or 0
    rest = schema.get("additionalProperties")
    candidates = [(key, inner) for key, inner in (schema.get("properties") or {}).items() if key not in value]
    if isinstance(rest, Mapping):
        candidates += [(f"a{number}", rest) for number in range(wanted)]
    for key, inner in candidates:
        if len(value) >= wanted:
            return
        value[key] = smallest_value(inner)


def _list(schema: Schema) -> list[Any]:
    inner = schema.get("items") or {}
    number = schema.get("minItems") or 0
    if not number:
        return []
    values = _scalars(inner) if inner.get("type") in ("string", "integer") else iter(())
    distinct = list(itertools.islice(values, number))
    return distinct if len(distinct) == number else [smallest_value(inner) for _ in range(number)]


def _int_or_string(schema: Schema) -> Any:
    if not schema.get("pattern"):
        return max(1, int(schema.get("minimum") or 0))
    return 1 if _matches(schema["pattern"], "1") else next(_texts(schema))


def _scalars(schema: Schema) -> Iterator[Any]:
    """Values to try for a node that is neither an object nor a list."""
    kind = schema.get("type")
    yield from schema.get("enum") or ()
    if kind == "boolean":
        yield from (True, False)
    elif kind in ("integer", "number"):
        yield from _numbers(schema)
    elif kind == "string" and not schema.get("enum"):
        yield from _texts(schema)


def _numbers(schema: Schema) -> Iterator[float]:
    step = schema.get("multipleOf") or 1
    low, high = schema.get("minimum"), schema.get("maximum")
    first = low + (step if schema.get("exclusiveMinimum") else 0) if low is not None else min(0, high or 0)
    yield first
    for factor in (1, 2, 3, 10, 100, 1024, 8080):
        number = first + factor * step
        if high is None or number <= high:
            yield number


def _texts(schema: Schema) -> Iterator[str]:
    shortest, longest = schema.get("minLength") or 0, schema.get("maxLength")
    pattern, form = schema.get("pattern"), str(schema.get("format") or "")
    found = False
    for text in [FORMATS[form]] if form in FORMATS else TEXTS:
        text = (
            text if len(text) >= shortest or not text or form in FORMATS else text + text[-1] * (shortest - len(text))
        )
        if len(text) >= shortest and (longest is None or len(text) <= longest) and _matches(pattern, text):
            found = True
            yield text
    if not found:
        yield "a" * max(shortest, 1)


def _longer(texts: Sequence[str], shortest: int) -> Iterator[str]:
    """Each text, its last letter repeated up to a length."""
    return (text + text[-1:] * (shortest - len(text)) for text in texts)


def _matches(pattern: str | None, text: str) -> bool:
    if not pattern:
        return True
    try:
        # Go's \z is Python's \Z.
        return re.search(pattern.replace(r"\z", r"\Z"), text) is not None
    except re.error:
        return False


# What the server says.


class NotFound(Exception):
    """No object was found; the message has the server's objections to the best try."""


def find_object(schema: Schema, start: Json, try_to_create: Callable[[Json], object]) -> Json:
    """An object like ``start`` that ``try_to_create`` takes without an `ApiError`. Raises `NotFound`."""
    order = itertools.count()
    seen = {repr(start)}
    waiting: list[tuple[int, int, int, Json]] = [(0, 0, next(order), start)]
    closest: tuple[int, str] = (1_000_000, "")
    for _ in range(MAX_TRIES):
        if not waiting:
            break
        _, depth, _, candidate = heapq.heappop(waiting)
        try:
            try_to_create(candidate)
        except ApiError as error:
            closest = min(closest, (len(error.causes), error.message))
            for changed in _changes(schema, candidate, error):
                if repr(changed) not in seen:
                    seen.add(repr(changed))
                    heapq.heappush(waiting, (len(error.causes) + depth, depth + 1, next(order), changed))
        else:
            return candidate
    raise NotFound(closest[1])


def _changes(schema: Schema, candidate: Json, error: ApiError) -> Iterator[Json]:
    """The candidate with one small change each, nearest to what the server objects to first."""
    for cause in error.causes or [{"field": "", "message": error.message}]:
        path = _path(cause.get("field") or "")
        for route in (path, path[:-1]) if path else ((),):
            node = schema_at(schema, route)
            if node is not None:
                yield from _changes_at(candidate, route, node, cause.get("message") or "")


def _changes_at(candidate: Json, route: Path, schema: Schema, message: str) -> Iterator[Json]:
    value = _value_at(candidate, route)
    if not route:
        yield from (_with(candidate, ("metadata", "name"), name) for name in _quoted(schema, message))
    if schema.get("type") == "object" or schema.get("properties"):
        yield from _changed_objects(candidate, route, schema, value if isinstance(value, dict) else {})
    elif schema.get("type") == "array":
        item = smallest_value(schema.get("items") or {})
        yield _with(candidate, route, [*(value if isinstance(value, list) else ()), item])
        yield _with(candidate, route, [])
    else:
        texts = _quoted(schema, message) if schema.get("type") == "string" else []
        yield from (_with(candidate, route, other) for other in [*texts, *_scalars(schema)])
    if route and route[0] not in ROOT_KEYS:
        yield _without(candidate, route)


def _changed_objects(candidate: Json, route: Path, schema: Schema, value: Json) -> Iterator[Json]:
    properties = schema.get("properties") or {}
    absent = [key for key in properties if key not in value and (route or key not in ROOT_KEYS)]
    for key in absent:
        for other in _variants(properties[key]):
            yield _with(candidate, (*route, key), other)
    for one, other in itertools.islice(itertools.combinations(absent, 2), MAX_PAIRS):
        first = _with(candidate, (*route, one), smallest_value(properties[one]))
        yield _with(first, (*route, other), smallest_value(properties[other]))
    required = schema.get("required") or ()
    for key, inner in value.items():
        if key in properties and (route or key not in ROOT_KEYS):
            if key not in required:
                yield _without(candidate, (*route, key))
            if not isinstance(inner, dict | list):
                yield from (_with(candidate, (*route, key), other) for other in _scalars(properties[key]))


def _variants(schema: Schema) -> list[Any]:
    """A few values for a field that is to be there."""
    values = [smallest_value(schema), *itertools.islice(_scalars(schema), 4)]
    if schema.get("type") == "array":
        values.append([smallest_value(schema.get("items") or {})])
    return list({repr(value): value for value in values}.values())


def _quoted(schema: Schema, message: str) -> list[str]:
    """Texts that the rules of a node, or the server's message, quote."""
    rules = " ".join(str(rule.get("rule")) for rule in schema.get("x-kubernetes-validations") or ())
    return list(dict.fromkeys(re.findall(r"['\"]([^'\"\s]{1,60})['\"]", f"{rules} {message}")))


# Paths.


def _path(text: str) -> Path:
    """``spec.items[0].labels[a.b]`` as its keys and indices."""
    found: list[str | int] = []
    for key, inner in re.findall(r"([^.\[\]]+)|\[([^\]]*)\]", text):
        found.append(key or (int(inner) if inner.isdigit() else inner))
    return () if found in (["<nil>"], ["openAPIV3Schema"]) else tuple(found)


def schema_at(schema: Schema, path: Path) -> Schema | None:
    """The node that a path in an object leads to."""
    for key in path:
        inner: Any = schema.get("items") if isinstance(key, int) else None
        if inner is None:
            rest = schema.get("additionalProperties")
            inner = (schema.get("properties") or {}).get(str(key), rest)
        if not isinstance(inner, Mapping):
            return None
        schema = inner
    return schema


def _value_at(data: Any, path: Path) -> Any:
    for key in path:
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            return None
    return data


def _with(candidate: Json, path: Path, value: Any) -> Json:
    """A copy in which the value stands at the path; objects on the way to it are made."""
    changed = deepcopy(candidate)
    if not path:
        return changed
    place: Any = changed
    for key in path[:-1]:
        inner = _value_at(place, (key,))
        if inner is None:
            inner = {}
            _put(place, key, inner)
        place = inner
    _put(place, path[-1], deepcopy(value))
    return changed


def _put(place: Any, key: str | int, value: Any) -> None:
    """Set a field, or an item that is there already."""
    if isinstance(place, dict) or (isinstance(place, list) and isinstance(key, int) and key < len(place)):
        place[key] = value  # type: ignore[index]


def _without(candidate: Json, path: Path) -> Json:
    changed = deepcopy(candidate)
    place: Any = _value_at(changed, path[:-1])
    if _value_at(place, path[-1:]) is not None:
        del place[path[-1]]
    return changed
