"""A list that is ten times as long takes no more memory. ``tests.bench.stored`` measures 100,000 objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.stored import LIMIT_MEBIBYTES, measure, write

FEW, MANY = 500, 5_000
ALLOWED_GROWTH = 8
"""MiB; the objects that are read and dropped meanwhile take ten times as much."""


@pytest.mark.parametrize("form", ["yaml-list", "json-list"])
def test_memory_does_not_grow_with_the_number_of_objects(form: str, tmp_path: Path) -> None:
    peaks = []
    for count in (FEW, MANY):
        path = tmp_path / f"{form}-{count}"
        write(path, form, count)
        measured = measure(path)
        assert measured.objects == count
        assert measured.refused > 0
        peaks.append(measured.mebibytes)
    assert peaks[1] - peaks[0] < ALLOWED_GROWTH
    assert peaks[1] < LIMIT_MEBIBYTES
