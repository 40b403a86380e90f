"""Which files a run reads: paths, folders, globs and what .gitignore excludes."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from crdlint.errors import UsageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

STDIN = "-"
SUFFIXES = (".yaml", ".yml", ".json")
LEFT_OUT = frozenset({".git", "node_modules", "vendor"})
_ANY, _NONE = ("",), ()

_MARK = "CustomResourceDefinition"
_UTF8_MARK = _MARK.encode()
_WIDE_MARKS = tuple(_MARK.encode(encoding) for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"))
_TEMPORARY = re.compile(r"\.crdlint-.*\.tmp", re.DOTALL)
_TRAILING_SPACES = re.compile(r"(?<!\\) +$")
# Ends every path and every pattern that is matched against it; no name on a disk holds it.
_END = "\0"

OnError = Callable[[str, OSError], None]


class MissingPath(UsageError):
    """A path that does not exist, or a glob that matches nothing."""


class UnlistableFolder(UsageError):
    """A folder whose files cannot be listed."""


def names_crd(data: bytes) -> bool:
    """Does the content name CustomResourceDefinition, in UTF-8 or in an encoding that Kubernetes tools do not read?"""
    if _UTF8_MARK in data:
        return True
    return b"\0" in data and any(mark in data for mark in _WIDE_MARKS)


def discover(paths: Sequence[str], *, respect_gitignore: bool = True, on_error: OnError | None = None) -> list[str]:
    """The files that ``paths`` stand for, each once and at its first mention, spelt as the user would type them.

    A file is taken as given, whatever its suffix and also if it is a link or ignored; ``-`` is standard input. A folder
    gives the files with one of `SUFFIXES`, in order, without links, special files, the folders of `LEFT_OUT` and what
    .gitignore excludes. A glob that is not itself a file finds what a shell would, minus the same exceptions; a folder
    that it finds is walked. Whether a file can be read shows only when it is read.

    A folder that cannot be listed goes to ``on_error``, and the others are still walked; without ``on_error`` it raises
    `UnlistableFolder`. Raises `MissingPath`.
    """
    found = _Found()
    walker = _Walker(respect_gitignore, on_error or _raise_unlistable)
    for path in paths:
        if path == STDIN:
            found.add_standard_input()
        else:
            _add(path, walker, found)
    return found.paths


def _add(path: str, walker: _Walker, found: _Found) -> None:
    mode = _mode(path)
    if mode is None and not _is_glob(path):
        raise MissingPath(f"{path or repr(path)}: no such file or folder; {_advice(path)}")
    if mode is None:
        _add_glob(path, walker, found)
    elif stat.S_ISDIR(mode):
        found.add_all(walker.files_below(walker.start(path)))
    else:
        found.add_named(path)


def _add_glob(pattern: str, walker: _Walker, found: _Found) -> None:
    matches = sorted(walker.glob(pattern), key=lambda match: match.path)
    if not matches:
        raise MissingPath(f"{pattern}: no file or folder matches; check the pattern, or leave it out")
    for match in matches:
        if isinstance(match, _Folder):
            found.add_all(walker.files_below(match))
        else:
            found.add(match)


def _mode(path: str) -> int | None:
    """The mode of what is there, 0 where that cannot be known, None where nothing is."""
    try:
        return os.stat(path).st_mode
    except PermissionError:
        return 0
    except (OSError, ValueError):
        return None


def _advice(path: str) -> str:
    if path and os.path.islink(path):
        return "it is a link that leads nowhere: mend the link, or leave it out"
    return "check the spelling, and the folder that crdlint is run in"


def _raise_unlistable(path: str, error: OSError) -> None:
    raise UnlistableFolder(
        f"{path}: the folder cannot be listed ({error.strerror}); make it readable, or leave it out"
    ) from error


@dataclass(frozen=True)
class _Ignore:
    """One .gitignore, and the folder whose paths it speaks of."""

    folder: str
    for_files: GitIgnoreSpec
    for_folders: GitIgnoreSpec

    def verdict(self, real: str, is_folder: bool) -> bool | None:
        """Excluded, taken back in, or not mentioned."""
        here = _join(self.folder, "")
        if not real.startswith(here) or real == here:
            return None
        spec = self.for_folders if is_folder else self.for_files
        return spec.check_file(real[len(here) :] + _END).include


@dataclass(frozen=True)
class _Folder:
    """A folder to walk: as the user would type it ("" is the working folder), and where it really is."""

    path: str
    real: str
    ignores: tuple[_Ignore, ...] = ()

    def child(self, name: str) -> _Folder:
        return replace(self, path=_join(self.path, name), real=_join(self.real, name))


@dataclass(frozen=True)
class _File:
    path: str
    # Where it stands, and its name there: two spellings of one file have them in common.
    real_folder: str
    name: str


class _Found:
    """The files found so far, each once."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self._seen: set[tuple[str, str]] = set()

    def add_standard_input(self) -> None:
        if STDIN not in self.paths:
            self.paths.append(STDIN)

    def add_named(self, path: str) -> None:
        folder, name = os.path.split(path)
        self.add(_File(_as_typed(path), os.path.realpath(folder or "."), name))

    def add_all(self, files: Iterator[_File]) -> None:
        for file in files:
            self.add(file)

    def add(self, file: _File) -> None:
        key = (file.real_folder, file.name)
        if key not in self._seen:
            self._seen.add(key)
            # A file of that name must not be taken for standard input.
            self.paths.append("./-" if file.path == STDIN else file.path)


