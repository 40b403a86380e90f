"""The names of a function and what they stand for, block by block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crdlint.gosource.package import Package
from crdlint.gosource.syntax import GoFile
from crdlint.gosource.values import UNKNOWN, Known, Value, merged


class Scope:
    """The names that are known at one place of a function."""

    def __init__(self, file: GoFile, package: Package, outer: Scope | None = None) -> None:
        self.file = file
        self.package = package
        self.outer = outer
        self.names: dict[str, Value] = {}
        # What the expressions of a function were read as, in which scope, until a name stands for something else.
        self.read: dict[tuple[int, Scope], Value] = {} if outer is None else outer.read

    def inner(self) -> Scope:
        return Scope(self.file, self.package, self)

    def bind(self, name: str, value: Value) -> None:
        if name not in ("", "_"):
            self._set(name, value)

    def holder(self, name: str) -> Scope | None:
        """The scope that declares a name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def find(self, name: str) -> Value:
        holder = self.holder(name)
        return UNKNOWN if holder is None else holder.names[name]

    def assign(self, name: str, value: Value) -> None:
        """A variable keeps its type. In a block inside, which may not be run, it may also keep what it held."""
        holder = self.holder(name)
        if holder is None:
            return
        old = holder.names[name]
        known = value.known if holder is self else merged([old, value])
        kept = value if old.type is None else old
        if old.part is None:
            kept = replace(value, type=kept.type)
        holder._set(name, kept.knowing(known))

    def add(self, name: str, known: Iterable[Known]) -> None:
        """More is known of a variable, where that is said in the block that declares it."""
        if name in self.names:
            self._set(name, self.names[name].knowing(self.names[name].known | frozenset(known)))

    def _set(self, name: str, value: Value) -> None:
        self.names[name] = value
        self.read.clear()
