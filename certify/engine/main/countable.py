"""Checks that an option of a main wager can be counted, made before counting."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import chain
from math import lcm

from certify.engine.hands.conditions import count, list_features, predicate
from certify.engine.main.outcomes import (
    DealCounts,
    list_payoffs,
    merge_outcomes,
    read,
    split_outcomes,
)
from certify.errors import NotConfigured
from certify.formatting import money
from certify.kernels.features import LABEL_BITS, LABELS
from certify.model.condition import Condition, asks_as_set
from certify.model.game import Game, HandRules, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, OwnPay
from certify.model.vocabulary import SUIT_FEATURES

SUM_BITS, WORTH_BITS = 62, 20
"""Bits of a sum over all deals in a count, and of a worth where hands are divided."""

QUALIFIES = "/raise/qualifies"
"""Pointer to an option's condition on the dealer's hand for its raise."""


def refuse_uncountable(option: MainWager, *, game: Game, house_way: HouseWay | None = None) -> None:
    """Refuse an option that cannot be counted with the strategy of its game, without counting it.

    What depends on how the dealer's hand is set is not judged without a house way.

    Raises:
        NotConfigured: a term cannot be counted or a condition asks for what classes do not tell;
            no hand of the dealer can qualify for a raise, the rules distinguish too many kinds of
            hands, two results have one name, or the pays have too many digits.
        ImportError: hands are to be set, and an optional package is not installed.
    """
    strategy, divided = game.strategy, game.hands.shape.is_divided
    refuse_terms(option, game=game, strategy=strategy)
    for place, rule in enumerate(option.dealer_rules):
        refuse_undistinguished((rule.when,), pointer=f"/dealer_rules/{place}/when")
    if option.raise_ is not None:
        refuse_undistinguished((option.raise_.qualifies,), pointer=QUALIFIES)
    hands = game.hands if divided else game.hands.compared
    conditions = list_conditions(option, game=game, strategy=strategy)
    if any(map(asks_as_set, (*conditions, *option.own_conditions))) and house_way is None:
        return
    truths = _list_truths(hands, conditions, house_way)
    refuse_impossible(option, truths)
    if divided:
        refuse_many_kinds(truths)
    if is_labeled(option, game=game, strategy=strategy):
        return
    outcomes = [
        outcome
        for truth in truths
        for own_truth in _list_truths(hands, option.own_conditions)
        for action in option.actions
        for rule, qualifies in [read(option, truth)]
        for outcome in split_outcomes(  # of a deal won, one pushed and one lost
            option,
            rule,
            DealCounts(total=3, win=1, lose=1),
            action=action,
            qualifies=qualifies,
            own_hand=option.read_own(own_truth),
        )
    ]
    merge_outcomes(outcomes)
    if divided:
        scale_worths(option, truths, game.hands.deals)
    else:
        find_unit(option, (outcome.net for outcome in outcomes), game.hands.deals)


def _list_truths(
    hands: HandRules, conditions: Sequence[Condition], house_way: HouseWay | None = None
) -> Collection[tuple[bool, ...]]:
    """Return which of the conditions hold together for hands of the deck."""
    features = frozenset[str]().union(*map(list_features, conditions))
    if any(map(asks_as_set, conditions)):
        from certify.engine.hands.as_set import count_as_set  # loads the arrays

        census = count_as_set(hands, house_way, features)
    else:
        census = count(hands, cards=hands.shape.cards, features=features)
    tests = [predicate(condition, census.features) for condition in conditions]
    return {tuple(test(cell) for test in tests) for cell in census.cells}


def refuse_terms(option: MainWager, *, game: Game, strategy: Strategy) -> None:
    """Refuse terms that cannot be counted, whatever the hands of the deck are.

    Raises:
        NotConfigured: a term, or one next to others, is not counted.
    """
    refuse_play(option, game=game, strategy=strategy)
    refuse_unpriced(option)
    refuse_bank(option, game=game)
    refuse_own_hand(option, game=game)


def refuse_play(option: MainWager, *, game: Game, strategy: Strategy) -> None:
    """Refuse play whose best choice is not counted.

    Raises:
        NotConfigured: the option has a raise against a dealer's hand that the player sees, or one
            of no sizes; or divided hands are set or raised optimally for a win that nets less than
            a push.
    """
    raised = option.raise_
    if raised is not None and game.dealer_exposed:
        raise NotConfigured(
            f"{option.target} has a raise against an exposed dealer, which is not counted.",
            remedy="Correct `dealer_exposed` if it is wrong; "
            "otherwise certify cannot count this raise.",
            pointer="/raise",
        )
    if raised is not None and raised.largest is not None and raised.largest <= raised.size:
        raise NotConfigured(
            f"The largest {raised.name} of {option.target}, {raised.largest}, "
            f"is not above the smallest, {raised.size}.",
            remedy="Declare the smallest size as `size` and a larger one as "
            "`largest`, or remove `largest`.",
            pointer="/raise/largest",
        )
    if (
        game.hands.shape.is_divided
        and (raised is not None or strategy is Strategy.OPTIMAL)
        and option.least_win < 0
    ):
        raise NotConfigured(
            f"A win of {option.target} nets less than a push. Optimal play is counted only for "
            "wins that do not cost the player.",
            remedy="Correct the pay or the commission.",
            pointer="/win_pays",
        )


def refuse_unpriced(option: MainWager) -> None:
    """Refuse a fee or a rounded commission whose share of the wager is not known.

    Raises:
        NotConfigured: no wager is stated, it is below the bands of the fee or these do not rise,
            or a rounded commission would be taken of a raise too.
    """
    if not option.depends_on_wager:
        return
    commission, fee = option.commission, option.fee
    if option.raise_ is not None and commission is not None and not commission.exact:
        raise NotConfigured(
            f"{option.target} rounds a commission and has a raise, which is not counted.",
            remedy="Correct the rounding if it is wrong; "
            "otherwise certify cannot count this raise.",
            pointer="/commission",
        )
    starts = [band.from_cents for band in fee.bands] if fee is not None else []
    if starts != sorted(set(starts)):
        raise NotConfigured(
            f"The bands of the fee of {option.target} do not rise.",
            remedy="List them from the smallest wager up, each wager once.",
            pointer="/fee/bands",
        )
    least = starts[0] if starts else 1
    if option.wager_cents is None or option.wager_cents < least:
        raise NotConfigured(
            f"A fee or a rounded commission of {option.target} needs a wager of "
            f"at least {money(least)}, and none is declared.",
            remedy="Declare wager_cents, or use --wager.",
            pointer="/wager_cents" if option.wager_cents is not None else "",
        )


def refuse_bank(option: MainWager, *, game: Game) -> None:
    """Refuse a player's bank if the rules do not define the exchange of seats.

    Raises:
        NotConfigured: the dealer's hand decides more than a comparison or is seen, there is a
            raise, a win is not paid 1 to 1, or the share of rounds is not between none and all.
    """
    if option.bank is None:
        return
    even = option.win_pays.net == 1
    if option.dealer_rules or option.raise_ is not None or game.dealer_exposed or not even:
        raise NotConfigured(
            f"{option.target} lets a player bank. This is counted only for a "
            "concealed dealer and pays of 1 to 1, without dealer rules and "
            "without a raise.",
            remedy="Declare the rounds that a player may bank as a separate option.",
            pointer="/bank",
        )
    if not 0 < option.bank.share <= 1:
        raise NotConfigured(
            f"{option.target}: a player cannot bank {option.bank.share} of the rounds.",
            remedy="Declare a share above 0 and up to 1, such as 1/2.",
            pointer="/bank/share",
        )


def refuse_own_hand(option: MainWager, *, game: Game) -> None:
    """Refuse terms on the player's own hand in a game with set or exposed hands.

    Raises:
        NotConfigured: there are some, a raise with its own pays has a commission, or a condition
            depends on cards that classes do not distinguish.
    """
    if not option.own_conditions:
        return
    pointers = option.own_pointers
    if game.hands.shape.is_divided or game.dealer_exposed:
        raise NotConfigured(
            f"{option.target} has terms for the player's own hand. This is "
            "counted only for undivided hands and a concealed dealer.",
            remedy="Correct `hand` or `dealer_exposed` if one is wrong; "
            "otherwise certify cannot count these terms.",
            pointer=f"/{pointers[0].split('/')[1]}",
        )
    if option.commission is not None and option.raise_ is not None and option.raise_.pays:
        raise NotConfigured(
            f"{option.target} takes a commission and has a raise that pays by the player's hand, "
            "which is not counted.",
            remedy="Correct the commission or the pays if one is wrong; "
            "otherwise certify cannot count them.",
            pointer="/commission",
        )
    for condition, pointer in zip(option.own_conditions, pointers, strict=True):
        refuse_undistinguished((condition,), pointer=pointer)


def refuse_undistinguished(conditions: Iterable[Condition], *, pointer: str = "") -> None:
    """Refuse conditions on the dealer's hand, declared at ``pointer``, that name suits.

    Raises:
        NotConfigured: one does, or its feature is unknown.
    """
    features = frozenset[str]().union(*(list_features(condition) for condition in conditions))
    if features & SUIT_FEATURES:
        raise NotConfigured(
            f"A dealer rule cannot ask for {str(min(features & SUIT_FEATURES))!r}.",
            remedy="Correct the condition if it is wrong: "
            "features of ranks, straights and flushes are counted.",
            pointer=pointer,
        )


def refuse_impossible(option: MainWager, truths: Collection[Sequence[bool]]) -> None:
    """Refuse a raise for which no hand of the dealer qualifies: the last condition never holds.

    Raises:
        NotConfigured: the option has one.
    """
    if option.raise_ is not None and not any(truth[-1] for truth in truths):
        raise NotConfigured(
            f"No hand of the dealer can qualify for {option.raise_.name}: its condition never "
            "holds.",
            remedy="Correct the condition under `qualifies`, or remove the raise.",
            pointer=QUALIFIES,
        )


def refuse_many_kinds(truths: Collection[Sequence[bool]]) -> None:
    """Refuse more kinds of the dealer's hands than a count of divided hands distinguishes.

    Raises:
        NotConfigured: there are more.
    """
    if len(truths) > LABELS:
        raise NotConfigured(
            f"The dealer rules tell more than {LABELS} kinds of hands apart.",
            remedy="Name fewer kinds of hands in the dealer rules of this option.",
            pointer="/dealer_rules",
        )


def find_unit(
    option: MainWager, payoffs: Iterable[Fraction], deals: int, most: int = 1 << SUM_BITS
) -> int:
    """Return the number by which all payoffs become whole: they are counted in such units.

    Raises:
        NotConfigured: a payoff is not below ``most``, or sums of the payoffs over so many deals do
            not fit the arrays of a count.
    """
    listed = [*payoffs]
    unit = lcm(*(payoff.denominator for payoff in listed))
    greatest = max(map(abs, listed)) * unit
    if greatest >= most or greatest * deals >= 1 << SUM_BITS:
        raise NotConfigured(
            f"The pays of {option.target} have too many digits for exact sums.",
            remedy="Declare pays and sizes with smaller numerators and denominators.",
            pointer=max(
                (OwnPay("/win_pays", "", Fraction(1), option.win_pays), *option.own_pays),
                key=lambda pay: sum(pay.payout.amount.as_integer_ratio()),
            ).pointer,
        )
    return unit


def scale_worths(
    option: MainWager, truths: Collection[Sequence[bool]], deals: int
) -> tuple[int, list[list[tuple[Fraction, ...]]]]:
    """Return the payoffs of every action against every kind of dealer hand, and their unit.

    Raises:
        NotConfigured: see `find_unit`.
    """
    by_truth = [list_payoffs(option, truth) for truth in truths]
    worth = [list(of_action) for of_action in zip(*by_truth, strict=True)]
    each = [*chain(*worth)]
    sums = [side + even for win, lose, even in each for side in (win, lose)]
    return find_unit(option, [*chain(*each), *sums], deals, 1 << WORTH_BITS), worth


def is_labeled(option: MainWager, *, game: Game, strategy: Strategy) -> bool:
    """Return True if deals are counted by the dealer's label, not by single hands of the player."""
    weighed = option.raise_ is not None or (
        strategy is Strategy.OPTIMAL and not game.dealer_exposed
    )
    return game.hands.shape.is_divided and not weighed


