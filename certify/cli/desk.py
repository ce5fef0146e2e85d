"""``certify desk``: the same commands as pages in the browser, on this machine alone."""

from pathlib import Path

import typer

from certify.cli.output import Progress
from certify.errors import needing_pieces


def desk(
    port: int = typer.Option(0, min=0, max=65535, help="The port; any free one if not given."),
    no_browser: bool = typer.Option(False, "--no-browser", help="Print the address only."),
    export: Path | None = typer.Option(
        None, metavar="FOLDER", help="Write the pages that show something as files, and end."
    ),
    idle: int = typer.Option(60, min=0, help="Stop after so many minutes of rest; 0 never."),
) -> None:
    """Open games, paytables and submissions in the browser, on this machine alone."""
    with needing_pieces():
        from certify.desk.export import export as write
        from certify.desk.serve import serve
    if export is not None:
        files = write(export, Progress("Writing"))
        typer.echo(f"{files} files written. Open {export / 'index.html'} in a browser.")
        return
    serve(port=port, idle_minutes=idle, open_browser=not no_browser, say=typer.echo)
