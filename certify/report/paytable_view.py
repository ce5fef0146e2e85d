"""What the rules of play print of a bonus wager: its rules, its hands, its tables, its prizes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from certify.formatting import listed
from certify.model.analysis import Analysis
from certify.model.game import Wager
from certify.model.paytable import Award, EnvyTable, HandOf, HandsOf, Paytable
from certify.model.submission import Submission
from certify.report.example_view import examples
from certify.report.figures_view import without_envy
from certify.report.limit_view import edge_with_limit
from certify.report.matrix_view import (
    TableNote,
    clauses_of,
    dynamic_table,
    envy_matrices,
    house_edge,
    limited_figure,
    merged,
    meter_table,
    notes_of,
    paytable_matrices,
)
from certify.report.tables import Table, table
from certify.report.wording import PLAYERS_TEXT, all_printed, as_written, basis_line, label, pays

HAND_TEXT = {
    HandOf.PLAYER: "The player's own cards decide, however the hand was set.",
    HandOf.DEALER: "The dealer's cards decide, however the hand was set.",
    HandOf.PLAYER_OR_DEALER: "The player's own cards decide, unless the player chose the dealer's "
    "cards in advance.",
    HandOf.BOTH: "The player's and the dealer's cards decide together, however they were set.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Appendix:
    """The matrices of one wager, with the notes that belong to them."""

    anchor: str
    title: str
    clause: str
    pays: tuple[Table, ...]
    notes: tuple[TableNote, ...]
    dynamic: tuple[Table, ...]
    envy: tuple[Table, ...]
    envy_notes: tuple[TableNote, ...]


def filed_paytables(wager: Wager, submission: Submission) -> tuple[Paytable, ...]:
    """Return the filed paytables of one wager, in declared order."""
    return tuple(one for one in submission.paytables if one.wager == wager.id)


def filed_envies(wager: Wager, filed: Sequence[Paytable]) -> tuple[EnvyTable, ...]:
    """Return the envy tables that go with the filed paytables of one wager."""
    used = {one.envy for one in filed}
    return tuple(one for one in wager.envies if one.id in used)


def wager_view(wager: Wager, submission: Submission) -> dict[str, Any]:
    """Return what one bonus wager's section prints."""
    filed = filed_paytables(wager, submission)
    envies = filed_envies(wager, filed)
    return {
        "name": wager.name,
        "aliases": listed(wager.aliases),
        "clause": clauses_of([wager.source]),
        "rules": all_printed(submission.printed(wager.rules), prefix=f"{wager.id}."),
        "absent": wager.absent.text if wager.absent else "",
        "hand": HAND_TEXT[wager.hand],
        "award": _award(filed),
        "basis": basis_line(filed),
        "hands": _hands(filed, submission),
        "tables": _tables(filed, envies, submission),
        "edge": _edge_line(filed, submission),
        "envy": _envy(envies),
        "prizes": as_written(listed(dict.fromkeys(one.called for one in envies))),
        "meters": meter_table(filed),
        "draw": _draw(filed),
        "examples": examples(submission, wager),
    }


def appendix(wager: Wager, submission: Submission, anchor: str, title: str) -> Appendix:
    """Return the paytable matrices of one wager and everything that belongs under them."""
    filed = filed_paytables(wager, submission)
    envies = filed_envies(wager, filed)
    return Appendix(
        anchor=anchor,
        title=title,
        clause=clauses_of([one.source for one in filed]),
        pays=tuple(paytable_matrices(wager, filed, submission)),
        notes=notes_of(filed),
        dynamic=tuple(one for one in map(dynamic_table, filed) if one is not None),
        envy=tuple(envy_matrices(wager, filed, submission)),
        envy_notes=notes_of(envies),
    )


def _award(filed: Iterable[Paytable]) -> str:
    if {one.award for one in filed} == {Award.HIGHEST_RANKING_HAND}:
        return (
            "One pay for each wager: the row of the highest ranking hand, even where a lower "
            "ranking hand would pay more."
        )
    return "One pay for each wager: the first row, from the top, that the cards contain."


