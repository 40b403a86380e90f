"""``crdlint migrate``."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from crdlint.choices import Choices
from crdlint.cli import options
from crdlint.errors import UsageError
from crdlint.findings import Severity

Paths = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads the annotation on Python 3.10 too
    typer.Argument(
        metavar="[PATH]...", help="Files, folders or globs of one repository; by default the working folder."
    ),
]
Only = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--only", metavar="RULES", help="Only these rules or packs; may be repeated."),
]
Crds = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--crd", metavar="NAME", help="Only the CRD of this name; may be repeated."),
]
Apply = Annotated[bool, typer.Option("--apply", help="Take the steps: write the files. Nothing is committed.")]
Ask = Annotated[bool, typer.Option("--ask", help="Ask which of the steps to take; on a terminal.")]
ToV1 = Annotated[bool, typer.Option("--to-v1", help="Convert CRDs of apiextensions.k8s.io/v1beta1 to v1.")]
KeepUnknownFields = Annotated[
    bool,
    typer.Option(
        "--keep-unknown-fields",
        help="With --to-v1: keep undeclared fields at the root, and write a schema where there is none.",
    ),
]
CapiStage1 = Annotated[
    bool,
    typer.Option("--capi-stage1", help="Add status.v1beta2.conditions to kinds of the Cluster API that lack it."),
]
Objects = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        "--objects",
        metavar="FILE",
        help="Objects that no step may break, in the version that is stored: "
        "kubectl get PLURAL.VERSION.GROUP -A -o yaml; may be repeated.",
    ),
]
Kubernetes = Annotated[
    str, typer.Option("--kubernetes", metavar="VERSION", help="The version of the API server that holds the objects.")
]
AllowDirty = Annotated[bool, typer.Option("--allow-dirty", help="Write even where Git could not bring back the old.")]
Format = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text or json.")]
Reports = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--report", metavar="FORMAT=FILE", help="Write a markdown or html report to FILE; may be repeated."),
]


def migrate(
    paths: Paths = None,
    apply: Apply = False,
    only: Only = None,
    crd: Crds = None,
    ask: Ask = False,
    to_v1: ToV1 = False,
    keep_unknown_fields: KeepUnknownFields = False,
    capi_stage1: CapiStage1 = False,
    objects: Objects = None,
    kubernetes: Kubernetes = "1.33",
    allow_dirty: AllowDirty = False,
    format_: Format = "text",
    output: options.Output = None,
    report: Reports = None,
    fail_on: options.FailOn = Severity.WARNING,
    config: options.Config = None,
    rules: options.Rules = None,
    color: options.ColorOption = options.Color.AUTO,
    debug: options.Debug = False,
) -> None:
    """Migrate a whole repository: plan, apply, verify.

    Unsafe fixes are part of it; the plan says what has to be done beside each. Nothing is written without --apply.
    """
    from crdlint.cli.migration import MigrationRun
    from crdlint.migrate.planner import Wishes

    if keep_unknown_fields and not to_v1:
        raise UsageError("--keep-unknown-fields says how --to-v1 converts: give both")
    names = options.names(only)
    if only is not None and not names:
        raise UsageError("--only names no rule: leave it out, or give it ids of rules or packs")
    wishes = Wishes(
        Choices(names or None, rules=tuple(rules or ()), config=config),
        frozenset(crd or ()),
        frozenset(names),
        to_v1,
        keep_unknown_fields,
        capi_stage1,
    )
    run = MigrationRun(
        wishes,
        applies=apply,
        asks=ask,
        allows_dirty=allow_dirty,
        objects=tuple(objects or ()),
        kubernetes=kubernetes,
        format=format_,
        output=output,
        reports=tuple(report or ()),
        fail_on=fail_on,
        color=color,
    )
    raise typer.Exit(run.run(paths or ["."]))
