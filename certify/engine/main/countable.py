"""Checks that an option of a main wager can be counted, made before counting."""

from collections.abc import Iterable

from certify.engine.hands.conditions import count, list_features, predicate
from certify.engine.hands.features import SUIT_FEATURES
from certify.errors import NotConfigured
from certify.formatting import money
from certify.model.condition import Condition, asks_as_set
from certify.model.game import Game
from certify.model.main_wager import MainWager, Raise

QUALIFIES = "/raise/qualifies"
"""Pointer to an option's condition on the dealer's hand for its raise."""


def refuse_uncountable(option: MainWager, *, game: Game) -> None:
    """Refuse an option that cannot be counted, whatever the house way.

    Raises:
        NotConfigured: it has a raise and an exposed dealer or of no sizes, a condition asks for
            what classes do not tell, or no hand of the dealer can qualify for the raise.
    """
    refuse_seen_raise(option, game=game)
    refuse_sizes(option)
    refuse_unpriced(option)
    refuse_bank(option, game=game)
    refuse_own_hand(option, game=game)
    for place, rule in enumerate(option.dealer_rules):
        refuse_undistinguished((rule.when,), pointer=f"/dealer_rules/{place}/when")
    if option.raise_ is not None:
        refuse_undistinguished((option.raise_.qualifies,), pointer=QUALIFIES)
        if asks_as_set(option.raise_.qualifies):
            return
        asked = list_features(option.raise_.qualifies)
        hands = game.hands if game.hands.shape.is_divided else game.hands.compared
        census = count(hands, cards=hands.shape.cards, features=asked)
        holds = predicate(option.raise_.qualifies, census.features)
        if not any(holds(cell) for cell in census.cells):
            raise impossible(option.raise_)


def refuse_seen_raise(option: MainWager, *, game: Game) -> None:
    """Refuse a raise against a dealer's hand that the player sees.

    Raises:
        NotConfigured: the option has one.
    """
    if option.raise_ is not None and game.dealer_exposed:
        raise NotConfigured(
            f"{option.target} has a raise against an exposed dealer, which is not counted.",
            remedy="Declare the dealer's hand as concealed.",
            pointer="/raise",
        )


def refuse_sizes(option: MainWager) -> None:
    """Refuse a choice of sizes that is none.

    Raises:
        NotConfigured: the largest raise is not above the least.
    """
    raised = option.raise_
    if raised is not None and raised.largest is not None and raised.largest <= raised.size:
        raise NotConfigured(
            f"The largest {raised.name} of {option.target}, {raised.largest}, "
            f"is not above the smallest, {raised.size}.",
            remedy="Declare the smallest size as `size` and a larger one as "
            "`largest`, or remove `largest`.",
            pointer="/raise/largest",
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
            remedy="Declare the commission without rounding, or remove the raise.",
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
            remedy="Declare the bonus as a separate wager.",
            pointer=f"/{pointers[0].split('/')[1]}",
        )
    if option.commission is not None and option.raise_ is not None and option.raise_.pays:
        raise NotConfigured(
            f"{option.target} takes a commission and has a raise that pays by the player's hand, "
            "which is not counted.",
            remedy="Remove the commission, or the pays of the raise.",
            pointer="/commission",
        )
    for condition, pointer in zip(option.own_conditions, pointers, strict=True):
        refuse_undistinguished((condition,), pointer=pointer)


def refuse_undistinguished(conditions: Iterable[Condition], *, pointer: str = "") -> None:
    """Refuse conditions on the dealer's hand, declared at ``pointer``, that name suits.

    Raises:
        NotConfigured: one does, or its feature is unknown.
    """
    asked = frozenset[str]().union(*(list_features(condition) for condition in conditions))
    if asked & SUIT_FEATURES:
        raise NotConfigured(
            f"A dealer rule cannot ask for {min(asked & SUIT_FEATURES)!r}.",
            remedy="Use features of ranks, straights and flushes.",
            pointer=pointer,
        )


def impossible(raised: Raise) -> NotConfigured:
    """Return the refusal of a raise for which no hand of the dealer qualifies."""
    return NotConfigured(
        f"No hand of the dealer can qualify for {raised.name}: its condition never holds.",
        remedy="Correct the condition under `qualifies`, or remove the raise.",
        pointer=QUALIFIES,
    )
