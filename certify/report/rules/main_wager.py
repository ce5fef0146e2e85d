"""Main wagers in the rules of play: rounds on undivided hands, counted terms, collection fees."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from certify.formatting import join_words, money, size_in_words
from certify.model.analysis import Analysis
from certify.model.condition import ANY_HAND, Condition
from certify.model.game import Strategy
from certify.model.main_wager import (
    Bank,
    Companion,
    DealerRule,
    Fold,
    HandBonus,
    HandPay,
    MainWager,
    Outcome,
    OutcomeReason,
    Raise,
    RaisePay,
    Tie,
)
from certify.model.paytable import CollectionFee, Payout
from certify.model.submission import Submission
from certify.model.vocabulary import AfterFold, Paid
from certify.report.rules.examples import examples
from certify.report.rules.numbering import (
    PrintedRule,
    find_marked,
    iter_numbers,
    play_decisions,
    print_section,
    rule,
    rules,
)
from certify.report.wording import (
    FiguresWithLimit,
    figures_with_limit,
    name_in_print,
    pays,
    pays_for,
    together,
)
from certify.words.hands import condition_words

BONUS = "bonus"


class Result(Struct, frozen=True, kw_only=True):
    """The result of one wager: ``paid`` in words, empty if it is not made or pays nothing extra.

    ``by_hand``: a pay for the player's own hand.
    """

    wager: str
    paid: str = ""
    by_hand: bool = False


def list_results(option: MainWager, reason: OutcomeReason, wager: str) -> Iterator[Result]:
    """Yield the result of each wager in a round that ends so; the main ``wager`` comes first."""
    rule = next((rule for rule in option.dealer_rules if rule.id == reason.rule), None)
    words = {
        Outcome.WIN: option.win_in_words(rule),
        Outcome.PUSH: name_in_print("result", "push"),
        Outcome.LOSE: name_in_print("result", "lose"),
    }
    yield Result(wager=wager, paid=words[reason.outcome])
    raised, companion = option.raise_, option.companion
    if raised is not None and not reason.raised:
        yield Result(wager=raised.name)
    elif raised is not None:
        won = pays(option.win_pays) if reason.raise_won else words[Outcome.PUSH]
        usual = words[reason.outcome] if reason.is_raised else won
        by_hand = {pay.id: pays(pay.pays) for pay in raised.pays}.get(reason.raise_pay or "")
        yield Result(wager=raised.name, paid=by_hand or usual, by_hand=by_hand is not None)
    if companion is not None:
        lost = reason.folded or (reason.compared and reason.outcome is Outcome.LOSE)
        usual = words[Outcome.LOSE if lost else Outcome.PUSH]
        by_hand = {pay.id: pays(pay.pays) for pay in companion.pays}.get(reason.companion_pay or "")
        yield Result(wager=companion.name, paid=by_hand or usual, by_hand=by_hand is not None)
    if option.bonus:
        by_hand = {pay.id: pays(pay.pays) for pay in option.bonus}.get(reason.bonus or "")
        name = name_in_print("result", BONUS)
        yield Result(wager=name, paid=by_hand or "", by_hand=by_hand is not None)


def describe_round(submission: Submission, option: MainWager) -> dict[str, Any] | None:
    """Return the order of play and the settlement of a round; None for divided hands.

    ``whole``: hands are compared as dealt. ``ends`` are the ways to end with the results of each of
    the ``wagers``, empty if nothing is counted.
    """
    shape, raised = submission.game.hands.shape, option.raise_
    if shape.is_divided:
        return None
    analysis = submission.analyses.get(option.target)
    wager = submission.game.find_wager(option).name
    ends = _list_ends(option, analysis, wager) if analysis is not None else []
    return {
        "option": option,
        "cards": shape.cards,
        "dealer": shape.dealer,
        "best": shape.back,
        "whole": shape.is_whole,
        "shows": shape.dealer_shows > 0,
        "exposed": submission.game.dealer_exposed,
        "raised": raised,
        "sizes": describe_sizes(raised, wager, submission) if raised else "",
        "wagers": [each.wager for each in ends[0]["results"]] if ends else [],
        "ends": ends,
    }


def _list_ends(option: MainWager, analysis: Analysis, wager: str) -> list[dict[str, Any]]:
    """Return the ways in which a round ends, a fold and the dealer's rules first."""
    ends: dict[tuple[Any, ...], list[list[Result]]] = {}
    for row in analysis.rows:
        reason = row.reason
        if reason is not None:
            idle = reason.raised and reason.compared and not reason.qualified
            compared = None if reason.folded or not reason.compared else reason.outcome
            ended = (not reason.folded, reason.rule is None, reason.rule, compared, idle)
            ends.setdefault(ended, []).append([*list_results(option, reason, wager)])
    texts = {rule.id: rule.text for rule in option.dealer_rules}
    return [
        {
            "end": texts.get(rule or "") or _name_end(option, compared),
            "idle": idle,
            "results": [_join(results) for results in zip(*rounds, strict=True)],
        }
        for (*_, rule, compared, idle), rounds in sorted(ends.items(), key=lambda end: end[0][:2])
    ]


