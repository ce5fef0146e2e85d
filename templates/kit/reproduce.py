#!/usr/bin/env python3
"""Recompute the figures of a submission from the cards up, and compare them with its evidence.

Standard library only (Python 3.10 or newer), without `certify`. Run it in the folder of the
unzipped kit:

    python3 -I reproduce.py            (or: python3 -I reproduce.py FOLDER)
    python3 -I reproduce.py --quick    (the deals of the main wager are not counted again)
    python3 -I reproduce.py --readings (with the deals of other interpretations: hours)
    python3 -I reproduce.py --coverage (with the check of every single figure)

It reads the declared rules under paytables/, and no counts. It counts every hand of the deck and
every deal of two hands, computes every figure in integers and fractions, and compares the figures
with evidence.json. A table at the end lists how every figure was checked. Exit code 0
if everything that is counted agrees, 1 if anything differs, 2 if the kit cannot be read.

  certify_recount/ counts hands and pairs of hands; `certify crosscheck` runs the same files
  readings.py     the declared files under other interpretations
"""

import csv
import hashlib
import json
import re
import sys
from collections import Counter
from copy import copy
from fractions import Fraction
from itertools import product, zip_longest
from math import comb, isqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # `python3 -I` leaves it out

import readings

from certify_recount.census import census
from certify_recount.hands import condition_features
from certify_recount.main_wager import OPTIMAL, Option, Play, merge_options, mirror_ties
from certify_recount.pairs import count
from certify_recount.set_hands import KINDS, Rules
from certify_recount.tables import row_counts, split_tables
from certify_recount.two_hands import pair_counts

# ------------------------------------------------------------------------- figures


def net(row):
    """Return the net pay of a row per unit staked; a meter's unknown amount counts as 0."""
    words = row["pays"].split()
    if len(words) == 3:
        return Fraction(int(words[0]), int(words[2])) - (words[1] == "for")
    return Fraction(0) if words == ["push"] else Fraction(-1)


def paid(row):
    """Return the pay of a row at odds per unit staked; 0 for a push, a loss, a meter."""
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
    """Return a fraction rounded half up (away from zero) to so many decimals."""
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
    """Return one row; ``value`` is its pay per unit staked, ``metered`` of a meter."""
    chance = Fraction(number, total)
    row = {"event": event, "name": name, "pays": pays, "combinations": number}
    row |= both("probability", chance)
    if metered is not None:
        return row | {"meter_weight": text(chance * metered)}
    return row | both("return", chance * value)


def figures(paytable, envy, envy_counts, counts, total, players, stake=None):
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
                net({"pays": pays})
                for row in rows
                for pays in [row["pays"], *row.get("dynamic", ())]
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
        result["envy"] = envy_figures(envy, envy_counts, total, edge, players, stake)
    if "progressive" in paytable:
        result["progressive"] = meter_figures(paytable, rows, chances)
    if "dynamic" in paytable:
        result["dynamic"] = draw_figures(paytable, rows, chances)
    return result


