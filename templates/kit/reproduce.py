#!/usr/bin/env python3
"""Recompute the figures of a submission from the cards up, and compare them with what is stated.

Standard library only (Python 3.10 or newer); nothing of `certify` is used. Run it where the kit was
unzipped:

    python3 reproduce.py            (or: python3 reproduce.py FOLDER)

It reads the declared paytables and events under paytables/, counts every hand of the deck, works
out every figure of every wager that is decided by one hand, and of wagers on two pai gow hands, in
integers and fractions, and prints what agrees with evidence.json. Base games are outside its
scope: of those it checks the arithmetic on the stated counts. Exit code 0 if everything agrees, 1
if anything differs, 2 if the kit cannot be read.

How hands are counted. At most one suit can hold a flush. So take each multiset of ranks, with the
joker or without, and each set of its ranks that may be all that one suit holds and makes a flush;
the other cards lie in the three other suits. All hands of such a class have the same features, so
one of them is written out card by card and looked at, and the class is weighted by the number of
ways to choose suits. What is left of the multiset is its hands without a flush, again one class.
The red cards of a class differ from hand to hand: ways are therefore listed by their number.
"""

import csv
import hashlib
import json
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, zip_longest
from math import comb, isqrt
from pathlib import Path

RANKS = "23456789TJQKA"
ACE = 12
JOKER = "Jk"
LINE = (ACE, *range(13))  # A-2-3-...-K-A: the ace is low and high, and a straight does not go round

# ---------------------------------------------------------------- hands and the ways to deal them


