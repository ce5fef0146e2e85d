"""The laboratory kit: recompute the figures of a submission, and compare them with its evidence."""

import csv
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from math import comb
from pathlib import Path
from typing import Any

from . import digest, readings
from .census import census
from .counting import Played, Recounter, build_rules
from .figures import (
    Figures,
    both,
    differences,
    envy_figures,
    figures,
    join_tables,
    leaves,
    net,
    paid,
    range_of_draws,
    text,
)
from .files import Json, Paytable, Row, read_json
from .hands import Uncountable
from .limits import Pays, limit_figures
from .main_wager import Option
from .printed import (
    derive_mathematics,
    derive_verification,
    known_spreads,
    rounded_faults,
)
from .rounds import follow_counts, settle_figures
from .tables import split_tables

USAGE = "usage: reproduce.py [--quick] [--readings] [--coverage] [FOLDER]\n"

NOT_FIGURES = frozenset(
    ("target", "game", "wager", "paytable", "method", "rounding", "assumptions", "inputs", "engine")
)
BESIDE = frozenset(
    ("engine", "format", "order", "provenance", "register", "results", "sources", "status",
     "workbook_sha256")
)  # fmt: skip
"""Parts of the evidence without figures, and the results, whose figures are listed by target."""

FIGURE = re.compile(r"-?\$?[\d,]+([./]\d+)?%?")
"""The format of an integer, a fraction, a decimal, an amount and a percentage."""

PARTS = frozenset(
    ("checklist", "comparison", "hands", "least_limits", "other_house_ways", "other_options",
     "published_figures", "requirements")
)  # fmt: skip
"""The parts of the judgments."""

# How a figure was checked, or why it was not.
COUNTED = "counted"  # from the cards up, by the declared rules
DERIVED = "derived"  # it follows from counts that are taken as stated, or from other figures
WEIGHED = "what a house way costs: it is weighed against best play, hand by hand"
QUICK = "left out by --quick"
READING = "another reading of the rules: `--readings` counts its deals"
PUBLISHED = "what a source prints, in addition to the figures above"
NOT_DERIVED = "it is derived by certify, and not here"

PLAYED = ("comparison", "other_options", "other_house_ways")
"""The parts of the judgments that are results of main wagers."""


def name_play(stated: Json) -> str:
    """Return a main wager's name with its play."""
    return f"{stated['target']}, {stated.get('house_way')}, {stated['strategy']}"


def is_figure(value: object) -> bool:
    """Return True if a value of the evidence is a figure."""
    return not isinstance(value, bool) and FIGURE.fullmatch(str(value)) is not None


