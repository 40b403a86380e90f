"""Create every CRD of the corpus on a real API server, before and after fixing, with an object each, and read it back.

    python -m tests.upstream.controlplane.live_corpus [CORPUS] [--jobs N] [--least PERCENT]

The status that an object reads back must be the one that crdlint computes, nothing that was accepted may be refused
after ``fix --unsafe-fixes``, and of the served storage versions at least 97 % must get an object. Exit 1 otherwise.
CRDs are not deleted, the whole cluster is; one with a name that is taken already gets another group.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from crdlint.consumers import kstatus
from crdlint.crd.model import GROUP, KIND, crds_of
from crdlint.crd.structural import ABSENT, apply_defaults, fresh_status
from crdlint.findings import Applicability
from crdlint.runner import Job, default_jobs
from crdlint.yamltext.data import to_data
from crdlint.yamltext.parse import parse
from crdlint.yamltext.source import Source, Unreadable
from tests.upstream.controlplane.api_client import CRDS, ApiClient, ApiError, Json, resource_of, wait_until
from tests.upstream.controlplane.cluster import Cluster
from tests.upstream.controlplane.smallest_object import NotFound, find_object, smallest_fields

CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"
LEAST_PERCENT = 97.0
NAME = "smallest"


@dataclass(frozen=True)
class Document:
    """A CRD of the corpus and where it stands."""

    place: str
    crd: Json


@dataclass
class Outcome:
    """What became of one CRD on the server."""

    place: str
    refused: str = ""
    # Is there a storage version that is served? Only through such a one can an object be created as it is stored.
    has_served_storage: bool = False
    # Does that version declare a status?
    has_status: bool = False
    no_object: str = ""
    status: Any = ABSENT
    expected: Any = ABSENT
    kstatus: str = ""
    tries: int = 0

    @property
    def has_object(self) -> bool:
        return self.has_served_storage and not self.no_object

    @property
    def differs(self) -> bool:
        return self.has_object and self.status != self.expected


@dataclass
class Phase:
    """The corpus, as it is or fixed, on one cluster."""

    title: str
    outcomes: list[Outcome]
    seconds: float
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for outcome in self.outcomes:
            self.counts["CRDs"] += 1
            self.counts["refused"] += bool(outcome.refused)
            self.counts["served storage versions"] += outcome.has_served_storage
            self.counts["objects"] += outcome.has_object
            self.counts["status as crdlint says"] += outcome.has_object and not outcome.differs
            self.counts["with a status"] += outcome.has_object and outcome.has_status
            self.counts["of them Current at creation"] += outcome.has_status and outcome.kstatus == kstatus.CURRENT

    @property
    def percent(self) -> float:
        return 100 * self.counts["objects"] / max(1, self.counts["served storage versions"])

    def show(self) -> None:
        print(f"{self.title}: {self.seconds:.0f} s")
        for what, number in self.counts.items():
            print(f"  {number:5} {what}")
        for outcome in self.outcomes:
            if outcome.no_object:
                print(f"  no object: {outcome.place}: {outcome.no_object[:400]}")
            if outcome.differs:
                print(f"  DIFFERS: {outcome.place}: {outcome.status!r}, not {outcome.expected!r}")


# The corpus.


def corpus_files(corpus: Path) -> list[str]:
    return sorted(str(path) for path in corpus.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))


def documents(path: str, data: bytes) -> Iterator[Document]:
    """The v1 CRDs of a file; none of one that cannot be read."""
    try:
        stream = parse(Source.from_bytes(data).text, wanted=KIND)
    except Unreadable:
        return
    for index, document in enumerate(stream.documents):
        for crd in crds_of(document.root) if document.root is not None else ():
            if crd.api_version == f"{GROUP}/v1":
                yield Document(f"{path}#{index}{crd.prefix}", to_data(crd.root))


def before_and_after(corpus: Path, jobs: int) -> tuple[list[Document], list[Document]]:
    """All CRDs as they are, and as ``fix --unsafe-fixes`` leaves them."""
    with ProcessPoolExecutor(jobs) as pool:
        pairs = list(pool.map(partial(file_before_and_after, corpus), corpus_files(corpus), chunksize=4))
    return [made for before, _ in pairs for made in before], [made for _, after in pairs for made in after]


def file_before_and_after(corpus: Path, file: str) -> tuple[list[Document], list[Document]]:
    """The CRDs of one file."""
    path, data = str(Path(file).relative_to(corpus)), Path(file).read_bytes()
    run = Job(fixes=Applicability.UNSAFE, keeps_text=False).run_bytes(path, data)
    before = list(documents(path, data))
    return before, before if run.after == data else list(documents(path, run.after))


def with_own_names(found: list[Document]) -> list[Document]:
    """The CRDs with groups such that no two have one name."""
    taken: Counter[str] = Counter()
    renamed = []
    for document in found:
        crd = deepcopy(document.crd)
        name, spec = str(crd["metadata"].get("name")), crd.get("spec") or {}
        if taken[name] and "group" in spec:
            prefix = f"copy{taken[name]}"
            spec["group"] = f"{prefix}.{spec['group']}"
            crd["metadata"]["name"] = name.replace(".", f".{prefix}.", 1)
        taken[name] += 1
        renamed.append(Document(document.place, crd))
    return renamed


# On the server.


def create_crd(api: ApiClient, document: Document) -> Outcome:
    """Create a CRD, unless the server refuses it."""
    outcome = Outcome(document.place)
    crd = {key: value for key, value in document.crd.items() if key != "status"}
    try:
        api.create(CRDS, crd)
    except ApiError as error:
        outcome.refused = error.message
    else:
        outcome.has_served_storage = storage_version(crd)["served"]
    return outcome


def storage_version(crd: Json) -> Json:
    found: Json = next(version for version in crd["spec"]["versions"] if version["storage"])
    return found


def try_object(api: ApiClient, document: Document, outcome: Outcome, name: str = NAME) -> None:
    """Create the smallest object of the storage version, and read it back."""
    if not outcome.has_served_storage:
        return
    resource, version = resource_of(document.crd), storage_version(document.crd)
    schema = version["schema"]["openAPIV3Schema"]
    status = (schema.get("properties") or {}).get("status")
    outcome.has_status = isinstance(status, dict)
    wait_until(partial(is_served, api, resource.collection), f"{outcome.place} served")
    has_subresource = (version.get("subresources") or {}).get("status") is not None
    start = resource.new(name, **smallest_fields(schema, with_status=not has_subresource))

    def create(candidate: Json) -> None:
        outcome.tries += 1
        api.create(resource.collection, candidate)

    try:
        made = find_object(schema, start, create)
    except NotFound as objection:
        outcome.no_object = str(objection)
        return
    found = api.get(resource.path(made["metadata"]["name"]))
    outcome.status = found.get("status", ABSENT)
    sent = made.get("status") if not has_subresource else None
    outcome.expected = fresh_status(status) if sent is None else apply_defaults(status, sent)
    outcome.kstatus = kstatus_of(found)


def is_served(api: ApiClient, collection: str) -> bool:
    try:
        api.get(f"{collection}?limit=1")
    except ApiError as error:
        if error.code not in (404, 429, 503):
            raise
        return False
    return True


def kstatus_of(found: Json) -> str:
    try:
        return kstatus.compute(found).status
    except kstatus.ComputeError as error:
        return str(error)


def run_phase(title: str, found: list[Document], jobs: int) -> Phase:
    """Try all CRDs out on a new cluster.

    All are created before the first object is: an API server lets a request to create one wait for two seconds if the
    CRD was established less than two seconds ago.
    """
    started = time.monotonic()
    found = with_own_names(found)
    cluster = Cluster.start()
    try:
        with ThreadPoolExecutor(jobs) as pool:
            outcomes = list(pool.map(partial(create_crd, cluster.api), found))
            for _ in pool.map(partial(try_object, cluster.api), found, outcomes):
                pass
    finally:
        cluster.stop()
    return Phase(title, outcomes, time.monotonic() - started)


# The verdict.


def failures(before: Phase, after: Phase, least: float) -> list[str]:
    """What is not as it must be."""
    found = []
    for phase in (before, after):
        if phase.percent < least:
            found.append(f"{phase.title}: only {phase.percent:.1f} % of the served storage versions got an object")
        found += [f"{phase.title}: another status: {outcome.place}" for outcome in phase.outcomes if outcome.differs]
    accepted = {outcome.place for outcome in before.outcomes if not outcome.refused}
    found += [
        f"refused only after fixing: {outcome.place}: {outcome.refused}"
        for outcome in after.outcomes
        if outcome.refused and outcome.place in accepted
    ]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Try the corpus out on a real API server, before and after fixing.")
    parser.add_argument("corpus", type=Path, nargs="?", default=CORPUS)
    parser.add_argument("--jobs", type=int, default=default_jobs(), help="requests at a time")
    parser.add_argument(
        "--least", type=float, default=LEAST_PERCENT, help="percent of versions that must get an object"
    )
    arguments = parser.parse_args()
    started = time.monotonic()
    before, after = before_and_after(arguments.corpus, arguments.jobs)
    print(f"read and fixed: {time.monotonic() - started:.0f} s", flush=True)
    phases = []
    for title, found in (("as it is", before), ("after fix --unsafe-fixes", after)):
        phases.append(run_phase(title, found, arguments.jobs))
        phases[-1].show()
    wrong = failures(phases[0], phases[1], arguments.least)
    print("\n".join(wrong) or "all as it must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
