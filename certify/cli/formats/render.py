"""A report in the format that was asked for."""

from importlib import import_module

import typer

from certify.cli.formats.report import Report, ReportFormat
from certify.cli.output import in_color, warn

VARIABLE = "CERTIFY_FORMAT"

REPORT_FORMAT = typer.Option(
    None,
    "--format",
    envvar=VARIABLE,
    help="text for people, json for scripts, the others for what gates a merge; text, or what "
    "the project sets, if not given.",
)


def render(report: Report, output: ReportFormat) -> str:
    """Return a report as text of a format; each module is loaded when it is asked for."""
    text: str = import_module(f"certify.cli.formats.as_{output}").render(report)
    return text


def print_report(report: Report, output: ReportFormat) -> int:
    """Print a report to standard output; return the exit code."""
    text = render(report, output)
    if text:
        typer.echo(text, color=in_color())
    if output is ReportFormat.GITLAB:
        for remark in report.remarks:
            warn(remark)  # its format has no place for it
    return report.exit_code
