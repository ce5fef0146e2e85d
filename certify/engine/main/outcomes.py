"""Results of the rounds of a main wager under one option: their pays and counts.

The kernels only compare hands. This module applies the option's dealer rules, pays, commission and
raise to the comparison.

The figures that follow from the number of deals of each result are computed here too, without
arrays.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from certify import __version__
from certify.errors import NotConfigured
from certify.formatting import plain
from certify.model.analysis import (
    Analysis,
    Boundary,
    CostlyHand,
    HouseWayUse,
    KindChanged,
    KindPlayed,
    MainAnalysis,
    RowAnalysis,
)
from certify.model.game import Game, Strategy
from certify.model.main_wager import (
    Action,
    DealerRule,
    HandPay,
    MainWager,
    Outcome,
    OutcomeReason,
    OwnHand,
    Tie,
    Ties,
)


class OutcomeCount(Struct, frozen=True, kw_only=True):
    """One result of a round: the player's net per unit of the main wager, and its count."""

    reason: OutcomeReason
    name: str
    pays: str
    net: Fraction
    deals: int


class OutcomeCounts(Struct, frozen=True, kw_only=True):
    """All results of a round; the deals sum to ``total``. ``uses`` is the house way's audit."""

    total: int
    outcomes: tuple[OutcomeCount, ...]
    uses: tuple[HouseWayUse, ...]
    costly_hands: tuple[CostlyHand, ...] = ()
    played: tuple[KindPlayed, ...] = ()
    changed: tuple[KindChanged, ...] = ()
    boundary: Boundary | None = None


class DealCounts(NamedTuple):
    """Deals against one kind of dealer hand, by the result of the comparison."""

    total: int
    win: int
    lose: int

    @property
    def push(self) -> int:
        """Deals in which each side wins one of the two hands."""
        return self.total - self.win - self.lose


def list_payoffs(option: MainWager, truth: Sequence[bool]) -> list[tuple[Fraction, ...]]:
    """Return the payoffs of a round against one kind of dealer hand, for each action.

    Returns:
        The gain of a win over a push, the loss of a lost round against a push, and the gain of a
        push over a push with the action that is worth least in one.
    """
    rule, qualifies = read(option, truth)
    nets = []
    for action in option.actions:
        settled = [
            split_outcomes(option, rule, DealCounts(1, *of), action=action, qualifies=qualifies)
            for of in ((1, 0), (0, 0), (0, 1))
        ]
        nets.append([outcome.net for outcomes in settled for outcome in outcomes])
    least = min(push for _, push, _ in nets)
    return [(win - push, push - lose, push - least) for win, push, lose in nets]


def read(option: MainWager, truth: Sequence[bool]) -> tuple[DealerRule | None, bool]:
    """Return the dealer rule that decides, and whether the dealer's hand qualifies for a raise."""
    rules = zip(option.dealer_rules, truth, strict=False)
    rule = next((candidate for candidate, holds in rules if holds), None)
    return rule, option.raise_ is not None and bool(truth[-1])


def stake_units(option: MainWager) -> Fraction:
    """Return the stake in a round without a raise, including a commission posted in advance."""
    return 1 + option.posted_amount


def split_outcomes(
    option: MainWager,
    rule: DealerRule | None,
    tally: DealCounts,
    *,
    action: Action = Action(),  # noqa: B008 - frozen
    qualifies: bool = False,
    own_hand: OwnHand = OwnHand(),  # noqa: B008 - immutable
) -> Iterator[OutcomeCount]:
    """Yield the results of the deals of hands with the same terms against one kind of dealer hand.

    ``own_hand`` is what the terms of the option say on the player's hand.
    """
    for outcome in _settle_deals(option, rule, tally, action, qualifies=qualifies):
        if outcome.deals:
            yield _add_own_pays(option, rule, outcome, action, own_hand)


