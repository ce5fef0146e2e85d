"""The recount of declared wagers, from the bytes of the declared files."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .census import Tables, award_rows, census, row_counts, split_tables
from .files import Files, Game, MainWager, Paytable
from .hands import PARTS_OF_HANDS, Progress, Uncountable, condition_features
from .holders import holder_counts, is_by_holder, split_cards
from .main_wager import (
    OPTIMAL,
    Option,
    Play,
    Settled,
    merge_options,
    mirror_ties,
    needs_house_way,
    pair_counts,
)
from .pairs import Counted, Tallies, count, refuse_conditions, set_hands
from .players import Question
from .set_hands import KINDS, Rules

Remember = Callable[[str, Callable[[], Any]], Any]
"""Returns the JSON value that is stored under a key, or makes and stores it."""


class Played(NamedTuple):
    """A main wager and how it is played; ``house_way`` is that of the game if it is None.

    ``banked``: the rounds of a player who banks, from that player's side. ``wager_cents`` is
    another wager than the declared one.
    """

    target: str
    strategy: str
    house_way: str | None = None
    banked: bool = False
    wager_cents: int | None = None


def rank_kinds(game: Game) -> tuple[str, ...]:
    """Return the kinds of hands, lowest first; a royal flush is the highest straight flush."""
    if game.ranking is None:
        return KINDS
    order = [*reversed(game.ranking.highest_first)]
    royal = order.index("straight_flush") + 1
    return (*order[:royal], "royal_flush", *order[royal:])


def build_rules(game: Game, cards: int, *, together: bool = False) -> Rules:
    """Return the rules of the deck and of hands of ``cards`` cards.

    ``together``: the cards of the player and of the dealer are one hand, ranked as five cards are.
    """
    return Rules(
        ranks=game.deck.ranks,
        jokers=int(game.deck.joker),
        cards=cards,
        back=min(cards, 5) if together else game.hand.back,
        front=0 if together else game.hand.front,
        wild=game.joker == "fully_wild",
        low_wheel=game.wheel == "lowest",
        joker_beats_ace=game.joker_beats_ace_in_front,
        order=KINDS if together else rank_kinds(game),
        decks=game.deck.decks,
    )


class Recounter:
    """Counts the wagers of declared files; equal counts are made once."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        remember: Remember | None = None,
        processes: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Take the files.

        Args:
            files: the declared files by path, see `Files`.
            remember: stores counts of hands; they are forgotten if it is not given.
            processes: the number of processes, that of the processors if it is not given.
            progress: receives how much of a count is done.
        """
        self.files = Files(files)
        self.remember = remember or (lambda _, make: make())
        self.processes, self.progress = processes, progress
        self.counted: dict[str, Any] = {}
        self.played: dict[str, tuple[Counted, Tallies]] = {}
        self.expected: list[Played] = []

    # ------------------------------------------------------------------ wagers on one hand or two

    def paytables(self, game: str) -> Iterator[Paytable]:
        """Yield the paytables of a game, and its tables of prizes as paytables."""
        for path in sorted(self.files.files):
            match path.partition("paytables/")[2].removesuffix(".json").split("/"):
                case [name, wager, table] if name == game and wager != "main" and table != "wager":
                    paytable = self.files.paytable(f"{game}/{wager}/{table}")
                    yield paytable
                    if paytable.envy:
                        yield self.prizes(f"{game}/{wager}", paytable)

    def prizes(self, wager: str, paytable: Paytable) -> Paytable:
        """Return the table of prizes for other players' hands that comes with a paytable."""
        rows = self.files.paytable_rows(f"{wager}/envy/{paytable.envy}")
        return paytable._replace(award="first_row_contained", rows=rows, also=(), envy=None)

    def count_rows(
        self, game: Game, paytable: Paytable, house_way: str | None = None
    ) -> Counter[str]:
        """Count the hands, or the pairs of hands, of each row of a paytable, and of all others.

        Raises:
            Uncountable: a row depends on a feature that is not counted.
        """
        events = self.files.events
        rules = build_rules(game, paytable.cards, together=paytable.hand == "together")
        tables = split_tables(paytable, events)
        set_by = house_way or game.house_way if needs_house_way(paytable, events) else ""
        key = repr(("rows", rules, paytable, set_by, [events[row] for row in set().union(*tables)]))
        if key not in self.counted:
            way = self.files.house_way(set_by) if set_by else None
            if is_by_holder(game, paytable, events):
                self.counted[key] = holder_counts(game, paytable, events, tables)
            elif paytable.hand == "both":
                self.counted[key] = pair_counts(
                    paytable, events, rules=rules, house_way=way, processes=self.processes,
                    progress=self.progress,
                )  # fmt: skip
            elif way is not None:
                self.counted[key] = self.count_set(tables, Question(rules, way, [], [], []))
            else:
                features = self.features(game, paytable)
                cells = self.cells(rules, features)
                self.counted[key] = row_counts(tables, events, cells, features)
        counts: Counter[str] = self.counted[key]
        return counts

    def features(self, game: Game, paytable: Paytable) -> list[str]:
        """Return the features that a paytable, and those of its game on as many cards, ask for."""
        together = paytable.hand == "together"
        key = repr(("features", game.id, paytable.cards, together))
        if key not in self.counted:
            alike = [
                self.asked_features(table)
                for table in self.paytables(game.id)
                if table.hand != "both"
                and (table.cards, table.hand == "together") == (paytable.cards, together)
            ]
            self.counted[key] = set[str]().union(*alike)
        return sorted(self.counted[key] | self.asked_features(paytable))

    def asked_features(self, paytable: Paytable) -> set[str]:
        """Return the features that rows of a paytable ask for, without those of hands as set."""
        events, names = self.files.events, set[str]()
        for event in {row.event for table in paytable.tables for row in table.rows} & events.keys():
            features = condition_features(events[event].when)
            names |= features if PARTS_OF_HANDS.isdisjoint(features) else set()
        return names

    def cells(self, rules: Rules, features: Sequence[str]) -> Mapping[tuple[Any, ...], int]:
        """Return the number of hands with each combination of features."""
        key = repr((rules.deck, rules.cards, features))
        if key not in self.counted:
            rows = self.remember(
                key,
                lambda: [
                    [*cell, number]
                    for cell, number in census(
                        rules.cards, rules.deck, features, self.progress
                    ).items()
                ],
            )
            self.counted[key] = {tuple(cell): number for *cell, number in rows}
        cells: Mapping[tuple[Any, ...], int] = self.counted[key]
        return cells

    def count_set(self, tables: Tables, question: Question) -> Counter[str]:
        """Count the hands of each row of a wager on a hand as the house way sets it."""
        names, events = sorted(set().union(*tables)), self.files.events
        question = question._replace(labels=[events[name].when for name in names])
        refuse_conditions(question.labels, set_by=question.house_way)
        counts: Counter[str] = Counter()
        _, hands, sizes = set_hands(question, question.rules, self.processes)
        for set_hand, size in zip(hands, sizes, strict=True):
            satisfied = {name for name, met in zip(names, set_hand.label, strict=True) if met}
            counts[award_rows(tables, satisfied)] += size
        return counts

    # ------------------------------------------------------------------ main wagers

    def expect(self, plays: Iterable[Played]) -> None:
        """Note plays that will be asked for: those with the same deals are counted in one pass."""
        self.expected += plays

    def option(self, played: Played) -> Option:
        """Return the option of a play."""
        declared: MainWager = self.files.option(played.target)
        if played.wager_cents is not None:
            declared = declared._replace(wager_cents=played.wager_cents)
        if played.banked:
            declared = declared._replace(ties=mirror_ties(declared.ties))
        return Option(declared)

    def play(self, played: Played) -> Play:
        """Return a play with its question to the deals.

        Raises:
            Uncountable: the game deals hands that are not counted here.
        """
        name = played.target.partition("/")[0]
        game, option = self.files.game(name), self.option(played)
        if game.hand.dealer_shows > 1:
            raise Uncountable("several cards of the dealer that the player sees")
        rules = build_rules(game, game.hand.cards)._replace(dealer=game.hand.dealer)
        most = max(rules.cards, rules.dealer)
        if any(most - n >= 2 * max(1, rules.deck.complete - n) for n in range(rules.jokers + 1)):
            raise Uncountable(f"two flushes of {rules.deck.complete} in {most} cards")
        way = played.house_way or game.house_way
        others = [
            self.option(played._replace(target=f"{name}/main/{other}"))
            for other in self.files.names(f"{name}/main")
            if other != "wager"
        ]
        ties = option.declared.ties
        question = merge_options(
            [option, *(other for other in others if other.declared.ties == ties)],
            rules=rules,
            house_way=self.files.house_way(way) if rules.front else None,
            seen=game.dealer_exposed,
            ties=ties,
            shows=game.hand.dealer_shows > 0,
        )
        return Play(option, question, played.strategy if rules.front else OPTIMAL)

    def is_counted(self, played: Played) -> bool:
        """Return True if the deals of a play have been counted."""
        return self.play(played).key in self.played

    def settle(self, played: Played) -> Settled:
        """Return the results of a main wager.

        Raises:
            Uncountable: the game deals hands, or a rule asks for cards, that are not counted here.
            Undecided: the house way does not decide every hand.
        """
        play = self.play(played)
        if play.key not in self.played:
            others = [self.play(each) for each in self.expected]
            plays = {play.key: play} | {
                other.key: other for other in others if other.question == play.question
            }
            counted = count(
                play.question, [each.decision for each in plays.values()],
                processes=self.processes, progress=self.progress,
            )  # fmt: skip
            for key, tally in zip(plays, counted.tallies, strict=True):
                self.played[key] = counted, tally
        return play.settle(*self.played[play.key])

    # ------------------------------------------------------------------ all of a wager

    def identify(self, played: Played) -> str:
        """Return the SHA-256 of all that a count depends on, as hexadecimal digits.

        The counts of a paytable do not depend on its pays.
        """
        name, target = played.target.partition("/")[0], played.target
        game = self.files.game(name)
        way: str = played.house_way or game.house_way
        parts: list[Any]
        if target.split("/")[1] == "main":
            rules, option = build_rules(game, game.hand.cards), self.option(played)
            declared = option.declared._replace(id="", bank=None)
            if not option.depends_on_wager:
                declared = declared._replace(wager_cents=None)
            parts = [declared, game.dealer_exposed, game.hand.dealer_shows]
            parts.append(played.strategy if rules.front else OPTIMAL)
        else:
            paytable, events = self.files.paytable(target), self.files.events
            rules = build_rules(game, paytable.cards, together=paytable.hand == "together")
            tables = split_tables(paytable, events)
            parts = [tables, [events[row].identity for row in sorted(set().union(*tables))]]
            if is_by_holder(game, paytable, events):
                parts.append(split_cards(game, paytable))
            way = way if needs_house_way(paytable, events) else ""
        rules = rules._replace(dealer=game.hand.dealer)
        value = [rules, self.files.house_way(way if rules.front else ""), *parts]
        return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()

    def refuse(self, target: str) -> None:
        """Refuse a target that is not counted here, without counting it.

        Raises:
            Uncountable: it says why.
        """
        game = self.files.game(target.partition("/")[0])
        if target.split("/")[1] == "main":
            question = self.play(Played(target, OPTIMAL)).question
            refuse_conditions([*question.labels, *question.own], set_by=question.house_way)
            return
        events, paytable = self.files.events, self.files.paytable(target)
        if is_by_holder(game, paytable, events):
            return
        if paytable.hand == "both" or needs_house_way(paytable, events):
            listed = [events[row.event] for table in paytable.tables for row in table.rows]
            conditions = [side for event in listed for deal in event.deals for side in deal[:2]]
            conditions += [event.when for event in listed]
            refuse_conditions(conditions, set_by=game.house_way)
