"""The options that several commands share."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Optional

import typer

from crdlint.cli import completion
from crdlint.errors import UsageError
from crdlint.findings import Severity


class Color(str, Enum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


Paths = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
    typer.Argument(
        metavar="[PATH]...", help="Files, folders or globs; - is standard input. By default the working folder."
    ),
]
UnsafeFixes = Annotated[
    bool, typer.Option("--unsafe-fixes", help="Make the fixes too that need something else done; read their reasons.")
]
Diff = Annotated[bool, typer.Option("--diff", help="Print what fixes would change, and write nothing.")]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="text, json, jsonl, github, gitlab, sarif, junit, markdown or html.",
        autocompletion=completion.formats,
    ),
]
Output = Annotated[Optional[str], typer.Option("--output", "-o", metavar="FILE", help="Write the report to FILE.")]  # noqa: UP045
Reports = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--report",
        metavar="FORMAT=FILE",
        help="Write a further report to FILE; may be repeated.",
        autocompletion=completion.reports,
    ),
]
Select = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--select",
        metavar="RULES",
        help="Only these rules or packs, separated by commas.",
        autocompletion=completion.rules,
    ),
]
Ignore = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--ignore", metavar="RULES", help="Not these rules or packs.", autocompletion=completion.rules),
]
FailOn = Annotated[Severity, typer.Option("--fail-on", help="The least severity that makes the exit code 1.")]
Config = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--config", metavar="FILE", help="Use this configuration for all files."),
]
Rules = Annotated[Optional[list[str]], typer.Option("--rules", metavar="DIR", help="Use the rules in DIR as well.")]  # noqa: UP045
Baseline = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--baseline", metavar="FILE", help="Report only findings that are not in this file."),
]
Since = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--since", metavar="REV", help="Check only what has changed since a Git revision, and report what is new."
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Check every file anew, and keep no results.")]
Jobs = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--jobs", "-j", min=1, metavar="N", help="Processes; by default one per processor."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Findings only, a line each.")]
ColorOption = Annotated[Color, typer.Option("--color", help="Colour the output.")]
StdinFilename = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--stdin-filename", metavar="NAME", help="The path that standard input stands for."),
]
ForceExclude = Annotated[
    bool, typer.Option("--force-exclude", help="Leave out excluded files even where they are named.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback if crdlint fails.")]


def names(values: list[str] | None) -> tuple[str, ...]:
    """The names in an option that may be repeated and hold commas."""
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())


def selection(values: list[str] | None) -> tuple[str, ...] | None:
    """The names in ``--select``; None where it was not given. Raises `UsageError` where it names nothing."""
    found = names(values)
    if values is not None and not found:
        raise UsageError("--select names no rule: leave it out, or give it ids of rules or packs")
    return found or None


def report_target(report: str, example: str) -> tuple[str, str]:
    """Format and file of a ``--report``. Raises `UsageError` where it does not have both."""
    name, equals, path = report.partition("=")
    if not equals or not path:
        raise UsageError(f"--report {report}: write it as FORMAT=FILE, {example} for example")
    return name, path


def check_text_or_json(format_: str) -> None:
    """Raises `UsageError` for another format."""
    if format_ not in ("text", "json"):
        raise UsageError(f"unknown format {format_!r}; choose text or json")
