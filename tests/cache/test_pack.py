"""Packs on a disk: whatever happens to the file, an entry is what was kept, or not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdlint.cache import pack
from crdlint.cache.pack import Pack, clear, prune

NAME = sha256(b"pack").hexdigest()


def key(number: int) -> str:
    return sha256(str(number).encode()).hexdigest()


def value(number: int) -> list[object]:
    """Something that tells its key."""
    return [number, "x" * (number % 97)]


def entries(*numbers: int) -> dict[str, str]:
    return {key(number): json.dumps(value(number)) for number in numbers}


def path(folder: Path) -> Path:
    return folder / f"{NAME}.jsonl"


def test_entries_are_kept_for_later(tmp_path: Path) -> None:
    folder = str(tmp_path / "a" / "b")
    Pack(folder, NAME).append(entries(1, 2))
    Pack(folder, NAME).append(entries(3))
    later = Pack(folder, NAME)
    assert [later.get(key(number)) for number in (1, 2, 3, 4)] == [value(1), value(2), value(3), None]
    assert Pack(folder, sha256(b"other").hexdigest()).get(key(1)) is None


def test_only_the_owner_sees_what_backups_and_git_leave_out(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    Pack(str(folder), NAME).append(entries(1))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert path(folder).stat().st_mode & 0o777 == 0o600
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert (folder / ".gitignore").read_text() == "*\n"


def test_a_folder_that_was_there_is_not_marked(tmp_path: Path) -> None:
    Pack(str(tmp_path), NAME).append(entries(1))
    assert os.listdir(tmp_path) == [path(tmp_path).name]


NUMBERS = range(6)
CONTENT = b"".join(
    b"\n" + key(number).encode() + pack._checksum(text.encode()) + text.encode()
    for number, text in ((number, json.dumps(value(number))) for number in NUMBERS)
)
damages = st.lists(
    st.tuples(st.integers(0, len(CONTENT)), st.integers(0, 40), st.binary(max_size=40) | st.just(b"\n")), max_size=4
)


@settings(deadline=None)
@given(damages)
def test_a_damaged_pack_has_no_wrong_entry(damages: list[tuple[int, int, bytes]]) -> None:
    """Also not after something was appended to it."""
    content = CONTENT
    for start, length, other in damages:
        content = content[:start] + other + content[start + length :]
    folder = Path(os.environ["CRDLINT_CACHE_DIR"])
    folder.mkdir(exist_ok=True)
    path(folder).write_bytes(content)
    found = Pack(str(folder), NAME)
    assert all(found.get(key(number)) in (None, value(number)) for number in NUMBERS)
    found.append(entries(10, 11))
    found = Pack(str(folder), NAME)
    assert [found.get(key(number)) for number in (10, 11)] == [value(10), value(11)]
    assert all(found.get(key(number)) in (None, value(number)) for number in NUMBERS)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "1" * 5_000, "{", "", "NaN {}", '"\\ud800', "cos\nsystem\n(S'exit 1'\ntR."],
)
def test_what_is_no_data_is_no_entry(tmp_path: Path, text: str) -> None:
    """Also where its checksum is right, as that of somebody who wants harm would be."""
    Pack(str(tmp_path), NAME).append({key(1): text})
    assert Pack(str(tmp_path), NAME).get(key(1)) is None


def make_folder(place: Path) -> None:
    place.mkdir()


def make_pipe(place: Path) -> None:
    os.mkfifo(place)


def make_link(place: Path) -> None:
    (place.parent / "target").write_text("theirs")
    place.symlink_to(place.parent / "target")


def make_dangling_link(place: Path) -> None:
    place.symlink_to(place.parent / "nothing")


@pytest.mark.parametrize("make", [make_folder, make_pipe, make_link, make_dangling_link])
def test_what_is_no_file_is_neither_read_nor_written(tmp_path: Path, make: type) -> None:
    make(path(tmp_path))
    before = sorted(os.listdir(tmp_path))
    found = Pack(str(tmp_path), NAME)
    found.append(entries(1))
    assert len(found) == len(Pack(str(tmp_path), NAME)) == 0
    assert sorted(os.listdir(tmp_path)) == before
    if make is make_link:
        assert (tmp_path / "target").read_text() == "theirs"


def test_a_folder_that_cannot_be_written_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Pack(str(tmp_path / "file"), NAME).append(entries(1))
    Pack(str(tmp_path / "file" / "below"), NAME).append(entries(1))
    assert (tmp_path / "file").read_text() == ""


def test_a_pack_stays_bounded_and_keeps_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "LARGEST_PACK", 20_000)
    for number in range(400):
        Pack(str(tmp_path), NAME).append(entries(number))
        assert path(tmp_path).stat().st_size <= 20_000
    found = Pack(str(tmp_path), NAME)
    assert [found.get(key(number)) for number in range(399, 350, -1)] == [value(n) for n in range(399, 350, -1)]
    assert found.get(key(0)) is None
    assert os.listdir(tmp_path) == [path(tmp_path).name]


def test_packs_that_nobody_uses_go(tmp_path: Path) -> None:
    names = [sha256(bytes([number])).hexdigest() for number in range(3)]
    for name in names:
        Pack(str(tmp_path), name).append(entries(1))
    for name, days in zip(names, (pack.DAYS_UNUSED + 1, pack.DAYS_UNUSED - 1, 0), strict=True):
        before = time.time() - days * 24 * 60 * 60
        os.utime(tmp_path / f"{name}.jsonl", (before, before))
    prune(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == sorted(f"{name}.jsonl" for name in names[1:])


def test_a_pack_that_is_read_is_in_use(tmp_path: Path) -> None:
    Pack(str(tmp_path), NAME).append(entries(1))
    os.utime(path(tmp_path), (0, 0))
    assert Pack(str(tmp_path), NAME).get(key(1)) == value(1)
    prune(str(tmp_path))
    assert path(tmp_path).exists()


def test_too_many_packs_lose_those_used_least_recently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "LARGEST_PACK", 0)
    monkeypatch.setattr(pack, "LARGEST_FOLDER", 3_000)
    names = [sha256(bytes([number])).hexdigest() for number in range(5)]
    for age, name in enumerate(names):
        (tmp_path / f"{name}.jsonl").write_bytes(b"x" * 1_000)
        os.utime(tmp_path / f"{name}.jsonl", (time.time() - age * 60,) * 2)
    prune(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == sorted(f"{name}.jsonl" for name in names[:3])


def test_a_new_pack_makes_room(tmp_path: Path) -> None:
    stale = tmp_path / f"{key(1)}.jsonl"
    stale.write_bytes(b"x")
    os.utime(stale, (0, 0))
    Pack(str(tmp_path), NAME).append(entries(1))
    assert os.listdir(tmp_path) == [path(tmp_path).name]


def test_clearing_removes_packs_and_nothing_else(tmp_path: Path) -> None:
    for name in ("notes.jsonl", f"{NAME}.json", f"{NAME[1:]}.jsonl", f"{NAME}.jsonl.bak"):
        (tmp_path / name).write_text("mine")
    mine = sorted(os.listdir(tmp_path))
    Pack(str(tmp_path), NAME).append(entries(1))
    (tmp_path / f"{NAME}.jsonl.77.tmp").write_text("left by a killed run")
    size = sum(file.stat().st_size for file in tmp_path.glob(f"{NAME}.jsonl*") if file.suffix != ".bak")
    assert clear(str(tmp_path)) == (2, size)
    assert sorted(os.listdir(tmp_path)) == mine
    assert clear(str(tmp_path)) == clear(str(tmp_path / "absent")) == (0, 0)


def test_a_folder_named_like_a_pack_is_left(tmp_path: Path) -> None:
    names = sorted(sha256(bytes([number])).hexdigest() for number in range(3))
    (tmp_path / f"{names[1]}.jsonl").mkdir()
    for name in (names[0], names[2]):
        Pack(str(tmp_path), name).append(entries(1))
    assert clear(str(tmp_path))[0] == 2
    assert [path.name for path in tmp_path.glob("*.jsonl")] == [f"{names[1]}.jsonl"]


def test_a_folder_that_lies_too_deep_keeps_nothing(tmp_path: Path) -> None:
    deep = str(tmp_path / "/".join(["d"] * 2_000))
    Pack(deep, NAME).append(entries(1))
    assert Pack(deep, NAME).get(key(1)) is None


_HAMMER = """
import json, sys, time
from crdlint.cache import pack
from tests.cache.test_pack import NAME, Pack, entries, key, value
pack.LARGEST_PACK = 30_000
folder, first = sys.argv[1], int(sys.argv[2])
end = time.monotonic() + 2
number = first
while time.monotonic() < end:
    found = Pack(folder, NAME)
    for other in range(max(0, number - 60), number + 60):
        assert found.get(key(other)) in (None, value(other)), other
    found.append(entries(*range(number, number + 7)))
    number += 5
print(number)
"""


def test_processes_that_share_a_pack_never_harm_it(tmp_path: Path) -> None:
    """They read, append, and drop what is old, all at once: an entry is right or absent, always."""
    command = [sys.executable, "-c", _HAMMER, str(tmp_path)]
    root = Path(__file__).resolve().parents[2]
    started = [
        subprocess.Popen([*command, str(first)], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for first in (0, 3, 11, 40)
    ]
    for process in started:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert int(out) > 40
    Pack(str(tmp_path), NAME).append(entries(1_000_000))
    assert Pack(str(tmp_path), NAME).get(key(1_000_000)) == value(1_000_000)
    assert [name for name in os.listdir(tmp_path) if name != path(tmp_path).name] == []
