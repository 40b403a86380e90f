"""``kubectl wait`` for a kind, and where it would return early or hang (kubectl, pkg/cmd/wait)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crdlint.crd.model import Version
from crdlint.healthchecks.check import Check
from crdlint.healthchecks.limits import conditions_may_wait, never_converges, tells_generation
from crdlint.report.sanitise import clean

# Kubectl's JSONPath has its own ways with quotes, and cuts its argument at each sign of equality.
_PLAIN = re.compile(r"[A-Za-z0-9][-A-Za-z0-9_./]*")

_EARLY = (
    "for %s it returns early: after a change of spec it takes the answer for the one before, since neither status nor "
    "the conditions say which generation they speak of"
)
_HANGS = (
    "--for=condition=… would never return: the status subresource is off, so that each write of status is a generation "
    "that nobody has observed. This looks at no generation: after a change of spec it returns on the old answer"
)
_MAY_HANG = (
    "use it where the other one hangs, which it does until the controller has written status.observedGeneration. It "
    "looks at no generation: after a change of spec it returns on the old answer"
)


class Wait(NamedTuple):
    """A command and what to know about it; without a command, why there is none."""

    command: str | None
    note: str


def waits(check: Check, versions: Sequence[Version]) -> list[Wait]:
    """The commands to run one after the other; of those for ``any_of`` one is enough."""
    found: list[Wait] = []
    for name in (*check.any_of, *check.needed):
        note = f"for objects that have {name}" if name in check.any_of and len(check.any_of) > 1 else ""
        found += _waits_for(check, name, versions, note)
    return found


def _waits_for(check: Check, name: str, versions: Sequence[Version], note: str) -> Iterator[Wait]:
    if "=" in name or clean(name) != name or not name.isprintable():
        yield Wait(None, f"kubectl cannot be asked for the condition {name!a}: its name is no word that it takes")
        return
    if any(map(never_converges, versions)):
        yield _by_path(check, name, _and(note, _HANGS))
        return
    unseen = [version.name for version in versions if not tells_generation(version)]
    early = _EARLY % " and ".join(unseen) if unseen else ""
    yield Wait(_command(check, f"condition={name}"), _and(note, early))
    if any(map(conditions_may_wait, versions)):
        yield _by_path(check, name, _and(note, _MAY_HANG))


def _by_path(check: Check, name: str, note: str) -> Wait:
    if not _PLAIN.fullmatch(name):
        return Wait(None, f"there is no path that leads to the condition {name!a}")
    return Wait(_command(check, f'jsonpath={{.status.conditions[?(@.type=="{name}")].status}}=True'), note)


def _command(check: Check, condition: str) -> str:
    namespace = ["-n", "NAMESPACE"] if check.is_namespaced else []
    words = ["kubectl", "wait", *namespace, f"{check.plural}.{check.group}/NAME", f"--for={condition}", "--timeout=5m"]
    return shlex.join(words)


def _and(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
