"""What holds for all tests."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.chromium import browser, page, show

__all__ = ["browser", "page", "show"]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each test has a cache of its own, which is not there yet."""
    folder = str(tmp_path_factory.getbasetemp() / f"cache-{uuid4()}")
    monkeypatch.setenv("CRDLINT_CACHE_DIR", folder)
    return folder
