"""What a run, or its configuration, says about the files that it checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from crdlint.findings import Severity

if TYPE_CHECKING:
    from crdlint.crd.model import Crd

# What `controllers.writes` of the configuration may say.
WRITES_OBSERVED_GENERATION = "status.observedGeneration"
WRITES_CONDITION_GENERATION = "conditions.observedGeneration"
WRITES_STATUS_ENDPOINT = "status-endpoint"
WRITES = (WRITES_OBSERVED_GENERATION, WRITES_CONDITION_GENERATION, WRITES_STATUS_ENDPOINT)

# Which generator made a CRD: the next run of it undoes what is written there.
GENERATOR_ANNOTATION = "controller-gen.kubebuilder.io/version"


class Generated(str, Enum):
    """What is done about CRDs that a generator made: fixed like others, only reported, or passed over."""

    FIX = "fix"
    WARN = "warn"
    SKIP = "skip"


@dataclass(frozen=True)
class Controllers:
    """What is known of the controllers: which fields they write, and whether a declared field proves that."""

    writes: frozenset[str] = frozenset()
    declared_is_unproven: bool = False


@dataclass(frozen=True)
class ControllersChange:
    """What is known otherwise of some controllers; None where nothing else is."""

    writes: frozenset[str] | None = None
    declared_is_unproven: bool | None = None

    def made_to(self, controllers: Controllers) -> Controllers:
        said = {name: value for name, value in vars(self).items() if value is not None}
        return replace(controllers, **said)


@dataclass(frozen=True)
class Capi:
    """Which CRDs are held to the contracts of Cluster API, and to which of them.

    ``groups`` are patterns of API groups beside ``*.cluster.x-k8s.io``; ``kinds`` gives kinds a role that their suffix
    does not tell (``InfraCluster``, ``ControlPlane``, …, or ``none``).
    """

    contract: str = "v1beta2"
    groups: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Target:
    """Which CRDs and versions an override speaks of: shell patterns, one of each list that is given must match."""

    crds: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    def covers(self, crd: Crd | None, version: str | None) -> bool:
        """Does it speak of a version, of a CRD with all of its versions, or (both None) of all that a file holds?"""
        if crd is None:
            return not (self.crds or self.groups or self.kinds or self.versions)
        return (
            _matches(self.crds, crd.name)
            and _matches(self.groups, crd.group)
            and _matches(self.kinds, crd.kind)
            and _matches(self.versions, version)
        )


def _matches(patterns: tuple[str, ...], name: str | None) -> bool:
    if not patterns:
        return True
    from fnmatch import fnmatchcase

    return name is not None and any(fnmatchcase(name, pattern) for pattern in patterns)


@dataclass(frozen=True)
class Override:
    """What is otherwise for its target; None where nothing is. Rules are ids, packs are resolved."""

    target: Target = Target()
    selected: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()
    severities: tuple[tuple[str, Severity], ...] = ()
    stateless: bool | None = None
    controllers: ControllersChange | None = None
    generated: Generated | None = None


@dataclass(frozen=True)
class Settings:
    """The rules that are reported, and what is known of the kinds and their controllers.

    ``overrides`` change the rest for some CRDs, the later ones what the earlier ones said.
    """

    selected: frozenset[str]
    stateless_kinds: frozenset[str] = frozenset()
    controllers: Controllers = Controllers()
    controllers_by_crd: tuple[tuple[str, Controllers], ...] = ()
    capi: Capi = Capi()
    severities: tuple[tuple[str, Severity], ...] = ()
    generated: Generated = Generated.FIX
    overrides: tuple[Override, ...] = ()

    def overrides_of(self, crd: Crd | None = None, version: str | None = None) -> Iterator[Override]:
        return (override for override in self.overrides if override.target.covers(crd, version))

    def selected_for(self, crd: Crd | None = None, version: str | None = None) -> frozenset[str]:
        """The rules that are reported of a version, of a CRD, or of a file as a whole."""
        selected = self.selected
        for override in self.overrides_of(crd, version):
            selected = (selected if override.selected is None else override.selected) - override.ignored
        return selected

    def severity_of(self, rule: str, crd: Crd | None = None, version: str | None = None) -> Severity | None:
        """The severity that findings of a rule are given; None where they keep their own."""
        found = dict(self.severities)
        for override in self.overrides_of(crd, version):
            found.update(override.severities)
        return found.get(rule)

    def controllers_of(self, crd: Crd) -> Controllers:
        controllers = dict(self.controllers_by_crd).get(crd.name or "", self.controllers)
        for override in self.overrides_of(crd):
            controllers = override.controllers.made_to(controllers) if override.controllers else controllers
        return controllers

    def is_stateless(self, crd: Crd) -> bool:
        is_stateless = crd.is_template_kind or (crd.kind or "") in self.stateless_kinds
        for override in self.overrides_of(crd):
            is_stateless = is_stateless if override.stateless is None else override.stateless
        return is_stateless

    def generated_policy(self) -> Generated:
        """What is done about generated CRDs of the file."""
        policy = self.generated
        for override in self.overrides_of():
            policy = override.generated or policy
        return policy


def is_generated(crd: Crd) -> bool:
    return GENERATOR_ANNOTATION in crd.annotations