def multisets(cards, ranks=13):
    """Yield every way to hold so many natural cards: how many of each rank, at most four."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for here in range(min(4, cards) + 1):
        for rest in multisets(cards - here, ranks - 1):
            yield (*rest, here)


def product(first, second):
    """Multiply two lists of ways by number of red cards."""
    ways = [0] * (len(first) + len(second) - 1)
    for red, one in enumerate(first):
        for more, other in enumerate(second):
            ways[red + more] += one * other
    return ways


@cache
def suits_of(groups, red_suits, black_suits):
    """Return the ways, by red cards, to choose suits for groups of equal rank."""
    ways = [1]
    for size in groups:
        chosen = [comb(red_suits, red) * comb(black_suits, size - red) for red in range(size + 1)]
        ways = product(ways, chosen)
    return tuple(ways)


@cache
def flush_ways(size, groups, together):
    """Return the ways, by red cards, to deal a flush of ``size`` cards and what lies beside it.

    ``groups`` are the sizes of the groups of equal rank beside the flush. ``together`` is True for
    two cards in one other suit, False for two cards of different ranks in different other suits,
    and None where that is not asked.
    """
    total = [0] * 9
    for red in (True, False):  # two red suits, two black ones
        red_left, black_left = (1, 2) if red else (2, 1)
        beside = list(suits_of(groups, red_left, black_left))
        one_suit = [black_left, 0, red_left]
        if together is True:
            beside = one_suit
        elif together is False:
            beside = [ways - same for ways, same in zip(beside, one_suit)]
        for others, ways in enumerate(beside):
            total[others + size * red] += 2 * ways
    return tuple(total)


def classes(cards, complete, jokers):
    """Yield (one hand of the class, its ways by number of red cards) for all hands of the deck.

    ``jokers`` is how many the deck has: one or none.
    """
    for joker in range(jokers + 1):
        if cards >= 2 * complete - joker:
            raise SystemExit("With so many cards two suits could hold a flush at once.")
        for counts in multisets(cards - joker):
            held = [rank for rank in range(13) if counts[rank]]
            rest = list(suits_of(tuple(sorted(counts[rank] for rank in held)), 2, 2))
            rest += [0] * (9 - len(rest))
            for size in range(complete - joker, len(held) + 1):
                for flush in combinations(held, size):
                    for hand, ways in with_flush(counts, flush, joker):
                        yield hand, ways
                        rest = [left - taken for left, taken in zip(rest, ways)]
            yield spread(counts, joker), rest


def with_flush(counts, flush, joker):
    """Yield the classes of a multiset of ranks in which one suit holds exactly ``flush``."""
    beside = [rank for rank in range(13) for _ in range(counts[rank] - (rank in flush))]
    groups = tuple(sorted(Counter(beside).values()))
    if groups and groups[-1] > 3:
        return  # four of a rank beside the flush would need its suit
    suited = [RANKS[rank] + "s" for rank in flush] + [JOKER] * joker
    apart = [RANKS[rank] + suit for rank, suit in zip(beside, "hdc")]
    if groups == (1, 1):
        yield suited + [RANKS[rank] + "h" for rank in beside], flush_ways(len(flush), groups, True)
        yield suited + apart, flush_ways(len(flush), groups, False)
    else:
        yield suited + apart, flush_ways(len(flush), groups, None)


def spread(counts, joker):
    """Return a hand of these ranks whose suits are dealt in turn, so that it has no flush."""
    ranks = [RANKS[rank] for rank in range(13) for _ in range(counts[rank])]
    return [rank + "shdc"[turn % 4] for turn, rank in enumerate(ranks)] + [JOKER] * joker


# ------------------------------------------------------------------------- what a hand is


@cache
def run(ranks, joker):
    """Return the longest run of consecutive ranks, the joker standing for one that is missing."""
    return max(
        length
        for start in range(14)
        for length in range(15 - start)
        if sum(rank in ranks for rank in LINE[start : start + length]) + joker >= length
    )


class Hand:
    """The features of one hand, each as the event vocabulary defines it; the joker is a bug."""

    def __init__(self, cards, complete):
        """Sort the cards by rank and suit."""
        natural = [(RANKS.index(card[0]), card[1]) for card in cards if card != JOKER]
        self.joker = JOKER in cards
        self.complete = complete
        self.natural = natural
        self.ranks = frozenset(rank for rank, _ in natural)
        self.suits = {suit: frozenset(r for r, s in natural if s == suit) for suit in "shdc"}
        counts = Counter(rank for rank, _ in natural)
        counts[ACE] += self.joker
        self.counts = +counts
        self.sizes = [*sorted(self.counts.values(), reverse=True), 0]

    def of_a_kind(self):
        return self.sizes[0]

    def second_of_a_kind(self):
        return self.sizes[1]

    def pairs(self):
        return sum(size > 1 for size in self.sizes)

    def highest_pair(self):
        paired = [rank for rank, size in self.counts.items() if size > 1]
        return RANKS[max(paired)] if paired else None

    def aces(self):
        return self.counts[ACE]

    def jacks(self):
        return self.counts[RANKS.index("J")]

    def straight_length(self):
        return self.long_enough(run(self.ranks, self.joker))

    def flush_length(self):
        return self.long_enough(max(map(len, self.suits.values())) + self.joker)

    def straight_flush_length(self):
        return self.long_enough(max(run(held, self.joker) for held in self.suits.values()))

    def long_enough(self, length):
        return length if length >= self.complete else 0

    def royal_flush(self):
        return self.suit_with("TJQKA", self.joker) is not None

    def ace_to_five_straight_flush(self):
        return not self.joker and self.suit_with("A2345", 0) is not None

    def suit_with(self, letters, missing):
        """Return the suit that holds these ranks but for ``missing`` of them, or None."""
        wanted = {RANKS.index(letter) for letter in letters}
        found = [suit for suit, held in self.suits.items() if len(wanted - held) <= missing]
        return found[0] if found else None

    def suited_pair(self):
        suit = self.suit_with("TJQKA", self.joker)
        if suit is None and not self.joker:
            suit = self.suit_with("A2345", 0)
        others = [(rank, one) for rank, one in self.natural if one != suit]
        if suit is None or len(others) != 2 or others[0][1] != others[1][1]:
            return None
        letters = "".join(RANKS[rank] for rank, _ in sorted(others, reverse=True))
        return letters if letters in ("AK", "AQ", "KQ") else None

    def pai_gow_high(self):
        if self.sizes[0] > 1 or self.straight_length() or self.flush_length():
            return None
        return RANKS[max(self.counts)]


def census(cards, complete, jokers, features):
    """Count the hands of the deck by their values of ``features``."""
    cells = Counter()
    colour = {"red_cards", "one_colour"} & set(features)
    for hand, ways in classes(cards, complete, jokers):
        looked_at = Hand(hand, complete)
        values = {"joker": looked_at.joker}
        values.update(
            (name, getattr(looked_at, name)())
            for name in features
            if name not in (*colour, "joker")
        )
        for red, number in enumerate(ways if colour else [sum(ways)]):
            if number:
                natural = cards - looked_at.joker
                values.update(red_cards=red, one_colour=red in (0, natural))
                cells[tuple(values[name] for name in features)] += number
    return cells


# ------------------------------------------------------------------ events and who is awarded


def asked(condition):
    """Return the names of the features that a condition asks for."""
    names = set()
    for key, value in (condition or {}).items():
        if key in ("all", "any"):
            names |= {name for part in value for name in asked(part)}
        else:
            names |= asked(value) if key == "not" else {key}
    return names


def set_or_compared(event):
    """Say whether an event looks at hands as the house way sets them, or at the higher of two."""
    sides = (event.get(whose) for whose in ("when", "dealer", "player"))
    names = {name for condition in sides for name in asked(condition)}
    return bool({"compare", "either"} & event.keys() or {"high_hand", "low_hand"} & names)


def holds(condition, values):
    """Say whether every part of a condition is true of a hand with these values of features."""
    for key, wanted in (condition or {}).items():
        if key == "all":
            true = all(holds(part, values) for part in wanted)
        elif key == "any":
            true = any(holds(part, values) for part in wanted)
        elif key == "not":
            true = not holds(wanted, values)
        elif isinstance(wanted, dict):
            true = wanted.get("min", 0) <= values[key] <= wanted.get("max", 99)
        else:
            true = values[key] in (wanted if isinstance(wanted, list) else [wanted])
        if not true:
            return False
    return True


def first_rows(cells, features, conditions, order):
    """Return how many hands each row is awarded when rows are tried in ``order``."""
    counts = [0] * len(conditions)
    for cell, number in cells.items():
        values = dict(zip(features, cell))
        for row in order:
            if holds(conditions[row], values):
                counts[row] += number
                break
    return counts


# ------------------------------------------------------------------------- two pai gow hands


@cache
def suit_pairs(dealer_alone, player_alone, shared, dealer_limit, player_limit):
    """Count the suits for two hands without a flush that share no card.

    The hands hold different ranks each, ``shared`` of them in both; in no suit may one reach its
    limit. A state is the unordered list of (dealer's cards, player's cards) in the four suits.
    """
    states = Counter({((0, 0),) * 4: 1})
    turns = [(1, 0)] * dealer_alone + [(0, 1)] * player_alone + [(1, 1)] * shared
    for dealer_takes, player_takes in turns:
        following = Counter()
        for state, ways in states.items():
            for one in range(4) if dealer_takes else (None,):
                for other in range(4) if player_takes else (None,):
                    if one != other:
                        suits = [
                            (held + (suit == one), kept + (suit == other))
                            for suit, (held, kept) in enumerate(state)
                        ]
                        if all(h < dealer_limit and k < player_limit for h, k in suits):
                            following[tuple(sorted(suits))] += ways
        states = following
    return sum(states.values())


def pai_gows(cards, complete, jokers, conditions):
    """Return (ranks, joker, which conditions hold) of every set of ranks that is a pai gow."""
    found = []
    for joker in range(jokers + 1):
        for ranks in combinations(range(13), cards - joker):
            if (joker and ACE in ranks) or run(frozenset(ranks), joker) >= complete:
                continue
            values = {"joker": bool(joker), "pai_gow_high": "A" if joker else RANKS[ranks[-1]]}
            held = tuple(holds(condition, values) for condition in conditions)
            if held != tuple(condition is None for condition in conditions):
                found.append((sum(1 << rank for rank in ranks), joker, held))
    return found


def pair_rows(events, order, cards, complete, jokers):
    """Return how many ordered pairs of hands each event is awarded; None if it is out of scope."""
    sides = [[event.get(who) for event in events] for who in ("dealer", "player")]
    for condition in filter(None, sides[0] + sides[1]):
        nothing = {"joker": True, "pai_gow_high": None}, {"joker": False, "pai_gow_high": None}
        if not asked(condition) <= set(nothing[0]) or any(holds(condition, v) for v in nothing):
            return None  # a hand that is no pai gow would matter
    dealers, players = (pai_gows(cards, complete, jokers, side) for side in sides)
    shapes = Counter(
        (d_held, p_held, (d & p).bit_count(), d_joker, p_joker)
        for d, d_joker, d_held in dealers
        for p, p_joker, p_held in players
        if not (d_joker and p_joker)
    )
    pairs = Counter()
    for (d_held, p_held, shared, d_joker, p_joker), number in shapes.items():
        d_alone, p_alone = cards - d_joker - shared, cards - p_joker - shared
        limits = complete - d_joker, complete - p_joker
        pairs[d_held, p_held] += number * suit_pairs(d_alone, p_alone, shared, *limits)
    # The other hand may be anything: all pairs, less those in which it is one of the above.
    anything = [tuple(condition is None for condition in side) for side in sides]
    for side, hands in enumerate((dealers, players)):
        for _, joker, held in hands:
            alone = suit_pairs(cards - joker, 0, 0, complete - joker, complete)
            key = (held, anything[1]) if side == 0 else (anything[0], held)
            pairs[key] += alone * comb(52 + jokers - cards, cards)
        for (d_held, p_held), number in list(pairs.items()):
            if d_held != anything[0] and p_held != anything[1]:
                pairs[(d_held, anything[1]) if side == 0 else (anything[0], p_held)] -= number
    counts = [0] * len(events)
    for (d_held, p_held), number in pairs.items():
        row = next((row for row in order if d_held[row] and p_held[row]), None)
        if row is not None:
            counts[row] += number
    return counts


# ------------------------------------------------------------------------- figures


def net(row):
    """Return what a row pays beyond the stake; a meter's share counts as nothing until known."""
    words = row["pays"].split()
    if len(words) == 3:
        return Fraction(int(words[0]), int(words[2])) - (words[1] == "for")
    return Fraction(0) if words == ["push"] else Fraction(-1)


