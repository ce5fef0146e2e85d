"""Rule tests of wagers, games, players, paytables and disclosed odds."""

from collections.abc import Iterator

from msgspec.structs import replace

from certify.checks.framework import Fault, Location
from certify.checks.r_jurisdictions.payout_limits import place_of_largest
from certify.checks.r_jurisdictions.rule_test import (
    WEAK,
    Judging,
    Parameter,
    ParameterUnit,
    RuleVerdict,
    faults_verdict,
    not_applicable,
    parameter,
    review_verdict,
    rule_test,
    satisfied_verdict,
    unverified_verdict,
)
from certify.formatting import exact_percentage, join_words, money
from certify.model.finding import Code
from certify.model.jurisdiction import TERMS, CodifiedPaytable, Requires, RuleVersion
from certify.model.main_wager import MainWager
from certify.model.paytable import Award, Basis, FeeBand, HandOf, Payout, Paytable, Row
from certify.model.submission import Filing


@rule_test(
    Parameter("largest_wager_cents", ParameterUnit.CENTS, "the largest single wager"),
    section="Wagers on one hand",
    code=Code(
        "R001",
        "A wager is above the allowed maximum",
        why="A jurisdiction may limit a single wager. The limit in force on the date of the "
        f"filing applies. {WEAK}",
        fix="Lower the maximum wager, or file for a date on which the higher limit is in force.",
        wrong='{"maximum_cents": 40001} if $400 is allowed',
        right='{"maximum_cents": 40000}',
    ),
)
def largest_wager(filed: Filing, version: RuleVersion) -> Judging:
    """No declared wager is above the allowed maximum, and every wager declares its maximum."""
    limit = parameter(version, "largest_wager_cents")
    for wager in filed.wagers:
        largest = filed.terms.largest(wager)
        if largest is not None and largest > limit:
            message = (
                f"The maximum wager on {wager.name} is {money(largest)}; {money(limit)} is allowed."
            )
            yield place_of_largest(filed, wager).fault("", message)
    silent = [wager for wager in filed.wagers if filed.terms.largest(wager) is None]
    if silent:
        return unverified_verdict(
            f"No maximum wager is stated for {filed.join_names(silent)}; it is "
            f"{money(limit)} at most."
        )
    return satisfied_verdict(f"No wager is above {money(limit)}.")


@rule_test(
    Parameter("largest_number", ParameterUnit.COUNT, "games on one hand, including the main wager"),
    Parameter(
        "threshold_cents",
        ParameterUnit.CENTS,
        "the wager above which games are counted separately",
        required=False,
        requires_with="largest_number_above_threshold",
    ),
    Parameter(
        "largest_number_above_threshold",
        ParameterUnit.COUNT,
        "games on one hand with wagers above the threshold",
        required=False,
        requires_with="threshold_cents",
    ),
    section="Wagers on one hand",
    code=Code(
        "R002",
        "Too many games are offered on one hand",
        why="The number of separate games on one hand of cards, and of those above a small wager, "
        f"may be limited. Every filed wager counts. {WEAK}",
        fix="File fewer wagers together, or lower the maximum wager of some.",
        wrong="seven wagers if six are allowed",
        right="six wagers, three of them with a maximum wager of $5",
    ),
)
def games_per_hand(filed: Filing, version: RuleVersion) -> Judging:
    """The number of games on one hand of cards is at most the allowed number."""
    most = parameter(version, "largest_number")
    wagers = filed.wagers
    number = len(wagers) + (filed.main is None)
    games = "1 game is" if number == 1 else f"{number} games are"
    added = ", with the game that the wagers are added to" if filed.main is None else ""
    offered = f"{games} offered on one hand{added}; {most} are allowed."
    if number > most:
        yield Fault(filed.game.id, "/wagers", offered)
    threshold = version.parameter("threshold_cents")
    most_above = version.parameter("largest_number_above_threshold")
    if threshold is None or most_above is None:
        return satisfied_verdict(offered)
    maxima = [(wager, filed.terms.largest(wager)) for wager in wagers]
    above = [wager for wager, cents in maxima if cents is not None and cents > threshold]
    unstated = [wager for wager, cents in maxima if cents is None]
    if len(above) > most_above:
        yield place_of_largest(filed, above[-1]).fault(
            "",
            f"{len(above)} games take wagers above {money(threshold)}; {most_above} are allowed.",
        )
    if len(above) + len(unstated) > most_above:
        return unverified_verdict(
            f"{offered} No maximum wager is stated for {filed.join_names(unstated)}; at most "
            f"{most_above} games may take wagers above {money(threshold)}."
        )
    return satisfied_verdict(
        f"{offered} Games with wagers above {money(threshold)}: at most "
        f"{len(above) + len(unstated)}; {most_above} are allowed."
    )


