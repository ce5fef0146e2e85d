"""How many deals end in which way, for one option, house way and strategy of a base game.

All options of a game are counted in one pass: the dealer's hands are labelled by which conditions
of any option they meet, and an option only adds labels up. A concealed dealer and optimal play are
the exception, as the best setting depends on what the option pays.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np

from certify.engine.base_classes import deal, dealer_labels
from certify.engine.count_cache import kept
from certify.engine.house_way_audit import card_name, settings_of
from certify.errors import NotConfigured
from certify.model.analysis import CostlyHand, HouseWayUse
from certify.model.cards import JOKER, RANKS
from certify.model.condition import Condition
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import DealerRule, MainWager, Outcome

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """One way a round can end: what the player nets per unit of the main wager, and how often.

    ``raised`` says that a raise was made, whether it had action or not.
    """

    id: str
    name: str
    pays: str
    outcome: Outcome
    net: Fraction
    deals: int
    raised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """Every way a round can end; the deals sum to ``total``. ``uses`` is the house way's audit."""

    total: int
    outcomes: tuple[OutcomeCount, ...]
    uses: tuple[HouseWayUse, ...]
    costly_hands: tuple[CostlyHand, ...] = ()


class Tally(NamedTuple):
    """Deals against one kind of dealer hand, by what the comparison of hands says."""

    total: int
    win: int
    lose: int

    @property
    def push(self) -> int:
        """Deals in which each side wins one of the two hands."""
        return self.total - self.win - self.lose


def outcome_counts(
    option: MainWager,
    *,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    progress: Progress | None = None,
) -> OutcomeCounts:
    """Count every deal of a base game.

    Raises:
        NotConfigured: the house way is not sound, or the game has a raise and an exposed dealer.
    """
    if option.raise_ is not None and game.dealer_exposed:
        raise NotConfigured(
            f"{option.target} has a raise against an exposed dealer, which is not counted.",
            remedy="Declare the dealer's hand as concealed.",
        )
    concealed = not game.dealer_exposed
    if option.raise_ is not None or (concealed and strategy is Strategy.OPTIMAL):
        return _per_hand(option, game, house_way, strategy, progress)
    return _per_label(option, game, house_way, strategy, progress)


def _per_label(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    progress: Progress | None,
) -> OutcomeCounts:
    """Count all options of the game in one pass, and add up the labels of this one."""
    options = _options(game, option)
    conditions = tuple(rule.when for one in options for rule in one.dealer_rules)
    start = sum(
        len(one.dealer_rules) for one in options[: [one.id for one in options].index(option.id)]
    )
    found = kept(
        ("fixed or exposed", game.hands, conditions, house_way, strategy),
        lambda: _count_labels(game, house_way, strategy, conditions, progress),
    )
    outcomes: list[OutcomeCount] = []
    for truths, *counts in found["labels"]:
        mine = truths[start : start + len(option.dealer_rules)]
        rule = next((r for r, holds in zip(option.dealer_rules, mine, strict=True) if holds), None)
        outcomes += _settled(option, rule, Tally(*counts))
    return OutcomeCounts(
        total=sum(label[1] for label in found["labels"]),
        outcomes=_merged(outcomes),
        uses=tuple(HouseWayUse(rule=rule, hands=hands) for rule, hands in found["uses"]),
    )


def _count_labels(
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    conditions: tuple[Condition, ...],
    progress: Progress | None,
) -> dict[str, Any]:
    dealt = deal(game.hands)
    from certify.kernels.events import fixed_points, set_hands, staircase_points
    from certify.kernels.pairs import count_pairs

    labels, truths = dealer_labels(game.hands, conditions)
    way = settings_of(house_way, dealt.classes, dealt.settings)
    dealer = set_hands(dealt.settings, way.setting, labels)
    if strategy is Strategy.OPTIMAL:
        points = staircase_points(dealt.settings, dealer)
    else:
        points = fixed_points(dealer, dealer)
    with ThreadPoolExecutor(_workers()) as executor:
        counts = count_pairs(dealt.classes, dealer, points, executor=executor, progress=progress)
    return {
        "labels": [
            [list(truth), counts.total[place], counts.win[place], counts.lose[place]]
            for place, truth in enumerate(truths)
        ],
        "uses": [[use.rule, use.decided] for use in way.uses],
    }


