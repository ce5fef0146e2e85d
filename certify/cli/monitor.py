"""``certify monitor``: a floor's results against the exact distribution of its wagers."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.given import meters, read_bytes
from certify.cli.output import FORMAT, QUIET, Format, Progress, print_json, table_text, warn

if TYPE_CHECKING:
    from certify.model.monitor import Monitored, Monitoring


def monitor(
    results: Path = typer.Argument(
        help="CSV with rounds, wagered, and paid, won or hold; amounts are dollars."
    ),
    target: str = typer.Option(None, help="The target of every line; else the column target."),
    meter: list[str] = typer.Option(None, help="LEVEL=AMOUNT in dollars, as it was on average."),
    picture: Path = typer.Option(None, help="Write bands and results as SVG to this file."),
    *,
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Say how far a floor's results are from what each wager's exact distribution gives.

    The exit code is 1 where a line or the total lies outside its 99% band.
    """
    from certify import storage
    from certify.pipeline.monitor import monitor as run
    from certify.report.monitoring import everything, outside
    from certify.report.monitoring import picture as drawn

    monitoring = run(
        read_bytes(results),
        results.name,
        target=target,
        meters=meters(meter or []),
        progress=Progress("Counting"),
    )
    if output is Format.JSON:
        print_json(monitoring_json(monitoring))
    elif not quiet:
        typer.echo(monitoring_text(monitoring))
    else:
        for line in outside_lines(monitoring):
            typer.echo(line)
    if picture is not None:
        storage.write_atomically(picture, drawn(monitoring).encode())
        warn(f"Written: {picture}")
    return int(any(outside(line) > 95 for line in everything(monitoring)))  # noqa: PLR2004 - the 99% band


def monitoring_text(monitoring: "Monitoring") -> str:
    """Return the results as people read them."""
    from certify.report.monitoring import label, notes, rows_of

    lines = [f"{number}  {label(line)}" for number, line in enumerate(monitoring.lines, 1)]
    lines += ["", table_text(rows_of(monitoring)), ""]
    return "\n".join([*lines, *outside_lines(monitoring), *notes(monitoring)])


def outside_lines(monitoring: "Monitoring") -> list[str]:
    """Return a line for each wager whose result lies outside a band."""
    from certify.report.monitoring import everything, label, outside

    return [
        f"{label(line)}: outside the {level}% band."
        for line in everything(monitoring)
        if (level := outside(line))
    ]


def monitoring_json(monitoring: "Monitoring") -> dict[str, Any]:
    """Return the results for scripts."""
    from certify.formatting import ROUNDING
    from certify.report.monitoring import notes

    return {
        "rounding": ROUNDING,
        "lines": [_json(line) for line in monitoring.lines],
        **({"total": _json(monitoring.total)} if monitoring.total else {}),
        "assumptions": notes(monitoring),
    }


def _json(line: "Monitored") -> dict[str, Any]:
    from certify.formatting import json_decimal
    from certify.model.encoding import rounded, stated
    from certify.model.monitor import LEVELS
    from certify.report.monitoring import at_most, band, chance, outside, z

    strategy, house_way = line.play or ("", "")
    named = {"target": line.target, "name": line.name}
    return stated({**named, "strategy": str(strategy), "house_way": house_way}) | {
        "rounds": line.rounds,
        **rounded("wagered_cents", line.wagered),
        **rounded("won_cents", line.won),
        **rounded("expected_cents", line.expected),
        **rounded("variance_square_cents", line.variance),
        "bands_cents": {
            str(level): [json_decimal(end, 2) for end in band(line, level)] for level in LEVELS
        },
        "z": z(line).replace("−", "-"),
        "chance_as_far_off": json_decimal(chance(line), 10),
        "chance_at_most": json_decimal(at_most(line), 10),
        "method": str(line.method),
        **({"outside_band": outside(line)} if outside(line) else {}),
    }
