"""Settlement of one round of the main wager."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from certify.engine.house_way.audit import SetKeys
from certify.engine.main.outcomes import DealCounts, net_of_companion, net_of_raise, split_outcomes
from certify.explanations.hands import condition_holds, reason_not_held
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
from certify.model.game import HandRules
from certify.model.main_wager import (
    Action,
    DealerRule,
    MainWager,
    Outcome,
    OutcomeReason,
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
    option: MainWager, features: Mapping[str, FeatureValue], hands: HandRules
) -> tuple[RuleTrial, ...]:
    """Return each dealer rule of an option with whether the dealer's hand meets it."""
    undivided, joker = hands.shape.undivided, hands.deck.joker > 0
    trials = []
    for rule in option.dealer_rules:
        holds = condition_holds(rule.when, features)
        trials.append(
            RuleTrial(
                rule=rule.id,
                text=rule.text,
                holds=holds,
                reason="the dealer's hand meets it"
                if holds
                else reason_not_held(rule.when, features, undivided=undivided, joker=joker),
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
    mine = read_own(option, features) if option.own_conditions else OwnHand()
    if played is not None and played.action == FOLD:
        reason = OutcomeReason(outcome=Outcome.LOSE, compared=False, folded=True)
        pays, net = _pay(option, None, Outcome.LOSE)
        return Settlement(
            outcome=Outcome.LOSE,
            pays=pays,
            net=net - option.fee_rate,
            comparisons=(),
            decided_by="",
            text="Best play folds this hand, so the main wager loses.",
            companion=_settle_companion(option, reason, mine),
        )
    rule = next(
        (rule for rule in option.dealer_rules if condition_holds(rule.when, dealer_features)), None
    )
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
    raised, made = option.raise_, option.raise_ is not None and (played is None or played.size > 0)
    holds = raised is not None and condition_holds(raised.qualifies, dealer_features)
    tally = DealCounts(1, int(outcome is Outcome.WIN), int(outcome is Outcome.LOSE))
    action = Action(size=Fraction(int(made)))
    (ended,) = split_outcomes(option, rule, tally, action=action, qualifies=holds)
    reason = ended.reason
    bonus = option.select_due(mine, reason).bonus
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
        raise_=_raise(option, rule, reason, mine, played),
        bonus=BonusPaid(
            name=bonus.name, pays=str(bonus.pays), net=bonus.pays.net, source=bonus.source
        )
        if bonus is not None
        else None,
        companion=_settle_companion(option, reason, mine),
    )


def read_own(option: MainWager, features: Mapping[str, FeatureValue]) -> OwnHand:
    """Return the terms of an option that apply to a hand of the player."""
    return option.read_own([condition_holds(when, features) for when in option.own_conditions])


def _settle_companion(
    option: MainWager, reason: OutcomeReason, mine: OwnHand
) -> CompanionExplanation | None:
    companion, paid = option.companion, option.select_due(mine, reason).companion_pay
    if companion is None:
        return None
    net = net_of_companion(reason, paid)
    return CompanionExplanation(
        name=companion.name,
        hand=paid.name if paid is not None else "",
        pays=str(paid.pays) if paid is not None else "loss" if net else "push",
        net=companion.size * net,
        source=companion.source,
    )


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
    rule: DealerRule | None,
    reason: OutcomeReason,
    mine: OwnHand,
    played: PlayChoice | None,
) -> RaiseExplanation | None:
    raise_ = option.raise_
    if raise_ is None or not reason.raised:
        return None
    if reason.raise_won:
        text = f"The dealer's hand does not qualify, so {raise_.name} wins."
    elif reason.is_raised:
        text = f"The dealer's hand qualifies, so {raise_.name} is settled with the main wager."
    elif not reason.compared:
        text = f"The main wager ended without a comparison, so {raise_.name} is returned."
    else:
        text = f"The dealer's hand does not qualify, so {raise_.name} is returned."
    paid = option.select_due(mine, reason).raise_pay
    if paid is not None:
        text += f" {raise_.name} pays {paid.pays} for {paid.name}."
    net = net_of_raise(option, rule, reason, paid)
    largest = raise_.largest if played is None and mine.may_enlarge else None
    return RaiseExplanation(
        name=raise_.name if played is None else played.name,
        in_action=reason.is_raised,
        outcome=reason.raise_outcome if paid is None else Outcome.WIN,
        net=net * (raise_.size if played is None else played.size),
        reason=text,
        source=raise_.source,
        largest_net=net * largest if largest is not None else None,
    )
