"""Texts, paths and words of a choice are taken as they come.

Typer would build a validator for each parameter and load pydantic for it, which takes longer than
checking a file. It still judges what remains: numbers, and what is not among the choices.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from typer.core import TyperArgument, TyperOption

PARTS: Mapping[Any, Callable[[str], Any]] = {
    str: str,
    Path: Path,
    list[str]: str,
    list[Path]: Path,
}
"""What each text becomes, by the type of a parameter."""

READ = "get_runtime_param"
"""The method of a parameter that says how its values are read."""


class AsGiven:
    """How the values of one parameter are read, in the place of Typer's own way."""

    def __init__(self, kind: Any, otherwise: Callable[[], Any]) -> None:  # noqa: ANN401 - a type
        self.kind = kind
        self.otherwise = otherwise

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - any value
        """Return the value of a parameter.

        Raises:
            BadParameter: Typer refuses it.
        """
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if isinstance(self.kind, type):
            if isinstance(value, self.kind):
                return value
            if issubclass(self.kind, StrEnum) and value in tuple(self.kind):
                return self.kind(value)
        if self.kind in PARTS:
            part = PARTS[self.kind]
            return [part(v) for v in value] if isinstance(value, (list, tuple)) else part(value)
        return self.otherwise().coerce(value, param=param, ctx=ctx)


def take_as_given() -> None:
    """Let every option and argument be read so."""
    for kind in (TyperOption, TyperArgument):
        setattr(kind, READ, _as_given(getattr(kind, READ)))


def _as_given(typers: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def get_runtime_param(parameter: Any) -> AsGiven:  # noqa: ANN401 - of Typer
        return AsGiven(parameter.type_descriptor.annotation, partial(typers, parameter))

    return get_runtime_param
