"""Every fixture that the API server accepts, and its fixes as updates of what is stored there, with an object each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.upstream.controlplane.api_client import ApiClient, ApiError, Json
from tests.upstream.controlplane.live_corpus import Document, Outcome, documents, storage_version, try_object

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FIXED = ("out.yaml", "safe.yaml")


class Case(NamedTuple):
    """A CRD of a fixture, before and after fixing."""

    place: str
    before: Json
    after: Json


def cases() -> Iterator[Case]:
    for path in sorted(FIXTURES.glob("*/*/in.yaml")):
        for name in FIXED:
            fixed = path.with_name(name)
            if fixed.exists():
                yield from _pairs(path, fixed)


def _pairs(before: Path, after: Path) -> Iterator[Case]:
    place = str(after.relative_to(FIXTURES))
    olds, news = (list(documents(place, path.read_bytes())) for path in (before, after))
    assert len(olds) == len(news)
    for old, new in zip(olds, news, strict=True):
        yield Case(old.place, old.crd, new.crd)


def in_group(crd: Json, prefix: str) -> Json:
    """The CRD under a name that no other case has."""
    spec: dict[str, Any] = {**crd["spec"], "group": f"{prefix}.{crd['spec']['group']}"}
    name = f"{spec['names']['plural']}.{spec['group']}"
    return {**crd, "metadata": {**crd["metadata"], "name": name}, "spec": spec}


def test_what_the_server_accepts_it_accepts_fixed_and_the_objects_stay_writable(api: ApiClient) -> None:
    accepted = 0
    for number, case in enumerate(cases()):
        try:
            before, after = (in_group(crd, f"f{number}") for crd in (case.before, case.after))
            resource = api.apply_crd(before)
        except (ApiError, KeyError):
            # What is wrong with a fixture from the start is no matter here.
            continue
        accepted += 1
        old = outcome(api, Document(case.place, before), "old")
        api.apply_crd(after)
        new = outcome(api, Document(case.place, after), "new")
        assert (new.no_object, new.status) == ("", new.expected), case.place
        if old.has_object:
            stored = api.get(resource.path("old"))
            labelled = {**stored, "metadata": {**stored["metadata"], "labels": {"a": "b"}}}
            assert api.replace(resource.path("old"), labelled).get("status") == stored.get("status"), case.place
    assert accepted > 100


def outcome(api: ApiClient, document: Document, name: str) -> Outcome:
    """What becomes of the smallest object."""
    found = Outcome(document.place, has_served_storage=storage_version(document.crd)["served"])
    try_object(api, document, found, name)
    return found
