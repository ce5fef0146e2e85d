"""Settlement of one round of the main wager."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from certify.engine.hands.conditions import predicate
from certify.engine.house_way.audit import SetKeys
from certify.explanations.hands import reason_not_held
from certify.formatting import money
from certify.kernels.features import Shape
from certify.model.condition import FeatureValue
from certify.model.explanation import (
    FOLD,
    BonusPaid,
    CompanionExplanation,
    HandComparison,
    PlayChoice,
    RaiseExplanation,
    RuleTrial,
    Settlement,
)
from certify.model.main_wager import (
    Companion,
    DealerRule,
    HandBonus,
    HandPay,
    MainWager,
    Outcome,
    OwnHand,
    Tie,
    Ties,
)
from certify.words.rankings import ranking_words

COMPARED = {
    2: "The player wins both hands.",
    1: "Each side wins one of the hands.",
    0: "The dealer wins both hands.",
}
"""Words by the number of hands that the player wins, if each hand has a winner."""

ENDED = {
    Outcome.WIN: "The wager wins.",
    Outcome.PUSH: "The wager pushes.",
    Outcome.LOSE: "The wager loses.",
}

ALONE = {
    Outcome.WIN: "The player's hand is higher.",
    Outcome.LOSE: "The dealer's hand is higher.",
}
ALONE_COPY = {
    Tie.DEALER: "The hands tie, and the dealer wins a tie.",
    Tie.PLAYER: "The hands tie, and the player wins a tie.",
    Tie.OTHER_HAND: "The hands tie, which pushes the wager.",
    Tie.PUSH: "The hands tie, which pushes the wager.",
}
"""Words for the comparison of undivided hands."""

COPIES = {
    Tie.DEALER: "which the dealer wins",
    Tie.PLAYER: "which the player wins",
    Tie.OTHER_HAND: "which decides nothing",
    Tie.PUSH: "which pushes the wager",
}


def dealer_rule_trials(
    option: MainWager, features: Mapping[str, FeatureValue], *, undivided: int = 0
) -> tuple[RuleTrial, ...]:
    """Return each dealer rule of an option with whether the dealer's hand meets it.

    ``undivided``: see `reason_not_held`.
    """
    trials = []
    for rule in option.dealer_rules:
        holds = predicate(rule.when, tuple(features))(tuple(features.values()))
        trials.append(
            RuleTrial(
                rule=rule.id,
                text=rule.text,
                holds=holds,
                reason="the dealer's hand meets it"
                if holds
                else reason_not_held(rule.when, features, undivided=undivided),
                source=rule.source,
            )
        )
    return tuple(trials)


def settle(
    option: MainWager,
    *,
    shape: Shape,
    dealer_features: Mapping[str, FeatureValue],
    dealer: SetKeys,
    player: SetKeys,
    features: Mapping[str, FeatureValue],
    played: PlayChoice | None = None,
) -> Settlement:
    """Return the result of a round under one option, per unit of the main wager.

    ``features`` are those of the player's hand, ``played`` is the player's action; if it is None, a
    raise is settled as if it was made.
    """
    if played is not None and played.action == FOLD:
        pays, net = _pay(option, None, Outcome.LOSE)
        return Settlement(
            outcome=Outcome.LOSE,
            pays=pays,
            net=net - option.fee_rate,
            comparisons=(),
            decided_by="",
            text="Best play folds this hand, so the main wager loses.",
            companion=_settle_companion(option.companion, None, lost=True),
        )
    rule = _first(option.dealer_rules, dealer_features)
    comparisons = _compare(shape, player, dealer, option.ties)
    outcome = option.ties.outcome(
        _sign(player.back, dealer.back), _sign(player.front, dealer.front)
    )
    text = _describe_comparison(comparisons, option.ties, outcome)
    decided = ""
    if rule is not None and rule.outcome is not None:
        outcome, decided, text, comparisons = rule.outcome, rule.id, rule.text, ()
    elif rule is not None and outcome is Outcome.WIN:
        decided, text = rule.id, f"{text} {rule.text}"
    pays, net = _pay(option, rule, outcome)
    mine = read_own(option, features) if option.own_conditions else OwnHand()
    if option.fee is not None and option.wager_cents is not None:
        text += (
            f" The collection fee of {money(option.fee.find_fee(option.wager_cents) or 0)} is paid."
        )
    return Settlement(
        outcome=outcome,
        pays=pays,
        net=net - option.fee_rate,
        comparisons=comparisons,
        decided_by=decided,
        text=text,
        raise_=_raise(option, dealer_features, rule, outcome, net, mine=mine, played=played),
        bonus=_bonus(mine.bonus),
        companion=_settle_companion(
            option.companion,
            mine.companion_pay,
            lost=bool(comparisons) and outcome is Outcome.LOSE,
        ),
    )


def read_own(option: MainWager, features: Mapping[str, FeatureValue]) -> OwnHand:
    """Return the terms of an option that apply to a hand of the player."""
    names, cell = tuple(features), tuple(features.values())
    return option.read_own([predicate(when, names)(cell) for when in option.own_conditions])


def _bonus(bonus: HandBonus | None) -> BonusPaid | None:
    if bonus is None:
        return None
    return BonusPaid(name=bonus.name, pays=str(bonus.pays), net=bonus.pays.net, source=bonus.source)


def _settle_companion(
    companion: Companion | None, paid: HandPay | None, *, lost: bool
) -> CompanionExplanation | None:
    if companion is None:
        return None
    net = paid.pays.net if paid is not None else Fraction(-1 if lost else 0)
    return CompanionExplanation(
        name=companion.name,
        hand=paid.name if paid is not None else "",
        pays=str(paid.pays) if paid is not None else "loss" if lost else "push",
        net=companion.size * net,
        source=companion.source,
    )


def _first(rules: Sequence[DealerRule], features: Mapping[str, FeatureValue]) -> DealerRule | None:
    names, cell = tuple(features), tuple(features.values())
    return next((rule for rule in rules if predicate(rule.when, names)(cell)), None)


def _describe_comparison(
    comparisons: Sequence[HandComparison], ties: Ties, outcome: Outcome
) -> str:
    """Return the comparison of the hands in words, and the treatment of copies."""
    copies = [comparison for comparison in comparisons if comparison.copy]
    if len(comparisons) == 1:
        return ALONE_COPY[comparisons[0].tie or Tie.DEALER] if copies else ALONE[outcome]
    if ties.both_push and len(copies) == len(comparisons):
        return "Both hands are copies: the wager pushes."
    taken = {comparison.tie for comparison in copies} <= {None, Tie.PLAYER}
    won = sum(comparison.player_wins for comparison in comparisons)
    return " ".join(
        [
            COMPARED[won] if taken else ENDED[outcome],
            *(
                f"The {comparison.name} is a copy, {COPIES[comparison.tie or Tie.DEALER]}."
                for comparison in copies
            ),
        ]
    )


def _sign(mine: int, theirs: int) -> int:
    return (mine > theirs) - (mine < theirs)


def _compare(
    shape: Shape, player: SetKeys, dealer: SetKeys, ties: Ties
) -> tuple[HandComparison, ...]:
    return tuple(
        HandComparison(
            part=part,
            player=ranking_words(mine, shape),
            dealer=ranking_words(theirs, shape),
            player_wins=mine > theirs or (mine == theirs and tie is Tie.PLAYER),
            copy=mine == theirs,
            tie=tie if mine == theirs and tie is not Tie.DEALER else None,
        )
        for part, mine, theirs, tie in (
            ("back", player.back, dealer.back, ties.high),
            ("front", player.front, dealer.front, ties.low),
        )
        if part == "back" or shape.front
    )


def _pay(option: MainWager, rule: DealerRule | None, outcome: Outcome) -> tuple[str, Fraction]:
    """Return the pay in the trade's words and the net result."""
    if outcome is Outcome.PUSH:
        return "push", Fraction(0)
    if outcome is Outcome.LOSE:
        return (
            "loss, with the posted commission" if option.posted_amount else "loss",
            -1 - option.posted_amount,
        )
    return option.win_in_words(rule), option.net_of_a_win(rule)


