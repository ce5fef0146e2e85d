"""``certify init``, ``new``, ``schema`` and ``rule``."""

import difflib
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import typer

from certify.cli.output import day, print_json
from certify.errors import NotConfigured, NotReadable


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


_OUT = typer.Option(None, help="Folder that receives it; the project's own place if not given.")


new = typer.Typer(
    help="Files to start from, in their place.", no_args_is_help=True, rich_markup_mode=None
)


@new.command("game")
def game(
    name: str = typer.Argument(help="The id of the new game."),
    like: str | None = typer.Option(None, help="Declared game to copy."),
    blank: bool = typer.Option(False, "--blank", help="Start from the usual deck and hands."),
    called: str | None = typer.Option(None, help="With --blank: the name of the game in print."),
    document: str | None = typer.Option(None, help="With --blank: the title of its document."),
    clause: str | None = typer.Option(
        None, help="With --blank: where that document states its rules."
    ),
    out: Path | None = _OUT,
) -> None:
    """Write a game under a new id: a full copy of another, or a blank one."""
    if blank is (like is not None):
        raise NotReadable(
            "A game is started from a copy or from nothing.",
            remedy="Give --like GAME, or --blank with --called, --document and --clause.",
        )
    if like is not None:
        from certify.pipeline.declare.new import game as copy

        _say_where(copy(name, like=like, out=out))
        return
    if not (called and document and clause):
        raise NotReadable(
            "A blank game states its name and where its rules are.",
            remedy="Give --called, --document and --clause.",
        )
    from certify.pipeline.declare.blank import game as write

    _say_where(
        write(name, called=called, document=document, clause=clause, on=date.today())  # noqa: DTZ011 - the day here
    )


@new.command("wager")
def wager(
    target: str = typer.Argument(help="GAME/WAGER, the id of the new wager."),
    called: str = typer.Option(..., help="The name of the wager in print."),
    clause: str = typer.Option(..., help="Where the game's document states its rules."),
) -> None:
    """Write a bonus wager and list it with its game."""
    from certify.pipeline.declare.blank import wager as write

    _say_where(write(target, called=called, clause=clause))


@new.command("paytable")
def paytable(
    target: str = typer.Argument(help="GAME/WAGER/PAYTABLE, the id of the new paytable."),
    clause: str = typer.Option(..., help="Where the game's document prints the new paytable."),
    like: str = typer.Option(
        None, help="Paytable of the same wager to copy; the wager's first if not given."
    ),
    row: list[str] = typer.Option(
        None, help='A row from nothing, such as "flush=4 to 1"; once for each, in printed order.'
    ),
) -> None:
    """Write a paytable under a new id: a copy, or the rows that are given."""
    if row:
        from certify.pipeline.declare.blank import paytable as write

        _say_where(write(target, rows=row, clause=clause))
        return
    from certify.pipeline.declare.new import paytable as copy

    _say_where(copy(target, like=like, clause=clause))


@new.command("revision")
def revision(
    game: str = typer.Argument(help="The id of the game."),
    text: str = typer.Option(..., help="What the revision brings, as the rules of play print it."),
    name: str = typer.Option(None, "--revision", help="The revision; the next number by default."),
    on: str = typer.Option(None, "--date", help="Its date (YYYY-MM-DD); today if not given."),
) -> None:
    """Raise the revision of a game, and list what it brings."""
    from certify.pipeline.declare.editing import revise

    _say_where([revise(game, text=text, day=day("--date", on), revision=name)])


@new.command("event")
def event(
    name: str = typer.Argument(help="The id of the new event, such as six_card_flush."),
    text: str = typer.Option(..., help="What the rules print of it."),
    document: str = typer.Option(..., help="The id of the document that defines the hand."),
    clause: str = typer.Option(..., help="Where it defines it."),
    when: str = typer.Option(None, help="Its condition as JSON, see docs/reference/features.md."),
    like: str = typer.Option(None, help="Event whose condition is copied."),
) -> None:
    """Add an event to the project's vocabulary."""
    from certify.pipeline.declare.blank import event as write

    _say_where(write(name, text=text, when=when, like=like, document=document, clause=clause))


@new.command("house-way")
def house_way(
    name: str = typer.Argument(help="The id of the new house way."),
    like: str = typer.Option(..., help="Declared house way to copy."),
    out: Path | None = _OUT,
) -> None:
    """Write a full copy of a house way under a new id, to be changed rule by rule."""
    from certify.pipeline.declare.new import house_way as copy

    _say_where(copy(name, like=like, out=out))


@new.command("jurisdiction")
def jurisdiction(
    name: str = typer.Argument(help="The id of the new state, such as ohio."),
    called: str = typer.Option(..., help="The name of the state in print."),
    regulator: str = typer.Option(..., help="The body that approves games there."),
    clause: str = typer.Option(..., help="Where its first rule stands, such as Code 3772-10."),
    address: str = typer.Option(..., help="Where the text of that rule was read today."),
) -> None:
    """Write the rules of a state: its first rule to be worded, and what every filing brings."""
    from certify.pipeline.declare.blank import jurisdiction as write

    _say_where(
        write(
            name,
            called=called,
            regulator=regulator,
            clause=clause,
            address=address,
            on=date.today(),  # noqa: DTZ011 - the day here
        )
    )


def _say_where(files: Iterable[Path]) -> None:
    for path in files:
        typer.echo(str(path))


def schema(
    kind: str | None = typer.Argument(
        None, help="A kind of file, such as paytable; all are listed."
    ),
) -> int:
    """Print the JSON schema of a kind of file, whole in one file, or the kinds that there are."""
    from certify.intake.schema import bundled, kinds
    from certify.pipeline.targets import unknown

    if kind is None:
        for name in kinds():
            typer.echo(name)
        return 0
    if kind not in kinds():
        raise unknown("schema", kind, kinds())
    print_json(bundled(kind))
    return 0


def rule(
    code: str = typer.Argument(None, help="A finding code, such as P004; `all` lists them."),
    *,
    tests: bool = typer.Option(
        False, "--tests", help="Print the tests that a rule of a jurisdiction may name."
    ),
) -> None:
    """Print the page of a finding code: what it means, why it matters, how to mend it."""
    from certify.pipeline.check import CODES

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
    from certify.checks.jurisdiction.judge import TESTS

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