class _Walker:
    def __init__(self, respect_gitignore: bool, on_error: OnError) -> None:
        self._respect_gitignore = respect_gitignore
        self._on_error = on_error

    def start(self, path: str) -> _Folder:
        """A folder that somebody named: it is walked even where it is ignored itself."""
        real = _slashes(os.path.realpath(path or "."))
        folder = _Folder(_as_typed(path), real)
        if not self._respect_gitignore:
            return folder
        ignores = _ignores_above(real)
        if any(_is_ignored(ignores, above, is_folder=True) for above in (real, *_folders_above(real))):
            return folder
        return replace(folder, ignores=ignores)

    def files_below(self, start: _Folder) -> Iterator[_File]:
        waiting = [start]
        while waiting:
            files, folders = self._list(waiting.pop(), SUFFIXES)
            yield from files
            waiting.extend(reversed(folders))

    def glob(self, pattern: str) -> Iterator[_File | _Folder]:
        """What the pattern matches, perhaps several times."""
        parts = _as_typed(pattern).split("/")
        fixed = next(index for index, part in enumerate(parts) if _is_glob(part))
        base = "/".join(parts[:fixed]) or ("/" if pattern.startswith("/") else "")
        if os.path.isdir(base or "."):
            yield from self._match(self.start(base), parts[fixed:])

    def _match(self, folder: _Folder, parts: list[str]) -> Iterator[_File | _Folder]:
        rest = _without_leading_stars(parts)
        if not rest:
            yield folder
        elif rest != parts:
            for below in self._folders_below(folder):
                yield from self._match(below, rest)
        elif _is_glob(parts[0]):
            files, folders = self._list(folder, _ANY if len(parts) == 1 else _NONE)
            yield from (file for file in files if _matches(file.name, parts[0]))
            for child in folders:
                if _matches(os.path.basename(child.path), parts[0]):
                    yield from self._match(child, parts[1:])
        else:
            yield from self._match_fixed(folder, parts)

    def _match_fixed(self, folder: _Folder, parts: list[str]) -> Iterator[_File | _Folder]:
        path = _join(folder.path, parts[0])
        if os.path.isdir(path):
            yield from self._match(self.start(path), parts[1:])
        elif len(parts) == 1 and os.path.exists(path):
            yield _File(path, folder.real, parts[0])

    def _folders_below(self, start: _Folder) -> Iterator[_Folder]:
        """The folder itself and all below it that a shell's ``**`` would enter."""
        waiting = [start]
        while waiting:
            folder = waiting.pop()
            yield folder
            _, folders = self._list(folder, _NONE)
            waiting.extend(child for child in reversed(folders) if not os.path.basename(child.path).startswith("."))

    def _list(self, folder: _Folder, suffixes: tuple[str, ...]) -> tuple[list[_File], list[_Folder]]:
        """The files of those suffixes and the folders directly in a folder, sorted, without those that are left out."""
        try:
            with os.scandir(folder.path or ".") as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self._on_error(folder.path or ".", error)
            return [], []
        if self._respect_gitignore:
            folder = replace(folder, ignores=_ignores_in(folder, entries))
        files: list[_File] = []
        folders: list[_Folder] = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                child = folder.child(entry.name)
                if entry.name not in LEFT_OUT and not _is_ignored(folder.ignores, child.real, is_folder=True):
                    folders.append(child)
            elif entry.name.endswith(suffixes) and _is_candidate(entry):
                file = _File(_join(folder.path, entry.name), folder.real, entry.name)
                if not _is_ignored(folder.ignores, _join(file.real_folder, file.name), is_folder=False):
                    files.append(file)
        return files, folders


