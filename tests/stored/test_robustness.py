"""Whatever a schema and an object look like, there is a verdict, or one clear line."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from crdlint.errors import UsageError
from crdlint.stored.checker import StoredChecker
from crdlint.stored.objects import StoredObject
from crdlint.stored.verdict import Verdict
from tests.stored.crds import Json, keyword_crds, schema_of, views
from tests.stored.samples import ODD, Samples

ROUNDS = 12


@pytest.mark.parametrize("made", keyword_crds(), ids=lambda made: str(made["metadata"]["name"]))
def test_schemas_that_no_server_takes(made: Json) -> None:
    """A schema with odd values in any of its places, and objects of the sound one, each spoilt as well."""
    chance = random.Random(9)
    objects = list(Samples(made, "v1", 9).objects(9))
    for _ in range(ROUNDS):
        spoilt = copy.deepcopy(made)
        for _ in range(3):
            spoil(schema_of(spoilt, "v1"), chance)
        try:
            view = views(json.dumps(spoilt))[spoilt["metadata"]["name"], "v1"]
        except UsageError:
            continue
        for kubernetes in ((1, 29), (1, 36)):
            checker = StoredChecker(views(json.dumps(made))[made["metadata"]["name"], "v1"], view, kubernetes)
            for stored in objects:
                assert isinstance(checker.check(StoredObject("x", 1, stored)), Verdict)


def spoil(schema: Any, chance: random.Random) -> None:
    places = [(holder, key) for holder in containers(schema) for key in keys(holder)]
    holder, key = chance.choice(places)
    holder[key] = copy.deepcopy(chance.choice(ODD))


def containers(value: Any) -> list[Any]:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if below else []), *(inner for item in below for inner in containers(item))]


def keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))