@rule_test(
    Parameter("largest_number", ParameterUnit.COUNT, "players at one table"),
    section="Assumptions",
    code=Code(
        "R009",
        "The table has too many players",
        why=f"The number of players at a table may be limited. {WEAK}",
        fix="Lower the number of players in the game's file or in the terms.",
        wrong='{"players": 7} if six are allowed',
        right='{"players": 6}',
    ),
)
def players_at_table(filed: Filing, version: RuleVersion) -> Judging:
    """The number of players at the table is at most the allowed number."""
    most = parameter(version, "largest_number")
    by_terms = filed.terms.players
    players = filed.game.players if by_terms is None else by_terms
    if players > most:
        key = filed.game.id if by_terms is None else TERMS
        yield Fault(key, "/players", f"The table has {players} players; {most} are allowed.")
    return satisfied_verdict(f"{players} players; {most} are allowed.")


@rule_test(section="Bonus wagers")
def odds_of_each_wager(filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """The mathematics report prints the true odds, the payout odds and the house advantage of
    every wager; the house advantage of a meter depends on its amount.
    """
    targets = [record.target for record in filed.records]
    counted = [filed.analyses[target] for target in targets if target in filed.analyses]
    if len(counted) < len(targets):
        return unverified_verdict("Not every wager that is filed was counted.")
    if filed.placeholders:
        return unverified_verdict("Payouts of a wager that is filed are placeholders.")
    printed = "True odds, payout odds and house advantage of every wager are printed"
    moving = {analysis.wager for analysis in counted if analysis.house_edge is None}
    if moving:
        names = filed.join_names(wager for wager in filed.wagers if wager.id in moving)
        return review_verdict(
            f"{printed}; for {names} the house advantage moves with a meter, and the section on "
            "progressive wagers gives what each amount adds."
        )
    return satisfied_verdict(f"{printed}.")


@rule_test()
def player_dealer(_filed: Filing, _version: RuleVersion) -> RuleVerdict:
    """Manual review decides that the player-dealer position rotates; the test of version 0.2, in
    place of which a text requires a value of `banking`.
    """
    return review_verdict("Confirm that the position of the player-dealer rotates.")


@rule_test(
    section="Description of the game",
    code=Code(
        "R029",
        "A filing lacks a value that its jurisdiction requires",
        why="A jurisdiction may require who banks, or which joker is used. The documents would "
        "contradict the requirement on their first page, so that nothing is filed, however well "
        "its text is known.",
        fix="Declare the value in the terms, or file the game elsewhere.",
        wrong='terms without `banking` of a house-banked game, in a state with `"requires": '
        '{"banking": ["player_dealer"]}`',
        right='{"banking": "player_dealer"}',
    ),
    by_code=True,
)
def required_values(filed: Filing, version: RuleVersion) -> Judging:
    """The filing has the values that the text requires: the party that banks, the joker, or true
    odds in the mathematics report. Manual review decides what else the text says.
    """
    required = version.requires or Requires()
    game, present = filed.game, []
    joker = game.hands.joker if game.hands.deck.joker else None
    for name, value, allowed in (
        ("banking", game.banked_by, required.banking),
        ("joker", joker, required.joker),
    ):
        if allowed and value is not None:
            present.append(f"`{name}` is `{value}`")
            if value not in allowed:
                words = join_words([f"`{each}`" for each in allowed], "or")
                yield Fault(game.id, f"/{name}", f"`{name}` is `{value}`; {words} is required.")
    if required.odds:
        return odds_of_each_wager.judge(filed, version)
    return review_verdict(f"As required, {join_words(present)}. Confirm the rest of the text.")


@rule_test(
    code=Code(
        "R025",
        "A commission is a share of wagers or winnings",
        why="A jurisdiction may prohibit the house from taking a percentage of wagers or "
        f"winnings. A fee is then a fixed amount that is taken before the deal. {WEAK}",
        fix="File an option with a fee instead of the commission.",
        wrong='{"commission": {"rate": "5%", "prepaid": false}}',
        right='{"fee": {"bands": [{"from_cents": 500, "cents": 100}], ...}}',
    )
)
def no_percentage_fee(filed: Filing, _version: RuleVersion) -> Judging:
    """No filed option of the main wager takes a share of wagers or winnings. Fees are left to
    manual review.
    """
    for option in filed.options:
        if option.commission is not None:
            taken = "the wager" if option.commission.prepaid else "winnings"
            share = exact_percentage(option.commission.rate)
            message = f"Option {option.id} takes {share} of {taken}."
            yield Fault(option.target, "/commission", message)
    statement = "No share of wagers or winnings is taken."
    for option, bands in _list_fees(filed):
        amounts = join_words([money(band.cents) for band in bands], "or")
        statement += f" Option {option.id} collects {amounts} in every round, by the wager."
    return satisfied_verdict(statement)


def _list_fees(filed: Filing) -> Iterator[tuple[MainWager, tuple[FeeBand, ...]]]:
    """Yield the filed options with the bands of their fee, of the filing or their own."""
    for option in filed.options:
        fees = filed.terms.fees or option.fee
        if fees is not None:
            yield option, fees.bands


@rule_test(
    Parameter("largest_number", ParameterUnit.COUNT, "the most collection rates of a table"),
    code=Code(
        "R030",
        "A table has more collection rates than the text allows",
        why="A jurisdiction may limit the number of collection rates of a table. Each band of the "
        f"fees is a rate. {WEAK}",
        fix="Combine bands of the fees.",
        wrong="six bands in `fees`, in a state with five collection rates",
        right='{"fees": {"bands": [{"from_cents": 1000, "cents": 100}], "text": "…"}}',
    ),
)
def collection_rates(filed: Filing, version: RuleVersion) -> Judging:
    """No filed option of the main wager has more collection rates than allowed."""
    most = parameter(version, "largest_number")
    fees = [*_list_fees(filed)]
    if not fees:
        return unverified_verdict("No collection fee is declared.")
    for option, bands in fees:
        if len(bands) > most:
            message = (
                f"Option {option.id} has {len(bands)} collection rates; at most {most} may be used."
            )
            place = (TERMS, "/fees/bands") if filed.terms.fees else (option.target, "/fee/bands")
            yield Fault(*place, message)
    return satisfied_verdict(f"No option has more than {most} collection rates.")


@rule_test(
    section="Bonus wagers",
    code=Code(
        "R023",
        "A paytable is not in the code",
        why="A jurisdiction may print the paytables that it allows. A filed one is compared by "
        "its meaning: the hand, the number of cards, and the pay of each event. If the first "
        "row that a hand contains pays, rows that pay differently must be in the order of "
        f"the code. {WEAK}",
        fix=(
            "Use the pays of the nearest paytable in the code, or have the paytable approved first."
        ),
        wrong='{"event": "full_house", "pays": "6 to 1"} if the code has 5 to 1',
        right='{"event": "full_house", "pays": "5 to 1"}',
    ),
)
def allowed_paytables(filed: Filing, version: RuleVersion) -> RuleVerdict:
    """Every filed paytable of a bonus wager is one that the text prints, with the same events and
    pays. If the text's paytables are not declared, manual review compares them.
    """
    if not filed.paytables:
        return not_applicable("No paytable of a bonus wager is filed.")
    number = len(filed.paytables)
    if not version.paytables:
        return review_verdict(
            f"The paytables that the code allows are not declared here. Compare the "
            f"{number} that {'are' if number > 1 else 'is'} filed with {version.citation}."
        )
    compared = [
        (
            table,
            [code for code in _alike(table, version.paytables) if not any(_differ(table, code))],
        )
        for table in filed.paytables
    ]
    faults = [_fault(table, version.paytables) for table, equal in compared if not equal]
    if faults:
        message = f"Not among the paytables of the code: {len(faults)} of the {number} filed"
        nearest = f": {faults[0].message}" if len(faults) == 1 else "."
        return replace(faults_verdict(faults), detail=f"{message}{nearest}")
    pairs = (f"{table.id} is {equal[0].clause}" for table, equal in compared)
    return satisfied_verdict(f"Every paytable is one of the code: {join_words(pairs)}.")


def _alike(table: Paytable, codified: tuple[CodifiedPaytable, ...]) -> list[CodifiedPaytable]:
    """Return the paytables of the code for the same cards."""
    return [code for code in codified if (code.hand, code.cards) == (table.hand, table.cards)]


def _differ(table: Paytable, code: CodifiedPaytable) -> Iterator[str]:
    """Yield a description of each row in which a paytable and one of the code differ."""
    allowed = {row.event: row for row in code.rows}
    for row in table.rows:
        printed = allowed.pop(row.event, None)
        if printed is None:
            yield f"{row.name} is not in the code"
        elif row.dynamic:
            yield f"{row.name} has dynamic pays, but a single pay in the code"
        elif _meaning(row.payout) != _meaning(printed.payout):
            yield f"{row.name} pays {row.payout} here and {printed.payout} in the code"
    for row in allowed.values():
        yield f"{row.name} at {row.payout} is missing"
    if table.award is Award.FIRST_ROW_CONTAINED:
        yield from _find_inverted_rows(table, code)


def _find_inverted_rows(table: Paytable, code: CodifiedPaytable) -> Iterator[str]:
    """Yield rows above one with another pay that are below it in the code.

    A hand of both is paid otherwise then. That no hand is of both is not known here.
    """
    places = {row.event: place for place, row in enumerate(code.rows)}
    shared = [row for row in table.rows if row.event in places]
    for place, row in enumerate(shared):
        for other in shared[place + 1 :]:
            turned = places[row.event] > places[other.event]
            if turned and _meaning(row.payout) != _meaning(other.payout):
                yield f"{row.name} is above {other.name} here and below it in the code"
                break


def _meaning(pays: Payout) -> object:
    """Return the value of a pay in a canonical form."""
    return pays if pays.basis is Basis.METER else pays.net


def _fault(table: Paytable, codified: tuple[CodifiedPaytable, ...]) -> Fault:
    """Return the fault of a paytable at the first row that differs from the nearest one."""
    alike = _alike(table, codified)
    file = Location(table.target)
    if not alike:
        cards = f"{table.cards} card{'s' if table.cards > 1 else ''}"
        hand = {
            HandOf.CHOSEN_IN_ADVANCE: "the player's or the dealer's hand",
            HandOf.BOTH: "both hands",
            HandOf.TOGETHER: "both hands as one",
        }.get(table.hand, f"the {table.hand}'s hand")
        message = f"{table.target} pays for {cards} of {hand}; the code has no such paytable."
        return file.fault("/hand", message)
    nearest = min(alike, key=lambda code: len(list(_differ(table, code))))
    rows = "; ".join(_differ(table, nearest))
    return file.fault(
        f"/rows{_first(table.rows, nearest)}",
        f"{table.target} matches none of the {len(codified)} paytables in the code. "
        f"The nearest is {nearest.clause}: {rows}.",
    )


def _first(rows: tuple[Row, ...], code: CodifiedPaytable) -> str:
    """Return the pointer of the first row that differs from the code, or ""."""
    allowed = {row.event: _meaning(row.payout) for row in code.rows}
    return next(
        (
            f"/{index}"
            for index, row in enumerate(rows)
            if row.dynamic or allowed.get(row.event, row) != _meaning(row.payout)
        ),
        "",
    )
