"""``certify monitor``: a floor's results against the exact distribution of its wagers."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from certify.cli.amounts import meters
from certify.cli.given import read_bytes
from certify.cli.output import FORMAT, QUIET, Format, Progress, print_json, table, warn

if TYPE_CHECKING:
    from certify.model.monitor import Monitored, Monitoring


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("monitor")(monitor)


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
    from certify import library
    from certify.pipeline.monitor import monitor as run
    from certify.report.monitoring import everything, outside
    from certify.report.monitoring import picture as drawn

    found = run(
        read_bytes(results),
        results.name,
        target=target,
        meters=meters(meter or []),
        progress=Progress("Counting"),
    )
    if output is Format.JSON:
        print_json(monitoring_json(found))
    elif not quiet:
        typer.echo(monitoring_text(found))
    else:
        for line in outside_lines(found):
            typer.echo(line)
    if picture is not None:
        svg = drawn(found, templates=library.templates())
        library.write_atomically(picture, svg.encode())
        warn(f"Written: {picture}")
    return int(any(outside(one) > 95 for one in everything(found)))  # noqa: PLR2004 - the 99% band


def monitoring_text(found: "Monitoring") -> str:
    """Return the results as people read them."""
    from certify.report.monitoring import HEADER, label, notes, rows_of

    lines = [f"{number}  {label(one)}" for number, one in enumerate(found.lines, 1)]
    lines += ["", table(HEADER, rows_of(found)), ""]
    return "\n".join([*lines, *outside_lines(found), *notes(found)])


def outside_lines(found: "Monitoring") -> list[str]:
    """Return a line for each wager whose result lies outside a band."""
    from certify.report.monitoring import everything, label, outside

    return [
        f"{label(one)}: outside the {level}% band."
        for one in everything(found)
        if (level := outside(one))
    ]


def monitoring_json(found: "Monitoring") -> dict[str, Any]:
    """Return the results for scripts."""
    from certify.formatting import ROUNDING
    from certify.report.monitoring import notes

    return {
        "rounding": ROUNDING,
        "lines": [_json(one) for one in found.lines],
        **({"total": _json(found.total)} if found.total else {}),
        "assumptions": notes(found),
    }


def _json(one: "Monitored") -> dict[str, Any]:
    from certify.formatting import json_decimal
    from certify.model.encoding import rounded, stated
    from certify.model.monitor import LEVELS
    from certify.report.monitoring import at_most, band, chance, outside, z

    return stated({"target": one.target, "name": one.name}) | {
        "rounds": one.rounds,
        **rounded("wagered_cents", one.wagered),
        **rounded("won_cents", one.won),
        **rounded("expected_cents", one.expected),
        **rounded("variance_square_cents", one.variance),
        "bands_cents": {
            str(level): [json_decimal(end, 2) for end in band(one, level)] for level in LEVELS
        },
        "z": z(one).replace("−", "-"),
        "chance_as_far_off": json_decimal(chance(one), 10),
        "chance_at_most": json_decimal(at_most(one), 10),
        "method": str(one.method),
        **({"outside_band": outside(one)} if outside(one) else {}),
    }
