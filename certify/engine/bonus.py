"""Exact returns of a bonus paytable: each row's contribution, meters, dynamic pays, envy prizes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from msgspec import Struct

from certify import __version__
from certify.engine.conventions import convention, load_words
from certify.engine.hands.awards import row_counts
from certify.engine.hands.conditions import find
from certify.engine.joint_tables import evaluate_envy, merge_paytables
from certify.engine.meters import evaluate_progressive
from certify.errors import NotConfigured
from certify.model.analysis import (
    Analysis,
    DynamicAnalysis,
    DynamicRow,
    Input,
    RowAnalysis,
)
from certify.model.condition import Event
from certify.model.encoding import Progress
from certify.model.game import Game, HandRules, HandShape, Wager
from certify.model.house_way import HouseWay
from certify.model.paytable import (
    Award,
    Basis,
    DynamicDraw,
    EnvyTable,
    HandOf,
    Meter,
    Payout,
    Paytable,
    by_holder,
)
from certify.model.source import Source, Statement
from certify.model.vocabulary import AfterFold, HandPart

DRAW = "draw-open"
"""The id under which a paytable may declare the same of its draw itself."""


def assumptions(
    paytable: Paytable,
    events: Sequence[Event] = (),
    *,
    hands: HandRules,
    house_way: HouseWay | None = None,
    envy: EnvyTable | None,
    game_assumptions: Sequence[Statement],
    wager_cents: int | None = None,
) -> tuple[Statement, ...]:
    """Return the declared assumptions, then those of the count; a declared id is not repeated.

    ``events`` are those of the rows, ``house_way`` the one that sets the hands that they look at,
    ``wager_cents`` the wager that envy prizes are counted at; the qualifying one if None.
    """
    by_id: dict[str, Statement] = {}
    counted = [
        *_state_counts(paytable, events, hands, as_set=house_way is not None),
        *_state_house_way(paytable, events, house_way, hands.shape),
        *_envy(envy, wager_cents),
    ]
    for statement in (*game_assumptions, *paytable.assumptions, *counted):
        by_id.setdefault(statement.id, statement)
    return tuple(by_id.values())


def state_fold(wager: Wager, game: Game) -> Iterator[Statement]:
    """Yield the statement on a wager that a fold loses."""
    folds = any(option.has_fold for option in game.options)
    if folds and wager.after_fold is AfterFold.LOSES:
        yield convention("after-fold", wager.source)


def _state_counts(
    paytable: Paytable, events: Sequence[Event], hands: HandRules, *, as_set: bool
) -> Iterator[Statement]:
    deck, source, draw = hands.deck, paytable.source, paytable.dynamic
    deal = ("deal", "deal.joker", "deal.jokers")[deck.joker] if deck.decks == 1 else "deal.shoe"
    yield convention("deal", source, deal, held=paytable.cards, cards=deck.cards, decks=deck.decks)
    if by_holder(paytable, events):
        yield convention("together", source, "together.by_holder", held=paytable.cards)
    elif paytable.hand is HandOf.TOGETHER:
        yield convention("together", source, held=paytable.cards, complete=hands.shape.back)
    if deck.joker:
        rule = "joker-rule" if deck.joker == 1 else "jokers-rule"
        yield convention("joker-rule", source, f"{rule}.{hands.joker}")
    award = f"award.{paytable.award}"
    if paytable.also or paytable.joined:
        award = "award.joined"
    elif as_set:
        award = f"{award}.as_set"
    elif not hands.shape.is_divided and paytable.award is Award.FIRST_ROW_CONTAINED:
        award = f"{award}.undivided"
    yield convention("award", source, award)
    if paytable.progressive is not None:
        yield convention("base-wager", source)
        yield from _long_run(paytable.meters, source)
    if draw is not None:
        yield convention(DRAW, source, least=draw.minimum_rows, most=draw.maximum_rows)


def _long_run(meters: Sequence[Meter], source: Source) -> Iterator[Statement]:
    known = [m for m in meters if m.seed_cents is not None and m.increment is not None]
    if known:
        yield convention("long-run", source)
    if any(meter.reserve for meter in known):
        yield convention("long-run-reserve", source)
    for overflow in dict.fromkeys(m.overflow for m in known if m.cap_cents is not None):
        name = overflow or "open"
        yield convention(f"long-run-overflow-{name}", source)


def _state_house_way(
    paytable: Paytable, events: Sequence[Event], house_way: HouseWay | None, shape: HandShape
) -> Iterator[Statement]:
    if house_way is not None:
        yield convention("set-hands", paytable.source, house_way=house_way.name)
    if any(HandPart.WHOLE in deal.results for event in events for deal in event.deals):
        words = "best-hands" if shape.is_divided else "best-hands.undivided"
        yield convention("best-hands", paytable.source, words, best=shape.back)


def _envy(envy: EnvyTable | None, wager_cents: int | None) -> Iterator[Statement]:
    if envy is not None:
        qualifying = wager_cents in {None, envy.qualifying_wager_cents}
        yield convention(
            "envy-wager",
            envy.source,
            called=envy.called,
            wager=load_words(f"envy-wager.{'qualifying' if qualifying else 'given'}"),
            players=load_words(f"envy-wager.{envy.hands_of}"),
            also=_other_hands(envy),
        )


def _other_hands(envy: EnvyTable) -> str:
    """Return the words on the hands that are paid besides those of the other players."""
    own = ".own" if envy.pays_on_own_hand else ""
    dealer = ".dealer" if envy.pays_on_dealer_hand else ""
    return load_words(f"envy-wager.also{own}{dealer}") if envy.other_hands else ""


def evaluate_dynamic(
    paytable: Paytable, probabilities: Sequence[Fraction]
) -> DynamicAnalysis | None:
    """Return the change of return by each dynamic pay, and the range over all allowed draws.

    A draw takes some of the rows that have dynamic pays, each with any one of its pays; how likely
    a draw is, no source says. Which row a hand is awarded does not depend on the draw. None for a
    paytable without dynamic pays.

    Raises:
        NotConfigured: more rows are to be drawn than have dynamic pays, or more than may be.
    """
    if paytable.dynamic is None:
        return None
    rows = tuple(
        DynamicRow(
            event=row.event,
            name=row.name,
            default=str(row.payout),
            pays=tuple(map(str, row.dynamic)),
            change=tuple(chance * (pay.net - row.payout.net) for pay in row.dynamic),
        )
        for row, chance in zip(paytable.rows, probabilities, strict=False)
        if row.dynamic
    )
    if paytable.dynamic.maximum_rows > len(rows):
        raise NotConfigured(
            f"{paytable.target} draws {paytable.dynamic.maximum_rows} of {len(rows)} rows.",
            remedy="Draw at most as many rows as have dynamic pays.",
        )
    if paytable.dynamic.minimum_rows > paytable.dynamic.maximum_rows:
        raise NotConfigured(
            f"{paytable.target} draws at least {paytable.dynamic.minimum_rows} rows and at most "
            f"{paytable.dynamic.maximum_rows}.",
            remedy="Swap or correct the two numbers.",
        )
    return DynamicAnalysis(
        rows=rows,
        least=min(_sums(paytable.dynamic, sorted(min(row.change) for row in rows))),
        greatest=max(
            _sums(paytable.dynamic, sorted((max(row.change) for row in rows), reverse=True))
        ),
    )


def _sums(draw: DynamicDraw, changes: Sequence[Fraction]) -> list[Fraction]:
    """Return the sums of the first changes, for each number of rows that may be drawn."""
    sums = list(accumulate(changes, initial=Fraction(0)))
    return sums[draw.minimum_rows : draw.maximum_rows + 1]


ALL_OTHER = "all_other"
"""The id of the row that is never declared: every hand that no row takes."""

LOSS = Payout(basis=Basis.LOSS)


class Share(Struct, frozen=True, kw_only=True):
    """One row's share of all hands and its net pay; None if a meter is not given."""

    payout: Payout
    combinations: int
    probability: Fraction
    net: Fraction | None