def _per_hand(
    option: MainWager,
    game: Game,
    house_way: HouseWay,
    strategy: Strategy,
    progress: Progress | None,
) -> OutcomeCounts:
    """Count one option hand by hand, each set and raised as is best for it."""
    found = kept(
        ("hand by hand", game.hands, option, house_way),
        lambda: _count_hands(option, game, house_way, progress),
    )
    play = found["optimal" if strategy is Strategy.OPTIMAL else "house"]
    outcomes: list[OutcomeCount] = []
    for raised, channels in enumerate(play):
        for truths, (win, lose, total) in zip(found["truths"], channels, strict=True):
            rule, qualifies = _read(option, truths)
            tally = Tally(total, win, lose)
            outcomes += _settled(option, rule, tally, raised=bool(raised), qualifies=qualifies)
    return OutcomeCounts(
        total=sum(one.deals for one in outcomes),
        outcomes=_merged(outcomes),
        uses=tuple(
            HouseWayUse(
                rule=rule,
                hands=hands,
                differs_from_optimal=differs,
                cost=Fraction(cost, found["scale"]),
            )
            for rule, hands, differs, cost in found["uses"]
        ),
        costly_hands=tuple(
            CostlyHand(
                cards=tuple(cards), house_front=house, best_front=best, cost=Fraction(cost, scale)
            )
            for cards, house, best, cost, scale in found["worst"]
        ),
    )


def _count_hands(
    option: MainWager, game: Game, house_way: HouseWay, progress: Progress | None
) -> dict[str, Any]:
    dealt = deal(game.hands)
    from certify.kernels.concealed import count_concealed
    from certify.kernels.concealed_plan import Worth
    from certify.kernels.events import set_hands

    conditions = [rule.when for rule in option.dealer_rules]
    if option.raise_ is not None:
        conditions.append(option.raise_.qualifies)
    labels, truths = dealer_labels(game.hands, conditions)
    way = settings_of(house_way, dealt.classes, dealt.settings)
    worths = [_worths(option, truth) for truth in truths]
    unit = lcm(*(value.denominator for worth in worths for value in worth))
    scaled = [[int(value * unit) for value in worth] for worth in worths]
    with ThreadPoolExecutor(_workers()) as executor:
        counts = count_concealed(
            dealt.classes,
            dealt.settings,
            set_hands(dealt.settings, way.setting, labels),
            way.setting.astype(np.int64),
            way.rule.astype(np.int64),
            Worth(*(tuple(column) for column in zip(*scaled, strict=True))),
            executor=executor,
            progress=progress,
        )
    pairs = sum(total for raised in counts.optimal for _, _, total in raised)
    cards_left = game.hands.deck.cards - dealt.shape.hand
    return {
        "truths": [list(truth) for truth in truths],
        "optimal": [[list(channel) for channel in raised] for raised in counts.optimal],
        "house": [[list(channel) for channel in raised] for raised in counts.house],
        "scale": pairs * unit,
        "worst": [
            [
                [card_name(card, dealt.shape) for card in one.cards],
                front_name(one.house[1], dealt.shape.ranks),
                front_name(one.best[1], dealt.shape.ranks),
                one.cost,
                unit * comb(cards_left, dealt.shape.hand),
            ]
            for one in counts.worst
        ],
        "uses": [
            [use.rule, use.decided, hands, cost]
            for use, hands, cost in zip(way.uses, counts.rule_hands, counts.rule_cost, strict=True)
        ],
    }


def front_name(key: int, ranks: int) -> str:
    """Return the ranks of a front by its key, such as ``A-K``; a joker above an ace is ``Jk``."""
    digits = [key >> (4 * place) & 15 for place in (4, 3, 2, 1, 0)]
    names = {digit: RANKS[len(RANKS) - ranks + digit - 1] for digit in range(1, ranks + 1)}
    return "-".join(names.get(digit, JOKER) for digit in digits if digit)


