"""What the mathematics report prints of the main wager."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from certify.errors import InvariantBroken
from certify.formatting import decimal, exact, percent, percentage, rounds_to_a_hit, thousands
from certify.model.analysis import Analysis, CostlyHand, HouseWayUse, RowAnalysis
from certify.model.game import Strategy
from certify.model.main_wager import MainWager, Outcome
from certify.model.submission import Submission
from certify.report.charts import Bar, Chart, shares
from certify.report.figures_view import advantage, base_note, figures_table
from certify.report.head_view import main_wager
from certify.report.house_way_view import rule_numbers
from certify.report.limit_view import limited_table
from certify.report.tables import Table, table
from certify.report.wording import STRATEGY_TEXT, as_written, card_text, clause

SPLIT = "#Win % | #Push % | #Lose % | #House edge % | =House edge, exact @26"

COSTLY_HANDS = 12
"""The hands printed that the house way sets at the greatest cost."""


def main_view(submission: Submission) -> dict[str, Any] | None:
    """Return the main wager's outcomes, figures, charts, comparisons and use of the house way."""
    option = submission.option
    analysis = submission.analyses.get(option.target)
    if analysis is None or analysis.main is None:
        return None
    return {
        "wager": main_wager(submission).name,
        "house_way": submission.house_way.name,
        "published": _published(submission),
        "player": _player(analysis.main.strategy, exposed=submission.game.dealer_exposed),
        "ways": [
            _way(submission, one, submission.analyses[one.target])
            for one in submission.options
            if one.target in submission.analyses
        ],
        "several": len(submission.options) > 1,
        "comparison": _comparison(submission),
        "others": _others(submission),
        "fired": _fired(submission, analysis),
        "costly": _costly(submission),
    }


def _published(submission: Submission) -> str:
    """Return whose house way it is where the game's source gives none."""
    if submission.game.house_way_in_source:
        return ""
    by = submission.house_way.published
    given = f", published by {by}" if by else ""
    return f"The source of the game gives no house way; this one{given}, is used instead."


def _way(submission: Submission, option: MainWager, analysis: Analysis) -> dict[str, Any]:
    """Return the counts and figures of one filed option; of several, captions name theirs."""
    several = len(submission.options) > 1
    of = f", option {option.id}" if several else ""
    return {
        "option": option.name,
        "option_id": option.id,
        "clause": clause(option.source),
        "outcomes": _outcomes(option, analysis, of),
        "sums": _sums(analysis, of),
        "chart": _chart(analysis, f"-{option.id}" if several else "", of),
        "figures": figures_table(
            analysis, f"Figures of the whole wager{of}", note=base_note(option)
        ),
        "limited": limited_table(analysis, main_wager(submission).name),
        "risk": _risk(option, analysis),
    }


def _player(strategy: Strategy, *, exposed: bool) -> str:
    """Return how the player of the filed figures plays, as a sentence."""
    plays = {
        Strategy.OPTIMAL: "The player plays optimally",
        Strategy.HOUSE_WAY: "The player sets by the same house way",
    }[strategy]
    seen = "having seen the dealer's set hand" if exposed else "without seeing the dealer's cards"
    return f"{plays}, {seen}."


def _outcomes(option: MainWager, analysis: Analysis, of: str) -> Table:
    second = option.raise_
    counted = f" With {second.name} in action the net pay of both wagers counts." if second else ""
    total = sum((row.contribution for row in analysis.rows), Fraction(0))
    return table(
        f"Outcomes by reason{of}",
        "Outcome @32 | Pays @11 | #Deals @21 | #Probability @12 | #1 in @10 | #Contribution @14",
        [
            (
                *_ended(option, row),
                thousands(row.combinations),
                decimal(row.probability, 8),
                rounds_to_a_hit(row.probability),
                decimal(row.contribution, 8),
            )
            for row in analysis.rows
        ],
        foot=[
            (
                "Total",
                "",
                thousands(analysis.total),
                decimal(Fraction(1), 8),
                "",
                decimal(total, 8),
            )
        ],
        note="Contribution: net pay times probability, a lost wager counted as −1; the sum is "
        f"minus the house edge.{counted}",
    )