def evaluate(
    paytable: Paytable,
    *,
    events: Mapping[str, Event],
    hands: HandRules,
    house_way: HouseWay | None = None,
    envy: EnvyTable | None = None,
    meters: Mapping[str, Fraction] | None = None,
    players: int = 6,
    wager_cents: int | None = None,
    inputs: Sequence[Input] = (),
    game_assumptions: Sequence[Statement] = (),
    progress: Progress | None = None,
) -> Analysis:
    """Evaluate a paytable exactly, per unit staked.

    Args:
        paytable: the declared paytable.
        events: the event vocabulary, highest ranking hand first.
        hands: the deck, the hands and the joker's rule.
        house_way: sets the hands if a row depends on how they are set; None if no row does.
        envy: the envy or community table that goes with the wager.
        meters: levels of progressive meters in units of the base wager, by level id.
        players: the greatest number of bettors for which the edge with envy is given.
        wager_cents: the wager at which envy prizes are valued; the qualifying one if None.
        inputs: the files that the figures depend on.
        game_assumptions: assumptions of the game, printed with those of the paytable.
        progress: called with the number of counted hands.

    A hit is a positive net pay; a row that pays a meter of unknown level counts as one. The
    variance is that of the wager itself, without envy prizes. A wager that several tables pay has a
    row for each combination of their rows (`merge_paytables`).

    Raises:
        NotConfigured: an event, a feature or a meter is unknown.
    """
    paytable, events = merge_paytables(paytable, events, hands=hands, house_way=house_way)
    levels = dict(meters or {})
    _check_meters(paytable, levels)
    total, counts = row_counts(
        paytable, events=events, hands=hands, house_way=house_way, progress=progress
    )
    shares = _shares(paytable, total, counts, levels)
    edge, chances = _edge(shares), [share.probability for share in shares]
    return Analysis(
        target=paytable.target,
        game=paytable.game,
        wager=paytable.wager,
        paytable=paytable.id,
        total=total,
        rows=_rows(paytable, shares),
        hit_frequency=_hit_frequency(shares),
        assumptions=assumptions(
            paytable,
            find(events, [row.event for row in paytable.rows]),
            hands=hands.for_wager(paytable),
            house_way=house_way,
            envy=envy,
            game_assumptions=game_assumptions,
            wager_cents=wager_cents,
        ),
        inputs=tuple(inputs),
        engine_version=__version__,
        return_to_player=None if edge is None else 1 - edge,
        house_edge=edge,
        variance=None if edge is None else _variance(shares),
        top_award=_top_award(paytable),
        house_way=house_way.id if house_way else None,
        envy=evaluate_envy(
            envy,
            events=events,
            hands=hands.for_wager(paytable),
            cards=paytable.cards,
            house_edge=edge,
            players=players,
            wager_cents=wager_cents,
        ),
        progressive=evaluate_progressive(paytable, chances, levels, hands.deck, players),
        dynamic=evaluate_dynamic(paytable, chances),
    )