def list_conditions(option: MainWager, *, game: Game, strategy: Strategy) -> tuple[Condition, ...]:
    """Return the conditions on the dealer's hand that an option is counted with.

    Options that are counted by label have those of their pass; a raise has its own as the last.
    """
    if is_labeled(option, game=game, strategy=strategy):
        return _join_pass(option, game)
    raised = (option.raise_.qualifies,) if option.raise_ is not None else ()
    return (*(rule.when for rule in option.dealer_rules), *raised)


def _join_pass(option: MainWager, game: Game) -> tuple[Condition, ...]:
    """Return the conditions of the options that one pass counts, ``option`` among them.

    The options of the game are taken in declared order, ``option`` in place of the one of its id. A
    pass ends where labels have no bit for the conditions of the next option. An option that depends
    on the dealer's set hand is counted in a separate pass.
    """
    declared = {each.id: each for wager in game.wagers for each in wager.options}
    listed = [each for each in (declared | {option.id: option}).values() if not each.needs_set_hand]
    joined: dict[Condition, None] = {}
    met = False
    for each in [option] if option.needs_set_hand else listed:
        own = dict.fromkeys(rule.when for rule in each.dealer_rules)
        if len(joined | own) > LABEL_BITS:
            if met:
                break
            joined = {}
        joined |= own
        met |= each is option
    return tuple(joined)
