"""Who is to be given something."""

from __future__ import annotations

from enum import Enum


class For(str, Enum):
    FLUX = "flux"
    ARGOCD = "argocd"
    KUBECTL = "kubectl"
