"""The fix at the source and the fix of the generated YAML say the same: controller-gen is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from crdlint.findings import Applicability
from crdlint.fix.apply import fix
from crdlint.gosource import SourceChange
from crdlint.rules.catalogue import core_rules
from tests.gosource.generator import SHAPES, Module
from tests.gosource.rounds import UNSAFE, fixable, linter, plans

# The core rules whose fix is an edit of both; a rule that the shapes do not break is no proof.
FIXED = [
    *("conditions-list-type", "ineffective-observed-generation-default", "missing-conditions"),
    *("missing-observed-generation", "missing-observed-generation-default", "missing-status-subresource"),
    *("observed-generation-default-without-subresource", "required-status-fields", "status-required-at-root"),
    "wrong-observed-generation-default",
]
# Their fix is another Go type, which only people can bring in.
BY_HAND = {"condition-observed-generation", "non-metav1-conditions"}


def test_all_rules_with_an_edit_are_here() -> None:
    fixes = {rule.id: rule.fix for rule in core_rules() if rule.pack == "core" and rule.fix}
    edited = {rule for rule, own in fixes.items() if own.applicability is not Applicability.MANUAL}
    assert edited == set(FIXED) | BY_HAND


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The CRDs of the shapes as they are."""
    return Module.copy(SHAPES, tmp_path_factory.mktemp("before") / "m").crds()


@pytest.mark.parametrize("rule", FIXED)
def test_one_rule(rule: str, before: dict[str, bytes], tmp_path: Path) -> None:
    """Each rule by itself: what controller-gen makes of the changed types is what the fix makes of the old file."""
    module = Module.copy(SHAPES, tmp_path / "m")
    asked = list(fixable(before, rule))
    assert asked, "no shape breaks the rule"
    module.apply_plans(plans(asked, module.repository()))
    after = module.crds()
    for name, data in before.items():
        assert after[name].decode() == fix(linter(rule), name, data, UNSAFE).data.decode(), name
    assert module.unformatted() == []
    again = plans(asked, module.repository())
    assert [one.edits for one in again if isinstance(one, SourceChange)] == [()] * len(asked)


def test_all_rules_together(before: dict[str, bytes], tmp_path: Path) -> None:
    """Round by round, as a migration does it, until there is nothing left to do."""
    module = Module.copy(SHAPES, tmp_path / "m")
    crds = before
    for _ in range(5):
        asked = list(fixable(crds, *FIXED))
        if not asked:
            break
        module.apply_plans(plans(asked, module.repository()))
        assert module.unformatted() == []
        crds = module.crds()
    assert list(fixable(crds, *FIXED)) == []
    for name, data in before.items():
        assert crds[name].decode() == fix(linter(*FIXED), name, data, UNSAFE).data.decode(), name
    module.run("go", "vet", "./...")


def test_lines_that_end_in_crlf(before: dict[str, bytes], tmp_path: Path) -> None:
    """The same CRDs come of it, and all lines of the sources end as they did."""
    modules = [Module.copy(SHAPES, tmp_path / name) for name in ("lf", "crlf")]
    sources = list(modules[1].folder.rglob("*.go"))
    for path in sources:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    asked = list(fixable(before, *FIXED))
    for module in modules:
        module.apply_plans(plans(asked, module.repository()))
    assert modules[0].crds() == modules[1].crds() != before
    assert all(b"\n" not in path.read_bytes().replace(b"\r\n", b"") for path in sources)