def _raise(
    option: MainWager,
    features: Mapping[str, FeatureValue],
    rule: DealerRule | None,
    outcome: Outcome,
    net: Fraction,
    *,
    mine: OwnHand,
    played: PlayChoice | None,
) -> RaiseExplanation | None:
    raise_, paid, companion = option.raise_, mine.raise_pay, option.companion
    if raise_ is None or (played is not None and not played.size):
        return None
    qualifies = predicate(raise_.qualifies, tuple(features))(tuple(features.values()))
    ended = rule is not None and rule.outcome is not None
    in_action = qualifies and not ended
    wins = not qualifies and option.raise_wins_unqualified
    if wins:
        reason = f"The dealer's hand does not qualify, so {raise_.name} wins."
    elif in_action:
        reason = f"The dealer's hand qualifies, so {raise_.name} is settled with the main wager."
    elif ended:
        reason = f"The main wager ended without a comparison, so {raise_.name} is returned."
    else:
        reason = f"The dealer's hand does not qualify, so {raise_.name} is returned."
    in_play = net if in_action else option.win_pays.net if wins else Fraction(0)
    if paid is not None and in_play > 0:
        in_play = paid.pays.net
        reason += f" {raise_.name} pays {paid.pays} for {paid.name}."
    if raise_.fold is not None and played is None:
        lost = f" and {companion.name} lose" if companion is not None else " loses"
        reason += f" Without {raise_.name} the hand is folded, and the main wager{lost}."
    largest = raise_.largest if played is None and mine.may_enlarge else None
    return RaiseExplanation(
        name=raise_.name if played is None else played.name,
        in_action=in_action,
        outcome=Outcome.WIN if wins else outcome if in_action else Outcome.PUSH,
        net=in_play * (raise_.size if played is None else played.size),
        reason=reason,
        source=raise_.source,
        largest_net=in_play * largest if largest is not None else None,
    )
