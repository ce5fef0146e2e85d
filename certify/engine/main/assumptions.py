"""What the figures of a main wager take for granted, said beside them.

An assumption that a game may declare itself has the id of the declared one, and what is declared
goes before.
"""

from collections.abc import Iterator

from certify.engine.conventions import convention
from certify.formatting import exact, money
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Tie, Ties
from certify.model.source import Statement

HOUSE_WAY = "house-way-open"

WHEEL = "A-2-3-4-5"
"""The straight with a low ace; a shorter one ends before."""


def assumptions(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None = None,
) -> tuple[Statement, ...]:
    """Return the declared assumptions, the house way's, then those of the count."""
    said: dict[str, Statement] = {}
    declared = (*game.assumptions, *option.assumptions, *house_way.assumptions)
    counted = (*_hands(option, game), *_played(option, game, house_way, strategy, player))
    for statement in (*declared, *counted, *_charged(option)):
        said.setdefault(statement.id, statement)
    return tuple(said.values())


def _hands(option: MainWager, game: Game) -> Iterator[Statement]:
    """Yield how hands rank and who takes ties."""
    source = option.source
    if game.hands.deck.joker:
        several = "s" if game.hands.deck.joker > 1 else ""
        yield convention("base-joker", source, f"base-joker{several}.{game.hands.joker}")
    hands = game.hands
    if hands.ranking is not None:
        order = ", ".join(name.replace("_", " ") for name in hands.ranking.highest_first)
        yield convention("base-ranking", hands.ranking.source, order=order)
    run = WHEEL[: 2 * hands.shape.back - 1]
    yield convention("base-wheel", source, f"base-wheel.{hands.wheel}", run=run)
    if not hands.shape.divided:
        yield convention("base-copies", source, f"base-copies.undivided.{option.ties.high}")
    elif option.ties == Ties():
        yield convention("base-copies", source)
    else:
        for hand, tie in (("high", option.ties.high), ("low", option.ties.low)):
            yield convention(f"base-copies-{hand}", source, f"base-copies.{tie}", hand=hand)
        if option.ties.both_push:
            yield convention("base-copies-both", source)


def _played(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None,
) -> Iterator[Statement]:
    """Yield how both sides set their hands, and when a raise is made."""
    if game.hands.shape.divided:
        yield from _set(option, game, house_way, strategy, player)
    raised = option.raise_
    if raised is not None:
        words = f"base-raise{'.fold' * bool(raised.fold)}{'.sizes' * bool(raised.largest)}"
        yield convention(
            "base-raise",
            raised.source,
            words,
            raised=raised.name,
            size=exact(raised.size),
            largest=exact(raised.largest or raised.size),
        )
        if any(rule.outcome for rule in option.dealer_rules):
            yield convention("base-raise-ended", raised.source, raised=raised.name)
    if option.bonus:
        yield convention("base-hand-bonus", option.bonus[0].source)


def _set(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None,
) -> Iterator[Statement]:
    """Yield how both sides set their hands."""
    source = option.source
    yield convention(
        HOUSE_WAY if house_way.id == game.house_way else f"{HOUSE_WAY}.{house_way.id}",
        house_way.source,
        HOUSE_WAY,
        house_way=house_way.name,
    )
    seen = "exposed" if game.dealer_exposed else "concealed"
    if strategy is Strategy.HOUSE_WAY and player is not None and player != house_way:
        text = "strategy.other-house-way"
        yield convention("strategy-other-house-way", source, text, house_way=player.name)
    else:
        played = strategy if strategy is Strategy.HOUSE_WAY else seen
        text = f"strategy.{played}"
        yield convention(f"strategy-{strategy}", source, text, house_way=house_way.name)


def _charged(option: MainWager) -> Iterator[Statement]:
    """Yield how a commission and a fee are counted."""
    source, commission = option.source, option.commission
    if commission is not None:
        if commission.prepaid:
            yield convention("base-prepaid", source)
        if commission.exact:
            yield convention("exact-commission", source)
        else:
            yield convention(
                "rounded-commission", source, commission=str(commission), wager=_counted_for(option)
            )
    if option.bank is not None:
        ties = option.ties.mirrored
        both = ties == Ties(high=Tie.PLAYER, low=Tie.PLAYER)
        words = "base-bank" if both else "base-bank.mirrored"
        yield convention("base-bank", source, words, share=exact(option.bank.share))
    if option.fee is not None and option.wager_cents is not None:
        fee = money(option.fee.of(option.wager_cents) or 0)
        yield convention("collection-fee", source, fee=fee, wager=_counted_for(option))


def _counted_for(option: MainWager) -> str:
    """Return the wager that figures are counted for."""
    return money(option.wager_cents or 0)
