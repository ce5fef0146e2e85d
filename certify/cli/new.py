"""``certify new``: a paytable's file to start from, in its place."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from certify import library
from certify.errors import NotConfigured
from certify.library import write_atomically


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
    folder, _, new_id = target.rpartition("/")
    if folder.count("/") != 1 or not new_id:
        raise NotConfigured(
            f"{target} is not the id of a paytable.", remedy="Write GAME/WAGER/PAYTABLE."
        )
    from certify.pipeline.targets import select, unknown

    selection = select(folder)
    known = [record.id for _, record in selection.records]
    if not known:
        raise NotConfigured(
            f"{folder} has no paytable to start from.",
            remedy="Declare its first paytable by the schema paytable.schema.json.",
        )
    model = like or known[0]
    if model not in known:
        raise unknown("paytable", model, known)
    place = library.paytables() / folder
    path = place / f"{new_id}.json"
    if path.exists():
        raise NotConfigured(f"{path} exists.", remedy="Choose an id that was never used.")
    value = json.loads((place / f"{model}.json").read_bytes())
    value |= {"id": new_id, "name": new_id}
    value["source"] = {"document": value["source"]["document"], "clause": clause}
    write_atomically(path, written(value).encode())
    typer.echo(str(path))
    typer.echo(f"A copy of {folder}/{model}: change its rows, then run `certify check {path}`.")


def house_way(
    name: str = typer.Argument(help="The id of the new house way."),
    like: str = typer.Option(..., help="Declared house way to copy."),
    out: Path = typer.Option(..., help="Folder that receives it."),
) -> None:
    """Write a full copy of a house way under a new id, to be changed rule by rule."""
    from certify.pipeline.new import house_way as copy

    _say_where(copy(name, like=like, out=out))


def game(
    name: str = typer.Argument(help="The id of the new game."),
    like: str = typer.Option(..., help="Declared game to copy."),
    out: Path = typer.Option(..., help="Folder that receives the game's folder."),
) -> None:
    """Write a full copy of a game under a new id, with all its wagers and paytables."""
    from certify.pipeline.new import game as copy

    _say_where(copy(name, like=like, out=out))


def _say_where(files: Iterable[Path]) -> None:
    for path in files:
        typer.echo(str(path))


def written(value: dict[str, Any]) -> str:
    """Return a record as the declared files are written: a row of a table on a line of its own."""
    parts = [f"  {json.dumps(name)}: {_part(one)}" for name, one in value.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _part(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        rows = [f"    {json.dumps(one, ensure_ascii=False)}" for one in value]
        return "[\n" + ",\n".join(rows) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)
