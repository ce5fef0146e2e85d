"""``certify reproduce``: recompute every figure in a submitted PDF from the PDF alone."""

from pathlib import Path

import typer

from certify.cli.given import read_bytes, trusted_roots
from certify.cli.output import FORMAT, QUIET, Format, Progress, print_json
from certify.model.encoding import chosen


def reproduce(
    file: Path = typer.Argument(help="A signed PDF of a submission."),
    signer: str = typer.Option(None, help="Who must have signed: name or SHA-256 fingerprint."),
    trust: list[Path] = typer.Option(None, help="PEM file of a trusted root; only these count."),
    *,
    figures_only: bool = typer.Option(
        False, "--figures-only", help="Leave signature and pages aside; trust nobody."
    ),
    recount: bool = typer.Option(
        False, "--recount", help="Make the verification counts again, too; this takes minutes."
    ),
    quiet: bool = QUIET,
    output: Format = FORMAT,
) -> int:
    """Recompute every figure in a submitted PDF from the evidence embedded in it."""
    from certify.pipeline.submit.reproduce import reproduce as run

    trusted = trusted_roots(trust)
    result = run(
        read_bytes(file),
        trust=trusted,
        signer=signer,
        figures_only=figures_only,
        second_counts=recount,
        progress=Progress("Counting"),
    )
    if output is Format.JSON:
        print_json(
            {
                "verdict": result.verdict,
                "checks": [
                    chosen(step, "id", "passed", "required", "detail") for step in result.steps
                ],
                "signer": result.signer,
                "figures_only": figures_only,
            }
        )
    elif not (quiet and result.agreed):
        typer.echo(f"{file}: {result.verdict}")
        for step in result.steps:
            if quiet and (step.passed or not step.required):
                continue
            mark = "agrees " if step.passed else "DIFFERS" if step.required else "ignored"
            typer.echo(f"  {mark}  {step.detail}")
    return 0 if result.agreed else 1