def envy_figures(envy, counts, total, edge, players, stake):
    """Return the value of other players' hands for a wager of `stake` cents."""
    qualifying = envy["qualifying_wager_cents"]
    paid = stake >= qualifying
    rows = [
        row_figures(
            row["event"], row["name"], dollars(row["prize_cents"]), number, total,
            Fraction(row["prize_cents"] * paid, stake),
        )
        for row, number in zip(envy["rows"], counts)
    ]  # fmt: skip
    rest = total - sum(counts)
    rows.append(row_figures("all_other", "All other", "nothing", rest, total, Fraction(0)))
    value = sum(
        Fraction(number, total) * Fraction(row["prize_cents"] * paid, stake)
        for row, number in zip(envy["rows"], counts)
    )
    beside = envy.get("pays_on_own_hand", False) + envy.get("pays_on_dealer_hand", False)
    edges = {k: edge - (k - 1 + beside) * value for k in range(1, players + 1) if edge is not None}
    return {
        "paytable": envy["id"],
        "qualifying_wager_cents": qualifying,
        "wager_cents": stake,
        "rows": rows,
        **both("per_other_player", value),
        "house_edge_by_players": {str(k): text(e) for k, e in edges.items()},
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
    """Return the change of return by each dynamic pay, and the range over all allowed draws."""
    drawn = []
    for row, chance in zip(rows, chances):
        if "dynamic" in row:
            pays = [
                {"pays": words({"pays": drawn_pay})}
                | both("change_of_return", chance * (net({"pays": drawn_pay}) - net(row)))
                for drawn_pay in row["dynamic"]
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
            pays = [paid({"pays": pay}) for pay in [row["pays"], *row["dynamic"]]]
            kept, *others = pays if cap is None else [min(pay, cap) for pay in pays]
            low.append(min(chance * (pay - kept) for pay in others))
            high.append(max(chance * (pay - kept) for pay in others))
    sizes = range(paytable["dynamic"]["minimum_rows"], paytable["dynamic"]["maximum_rows"] + 1)
    return {
        "least_change_of_return": text(min(sum(sorted(low)[:k], Fraction(0)) for k in sizes)),
        "greatest_change_of_return": text(
            max(sum(sorted(high, reverse=True)[:k], Fraction(0)) for k in sizes)
        ),
    }


# ------------------------------------------------------------------------- payout limits


def cut(pays, cap):
    """Return the reduction of the mean pay by a limit of ``cap``, per unit staked."""
    return sum((p * (odds - cap) for p, _, odds in pays if odds > cap), Fraction(0))


def limit_figures(stated, limits, pays, seats, ours, unit=1, drawn=(), draws=None):
    """Return the figures of a wager under aggregate payout limits, at the stated amounts.

    ``pays`` are (probability, net, pay at odds) of each row, per unit staked; ``unit`` is the stake
    per cent wagered; ``drawn`` are the dynamic pays, and ``draws`` is the range of the return that
    they add under a cap. A limit for the table leaves each seat at worst an equal part, on average.
    If wagers share a limit, the upper bound depends on all wagers and is taken from the evidence.
    """
    shared = any(limit["scope"] == "table" or len(limit["wagers"]) > 1 for limit in limits)
    combined = any(len(limit["wagers"]) > 1 for limit in limits)
    least = min(
        Fraction(limit["cents"], seats if limit["scope"] == "table" else 1) for limit in limits
    )
    top = max([*drawn, *(odds for _, _, odds in pays)])
    result = {"limits": limits, "shared": shared, "open": stated["limit"]["open"], "amounts": []}
    if combined:
        result["binds_above_wager_cents"] = stated["limit"]["binds_above_wager_cents"]
    elif top:
        result["binds_above_wager_cents"] = text(least / (top * unit))
    spreads = []
    for amount in stated["limit"]["amounts"]:
        stake = amount["wager_cents"] * unit
        cap = min(Fraction(limit["cents"]) for limit in limits) / stake
        nets = [(p, net_pay - max(odds - cap, Fraction(0))) for p, net_pay, odds in pays]
        costs = {"": cut(pays, cap)}
        if shared:
            costs = {"least_": cut(pays, cap), "greatest_": cut(pays, min(cap, least / stake))}
        bounded = bounds(ours, costs, amount if combined else {})
        awards = [value for _, value in nets] + [min(pay, cap) - 1 for pay in drawn]
        bounded["greatest_top_award" if shared else "top_award"] = text(max(awards))
        if not shared:
            bounded |= alone(ours, costs[""], amount["wager_cents"]) | (draws(cap) if draws else {})
        result["amounts"].append(bounded | {"wager_cents": amount["wager_cents"]})
        if "house_edge" in ours and not shared:
            mean = sum(p * value for p, value in nets)
            spread = sum(p * (value - mean) ** 2 for p, value in nets)
            spreads.append({"wager_cents": amount["wager_cents"], **both("variance", spread)})
            spreads[-1]["standard_deviation"] = square_root(spread)
    return {"limit": result} | ({"volatility_with_limit": spreads} if spreads else {})


def bounds(ours, costs, taken):
    """Return edge and return of the fixed pays at each cost; greatest costs may be ``taken``."""
    turned = {"": "", "least_": "greatest_", "greatest_": "least_"}
    bounded = {}
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
        bounded |= figures
    return bounded


def alone(ours, cost, wager):
    """Return figures for a limit of one wager only: edges by players, break-even meters."""
    own = {}
    if "envy" in ours and "house_edge" in ours:
        envy = ours["envy"]
        counts = wager >= envy["qualifying_wager_cents"]
        scale = Fraction(envy["wager_cents"], wager) * counts
        edges = {
            players: Fraction(ours["house_edge"]) * (1 - scale) + Fraction(edge) * scale + cost
            for players, edge in envy["house_edge_by_players"].items()
        }
        own["house_edge_by_players"] = {k: text(edge) for k, edge in edges.items()}
        own["house_edge_percent_by_players"] = {
            k: decimal(100 * edge, 4) for k, edge in edges.items()
        }
    if "progressive" in ours:
        fixed = Fraction(ours["progressive"]["fixed_return"]) - cost
        own["break_even_meters"] = {
            meter["level"]: decimal((1 - fixed) / Fraction(meter["probability_weight"]), 2)
            for meter in ours["progressive"]["meters"]
        }
    return own


def outcome_sums(stated, total):
    """Return the sums of won, pushed and lost rounds in the evidence if they cover all deals."""
    sums = stated["outcomes"]
    covered = sum(sums.values()) == sum(row["combinations"] for row in stated["rows"]) == total
    return sums if covered else "sums that cover every deal"


def main_wager_figures(stated, hand, deck):
    """Return the figures of a main wager that follow from its counts and row returns."""
    dealer, shown = hand.get("dealer_cards", hand["cards"]), hand.get("dealer_shows", 0)
    total = comb(deck, hand["cards"]) * comb(deck - hand["cards"], dealer) * comb(dealer, shown)
    rows = [
        (Fraction(row["combinations"], stated["total_combinations"]), Fraction(row["return"]))
        for row in stated["rows"]
    ]
    edge = -sum(value for _, value in rows)
    wins = sum((p for p, value in rows if value > 0), Fraction(0))
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
    """The files of the kit, and the counts made for them."""

    def __init__(self, folder, quick, every_reading=False):
        """Read the evidence and the declared data."""
        self.folder = Path(folder)
        self.quick, self.every_reading = quick, every_reading
        self.played, self.coverage, self.counts = {}, [], {}
        self.changes, self.others = {}, {}
        self.evidence = self.read("evidence.json")
        named = self.evidence["order"].get("terms")
        self.terms = self.read(*named.split("--")) if named else {}
        self.different = 0
        self.compared = 0
        self.read_rules()

    def read_rules(self):
        """Read the game and the events."""
        self.game = self.read("paytables", self.evidence["order"]["game"], "game.json")
        declared = {
            path: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(self.folder.glob("**/paytables/events.json"))
        }
        builtin = "paytables", "events.json"
        if builtin in self.changes:
            declared[self.folder.joinpath(*builtin)] = self.changes[builtin]
        self.events = {event["id"]: event for one in declared.values() for event in one["events"]}
        self.back = self.game["hand"]["back"]
        self.jokers = int(self.game["deck"]["joker"])
        self.deck = 52 + self.jokers
        self.wild = self.game.get("joker") == "fully_wild"
        if self.game["deck"]["ranks"] != 13 or self.game["deck"].get("decks", 1) != 1:
            raise SystemExit("This reproducer knows one whole deck.")

    def read(self, *parts):
        """Return one JSON file; a project's own comes before the built-in one."""
        if parts in self.changes:
            return self.changes[parts]
        own, builtin = self.folder.joinpath("project", *parts), self.folder.joinpath(*parts)
        path = own if own.exists() else builtin
        return json.loads(path.read_text(encoding="utf-8"))

    def holds(self, *parts):
        """Return True if the kit has a file; it has only files of the submission."""
        return any(self.folder.joinpath(top, *parts).exists() for top in ("project", ""))

    def say(self, name, differences, what):
        """Print one line for a comparison, and one for each difference."""
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
        """Count hands of each size that a paytable needs, and compare with census/*.csv."""
        for path in sorted(self.folder.glob("census/*.csv")):
            with path.open(encoding="utf-8", newline="") as stream:
                header, *lines = csv.reader(stream)
            cards = int(path.name.split("-")[0])
            features = header[:-1]
            cells = census(cards, self.hands(cards).deck, features)
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
            self.counts[cards, self.jokers, self.wild] = cells, features
        for cards in sorted({table["cards"] for table in paytables}):
            if (cards, self.jokers, self.wild) not in self.counts:
                raise SystemExit(f"There is no census of {cards} cards in the kit.")

    def hands(self, cards):
        """Return the deck and hands of so many cards."""
        game, hand = self.game, self.game["hand"]
        return Rules(
            ranks=game["deck"]["ranks"],
            jokers=self.jokers,
            cards=cards,
            back=min(cards, 5) if cards in self.list_joined() else hand["back"],
            front=hand["front"],
            wild=self.wild,
            low_wheel=game["wheel"] == "lowest",
            joker_beats_ace=game.get("joker_beats_ace_in_front", False),
            order=rank_kinds(game),
        )

    def list_joined(self):
        """Return the numbers of cards of the player and the dealer that are one hand."""
        tables = filter(None, self.paytables().values())
        return {table["cards"] for table in tables if table["hand"] == "together"}

    def cells(self, cards, conditions):
        """Return hands by the features of conditions; count them on first use."""
        key = cards, self.jokers, self.wild
        cells, features = self.counts.get(key, ({}, []))
        missing = set().union(*map(condition_features, conditions)) - set(features)
        if missing or not cells:
            features = [*features, *sorted(missing)]
            cells = census(cards, self.hands(cards).deck, features)
            self.counts[key] = cells, features
        return cells, features

    @staticmethod
    def cell_text(value):
        """Return a feature's value as the CSV writes it."""
        if value is None:
            return ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def paytables(self):
        """Return the declared paytables of the results, by target; None for a main wager."""
        return {
            result["target"]: None
            if "outcomes" in result
            else self.read(
                "paytables", *result["target"].split("/")[:2], result["paytable"] + ".json"
            )
            for result in self.evidence["results"]
        }

    def count_rows(self, table):
        """Return the number of all hands and of each row's, or None if out of scope."""
        events = [self.events[event] for event in set().union(*split_tables(table, self.events))]
        cards = table["cards"]
        total = comb(self.deck, cards)
        if any(set_or_compared(event) for event in events):
            return None
        if table["hand"] != "both":
            cells, features = self.cells(cards, [event["when"] for event in events])
            tables = split_tables(table, self.events)
            return total, row_counts(tables, self.events, cells, features)
        key = join_rules([table["rows"], table.get("also"), events, self.hands(cards)])
        if key not in self.played:
            self.played[key] = pair_counts(table, self.events, rules=self.hands(cards))
        return total * comb(self.deck - cards, cards), self.played[key]

    def price_envy(self, table):
        """Return the prizes for other players' hands; None without prizes."""
        if "envy" not in table:
            return None
        folder = "paytables", self.game["id"], table["wager"], "envy"
        return self.read(*folder, table["envy"] + ".json")

    def table_figures(self, table):
        """Return every figure of a paytable; None if out of scope."""
        counted = self.count_rows(table)
        if counted is None:
            return None
        total, rows = counted
        envy, prizes = self.price_envy(table), {}
        if envy:
            _, prizes = self.count_rows(table | {"rows": envy["rows"], "also": ()} | FIRST)
        stake = self.wager_with_prizes(table, envy) if envy else None
        players = self.game["players"]
        whole = join_tables(table, split_tables(table, self.events), rows)
        counts = order_counts(whole, rows)
        return figures(whole, envy, order_counts(envy, prizes), counts, total, players, stake)

    def wager_with_prizes(self, table, envy):
        """Return the smallest allowed wager that qualifies for prizes, in cents, or the largest."""
        wager = self.read("paytables", self.game["id"], table["wager"], "wager.json")
        least = self.terms.get("least_wagers", {}).get(table["wager"], wager.get("minimum_cents"))
        most = self.terms.get("largest_wagers", {}).get(table["wager"], wager.get("maximum_cents"))
        cents = max(envy["qualifying_wager_cents"], least or 0)
        return cents if most is None else min(cents, most)

    def result(self, stated, table):
        """Recompute one result of the evidence and compare it."""
        if table is None:
            self.main_wager(stated)
            return
        ours = self.table_figures(table)
        if ours is None:
            self.cover(stated, {}, AS_SET)
            return

        def otherwise(other, _):
            again = other.read(*self.place(stated))
            if self.list_inputs(table) == other.list_inputs(again):
                return ours
            return other.table_figures(again) or AS_SET

        others, reasons, wrong = self.prices(stated, ours, otherwise)
        if "limit" in stated:
            ours |= self.compute_limits(stated, table, ours)
        shown = {key: stated[key] for key in stated if key not in (*NOT_FIGURES, "alternatives")}
        what = f"{len(ours['rows'])} rows, {sum(1 for _ in leaves(ours))} figures"
        what += f", other readings: {len(others)}" if others else ""
        self.say(stated["target"], differences(shown, ours) + wrong, what)
        self.cover(stated, ours | {"alternatives": others}, reasons=reasons)

    @staticmethod
    def place(stated):
        """Return the path of the record of a result."""
        return "paytables", *stated["target"].split("/")[:2], stated["paytable"] + ".json"

    def list_inputs(self, table):
        """Return the dependencies of the figures of a paytable."""
        hands = self.jokers, self.wild, self.back, self.game["players"]
        return table, self.price_envy(table), list(self.events.items()), hands

    def other_readings(self):
        """Return the other declared interpretations of the game and of its house way."""
        way = self.evidence["order"].get("house_way") or self.game.get("house_way", "")
        mine = {"events", self.game["id"], f"house-ways/{way}"}
        listed = []
        for owner in dict.fromkeys((self.game["id"], way)):  # both may be of one name
            path = "paytables", "alternatives", f"{owner}.json"
            if self.holds(*path):
                listed += self.read(*path)["alternatives"]
        return [
            reading
            for reading in listed
            if all(
                change["record"] in mine or change["record"].startswith(self.game["id"] + "/")
                for change in reading["changes"]
            )
        ]

    def apply_reading(self, reading):
        """Return this kit with the files changed by an interpretation."""
        if reading["id"] not in self.others:
            other = copy(self)
            other.changes = {}
            for record in {change["record"] for change in reading["changes"]}:
                place = "paytables", *readings.record_path(record)
                changes = [each for each in reading["changes"] if each["record"] == record]
                if self.holds(*place):
                    other.changes[place] = readings.apply_changes(self.read(*place), changes)
            other.read_rules()
            self.others[reading["id"]] = other
        return self.others[reading["id"]]

    def prices(self, stated, filed, otherwise):
        """Recompute the effect of other interpretations on a result.

        ``otherwise`` returns the figures by the rules as another kit has them, or why they are not
        counted. Returns them as the evidence has them, the reasons by their place, and what is
        wrong.
        """
        listed = stated.get("alternatives", [])
        places = {reading["id"]: place for place, reading in enumerate(listed)}
        ours, reasons, wrong = [{} for _ in listed], {}, []
        for reading in self.other_readings():
            place = places.get(reading["id"])
            by_reading = otherwise(self.apply_reading(reading), place is not None)
            if isinstance(by_reading, str):
                if place is not None:
                    reasons[str(place + 1)] = by_reading
                continue
            moved = readings.compare_figures(filed, by_reading)
            if place is not None:
                ours[place] = {key: reading[key] for key in ("id", "of", "text")} | {
                    "figures": [
                        {"figure": name, "filed": text(was), "otherwise": text(now)}
                        | both("change", change)
                        for name, (was, now, change) in moved.items()
                    ]
                }
            elif moved:
                wrong.append(f"the reading {reading['id']} moves {', '.join(moved)}: not stated")
        theirs = [reading if mine else {} for reading, mine in zip(listed, ours)]
        wrong += differences({"alternatives": theirs}, {"alternatives": ours})
        return ours, reasons, wrong

    def main_wager(self, stated, among="results"):
        """Recompute a main wager and compare it: from the deals, or from the given counts."""
        name = stated["target"] if among == "results" else f"{among}: {name_play(stated)}"
        option = self.read(*self.place(stated))
        why = self.reason_not_counted(option)
        own, ours, wrong = dict(stated), {}, []
        if why is None:
            ours, wrong = self.derive_figures(option, stated)
            own |= ours
        follow = main_wager_figures(own, self.game["hand"], self.deck)
        if "limit" in stated:
            follow |= self.limited_main(stated, follow, option)
        wrong += differences({k: stated.get(k) for k in follow | ours}, follow | ours)
        others, reasons, more = self.prices(stated, follow, self.played_otherwise(stated))
        wrong += more
        if why is None:
            ours |= follow
            what = f"every deal is counted, {sum(1 for _ in leaves(ours))} figures"
        else:
            what = "its counts are taken as stated; the arithmetic on them agrees"
        self.say(name, wrong, what)
        ours |= {"alternatives": others}
        self.cover(stated, ours, why or WEIGHED, follow, name, reasons)

    def played_otherwise(self, stated):
        """Return a function for a main wager's edge, or the reason why it is not counted."""

        def edge(other, is_stated):
            if not is_stated:
                return READING
            option = other.read(*self.place(stated))
            played = dict(stated)
            for key in ("strategy", "house_way"):
                if other.game.get(key) != self.game.get(key):
                    played[key] = other.game[key]
            why = other.reason_not_counted(option)
            if why:
                return why
            ties = option.get("ties", {})
            if not self.every_reading and not other.is_counted(option, played, ties):
                return READING
            return {"house_edge": text(other.settle_rounds(option, played, ties).edge)}

        return edge

    def reason_not_counted(self, option):
        """Return the reason why the deals of an option are not counted; None if they are."""
        raised = {"when": option["raise"]["qualifies"]} if "raise" in option else {}
        if any(map(set_or_compared, (*option.get("dealer_rules", ()), raised))):
            return AS_SET
        if self.has_other_hands() or has_terms_by_hand(option):
            return BY_HAND
        return QUICK if self.quick else None

    def has_other_hands(self):
        """Return True if the main wager compares other hands than those that are dealt unseen."""
        hand = self.game["hand"]
        dealt = {hand["cards"], hand.get("dealer_cards", hand["cards"])}
        return not hand["front"] and (dealt != {hand["back"]} or hand.get("dealer_shows", 0) > 0)

    def derive_figures(self, option, stated):
        """Return the figures that follow from the deals of a main wager, and faults of its rows."""
        ties = option.get("ties", {})
        settled = self.settle_rounds(option, stated, ties)
        sums = dict.fromkeys(("win", "push", "lose"), 0)
        for row in settled.rows.values():
            sums[row.outcome] += row.pairs
        ours = {"outcomes": sums}
        if "house_way_rules" in stated:
            ours["house_way_rules"] = [
                line | {"hands": settled.uses.get(line["rule"], 0)}
                for line in stated["house_way_rules"]
            ]
        ours["rows"], wrong = own_rows(settled, stated["rows"])
        if "raise" in option:
            ours |= both("average_wager", settled.wagered)
        if "by_wager" in stated:
            ours["by_wager"] = [
                line
                | {
                    "house_edge": text(
                        self.settle_rounds(scale_option(option, line), stated, ties).edge
                    )
                }
                for line in stated["by_wager"]
            ]
        if "bank" in stated:
            banked = self.settle_rounds(option, stated, mirror_ties(ties))
            rows, more = own_rows(banked, stated["bank"]["rows"])
            part = Fraction(option["bank"]["share"])
            ours["bank"] = {"share": text(part), "rows": rows}
            whole = (1 - part) * settled.edge + part * banked.edge
            for key, value in (("house_edge", banked.edge), ("combined_house_edge", whole)):
                ours["bank"] |= both(key, value) | {key + "_percent": decimal(100 * value, 4)}
            wrong += more
        return ours, wrong

    def settle_rounds(self, option, stated, ties):
        """Return the results of an option's rounds; options with the same play share one count."""
        question = self.question(stated, ties)
        asked_for = self.decision(option, question, stated)
        if asked_for not in self.played:
            plays = {asked_for: Play(Option(option), question, stated["strategy"])}
            for other, declared in self.mains():
                if other.get("house_way") == stated.get("house_way") and have_equal_ties(
                    declared, option
                ):
                    name = self.decision(declared, question, other)
                    plays.setdefault(name, Play(Option(declared), question, other["strategy"]))
            counted = count(question, [play.decision for play in plays.values()])
            for name, tally in zip(plays, counted.tallies):
                self.played[name] = counted, tally
        return Play(Option(option), question, stated["strategy"]).settle(*self.played[asked_for])

    def is_counted(self, option, stated, ties):
        """Return True if the deals of an option have been counted."""
        return self.decision(option, self.question(stated, ties), stated) in self.played

    def question(self, stated, ties):
        """Return the question to the deals, for an option and all others in the evidence."""
        options = [Option(declared) for _, declared in self.mains()]
        way = stated.get("house_way")
        return merge_options(
            options,
            rules=self.hands(self.game["hand"]["cards"]),
            house_way=self.read("paytables", "house-ways", way + ".json") if way else UNDIVIDED,
            seen=self.game["dealer_exposed"],
            ties=ties,
        )

    @staticmethod
    def decision(option, question, stated):
        """Return a key of the inputs of an option's pair count, as text."""
        optimal = stated["strategy"] == OPTIMAL
        decides = "raise" in option or (optimal and not question.seen)
        ends = [*question.ends.items()]
        return join_rules([question._replace(ends=ends), optimal, option if decides else None])

    def mains(self):
        """Yield every main wager in the evidence, with its declared option."""
        for among in ("results", "comparison", "other_options"):
            for stated in self.evidence.get(among, ()):
                if "outcomes" in stated:
                    yield stated, self.read(*self.place(stated))

    def cover(self, stated, counted, why="", follow=None, name=None, reasons=None):
        """Record the check of each figure of a result; ``reasons`` are of interpretations."""
        ours, derived = dict(leaves(counted)), dict(leaves(follow or {}))
        shown = {key: stated[key] for key in stated if key not in NOT_FIGURES}
        for path, value in leaves(shown):
            if not FIGURE.fullmatch(str(value)):
                continue
            how = COUNTED if path in ours else DERIVED if path in derived else why
            if how not in (COUNTED, DERIVED) and path.startswith("alternatives/"):
                how = (reasons or {}).get(path.split("/")[1], why)
            self.coverage.append((name or stated["target"], path, how))

    def table_of_coverage(self, every):
        """Print the check of every figure: a summary, or one by one."""
        for name, why in (("hands", HANDS), ("published_figures", PUBLISHED)):
            listed = {"rows": self.evidence.get(name) or []}
            self.coverage += [
                (name, path, why) for path, value in leaves(listed) if FIGURE.fullmatch(str(value))
            ]
        if every:
            for name, path, how in self.coverage:
                sys.stdout.write(f"{name}\t{path}\t{how}\n")
        width = max(len(name) for name, _, _ in self.coverage)
        sys.stdout.write(f"\n{'How figures were checked':{width}}  counted  derived      not\n")
        names = list(dict.fromkeys(name for name, _, _ in self.coverage))
        for name in [*names, None]:
            hows = Counter(how for whose, _, how in self.coverage if name in (whose, None))
            rest = sum(hows.values()) - hows[COUNTED] - hows[DERIVED]
            line = f"{name or 'all':{width}}  {hows[COUNTED]:7}  {hows[DERIVED]:7}  {rest:7}"
            why = "; ".join(
                f"{n} {how}" for how, n in hows.items() if how not in (COUNTED, DERIVED)
            )
            sys.stdout.write(line + (f"  {why}" if why and name else "") + "\n")
        sys.stdout.write(
            "counted: from the cards up. derived: from counts that are taken as stated.\n\n"
        )

    def limits(self, wager):
        """Return the limits that the terms state for a wager, and the seats that share them."""
        limits = [
            {"scope": "player"} | limit
            for limit in self.terms.get("aggregate_limits", ())
            if wager in limit["wagers"]
        ]
        return limits, self.terms.get("players", self.game["players"])

    def compute_limits(self, stated, table, ours):
        """Return the figures of a paytable under its limits."""
        rows = [*table["rows"], {"pays": "loss"}]
        chances = [Fraction(row["probability"]) for row in ours["rows"]]
        pays = [(p, net(row), paid(row)) for row, p in zip(rows, chances) if p]
        drawn = [paid({"pays": drawn_pay}) for row in rows for drawn_pay in row.get("dynamic", ())]
        limits, seats = self.limits(table["wager"])
        return limit_figures(
            stated, limits, pays, seats, ours, drawn=drawn,
            draws=(lambda cap: range_of_draws(table, rows, chances, cap)) if drawn else None,
        )  # fmt: skip

    def limited_main(self, stated, ours, option):
        """Return the figures of a main wager under its limits: pays are wins less commission."""
        declared = Option(option)
        unit, fee = declared.staked, declared.fee / declared.staked
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
        for result in self.evidence["results"]:
            tables.append((result["target"], result["rows"]))
            if "envy" in result:
                envy = result["envy"]
                tables.append((f"{result['target']}/envy/{envy['paytable']}", envy["rows"]))
        names = ("event", "name", "pays", "combinations", "probability", "return")
        rows = [
            (name, *(str(row.get(k, "")) for k in names)) for name, lines in tables for row in lines
        ]
        wrong = [
            f"line {line}: {ours} is not {theirs}"
            for line, (ours, theirs) in enumerate(zip_longest(written, rows, fillvalue=()), 2)
            # an apostrophe keeps a spreadsheet from running a text as a formula
            if [cell.removeprefix("'") for cell in ours]
            != [cell.removeprefix("'") for cell in theirs]
        ]
        self.say("fractions.csv", wrong, f"{len(rows)} rows as in evidence.json")


FIRST = {"award": "first_row_contained"}  # prizes for other hands go to the first row
NOT_FIGURES = frozenset(
    ("target", "game", "wager", "paytable", "method", "rounding", "assumptions", "inputs", "engine")
)


FIGURE = re.compile(r"-?\d+([./]\d+)?")
"""The format of an integer, a fraction and a decimal in the evidence."""

# How a figure was checked, or why it was not.
COUNTED = "counted"  # from the cards up, by the declared rules
DERIVED = "derived"  # it follows from counts that are taken as stated
WEIGHED = "what a house way costs: it is weighed against best play, hand by hand"
QUICK = "left out by --quick"
AS_SET = "asks how the house way sets a hand, or which hand is higher"
BY_HAND = "compares the best of more cards, a card is seen, or pays depend on the player's hand"
READING = "another reading of the rules: `--readings` counts its deals"
HANDS = "hands by their name: census/ has them by their features"
PUBLISHED = "what a source prints, in addition to the figures above"

UNDIVIDED = {"sections": [{"id": "all", "when": {}, "base": {"id": "all", "front": {}}}]}
"""The house way of a game that divides no hand: all cards stay together."""


def set_or_compared(event):
    """Return True if an event depends on set hands, or on the higher of two."""
    sides = (event.get(whose) for whose in ("when", "dealer", "player"))
    names = {name for condition in sides for name in condition_features(condition)}
    return bool({"compare", "either"} & event.keys() or {"high_hand", "low_hand"} & names)


def has_terms_by_hand(option):
    """Return True if a raise or a companion wager depends on the player's hand."""
    raised = option.get("raise", {})
    won = raised.get("not_qualified", "push") != "push"
    return won or "companion" in option or bool({"pays", "largest_when"} & raised.keys())


def join_rules(rules):
    """Return the rules of a main wager as one text."""
    return json.dumps(rules, sort_keys=True)


def name_play(stated):
    """Return a main wager's name with its play."""
    return f"{stated['target']}, {stated['house_way']}, {stated['strategy']}"


def rank_kinds(game):
    """Return the kinds of hands, lowest first; a royal flush is the highest straight flush."""
    if "ranking" not in game:
        return KINDS
    order = game["ranking"]["highest_first"][::-1]
    royal = order.index("straight_flush") + 1
    return (*order[:royal], "royal_flush", *order[royal:])


def scale_option(option, line):
    """Return an option at another wager."""
    return option | {"wager_cents": line["wager_cents"]}


def have_equal_ties(option, other):
    """Return True if two options have the same ties."""
    return option.get("ties", {}) == other.get("ties", {})


def own_rows(settled, stated):
    """Return the rows of a main wager with recomputed figures, and their faults."""
    left = dict(settled.rows)
    total = sum(row.pairs for row in left.values())
    rows = []
    for row in stated:
        counted = left.pop(row["event"], None)
        chance = Fraction(counted.pairs if counted else 0, total)
        ours = row | {"combinations": counted.pairs if counted else 0}
        ours |= both("probability", chance)
        rows.append(ours | both("return", chance * (counted.net if counted else 0)))
    return rows, [f"{name}: not stated, counted {row.pairs}" for name, row in left.items()]


def order_counts(table, counts):
    """Return the counts of a table's rows."""
    return [counts[row["event"]] for row in table["rows"]] if table else []


def join_tables(table, order, counts):
    """Return one table with the combined pays of a wager's tables, without empty rows.

    Winnings add up. The wager is returned if any of the rows returns it. ``order`` are the events
    of each table in the order of trial.
    """
    if not table.get("also"):
        return table
    rows = []
    parts = [{row["event"]: row for row in part["rows"]} for part in (table, *table["also"])]
    for chosen in product(*((*events, None) for events in order)):
        paid_rows = [part[event] for part, event in zip(parts, chosen) if event]
        event = "+".join(filter(None, chosen))
        if paid_rows and counts[event]:
            *names, last = [row["name"] for row in paid_rows]
            name = f"{', '.join(names)} and {last}" if names else last
            rows.append({"event": event, "name": name, "pays": sum_of_pays(paid_rows)})
    return table | {"rows": rows}


def sum_of_pays(rows):
    """Return the total pay of several rows for one stake."""
    amount = sum(map(paid, rows))
    returned = any(" to " in row["pays"] or row["pays"] == "push" for row in rows)
    if amount:
        return f"{amount.numerator} {'to' if returned else 'for'} {amount.denominator}"
    return "push" if returned else "loss"


def leaves(value, path=""):
    """Yield each figure inside a value of the evidence with its path."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], f"{path}/{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            name = inner.get("event") or inner.get("level") if isinstance(inner, dict) else None
            yield from leaves(inner, f"{path}/{place + 1}" + (f" {name}" if name else ""))
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
    flags = {argument for argument in arguments if argument.startswith("--")}
    folders = [argument for argument in arguments if argument not in flags]
    if flags - {"--quick", "--readings", "--coverage"} or len(folders) > 1:
        sys.stderr.write("usage: reproduce.py [--quick] [--readings] [--coverage] [FOLDER]\n")
        return 2
    folder = folders[0] if folders else Path(__file__).resolve().parent
    kit = Kit(folder, "--quick" in flags, "--readings" in flags)
    kit.digests()
    tables = kit.paytables()
    kit.censuses([table for table in tables.values() if table])
    for among in ("comparison", "other_options"):
        for stated in kit.evidence.get(among, ()):
            kit.main_wager(stated, among)
    for stated in kit.evidence["results"]:  # other readings may be of deals that were counted above
        kit.result(stated, tables[stated["target"]])
    kit.fractions()
    kit.table_of_coverage("--coverage" in flags)
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
