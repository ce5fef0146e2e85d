"""``certify rule CODE``: the page of a finding code."""

import difflib

import typer

from certify.errors import NotConfigured, NotReadable


def rule(
    code: str = typer.Argument(None, help="A finding code, such as P004; `all` lists them."),
    *,
    tests: bool = typer.Option(
        False, "--tests", help="Print the tests that a rule of a jurisdiction may name."
    ),
) -> None:
    """Print the page of a finding code: what it means, why it matters, how to mend it."""
    from certify.pipeline.codes import CODES

    if tests:
        typer.echo(_tests())
        return
    if code is None:
        raise NotReadable("No finding code is named.", remedy="Name one; `all` lists them.")
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
    typer.echo(page_found.page())


def _tests() -> str:
    """Return every test of rules with its parameters, a paragraph for each."""
    from certify.checks.jurisdiction.rule_tests import TESTS

    tests = []
    for test in TESTS.values():
        lines = [test.name, f"  {test.judges}"]
        for parameter in test.parameters:
            needed = (
                ""
                if parameter.required
                else f", beside {parameter.beside}"
                if parameter.beside
                else ", optional"
            )
            lines.append(f"    {parameter.name} ({parameter.unit}{needed}): {parameter.meaning}")
        tests.append("\n".join(lines))
    return "\n\n".join(tests)
