"""``certify crosscheck``: the same figures by a second derivation, and the difference."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.formats.render import REPORT_FORMAT
from certify.cli.formats.report import ReportFormat, report_of
from certify.cli.gate import print_result
from certify.cli.output import QUIET, Progress, table
from certify.model.encoding import PLACES, chosen, rounded, stated
from certify.model.game import Strategy

if TYPE_CHECKING:
    from certify.model.audit import Comparison, CrossCheck

Z_PLACES = 2
CHANCE_PLACES = 6


class Method(StrEnum):
    """How the second derivation is made."""

    EXHAUSTIVE = "exhaustive"
    EXACT = "exact"
    SIMULATION = "simulation"


def crosscheck(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    method: Method = typer.Option(
        None,
        help="exhaustive: every hand (two hands: of small decks); exact: every pair of hands, "
        "in minutes; simulation: dealt rounds. By default every hand, and of two hands the exact "
        "count that is kept.",
    ),
    keep: bool = typer.Option(
        False, "--keep", help="Keep exact counts of two hands beside the game, for its filings."
    ),
    rounds: int = typer.Option(1_000_000, min=1, help="Rounds of a simulation."),
    seed: int = typer.Option(20_260_101, min=0, help="Seed of a simulation."),
    house_way: str = typer.Option(None, help="The house way; the game's own by default."),
    strategy: Strategy = typer.Option(None, help="How the player sets the hand."),
    quiet: bool = QUIET,
    output: ReportFormat | None = REPORT_FORMAT,
) -> int:
    """Derive every figure of a target a second time, by independent code, and compare."""
    from certify.pipeline.crosscheck.crosscheck import Manner
    from certify.pipeline.crosscheck.crosscheck import crosscheck as run

    checks = run(
        target,
        Manner(
            method=str(method) if method else None,
            keep=keep,
            rounds=rounds,
            seed=seed,
            house_way=house_way,
            strategy=strategy,
            progress=Progress("Checking"),
        ),
    )
    print_result(
        report_of(checks.findings, checks.checked, quiet=quiet),
        output,
        as_text=lambda: "\n\n".join(map(check_text, checks.checks)),
        as_json=lambda: {"results": [check_json(check) for check in checks.checks]},
    )
    if checks.kept is not None:
        typer.echo(f"Kept in {checks.kept}.", err=True)
    return 0 if all(check.agrees for check in checks.checks) else 1


DECLARED = (
    "The project declares this second count; it was not made again. To make it: --method exact."
)


def check_text(check: "CrossCheck") -> str:
    """Return one check as people read it."""
    from certify.formatting import decimal, thousands

    simulated = check.seed is not None
    head = ["Outcome", "Counted", "Second derivation", "Difference"]
    head += ["Standard error", "z", "Chance"] if simulated else []
    rows = []
    for row in check.comparisons:
        cells = [row.event, *(decimal(value, PLACES) for value in _values(row))]
        if row.standard_error is not None and row.z is not None and row.chance is not None:
            cells += [decimal(row.standard_error, PLACES), decimal(row.z, Z_PLACES)]
            cells.append(decimal(row.chance, CHANCE_PLACES))
        rows.append([*cells, "agrees" if row.agrees else "DIFFERS"])
    size = f"{thousands(check.rounds)} {'rounds' if simulated else 'hands or pairs, all of them'}"
    seed = f", seed {check.seed}" if simulated else ""
    verdict = "agrees" if all(row.agrees for row in check.comparisons) else "DIFFERS"
    return "\n".join(
        [
            f"{check.target} on {check.deck}" if check.deck else check.target,
            f"{check.method}: {size}{seed}: {verdict}",
            *([DECLARED] if check.declared else []),
            "",
            table([*head, "Verdict"], rows),
        ]
    )


def check_json(check: "CrossCheck") -> dict[str, Any]:
    """Return one check as JSON: shares exact and rounded."""
    from certify.formatting import ROUNDING

    played = chosen(check, "house_way", "strategy") if check.strategy else {}
    kept = chosen(check, "counted", "digest", "declared") if check.counted else {}
    return {
        **chosen(check, "target", "method", "rounds", "agrees"),
        "rounding": ROUNDING,
        "comparisons": [_comparison_json(comparison) for comparison in check.comparisons],
        **stated({"deck": check.deck, "seed": check.seed}),
        **played,
        **kept,
    }


def _comparison_json(row: "Comparison") -> dict[str, Any]:
    from certify.formatting import json_decimal

    exact, other, difference = _values(row)
    value = {"event": row.event, **rounded("exact", exact), **rounded("other", other)}
    value |= rounded("difference", difference)
    if row.standard_error is not None and row.z is not None:
        value["standard_error_decimal"] = json_decimal(row.standard_error, PLACES)
        value["z_decimal"] = json_decimal(row.z, Z_PLACES)
    return value | {"agrees": row.agrees}


def _values(row: "Comparison") -> tuple[Any, Any, Any]:
    return row.exact, row.other, row.other - row.exact
