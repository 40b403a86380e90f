"""Output formats: pure functions of a report, each in a module of its own that is loaded when it is asked for."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from crdlint import project
from crdlint.errors import UsageError
from crdlint.files import STDIN

if TYPE_CHECKING:
    from crdlint.crd.model import Crd
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


class Files(Protocol):
    """What a report that shows more than findings (markdown, html) asks of the files that were checked."""

    def read(self, path: str) -> bytes | None:
        """The bytes that the findings speak of; None where they can no longer be had."""

    def fixed(self, path: str, data: bytes) -> bytes:
        """What all fixes, unsafe ones too, make of them."""

    def is_stateless(self, path: str, crd: Crd) -> bool:
        """Do the rules on status pass this CRD over?"""


@dataclass(frozen=True)
class Options:
    """How a report is to look, and the surroundings it cannot know by itself.

    ``root`` (the repository) and ``folder`` (the working folder) are absolute, with forward slashes. Formats whose
    readers know paths from the repository's root (all but text and json) need them where the two differ or paths are
    absolute. ``blob`` is the address under which the repository's files can be seen: see `blob_address`.
    """

    color: bool = False
    width: int = 80
    # Does a person read it at a terminal? Others search it, and want what belongs together on one line.
    at_terminal: bool = False
    quiet: bool = False
    version: str | None = None
    rules: Sequence[RuleText] = ()
    root: str | None = None
    folder: str | None = None
    blob: str | None = None
    files: Files | None = None

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
    "gitlab": "crdlint.report.gitlab:render",
    "junit": "crdlint.report.junit:render",
    "markdown": "crdlint.report.markdown:render",
    "html": "crdlint.report.html:render",
}
SHOWS_TEXT = frozenset({"text", "sarif", "html"})
"""The formats that need the text of files with findings (``FileResult.text``)."""
NEEDS_FILES = frozenset({"markdown", "html"})
"""The formats that show less without ``Options.files``."""


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


def blob_address(environment: Mapping[str, str]) -> str | None:
    """Where GitHub or GitLab shows the files of the commit that a job checks, by the variables that they set."""
    if environment.get("GITHUB_REPOSITORY") and environment.get("GITHUB_SHA"):
        server = environment.get("GITHUB_SERVER_URL", "https://github.com")
        return f"{server}/{environment['GITHUB_REPOSITORY']}/blob/{environment['GITHUB_SHA']}/"
    if environment.get("CI_PROJECT_URL") and environment.get("CI_COMMIT_SHA"):
        return f"{environment['CI_PROJECT_URL']}/-/blob/{environment['CI_COMMIT_SHA']}/"
    return None


def _advice(name: str) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, FORMATS, n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else "use one of " + ", ".join(FORMATS)
