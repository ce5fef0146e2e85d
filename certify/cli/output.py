"""Options as the requests declare them, and printed results: text for people, JSON for scripts."""

import datetime as dt
import inspect
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from enum import EnumType, StrEnum
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

import typer
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo

from certify import storage
from certify.errors import NotReadable
from certify.formatting import correct_amount, csv_bytes, one_line, read_cents, read_meter
from certify.model.encoding import Forms, encode_json
from certify.model.request import Kind, Request, build, list_options, read_day, read_kind
from certify.report.tables import Lines, Section, Table, Words, table

Amount = TypeVar("Amount")


class Format(StrEnum):
    """Output format of a result."""

    TEXT = "text"
    JSON = "json"


_NARROWEST = 40
_GAP = "  "

FORMAT = typer.Option(Format.TEXT, "--format", help="Output format: text, or json for scripts.")

QUIET = typer.Option(
    False, "--quiet", "-q", help="Print only problems; the exit code gives the result."
)


def print_json(value: object, forms: Forms | None = None) -> None:
    """Print records as JSON to standard output."""
    typer.echo(json_text(value, forms))


def json_text(value: object, forms: Forms | None = None) -> str:
    """Return JSON for standard output; escaped if the stream is not UTF-8."""
    return json.dumps(encode_json(value, forms), indent=2, ensure_ascii=not takes_all_characters())


def takes_all_characters() -> bool:
    """Return True if standard output is UTF-8; redirected output on Windows often is not."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") == "utf8"


def warn(text: str) -> None:
    """Print a line on standard error, within the width of the terminal."""
    typer.echo("\n".join(wrap_line(one_line(text))), err=True)


def print_text(text: str) -> None:
    """Print a result as text, each line within the width of the terminal."""
    typer.echo(wrap_text(text))


def print_item(mark: str, text: str) -> None:
    """Print a line that starts with a mark; continuation lines are indented below the text."""
    typer.echo("\n".join(wrap_line(mark + one_line(text), " " * len(mark))))


def print_line(text: object) -> None:
    """Print a line that is not wrapped, such as a path."""
    typer.echo(one_line(str(text)))


def wrap_text(text: str) -> str:
    """Return a text with each line within the width of the terminal."""
    return "\n".join(piece for line in text.split("\n") for piece in wrap_line(line))


def columns() -> int:
    """Return the width of the terminal (``COLUMNS`` overrides it); unlimited for a file."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return max(shutil.get_terminal_size().columns, _NARROWEST)
    return sys.maxsize


def wrap_line(line: str, indent: str | None = None) -> list[str]:
    """Return a line broken between words if it is too long, with indented continuation lines."""
    width = columns()
    if len(line) <= width:
        return [line]
    if indent is None:
        indent = " " * (len(line) - len(line.lstrip(" -")))
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def section_text(section: Section) -> str:
    """Return a section: its title, its answer, its parts, each after a blank line."""
    parts = (*map(one_line, (section.title, section.answer)), *map(_part_text, section.parts))
    return "\n\n".join(text for text in parts if text)


def _part_text(part: Lines | Table) -> str:
    if isinstance(part, Table):
        return table_text(part) if part.rows else ""
    return "\n".join([_words(part.title), *(f"  {_words(line)}" for line in part.lines)])


def _words(line: Words) -> str:
    return one_line(" ".join(part.text for part in line))


def refuse_with_json(output: Format, **given: object) -> None:
    """Refuse options for another form of the output with ``--format json``.

    Raises:
        NotReadable: one of them is given; it would have no effect.
    """
    for name, value in given.items():
        if value and output is Format.JSON:
            raise NotReadable(
                f"--{name} has no effect with --format json.", remedy="Omit one of the two."
            )


def print_rows(
    names: Sequence[str], rows: Sequence[Sequence[str]], *, csv: bool, workbook: Path | None
) -> None:
    """Print rows as a table or as CSV, or write them to a workbook."""
    if workbook is not None:
        from certify.report.tables import table_workbook

        book = table_workbook("Rows", names, rows, day("--date", None))
        storage.write_atomically(workbook, book)
    elif csv:
        typer.echo(csv_bytes(names, rows).decode(), nl=False)
    else:
        typer.echo(table_text(table("", " | ".join(names), rows)))


def table_text(part: Table) -> str:
    """Return a table below its caption; columns from the first one of figures on are flush right.

    If the table is wider than the terminal, cells wrap between words; if that is not enough, it is
    split into parts, each with the first column. No figure is broken.
    """
    grid = [tuple(column.title for column in part.columns), *part.rows]
    grid = [tuple(map(one_line, row)) for row in grid]
    figures = (at for at, column in enumerate(part.columns) if column.kind in ("number", "exact"))
    left, header, room = next(figures, len(part.columns)), grid[0], columns()
    caption = f"{one_line(part.caption)}\n\n" if part.caption else ""
    widths = _widths(grid, left, room)
    parts, used = [[0]], widths[0]
    for column in range(1, len(header)):
        if used + len(_GAP) + widths[column] > room and len(parts[-1]) > 1:
            parts.append([0])
            used = widths[0]
        parts[-1].append(column)
        used += len(_GAP) + widths[column]
    return caption + "\n\n".join(_columns(grid, widths, places, left) for places in parts)