def _ended(option: MainWager, row: RowAnalysis) -> tuple[str, str]:
    """Return how the rounds of a row ended and what is paid, with the second wager named."""
    reason = row.reason
    if reason is None:
        raise InvariantBroken(f"The row {row.event} of {option.target} has no reason.")
    kept = {Outcome.PUSH: "Push", Outcome.LOSE: "Loss"}.get(reason.outcome)
    pays = kept or as_written(row.pays)
    if option.raise_ is None:
        return row.name, pays
    if not reason.raised:
        return f"{row.name}, no {option.raise_.name} made", pays
    if not reason.in_action:
        return row.name, pays
    return row.name, f"{kept} of both wagers" if kept else f"{pays} on both wagers"


def _sums(analysis: Analysis, of: str) -> Table:
    outcomes = analysis.main.outcomes if analysis.main else {}
    return table(
        f"Win, push and lose{of}",
        "Outcome @14 | #Deals @24 | #Share % @14 | =Exact share",
        [
            (
                as_written(name),
                thousands(count),
                percent(Fraction(count, analysis.total), 5),
                exact(Fraction(count, analysis.total)),
            )
            for name, count in outcomes.items()
        ],
    )


def _chart(analysis: Analysis, suffix: str, of: str) -> Chart:
    outcomes = analysis.main.outcomes if analysis.main else {}
    parts = [(as_written(name), Fraction(n, analysis.total)) for name, n in outcomes.items()]
    return shares(
        id=f"chart-main{suffix}",
        title=f"How rounds of the main wager end{of}",
        values=[
            Bar(label=name, value=share, printed=percentage(share, 2)) for name, share in parts
        ],
    )


def _risk(option: MainWager, analysis: Analysis) -> Table | None:
    main, second = analysis.main, option.raise_
    if second is None or main is None or main.average_wager is None or main.element_of_risk is None:
        return None
    return table(
        f"With {second.name}",
        "Figure @24 | #Rounded @24 | =Exact",
        [
            ("Average wager", decimal(main.average_wager, 6), exact(main.average_wager)),
            ("Element of risk", percentage(main.element_of_risk), exact(main.element_of_risk)),
        ],
        note="The house edge is the expected loss per unit of the first wager; the element of risk "
        f"is the expected loss per unit of everything wagered, {second.name} included.",
    )


def _comparison(submission: Submission) -> Table | None:
    """Return the filed option under each strategy, and what the better play is worth."""
    option = f"Option {submission.option.id}" if len(submission.options) > 1 else "The filed option"
    analyses = submission.comparison
    known = [one for one in analyses if one.main is not None and one.house_edge is not None]
    if len(known) < 2:  # noqa: PLR2004 - a comparison needs two
        return None
    edges = [one.house_edge for one in known if one.house_edge is not None]
    worth = max(edges) - min(edges)
    return table(
        f"{option} under each strategy of the player",
        f"Player's strategy @22 | {SPLIT}",
        [(_strategy(one), *_split(one), *_edge(one)) for one in known],
        foot=[("Better play is worth", "", "", "", percent(worth), exact(worth))],
        note=f"The first row is filed; the others are information. {advantage(edges)}".strip(),
    )


def _others(submission: Submission) -> Table:
    analyses = submission.other_options
    targets = {one.target for one in analyses}
    options = [option for wager in submission.game.wagers for option in wager.options]
    prepaid = " ".join(
        note
        for one in options
        if one.target in targets and one.raise_ is None and (note := base_note(one))
    )
    notes = (
        "For information, with the same house way and strategy. None of these is filed here: "
        "each option needs a submission of its own.",
        prepaid,
        advantage(one.house_edge for one in analyses),
    )
    return table(
        "The other options of the main wager",
        f"Option @22 | {SPLIT}",
        [(one.paytable, *_split(one), *_edge(one)) for one in analyses],
        note=" ".join(one for one in notes if one),
        none="The main wager has no other option.",
    )