def _add_own_pays(
    option: MainWager,
    rule: DealerRule | None,
    outcome: OutcomeCount,
    action: Action,
    own_hand: OwnHand,
) -> OutcomeCount:
    """Return a result with the pays for the player's own hand."""
    reason, name, pays, net = outcome.reason, outcome.name, outcome.pays, outcome.net
    raised, companion = option.raise_, option.companion
    bonus, raise_pay, companion_pay, _ = option.select_due(own_hand, outcome.reason)
    if raised is not None:
        net += action.size * net_of_raise(option, rule, reason, raise_pay)
        if raise_pay is not None:
            reason = replace(reason, raise_pay=raise_pay.id)
            name, pays = f"{name}: {raise_pay.name}", f"{pays}, {raised.name} {raise_pay.pays}"
    if companion is not None:
        net += companion.size * net_of_companion(reason, companion_pay)
        if companion_pay is not None:
            reason = replace(reason, companion_pay=companion_pay.id)
            name = f"{name}, {companion.name}: {companion_pay.name}"
            pays = f"{pays}, {companion.name} {companion_pay.pays}"
    if bonus is not None:
        reason = replace(reason, bonus=bonus.id)
        name = _extend_name(name, bonus.name)
        pays = f"{pays} and {bonus.pays}"
        net += bonus.pays.net
    return replace(outcome, reason=reason, name=name, pays=pays, net=net)


def net_of_raise(
    option: MainWager, rule: DealerRule | None, reason: OutcomeReason, paid: HandPay | None
) -> Fraction:
    """Return the net of a raise, per unit of it; ``paid`` is the pay for the hand that is due."""
    if paid is not None:
        return paid.pays.net
    return option.win_pays.net if reason.raise_won else _net(option, rule, reason.raise_outcome)


def net_of_companion(reason: OutcomeReason, paid: HandPay | None) -> Fraction:
    """Return the net of a companion wager, per unit of it; ``paid`` as in `net_of_raise`."""
    if paid is not None:
        return paid.pays.net
    return Fraction(-int(reason.folded or (reason.compared and reason.outcome is Outcome.LOSE)))


def _settle_deals(
    option: MainWager,
    rule: DealerRule | None,
    tally: DealCounts,
    action: Action,
    *,
    qualifies: bool,
) -> Iterator[OutcomeCount]:
    """Yield the results of the main wager against one kind of dealer hand."""
    raised = action.size > 0
    raise_won = raised and not qualifies and option.raise_wins_unqualified
    if action.folded:
        yield OutcomeCount(
            reason=OutcomeReason(outcome=Outcome.LOSE, compared=False, folded=True),
            name="Folded",
            pays="loss",
            net=-stake_units(option) - option.fee_rate,
            deals=tally.total,
        )
        return
    if rule is not None and rule.outcome is not None:
        # The round ends before hands are compared, so a raise has no action.
        reason = OutcomeReason(
            outcome=rule.outcome,
            rule=rule.id,
            compared=False,
            raised=raised,
            largest=action.largest,
            qualified=raised and qualifies and option.raise_wins_unqualified,
            raise_won=raise_won,
        )
        yield OutcomeCount(
            reason=reason,
            name=_extend_name(rule.text, _describe_raise(option, reason)),
            pays=option.win_in_words(rule) if rule.outcome is Outcome.WIN else str(rule.outcome),
            net=_net(option, rule, rule.outcome) - option.fee_rate,
            deals=tally.total,
        )
        return
    won, pushed, lost = _name_comparisons(option.ties)
    decided = rule.id if rule is not None else None
    for outcome, by, text, pays, deals in (
        (Outcome.WIN, decided, rule.text if rule else won, option.win_in_words(rule), tally.win),
        (Outcome.PUSH, None, pushed, "push", tally.push),
        (Outcome.LOSE, None, lost, "loss", tally.lose),
    ):
        reason = OutcomeReason(
            outcome=outcome,
            rule=by,
            raised=raised,
            largest=action.largest,
            qualified=raised and qualifies,
            raise_won=raise_won,
        )
        yield OutcomeCount(
            reason=reason,
            name=_extend_name(text, _describe_raise(option, reason)),
            pays=pays,
            net=_net(option, rule, outcome) - option.fee_rate,
            deals=deals,
        )


