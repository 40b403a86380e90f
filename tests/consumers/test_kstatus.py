"""kstatus where no other library is asked: what the checks rest on."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timezone
from typing import Any

import pytest

from crdlint.consumers import kstatus


def test_of_two_standard_conditions_the_first_in_the_list_counts() -> None:
    stalled = {"type": "Stalled", "status": "True", "message": "stuck"}
    reconciling = {"type": "Reconciling", "status": "True", "message": "busy"}
    assert kstatus.compute({"status": {"conditions": [stalled, reconciling]}}) == ("Failed", "stuck")
    assert kstatus.compute({"status": {"conditions": [reconciling, stalled]}}) == ("InProgress", "busy")


def test_a_custom_resource_needs_no_api_version() -> None:
    """A CRD's kind may be called like a built-in one."""
    assert kstatus.compute({"kind": "Pod"}) == ("Current", "Resource is current")
    assert kstatus.compute({"apiVersion": "v1", "kind": "Pod"}) == ("InProgress", "Pod phase not available")


def test_an_unscheduled_pod_has_fifteen_seconds() -> None:
    pod: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"creationTimestamp": "2024-01-01T00:00:00Z"},
        "status": {
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}],
        },
    }
    moments = [datetime(2024, 1, 1, 0, 0, second, tzinfo=timezone.utc) for second in (14, 15)]
    assert [kstatus.compute(pod, now).status for now in moments] == ["InProgress", "Failed"]


@pytest.mark.parametrize("status", ["x", [], {"conditions": {}}, {"conditions": ["x"]}, {"conditions": [{"type": 1}]}])
def test_what_it_cannot_read(status: Any) -> None:
    with pytest.raises(kstatus.ComputeError):
        kstatus.compute({"status": status})
    assert kstatus.verdict({"status": status}).status == "Unknown"


def test_checks_load_no_more_of_the_consumers_than_kstatus() -> None:
    code = (
        "import sys, crdlint.linter, crdlint.cli; loaded = [name for name in sys.modules "
        "if name.startswith('crdlint.consumers.')]; print(*sorted(loaded))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["crdlint.consumers.kstatus", "crdlint.consumers.unstructured"]
