"""Flux: kstatus, unless a Kustomization's ``healthCheckExprs`` say otherwise for the kind (fluxcd/pkg, runtime/cel)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from crdlint.consumers import kstatus
from crdlint.consumers.kstatus import CURRENT, FAILED, IN_PROGRESS, UNKNOWN, Result
from crdlint.consumers.unstructured import AccessorError, group_and_kind, nested_int64
from crdlint.errors import UsageError

if TYPE_CHECKING:
    from crdlint.consumers.cel import Expression

# RFC 0009 has them evaluated in this order.
_ORDER = (("inProgress", IN_PROGRESS), ("failed", FAILED), ("current", CURRENT))


class HealthCheck:
    """One entry of ``healthCheckExprs`` (``StatusEvaluator``)."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    @cached_property
    def expressions(self) -> list[tuple[str, Expression]]:
        """What each holds for, in their order. Raises `CelError`, and `UsageError` where CEL is not installed."""
        from crdlint.consumers.cel import CelError, Expression

        if not self._texts.get("current"):
            raise CelError("expression Current not specified")
        return [(status, Expression(self._texts[name])) for name, status in _ORDER if self._texts.get(name)]

    def evaluate(self, resource: dict[str, Any]) -> Result:
        """The status of an object. Raises `CelError`; Flux tries again until its timeout."""
        expressions = self.expressions
        if _is_unobserved(resource):
            return Result(IN_PROGRESS, "")
        for status, expression in expressions:
            if expression.holds(resource):
                return Result(status, "")
        return Result(IN_PROGRESS, "")


def _is_unobserved(resource: dict[str, Any]) -> bool:
    """Checked before any expression runs; a generation that is no integer is passed over."""
    try:
        observed = nested_int64(resource, "status", "observedGeneration")
        generation = nested_int64(resource, "metadata", "generation")
    except AccessorError:
        return False
    return isinstance(observed, int) and isinstance(generation, int) and observed != generation


class Flux:
    """Flux with the health checks of one Kustomization; with none it is kstatus."""

    def __init__(self, checks: dict[tuple[str, str], HealthCheck] | None = None) -> None:
        self.checks = checks or {}

    @classmethod
    def from_kustomizations(cls, documents: Iterable[Any]) -> Flux:
        """The ``spec.healthCheckExprs`` of Kustomizations. Raises `UsageError` for what Flux refuses."""
        checks: dict[tuple[str, str], HealthCheck] = {}
        for document in documents:
            for entry in _entries(document):
                key = group_and_kind(entry)
                if key in checks:
                    raise UsageError(f"duplicate health check for {'/'.join(key)}")
                texts = {name: entry[name] for name, _ in _ORDER if isinstance(entry.get(name), str)}
                checks[key] = check = HealthCheck(texts)
                _parse(check)
        if not checks:
            raise UsageError("there are no spec.healthCheckExprs in it")
        return cls(checks)

    def check_for(self, resource: dict[str, Any]) -> HealthCheck | None:
        """The check for its kind, or for its whole group; the version does not count."""
        group, kind = group_and_kind(resource)
        return self.checks.get((group, kind)) or self.checks.get((group, ""))

    def verdict(self, resource: dict[str, Any]) -> Result:
        """The status as Flux shows it."""
        check = self.check_for(resource)
        if check is None:
            return kstatus.verdict(resource)
        from crdlint.consumers.cel import CelError

        try:
            return check.evaluate(resource)
        except CelError as error:
            return Result(UNKNOWN, str(error))


def _entries(document: Any) -> list[dict[str, Any]]:
    spec = document.get("spec") if isinstance(document, dict) else None
    entries = spec.get("healthCheckExprs") if isinstance(spec, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _parse(check: HealthCheck) -> None:
    from crdlint.consumers.cel import CelError

    try:
        assert check.expressions
    except CelError as error:
        raise UsageError(str(error)) from None
