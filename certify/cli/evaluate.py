"""``certify evaluate``: exact returns of every paytable under a target."""

from typing import TYPE_CHECKING

import typer

from certify.cli.given import cents, meters
from certify.cli.output import FORMAT, Format, Progress, print_json, say, table_text, warn
from certify.model.cards import JokerRule
from certify.model.game import Strategy

if TYPE_CHECKING:
    from certify.model.analysis import Analysis


def evaluate(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    players: int = typer.Option(
        None, min=1, max=8, help="Bettors at the table; the game's own number if not given."
    ),
    wager: str = typer.Option(None, help="Amount wagered in dollars, such as 5 or 2.50."),
    limit: str = typer.Option(
        None, help="Most dollars paid at odds to one player for one wager in one round."
    ),
    meter: list[str] = typer.Option(None, help="LEVEL=AMOUNT in dollars, for each meter."),
    house_way: str = typer.Option(None, help="The dealer's house way; the game's own by default."),
    strategy: Strategy = typer.Option(None, help="How the player sets the hand."),
    joker: JokerRule = typer.Option(None, help="Where the source leaves the joker to the casino."),
    output: Format = FORMAT,
) -> int:
    """Print the exact return of every paytable under a target."""
    from certify.model.terms import Terms
    from certify.pipeline.figures.evaluate import Settings
    from certify.pipeline.figures.evaluate import evaluate as run
    from certify.pipeline.figures.limits import own_limits
    from certify.pipeline.sound import refuse_faulty, select_sound
    from certify.report.evidence import results_json

    selection = select_sound(target)
    settings = Settings(
        players=players,
        wager_cents=cents("--wager", wager) if wager else None,
        meters=meters(meter or []),
        house_way=house_way,
        strategy=strategy,
        joker=joker,
        terms=own_limits([wager for wager, _ in selection.records], cents("--limit", limit))
        if limit
        else Terms(),
        progress=Progress("Counting"),
    )
    for absent in selection.absent:
        if absent.absent is not None:
            warn(f"{absent.game}/{absent.id}: {absent.absent.text}")
    analyses = run(selection, settings)
    refuse_faulty(selection, analyses)
    if output is Format.JSON:
        print_json(results_json(analyses))
    else:
        say("\n\n".join(analysis_text(analysis) for analysis in analyses))
    return 0


def analysis_text(analysis: "Analysis") -> str:
    """Return an analysis as people read it: the table everybody knows, then the figures."""
    from certify.report.summary import rows_of, summary_of

    lines = [table_text(rows_of(analysis)), ""]
    figures = summary_of(analysis)
    width = max(len(name) for name, _ in figures)
    lines += [f"{name.ljust(width)}  {value}" for name, value in figures]
    if analysis.assumptions:
        lines += ["", "Assumptions"]
        lines += [
            f"  - {assumption.text} [{assumption.source.clause}]"
            for assumption in analysis.assumptions
        ]
    return "\n".join(lines)