def _worths(option: MainWager, truth: Sequence[bool]) -> tuple[Fraction, ...]:
    """Return what winning gains and losing costs against one kind of dealer hand, then raised."""
    rule, qualifies = _read(option, truth)
    if rule is not None and rule.outcome is not None:
        return (Fraction(0),) * 4
    size = option.raise_.size if option.raise_ is not None and qualifies else Fraction(0)
    win, lose = _win_net(option, rule), -_lose_net(option)
    return win, lose, size * win, size * lose


def _read(option: MainWager, truth: Sequence[bool]) -> tuple[DealerRule | None, bool]:
    """Return the dealer rule that decides, and whether the dealer's hand qualifies for a raise."""
    rules = zip(option.dealer_rules, truth, strict=False)
    rule = next((one for one, holds in rules if holds), None)
    return rule, option.raise_ is not None and bool(truth[-1])


def _win_net(option: MainWager, rule: DealerRule | None) -> Fraction:
    pays = rule.win_pays if rule is not None and rule.win_pays is not None else option.win_pays
    if option.commission is not None and not option.commission.prepaid:
        return pays.net * (1 - option.commission.rate)
    return pays.net


def _lose_net(option: MainWager) -> Fraction:
    if option.commission is not None and option.commission.prepaid:
        return -(1 + option.commission.rate)
    return Fraction(-1)


def _settled(
    option: MainWager,
    rule: DealerRule | None,
    tally: Tally,
    *,
    raised: bool = False,
    qualifies: bool = False,
) -> Iterator[OutcomeCount]:
    """Yield how the deals against one kind of dealer hand end."""
    if rule is not None and rule.outcome is not None:
        net = Fraction(0) if rule.outcome is Outcome.PUSH else _lose_net(option)
        yield OutcomeCount(
            id=rule.id,
            name=rule.text,
            pays=str(rule.outcome),
            outcome=rule.outcome,
            net=net,
            deals=tally.total,
            raised=raised,
        )
        return
    action = 1 + option.raise_.size if option.raise_ is not None and raised and qualifies else 1
    suffix, words = _raise_words(option, raised=raised, qualifies=qualifies)
    win = "win" if rule is None else rule.id
    commission = option.commission
    rate = f" less {commission.rate * 100}%" if commission and not commission.prepaid else ""
    pays = rule.win_pays if rule is not None and rule.win_pays is not None else option.win_pays
    for name, text, paid, outcome, net, deals in (
        (win, rule.text if rule else "Both hands won", f"{pays}{rate}", Outcome.WIN,
         _win_net(option, rule) * action, tally.win),
        ("push", "One hand won, one lost or tied", "push", Outcome.PUSH, Fraction(0), tally.push),
        ("lose", "Both hands lost or tied", "loss", Outcome.LOSE, _lose_net(option) * action,
         tally.lose),
    ):  # fmt: skip
        yield OutcomeCount(
            id=name + suffix,
            name=text + words,
            pays=paid,
            outcome=outcome,
            net=net,
            deals=deals,
            raised=raised,
        )


def _raise_words(option: MainWager, *, raised: bool, qualifies: bool) -> tuple[str, str]:
    if option.raise_ is None or not raised:
        return "", ""
    if qualifies:
        return "_raised", f", {option.raise_.name} in action"
    return "_raised_not_qualified", f", {option.raise_.name} pushes"


def _merged(outcomes: Sequence[OutcomeCount]) -> tuple[OutcomeCount, ...]:
    """Return one entry for each way to end, wins first, then pushes, then losses."""
    merged: dict[str, OutcomeCount] = {}
    for one in outcomes:
        known = merged.get(one.id)
        deals = one.deals + (known.deals if known else 0)
        merged[one.id] = OutcomeCount(
            id=one.id, name=one.name, pays=one.pays, outcome=one.outcome, net=one.net,
            deals=deals, raised=one.raised,
        )  # fmt: skip
    order = list(Outcome)
    return tuple(sorted(merged.values(), key=lambda one: order.index(one.outcome)))


def _options(game: Game, option: MainWager) -> tuple[MainWager, ...]:
    """Return the game's options in declared order, with this one in the place of its id."""
    declared = [one for wager in game.wagers for one in wager.options]
    if option.id not in [one.id for one in declared]:
        declared.append(option)
    return tuple(option if one.id == option.id else one for one in declared)


def _workers() -> int:
    return os.cpu_count() or 1
