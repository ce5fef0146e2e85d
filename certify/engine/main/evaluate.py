"""Evaluate one option of a main wager over every deal, with its assumptions in words.

The dealer sets by the house way. The player sets by a house way, the same or another, or optimally
by what the player can see: the dealer's set hand if it is exposed, otherwise only the player's own
cards.

An assumption that a game declares replaces the one with the same id here.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from certify import __version__
from certify.engine.conventions import convention
from certify.engine.main.counts import outcome_counts
from certify.engine.main.dealer_labels import Labeling
from certify.engine.main.outcomes import (
    OutcomeCounts,
    build_rows,
    compute_edge,
    compute_variance,
    sum_outcomes,
)
from certify.errors import InvariantBroken, NotConfigured
from certify.formatting import exact, money, plain, size_in_words
from certify.model.analysis import (
    Analysis,
    BankAnalysis,
    EdgeAtWager,
    Input,
    MainAnalysis,
    RowAnalysis,
)
from certify.model.encoding import Progress
from certify.model.game import Game, Strategy, is_allowed
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager, Outcome, Tie, Ties
from certify.model.source import Statement
from certify.model.vocabulary import AfterFold
from certify.words.hands import ties_in_words

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
    by_id: dict[str, Statement] = {}
    declared = (*game.assumptions, *option.assumptions, *house_way.assumptions)
    counted = (*_hands(option, game), *_state_play(option, game, house_way, strategy, player))
    for statement in (*declared, *counted, *_state_charges(option)):
        by_id.setdefault(statement.id, statement)
    return tuple(by_id.values())


def _hands(option: MainWager, game: Game) -> Iterator[Statement]:
    """Yield the statements on the ranking of hands and on ties."""
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
    for name, text in ties_in_words(option.ties, divided=hands.shape.is_divided).items():
        yield Statement(id=name, text=text, source=source)


def _state_play(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None,
) -> Iterator[Statement]:
    """Yield the statements on how both sides set their hands and on raises."""
    shape = game.hands.shape
    if shape.is_divided:
        yield from _set(option, game, house_way, strategy, player)
    elif not shape.is_whole:
        yield convention("base-best-cards", option.source, best=str(shape.back))
    raised = option.raise_
    if raised is not None:
        words = f"base-raise{'.fold' * bool(raised.fold)}{'.sizes' * bool(raised.largest)}"
        words += ".limited" * (raised.largest_when is not None)
        yield convention(
            "base-raise",
            raised.source,
            words,
            raised=raised.name,
            size=plain(raised.size),
            largest=plain(raised.largest or raised.size),
        )
        if raised.largest_when is not None:
            yield convention("base-raise-largest", raised.source, raised=raised.name)
        won = raised.not_qualified is Outcome.WIN
        if won or any(rule.outcome for rule in option.dealer_rules):
            returned = won and raised.is_returned_by(option.dealer_rules)
            words = f"base-raise-ended{'.won' * won}{'.returned' * returned}"
            yield convention("base-raise-ended", raised.source, words, raised=raised.name)
        if shape.dealer_shows:
            yield convention("base-dealer-shows", raised.source)
    if option.companion is not None:
        companion = option.companion
        size = size_in_words(companion.size)
        words = f"base-companion{'.plays' * (companion.after_fold is AfterFold.PLAYS)}"
        yield convention(
            "base-companion", companion.source, words, companion=companion.name, size=size
        )
    if option.bonus:
        yield convention("base-hand-bonus", option.bonus[0].source)


def _set(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    player: HouseWay | None,
) -> Iterator[Statement]:
    """Yield the statements on how both sides set their hands."""
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


def _state_charges(option: MainWager) -> Iterator[Statement]:
    """Yield the statements on a commission and a fee."""
    source, commission = option.source, option.commission
    if commission is not None:
        if commission.prepaid:
            raised = option.raise_
            words = "base-prepaid.raised" if raised is not None else "base-prepaid"
            yield convention("base-prepaid", source, words, raised=raised.name if raised else "")
        if commission.exact:
            yield convention("exact-commission", source)
        else:
            yield convention(
                "rounded-commission",
                source,
                commission=str(commission),
                wager=_name_counted_wager(option),
            )
    if option.bank is not None:
        ties = option.ties.mirror
        both = ties == Ties(high=Tie.PLAYER, low=Tie.PLAYER)
        words = "base-bank" if both else "base-bank.mirrored"
        yield convention("base-bank", source, words, share=exact(option.bank.share))
    if option.fee is not None and option.wager_cents is not None:
        fee = money(option.fee.find_fee(option.wager_cents) or 0)
        yield convention("collection-fee", source, fee=fee, wager=_name_counted_wager(option))


def _name_counted_wager(option: MainWager) -> str:
    """Return the wager that figures are counted for."""
    return money(option.wager_cents or 0)


def evaluate(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    inputs: Sequence[Input] = (),
    player: HouseWay | None = None,
    base: Labeling | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Evaluate one option of a main wager exactly, per unit of the main wager.

    ``player`` is the house way of a player whose strategy is one; the dealer's if None. ``base``
    is a play with cached counts: only the differences from it are counted.

    A prepaid commission is part of the stake: returns are per unit of wager and commission. With a
    raise, returns are per unit of the first wager, and the element of risk per unit of the total
    wagered.

    Raises:
        NotConfigured: the house way does not fit the game, or is not valid.
        InvariantBroken: the outcomes do not sum to the number of deals, or there is a tie of low
            hands in a game without low hands.
    """
    for way in (house_way, player or house_way):
        _refuse_another_size(way, game)
    _refuse_two_hands(option, game)
    count = partial(
        outcome_counts,
        game=game,
        house_way=house_way,
        strategy=strategy,
        player=player,
        base=base,
        progress=progress,
    )
    counts = count(option)
    rows = build_rows(option, counts.outcomes, counts.total)
    if sum(row.combinations for row in rows) != game.hands.deals:
        raise InvariantBroken("The outcomes do not sum to the number of deals.")
    edge = compute_edge(rows)
    main = _main(option, counts, rows, house_way, strategy)
    return Analysis(
        target=option.target,
        game=option.game,
        wager=option.wager,
        paytable=option.id,
        total=counts.total,
        rows=rows,
        hit_frequency=sum((row.probability for row in rows if row.contribution > 0), Fraction(0)),
        assumptions=assumptions(
            option, game=game, house_way=house_way, strategy=strategy, player=player
        ),
        inputs=tuple(inputs),
        engine_version=__version__,
        return_to_player=1 - edge,
        house_edge=edge,
        variance=compute_variance(rows, edge),
        top_award=max(row.contribution / row.probability for row in rows if row.combinations),
        main=replace(
            main,
            by_wager=tuple(
                EdgeAtWager(
                    wager_cents=cents,
                    house_edge=compute_edge(build_rows(other, scaled.outcomes, scaled.total)),
                )
                for cents in _deciding_wagers(option, game, strategy)
                for other in [option.scale_to(cents)]
                for scaled in [count(other)]
            ),
            bank=_bank(option, edge, count),
        ),
    )