def _name_end(option: MainWager, outcome: Outcome | None) -> str:
    """Return the name of the end of a round; no outcome is a fold."""
    ties = {Tie.PLAYER: Outcome.WIN, Tie.DEALER: Outcome.LOSE}
    tied = "_or_tie" if ties.get(option.ties.high) is outcome and outcome is not None else ""
    return name_in_print("round_end", f"{outcome or 'folded'}{tied}")


def _join(results: Sequence[Result]) -> Result:
    """Return the result of a wager over all rounds that end so."""
    usual = dict.fromkeys(each.paid for each in results if each.paid and not each.by_hand)
    return Result(
        wager=results[0].wager,
        paid=name_in_print("result", "or").join(usual),
        by_hand=any(each.by_hand for each in results),
    )


SETTING = "round"
"""The section of a game's record on setting the hands."""


def main_wager_section(submission: Submission, section: int) -> dict[str, Any]:
    """Return the contents of the section on the main wager.

    ``strategies`` are those of the player whose house edges are printed in columns; without any,
    ``optimal`` says what the house edge refers to. ``raised`` is the raise that it includes;
    ``house_way`` is empty if hands are not divided; ``rounds`` describe the filed options then.
    """
    option = submission.option
    wager = submission.game.find_wager(option)
    raised = option.raise_
    numbers = iter_numbers(section)
    marked = find_marked(submission)
    setting = print_section(SETTING, submission, numbers)
    strategies = compare_strategies(submission)
    analysis = submission.analyses.get(option.target)
    settled = (
        *_terms(submission, numbers, of_raise=False),
        *rules(submission.filter_statements(wager.rules), numbers, marked),
    )
    raise_rules = _terms(submission, numbers, of_raise=True)
    return {
        "wager": wager.name,
        "setting": setting,
        "settling": settled,
        "raised": submission.raise_name,
        "raise_rules": raise_rules,
        "companion": option.companion,
        "rounds": [
            described
            for filed in submission.options
            if (described := describe_round(submission, filed)) is not None
        ],
        "by_hand": [*pays_by_hand(submission)],
        "exposed": submission.game.dealer_exposed,
        "for_one": any(map(pays_for, submission.options)),
        "folds": option.has_fold,
        "sizes": raised is not None and raised.largest is not None,
        "limited": raised is not None and raised.largest_when is not None,
        "marked": "main/payouts" in marked,
        "decisions": rules(play_decisions(submission), numbers, marked),
        "options": [_option(submission, filed, strategies) for filed in submission.options],
        "choice": len(submission.options) > 1,
        "house_way": submission.way.name if submission.way is not None else "",
        "other_ways": [
            (name, by_way.paytable, by_way.house_edge) for name, by_way in submission.other_ways
        ],
        "strategies": strategies,
        "optimal": analysis is not None
        and analysis.main is not None
        and analysis.main.strategy is Strategy.OPTIMAL,
        "fees": list_fees(submission),
        "examples": examples(submission, wager),
    }


def _terms(
    submission: Submission, numbers: Iterator[str], *, of_raise: bool
) -> tuple[PrintedRule, ...]:
    """Return the terms of the filed options, each once, with their counted values."""
    marked = find_marked(submission)
    filed: dict[str, list[tuple[MainWager, Term]]] = {}
    for option in submission.options:
        for name, term in list_terms(option):
            listed = filed.setdefault(name, [])
            if term not in [each for _, each in listed]:
                listed.append((option, term))
    return tuple(
        rule(
            name,
            term.text,
            term.source.clause,
            next(numbers),
            marked,
            counted=describe_counted(term, option, submission),
        )
        for name, listed in filed.items()
        if (name in OF_RAISE) is of_raise
        for option, term in listed
    )


def compare_strategies(submission: Submission) -> tuple[Strategy, ...]:
    """Return the strategies of the player if their house edges differ, else none."""
    edges = _edges(submission)
    compared = (Strategy.OPTIMAL, Strategy.HOUSE_WAY)
    options = [
        [edges.get((option.target, strategy)) for strategy in compared]
        for option in submission.options
    ]
    complete = all(None not in each for each in options)
    return compared if complete and any(best != house for best, house in options) else ()


