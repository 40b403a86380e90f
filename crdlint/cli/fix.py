"""``crdlint fix``: ``check --fix``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from crdlint.cli.check import check


def _with_fix(command: Callable[..., None]) -> Callable[..., None]:
    """The same command with the same options, but for ``--fix``, which is always on."""

    def fix(**arguments: Any) -> None:
        """Fix CRDs in place (`check --fix`).

        On - the fixed text is printed. A baseline restricts what is reported, not what is fixed.
        """
        command(fix=True, **arguments)

    signature = inspect.signature(command, eval_str=True)
    parameters = [parameter for name, parameter in signature.parameters.items() if name != "fix"]
    fix.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    fix.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return fix


fix = _with_fix(check)
