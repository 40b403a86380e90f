"""CEL expressions as Flux evaluates them (fluxcd/pkg, runtime/cel/expression.go): parsed, never type-checked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from crdlint.consumers.unstructured import is_int64
from crdlint.errors import UsageError

_HOW = "expressions are evaluated by the package cel-expr-python: pip install 'crdlint[cel]' (Python 3.11 or newer)"


class CelError(Exception):
    """An expression cannot be parsed or evaluated."""


class Expression:
    """A parsed expression. Raises `CelError` where it cannot be parsed, `UsageError` where CEL is not installed."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self._compiled = _environment().compile(text, disable_check=True)
        except RuntimeError as error:
            raise CelError(f"failed to parse the CEL expression '{text}': {_message(error)}") from None

    def holds(self, variables: dict[str, Any]) -> bool:
        """Its value, which has to be a boolean. Raises `CelError`."""
        try:
            value = self._compiled.eval(data=_decoded(variables))
        except RuntimeError as error:
            raise CelError(f"failed to evaluate the CEL expression '{self.text}': {_message(error)}") from None
        types = _types()
        if value.type() == types.ERROR:
            raise CelError(f"failed to evaluate the CEL expression '{self.text}': {_message(value.value())}")
        if value.type() != types.BOOL:
            raise CelError(f"failed to evaluate CEL expression as boolean: '{self.text}'")
        return bool(value.value())


def _decoded(data: Any) -> Any:
    """As Kubernetes decodes it: integers of more than 64 bits are floats."""
    if isinstance(data, dict):
        return {str(key): _decoded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_decoded(item) for item in data]
    return float(data) if isinstance(data, int) and not isinstance(data, bool) and not is_int64(data) else data


def _message(error: object) -> str:
    return str(error).strip().partition("\n")[0]


def _types() -> Any:
    from cel_expr_python import cel

    return cel.Type


@lru_cache(maxsize=1)
def _environment() -> Any:
    try:
        from cel_expr_python import cel
        from cel_expr_python.ext import ext_encoders, ext_optional, ext_strings
    except ImportError:
        raise UsageError(_HOW) from None
    extensions = [ext_optional.ExtOptional(), ext_strings.ExtStrings(), ext_encoders.ExtEncoders()]
    return cel.NewEnv(extensions=[*extensions, cel.CelExtension("sets", _sets(cel))])


def _sets(cel: Any) -> list[Any]:
    """cel-go's ``sets`` (ext/sets.go), which the package lacks."""

    def contains(one: list[Any], other: list[Any]) -> bool:
        return all(any(_equal(item, member) for member in one) for item in other)

    functions = {
        "contains": contains,
        "equivalent": lambda one, other: contains(one, other) and contains(other, one),
        "intersects": lambda one, other: any(_equal(item, member) for item in one for member in other),
    }
    return [
        cel.FunctionDecl(
            f"sets.{name}",
            [
                cel.Overload(
                    f"list_sets_{name}_list",
                    return_type=cel.Type.BOOL,
                    parameters=[cel.Type.LIST, cel.Type.LIST],
                    impl=function,
                )
            ],
        )
        for name, function in functions.items()
    ]


def _equal(one: Any, other: Any) -> bool:
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
