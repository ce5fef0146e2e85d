"""Exact returns of a bonus paytable: what every row contributes, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify import __version__
from certify.engine.bonus.assumptions import assumptions
from certify.engine.bonus.dynamic import evaluate_dynamic
from certify.engine.bonus.envy import evaluate_envy
from certify.engine.bonus.joint import joint
from certify.engine.bonus.progressive import evaluate_progressive
from certify.engine.hands.awards import row_counts
from certify.engine.hands.conditions import find
from certify.errors import NotConfigured
from certify.model.analysis import Analysis, Input, RowAnalysis
from certify.model.condition import Event
from certify.model.game import HandRules
from certify.model.house_way import HouseWay
from certify.model.payout import Basis, Payout
from certify.model.paytable import EnvyTable, Paytable
from certify.model.progress import Progress
from certify.model.source import Statement

ALL_OTHER = "all_other"
"""The id of the row that is never declared: every hand that no row takes."""

LOSS = Payout(basis=Basis.LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One row's share of all hands and what it pays, net; None where a meter is not given."""

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
    stated: Sequence[Statement] = (),
    progress: Progress | None = None,
) -> Analysis:
    """Evaluate a paytable exactly, per unit staked.

    Args:
        paytable: the declared paytable.
        events: the event vocabulary, highest ranking hand first.
        hands: the deck, the hands and the joker's rule.
        house_way: sets the hands of which a row asks how they are set; None if no row does.
        envy: the envy or community table that goes with the wager.
        meters: levels of progressive meters in units of the base wager, by level id.
        players: the greatest number of bettors for which the edge with envy is given.
        wager_cents: the wager that envy prizes are priced at; the qualifying one if None.
        inputs: the files the figures rest on.
        stated: assumptions of the game, to be printed beside those of the paytable.
        progress: is told how many hands are counted.

    A hit is a positive net pay; a row that pays a meter of unknown level counts as one. The
    variance is that of the wager itself, without envy prizes. A wager that several tables pay has a
    row for each way to be paid by them (`joint`).

    Raises:
        NotConfigured: an event, a feature or a meter is unknown.
    """
    paytable, events = joint(paytable, events, hands=hands, house_way=house_way)
    levels = dict(meters or {})
    _check_meters(paytable, levels)
    total, counts = row_counts(
        paytable, events=events, hands=hands, house_way=house_way, progress=progress
    )
    shares = _shares(paytable, total, counts, levels)
    edge = _edge(shares)
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
            hands=hands,
            house_way=house_way,
            envy=envy,
            stated=stated,
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
            hands=hands,
            cards=paytable.cards,
            house_edge=edge,
            players=players,
            wager_cents=wager_cents,
        ),
        progressive=evaluate_progressive(paytable, [s.probability for s in shares], levels),
        dynamic=evaluate_dynamic(paytable, [s.probability for s in shares]),
    )


def _edge(shares: Sequence[Share]) -> Fraction | None:
    """Return the house edge; None where a meter of unknown level decides it."""
    returns = [share.probability * share.net for share in shares if share.net is not None]
    return -sum(returns, start=Fraction(0)) if len(returns) == len(shares) else None


def _hit_frequency(shares: Sequence[Share]) -> Fraction:
    won = (share.probability for share in shares if share.net is None or share.net > 0)
    return sum(won, start=Fraction(0))


def _top_award(paytable: Paytable) -> Fraction:
    """Return the greatest net pay of any row, the pays that a draw can set in among them."""
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
                remedy=f"Known: {', '.join(declared)}." if declared else "Leave --meter out.",
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
    return sum((chance * (net - mean) ** 2 for chance, net in nets), start=Fraction(0))
