"""The Go program, for all tests of this folder."""

from __future__ import annotations

import pytest

from tests.upstream.asking import Upstream


@pytest.fixture(scope="session")
def upstream() -> Upstream:
    return Upstream()
