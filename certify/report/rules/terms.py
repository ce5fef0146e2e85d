"""Terms of main wagers in the rules of play: their counted values, and pays by the own hand."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from certify.formatting import exact, join_words, money, size_in_words
from certify.model.condition import ANY_HAND, Condition
from certify.model.main_wager import (
    Bank,
    Companion,
    DealerRule,
    Fold,
    HandBonus,
    HandPay,
    MainWager,
    Outcome,
    Raise,
    RaisePay,
)
from certify.model.paytable import CollectionFee, Payout
from certify.model.submission import Submission
from certify.model.vocabulary import AfterFold, Paid
from certify.report.rules.numbering import PrintedRule, find_marked, rule
from certify.report.wording import name_in_print, pays, together
from certify.words.hands import condition_words

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


def print_terms(
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
            counted=(
                *_name_options(term, submission),
                *describe_counted(term, option, submission),
            ),
        )
        for name, listed in filed.items()
        if (name in OF_RAISE) is of_raise
        for option, term in listed
    )


def _name_options(term: Term, submission: Submission) -> Iterator[str]:
    """Yield the sentence on the options that have a term, unless all filed ones do."""
    filed = submission.options
    having = [each.name for each in filed if any(term == other for _, other in list_terms(each))]
    if len(having) < len(filed):
        yield name_in_print("counted", "option").format(options=join_words(having))


def describe_counted(term: Term, option: MainWager, submission: Submission) -> Iterator[str]:
    """Yield the values of a term that the figures rest on, in words.

    The order of play has the sizes of wagers of undivided hands, of the first option.
    """
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
        case CollectionFee():
            yield _describe_fee(term)
        case Bank(share=share):
            yield name_in_print("counted", "bank").format(share=exact(share))
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


def _describe_fee(fee: CollectionFee) -> str:
    """Return the amounts of a fee by the wager in one sentence."""
    words = name_in_print("counted", "band")
    bands = [
        words.format(fee=money(each.cents), wager=money(each.from_cents)) for each in fee.bands
    ]
    return name_in_print("counted", "fee").format(bands=join_words(bands))


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
