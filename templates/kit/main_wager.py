"""The main wager: what the outcomes of all deals pay under one declared option."""

from fractions import Fraction

OPPOSITE = {"dealer": "player", "player": "dealer"}


def net(pays):
    """Return what a pay such as ``1 to 1`` brings beyond the stake."""
    amount, basis, units = pays.split()
    return Fraction(int(amount), int(units)) - (basis == "for")


def taken(commission, units, wager):
    """Return what a commission takes of an amount, in units of the wager as the amount is."""
    rate = Fraction(commission["rate"].rstrip("%")) / 100
    least, unit = commission.get("minimum_cents", 0), commission.get("unit_cents")
    if wager is None or (unit is None and not least):
        return rate * units
    share = rate * units * wager
    if unit is not None:
        parts = share / unit
        rounding = commission.get("rounding", "up")
        whole = {"up": -(-parts // 1), "down": parts // 1, "nearest": (2 * parts + 1) // 2}
        share = Fraction(whole[rounding] * unit)
    return max(share, Fraction(least)) / wager


def posted(option):
    """Return the commission that is posted in advance, per unit of the wager."""
    commission = option.get("commission", {})
    if not commission.get("prepaid"):
        return Fraction(0)
    return taken(commission, Fraction(1), option.get("wager_cents"))


def fee(option):
    """Return the fee of every round, per unit of the wager."""
    wager = option.get("wager_cents")
    bands = option.get("fee", {}).get("bands", ())
    reached = [band["cents"] for band in bands if wager and band["from_cents"] <= wager]
    return Fraction(reached[-1], wager) if reached else Fraction(0)


def win(option, rule):
    """Return what a win brings, less the commission on it."""
    pays = net((rule or {}).get("win_pays", option["win_pays"]))
    commission = option.get("commission")
    if commission is None or commission.get("prepaid"):
        return pays
    return pays - taken(commission, pays, option.get("wager_cents"))


def rows(option, outcomes, conditions):
    """Return, by the id of each way to end, its outcome, its deals and what it brings.

    ``outcomes`` are by the dealer's hand, ``conditions`` what its truths are about. What a row
    brings is per unit that is staked.
    """
    listed = {}
    staked = 1 + posted(option)

    def add(name, outcome, deals, brings):
        _, known, _ = listed.get(name, (outcome, 0, 0))
        listed[name] = outcome, known + deals, (brings - fee(option)) / staked

    for label in outcomes:
        true = [condition for condition, holds in zip(conditions, label.truths) if holds]
        rule = next((r for r in option.get("dealer_rules", ()) if r["when"] in true), None)
        if rule and "outcome" in rule:
            ends = {"win": win(option, rule), "push": Fraction(0), "lose": -staked}
            add(rule["id"], rule["outcome"], label.total, ends[rule["outcome"]])
            continue
        add(rule["id"] if rule else "win", "win", label.win, win(option, rule))
        add("push", "push", label.total - label.win - label.lose, Fraction(0))
        add("lose", "lose", label.lose, -staked)
    return listed


def mirrored(ties):
    """Return who takes a tie where the player banks: what was the dealer's is the player's."""
    hands = {hand: ties.get(hand, "dealer") for hand in ("high", "low")}
    return {**ties, **{hand: OPPOSITE.get(tie, tie) for hand, tie in hands.items()}}