def _is_candidate(entry: os.DirEntry[str]) -> bool:
    """A regular file, and none that a fix is just writing."""
    return entry.is_file(follow_symlinks=False) and not _TEMPORARY.fullmatch(entry.name)


def _is_ignored(ignores: tuple[_Ignore, ...], real: str, *, is_folder: bool) -> bool:
    """As Git decides: the last pattern of the nearest .gitignore that mentions the path itself."""
    verdicts = (ignore.verdict(real, is_folder) for ignore in reversed(ignores))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _ignores_in(folder: _Folder, entries: list[os.DirEntry[str]]) -> tuple[_Ignore, ...]:
    """The .gitignore files that count for the entries of a folder. A repository inside another knows only its own."""
    names = {entry.name: entry for entry in entries if entry.name in (".git", ".gitignore")}
    above = () if ".git" in names else folder.ignores
    if ".gitignore" in names and names[".gitignore"].is_file(follow_symlinks=False):
        return (*above, *_read_ignore(folder.real))
    return above


def _ignores_above(real: str) -> tuple[_Ignore, ...]:
    """The .gitignore files above a folder, from the repository's root (or else the working folder) down to it."""
    above = _folders_above(real)
    is_root = [os.path.lexists(_join(folder, ".git")) for folder in (real, *above)]
    if any(is_root):
        above = above[: is_root.index(True)]
    else:
        working = _slashes(os.path.realpath("."))
        above = above[: above.index(working) + 1] if working in above else []
    return tuple(ignore for folder in reversed(above) for ignore in _read_ignore(folder))


def _folders_above(real: str) -> list[str]:
    """Nearest first."""
    above: list[str] = []
    while (parent := os.path.dirname(real)) != real:
        above.append(parent)
        real = parent
    return above


def _read_ignore(folder: str) -> list[_Ignore]:
    path = _join(folder, ".gitignore")
    if os.path.islink(path) or not os.path.isfile(path):
        return []
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="\n") as file:
            lines = file.read().split("\n")
    except OSError:
        # Git, too, goes on without an ignore file that it cannot read.
        return []
    patterns = [pattern for line in lines if (pattern := _pattern(line.rstrip("\r")))]
    for_files = [text for text, only_folders in patterns if not only_folders]
    return [_Ignore(folder, _spec(for_files), _spec([text for text, _ in patterns]))]


def _pattern(line: str) -> tuple[str, bool] | None:
    """A line of a .gitignore for pathspec, and whether it speaks of folders only; None if it is no pattern.

    To pathspec a pattern also matches all that is below what it names, so that ``!sub/`` and ``sub/**`` say more than
    they do to Git. Folders that are excluded are never entered here, so each pattern has to match whole paths only.
    """
    line = _TRAILING_SPACES.sub("", line)
    pattern = line.rstrip("/")
    if line.startswith("#") or pattern in ("", "!"):
        return None
    if re.search(r"(?:^!?|/)\*\*$", pattern):
        pattern = pattern[:-2] + ("**/*" if "/" in pattern else "*")
    return pattern + _END, pattern != line and line.endswith("/")


def _spec(patterns: list[str]) -> GitIgnoreSpec:
    """The patterns compiled. Git skips one that it cannot understand; pathspec would refuse the file."""
    from crdlint.gitpatterns import compiled, is_pattern

    try:
        return compiled(patterns)
    except (ValueError, re.error):
        return compiled(filter(is_pattern, patterns))


def _is_glob(path: str) -> bool:
    return any(char in path for char in "*?[")


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) and (pattern.startswith(".") or not name.startswith("."))


def _without_leading_stars(parts: list[str]) -> list[str]:
    return parts[next((index for index, part in enumerate(parts) if part != "**"), len(parts)) :]


def _as_typed(path: str) -> str:
    """Forward slashes, no ``./``, no empty part; ``..`` stays, since what it means depends on links."""
    path = _slashes(path)
    parts = "/".join(part for part in path.split("/") if part not in ("", "."))
    return "/" + parts if path.startswith("/") else parts


def _join(folder: str, name: str) -> str:
    if not folder:
        return name
    return folder + name if folder.endswith("/") else f"{folder}/{name}"


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/") if os.sep != "/" else path
