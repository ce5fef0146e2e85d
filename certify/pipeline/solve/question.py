"""What is asked for, held against the paytable that it is asked about."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from certify.engine.solve.openings import Amounts, Table
from certify.errors import NotConfigured
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.solution import By, Kind, Opening
from certify.pipeline.figures.evaluate import Settings, evaluate
from certify.pipeline.sound import select_sound
from certify.pipeline.targets import Selection, unknown

NOUNS = {Kind.ROW: "row", Kind.ENVY: "envy prize", Kind.METER: "meter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the user asks; shares of the wager for ``low`` and ``high``, money in cents.

    ``bounds`` are units of the wager for rows. ``jurisdiction`` and ``terms`` say by which rules
    solutions are judged, in force on ``as_of``.
    """

    target: str
    low: Fraction
    high: Fraction
    openings: tuple[Opening, ...]
    bounds: Mapping[Opening, tuple[int, int]] = field(default_factory=dict)
    by: By = By.DISTANCE
    limit: int = 20
    may_omit: bool = False
    step_cents: int = 100
    players: int | None = None
    meters: Mapping[str, int] = field(default_factory=dict)
    jurisdiction: str | None = None
    terms: Path | None = None
    as_of: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The table that is asked about, and how many bettors' hands count; None without prizes."""

    question: Question
    selection: Selection
    wager: Wager
    table: Table
    players: int | None

    def openings(self, kind: Kind) -> list[Opening]:
        """Return the unknowns of one kind."""
        return [opening for opening in self.question.openings if opening.kind is kind]

    def analysis(self, table: Table, amounts: Amounts) -> Analysis:
        """Return the figures of the table with other amounts, also on its meters."""
        opened = {pay.id: cents or 0 for pay, cents in amounts.items() if pay.kind is Kind.METER}
        meters = {**self.question.meters, **opened}
        envies = (table.envy,) if table.envy else ()
        wager = replace(self.wager, paytables=(table.paytable,), envies=envies)
        chosen = replace(self.selection, records=((wager, table.paytable),))
        (analysis,) = evaluate(chosen, Settings(players=self.players, meters=meters))
        return analysis

    def edge(self, analysis: Analysis) -> Fraction:
        """Return the house edge that the band is about.

        Raises:
            NotConfigured: a meter that is neither open nor given decides it.
        """
        edge = analysis.house_edge
        if edge is None:
            known = analysis.progressive.meters if analysis.progressive else ()
            level = next((meter.level for meter in known if meter.amount is None), "")
            raise NotConfigured(
                f"The house edge depends on meter {level}, which is neither open nor given.",
                remedy=f"Open it with --open meter:{level}, or give --meter {level}=AMOUNT.",
            )
        by_players = analysis.envy.house_edge_by_players if analysis.envy else {}
        return edge if self.players is None else by_players[self.players]


def subject_of(question: Question) -> Subject:
    """Return the table that a question is about.

    Raises:
        NotConfigured: it is not one bonus paytable, has no edge, or not what is to be left open.
    """
    selection = select_sound(question.target)
    tables = selection.tables
    if len(tables) != 1 or len(selection.records) != 1:
        named = ", ".join(table.target for _, table in tables)
        raise NotConfigured(
            f"{question.target} is not one bonus paytable, and pays are solved for one.",
            remedy=f"Name one: {named}." if named else "Name one, not a main wager.",
        )
    wager, paytable = tables[0]
    if paytable.dynamic is not None:
        raise NotConfigured(
            f"{paytable.target} draws its pays, and the chances of the draw are not declared: it "
            "has no house edge that could be brought into a band.",
            remedy="Solve a paytable without dynamic pays.",
        )
    table = Table(paytable=paytable, envy=wager.envy_of(paytable))
    _refuse_unknown(question, table)
    prizes = any(pay.kind is Kind.ENVY for pay in question.openings)
    if question.players is not None and table.envy is None:
        raise NotConfigured(
            f"{paytable.target} has no prizes for other players' hands.",
            remedy="Leave --players out.",
        )
    return Subject(
        question=question,
        selection=selection,
        wager=wager,
        table=table,
        players=question.players or (selection.game.players if prizes else None),
    )


def _refuse_unknown(question: Question, table: Table) -> None:
    """Refuse what the table does not have, and what is paid in another way."""
    levels = [meter.level for meter in table.paytable.meters]
    prizes = [row.event for row in table.envy.rows] if table.envy else []
    metered = {row.event: row.payout.meter for row in table.paytable.rows if row.payout.meter}
    known = {
        Kind.ROW: [row.event for row in table.paytable.rows],
        Kind.ENVY: prizes,
        Kind.METER: levels,
    }
    for pay in dict.fromkeys((*question.openings, *question.bounds)):
        if pay.id not in known[pay.kind]:
            raise unknown(NOUNS[pay.kind], pay.id, known[pay.kind])
        if pay.kind is Kind.ROW and pay.id in metered:
            raise NotConfigured(
                f"{pay} is paid from meter {metered[pay.id]}, not at odds.",
                remedy=f"Open the meter: --open meter:{metered[pay.id]}.",
            )
        if pay.kind is Kind.METER and pay.id in question.meters:
            raise NotConfigured(
                f"Meter {pay.id} is open and given.", remedy="Leave out one of the two."
            )
        if pay not in question.openings:
            raise NotConfigured(f"{pay} has bounds and is not open.", remedy=f"Add --open {pay}.")
