"""``certify diff``: two paytables, games, house ways or submissions by meaning."""

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import typer

from certify.cli.formats.render import REPORT_FORMAT
from certify.cli.formats.report import ReportFormat, report_of
from certify.cli.gate import print_result
from certify.cli.given import day
from certify.cli.output import QUIET, Progress, section_text
from certify.report.tables import Section


def diff(
    before: str = typer.Argument(help="A target, a house way, a JSON file, a folder or a PDF."),
    after: str = typer.Argument(help="The same kind of thing."),
    game: str = typer.Option(None, help="For house ways: count this game's main wagers with both."),
    as_of: str = typer.Option(None, help="Rules in force on this day; today if not given."),
    pdf: Path = typer.Option(None, help="Write the redline to this file, fit to be attached."),
    output: ReportFormat | None = REPORT_FORMAT,
    *,
    quiet: bool = QUIET,
    main: bool = typer.Option(False, "--main", help="Count the main wagers too: minutes."),
) -> int:
    """Print what differs by meaning, in exact figures, and what filing the change needs."""
    from certify import __version__, storage
    from certify.pipeline.redline.diff import DiffRequest
    from certify.pipeline.redline.diff import diff as run
    from certify.report.diff_view import diff_view, difference_json

    when = day("--as-of", as_of)
    progress = Progress("Counting")
    request = DiffRequest(
        before=before, after=after, game=game, main=main, as_of=when, progress=progress
    )
    difference = run(request)
    twin = json.dumps(difference_json(difference), indent=1, ensure_ascii=False).encode()
    digest = hashlib.sha256(twin).hexdigest()
    view = diff_view(difference, as_of=when, engine_version=__version__, digest=digest)
    if pdf is not None:
        storage.write_atomically(pdf, _page(view, twin, when))
    print_result(
        report_of(difference.findings, difference.checked, quiet=quiet),
        output,
        as_text=lambda: diff_text(view),
        as_json=lambda: difference_json(difference),
    )
    return 0


def _page(view: dict[str, Any], twin: bytes, when: dt.date) -> bytes:
    """Return the redline as PDF, with its machine-readable twin attached."""
    from certify import library
    from certify.intake.templates import own_templates
    from certify.printing.print_pdf import Attachment, print_pdf
    from certify.report.compose import compose

    attachment = Attachment(
        name="redline.json",
        data=twin,
        relationship="Data",
        description="Every exact figure of this redline",
        media_type="application/json",
    )
    return print_pdf(
        compose("diff.html.j2", view, own=own_templates(library.layers())),
        title=view["title"],
        language="en-US",
        document_id=view["report_id"],
        date=when,
        attachments=(attachment,),
        templates=library.templates(),
    )


def diff_text(view: dict[str, Any]) -> str:
    """Return the redline for people."""
    way = view["house_way"]
    sections = [
        Section(title=record["title"], parts=(record["rows"], record["facts"], record["figures"]))
        for record in view["records"]
    ]
    if way is not None:
        sections.append(
            Section(title="", answer=way["summary"], parts=(way["settings"], way["figures"]))
        )
    texts = [view["title"], *map(section_text, sections)]
    if not sections:
        texts.append("Nothing differs.")
    elif view["unchanged"] and view["records"]:
        texts.append(f"Unchanged: {', '.join(view['unchanged'])}")
    rules = f"Rules known to be in force on {view['as_of']}"
    texts.append(section_text(Section(title=rules, parts=(view["filings"],))))
    texts.append("\n".join(f"{name}: {detail}" for name, detail in view["details"]))
    return "\n\n".join(texts)
