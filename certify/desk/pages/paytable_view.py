"""What the page of a paytable shows: its rows as they are edited, their figures, a hand of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from certify.errors import CertifyError
from certify.model.analysis import Analysis
from certify.model.document import Document
from certify.model.finding import Unfit, worst_first
from certify.model.game import Wager
from certify.model.paytable import Paytable
from certify.pipeline.declare import editing
from certify.pipeline.declare.rewriting import ROWS, TEXTS, arrangement, changed
from certify.pipeline.row_examples import row_examples
from certify.pipeline.targets import Selection
from certify.report.summary import rows_of, summary_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A paytable that an address names, its file, and everything that it rests on."""

    known: Selection
    wager: Wager
    table: Paytable

    @property
    def document(self) -> Document:
        """Its file."""
        return self.known.catalogue.documents[self.table.target]

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"/games/{self.table.target}"

    @property
    def draft(self) -> dict[str, str]:
        """What was typed and not saved, if it was typed into the file as it stands."""
        return editing.typed(self.table.target, self.document)


def examples_of(here: Opened) -> Iterator[dict[str, Any]]:
    """Yield a hand for each row, one that it pays."""
    joker = here.known.game.hands.deck.joker > 0
    shown = row_examples(here.known, here.table)
    for row, example in zip(here.table.rows, shown, strict=True):
        yield {
            "name": row.name,
            "means": example.event.words(joker=joker),
            "clause": str(example.event.source),
            "player": example.player,
            "dealer": example.dealer,
        }


def figures_of(here: Opened, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the figures of what is typed, or why there are none."""
    view: dict[str, Any] = {"error": None, "findings": (), "summary": [], "counted": []}
    try:
        analysis = editing.evaluated(here.known, changed(here.document, values))
    except Unfit as error:
        return {**view, "error": error, "findings": worst_first(error.findings)}
    except CertifyError as error:
        return {**view, "error": error}
    return {**view, "summary": summary_of(analysis), "counted": _counted(analysis)}


def _counted(analysis: Analysis) -> list[dict[str, str]]:
    """Return the counted columns of each row; those of the losing hands and the total follow."""
    names = ("name", "pays", "combinations", "probability", "rounds", "returned")
    rows = rows_of(analysis).rows[: len(analysis.rows) - 1]
    return [dict(zip(names, row, strict=True)) for row in rows]


def rows_edited(
    here: Opened, values: Mapping[str, str], counted: Sequence[Any]
) -> Iterator[dict[str, Any]]:
    """Yield the rows as they are edited, each with its texts.

    ``counted`` are their figures, empty where they cannot be counted.
    """
    events, declared = here.known.catalogue.events, here.document.value["rows"]
    for place, row in enumerate(arrangement(here.document, values)):
        stated = declared[int(row)] if row.isdecimal() else dict.fromkeys(TEXTS, "")
        texts = {name: values.get(f"{ROWS}/{row}/{name}", str(stated[name])) for name in TEXTS}
        event = events.get(texts["event"])
        yield {
            "row": row,
            **texts,
            "means": event.text if event else "",
            "clause": str(event.source.clause) if event and event.source else "",
            "new": not row.isdecimal(),
            "counted": counted[place] if counted else None,
        }
