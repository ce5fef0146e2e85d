"""``certify crosscheck``: the same figures by a second derivation, and the difference."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.formats.render import REPORT_FORMAT
from certify.cli.formats.report import ReportFormat, report_of
from certify.cli.gate import print_result
from certify.cli.output import QUIET, Progress, table_text
from certify.model.encoding import PLACES, chosen, rounded
from certify.model.game import Strategy
from certify.report.tables import table

if TYPE_CHECKING:
    from certify.model.audit import Comparison, CrossCheck


class Method(StrEnum):
    """How the recount is made; there is one way, and the others are accepted for old scripts."""

    EXACT = "exact"
    EXHAUSTIVE = "exhaustive"
    SIMULATION = "simulation"


RETIRED = "Every hand or pair of hands is recounted: --method exhaustive or simulation means exact."


def crosscheck(
    target: str = typer.Argument(help="GAME, GAME/WAGER, GAME/WAGER/PAYTABLE, or a JSON file."),
    method: Method | None = typer.Option(
        None,
        help="exact: recount two hands, in minutes, also where a count is kept. exhaustive and "
        "simulation are retired and mean the same.",
    ),
    keep: bool = typer.Option(
        False, "--keep", help="Keep counts of two hands with the game, for its submissions."
    ),
    rounds: int | None = typer.Option(None, min=1, help="Retired; has no effect."),
    seed: int | None = typer.Option(None, min=0, help="Retired; has no effect."),
    house_way: str = typer.Option(None, help="The house way; the game's own by default."),
    strategy: Strategy = typer.Option(None, help="How the player sets the hand."),
    quiet: bool = QUIET,
    output: ReportFormat | None = REPORT_FORMAT,
) -> int:
    """Recount every figure of a target by independent code, and compare."""
    from certify.pipeline.crosscheck.crosscheck import Manner
    from certify.pipeline.crosscheck.crosscheck import crosscheck as run

    if method not in {None, Method.EXACT} or rounds is not None or seed is not None:
        typer.echo(RETIRED, err=True)
    checks = run(
        target,
        Manner(
            again=method is not None,
            keep=keep,
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

    head = "Outcome | #Counted | #Second derivation | #Difference"
    rows = []
    for row in check.comparisons:
        cells = [row.event, *(decimal(value, PLACES) for value in _values(row))]
        rows.append([*cells, "agrees" if row.agrees else "DIFFERS"])
    verdict = "agrees" if all(row.agrees for row in check.comparisons) else "DIFFERS"
    return "\n".join(
        [
            check.target,
            f"{check.method}: {thousands(check.rounds)} hands or pairs, all of them: {verdict}",
            *([DECLARED] if check.declared else []),
            "",
            table_text(table("", f"{head} | #Verdict", rows)),
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
        **played,
        **kept,
    }


def _comparison_json(row: "Comparison") -> dict[str, Any]:
    exact, other, difference = _values(row)
    value = {"event": row.event, **rounded("exact", exact), **rounded("other", other)}
    value |= rounded("difference", difference)
    return value | {"agrees": row.agrees}


def _values(row: "Comparison") -> tuple[Any, Any, Any]:
    return row.exact, row.other, row.other - row.exact