def _strategy(analysis: Analysis) -> str:
    return as_written(STRATEGY_TEXT[analysis.main.strategy]) if analysis.main else ""


def _split(analysis: Analysis) -> tuple[str, str, str]:
    """Return the shares of won, pushed and lost rounds in percent."""
    outcomes = analysis.main.outcomes if analysis.main else {}
    win, push, lose = (
        percent(Fraction(outcomes.get(name, 0), analysis.total)) for name in ("win", "push", "lose")
    )
    return win, push, lose


def _edge(analysis: Analysis) -> tuple[str, str]:
    if analysis.house_edge is None:
        return ("–", "–")
    return percent(analysis.house_edge), exact(analysis.house_edge)


def _fired(submission: Submission, analysis: Analysis) -> Table | None:
    """Return how often each rule decided; where every hand was weighed, what its settings cost."""
    uses = analysis.main.dealer_rule_hands if analysis.main else ()
    if not uses:
        return None
    numbers = rule_numbers(submission.house_way)
    compared = any(one.differs_from_optimal is not None for one in uses)
    uses = tuple(sorted(uses, key=lambda use: _place(numbers[use.rule].number)))
    rows = [
        (
            numbers[use.rule].number,
            numbers[use.rule].text,
            *_use(use, submission.frequencies.total, compared=compared),
        )
        for use in uses
    ]
    columns = "Rule @7 | What it says | #Hands @14 | #Share % @11"
    note = (
        "Rules are numbered as in the rules of play. A rule that hands over to another group is "
        "counted where the cards are set, and shows 0. "
    )
    if compared:
        columns += " | #Set otherwise @13 | #Cost % @11"
        note += (
            "Set otherwise: hands that the best play with the own cards alone sets otherwise. "
            "Cost: what that takes from the player over all rounds, in percent of the wager."
        )
    return table(
        "How often each rule of the house way decided, over all hands",
        columns,
        rows,
        foot=[_fired_total(uses, submission.frequencies.total, compared=compared)],
        note=note.strip(),
    )


def _place(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def _use(use: HouseWayUse, hands: int, *, compared: bool) -> tuple[str, ...]:
    row = (thousands(use.hands), percent(Fraction(use.hands, hands)))
    if not compared:
        return row
    cost = use.cost or Fraction(0)
    return (*row, thousands(use.differs_from_optimal or 0), percent(cost, 6))


def _fired_total(uses: Sequence[HouseWayUse], hands: int, *, compared: bool) -> tuple[str, ...]:
    counted = sum(one.hands for one in uses)
    row = ("Total", "", thousands(counted), percent(Fraction(counted, hands)))
    if not compared:
        return row
    cost = sum((one.cost or Fraction(0) for one in uses), Fraction(0))
    return (*row, thousands(sum(one.differs_from_optimal or 0 for one in uses)), percent(cost, 6))


def _costly(submission: Submission) -> Table | None:
    """Return the hands that the house way sets at the greatest cost, where they are known."""
    hands: tuple[CostlyHand, ...] = next(
        (
            one.main.costly_hands
            for one in submission.comparison
            if one.main and one.main.costly_hands
        ),
        (),
    )
    if not hands:
        return None
    return table(
        "The hands that the house way sets at the greatest cost",
        "Hand @44 | Front by the house way | Best front | #Cost %",
        [
            (
                " ".join(card_text(code) for code in one.cards),
                _front(one.house_front),
                _front(one.best_front),
                percent(one.cost, 2),
            )
            for one in hands[:COSTLY_HANDS]
        ],
        note="Cost: in a round in which the hand is held, in percent of the wager. Hands that "
        "an exchange of suits turns into each other are named once.",
    )


def _front(ranks: str) -> str:
    """Return the ranks of a front as they are printed elsewhere: ``A-10``, ``Joker-K``."""
    return ranks.replace("T", "10").replace("Jk", "Joker")
