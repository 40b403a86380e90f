"""Flux's health check expressions in Python against Flux itself."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from crdlint.consumers.flux import HealthCheck
from tests.upstream.asking import Upstream
from tests.upstream.matrices import SEED, objects

pytest.importorskip("cel_expr_python", reason="expressions need crdlint[cel]")

from crdlint.consumers.cel import CelError

# What users write: Flux's own catalogue of health checks, bug reports, and the corners of the language.
CURRENT = (
    "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')",
    "status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')",
    'status.conditions.exists_one(e, e.type == "Ready")',
    "status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'True') && "
    "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')",
    "has(status.conditions) && status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
    "has(status.observedGeneration) && status.observedGeneration == metadata.generation",
    "!has(status.conditions) || status.conditions.all(c, c.status != 'False')",
    "has(status.phase) ? status.phase == 'Running' : false",
    "status.phase == 'Running'",
    "status.phase in ['Running', 'Bound']",
    "status.phase.matches('^R.*g$')",
    "status.phase.startsWith('Run') && status.phase.endsWith('ing') && status.phase.contains('nn')",
    "status.phase.lowerAscii() == 'running'",
    "status.phase.split('n').join('') == 'Ruig'",
    "status.phase.size() == 7 || size(status.phase) > 7",
    "status.phase.replace('Run', 'Walk').substring(0, 4) == 'Walk'",
    "status.replicas == spec.replicas",
    "status.replicas >= spec.replicas && status.readyReplicas >= 1",
    "status.replicas >= 1.5",
    "status.replicas == 2.0",
    "double(status.replicas) / 2.0 == 1.0",
    "int(string(status.replicas)) == status.replicas",
    "status.readyReplicas + status.replicas > 3",
    "status.readyReplicas % 2 == 0",
    "status.replicas / status.readyReplicas == 1",
    "-status.replicas < 0",
    "status.?phase.orValue('none') == 'Running'",
    "status.?conditions.orValue([]).exists(c, c.type == 'Ready')",
    "status.?phase.optMap(p, p == 'Running').orValue(false)",
    "status[?'phase'].hasValue()",
    "optional.of(status).hasValue()",
    "metadata.?labels.app.orValue('') == ''",
    "status.conditions[0].type == 'Ready'",
    "status.conditions[7].type == 'Ready'",
    "size(status.conditions) > 1",
    "status.conditions.map(c, c.type) == ['Ready']",
    "'Ready' in status.conditions.map(c, c.type)",
    "status.conditions.map(c, c.status == 'True', c.type).size() > 0",
    "status.conditions.filter(c, c.type == 'Ready' && has(c.observedGeneration) && "
    "c.observedGeneration >= metadata.generation).size() == 1",
    "status.conditions.all(c, c.observedGeneration == metadata.generation)",
    "status.conditions.exists(c, c.message.contains('well'))",
    "sets.contains(status.conditions.map(c, c.type), ['Ready'])",
    "sets.intersects(['Ready', 'Stalled'], status.conditions.map(c, c.type))",
    "sets.equivalent(status.conditions.map(c, c.type), ['Ready', 'Ready'])",
    "base64.encode(b'ab') == 'YWI='",
    "kind == 'Widget'",
    "apiVersion.startsWith('apps/')",
    "status == {}",
    "status.conditions == []",
    "status.phase == null",
    "status.observedGeneration > -1",
    "status.observedGeneration == '1'",
    "1 == 'a'",
    "type(status.observedGeneration) == int",
    "timestamp(metadata.creationTimestamp) < timestamp('2025-01-01T00:00:00Z')",
    "duration('1h') > duration('59m')",
    "spec.suspend == true",
    "!spec.suspend",
    "spec.suspend && true",
    "spec.suspend || status.phase == 'Running'",
    "status.phase == 'Running' || missing.field",
    "missing.field && false",
    "has(missing.field)",
    "has(status.deep.deeper)",
    "status.phase",
    "status.conditions",
    "1",
    "dyn(status.phase) == 'Running'",
    "1u == 1",
    "data.ready",
    "status.phase ==",
    "status.conditions.filter(e, e.type",
    "nonsense(status)",
)
OTHERS = ("", "kind.contains('e')", "status.conditions.exists(e, e.type == 'Stalled' && e.status == 'True')")


def ours(expressions: dict[str, str], resource: dict[str, Any]) -> str:
    try:
        return HealthCheck(expressions).evaluate(resource).status
    except CelError:
        return "error"


def is_stored(resource: dict[str, Any]) -> bool:
    """Would an API server store it? On ``has`` and optional fields of what is no map the two libraries differ."""
    status = resource.get("status", {})
    if not isinstance(resource["metadata"], dict) or not isinstance(status, dict):
        return False
    conditions = status.get("conditions", [])
    return not isinstance(conditions, list) or all(isinstance(condition, dict) for condition in conditions)


def test_equal(upstream: Upstream) -> None:
    resources = random.Random(SEED).sample(list(filter(is_stored, objects(30))), 80)
    cases = [({"current": current}, resource) for current, resource in itertools.product(CURRENT, resources)]
    full = itertools.product(OTHERS, OTHERS, CURRENT[:5], resources[:20])
    cases += [
        ({"failed": failed, "inProgress": busy, "current": now}, resource) for failed, busy, now, resource in full
    ]
    cases += [({"failed": "true"}, {}), ({"current": ""}, {})]
    assert len(cases) >= 5_000
    answers = upstream.ask({"op": "flux", "exprs": exprs, "object": resource} for exprs, resource in cases)
    theirs = [answer.get("status", "error") for answer in answers]
    different = [
        (case, answer, ours(*case))
        for case, answer, real in zip(cases, answers, theirs, strict=True)
        if ours(*case) != real
    ]
    assert different == []
    counts = Counter(theirs)
    assert min(counts[status] for status in ("Current", "InProgress", "error")) > 300, counts
    assert counts["Failed"] > 10, counts


def test_known_difference(upstream: Upstream) -> None:
    """An index beyond the end of an optional list: cel-go has an optional without value, the C++ library an error."""
    expressions = {"current": "status.?conditions[0].?status.orValue('True') == 'True'"}
    resource: dict[str, Any] = {"status": {"conditions": []}}
    assert upstream.ask([{"op": "flux", "exprs": expressions, "object": resource}])[0]["status"] == "Current"
    assert ours(expressions, resource) == "error"
