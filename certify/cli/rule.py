"""``certify rule CODE``: the page of a finding code."""

import difflib

import typer

from certify.errors import NotConfigured


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("rule")(rule)


def rule(
    code: str = typer.Argument(help="A finding code, such as P004; `all` lists them."),
) -> None:
    """Print the page of a finding code: what it means, why it matters, how to mend it."""
    from certify.checks.codes import CODES

    pages = {page.id: page for page in CODES}
    if code.lower() == "all":
        for page in CODES:
            typer.echo(f"{page.id}  {page.severity!s:7}  {page.title}")
        return
    page_found = pages.get(code.upper())
    if page_found is None:
        near = difflib.get_close_matches(code.upper(), pages, n=3, cutoff=0.4)
        raise NotConfigured(
            f"There is no finding code {code}.",
            remedy=f"Did you mean {', '.join(near)}?" if near else "`certify rule all` lists them.",
        )
    typer.echo(f"{page_found.id} ({page_found.severity}): {page_found.title}\n")
    typer.echo(page_found.text)
