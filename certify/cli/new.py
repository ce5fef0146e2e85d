"""``certify new``: records to start from, in their place."""

from collections.abc import Iterable
from pathlib import Path

import typer

_OUT = typer.Option(None, help="Folder that receives it; the project's own place if not given.")


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    new = typer.Typer(
        help="Files to start from, in their place.", no_args_is_help=True, rich_markup_mode=None
    )
    new.command("paytable")(paytable)
    new.command("house-way")(house_way)
    new.command("game")(game)
    app.add_typer(new, name="new")


def paytable(
    target: str = typer.Argument(help="GAME/WAGER/PAYTABLE, the id of the new paytable."),
    clause: str = typer.Option(..., help="Where the game's document prints the new paytable."),
    like: str = typer.Option(
        None, help="Paytable of the same wager to copy; the wager's first if not given."
    ),
) -> None:
    """Write a full copy of a paytable under a new id, to be changed row by row."""
    from certify.pipeline.new import paytable as copy

    _say_where(copy(target, like=like, clause=clause))


def house_way(
    name: str = typer.Argument(help="The id of the new house way."),
    like: str = typer.Option(..., help="Declared house way to copy."),
    out: Path | None = _OUT,
) -> None:
    """Write a full copy of a house way under a new id, to be changed rule by rule."""
    from certify.pipeline.new import house_way as copy

    _say_where(copy(name, like=like, out=out))


def game(
    name: str = typer.Argument(help="The id of the new game."),
    like: str = typer.Option(..., help="Declared game to copy."),
    out: Path | None = _OUT,
) -> None:
    """Write a full copy of a game under a new id, with all its wagers and paytables."""
    from certify.pipeline.new import game as copy

    _say_where(copy(name, like=like, out=out))


def _say_where(files: Iterable[Path]) -> None:
    for path in files:
        typer.echo(str(path))
