"""What several tests of the migration need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.migrate.work_tree import WorkTree
from tests.upstream.asking import Upstream


@pytest.fixture(scope="session")
def upstream() -> Upstream:
    return Upstream()


@pytest.fixture
def tree(tmp_path: Path) -> WorkTree:
    return WorkTree(tmp_path / "repository")
