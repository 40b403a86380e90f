"""What stands at the end of each command's ``--help``: examples, exit codes, colours."""

from __future__ import annotations

# A paragraph that begins with this is printed as it stands.
_VERBATIM = "\b\n"

EXAMPLES = {
    "check": (
        ("crdlint check", "all CRDs below the working folder"),
        ("crdlint check config/crd charts/*/crds", "some of them"),
        ("crdlint check --diff --unsafe-fixes", "what the fixes would change"),
        ("crdlint check --report html=crds.html", "a page to look at, beside the text"),
        ("kubectl get crds -o yaml | crdlint check -", "what a cluster has"),
        ("crdlint check --since origin/main", "what a branch brings"),
        ("crdlint check --baseline .crdlint-baseline.json", "only what is new"),
    ),
    "baseline": (("crdlint baseline", "commit the file that it writes"),),
    "cache": (("crdlint cache clear", "forget what earlier runs found"),),
    "fix": (
        ("crdlint fix config/crd", "the safe fixes, in place"),
        ("crdlint fix --unsafe-fixes --diff", "show all fixes first"),
        ("crdlint fix - < crd.yaml > fixed.yaml", "as a filter"),
    ),
    "migrate": (
        ("crdlint migrate", "the plan for the repository; nothing is written"),
        ("crdlint migrate --report html=plan.html", "with a checklist for people"),
        ("crdlint migrate --apply --only conditions-list-type", "take some of the steps"),
        ("crdlint migrate --to-v1 --apply config/crd", "convert v1beta1 CRDs as well"),
    ),
    "simulate": (
        ("crdlint simulate config/crd", "an object's life, as each waiter sees it"),
        ("crdlint simulate --fixed config/crd", "before and after the fixes"),
    ),
    "status": (
        ("kubectl get machines -A -o yaml | crdlint status -", "are they ready, and to whom?"),
        ("crdlint status --for paused objects.yaml", "exit 0 once every pause is acknowledged"),
    ),
    "healthchecks": (
        ("crdlint healthchecks config/crd", "for all kinds whose readiness kstatus misses"),
        ("crdlint healthchecks --for flux --format yaml", "to paste into a Kustomization"),
        ("crdlint healthchecks --condition Widget:Up=positive", "say what a condition means"),
        ("crdlint healthchecks --objects ready.yaml widgets.yaml", "let objects say it"),
    ),
    "explain": (("crdlint explain missing-observed-generation-default", "one rule in full"),),
    "rules": (("crdlint rules --format json", "the catalogue, for scripts"),),
    "config": (
        ("crdlint config show config/crd/widgets.yaml", "what applies to a file, and where it comes from"),
        ("crdlint config schema", "what a configuration may say, for editors"),
    ),
    "init": (
        ("crdlint init", "then look through what it suggests"),
        ("crdlint init --stdout", "see it first"),
    ),
}
_FINDINGS_EXIT = """Exit codes:
  0    nothing at or above --fail-on
  1    findings, a difference with --diff, or a file that could not be written
  2    wrong usage, a wrong configuration, a path that does not exist, or a
       failure of crdlint itself
  130  interrupted"""
_MIGRATE_EXIT = """Exit codes:
  0    nothing is planned, and nothing is left at or above --fail-on
  1    steps are planned, findings are left, or a file could not be written
  2    wrong usage, a tree that is not clean, or a failure of crdlint itself
  130  interrupted"""
_STATUS_EXIT = """Exit codes:
  0    what --for asks holds for every object
  1    it does not hold for some object
  2    wrong usage, or a failure of crdlint itself
  130  interrupted"""
_PLAIN_EXIT = """Exit codes:
  0    done
  2    wrong usage, or a failure of crdlint itself
  130  interrupted"""
_OPEN_EXIT = """Exit codes:
  0    done
  2    somebody has to say first what a condition means, a file cannot be
       read, wrong usage, or a failure of crdlint itself
  130  interrupted"""
_EXITS = {
    "check": _FINDINGS_EXIT,
    "fix": _FINDINGS_EXIT,
    "migrate": _MIGRATE_EXIT,
    "status": _STATUS_EXIT,
    "healthchecks": _OPEN_EXIT,
}
_COLOURS = """Colours: on a terminal only. --color wins, then a non-empty NO_COLOR or
TERM=dumb (none), then FORCE_COLOR (always)."""
_COLOURFUL = ("check", "fix")


def epilog(command: str) -> str:
    """The end of a command's help."""
    parts = [_examples(EXAMPLES[command])] if command in EXAMPLES else []
    parts.append(_EXITS.get(command, _PLAIN_EXIT))
    if command in _COLOURFUL:
        parts.append(_COLOURS)
    return "\n\n".join(_VERBATIM + part for part in parts)


def _examples(examples: tuple[tuple[str, str], ...]) -> str:
    return "\n".join(["Examples:", *(f"  {line}\n      {what}" for line, what in examples)])