def _edge(shares: Sequence[Share]) -> Fraction | None:
    """Return the house edge; None if a meter of unknown level determines it."""
    returns = [share.probability * share.net for share in shares if share.net is not None]
    return -sum(returns, start=Fraction(0)) if len(returns) == len(shares) else None


def _hit_frequency(shares: Sequence[Share]) -> Fraction:
    won = (share.probability for share in shares if share.net is None or share.net > 0)
    return sum(won, start=Fraction(0))


def _top_award(paytable: Paytable) -> Fraction:
    """Return the greatest net pay of any row, including dynamic pays."""
    pays = (pay for row in paytable.rows for pay in (row.payout, *row.dynamic))
    return max((pay.net for pay in pays), default=LOSS.net)


def _check_meters(paytable: Paytable, levels: Mapping[str, Fraction]) -> None:
    declared = (
        [meter.level for meter in paytable.progressive.meters] if paytable.progressive else []
    )
    for level in levels:
        if level not in declared:
            raise NotConfigured(
                f"{paytable.target} has no meter {level!r}.",
                remedy=f"Use one of: {', '.join(declared)}." if declared else "Omit --meter.",
            )


def _shares(
    paytable: Paytable, total: int, counts: Sequence[int], levels: Mapping[str, Fraction]
) -> tuple[Share, ...]:
    """Return the share of every row and, last, of all other hands."""
    payouts = [*(row.payout for row in paytable.rows), LOSS]
    hands = [*counts, total - sum(counts)]
    return tuple(
        Share(
            payout=payout,
            combinations=number,
            probability=Fraction(number, total),
            net=_net(payout, levels),
        )
        for payout, number in zip(payouts, hands, strict=True)
    )


def _net(payout: Payout, levels: Mapping[str, Fraction]) -> Fraction | None:
    if payout.basis is not Basis.METER:
        return payout.net
    level = levels.get(payout.meter or "")
    return None if level is None else payout.net + payout.amount * level


def _rows(paytable: Paytable, shares: Sequence[Share]) -> tuple[RowAnalysis, ...]:
    names = [*((row.event, row.name) for row in paytable.rows), (ALL_OTHER, "All other")]
    return tuple(
        RowAnalysis(
            event=event,
            name=name,
            pays=str(share.payout),
            combinations=share.combinations,
            probability=share.probability,
            contribution=share.probability * (share.payout.net if share.net is None else share.net),
            weight=share.probability * share.payout.amount if share.net is None else None,
        )
        for (event, name), share in zip(names, shares, strict=True)
    )


def _variance(shares: Sequence[Share]) -> Fraction:
    nets = [(share.probability, share.net or Fraction(0)) for share in shares]
    mean = sum((chance * net for chance, net in nets), start=Fraction(0))
    return sum((chance * net**2 for chance, net in nets), start=Fraction(0)) - mean**2
