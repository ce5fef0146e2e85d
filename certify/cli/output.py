"""How results are printed: text for people, JSON for scripts."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import typer

from certify.model.encoding import Forms, as_json


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"


FORMAT = typer.Option(Format.TEXT, "--format", help="text for people, json for scripts.")


def print_json(value: object, forms: Forms | None = None) -> None:
    """Print records as JSON to standard output."""
    typer.echo(json_text(value, forms))


def json_text(value: object, forms: Forms | None = None) -> str:
    """Return records as JSON for standard output; escaped where the stream is not UTF-8."""
    return json.dumps(as_json(value, forms), indent=2, ensure_ascii=not takes_all_characters())


def takes_all_characters() -> bool:
    """Whether standard output is UTF-8; a file on Windows often is not."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") == "utf8"


def warn(text: str) -> None:
    """Say something beside the result, on standard error."""
    typer.echo(text, err=True)


def counted(number: int, noun: str) -> str:
    """Return how many there are of something, in words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Return a plain table; the first ``left`` columns are flush left, the others flush right."""
    grid = [list(header), *([*row] for row in rows)]
    widths = [max(len(row[column]) for row in grid) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in grid
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


class Progress:
    """A progress line on standard error, on a terminal only; otherwise silent."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = -1
        self._live = sys.stderr.isatty() and not os.environ.get("CI")

    def __call__(self, done: int, of: int) -> None:
        """Say that ``done`` parts of ``of`` are counted."""
        share = 100 * done // max(of, 1)
        if self._live and share != self._shown:
            self._shown = share
            end = "\n" if done >= of else ""
            sys.stderr.write(f"\r{self._what}: {share:3d}%{end}")
            sys.stderr.flush()


def pairs(values: Mapping[str, str]) -> str:
    """Return names and values in two columns."""
    width = max((len(name) for name in values), default=0)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in values.items())