def _edges(submission: Submission) -> dict[tuple[str, Strategy], Fraction | None]:
    """Return the house edges of the filed options by the player's strategy, without limits."""
    return {
        (analysis.target, analysis.main.strategy): analysis.house_edge
        for analysis in (*submission.comparison, *submission.analyses.values())
        if analysis.main is not None
    }


class PrintedEdge(Struct, frozen=True, kw_only=True):
    """A house edge of the main wager by the player's strategy, None if it was not counted.

    ``on_wager`` is the edge per unit of the wager alone, if a commission is posted with it.

    ``limited``: the figures under a limit, which are known for the filed strategy; for the other
    one, ``unlimited`` says that there is a limit.
    """

    strategy: Strategy | None
    edge: Fraction | None
    on_wager: Fraction | None
    limited: FiguresWithLimit | None
    unlimited: bool


def _option(
    submission: Submission, option: MainWager, strategies: Sequence[Strategy]
) -> tuple[MainWager, list[PrintedEdge]]:
    """Return a submitted option and its house edge by each strategy, or by the filed one."""
    analysis, edges = submission.analyses.get(option.target), _edges(submission)
    limited = figures_with_limit(analysis)
    filed = analysis.main.strategy if analysis is not None and analysis.main is not None else None
    return option, [
        PrintedEdge(
            strategy=strategy,
            edge=edge,
            on_wager=option.edge_on_wager(edge),
            limited=limited if strategy is filed else None,
            unlimited=limited is not None and strategy is not filed,
        )
        for strategy in strategies or (filed,)
        for edge in [edges.get((option.target, strategy)) if strategy is not None else None]
    ]


Term = DealerRule | CollectionFee | Bank | HandBonus | Companion | Raise | Fold
"""A term of a main wager that the rules of play print, with its own text."""

RAISE, FOLD = OF_RAISE = ("main/raise", "main/fold")
"""The ids of the terms that are printed below the name of the raise."""


def list_terms(option: MainWager) -> list[tuple[str, Term]]:
    """Return the terms of an option by their ids, those of settling it before the raise."""
    raised = option.raise_
    listed: list[tuple[str, Term | None]] = [
        *((each.id, each) for each in option.dealer_rules),
        ("main/fee", option.fee),
        ("main/bank", option.bank),
        *((each.id, each) for each in option.bonus),
        ("main/companion", option.companion),
        (RAISE, raised),
        (FOLD, raised.fold if raised is not None else None),
    ]
    return [(name, term) for name, term in listed if term is not None]


def describe_counted(term: Term, option: MainWager, submission: Submission) -> Iterator[str]:
    """Yield the values of a term that the figures rest on, in words.

    The order of play has the sizes of wagers of undivided hands, of the first option.
    """
    filed = submission.options
    having = [each.name for each in filed if any(term == other for _, other in list_terms(each))]
    if len(having) < len(filed):
        yield name_in_print("counted", "option").format(options=join_words(having))
    shape = submission.game.hands.shape
    wager = submission.game.find_wager(option).name
    sized = shape.is_divided or option != submission.main
    match term:
        case DealerRule(outcome=outcome, win_pays=win_pays):
            yield name_in_print("counted", outcome or "win_pays").format(
                hand=_hand_of_first(term, option.dealer_rules, submission),
                wager=wager,
                pays=pays(win_pays) if win_pays is not None else "",
            )
        case HandBonus(pays=paid):
            yield name_in_print("counted", "bonus").format(
                hand=_hand_of_first(term, option.bonus, submission),
                pays=pays(paid),
                due=describe_due(term, option, wager),
            )
        case CollectionFee(bands=bands):
            band_words = name_in_print("counted", "band")
            bands_in_words = [
                band_words.format(fee=money(band.cents), wager=money(band.from_cents))
                for band in bands
            ]
            yield name_in_print("counted", "fee").format(bands=join_words(bands_in_words))
        case Companion(name=name, size=size, after_fold=after_fold):
            if sized:
                yield name_in_print("counted", "size").format(
                    raised=name, size=size_in_words(size), wager=wager
                )
            if option.has_fold:
                yield name_in_print("after_fold", after_fold).format(wager=name)
        case Raise():
            if sized:
                yield describe_sizes(term, wager, submission)
            yield from _describe_qualifying(term, option, submission)


def _describe_qualifying(raised: Raise, option: MainWager, submission: Submission) -> Iterator[str]:
    """Yield the result of a raise against a dealer's hand that does not qualify or ends a round."""
    always = raised.qualifies == ANY_HAND
    words = ["always_qualifies" if always else f"not_qualified_{raised.not_qualified}"]
    if raised.is_returned_by(option.dealer_rules):
        words.append("raise_returned" + "_qualified" * (raised.not_qualified is Outcome.WIN))
    hand = _words(raised.qualifies, submission)
    yield from (
        name_in_print("counted", word).format(raised=raised.name, hand=hand) for word in words
    )


