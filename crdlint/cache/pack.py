"""Packs: files to which entries are appended, a line each. Several processes may read and write one at once.

A line bears a checksum. One that was torn, or damaged, or never was an entry, is no line at all; whoever appends begins
with a newline, so that it harms none but itself.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

# A pack that grows beyond this loses the older half of its entries.
LARGEST_PACK = 32_000_000
# All packs together; those that were not used for the longest time go first.
LARGEST_FOLDER = 256_000_000
DAYS_UNUSED = 30
_DAY = 24 * 60 * 60
_KEY_LENGTH = 64
_HEAD_LENGTH = _KEY_LENGTH + len(" 01234567 ")
_PACK = re.compile(r"[0-9a-f]{64}\.jsonl(\.\d+\.tmp)?")
# A folder that is for crdlint alone is marked, so that backups and Git leave it out.
_MARKS = {
    "CACHEDIR.TAG": b"Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of crdlint.\n",
    ".gitignore": b"*\n",
}


class Pack:
    """One pack. What cannot be read is empty, and what cannot be written is left."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._path = os.path.join(folder, f"{name}.jsonl")
        self._lines = {line[:_KEY_LENGTH]: line for line in self._read().split(b"\n") if len(line) > _HEAD_LENGTH}

    def __len__(self) -> int:
        return len(self._lines)

    def get(self, key: str) -> Any:
        """What was kept under a key (64 hexadecimal digits), or None."""
        line = self._lines.get(key.encode("ascii"))
        if line is None or line[_KEY_LENGTH:_HEAD_LENGTH] != _checksum(line[_HEAD_LENGTH:]):
            return None
        try:
            return json.loads(line[_HEAD_LENGTH:])
        except (ValueError, RecursionError):
            return None

    def append(self, entries: Mapping[str, str]) -> None:
        """Keep JSON texts under their keys."""
        texts = ((key.encode("ascii"), text.encode("ascii")) for key, text in entries.items())
        lines = b"".join(key + _checksum(text) + text + b"\n" for key, text in texts)
        # A folder may lie deeper than Python makes any.
        with suppress(OSError, RecursionError):
            _make(self._folder)
            if not os.path.lexists(self._path):
                prune(self._folder)
            with _opened(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT) as file:
                # In one piece: what other processes append comes before or after it.
                file.write(b"\n" + lines)
                size = os.fstat(file.fileno()).st_size
            if size > LARGEST_PACK:
                self._drop_older_half()

    def _read(self) -> bytes:
        try:
            with _opened(self._path, os.O_RDONLY) as file:
                if time.time() - os.fstat(file.fileno()).st_mtime > _DAY:
                    with suppress(OSError):
                        os.utime(self._path)  # it is in use
                return file.read(2 * LARGEST_PACK)
        except OSError:
            return b""

    def _drop_older_half(self) -> None:
        temporary = f"{self._path}.{os.getpid()}.tmp"
        try:
            kept = self._read()[-LARGEST_PACK // 2 :]
            with open(temporary, "xb") as file:
                file.write(kept)
            os.replace(temporary, self._path)
        finally:
            with suppress(OSError):
                os.unlink(temporary)


def prune(folder: str) -> None:
    """Remove packs that are not used any more, and the least recently used ones of too many."""
    room = LARGEST_FOLDER - LARGEST_PACK
    for path, info in sorted(packs(folder), key=lambda pack: -pack[1].st_mtime):
        room -= info.st_size
        if room < 0 or time.time() - info.st_mtime > DAYS_UNUSED * _DAY:
            with suppress(OSError):
                os.unlink(path)


def packs(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """The files in a folder that are a cache's, and nobody else's."""
    try:
        entries = [entry for entry in os.scandir(folder) if _PACK.fullmatch(entry.name)]
    except OSError:
        return
    for entry in entries:
        with suppress(OSError):
            if not entry.is_dir(follow_symlinks=False):
                yield entry.path, entry.stat(follow_symlinks=False)


def clear(folder: str) -> tuple[int, int]:
    """Remove all packs; returns how many files that were, and how many bytes. Raises `OSError`."""
    files = size = 0
    for path, info in packs(folder):
        os.unlink(path)
        files, size = files + 1, size + info.st_size
    return files, size


def _make(folder: str) -> None:
    if os.path.isdir(folder):
        return
    os.makedirs(folder, 0o700, exist_ok=True)
    for name, content in _MARKS.items():
        with suppress(FileExistsError), open(os.path.join(folder, name), "xb") as file:
            file.write(content)


def _opened(path: str, flags: int) -> io.FileIO:
    """The file, unbuffered. A link is not followed, and nothing but a file is waited for. Raises `OSError`."""
    safe = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | safe, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is no file")
    return open(descriptor, "ab" if flags & os.O_APPEND else "rb", buffering=0)


def _checksum(text: bytes) -> bytes:
    return b" %08x " % zlib.crc32(text)
