"""The test of codified paytables: every filed paytable is one that the text prints."""

from collections.abc import Iterator
from dataclasses import replace

from certify.checks.fault import Fault, Location
from certify.checks.jurisdiction.rule_test import WEAK, judges
from certify.checks.jurisdiction.verdict import (
    RuleVerdict,
    broken,
    by_people,
    not_applicable,
    satisfied,
)
from certify.formatting import listed
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.jurisdiction import CodifiedPaytable, RuleVersion
from certify.model.payout import Basis, Payout
from certify.model.paytable import Award, HandOf, Paytable, Row

R023 = Code(
    "R023",
    "A paytable is none of those that the code has",
    why=f"""A state may print the paytables that it allows. A filed one is compared by its meaning:
    the hand, the number of cards, and what each event pays. Where a hand is paid for the first row
    that it contains, rows that pay differently stand in the order of the code. {WEAK}""",
    mend="Pay what the nearest paytable of the code pays, or have the paytable allowed first.",
    wrong='{"event": "full_house", "pays": "6 to 1"} where the code has 5 to 1',
    right='{"event": "full_house", "pays": "5 to 1"}',
)


@judges(section="Bonus wagers", finds=R023)
def allowed_paytables(filed: Filing, version: RuleVersion) -> RuleVerdict:
    """Every filed paytable of a bonus wager is one that the text prints: the same events and pays.
    A person compares where the text's paytables are not declared.
    """
    if not filed.paytables:
        return not_applicable("No paytable of a bonus wager is filed.")
    number = len(filed.paytables)
    if not version.paytables:
        return by_people(
            f"The paytables that the code allows are not declared here. A person compares the "
            f"{number} that {'are' if number > 1 else 'is'} filed with {version.citation}."
        )
    compared = [(table, _equal(table, version.paytables)) for table in filed.paytables]
    faults = [_fault(table, version.paytables) for table, code in compared if code is None]
    if faults:
        message = f"Not among the paytables of the code: {len(faults)} of the {number} filed"
        nearest = f": {faults[0].message}" if len(faults) == 1 else "."
        return replace(broken(faults), detail=f"{message}{nearest}")
    pairs = (f"{table.id} is {code.clause}" for table, code in compared if code is not None)
    return satisfied(f"Every paytable is one of the code: {listed(pairs)}.")


def _equal(table: Paytable, codified: tuple[CodifiedPaytable, ...]) -> CodifiedPaytable | None:
    """Return the paytable of the code that pays the same for the same events."""
    return next((code for code in _alike(table, codified) if not any(_differ(table, code))), None)


def _alike(table: Paytable, codified: tuple[CodifiedPaytable, ...]) -> list[CodifiedPaytable]:
    """Return the paytables of the code that look at the same cards."""
    return [code for code in codified if (code.hand, code.cards) == (table.hand, table.cards)]


def _differ(table: Paytable, code: CodifiedPaytable) -> Iterator[str]:
    """Yield each row in which a paytable and one of the code differ, in words."""
    allowed = {row.event: row for row in code.rows}
    for row in table.rows:
        printed = allowed.pop(row.event, None)
        if printed is None:
            yield f"{row.name} is not in it"
        elif row.dynamic:
            yield f"{row.name} has dynamic pays, and the code has one pay"
        elif _meaning(row.payout) != _meaning(printed.payout):
            yield f"{row.name} pays {row.payout}, and the code {printed.payout}"
    for row in allowed.values():
        yield f"{row.name} at {row.payout} is missing"
    if table.award is Award.FIRST_ROW_CONTAINED:
        yield from _turned(table, code)


def _turned(table: Paytable, code: CodifiedPaytable) -> Iterator[str]:
    """Yield rows that stand above one that pays otherwise, and in the code below it.

    A hand of both is paid otherwise then. That no hand is of both is not known here.
    """
    places = {row.event: place for place, row in enumerate(code.rows)}
    shared = [row for row in table.rows if row.event in places]
    for place, row in enumerate(shared):
        for other in shared[place + 1 :]:
            turned = places[row.event] > places[other.event]
            if turned and _meaning(row.payout) != _meaning(other.payout):
                yield f"{row.name} stands above {other.name}, and below it in the code"
                break


def _meaning(pays: Payout) -> object:
    """Return what a pay is worth, however it is stated; a share of a meter is one of that meter."""
    return pays if pays.basis is Basis.METER else pays.net


def _fault(table: Paytable, codified: tuple[CodifiedPaytable, ...]) -> Fault:
    """Return what is wrong with a paytable, at the first row that differs from the nearest."""
    alike = _alike(table, codified)
    file = Location(table.target)
    if not alike:
        cards = f"{table.cards} card{'s' if table.cards > 1 else ''}"
        hand = {HandOf.PLAYER_OR_DEALER: "the player's or the dealer's hand"}.get(
            table.hand,
            f"the {table.hand}'s hand" if table.hand is not HandOf.BOTH else "both hands",
        )
        message = f"{table.target} pays for {cards} of {hand}; the code has no such paytable."
        return file.fault("/hand", message)
    nearest = min(alike, key=lambda code: len(list(_differ(table, code))))
    rows = "; ".join(_differ(table, nearest))
    return file.fault(
        f"/rows{_first(table.rows, nearest)}",
        f"{table.target} is none of the {len(codified)} paytables of the code. "
        f"{nearest.clause} is the nearest: {rows}.",
    )


def _first(rows: tuple[Row, ...], code: CodifiedPaytable) -> str:
    """Return the pointer of the first row that the code does not have so; of none, nothing."""
    allowed = {row.event: _meaning(row.payout) for row in code.rows}
    return next(
        (
            f"/{index}"
            for index, row in enumerate(rows)
            if row.dynamic or allowed.get(row.event, row) != _meaning(row.payout)
        ),
        "",
    )
