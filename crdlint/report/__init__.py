"""Output formats: pure functions of a report, each in a module of its own that is loaded when it is asked for."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from crdlint import project
from crdlint.errors import UsageError
from crdlint.files import STDIN

if TYPE_CHECKING:
    from crdlint.findings import Report, Severity


class RuleText(Protocol):
    """What a report tells of a rule."""

    @property
    def id(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def help_markdown(self) -> str: ...


@dataclass(frozen=True)
class Options:
    """How a report is to look, and the surroundings it cannot know by itself.

    ``root`` (the repository) and ``folder`` (the working folder) are absolute, with forward slashes. Formats whose
    readers know paths from the repository's root (github, sarif) need them where the two differ or paths are absolute.
    """

    color: bool = False
    width: int = 80
    quiet: bool = False
    version: str | None = None
    rules: Sequence[RuleText] = ()
    root: str | None = None
    folder: str | None = None

    def tool_version(self) -> str:
        return self.version if self.version is not None else project.version()

    def from_root(self, path: str) -> str:
        """The path as seen from the repository's root; as it is where that is not known or it lies elsewhere."""
        if self.root is None or path == STDIN:
            return path
        absolute = posixpath.normpath(posixpath.join(self.folder or self.root, path))
        inside = self.root.rstrip("/") + "/"
        return absolute[len(inside) :] if absolute.startswith(inside) else path


Renderer = Callable[["Report", Options], str]

FORMATS = {
    "text": "crdlint.report.text:render",
    "json": "crdlint.report.jsonformat:render",
    "jsonl": "crdlint.report.jsonformat:render_lines",
    "github": "crdlint.report.github:render",
    "sarif": "crdlint.report.sarif:render",
}


def renderer(name: str) -> Renderer:
    """The function that renders a format. Raises `UsageError` for a format there is not."""
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}; {_advice(name)}")
    from importlib import import_module

    module, _, function = FORMATS[name].partition(":")
    render: Renderer = getattr(import_module(module), function)
    return render


def render(report: Report, name: str, options: Options) -> str:
    """The report in the format of that name, ending in a newline unless empty."""
    return renderer(name)(report, options)


def _advice(name: str) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, FORMATS, n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else "use one of " + ", ".join(FORMATS)