def _widths(grid: Sequence[Sequence[str]], left: int, most: int) -> list[int]:
    """Return the width of each column: its widest cell, or less if the table is too wide."""
    cells = list(zip(*grid, strict=True))
    widths = [max(map(len, column)) for column in cells]
    least = [
        max(_longest_word(column[0]), *(map(_longest_word if place < left else len, column[1:])), 1)
        for place, column in enumerate(cells)
    ]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > most:
        room = [width - fewest for width, fewest in zip(widths, least, strict=True)]
        if not any(room):
            break
        widths[room.index(max(room))] -= 1
    return widths


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _columns(
    grid: Sequence[Sequence[str]], widths: Sequence[int], places: Sequence[int], left: int
) -> str:
    """Return the table of some columns."""
    lines = [_row([row[place] for place in places], places, widths, left) for row in grid]
    rule = _GAP.join("-" * widths[place] for place in places)
    return "\n".join([*lines[0], rule, *(line for row in lines[1:] for line in row)])


def _row(
    cells: Sequence[str], places: Sequence[int], widths: Sequence[int], left: int
) -> list[str]:
    """Return the lines of one row: as many as its tallest cell has."""
    wrapped = [
        textwrap.wrap(cell, widths[place], break_long_words=False, break_on_hyphens=False)
        if len(cell) > widths[place]
        else [cell]
        for cell, place in zip(cells, places, strict=True)
    ]
    return [
        _GAP.join(
            piece.ljust(widths[place]) if place < left else piece.rjust(widths[place])
            for piece, place in zip(line, places, strict=True)
        ).rstrip()
        for line in zip_longest(*wrapped, fillvalue="")
    ]


def use_color() -> bool:
    """Return True if output may be colored: on a terminal, or as the environment says.

    Source: no-color.org, force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR")
    return forced != "0" if forced else sys.stdout.isatty()


class Progress:
    """A progress line on standard error, on a terminal only; otherwise silent."""

    def __init__(self, what: str) -> None:
        self._what = one_line(what)
        self._shown = -1
        self._live = sys.stderr.isatty() and not os.environ.get("CI")

    def about(self, what: str) -> "Progress":
        """Return the progress line of one part, labeled with its subject."""
        return Progress(what)

    def __call__(self, done: int, of: int) -> None:
        """Show that ``done`` of ``of`` parts are counted."""
        share = 100 * done // max(of, 1)
        if self._live and share != self._shown:
            self._shown = share
            end = "\n" if done >= of else ""
            width = max(shutil.get_terminal_size().columns - 8, 8)
            what = self._what if len(self._what) <= width else f"…{self._what[1 - width :]}"
            stream = getattr(sys.stderr, "stream", sys.stderr)  # it returns to the line's start
            stream.write(f"\r{what}: {share:3d}%{end}")
            stream.flush()


def pairs(values: Mapping[str, str]) -> str:
    """Return names and values in two columns."""
    width = max((len(name) for name in values), default=0) + len(_GAP)
    return "\n".join(
        line
        for name, value in values.items()
        for line in wrap_line(f"{name.ljust(width)}{one_line(value)}", " " * width)
    )


def day(option: str, text: str | None) -> dt.date:
    """Return the day that an option gives, or today.

    Raises:
        NotReadable: it is not a date.
    """
    return dt.datetime.now(dt.UTC).date() if text is None else read_day(option, text)


def meters(texts: list[str]) -> dict[str, Any]:
    """Return cents by meter level, see `cents`.

    Raises:
        NotReadable: an entry is not LEVEL=AMOUNT, or a level is given twice.
    """
    amounts: dict[str, Any] = {}
    for text in texts:
        level, equals, amount = text.partition("=")
        if not equals or level in amounts:
            raise NotReadable(
                f"--meter {text} is not LEVEL=AMOUNT, or repeats a level.",
                remedy="Write for example --meter 1=25000 --meter 2=5000.",
            )
        amounts[level] = read_amount("--meter", amount, read_meter)
    return amounts


def cents(option: str, text: str) -> int:
    """Return dollars as written in cents; the request refuses negative ones.

    Raises:
        NotReadable: it is not an amount of dollars.
    """
    return read_amount(option, text, read_cents)


def read_amount(option: str, text: str, reader: Callable[[str], Amount | None]) -> Amount:
    """Return the amount that a reader of texts reads.

    Raises:
        NotReadable: it reads none.
    """
    read = reader(text)
    if read is None:
        raise NotReadable(
            f"{option}: {text} is not an amount of dollars.", remedy=correct_amount(text)
        )
    return read


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
            options = {
                name: _read(name, read_kind(field.type), values.pop(name))
                for name, field in list_options(request).items()
            }
            built[parameter] = build(request, **options)
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
        parsed = typer.Argument(default, help=text, metavar=metavar)
    else:
        names = option.names or (_name(field.name),)
        shown = part is not bool
        parsed = typer.Option(default, *names, help=text, metavar=metavar, show_default=shown)
    declared = list[annotation] if several else annotation  # type: ignore[valid-type] # one of three
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=parsed, annotation=declared)


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