def _words(condition: Condition, submission: Submission) -> str:
    """Return a condition in the words of the game."""
    hands = submission.game.hands
    return condition_words(condition, undivided=hands.shape.undivided, joker=hands.deck.joker > 0)


def _hand_of_first(
    term: DealerRule | HandBonus, listed: Sequence[DealerRule | HandBonus], submission: Submission
) -> str:
    """Return the hand of a term in words; the first of ``listed`` whose hand is met applies."""
    words = _words(term.when, submission)
    return name_in_print("counted", "first" if term == listed[0] else "later").format(hand=words)


def describe_sizes(raised: Raise, wager: str, submission: Submission) -> str:
    """Return the sizes that a raise may have, and the hands that it may have the largest with."""
    largest, allowed = raised.largest or raised.size, raised.largest_when
    several = "larger" if allowed is not None else "sizes"
    return name_in_print("counted", several if largest > raised.size else "size").format(
        raised=raised.name,
        size=size_in_words(raised.size),
        largest=size_in_words(largest),
        wager=wager,
        hand=_words(allowed, submission) if allowed is not None else "",
    )


def describe_due(pay: HandPay, option: MainWager, wager: str) -> str:
    """Return when a pay for the player's own hand is due; ``wager`` names the main wager."""
    raised, companion = option.raise_, option.companion
    if raised is not None and isinstance(pay, RaisePay):
        return name_in_print("paid", pay.paid).format(wager=raised.name)
    plays = companion and pay in companion.pays and companion.after_fold is AfterFold.PLAYS
    folded = option.has_fold and not plays and pay.paid is Paid.ALWAYS
    due = name_in_print("paid", pay.paid).format(wager=f"the {wager}")
    return name_in_print("counted", "unless_folded").format(due=due) if folded else due


class PaysByHand(Struct, frozen=True, kw_only=True):
    """The pays of a raise or a companion wager for the player's own hand.

    ``hands`` has name, condition in words, pay, and when it is due unless all have the same
    ``due``. ``others``: the pay of another hand that wins. ``options`` names the options of the
    main wager, if not all have these pays.
    """

    name: str
    hands: tuple[tuple[str, str, Payout, str], ...]
    due: str
    others: Payout | None = None
    options: str = ""


def pays_by_hand(submission: Submission) -> Iterator[PaysByHand]:
    """Yield the pays for the player's own hand, those of several options once."""
    filed = submission.options
    tables = together(
        (describe_pays(wager, option, submission), option.name)
        for option in filed
        for wager in (option.raise_, option.companion)
        if wager is not None and wager.pays
    )
    for table, having in tables.items():
        yield table if len(having) == len(filed) else replace(table, options=join_words(having))


def describe_pays(
    wager: Raise | Companion, option: MainWager, submission: Submission
) -> PaysByHand:
    """Return the pays of a wager with when each is due."""
    main = submission.game.find_wager(option).name
    due = [describe_due(pay, option, main) for pay in wager.pays]
    alike = len(set(due)) == 1
    return PaysByHand(
        name=wager.name,
        hands=tuple(
            (pay.name, _words(pay.when, submission), pay.pays, "" if alike else words)
            for pay, words in zip(wager.pays, due, strict=True)
        ),
        due=due[0] if alike else "",
        others=option.win_pays if wager is option.raise_ else None,
    )


def list_fees(submission: Submission) -> dict[str, Any] | None:
    """Return the schedule that the filing declares, None without one.

    ``edges`` are exact costs per unit of the wager, the fee included, by filed option.
    """
    schedule = submission.terms.fees
    if schedule is None:
        return None
    return {
        "text": schedule.text,
        "banker": any(band.banker_cents is not None for band in schedule.bands),
        "options": [option.name for option in submission.options],
        "rows": [
            {
                "band": band,
                "share": Fraction(band.cents, band.from_cents),
                "edges": [
                    _add_fee(option, Fraction(band.cents, band.from_cents), submission)
                    for option in submission.options
                ],
            }
            for band in schedule.bands
        ],
    }


def _add_fee(option: MainWager, share: Fraction, submission: Submission) -> Fraction | None:
    """Return the house edge with the fee of a wager, which every round costs in addition.

    None if the figures depend on the wager otherwise, or are not per unit of the wager alone.
    """
    analysis = submission.analyses.get(option.target)
    edge = analysis.house_edge if analysis is not None else None
    if edge is None or option.depends_on_wager or option.posted_amount:
        return None
    return edge + share