class Kit:
    """The files of the kit, and the counts made for them."""

    def __init__(self, folder: Path, *, quick: bool = False, every_reading: bool = False) -> None:
        """Read the evidence and the declared data."""
        self.folder, self.quick, self.every_reading = folder, quick, every_reading
        self.files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.glob("**/*.json"))
            if "paytables" in path.parts
        }
        self.made = Recounter(self.files)
        self.others: dict[str, Recounter] = {}
        self.coverage: list[tuple[str, str, str]] = []
        self.evidence: Json = read_json(folder.joinpath("evidence.json").read_bytes())
        order = self.evidence["order"]
        self.game = self.made.files.game(order["game"])
        path = (order.get("terms") or "").replace("--", "/")
        self.terms: Json = read_json(folder.joinpath(path).read_bytes()) if path else {}
        self.judgements: Json = self.evidence.get("judgements", {})
        self.different = self.compared = 0
        if not quick:
            self.made.expect(self.played(stated) for _, stated in self.plays())

    def plays(self) -> Iterator[tuple[str, Json]]:
        """Yield the results of main wagers, each with the part of the evidence that has it."""
        listed = [("results", self.evidence["results"])]
        listed += [(part, self.judgements.get(part, [])) for part in PLAYED]
        for part, results in listed:
            yield from ((part, stated) for stated in results if "outcomes" in stated)

    @staticmethod
    def played(stated: Json) -> Played:
        """Return the play of a result."""
        return Played(stated["target"], stated["strategy"], stated.get("house_way"))

    def say(self, name: str, differing: Sequence[str], what: str) -> None:
        """Print one line for a comparison, and one for each difference."""
        self.compared += 1
        self.different += bool(differing)
        lines = [f"DIFFERS  {name}", *(f"         {line}" for line in differing)]
        sys.stdout.write("\n".join(lines if differing else [f"agrees   {name}: {what}"]) + "\n")

    # ------------------------------------------------------------------------- files

    def digests(self) -> None:
        """Compare every file with SHA256SUMS, and the declared data with the evidence."""
        listed = self.folder.joinpath("SHA256SUMS").read_text(encoding="ascii").splitlines()
        stated = [("SHA256SUMS", *line.split("  ", 1)) for line in listed]
        stated += [
            ("evidence.json", value, name.replace("--", "/"))
            for name, value in self.evidence["sources"].items()
        ]
        wrong = [
            f"{name} is not the file that {where} lists"
            for where, value, name in stated
            if hashlib.sha256(self.folder.joinpath(name).read_bytes()).hexdigest() != value
        ]
        self.say("digests", wrong, f"{len(stated)} digests of files")
        code = self.evidence["engine"].get("recount_sha256")
        self.say(
            "certify_recount",
            [] if code == digest() else [f"this program is {digest()}, the evidence names {code}"],
            f"SHA-256 {digest()}, as the evidence names it; compare it with the release",
        )

    def censuses(self) -> None:
        """Count the hands of each census/*.csv by its features."""
        together = {table.cards for table in self.paytables() if table.hand == "together"}
        for path in sorted(self.folder.glob("census/*.csv")):
            with path.open(encoding="utf-8", newline="") as stream:
                header, *lines = csv.reader(stream)
            cards = int(path.name.split("-")[0])
            deck = build_rules(self.game, cards, together=cards in together).deck
            written = {tuple(line[:-1]): int(line[-1]) for line in lines}
            counted: Counter[tuple[str, ...]] = Counter()
            for cell, number in census(cards, deck, header[:-1]).items():
                counted[tuple(map(cell_text, cell))] += number
            total = comb(deck.size, cards)
            wrong = [] if counted.total() == total else ["the classes do not cover the deck"]
            wrong += [
                f"{', '.join(cell)}: stated {written.get(cell)}, counted {counted.get(cell)}"
                for cell in sorted({*written, *counted})
                if written.get(cell) != counted.get(cell)
            ]
            what = f"{len(counted)} cells, {total} hands of {cards} cards"
            self.say(f"census/{path.name}", wrong, what)

    def paytables(self) -> Iterator[Paytable]:
        """Yield the filed paytables."""
        for result in self.evidence["results"]:
            if "outcomes" not in result:
                yield self.made.files.paytable(result["target"])

    def fractions(self) -> None:
        """Compare fractions.csv with the rows of the evidence."""
        path = self.folder.joinpath("fractions.csv")
        with path.open(encoding="utf-8", newline="") as stream:
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

    # ------------------------------------------------------------------------- paytables

    def table_figures(self, made: Recounter, stated: Json) -> Figures:
        """Return every figure of a paytable.

        Raises:
            Uncountable: a row depends on what is not counted.
        """
        target, wager = stated["target"], stated["target"].rpartition("/")[0]
        table, paytable = made.files.read(f"{target}.json"), made.files.paytable(target)
        game = made.files.game(self.game.id)
        rows = made.count_rows(game, paytable, stated.get("house_way"))
        whole = join_tables(table, split_tables(paytable, made.files.events()), rows)
        ours = figures(whole, rows)
        if paytable.envy:
            envy = made.files.read(f"{wager}/envy/{paytable.envy}.json")
            prizes = made.count_rows(game, made.prizes(wager, paytable))
            edge = Fraction(ours["house_edge"]) if "house_edge" in ours else None
            stake = self.wager_with_prizes(wager, envy)
            ours["envy"] = envy_figures(envy, prizes, edge, game.players, stake)
        return ours

    def wager_with_prizes(self, target: str, envy: Json) -> int:
        """Return the smallest allowed wager that qualifies for prizes, in cents, or the largest."""
        wager, name = self.made.files.read(f"{target}/wager.json"), target.split("/")[1]
        least = self.terms.get("least_wagers", {}).get(name, wager.get("minimum_cents"))
        most = self.terms.get("largest_wagers", {}).get(name, wager.get("maximum_cents"))
        cents: int = max(envy["qualifying_wager_cents"], least or 0)
        return cents if most is None else min(cents, most)

    def result(self, stated: Json) -> None:
        """Recompute a paytable of the evidence and compare it."""
        try:
            ours = self.table_figures(self.made, stated)
        except Uncountable as error:
            self.cover(stated["target"], stated, {}, why=str(error))
            return

        def otherwise(other: Recounter, *, stated_there: bool) -> Figures | str:
            del stated_there
            try:
                return self.table_figures(other, stated)
            except Uncountable as error:
                return str(error)

        others, reasons, wrong = self.prices(stated, ours, otherwise)
        if "limit" in stated:
            ours |= self.limit_table(stated, ours, self.limits(stated["wager"]))
        left_out = (*NOT_FIGURES, "alternatives", "house_way")
        shown = {key: stated[key] for key in stated if key not in left_out}
        what = f"{len(ours['rows'])} rows, {sum(1 for _ in leaves(ours))} figures"
        what += f", other readings: {len(others)}" if others else ""
        self.say(stated["target"], differences(shown, ours) + wrong, what)
        self.cover(stated["target"], stated, ours | {"alternatives": others}, reasons=reasons)

    # ------------------------------------------------------------------------- readings

    def other_readings(self) -> list[Json]:
        """Return the other declared interpretations of the game and of its house way."""
        way = self.evidence["order"].get("house_way") or self.game.house_way
        mine = {"events", self.game.id, f"house-ways/{way}"}
        names = set(self.made.files.names("alternatives"))
        return [
            reading
            for owner in dict.fromkeys((self.game.id, way))  # both may be of one name
            if owner in names
            for reading in self.made.files.read(f"alternatives/{owner}.json")["alternatives"]
            if all(
                change["record"] in mine or change["record"].startswith(f"{self.game.id}/")
                for change in reading["changes"]
            )
        ]

    def apply_reading(self, reading: Json) -> Recounter:
        """Return the counts by the files as an interpretation changes them."""
        if reading["id"] not in self.others:
            files = dict(self.files)
            for record in {change["record"] for change in reading["changes"]}:
                place = readings.record_path(record)
                layers = (
                    ("paytables/",) if record == "events" else ("project/paytables/", "paytables/")
                )
                path = next((layer + place for layer in layers if layer + place in files), None)
                changes = [each for each in reading["changes"] if each["record"] == record]
                if path is not None:
                    value = readings.apply_changes(read_json(files[path]), changes)
                    files[path] = json.dumps(value).encode()
            other = Recounter(files)
            other.known, other.played = self.made.known, self.made.played
            self.others[reading["id"]] = other
        return self.others[reading["id"]]

    def prices(
        self, stated: Json, filed: Json, otherwise: Callable[..., Figures | str]
    ) -> tuple[list[Figures], dict[str, str], list[str]]:
        """Recompute the effect of other interpretations on a result.

        ``otherwise`` returns the figures by the rules as another interpretation has them, or why
        they are not counted. Returns them as the evidence has them, the reasons by their place, and
        what is wrong.
        """
        listed = stated.get("alternatives", [])
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
        theirs = [reading if mine else {} for reading, mine in zip(listed, ours, strict=True)]
        wrong += differences({"alternatives": theirs}, {"alternatives": ours})
        return ours, reasons, wrong

    # ------------------------------------------------------------------------- main wagers

    def main_wager(self, part: str, stated: Json) -> None:
        """Recompute a main wager and compare it: from the deals, or from the given counts."""
        name = stated["target"] if part == "results" else f"{part}: {name_play(stated)}"
        played, hand = self.played(stated), self.game.hand
        why = self.reason_not_counted(self.made, played)
        ours, wrong = ({}, []) if why else settle_figures(self.made, stated, played)
        deck = build_rules(self.game, hand.cards).deck.size
        total = comb(deck, hand.cards) * comb(deck - hand.cards, hand.dealer)
        total *= comb(hand.dealer, hand.dealer_shows)
        follow = follow_counts({**stated, **ours}, total)
        if "limit" in stated:
            follow |= self.limit_main(stated, follow, played.target, self.limits(stated["wager"]))
        wrong += differences({k: stated.get(k) for k in follow | ours}, follow | ours)

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

        others, reasons, more = self.prices(stated, follow, otherwise)
        what = "its counts are taken as stated; the arithmetic on them agrees"
        if not why:
            ours |= follow
            what = f"every deal is counted, {sum(1 for _ in leaves(ours))} figures"
        self.say(name, wrong + more, what)
        self.cover(
            name, stated, ours | {"alternatives": others}, why=why or WEIGHED, follow=follow,
            reasons=reasons,
        )  # fmt: skip

    def reason_not_counted(self, made: Recounter, played: Played) -> str:
        """Return the reason why the deals of a play are not counted; empty if they are."""
        try:
            made.refuse(played.target)
        except Uncountable as error:
            return str(error)
        return QUICK if self.quick else ""

    # ------------------------------------------------------------------------- limits

    def limits(self, wager: str) -> list[Json]:
        """Return the limits that the terms state for a wager."""
        return [
            {"scope": "player"} | limit
            for limit in self.terms.get("aggregate_limits", ())
            if wager in limit["wagers"]
        ]

    def limit_table(self, stated: Json, ours: Json, limits: Sequence[Json]) -> Figures:
        """Return the figures of a paytable under its limits."""
        table = self.made.files.read(f"{stated['target']}.json")
        rows = [*table["rows"], {"pays": "loss"}]
        chances = [Fraction(row["probability"]) for row in ours["rows"]]
        pays = [(p, net(row), paid(row)) for row, p in zip(rows, chances, strict=True) if p]
        drawn = [paid({"pays": pay}) for row in rows for pay in row.get("dynamic", ())]
        seats = self.terms.get("players", self.game.players)
        return limit_figures(
            stated, limits, pays, seats, ours, drawn=drawn,
            draws=(lambda cap: range_of_draws(table, rows, chances, cap)) if drawn else None,
        )  # fmt: skip

    def limit_main(self, stated: Json, ours: Json, target: str, limits: Sequence[Json]) -> Figures:
        """Return the figures of a main wager under its limits: pays are wins less commission."""
        option = Option(self.made.files.option(target))
        fee = Fraction(option.fee, option.staked)
        nets = [
            (p, Fraction(Fraction(row["return"]), p))
            for row in ours["rows"]
            if row["combinations"]
            for p in [Fraction(row["probability"])]
        ]
        pays: Pays = [(p, value, max(value + fee, Fraction(0))) for p, value in nets]
        seats = self.terms.get("players", self.game.players)
        return limit_figures(stated, limits, pays, seats, ours, unit=option.staked)

    # ------------------------------------------------------------------------- other parts

    def judge(self) -> None:
        """Compare the figures of pages that no result has, and the rounded forms of exact values.

        A part whose figures are not all derived is listed with the reason.
        """
        derived: dict[str, Any] = {}
        if "hands" in self.judgements and self.game.hand.front:
            derived["judgements/hands"] = self.count_names()
        filed = {result["target"]: result for result in self.evidence["results"]}
        results = [stated for _, stated in self.plays()]
        plays = {(stated["target"], stated["strategy"]): stated for stated in reversed(results)}
        spreads, wrong = known_spreads([*filed.values(), *results]), list[str]()
        if "verification" in self.evidence:
            tables = {(target, ""): result for target, result in filed.items()}
            derived["verification"] = derive_verification(
                self.evidence["verification"], tables | plays
            )
        if "printed" in self.evidence:
            mathematics = self.evidence["printed"]["mathematics"]
            derived["printed/mathematics"] = derive_mathematics(
                mathematics, self.game, filed, plays
            )
            for line in mathematics["volatility"]:
                if line["wager_cents"] is None and (line["mean"], line["variance"]) not in spreads:
                    wrong.append(f"volatility of {line['name']}: no result has it")
        ours = {path: value for part in derived for path, value in leaves(derived[part], part)}
        others = self.evidence.keys() - BESIDE
        stated = dict(leaves({key: self.evidence[key] for key in sorted(others)}))
        wrong += [
            f"{path}: stated {stated.get(path, 'nothing')}, derived {value}"
            for path, value in ours.items()
            if stated.get(path) != value
        ]
        unknown = {*others - {"judgements", "printed", "verification"}}
        unknown |= self.judgements.keys() - PARTS
        wrong += [f"{part}: certify writes no such part" for part in sorted(unknown)]
        rounded = dict(rounded_faults({**self.evidence}))
        wrong += filter(None, rounded.values())
        what = f"{len(ours)} figures that follow from results, {len(rounded)} rounded ones"
        self.say("printed figures", wrong, what)
        done = tuple(f"judgements/{part}/" for part in PLAYED)
        for path, value in stated.items():
            if is_figure(value) and not path.startswith(done):
                why = PUBLISHED if "published_figures" in path else NOT_DERIVED
                plain = "/" + re.sub(r"/(\d+) [^/]*", r"/\1", path)
                how = DERIVED if path in ours or plain in rounded else why
                how = COUNTED if path in ours and path.startswith("judgements/hands/") else how
                self.coverage.append((path.partition("/")[0], path, how))

    def count_names(self) -> Figures:
        """Return how many hands have which name, each counted under the highest that it has."""
        ladder = [
            Row(event) for event in self.made.files.events() if event in self.judgements["hands"]
        ]
        table = Paytable("player", self.game.hand.cards, "first_row_contained", ladder)
        return dict(self.made.count_rows(self.game, table))

    def cover(
        self,
        name: str,
        stated: Json,
        counted: Json,
        *,
        why: str = "",
        follow: Json | None = None,
        reasons: Json | None = None,
    ) -> None:
        """Record the check of each figure of a result; ``reasons`` are of interpretations."""
        ours, derived = dict(leaves(counted)), dict(leaves(follow or {}))
        shown = {key: stated[key] for key in stated if key not in NOT_FIGURES}
        for path, value in leaves(shown):
            if not is_figure(value):
                continue
            how = COUNTED if path in ours else DERIVED if path in derived else why
            if how not in {COUNTED, DERIVED} and path.startswith("alternatives/"):
                how = (reasons or {}).get(path.split("/")[1], why)
            self.coverage.append((name, path, how))

    def table_of_coverage(self, *, every: bool) -> None:
        """Print the check of every figure: a summary, or one by one."""
        if every:
            for name, path, how in self.coverage:
                sys.stdout.write(f"{name}\t{path}\t{how}\n")
        width = max(len(name) for name, _, _ in self.coverage)
        sys.stdout.write(f"\n{'How figures were checked':{width}}  counted  derived      not\n")
        names = dict.fromkeys(name for name, _, _ in self.coverage)
        for each in (*names, ""):
            hows = Counter(how for name, _, how in self.coverage if each in {name, ""})
            rest = hows.total() - hows[COUNTED] - hows[DERIVED]
            line = f"{each or 'all':{width}}  {hows[COUNTED]:7}  {hows[DERIVED]:7}  {rest:7}"
            why = "; ".join(
                f"{n} {how}" for how, n in hows.items() if how not in {COUNTED, DERIVED}
            )
            sys.stdout.write(line + (f"  {why}" if why and each else "") + "\n")
        sys.stdout.write(
            "counted: from the cards up. derived: from counts that are taken as stated, or from "
            "other figures.\n\n"
        )


def cell_text(value: object) -> str:
    """Return a feature's value as a census writes it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def run(arguments: Sequence[str], folder: Path) -> int:
    """Compare everything, see `main`; return 2 if the kit cannot be read."""
    try:
        return main(arguments, folder)
    except (OSError, KeyError, ValueError, TypeError) as error:
        sys.stderr.write(f"The kit cannot be read: {type(error).__name__}: {error}\n")
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
    kit.digests()
    kit.censuses()
    # Other readings may be of deals that were counted for one of the judgments.
    for part, stated in sorted(kit.plays(), key=lambda play: play[0] == "results"):
        kit.main_wager(part, stated)
    for stated in kit.evidence["results"]:
        if "outcomes" not in stated:
            kit.result(stated)
    kit.judge()
    kit.fractions()
    kit.table_of_coverage(every="--coverage" in flags)
    if kit.different:
        sys.stdout.write(f"{kit.different} of {kit.compared} comparisons DIFFER.\n")
        return 1
    sys.stdout.write(f"All {kit.compared} comparisons agree.\n")
    return 0
