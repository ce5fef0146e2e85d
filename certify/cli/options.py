"""Options of the command line, as the requests of the commands declare them."""

import inspect
import re
from collections.abc import Callable, Mapping
from enum import EnumType
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

import typer
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo

from certify.cli.output import cents, meters
from certify.model.request import Kind, Request, build, list_options, read_kind

Answer = TypeVar("Answer")

whole = re.compile(r"-?[0-9]{1,20}").fullmatch


def expand(command: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a command with an option for each field of the requests among its parameters."""
    signature = inspect.signature(command, eval_str=True)
    requests = {
        name: each.annotation
        for name, each in signature.parameters.items()
        if isinstance(each.annotation, type) and issubclass(each.annotation, Request)
    }
    if not requests:
        return command

    @wraps(command)
    def run(**values: Any) -> Answer:  # noqa: ANN401 - the values of the options
        built = {}
        for parameter, request in requests.items():
            given = {
                name: _read(name, read_kind(field.type), values.pop(name))
                for name, field in list_options(request).items()
            }
            built[parameter] = build(request, **given)
        return command(**values, **built)

    parameters: list[Parameter] = []
    for name, parameter in signature.parameters.items():
        named = requests.get(name)
        parameters += [*map(_parameter, list_options(named).values())] if named else [parameter]
    run.__signature__ = Signature(  # type: ignore[attr-defined] # typer reads it
        [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
    )
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _parameter(field: FieldInfo) -> Parameter:
    """Return the option or the argument of a field; text is validated by the request."""
    kind = read_kind(field.type)
    bare, option = kind.type, kind.option
    text, metavar = option.text, option.metavar
    several = get_origin(bare) in (tuple, Mapping)
    part = (get_args(bare)[0] if several else bare) or str
    annotation = part if part in (bool, Path) else str
    if isinstance(bare, EnumType):
        metavar = metavar or f"<{'|'.join(map(str, bare))}>"
    if several and get_origin(bare) is Mapping:
        metavar = metavar or "LEVEL=AMOUNT"
    elif field.name.endswith("_cents"):
        metavar = metavar or "AMOUNT"
    elif bare is int:
        metavar = metavar or "N"
        limits = f"{option.least}<=x<={option.most}" if option.most else f"x>={option.least}"
        text = text if option.least is None else f"{text}  [{limits}]"
    default = field.default
    if default is NODEFAULT and field.default_factory is NODEFAULT:
        default = ...
    elif several or default is NODEFAULT:
        default = None
    elif field.name.endswith("_cents") and default is not None:
        default = str(Fraction(default, 100))  # dollars
    elif default is not None and annotation is str:
        default = str(default)
    if option.is_argument:
        given = typer.Argument(default, help=text, metavar=metavar)
    else:
        names = option.names or (_name(field.name),)
        shown = part is not bool
        given = typer.Option(default, *names, help=text, metavar=metavar, show_default=shown)
    kept = list[annotation] if several else annotation  # type: ignore[valid-type] # one of three
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=given, annotation=kept)


def _name(field: str) -> str:
    return f"--{field.removesuffix('_cents').replace('_', '-')}"


def _read(name: str, kind: Kind, value: Any) -> Any:  # noqa: ANN401 - what typer read
    """Return the value of a field; None for its default."""
    if value is None or value == []:
        return None
    if kind.option.read is not None:
        return kind.option.read(value)
    if get_origin(kind.type) is Mapping:
        return meters(value)
    if name.endswith("_cents"):
        return cents(_name(name), value)
    return int(value) if kind.type is int and whole(value) else value
