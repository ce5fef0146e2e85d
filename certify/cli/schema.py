"""``certify schema KIND``: a schema as one file, for editors."""

import typer

from certify.cli.output import print_json


def schema(
    kind: str | None = typer.Argument(
        None, help="A kind of file, such as paytable; all are listed."
    ),
) -> int:
    """Print the JSON schema of a kind of file, whole in one file, or the kinds that there are."""
    from certify.intake.schemas.bundle import bundled
    from certify.intake.schemas.schema import kinds
    from certify.pipeline.targets import unknown

    if kind is None:
        for name in kinds():
            typer.echo(name)
        return 0
    if kind not in kinds():
        raise unknown("schema", kind, kinds())
    print_json(bundled(kind))
    return 0
