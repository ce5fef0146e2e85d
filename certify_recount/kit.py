"""The laboratory kit: recompute the figures of a submission, and compare them with its evidence."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from fractions import Fraction
from math import comb
from pathlib import Path

from .census import split_tables
from .counting import Played, Recounter, build_rules
from .figures import (
    Figures,
    Pays,
    both,
    differences,
    envy_figures,
    figures,
    follow_counts,
    join_tables,
    leaves,
    limit_figures,
    net,
    paid,
    range_of_draws,
    settle_figures,
    text,
)
from .files import Game, Json, Paytable, Row, apply_terms, read_json
from .hands import Uncountable
from .kit_files import (
    apply_reading,
    compare_censuses,
    compare_digests,
    compare_figures,
    compare_fractions,
    read_folder,
)
from .main_wager import Option
from .meters import add_long_run
from .printed import (
    COUNTED,
    DERIVED,
    NOT_DERIVED,
    NOT_FIGURES,
    PUBLISHED,
    QUICK,
    READING,
    WEIGHED,
    Coverage,
    derive_figures,
    is_figure,
    rounded_faults,
)

USAGE = "usage: reproduce.py [--quick] [--readings] [--coverage] [FOLDER]\n"

FRACTIONS = "fractions.csv"

BESIDE = frozenset(
    ("engine", "format", "order", "provenance", "register", "results", "sources", "status",
     "workbook_sha256")
)  # fmt: skip
"""Parts of the evidence without figures, and the results, whose figures are listed by target."""

PARTS = frozenset(
    ("checklist", "comparison", "hands", "least_limits", "other_house_ways", "other_options",
     "published_figures", "requirements")
)  # fmt: skip
"""The parts of the judgments."""

HANDS = "judgements/hands"

PLAYED = ("comparison", "other_options", "other_house_ways")
"""The parts of the judgments that are results of main wagers."""


def name_play(entry: Json) -> str:
    """Return a main wager's name with its play."""
    return f"{entry['target']}, {entry.get('house_way')}, {entry['strategy']}"