def _net(option: MainWager, rule: DealerRule | None, outcome: Outcome) -> Fraction:
    """Return the net of the wager, without the fee of every round."""
    nets = {Outcome.WIN: option.net_of_a_win(rule), Outcome.PUSH: Fraction(0)}
    return nets.get(outcome, -stake_units(option))


def _name_comparisons(ties: Ties) -> tuple[str, str, str]:
    """Return the names of a win, a push and a loss by comparison."""
    if ties == Ties():
        return "Both hands won", "One hand won, one lost or tied", "Both hands lost or tied"
    if ties == Ties(high=Tie.PLAYER, low=Tie.PLAYER):
        return "Both hands won or tied", "One hand won or tied, one lost", "Both hands lost"
    return "Won by comparison", "Pushed by comparison", "Lost by comparison"


def _describe_raise(option: MainWager, reason: OutcomeReason) -> str:
    """Return the part of a row's name on a raise that was made."""
    raised = option.raise_
    if raised is None or not reason.raised:
        return ""
    size = ""
    if raised.largest is not None:
        size = f"{plain(raised.largest if reason.largest else raised.size)}x "
    ends = "in action" if reason.is_raised else "wins" if reason.raise_won else "pushes"
    return f"{size}{raised.name} {ends}"


def _extend_name(text: str, more: str) -> str:
    """Return a row's name with an addition; a final period is removed."""
    return f"{text.removesuffix('.')}, {more}" if more else text


def merge_outcomes(outcomes: Sequence[OutcomeCount]) -> tuple[OutcomeCount, ...]:
    """Return one entry for each way to end, wins first, then pushes, then losses.

    Raises:
        NotConfigured: two ways to end that are settled differently have one id.
    """
    by_key: dict[str, OutcomeCount] = {}
    for outcome in outcomes:
        name = outcome.reason.key
        merged = by_key.setdefault(name, replace(outcome, deals=0))
        if (merged.reason, merged.net) != (outcome.reason, outcome.net):
            raise NotConfigured(
                f"Two outcomes of a round have the name {name!r}.",
                remedy="Give the dealer rule or the pay another id.",
            )
        by_key[name] = replace(merged, deals=merged.deals + outcome.deals)
    order = list(Outcome)
    return tuple(sorted(by_key.values(), key=lambda outcome: order.index(outcome.reason.outcome)))


def build_rows(
    option: MainWager, outcomes: Sequence[OutcomeCount], total: int
) -> tuple[RowAnalysis, ...]:
    """Return one row for each way a round can end, in the order of the counts."""
    rows = []
    for outcome in outcomes:
        probability = Fraction(outcome.deals, total)
        rows.append(
            RowAnalysis(
                event=outcome.reason.key,
                name=outcome.name,
                pays=outcome.pays,
                combinations=outcome.deals,
                probability=probability,
                contribution=probability * outcome.net / stake_units(option),
                reason=outcome.reason,
            )
        )
    return tuple(rows)


def settle_rows(option: MainWager, rows: Iterable[RowAnalysis]) -> tuple[RowAnalysis, ...]:
    """Return rows of another form of an option, such as one at another wager, with its results."""
    rows = tuple(rows)
    outcome_of = _find_outcomes(option, [row.event for row in rows])
    return tuple(
        replace(
            row,
            contribution=row.probability * outcome_of[row.event].net / stake_units(option),
        )
        for row in rows
    )


def compute_edge(rows: Sequence[RowAnalysis]) -> Fraction:
    """Return the house edge."""
    return -sum((row.contribution for row in rows), Fraction(0))


def compute_variance(rows: Sequence[RowAnalysis], edge: Fraction) -> Fraction:
    """Return the variance of the result of a round."""
    squares = (
        row.probability * (row.contribution / row.probability) ** 2
        for row in rows
        if row.combinations
    )
    return sum(squares, Fraction(0)) - edge**2


