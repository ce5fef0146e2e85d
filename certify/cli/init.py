"""``certify init``: a project of one's own."""

from pathlib import Path

import typer


def init(
    folder: Path = typer.Argument(Path(), help="The project's folder; it is made if missing."),
) -> None:
    """Make a project: what is declared in it is laid over what comes with certify."""
    from certify.pipeline.declare.new import project

    for path in project(folder):
        typer.echo(str(path))
    typer.echo(
        f"Next, in {folder}: `certify new paytable` or `certify new game`, then `certify check`."
    )
