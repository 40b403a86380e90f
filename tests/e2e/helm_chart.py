"""Charts of custom resources, and what Helm says of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from subprocess import CompletedProcess

from tests.upstream.controlplane.api_client import Json
from tests.upstream.controlplane.cluster import Cluster

_NOT_READY = re.compile(r"resource \w+/[\w-]*/([\w.-]+) not ready\. status: (\w+), message: (.*)")


def write_chart(folder: Path, objects: Iterable[Json]) -> Path:
    """A chart that has the objects, without their status, as its templates."""
    templates = folder / "templates"
    templates.mkdir(parents=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: objects\nversion: 1.0.0\n")
    for number, found in enumerate(objects):
        metadata = {"name": found["metadata"]["name"]}
        manifest = {**{key: found[key] for key in ("apiVersion", "kind", "spec")}, "metadata": metadata}
        (templates / f"{number}.yaml").write_text(json.dumps(manifest))
    return folder


def install(cluster: Cluster, chart: Path, release: str, timeout: str) -> CompletedProcess[str]:
    """Install and wait; objects that are there already become the release's own."""
    return cluster.helm("install", release, str(chart), "--wait", "--take-ownership", "--timeout", timeout)


def waited_for(done: CompletedProcess[str]) -> dict[str, tuple[str, str]]:
    """The kstatus and its message of each object that was not Current in the end, by name."""
    return {name: (status, message) for name, status, message in _NOT_READY.findall(done.stderr)}