def sum_outcomes(outcomes: Sequence[OutcomeCount]) -> Mapping[Outcome, int]:
    """Return the sums over reasons: every round is won, pushed or lost."""
    sums = dict.fromkeys(Outcome, 0)
    for outcome in outcomes:
        sums[outcome.reason.outcome] += outcome.deals
    return sums


def analyze_deals(
    option: MainWager,
    deals: Mapping[str, int],
    *,
    game: Game,
    house_way: str,
    strategy: Strategy,
) -> Analysis:
    """Return the figures of an option whose deals were counted before.

    Args:
        option: the option.
        deals: the deals by the key of their outcome; those without deals may be left out.
        game: the game.
        house_way: the id of the house way by which the deals were counted.
        strategy: the player's strategy by which they were counted.

    Raises:
        NotConfigured: a key is no outcome of the option, or the deals are not those of the game.
    """
    outcome_of = _find_outcomes(option, deals)
    unknown = sorted(deals.keys() - outcome_of.keys())
    if unknown:
        raise NotConfigured(f"{unknown[0]} is no outcome of {option.target}.")
    if sum(deals.values()) != game.hands.deals:
        raise NotConfigured(
            f"The rows have {sum(deals.values()):,} deals, and the game has {game.hands.deals:,}."
        )
    outcomes = [replace(outcome_of[key], deals=number) for key, number in deals.items() if number]
    rows = build_rows(option, outcomes, game.hands.deals)
    edge = compute_edge(rows)
    return Analysis(
        target=option.target,
        game=option.game,
        wager=option.wager,
        paytable=option.id,
        total=game.hands.deals,
        rows=rows,
        hit_frequency=sum((row.probability for row in rows if row.contribution > 0), Fraction(0)),
        assumptions=(),
        inputs=(),
        engine_version=__version__,
        return_to_player=1 - edge,
        house_edge=edge,
        variance=compute_variance(rows, edge),
        main=MainAnalysis(
            outcomes={str(name): number for name, number in sum_outcomes(outcomes).items()},
            house_way=house_way,
            strategy=strategy,
            dealer_rule_hands=(),
        ),
    )


Pays = tuple[HandPay | None, ...]
"""The pays of a raise, a companion wager and a bonus for the player's own hand, in this order."""


def _find_outcomes(option: MainWager, keys: Iterable[str]) -> dict[str, OutcomeCount]:
    """Return the results of a round that these keys name; an unknown key is omitted.

    Only the pays that a key names are tried: together they could be many.
    """
    parts = (
        ("raise", option.raise_pays),
        ("companion", option.companion_pays),
        ("bonus", option.bonus),
    )
    list_outcomes = cache(lambda pays: {each.reason.key: each for each in _settle(option, pays)})
    outcome_of: dict[str, OutcomeCount] = {}
    for key in keys:
        for pays in _read_pays(key, parts):
            outcome = list_outcomes(pays).get(key)
            if outcome is not None:
                outcome_of[key] = outcome
    return outcome_of


def _read_pays(key: str, parts: Sequence[tuple[str, Sequence[HandPay]]]) -> Iterator[Pays]:
    """Yield each way to read the end of a key as the ids of pays; None where it names none."""
    if not parts:
        yield ()
        return
    *before, (name, pays) = parts
    for pay in (None, *pays):
        end = f"_{name}_{pay.id}" if pay is not None else ""
        if key.endswith(end):
            yield from ((*read, pay) for read in _read_pays(key.removesuffix(end), before))


def _settle(option: MainWager, pays: Pays) -> Iterator[OutcomeCount]:
    """Yield every result that a round with these pays may have; some can never happen."""
    raise_pay, companion_pay, bonus = pays
    own_hand = OwnHand(bonus=bonus, raise_pay=raise_pay, companion_pay=companion_pay)  # type: ignore[arg-type] # in the order of the parts
    for rule in (*option.dealer_rules, None):
        for action, qualifies in product(option.actions, (False, True)):
            yield from split_outcomes(  # of a deal won, one pushed and one lost
                option,
                rule,
                DealCounts(3, 1, 1),
                action=action,
                qualifies=qualifies,
                own_hand=own_hand,
            )