def _hands(filed: Sequence[Paytable], submission: Submission) -> Table:
    """Return every hand that some table pays and what it is; with its pay if there is one table."""
    caption = "The hands that are paid"
    joker = submission.game.hands.deck.joker
    if len(filed) == 1:
        return table(
            caption,
            "Hand @34 | What it is | #Pays @16",
            [
                (one.name, submission.events[one.event].words(joker=joker), pays(one.payout))
                for one in filed[0].rows
            ],
        )
    names: dict[str, str] = {}
    for row in (row for one in filed for row in one.rows):
        names.setdefault(row.event, row.name)
    order = merged([[row.event for row in one.rows] for one in filed])
    return table(
        caption,
        "Hand @34 | What it is",
        [(names[event], submission.events[event].words(joker=joker)) for event in order],
    )


def _edge_line(filed: Sequence[Paytable], submission: Submission) -> str:
    """Return the house edge of the only paytable, or why there is no single one."""
    if any(one.progressive is not None for one in filed):
        drawn = (
            " Dynamic pays that are drawn return more in their round; how they are drawn is not "
            "stated, so no single figure is given."
        )
        return (
            "The house edge depends on the meters. Under each paytable stands what the fixed pays "
            "return and what each $1,000 on a meter adds; the house edge is what is left to 100%."
        ) + (drawn if any(one.dynamic is not None for one in filed) else "")
    if len(filed) == 1:
        analysis = submission.analyses.get(filed[0].target)
        return f"House edge: {house_edge(analysis)}{edge_with_limit(analysis)}."
    return ""


def _tables(
    filed: Sequence[Paytable], envies: Sequence[EnvyTable], submission: Submission
) -> Table | None:
    """Return the paytables that are filed, each with its envy table and its house edge."""
    if not envies and (len(filed) == 1 or any(one.progressive for one in filed)):
        return None
    analyses = {one.id: submission.analyses.get(one.target) for one in filed}
    limited = any(one is not None and one.limit and one.limit.amounts for one in analyses.values())
    columns = ["Paytable @24" if limited else "Paytable @34" if envies else "Paytable"]
    if envies:
        columns += [f"{as_written(envies[0].called)} table @{16 if limited else 33}"]
    columns += [f"#House edge{without_envy(analyses.values())}"]
    columns += ["#With the payout limit"] if limited else []
    return table(
        "Paytables filed",
        " | ".join(columns),
        [
            (
                label(one.id),
                *([one.envy or "none"] if envies else []),
                house_edge(analyses[one.id]),
                *([_with_limit(analyses[one.id])] if limited else []),
            )
            for one in filed
        ],
    )


def _with_limit(analysis: Analysis | None) -> str:
    """Return what a payout limit makes of an edge, at the greatest wager."""
    amounts = analysis.limit.amounts if analysis is not None and analysis.limit else ()
    more = ", more above" if analysis is not None and analysis.limit and analysis.limit.open else ""
    return f"{limited_figure(analysis, amounts[-1] if amounts else None)}{more if amounts else ''}"


def _envy(envies: Sequence[EnvyTable]) -> tuple[str, ...]:
    """Return who is paid and who is not, once for tables that say the same."""
    having: dict[tuple[HandsOf, bool, bool], list[str]] = {}
    for one in envies:
        terms = one.hands_of, one.pays_on_own_hand, one.pays_on_dealer_hand
        having.setdefault(terms, []).append(one.id)
    lines = []
    for (hands_of, own, dealer), ids in having.items():
        tables = f" (table {listed(ids)})" if len(having) > 1 else ""
        lines.append(
            f"A prize is paid for the hand of every other player {PLAYERS_TEXT[hands_of]}. It is "
            f"{'paid' if own else 'not paid'} on the bettor's own hand and "
            f"{'paid' if dealer else 'not paid'} on the dealer's hand{tables}."
        )
    return tuple(lines)


def _draw(filed: Iterable[Paytable]) -> tuple[str, ...]:
    """Return how many rows a dynamic draw takes, once for tables that say the same."""
    counts = dict.fromkeys(
        (one.dynamic.minimum_rows, one.dynamic.maximum_rows)
        for one in filed
        if one.dynamic is not None
    )
    return tuple(
        f"Each round, {least} to {most} of the hands with dynamic pays are drawn. A drawn hand is "
        "paid one of its dynamic pays in that round; after it every pay is the default again."
        for least, most in counts
    )
