"""What of a main wager's option cannot be counted, said before anything is."""

from collections.abc import Iterable

from certify.engine.hands.census import count
from certify.engine.hands.conditions import features_of, predicate
from certify.engine.hands.features import FEATURES, SUIT_FEATURES
from certify.errors import NotConfigured
from certify.model.condition import Condition
from certify.model.game import Game
from certify.model.main_wager import MainWager, Raise

QUALIFIES = "/raise/qualifies"
"""Where an option declares which hands of the dealer qualify for its raise."""


def refuse_uncountable(option: MainWager, *, game: Game) -> None:
    """Refuse an option that cannot be counted, whatever the house way.

    Raises:
        NotConfigured: it has a raise and an exposed dealer, a condition asks for what classes do
            not tell, or no hand of the dealer can qualify for the raise.
    """
    refuse_seen_raise(option, game=game)
    for place, rule in enumerate(option.dealer_rules):
        refuse_untold((rule.when,), pointer=f"/dealer_rules/{place}/when")
    if option.raise_ is not None:
        refuse_untold((option.raise_.qualifies,), pointer=QUALIFIES)
        asked = features_of(option.raise_.qualifies)
        census = count(game.hands, cards=game.hands.shape.cards, features=asked)
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


def refuse_untold(conditions: Iterable[Condition], *, pointer: str = "") -> None:
    """Refuse conditions on the dealer's hand, declared at ``pointer``, on suits or hands as set.

    Raises:
        NotConfigured: one does, or asks for what is no feature.
    """
    asked = frozenset[str]().union(*(features_of(condition) for condition in conditions))
    unknown = asked & SUIT_FEATURES or asked - FEATURES.keys()
    if unknown:
        raise NotConfigured(
            f"A dealer rule cannot ask for {min(unknown)!r}.",
            remedy="Use features of ranks, straights and flushes.",
            pointer=pointer,
        )


def impossible(raised: Raise) -> NotConfigured:
    """Return the refusal of a raise for which no hand of the dealer qualifies."""
    return NotConfigured(
        f"No hand of the dealer can qualify for {raised.name}: its condition never holds.",
        remedy="Correct the condition under qualifies, or leave the raise out.",
        pointer=QUALIFIES,
    )