def paid(row):
    """Return what a row pays at odds for each unit staked; nothing for a push, a loss, a meter."""
    odds = row["pays"].split()
    return Fraction(int(odds[0]), int(odds[2])) if len(odds) == 3 else Fraction(0)


def share(row):
    """Return the share of a meter that a row pays; None for any other row."""
    return Fraction(row["pays"].rstrip("%")) / 100 if "meter" in row else None


def words(row):
    """Return a row's pay as the evidence writes it."""
    if "meter" in row:
        return row["pays"] + " of meter " + row["meter"]
    odds = row["pays"].split()
    if len(odds) != 3:
        return row["pays"]
    ratio = Fraction(int(odds[0]), int(odds[2]))
    return f"{ratio.numerator} {odds[1]} {ratio.denominator}"


def dollars(cents):
    """Return money as the evidence writes it."""
    return f"${cents // 100:,}" + (f".{cents % 100:02}" if cents % 100 else "")


def text(value):
    """Return a fraction as n/d."""
    return f"{value.numerator}/{value.denominator}"


def decimal(value, places):
    """Return a fraction rounded half up (away from nought) to so many decimals."""
    digits = str(int(abs(value) * 10**places + Fraction(1, 2))).rjust(places + 1, "0")
    sign = "-" if value < 0 and int(digits) else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def square_root(value):
    """Return a square root rounded half up to ten decimals."""
    doubled = isqrt(4 * value.numerator * 10**20 // value.denominator)
    return decimal(Fraction((doubled + 1) // 2, 10**10), 10)


def both(name, value):
    """Return an exact value and its decimal, under the names that the evidence gives them."""
    return {name: text(value), name + "_decimal": decimal(value, 10)}


def row_figures(event, name, pays, number, total, value, metered=None):
    """Return one row; ``value`` is what it pays for each unit staked, ``metered`` of a meter."""
    chance = Fraction(number, total)
    row = {"event": event, "name": name, "pays": pays, "combinations": number}
    row |= both("probability", chance)
    if metered is not None:
        return row | {"meter_weight": text(chance * metered)}
    return row | both("return", chance * value)


def figures(paytable, envy, envy_counts, counts, total, players):
    """Return every figure of a paytable in the shape that the evidence has."""
    rows = [*paytable["rows"], {"event": "all_other", "name": "All other", "pays": "loss"}]
    counts = [*counts, total - sum(counts)]
    chances = [Fraction(number, total) for number in counts]
    result = {
        "total_combinations": total,
        "rows": [
            row_figures(row["event"], row["name"], words(row), number, total, net(row), share(row))
            for row, number in zip(rows, counts)
        ],
        "top_award": text(
            max(
                net({"pays": one}) for row in rows for one in [row["pays"], *row.get("dynamic", ())]
            )
        ),
        **both(
            "hit_frequency",
            sum(
                (p for row, p in zip(rows, chances) if "meter" in row or net(row) > 0), Fraction(0)
            ),
        ),
    }
    edge = None
    if not any("meter" in row for row in rows):
        mean = sum(p * net(row) for row, p in zip(rows, chances))
        variance = sum(p * (net(row) - mean) ** 2 for row, p in zip(rows, chances))
        edge = -mean
        result |= both("return_to_player", 1 - edge) | both("house_edge", edge)
        result |= both("variance", variance)
        result["house_edge_percent"] = decimal(100 * edge, 4)
        result["standard_deviation"] = square_root(variance)
    if envy:
        result["envy"] = envy_figures(envy, envy_counts, total, edge, players)
    if "progressive" in paytable:
        result["progressive"] = meter_figures(paytable, rows, chances)
    if "dynamic" in paytable:
        result["dynamic"] = draw_figures(paytable, rows, chances)
    return result


def envy_figures(envy, counts, total, edge, players):
    """Return what the hands of each other player are worth to a qualifying wager."""
    stake = envy["qualifying_wager_cents"]
    rows = [
        row_figures(
            row["event"], row["name"], dollars(row["prize_cents"]), number, total,
            Fraction(row["prize_cents"], stake),
        )
        for row, number in zip(envy["rows"], counts)
    ]  # fmt: skip
    rest = total - sum(counts)
    rows.append(row_figures("all_other", "All other", "nothing", rest, total, Fraction(0)))
    value = sum(
        Fraction(number, total) * Fraction(row["prize_cents"], stake)
        for row, number in zip(envy["rows"], counts)
    )
    edges = {} if edge is None else {k: edge - (k - 1) * value for k in range(1, players + 1)}
    return {
        "paytable": envy["id"],
        "qualifying_wager_cents": stake,
        "wager_cents": stake,
        "rows": rows,
        **both("per_other_player", value),
        "house_edge_by_players": {str(k): text(one) for k, one in edges.items()},
        "house_edge_percent_by_players": {str(k): decimal(100 * e, 4) for k, e in edges.items()},
    }


def meter_figures(paytable, rows, chances):
    """Return the return as a function of the meters: fixed part, weight and break-even of each."""
    declared = paytable["progressive"]
    # What comes back of each unit, all other hands left out: they bring nothing.
    fixed = sum(p * (net(row) + 1) for row, p in zip(rows, chances))
    meters = []
    for meter in declared["meters"]:
        paid = [(row, p) for row, p in zip(rows, chances) if row.get("meter") == meter["level"]]
        weight = sum(share(row) * p for row, p in paid)
        meters.append(
            {
                "level": meter["level"],
                "probability_weight": text(weight),
                "hit_probability": text(sum(p for _, p in paid)),
                "break_even_meter": decimal((1 - fixed) / weight, 2),
            }
        )
    result = {"base_wager_cents": declared["base_wager_cents"], "meters": meters}
    result |= both("fixed_return", fixed)
    if len(meters) == 1:
        result["break_even_meter"] = meters[0]["break_even_meter"]
    return result


def draw_figures(paytable, rows, chances):
    """Return what each dynamic pay adds, and the range over all draws that are allowed."""
    drawn = []
    for row, chance in zip(rows, chances):
        if "dynamic" in row:
            pays = [
                {"pays": words({"pays": one})}
                | both("change_of_return", chance * (net({"pays": one}) - net(row)))
                for one in row["dynamic"]
            ]
            drawn.append(
                {"event": row["event"], "name": row["name"], "default": words(row), "pays": pays}
            )
    return {"rows": drawn} | range_of_draws(paytable, rows, chances)


def range_of_draws(paytable, rows, chances, cap=None):
    """Return the least and the greatest that a draw adds, no pay at odds above ``cap``."""
    low, high = [], []
    for row, chance in zip(rows, chances):
        if "dynamic" in row:
            pays = [paid({"pays": one}) for one in [row["pays"], *row["dynamic"]]]
            kept, *others = pays if cap is None else [min(one, cap) for one in pays]
            low.append(min(chance * (one - kept) for one in others))
            high.append(max(chance * (one - kept) for one in others))
    sizes = range(paytable["dynamic"]["minimum_rows"], paytable["dynamic"]["maximum_rows"] + 1)
    return {
        "least_change_of_return": text(min(sum(sorted(low)[:k], Fraction(0)) for k in sizes)),
        "greatest_change_of_return": text(
            max(sum(sorted(high, reverse=True)[:k], Fraction(0)) for k in sizes)
        ),
    }


# ------------------------------------------------------------------------- payout limits


def cut(pays, cap):
    """Return what is cut off the mean pay where none is above ``cap``, per unit staked."""
    return sum((p * (odds - cap) for p, _, odds in pays if odds > cap), Fraction(0))


def limit_figures(stated, limits, pays, seats, ours, unit=1, drawn=(), draws=None):
    """Return what aggregate payout limits make of a wager, at the amounts that are stated.

    ``pays`` are (chance, net, pay at odds) of each row, per unit staked; ``unit`` is the stake for
    each cent wagered; ``drawn`` the pays that a draw can set in, and ``draws`` the range of what
    they add under a cap. A limit for the table leaves each
    seat at worst an equal part, on average. Where wagers share a limit, the upper bound rests on
    all of them and is taken as stated.
    """
    shared = any(one["scope"] == "table" or len(one["wagers"]) > 1 for one in limits)
    combined = any(len(one["wagers"]) > 1 for one in limits)
    least = min(Fraction(one["cents"], seats if one["scope"] == "table" else 1) for one in limits)
    top = max([*drawn, *(odds for _, _, odds in pays)])
    result = {"limits": limits, "shared": shared, "open": stated["limit"]["open"], "amounts": []}
    if combined:
        result["binds_above_wager_cents"] = stated["limit"]["binds_above_wager_cents"]
    elif top:
        result["binds_above_wager_cents"] = text(least / (top * unit))
    spreads = []
    for one in stated["limit"]["amounts"]:
        stake = one["wager_cents"] * unit
        cap = min(Fraction(limit["cents"]) for limit in limits) / stake
        nets = [(p, net_pay - max(odds - cap, Fraction(0))) for p, net_pay, odds in pays]
        costs = {"": cut(pays, cap)}
        if shared:
            costs = {"least_": cut(pays, cap), "greatest_": cut(pays, min(cap, least / stake))}
        found = bounds(ours, costs, one if combined else {})
        awards = [value for _, value in nets] + [min(pay, cap) - 1 for pay in drawn]
        found["greatest_top_award" if shared else "top_award"] = text(max(awards))
        if not shared:
            found |= alone(ours, costs[""], one["wager_cents"]) | (draws(cap) if draws else {})
        result["amounts"].append(found | {"wager_cents": one["wager_cents"]})
        if "house_edge" in ours and not shared:
            mean = sum(p * value for p, value in nets)
            spread = sum(p * (value - mean) ** 2 for p, value in nets)
            spreads.append({"wager_cents": one["wager_cents"], **both("variance", spread)})
            spreads[-1]["standard_deviation"] = square_root(spread)
    return {"limit": result} | ({"volatility_with_limit": spreads} if spreads else {})


def bounds(ours, costs, taken):
    """Return edge and return of the fixed pays at each cost; greatest costs may be ``taken``."""
    turned = {"": "", "least_": "greatest_", "greatest_": "least_"}
    found = {}
    for bound, cost in costs.items():
        figures = {}
        if "house_edge" in ours:
            edge = Fraction(ours["house_edge"]) + cost
            figures |= both(bound + "house_edge", edge)
            figures[bound + "house_edge_percent"] = decimal(100 * edge, 4)
        if "progressive" in ours:
            fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
            figures |= both(turned[bound] + "fixed_return", fixed)
        if bound == "greatest_" and taken:
            figures = {key: taken[key] for key in figures if key in taken}
        found |= figures
    return found


def alone(ours, cost, wager):
    """Return what only a limit of the wager's own has: edges by players, break-even meters."""
    found = {}
    if "envy" in ours and "house_edge" in ours:
        envy = ours["envy"]
        counts = wager >= envy["qualifying_wager_cents"]
        value = Fraction(envy["per_other_player"]) * envy["wager_cents"] * counts / wager
        edges = {
            players: Fraction(ours["house_edge"]) + cost - (int(players) - 1) * value
            for players in envy["house_edge_by_players"]
        }
        found["house_edge_by_players"] = {k: text(edge) for k, edge in edges.items()}
        found["house_edge_percent_by_players"] = {
            k: decimal(100 * edge, 4) for k, edge in edges.items()
        }
    if "progressive" in ours:
        fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
        found["break_even_meters"] = {
            meter["level"]: decimal((1 - fixed) / Fraction(meter["probability_weight"]), 2)
            for meter in ours["progressive"]["meters"]
        }
    return found


def outcome_sums(stated, total):
    """Return the stated sums of won, pushed and lost rounds if they cover all deals."""
    sums = stated["outcomes"]
    covered = sum(sums.values()) == sum(row["combinations"] for row in stated["rows"]) == total
    return sums if covered else "sums that cover every deal"


def main_wager_figures(stated, cards, deck):
    """Return the figures of a base game that follow from its stated counts and row returns."""
    total = comb(deck, cards) * comb(deck - cards, cards)
    rows = [
        (Fraction(row["combinations"], stated["total_combinations"]), Fraction(row["return"]))
        for row in stated["rows"]
    ]
    edge = -sum(value for _, value in rows)
    wins = Fraction(stated["outcomes"]["win"], stated["total_combinations"])
    result = {
        "total_combinations": total,
        "outcomes": outcome_sums(stated, total),
        "rows": [
            row | both("probability", p) | both("return", value)
            for row, (p, value) in zip(stated["rows"], rows)
        ],
        **both("house_edge", edge),
        **both("return_to_player", 1 - edge),
        **both("hit_frequency", wins),
        **both("variance", sum(v * v / p for p, v in rows if p) - edge**2),
        "house_edge_percent": decimal(100 * edge, 4),
    }
    if "average_wager" in stated:
        risk = edge / Fraction(stated["average_wager"])
        result |= both("element_of_risk", risk)
    return result


# ------------------------------------------------------------------------- the kit


class Kit:
    """The files of the kit, and what was counted for them."""

    def __init__(self, folder):
        """Read the evidence and the declared data."""
        self.folder = Path(folder)
        self.evidence = self.read("evidence.json")
        self.game = self.read("paytables", self.evidence["order"]["game"], "game.json")
        declared = sorted(self.folder.glob("**/paytables/events.json"))
        texts = [path.read_text(encoding="utf-8") for path in declared]
        self.events = {one["id"]: one for text in texts for one in json.loads(text)["events"]}
        self.back = self.game["hand"]["back"]
        named = self.evidence["order"].get("terms")
        self.terms = self.read(*named.split("--")) if named else {}
        self.different = 0
        self.compared = 0
        self.jokers = int(self.game["deck"]["joker"])
        self.deck = 52 + self.jokers
        if self.game["deck"]["ranks"] != 13 or (self.jokers and self.game["joker"] != "bug"):
            raise SystemExit("This reproducer knows a whole deck, and a joker that is a bug.")

    def read(self, *parts):
        """Return one JSON file; a project's own comes before the built-in one."""
        paths = self.folder.joinpath("project", *parts), self.folder.joinpath(*parts)
        path = paths[0] if paths[0].exists() else paths[1]
        return json.loads(path.read_text(encoding="utf-8"))

    def say(self, name, differences, what):
        """Print one line for what was compared, and one for each difference."""
        self.compared += 1
        if not differences:
            sys.stdout.write(f"agrees   {name}: {what}\n")
            return
        self.different += 1
        sys.stdout.write(f"DIFFERS  {name}\n")
        for line in differences:
            sys.stdout.write(f"         {line}\n")

    def digests(self):
        """Compare every file with SHA256SUMS, and the declared data with the evidence."""
        listed = (self.folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
        stated = [("SHA256SUMS", *line.split("  ", 1)) for line in listed]
        stated += [
            ("evidence.json", digest, name.replace("--", "/"))
            for name, digest in self.evidence["sources"].items()
        ]
        wrong = [
            f"{name} is not the file that {where} lists"
            for where, digest, name in stated
            if hashlib.sha256((self.folder / name).read_bytes()).hexdigest() != digest
        ]
        self.say("digests", wrong, f"{len(stated)} digests of files")

    def censuses(self, paytables):
        """Count hands of each size that a paytable looks at, and compare with census/*.csv."""
        found = {}
        for path in sorted(self.folder.glob("census/*.csv")):
            with path.open(encoding="utf-8", newline="") as stream:
                header, *lines = csv.reader(stream)
            cards = int(path.name.split("-")[0])
            features = header[:-1]
            cells = census(cards, min(self.back, cards), self.jokers, features)
            written = {tuple(line[:-1]): int(line[-1]) for line in lines}
            counted = Counter()
            for cell, number in cells.items():
                counted[tuple(map(self.cell_text, cell))] += number
            total = comb(self.deck, cards)
            wrong = [] if sum(cells.values()) == total else ["the classes do not cover the deck"]
            wrong += [
                f"{', '.join(cell)}: stated {written.get(cell)}, counted {counted.get(cell)}"
                for cell in sorted({*written, *counted})
                if written.get(cell) != counted.get(cell)
            ]
            what = f"{len(cells)} cells, {total} hands of {cards} cards"
            self.say(f"census/{path.name}", wrong, what)
            found[cards] = cells, features
        for cards in sorted({table["cards"] for table in paytables} - set(found)):
            raise SystemExit(f"There is no census of {cards} cards in the kit.")
        return found

    @staticmethod
    def cell_text(value):
        """Return a feature's value as the CSV writes it."""
        if value is None:
            return ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def paytables(self):
        """Return the declared paytables of the results, by target; None for a base game."""
        return {
            one["target"]: None
            if "outcomes" in one
            else self.read("paytables", *one["target"].split("/")[:2], one["paytable"] + ".json")
            for one in self.evidence["results"]
        }

    def counted(self, table, counts):
        """Return the number of all hands and each row's, or None where it is out of scope."""
        events = [self.events[row["event"]] for row in table["rows"]]
        order = list(range(len(events)))
        if table["award"] == "highest_ranking_hand":
            ladder = list(self.events)
            order.sort(key=lambda row: ladder.index(events[row]["id"]))
        cards = table["cards"]
        total = comb(self.deck, cards)
        if any(set_or_compared(event) for event in events):
            return None
        if table["hand"] == "both":
            rows = pair_rows(events, order, cards, min(self.back, cards), self.jokers)
            return None if rows is None else (total * comb(self.deck - cards, cards), rows)
        cells, features = counts[cards]
        return total, first_rows(cells, features, [event["when"] for event in events], order)

    def result(self, stated, table, counts):
        """Recompute one result of the evidence and compare it."""
        if table is None:
            ours = main_wager_figures(stated, self.game["hand"]["cards"], self.deck)
            if "limit" in stated:
                ours |= self.limited_main(stated, ours)
            what = "the counts of the base game are taken as stated; the arithmetic on them agrees"
            self.say(stated["target"], differences({k: stated.get(k) for k in ours}, ours), what)
            return
        counted = self.counted(table, counts)
        if counted is None:
            self.say(stated["target"], ["outside the scope of this reproducer"], "")
            return
        envy, envy_counts = None, ()
        if "envy" in table:
            folder = "paytables", self.game["id"], table["wager"], "envy"
            envy = self.read(*folder, table["envy"] + ".json")
            _, envy_counts = self.counted(table | {"rows": envy["rows"]} | FIRST, counts)
        ours = figures(table, envy, envy_counts, counted[1], counted[0], self.game["players"])
        if "limit" in stated:
            ours |= self.limited(stated, table, ours)
        shown = {key: stated[key] for key in stated if key not in (*NOT_FIGURES, "alternatives")}
        what = f"{len(ours['rows'])} rows, {sum(1 for _ in leaves(ours))} figures"
        others = len(stated.get("alternatives", ()))
        what += f"; {others} other readings of its rules are not counted here" if others else ""
        self.say(stated["target"], differences(shown, ours), what)

    def limits(self, wager):
        """Return the limits that the terms state for a wager, and the seats that share them."""
        limits = [
            {"scope": "player"} | one
            for one in self.terms.get("aggregate_limits", ())
            if wager in one["wagers"]
        ]
        return limits, self.terms.get("players", self.game["players"])

    def limited(self, stated, table, ours):
        """Return what limits make of a paytable."""
        rows = [*table["rows"], {"pays": "loss"}]
        chances = [Fraction(row["probability"]) for row in ours["rows"]]
        pays = [(p, net(row), paid(row)) for row, p in zip(rows, chances) if p]
        drawn = [paid({"pays": one}) for row in rows for one in row.get("dynamic", ())]
        limits, seats = self.limits(table["wager"])
        return limit_figures(
            stated, limits, pays, seats, ours, drawn=drawn,
            draws=(lambda cap: range_of_draws(table, rows, chances, cap)) if drawn else None,
        )  # fmt: skip

    def limited_main(self, stated, ours):
        """Return what limits make of a base game: a win is paid, less commission."""
        option = self.read(
            "paytables", *stated["target"].split("/")[:2], stated["paytable"] + ".json"
        )
        unit, fee = staked_and_fee(option)
        nets = [
            (Fraction(row["probability"]), Fraction(row["return"]) / Fraction(row["probability"]))
            for row in ours["rows"]
            if row["combinations"]
        ]
        pays = [(p, value, max(value + fee, Fraction(0))) for p, value in nets]
        limits, seats = self.limits(stated["wager"])
        return limit_figures(stated, limits, pays, seats, ours, unit)

    def fractions(self):
        """Compare fractions.csv with the rows of the evidence."""
        with (self.folder / "fractions.csv").open(encoding="utf-8", newline="") as stream:
            written = [tuple(line) for line in csv.reader(stream)][1:]
        tables = []
        for one in self.evidence["results"]:
            tables.append((one["target"], one["rows"]))
            if "envy" in one:
                envy = one["envy"]
                tables.append((f"{one['target']}/envy/{envy['paytable']}", envy["rows"]))
        names = ("event", "name", "pays", "combinations", "probability", "return")
        rows = [
            (name, *(str(row.get(k, "")) for k in names)) for name, lines in tables for row in lines
        ]
        wrong = [
            f"line {line}: {ours} is not {theirs}"
            for line, (ours, theirs) in enumerate(zip_longest(written, rows), 2)
            if ours != theirs
        ]
        self.say("fractions.csv", wrong, f"{len(rows)} rows as in evidence.json")


FIRST = {"award": "first_row_contained"}  # prizes for other hands go to the first row
NOT_FIGURES = frozenset(
    ("target", "game", "wager", "paytable", "method", "rounding", "assumptions", "inputs", "engine")
)


def staked_and_fee(option):
    """Return what is staked for each unit of a base game's wager, and the fee of a unit staked."""
    commission, wager = option.get("commission", {}), option.get("wager_cents", 1)
    posted = Fraction(commission.get("rate", "0%").rstrip("%")) / 100
    if "unit_cents" in commission:
        units = posted * wager / commission["unit_cents"]
        whole = {"up": -(-units // 1), "down": units // 1, "nearest": (2 * units + 1) // 2}
        posted = (
            whole[commission.get("rounding", "up")] * commission["unit_cents"] / Fraction(wager)
        )
    posted = max(posted, Fraction(commission.get("minimum_cents", 0), wager))
    unit = 1 + posted if commission.get("prepaid") else Fraction(1)
    bands = [one for one in option.get("fee", {}).get("bands", ()) if one["from_cents"] <= wager]
    return unit, Fraction(bands[-1]["cents"] if bands else 0, wager) / unit


def leaves(value, path=""):
    """Yield each figure inside a value of the evidence with its path."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], f"{path}/{key}")
    elif isinstance(value, list):
        for place, one in enumerate(value):
            name = one.get("event") or one.get("level") if isinstance(one, dict) else None
            yield from leaves(one, f"{path}/{place + 1}" + (f" {name}" if name else ""))
    else:
        yield path.lstrip("/"), value


def differences(stated, ours):
    """Return a line for each figure that is not the same in both, or is in one only."""
    theirs, mine = dict(leaves(stated)), dict(leaves(ours))
    theirs.pop("progressive/unit", None)  # words, not a figure
    return [
        f"{path}: stated {theirs.get(path, 'nothing')}, counted {mine.get(path, 'nothing')}"
        for path in dict.fromkeys([*theirs, *mine])
        if theirs.get(path) != mine.get(path)
    ]


def main(arguments):
    """Compare everything; return the exit code."""
    kit = Kit(arguments[0] if arguments else Path(__file__).resolve().parent)
    kit.digests()
    tables = kit.paytables()
    counts = kit.censuses([table for table in tables.values() if table])
    for stated in kit.evidence["results"]:
        kit.result(stated, tables[stated["target"]], counts)
    kit.fractions()
    if kit.different:
        sys.stdout.write(f"{kit.different} of {kit.compared} comparisons DIFFER.\n")
        return 1
    sys.stdout.write(f"All {kit.compared} comparisons agree.\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, KeyError, ValueError, TypeError) as error:
        sys.stderr.write(f"The kit cannot be read: {type(error).__name__}: {error}\n")
        sys.exit(2)
