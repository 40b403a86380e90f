"""What a run, or its configuration, says about the files that it checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crdlint.crd.model import Crd

# What `controllers.writes` of the configuration may say.
WRITES_OBSERVED_GENERATION = "status.observedGeneration"
WRITES_CONDITION_GENERATION = "conditions.observedGeneration"
WRITES_STATUS_ENDPOINT = "status-endpoint"
WRITES = (WRITES_OBSERVED_GENERATION, WRITES_CONDITION_GENERATION, WRITES_STATUS_ENDPOINT)


@dataclass(frozen=True)
class Controllers:
    """What is known of the controllers: which fields they write, and whether a declared field proves that."""

    writes: frozenset[str] = frozenset()
    declared_is_unproven: bool = False


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
class Settings:
    """The rules that are reported, and what is known of the kinds and their controllers."""

    selected: frozenset[str]
    stateless_kinds: frozenset[str] = frozenset()
    controllers: Controllers = Controllers()
    controllers_by_crd: tuple[tuple[str, Controllers], ...] = ()
    capi: Capi = Capi()

    def controllers_of(self, crd: Crd) -> Controllers:
        return dict(self.controllers_by_crd).get(crd.name or "", self.controllers)

    def is_stateless(self, crd: Crd) -> bool:
        return crd.is_template_kind or (crd.kind or "") in self.stateless_kinds
