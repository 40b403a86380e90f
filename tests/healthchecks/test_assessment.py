"""What a kind needs, and on what that rests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdlint.crd.model import Crd, crds_of
from crdlint.healthchecks.assessment import Assessment, Verdict, assess
from crdlint.healthchecks.conditions_of import Source
from crdlint.healthchecks.known import Evidence, Told
from crdlint.healthchecks.meanings import SUMMARIES, WELL_KNOWN, Meaning
from crdlint.yamltext.parse import parse
from tests.consumers.build import GUARD, METAV1, OBSERVED, crd_of, status_of
from tests.healthchecks.lives import NEGATIVE, PAUSED, POSITIVE, PROGRESSING

FULL = status_of(observedGeneration=OBSERVED, conditions=METAV1)
GUARDED = {**FULL, "default": GUARD}


def column(name: str) -> dict[str, str]:
    return {"name": name, "type": "string", "jsonPath": f".status.conditions[?(@.type=='{name}')].status"}


def crd_with(
    *versions: tuple[str, ...], status: dict[str, Any] | None = FULL, description: str = "", **spec: Any
) -> Crd:
    """A CRD with a version for each tuple of columns; the last one is stored."""
    data = crd_of(status).data("")
    base = data["spec"]["versions"][0]
    if description:
        base["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"]["conditions"]["description"] = (
            description
        )
    data["spec"]["versions"] = [
        {
            **base,
            "name": f"v{number}",
            "storage": number == len(versions),
            "additionalPrinterColumns": list(map(column, names)),
        }
        for number, names in enumerate(versions, 1)
    ]
    data["spec"].update(spec)
    root = parse(json.dumps(data)).documents[0].root
    assert root is not None
    return next(crds_of(root))


def told(*words: tuple[str, Meaning | None], kind: str | None = None) -> Evidence:
    return Evidence(told=tuple(Told(kind, name, meaning) for name, meaning in words))


def sample(**statuses: str) -> dict[str, Any]:
    found = [{"type": name, "status": status} for name, status in statuses.items()]
    return {"apiVersion": "example.com/v1", "kind": "Widget", "status": {"conditions": found}}


def sampled(*samples: dict[str, Any]) -> Evidence:
    return Evidence(samples={("example.com", "Widget"): samples})


def groups(assessment: Assessment) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    check = assessment.check
    assert check is not None, assessment
    return check.any_of, check.needed, check.positive


def test_documented_types_have_references() -> None:
    assert WELL_KNOWN.keys() >= SUMMARIES
    for name, documented in WELL_KNOWN.items():
        assert documented.reference.startswith("https://"), name
        assert documented.why, name
    assert {name for name in SUMMARIES if WELL_KNOWN[name].meaning is not POSITIVE} == set()


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (("Ready",), (("Ready",), (), ("Ready",))),
        (("Available", "Ready"), (("Available", "Ready"), (), ("Available", "Ready"))),
        (("Synced", "Ready"), (("Ready",), ("Synced",), ("Ready", "Synced"))),
        (("Installed", "Healthy"), ((), ("Healthy", "Installed"), ("Healthy", "Installed"))),
        (("Ready", "Whatever"), (("Ready",), (), ("Ready",))),
    ],
)
def test_one_version(columns: tuple[str, ...], expected: tuple[tuple[str, ...], ...]) -> None:
    assert groups(assess(crd_with(columns), Evidence())) == expected


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        # From one summary to the other: either counts, and all that are there have to be True.
        ((("Ready",), ("Available",)), (("Available", "Ready"), (), ("Available", "Ready"))),
        ((("Ready", "Synced"), ("Ready",)), (("Ready",), (), ("Ready", "Synced"))),
        ((("Healthy",), ("Programmed",)), (("Healthy", "Programmed"), (), ("Healthy", "Programmed"))),
        # Objects of a version that names nothing may have what came first.
        (((), ("Available",)), (("Available", "Ready"), (), ("Available", "Ready"))),
        (((), ("Ready",)), (("Ready",), (), ("Ready",))),
        (((), ("Synced",)), ((), ("Synced",), ("Synced",))),
    ],
)
def test_several_versions(versions: tuple[tuple[str, ...], ...], expected: tuple[tuple[str, ...], ...]) -> None:
    assert groups(assess(crd_with(*versions), Evidence())) == expected


def test_a_version_that_names_nothing_adds_nothing_that_is_ignored() -> None:
    found = assess(crd_with((), ("Available",)), told(("Ready", Meaning.IGNORED)))
    assert groups(found) == (("Available",), (), ("Available",))


def test_what_counts_against_is_found_everywhere() -> None:
    crd = crd_with(("Ready", "Paused"), description="Known condition types are Ready, Stalled, Reconciling, Other.")
    found = assess(crd, Evidence())
    assert {used.type: used.meaning for used in found.used} == {
        "Ready": POSITIVE,
        "Paused": PAUSED,
        "Stalled": NEGATIVE,
        "Reconciling": PROGRESSING,
    }
    assert found.left_out == ("Other",)
    assert all(used.reference for used in found.used)


def test_columns_decide_before_descriptions() -> None:
    """Gateways list Ready among their conditions, and need not have it."""
    crd = crd_with(("Programmed",), description="Known condition types are Accepted, Programmed, Ready.")
    assert groups(assess(crd, Evidence())) == ((), ("Programmed",), ("Programmed",))
    only_paused = crd_with(("Paused",), description="Known condition types are Ready.")
    assert groups(assess(only_paused, Evidence()))[0] == ("Ready",)


class TestUnknownMeaning:
    def test_is_asked_for(self) -> None:
        found = assess(crd_with(("Synced", "Fancy", "Odd")), Evidence())
        assert found.verdict is Verdict.OPEN
        assert found.undecided == ("Fancy", "Odd")
        assert found.check is None

    def test_does_not_matter_beside_a_summary(self) -> None:
        found = assess(crd_with(("Ready", "Fancy")), Evidence())
        assert found.check is not None
        assert found.left_out == ("Fancy",)

    def test_is_decided_by_the_command_line(self) -> None:
        crd = crd_with(("Synced", "Fancy"))
        assert groups(assess(crd, told(("Fancy", POSITIVE))))[1] == ("Fancy", "Synced")
        assert groups(assess(crd, told(("Fancy", Meaning.IGNORED)))) == ((), ("Synced",), ("Synced",))
        found = assess(crd, told(("Fancy", NEGATIVE)))
        assert found.check is not None
        assert (found.check.needed, found.check.negative) == (("Synced",), ("Fancy",))
        assert assess(crd, told(("Fancy", None))).undecided == ("Fancy",)

    def test_of_another_kind_is_left_open(self) -> None:
        crd = crd_with(("Synced", "Fancy"))
        assert assess(crd, told(("Fancy", POSITIVE), kind="Gadget")).verdict is Verdict.OPEN
        assert assess(crd, told(("Fancy", POSITIVE), kind="Widget")).check is not None

    def test_progressing_is_ambiguous(self) -> None:
        """Deployments have it while they progress, and when they have."""
        assert assess(crd_with(("Progressing",)), Evidence()).verdict is Verdict.OPEN
        found = assess(crd_with(("Available", "Progressing")), told(("Progressing", PROGRESSING)))
        assert found.check is not None
        assert found.check.progressing == ("Progressing",)


def test_one_kind_before_all() -> None:
    evidence = Evidence(told=(Told("Widget", "Fancy", POSITIVE), Told(None, "Fancy", NEGATIVE)))
    assert groups(assess(crd_with(("Fancy",)), evidence))[1] == ("Fancy",)


def test_the_command_line_before_the_documentation() -> None:
    found = assess(crd_with(("Ready", "Degraded")), told(("Degraded", Meaning.IGNORED)))
    assert found.check is not None
    assert found.check.negative == ()


class TestSamples:
    def test_name_types(self) -> None:
        found = assess(crd_with(()), sampled(sample(Available="True", Stalled="False")))
        assert groups(found)[0] == ("Available",)
        assert {used.source for used in found.used} == {Source.SAMPLES}

    def test_only_what_all_of_them_have_is_needed(self) -> None:
        evidence = sampled(sample(Synced="True", Accepted="True"), sample(Synced="True"))
        assert groups(assess(crd_with(()), evidence))[1] == ("Synced",)

    def test_what_counts_against_need_not_be_in_all_of_them(self) -> None:
        check = assess(crd_with(()), sampled(sample(Ready="True"), sample(Ready="False", Stalled="True"))).check
        assert check is not None
        assert (check.any_of, check.negative) == (("Ready",), ("Stalled",))

    def test_decide_what_types_mean(self) -> None:
        evidence = sampled(
            sample(Synced="True", Fancy="True", Odd="False"), sample(Synced="True", Fancy="True", Odd="False")
        )
        check = assess(crd_with(()), evidence).check
        assert check is not None
        assert (check.needed, check.progressing) == (("Fancy", "Synced"), ("Odd",))

    @pytest.mark.parametrize(
        "samples",
        [
            (sample(Synced="False", Fancy="True"),),
            (sample(Synced="True", Stalled="True", Fancy="True"),),
            (sample(Synced="True", Fancy="True"), sample(Synced="True", Fancy="False")),
            (sample(Synced="True", Fancy="Unknown"),),
            (sample(Fancy="True"),),
        ],
    )
    def test_decide_nothing_unless_they_are_ready_and_agree(self, samples: tuple[dict[str, Any], ...]) -> None:
        assert assess(crd_with(()), sampled(*samples)).undecided == ("Fancy",)

    def test_decide_nothing_beside_a_summary(self) -> None:
        """An autoscaler that is Ready is Active, or is not."""
        found = assess(crd_with(()), sampled(sample(Ready="True", Active="True")))
        assert groups(found) == (("Ready",), (), ("Ready",))
        assert found.left_out == ("Active",)

    @pytest.mark.parametrize("status", [None, [], {"conditions": None}, {"conditions": ["x", {"type": 3}]}])
    def test_of_another_shape(self, status: Any) -> None:
        odd = {"apiVersion": "example.com/v1", "kind": "Widget", "status": status}
        assert assess(crd_with(()), sampled(odd)).verdict is Verdict.OPEN


def test_configuration_speaks_where_nothing_else_does() -> None:
    evidence = Evidence(configured=("Synced",))
    assert groups(assess(crd_with(()), evidence))[1] == ("Synced",)
    assert groups(assess(crd_with(("Ready",)), evidence)) == (("Ready",), (), ("Ready",))


@pytest.mark.parametrize(
    ("crd", "verdict", "why"),
    [
        (crd_with(("Ready",), status=GUARDED), Verdict.NOT_NEEDED, "kstatus reads its Ready condition"),
        (crd_with(("Ready",)), Verdict.NEEDED, "kstatus calls a new object of v1 Current at once"),
        (crd_with(("Ready",), ("Ready",), status=GUARDED), Verdict.NOT_NEEDED, "kstatus reads its Ready condition"),
        (crd_with(("Available",), status=GUARDED), Verdict.NEEDED, "kstatus does not look at Available"),
        (crd_with((), status=GUARDED), Verdict.OPEN, "nothing names the conditions that it has"),
        (crd_with(("Paused",)), Verdict.OPEN, "of the conditions that are named, Paused, none is True only"),
        (crd_with(("Ready",), status=None), Verdict.NOTHING, "it declares no status"),
        (
            crd_with((), status=status_of(phase={"type": "string"})),
            Verdict.NOTHING,
            "its status declares no conditions",
        ),
        (crd_with((), status={"type": "object"}), Verdict.NOTHING, "nothing in its status is kept"),
        (
            crd_with((), status=status_of(conditions={"type": "object"})),
            Verdict.NOTHING,
            "its conditions are not a list",
        ),
        (
            crd_with((), status=status_of(conditions={"type": "array", "items": {"type": "string"}})),
            Verdict.NOTHING,
            "its conditions have no type, or no status",
        ),
        (crd_with(("Ready",), names={"kind": "WidgetTemplate"}), Verdict.NOTHING, "no controller reconciles it"),
        (
            crd_with(("Ready",), names={"kind": "{{ .Values.kind }}"}),
            Verdict.NOTHING,
            "its kind, its group or a version has a name",
        ),
        (crd_with(("Ready",), names={}), Verdict.NOTHING, "its kind, its group or a version has a name"),
        (
            crd_with(("Ready",), group="g" * 500),
            Verdict.NOTHING,
            "its kind, its group or a version has a name",
        ),
    ],
)
def test_verdicts(crd: Crd, verdict: Verdict, why: str) -> None:
    found = assess(crd, Evidence())
    assert (found.verdict, found.why[: len(why)]) == (verdict, why)


def test_stateless_by_configuration() -> None:
    assert assess(crd_with(("Ready",)), Evidence(is_stateless=True)).verdict is Verdict.NOTHING