class Kit:
    """The files of the kit, and the counts made for them."""

    def __init__(self, folder: Path, *, quick: bool = False, every_reading: bool = False) -> None:
        """Read the evidence and the declared data."""
        self.quick, self.every_reading = quick, every_reading
        self.all_files = read_folder(folder)
        self.files: Mapping[str, bytes] = {
            name: data for name, data in self.all_files.items() if "paytables" in name.split("/")
        }
        self.others: dict[str, Recounter] = {}
        self.coverage = Coverage()
        self.evidence: Json = read_json(self.all_files["evidence.json"])
        order = self.evidence["order"]
        path = (order.get("terms") or "").replace("--", "/")
        self.terms: Json = read_json(self.all_files[path]) if path else {}
        self.files = apply_terms(self.files, self.terms)
        self.recounter = Recounter(self.files)
        self.game = self.recounter.files.game(order["game"])
        self.judgements: Json = self.evidence.get("judgements", {})
        self.different = self.compared = 0
        self.filed = {result["target"]: result for result in self.evidence["results"]}
        self.mains = {entry["target"] for _, entry in self.plays()}
        if not quick:
            self.recounter.expect(self.read_play(entry) for _, entry in self.plays())

    def plays(self) -> Iterator[tuple[str, Json]]:
        """Yield the results of main wagers, each with the part of the evidence that has it."""
        listed = [("results", self.evidence["results"])]
        listed += [(part, self.judgements.get(part, [])) for part in PLAYED]
        for part, results in listed:
            yield from ((part, entry) for entry in results if "outcomes" in entry)

    @staticmethod
    def read_play(entry: Json) -> Played:
        """Return the play of a result."""
        return Played(entry["target"], entry["strategy"], entry.get("house_way"))

    def say(self, name: str, differing: Sequence[str], what: str) -> None:
        """Print one line for a comparison, and one for each difference."""
        self.compared += 1
        self.different += bool(differing)
        lines = [f"DIFFERS  {name}", *(f"         {line}" for line in differing)]
        sys.stdout.write("\n".join(lines if differing else [f"agrees   {name}: {what}"]) + "\n")

    def table_figures(self, recounter: Recounter, entry: Json) -> Figures:
        """Return every figure of a paytable.

        Raises:
            Uncountable: a row depends on a feature that is not counted.
        """
        target, wager = entry["target"], entry["target"].rpartition("/")[0]
        table, paytable = recounter.files.read(f"{target}.json"), recounter.files.paytable(target)
        game = recounter.files.game(self.game.id)
        rows = recounter.count_rows(game, paytable, entry.get("house_way"))
        whole = join_tables(table, split_tables(paytable, recounter.files.events), rows)
        ours = figures(whole, rows)
        if "progressive" in ours:
            cards = 4 * game.deck.ranks * game.deck.decks + int(game.deck.joker)
            add_long_run(ours, whole, cards, self.seats(game))
        if paytable.envy:
            envy = recounter.files.read(f"{wager}/envy/{paytable.envy}.json")
            prizes = recounter.count_rows(game, recounter.prizes(wager, paytable))
            edge = Fraction(ours["house_edge"]) if "house_edge" in ours else None
            stake = self.wager_with_prizes(wager, envy)
            ours["envy"] = envy_figures(envy, prizes, edge, self.seats(game), stake)
        return ours

    def seats(self, game: Game) -> int:
        """Return the number of players that the terms state, or else the game's own."""
        players: int = self.terms.get("players", game.players)
        return players

    def wager_with_prizes(self, target: str, envy: Json) -> int:
        """Return the smallest allowed wager that qualifies for prizes, in cents, or the largest."""
        wager, name = self.recounter.files.read(f"{target}/wager.json"), target.split("/")[1]
        least = self.terms.get("least_wagers", {}).get(name, wager.get("minimum_cents"))
        most = self.terms.get("largest_wagers", {}).get(name, wager.get("maximum_cents"))
        cents: int = max(envy["qualifying_wager_cents"], least or 0)
        return cents if most is None else min(cents, most)

    def result(self, entry: Json) -> None:
        """Recompute a paytable of the evidence and compare it."""
        try:
            ours = self.table_figures(self.recounter, entry)
        except Uncountable as error:
            self.coverage.cover(entry["target"], entry, {}, why=str(error))
            return

        def otherwise(other: Recounter, *, stated_there: bool) -> Figures | str:
            del stated_there
            try:
                return self.table_figures(other, entry)
            except Uncountable as error:
                return str(error)

        others, reasons, wrong = self.prices(entry, ours, otherwise)
        if "limit" in entry:
            ours |= self.limit_table(entry, ours, self.limits(entry["wager"]))
        left_out = (*NOT_FIGURES, "alternatives", "house_way")
        shown = {key: entry[key] for key in entry if key not in left_out}
        what = f"{len(ours['rows'])} rows, {sum(1 for _ in leaves(ours))} figures"
        what += f", other readings: {len(others)}" if others else ""
        self.say(entry["target"], differences(shown, ours) + wrong, what)
        self.coverage.cover(
            entry["target"], entry, ours | {"alternatives": others}, reasons=reasons
        )

    def other_readings(self) -> list[Json]:
        """Return the other declared interpretations of the game and of its house way."""
        way = self.evidence["order"].get("house_way") or self.game.house_way
        mine = {"events", self.game.id, f"house-ways/{way}"}
        names = set(self.recounter.files.names("alternatives"))
        return [
            reading
            for owner in dict.fromkeys((self.game.id, way))  # both may be of one name
            if owner in names
            for reading in self.recounter.files.read(f"alternatives/{owner}.json")["alternatives"]
            if all(
                change["record"] in mine or change["record"].startswith(f"{self.game.id}/")
                for change in reading["changes"]
            )
        ]

    def apply_reading(self, reading: Json) -> Recounter:
        """Return the counts by the files as an interpretation changes them."""
        if reading["id"] not in self.others:
            other = Recounter(apply_reading(self.files, reading))
            other.counted, other.played = self.recounter.counted, self.recounter.played
            self.others[reading["id"]] = other
        return self.others[reading["id"]]

    def prices(
        self, entry: Json, filed: Json, otherwise: Callable[..., Figures | str]
    ) -> tuple[list[Figures], dict[str, str], list[str]]:
        """Recompute the effect of other interpretations on a result.

        ``otherwise`` returns the figures by the rules as another interpretation has them, or why
        they are not counted. Returns them as the evidence has them, the reasons by their place, and
        what is wrong.
        """
        listed = entry.get("alternatives", [])
        places = {reading["id"]: place for place, reading in enumerate(listed)}
        ours: list[Figures] = [{} for _ in listed]
        reasons: dict[str, str] = {}
        wrong: list[str] = []
        for reading in self.other_readings():
            place = places.get(reading["id"])
            by_reading = otherwise(self.apply_reading(reading), stated_there=place is not None)
            if isinstance(by_reading, str):
                if place is not None:
                    reasons[str(place + 1)] = by_reading
                continue
            moved = compare_figures(filed, by_reading)
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
        theirs = [reading if mine else {} for reading, mine in zip(listed, ours, strict=True)]
        wrong += differences({"alternatives": theirs}, {"alternatives": ours})
        return ours, reasons, wrong

    def main_wager(self, part: str, entry: Json) -> None:
        """Recompute a main wager and compare it: from the deals, or from the given counts."""
        name = entry["target"] if part == "results" else f"{part}: {name_play(entry)}"
        played, hand = self.read_play(entry), self.game.hand
        why = self.reason_not_counted(self.recounter, played)
        ours, wrong = ({}, []) if why else settle_figures(self.recounter, entry, played)
        deck = build_rules(self.game, hand.cards).deck.size
        total = comb(deck, hand.cards) * comb(deck - hand.cards, hand.dealer)
        total *= comb(hand.dealer, hand.dealer_shows)
        follow = follow_counts({**entry, **ours}, total)
        if "limit" in entry:
            follow |= self.limit_main(entry, follow, self.limits(entry["wager"]))
        wrong += differences({k: entry.get(k) for k in follow | ours}, follow | ours)

        def otherwise(other: Recounter, *, stated_there: bool) -> Figures | str:
            if not stated_there:
                return READING
            there = other.files.game(self.game.id)
            again = played
            if there.strategy != self.game.strategy:
                again = again._replace(strategy=there.strategy)
            if there.house_way != self.game.house_way:
                again = again._replace(house_way=there.house_way)
            reason = self.reason_not_counted(other, again)
            if not reason and not self.every_reading and not other.is_counted(again):
                reason = READING
            return reason or {"house_edge": text(other.settle(again).edge)}

        others, reasons, more = self.prices(entry, follow, otherwise)
        what = "its counts are taken as stated; the arithmetic on them agrees"
        if not why:
            ours |= follow
            what = f"every deal is counted, {sum(1 for _ in leaves(ours))} figures"
        self.say(name, wrong + more, what)
        self.coverage.cover(
            name, entry, ours | {"alternatives": others}, why=why or WEIGHED, follow=follow,
            reasons=reasons,
        )  # fmt: skip

    def reason_not_counted(self, recounter: Recounter, played: Played) -> str:
        """Return the reason why the deals of a play are not counted; empty if they are."""
        try:
            recounter.refuse(played.target)
        except Uncountable as error:
            return str(error)
        return QUICK if self.quick else ""

    def limits(self, wager: str) -> list[Json]:
        """Return the limits that the terms state for a wager."""
        return [
            {"scope": "player"} | limit
            for limit in self.terms.get("aggregate_limits", ())
            if wager in limit["wagers"]
        ]

    def limit_table(self, entry: Json, ours: Json, limits: Sequence[Json]) -> Figures:
        """Return the figures of a paytable under its limits."""
        table = self.recounter.files.read(f"{entry['target']}.json")
        rows = [*table["rows"], {"pays": "loss"}]
        chances = [Fraction(row["probability"]) for row in ours["rows"]]
        pays = [(p, net(row), paid(row)) for row, p in zip(rows, chances, strict=True) if p]
        drawn = [paid({"pays": pay}) for row in rows for pay in row.get("dynamic", ())]
        seats = self.seats(self.game)
        return limit_figures(
            entry, limits, pays, seats, ours, drawn=drawn,
            draws=(lambda cap: range_of_draws(table, rows, chances, cap)) if drawn else None,
        )  # fmt: skip

    def limit_main(self, entry: Json, ours: Json, limits: Sequence[Json]) -> Figures:
        """Return the figures of a main wager under its limits: pays are wins less commission."""
        option = Option(self.recounter.files.option(entry["target"]))
        fee = Fraction(option.fee, option.staked)
        nets = [
            (p, Fraction(Fraction(row["return"]), p))
            for row in ours["rows"]
            if row["combinations"]
            for p in [Fraction(row["probability"])]
        ]
        pays: Pays = [(p, value, max(value + fee, Fraction(0))) for p, value in nets]
        seats = self.seats(self.game)
        return limit_figures(
            entry, limits, pays, seats, ours, unit=option.staked, scaled=not option.depends_on_wager
        )

    def judge(self) -> None:
        """Compare the figures of pages that no result has, and the rounded forms of exact values.

        A part whose figures are not all derived is listed with the reason.
        """
        results = [entry for _, entry in self.plays()]
        game = self.game._replace(players=self.seats(self.game))
        ours, wrong = derive_figures(self.evidence, game, self.filed, results)
        if "hands" in self.judgements and self.game.hand.front:
            ours |= dict(leaves(self.count_names(), HANDS))
        for target, limit in self.judgements.get("least_limits", {}).items():
            result = {**self.filed[target], "limit": limit}
            apply = self.limit_main if target in self.mains else self.limit_table
            limited = apply(result, result, limit["limits"])["limit"]
            ours |= dict(leaves(limited, f"judgements/least_limits/{target}"))
        others = self.evidence.keys() - BESIDE
        printed = dict(leaves({key: self.evidence[key] for key in sorted(others)}))
        wrong += [
            f"{path}: stated {printed.get(path, 'nothing')}, derived {value}"
            for path, value in ours.items()
            if printed.get(path) != value
        ]
        unknown = {*others - {"judgements", "printed", "verification"}}
        unknown |= self.judgements.keys() - PARTS
        wrong += [f"{part}: certify writes no such part" for part in sorted(unknown)]
        rounded = dict(rounded_faults({**self.evidence}))
        wrong += filter(None, rounded.values())
        what = f"{len(ours)} figures that follow from results, {len(rounded)} rounded ones"
        self.say("printed figures", wrong, what)
        done = tuple(f"judgements/{part}/" for part in PLAYED)
        for path, value in printed.items():
            if is_figure(value) and not path.startswith(done):
                why = PUBLISHED if "published_figures" in path else NOT_DERIVED
                plain = "/" + re.sub(r"/(\d+) [^/]*", r"/\1", path)
                how = DERIVED if path in ours or plain in rounded else why
                how = COUNTED if path in ours and path.startswith(HANDS) else how
                self.coverage.lines.append((path.partition("/")[0], path, how))

    def count_names(self) -> Figures:
        """Return the number of hands by name, each counted under its highest name."""
        ladder = [
            Row(event) for event in self.recounter.files.events if event in self.judgements["hands"]
        ]
        table = Paytable("player", self.game.hand.cards, "first_row_contained", ladder)
        return dict(self.recounter.count_rows(self.game, table))