def _main(
    option: MainWager,
    counts: OutcomeCounts,
    rows: Sequence[RowAnalysis],
    house_way: HouseWay,
    strategy: Strategy,
) -> MainAnalysis:
    wagered = _average_wager(option, counts)
    return MainAnalysis(
        outcomes={str(name): count for name, count in sum_outcomes(counts.outcomes).items()},
        house_way=house_way.id,
        strategy=strategy,
        dealer_rule_hands=counts.uses if house_way.id else (),
        average_wager=wagered,
        element_of_risk=compute_edge(rows) / wagered if wagered is not None else None,
        costly_hands=counts.costly_hands,
        played=counts.played,
        changed=counts.changed,
        boundary=counts.boundary,
    )


def _bank(
    option: MainWager, edge: Fraction, count: Callable[[MainWager], OutcomeCounts]
) -> BankAnalysis | None:
    """Return the rounds that a player banks; ``edge`` is of those that the dealer banks."""
    if option.bank is None:
        return None
    banked, share = option.banked_wager, option.bank.share
    counts = count(banked)
    rows = build_rows(banked, counts.outcomes, counts.total)
    return BankAnalysis(
        share=share,
        rows=rows,
        house_edge=compute_edge(rows),
        combined_edge=(1 - share) * edge + share * compute_edge(rows),
    )


def _refuse_two_hands(option: MainWager, game: Game) -> None:
    """Refuse ties of a low hand in a game without one; valid files have none.

    Raises:
        InvariantBroken: a tie of low hands would decide something.
    """
    none = replace(option.ties, low=Tie.OTHER_HAND, both_push=False)
    if not game.hands.shape.is_divided and option.ties != none:
        raise InvariantBroken(f"{option.target} has ties of a low hand, and there is no low hand.")


def _deciding_wagers(option: MainWager, game: Game, strategy: Strategy) -> tuple[int, ...]:
    """Return the other wagers, ascending, at which the house edge is given.

    Empty if every hand is set and raised by best play, which may differ from wager to wager.
    """
    best = strategy is Strategy.OPTIMAL and not game.dealer_exposed
    if not option.depends_on_wager or option.raise_ is not None or best:
        return ()
    wager = next(each for each in game.wagers if each.id == option.wager)
    least, largest = wager.minimum_cents, wager.maximum_cents
    return tuple(
        cents
        for cents in sorted({option.wager_cents or 0, *option.deciding_wagers, least or 0})
        if cents
        and is_allowed(cents, least, largest)
        and (option.fee is None or option.fee.find_fee(cents) is not None)
        and (strategy is not Strategy.OPTIMAL or option.scale_to(cents).least_win >= 0)
    )


def _refuse_another_size(way: HouseWay, game: Game) -> None:
    """Refuse a house way for other hands than the game deals.

    Raises:
        NotConfigured: it does not fit.
    """
    shape = game.hands.shape
    if (way.cards, way.front) != (shape.cards, shape.front):
        raise NotConfigured(
            f"The house way {way.id!r} sets {way.cards} cards with {way.front} "
            f"in the low hand; {game.name} deals {shape.cards} with "
            f"{shape.front} in the low hand.",
            remedy=f"Choose one of: {', '.join(game.house_ways)}.",
        )


def _average_wager(option: MainWager, counts: OutcomeCounts) -> Fraction | None:
    """Return the average total wager of a round; None without a raise."""
    raised, companion = option.raise_, option.companion
    if raised is None:
        return None
    wagered = sum(
        outcome.deals * (raised.largest or raised.size if outcome.reason.largest else raised.size)
        for outcome in counts.outcomes
        if outcome.reason.raised
    )
    before = 1 + (companion.size if companion is not None else 0)
    return before + Fraction(wagered, counts.total)
