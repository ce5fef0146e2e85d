"""Tests of what is offered on one hand: wagers, games, players."""

from certify.checks.fault import Fault
from certify.checks.filed import parameter, place_of_largest
from certify.checks.jurisdiction.rule_test import WEAK, Parameter, ParameterUnit, judges
from certify.checks.jurisdiction.verdict import Judging, satisfied, unverified
from certify.formatting import money
from certify.model.filed import Filing
from certify.model.finding import Code
from certify.model.jurisdiction import RuleVersion
from certify.model.terms import TERMS

R001 = Code(
    "R001",
    "A wager is above the maximum that is allowed",
    why=f"""A jurisdiction may limit the single wager. The limit that was in force on the day of the
    filing is applied. {WEAK}""",
    mend="Lower the maximum wager, or file for the day on which the higher limit is in force.",
    remedy="Lower the maximum wager.",
    wrong='{"maximum_cents": 40001} where $400 is allowed',
    right='{"maximum_cents": 40000}',
)


@judges(
    Parameter("largest_wager_cents", ParameterUnit.CENTS, "the largest single wager"),
    section="Wagers on one hand",
    finds=R001,
)
def largest_wager(filed: Filing, version: RuleVersion) -> Judging:
    """No stated wager is above the largest that is allowed, and every wager states its maximum."""
    limit = parameter(version, "largest_wager_cents")
    for wager in filed.wagers:
        stated = filed.terms.largest(wager)
        if stated is not None and stated > limit:
            message = (
                f"The maximum wager on {wager.name} is {money(stated)}; {money(limit)} is allowed."
            )
            yield place_of_largest(filed, wager).fault("", message)
    silent = [wager for wager in filed.wagers if filed.terms.largest(wager) is None]
    if silent:
        return unverified(
            f"No maximum wager is stated for {filed.named(silent)}; it is {money(limit)} at most."
        )
    return satisfied(f"No wager is above {money(limit)}.")


R002 = Code(
    "R002",
    "Too many games are offered on one hand",
    why=f"""The number of separate games on one hand of cards, and of those above a small wager, may
    be limited. Every filed wager counts. {WEAK}""",
    mend="File fewer wagers together, or lower the maximum wager of some.",
    wrong="seven wagers where six are allowed",
    right="six wagers, three of them with a maximum wager of $5",
)


@judges(
    Parameter(
        "largest_number", ParameterUnit.COUNT, "games on one hand, the main wager among them"
    ),
    Parameter(
        "threshold_cents",
        ParameterUnit.CENTS,
        "the wager above which games are counted apart",
        required=False,
        beside="largest_number_above_threshold",
    ),
    Parameter(
        "largest_number_above_threshold",
        ParameterUnit.COUNT,
        "games on one hand with wagers above the threshold",
        required=False,
        beside="threshold_cents",
    ),
    section="Wagers on one hand",
    finds=R002,
)
def games_per_hand(filed: Filing, version: RuleVersion) -> Judging:
    """No more games are offered on one hand of cards than are allowed."""
    most = parameter(version, "largest_number")
    wagers = filed.wagers
    games = "1 game is" if len(wagers) == 1 else f"{len(wagers)} games are"
    offered = f"{games} offered on one hand; {most} are allowed."
    if len(wagers) > most:
        yield Fault(filed.game.id, "/wagers", offered)
    threshold = version.parameter("threshold_cents")
    most_above = version.parameter("largest_number_above_threshold")
    if threshold is None or most_above is None:
        return satisfied(offered)
    stated = [(wager, filed.terms.largest(wager)) for wager in wagers]
    above = [wager for wager, cents in stated if cents is not None and cents > threshold]
    unstated = [wager for wager, cents in stated if cents is None]
    if len(above) > most_above:
        message = (
            f"{len(above)} games take wagers above {money(threshold)}; {most_above} are allowed."
        )
        yield place_of_largest(filed, above[-1]).fault("", message)
    if len(above) + len(unstated) > most_above:
        return unverified(
            f"{offered} No maximum wager is stated for {filed.named(unstated)}; at most "
            f"{most_above} games may take wagers above {money(threshold)}."
        )
    return satisfied(
        f"{offered} Games with wagers above {money(threshold)}: at most "
        f"{len(above) + len(unstated)}; {most_above} are allowed."
    )


R009 = Code(
    "R009",
    "Too many players sit at the table",
    why=f"The number of players at a table may be limited. {WEAK}",
    mend="Lower the number of players in the game's file or in the terms.",
    remedy="Lower the number of players.",
    wrong='{"players": 7} where six are allowed',
    right='{"players": 6}',
)


@judges(
    Parameter("largest_number", ParameterUnit.COUNT, "players at one table"),
    section="Assumptions",
    finds=R009,
)
def players_at_table(filed: Filing, version: RuleVersion) -> Judging:
    """No more players sit at the table than are allowed."""
    most = parameter(version, "largest_number")
    stated = filed.terms.players
    players = filed.game.players if stated is None else stated
    if players > most:
        key = filed.game.id if stated is None else TERMS
        message = f"{players} players sit at the table; {most} are allowed."
        yield Fault(key, "/players", message)
    return satisfied(f"{players} players; {most} are allowed.")