def run(arguments: Sequence[str], folder: Path) -> int:
    """Compare everything, see `main`; return 2 if that fails."""
    try:
        return main(arguments, folder)
    except (OSError, KeyError, ValueError, TypeError) as error:
        sys.stderr.write(f"The kit cannot be read: {type(error).__name__}: {error}\n")
        return 2
    except BrokenExecutor:
        sys.stderr.write("The system ended a process of the count: it probably lacks memory.\n")
        return 2


def main(arguments: Sequence[str], folder: Path) -> int:
    """Compare everything in a folder, or in the one that is named; return the exit code."""
    flags = {argument for argument in arguments if argument.startswith("--")}
    folders = [argument for argument in arguments if argument not in flags]
    if flags - {"--quick", "--readings", "--coverage"} or len(folders) > 1:
        sys.stderr.write(USAGE)
        return 2
    folder = Path(folders[0]) if folders else folder
    kit = Kit(folder, quick="--quick" in flags, every_reading="--readings" in flags)
    for compared in compare_digests(kit.all_files, kit.evidence):
        kit.say(*compared)
    tables = [
        kit.recounter.files.paytable(target) for target in kit.filed if target not in kit.mains
    ]
    together = {table.cards for table in tables if table.hand == "together"}
    for compared in compare_censuses(kit.all_files, kit.game, together):
        kit.say(*compared)
    # Other readings may be of deals that were counted for one of the judgments.
    for part, entry in sorted(kit.plays(), key=lambda play: play[0] == "results"):
        kit.main_wager(part, entry)
    for entry in kit.evidence["results"]:
        if "outcomes" not in entry:
            kit.result(entry)
    kit.judge()
    if FRACTIONS in kit.all_files:
        kit.say(*compare_fractions(kit.all_files[FRACTIONS], kit.evidence))
    kit.coverage.print(every="--coverage" in flags)
    if kit.different:
        sys.stdout.write(f"{kit.different} of {kit.compared} comparisons DIFFER.\n")
        return 1
    sys.stdout.write(f"All {kit.compared} comparisons agree.\n")
    return 0
