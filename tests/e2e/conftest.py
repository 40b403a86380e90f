"""The cluster of the end-to-end tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.upstream.controlplane.api_client import ApiClient
from tests.upstream.controlplane.cluster import Cluster
from tests.upstream.controlplane.go_programs import PROGRAMS, Unavailable, binary


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A control plane for all tests. The first run on a machine builds its programs, which takes minutes."""
    try:
        for program in PROGRAMS:
            binary(program)
    except Unavailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason))
        pytest.skip(str(reason))
    started = Cluster.start()
    yield started
    started.stop()


@pytest.fixture
def api(cluster: Cluster) -> ApiClient:
    return cluster.api
