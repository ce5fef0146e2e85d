"""A figure rests on printed facts: a change of a counted fact changes the rules of play."""

import re
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from certify.figures.evaluate import resolve_house_way
from certify.filing.compare_records import Compared, compare_records
from certify.filing.documents import frequencies, render_html
from certify.filing.order import build_filing
from certify.model.condition import ANY_HAND
from certify.model.game import RANKS, Game, HandRules, Ranking, Strategy, Wager, WagerKind
from certify.model.main_wager import Raise
from certify.model.paytable import Basis, Commission, Payout, Row
from certify.model.source import Source, Statement
from certify.model.submission import Order, Status, Submission
from tests.commands.packs_by_game import FIELD
from tests.documented_games import GAMES
from tests.marks import further
from tests.report.conftest import layout_analysis

SMALL, *LARGER = sorted(GAMES, key="mini-pai-gow".__ne__)
FOREIGN = tuple(sorted(path.parent.name for path in (FIELD / "paytables").glob("*/game.json")))
QUICK = (
    "baccarat-eight-decks", "blackjack-eight-decks", "caribbean-stud", "crazy-4-poker",
    "four-card-poker", "three-card-poker",
)  # fmt: skip
"""Games of shoes, of five, four and three cards: one of each kind."""

UNCOUNTED = {
    "id", "game", "wager", "name", "supplier", "revision", "revised", "aliases", "text",
    "text_without_joker", "text_fully_wild", "called", "source_name", "kind", "level",
    "document", "references", "changes", "sections", "definitions", "rules", "assumptions",
    "absent", "source", "house_ways", "house_way_in_source", "joker_choices", "player_chooses",
    "minimum_cents", "maximum_cents",
}  # fmt: skip
"""Fields that no count reads: names, texts, sources, limits of wagers."""

NAMED = {
    "house_way": "the section on it prints its rules",
    "event": "the row prints its name and text",
    "feature": "a condition names it with its values",
    "meter": "the row prints it with the pay",
    "strategy": "the figures print the one that they are for",
}
"""Ids of printed records, which no other value of the same kind can replace here."""

OTHER_REPORT = {
    "players": "the edge at a full table, which the mathematics report prints with the players",
    "fouls": "a foul, which no count has: a player sets none",
}
"""Facts on which no figure of the rules rests."""

TAKE_OUT = {
    "raise_", "largest", "largest_when", "fold", "companion", "commission", "fee",
    "dealer_cards", "unit_cents", "envy", "dynamic", "progressive",
}  # fmt: skip
"""Facts that may be absent."""


def change(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield a value with one counted fact changed, for each, and the path of the fact."""
    match value:
        case Source() | Statement():
            return
        case Ranking(highest_first=order):
            yield f"{path} reversed", replace(value, highest_first=order[::-1])
        case Struct():
            yield from change_fields(value, path)
        case tuple():
            yield from change_items(value, path)
        case bool():
            yield path, not value
        case StrEnum():
            yield from ((f"{path}={other}", other) for other in type(value) if other is not value)
        case int() | Fraction():
            lower = value > 1 or (value == 1 and path.endswith("/dealer_shows"))
            yield path, value - 1 if lower else value + 1
        case str() if value in RANKS:
            yield path, RANKS[RANKS.index(value) - 1]


def change_items(items: tuple[Any, ...], path: str) -> Iterator[tuple[str, Any]]:
    """Yield a list with one fact of an item changed, or its last value taken out.

    The rows of a paytable are printed alike: the first one stands for them.
    """
    for index, inner in enumerate(items):
        if index and isinstance(inner, Row):
            return
        for place, changed in change(inner, f"{path}/{index}"):
            yield place, (*items[:index], changed, *items[index + 1 :])
    if len(items) > 1 and not isinstance(items[0], Struct):
        yield f"{path} without the last", items[:-1]


def change_fields(record: Struct, path: str) -> Iterator[tuple[str, Any]]:
    """Yield a record with one fact of a field changed, or taken out."""
    for name in record.__struct_fields__:
        if name in UNCOUNTED | NAMED.keys() | OTHER_REPORT.keys():
            continue
        inner = getattr(record, name)
        for place, changed in change(inner, f"{path}/{name}"):
            if is_countable(record, name, changed):
                yield place, replace(record, **{name: changed})
        if name in TAKE_OUT and inner is not None and not isinstance(inner, tuple):
            yield f"{path}/{name} removed", replace(record, **{name: None})


def is_countable(record: Struct, name: str, value: object) -> bool:
    """Return True if a record with another value can be declared, and counts otherwise."""
    match record:
        case Payout(basis=basis):
            is_counted = record.is_odds or basis is Basis.METER
            return is_counted if name == "amount" else Basis.METER not in (value, basis)
        case Commission(unit_cents=unit):
            return name != "rounding" or unit is not None
        case Raise(qualifies=qualifies):
            return name != "not_qualified" or qualifies != ANY_HAND
        case Wager(kind=kind):
            # The paytable counts, and P017 finds another hand of the two.
            return name != "hand" and (name != "after_fold" or kind is not WagerKind.MAIN)
        case HandRules(deck=deck, shape=shape) if "joker" in name:
            return deck.joker > 0 and (name == "joker" or shape.front == 1)
    return True


INERT = {
    "any": {"/not_qualified=lose"},  # the schema has push and win
    "divided": {"/hands/shape/dealer_shows", "/hands/shape/cards"},
    "undivided": {"/ties/low", "/ties/both_push", "/part", "/ties/high=other_hand"},
    "without a fold": {"/after_fold"},
    "without a main wager": {
        "/hands/shape/back", "/hands/shape/dealer_shows", "/hands/wheel", "/dealer_exposed",
    },
}  # fmt: skip
"""Ends of the paths of facts that cannot differ, or that no count of such a game reads."""


def is_inert(path: str, submission: Submission) -> bool:
    shape = submission.game.hands.shape
    kinds = ["any", "divided" if shape.is_divided else "undivided"]
    kinds += ["without a main wager"] if submission.main is None else []
    folds = any(option.has_fold for option in submission.options)
    kinds += [] if folds else ["without a fold"]
    ends = [end for kind in kinds for end in INERT[kind]]
    return any(place.endswith(end) for place in (path, path.partition("=")[0]) for end in ends)


def build(game: str, jurisdiction: str) -> Submission:
    """Return a submission of which the rules print no counted figure."""
    filing = build_filing(Order(game=game, jurisdiction=jurisdiction))
    divided = filing.game.hands.shape.is_divided
    way = resolve_house_way(filing.catalog, filing.game, None) if divided else None
    analyses = {option.target: layout_analysis(option, filing) for option in filing.options}
    return Submission(
        **replace(filing, analyses=analyses, examples=()).parts,
        way=way,
        frequencies=frequencies(filing),
        figures=(),
        rules=(),
        crosschecks=(),
        checklist=(),
        findings=(),
        engine_version="0",
        evidence_sha256="0" * 64,
        status=Status.UNSIGNED,
        comparison=tuple(
            layout_analysis(option, filing, strategy=strategy, win=win)
            for strategy, win in ((Strategy.OPTIMAL, 29), (Strategy.HOUSE_WAY, 25))
            for option in filing.options
        ),
    )


def with_game(submission: Submission, game: Game) -> Submission:
    """Return a submission of the same records as another game declares them."""
    main = {option.target: option for option in game.options}
    tables = {table.target: table for table in game.paytables}
    return replace(
        submission,
        game=game,
        main=submission.main and main[submission.main.target],
        paytables=tuple(tables[table.target] for table in submission.paytables),
    )


def changed_submissions(submission: Submission) -> Iterator[tuple[str, Submission]]:
    filed = {record.target for record in submission.records}
    wagers = tuple(
        replace(
            wager,
            options=tuple(each for each in wager.options if each.target in filed),
            paytables=tuple(each for each in wager.paytables if each.target in filed),
            envies=tuple(
                envy
                for envy in wager.envies
                if envy.id in {each.envy for each in wager.paytables if each.target in filed}
            ),
        )
        for wager in submission.game.wagers
    )
    for path, game in change(replace(submission.game, wagers=wagers)):
        if not is_inert(path, submission):
            yield path, with_game(submission, game)
    used = {row.event for table in submission.paytables for row in table.rows}
    for name in sorted(submission.catalog.own_events & used):
        for path, event in change(submission.catalog.events[name], f"/events/{name}"):
            events = {**submission.catalog.events, name: event}
            if not is_inert(path, submission):
                yield path, replace(submission, catalog=replace(submission.catalog, events=events))


def read_rules(submission: Submission) -> str:
    """Return the text of the rules without the rack cards, which state no rule of their own."""
    page = render_html(submission, "rules")
    page = re.sub(r'<div class="rack-cards">.*?(?=<h2|$)', "", page, flags=re.DOTALL)
    page = re.sub(r"<(style|title)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", page).split())


def narrow(submission: Submission, fact: str) -> Submission:
    """Return a filing of one wager for a fact of its tables, which takes less time to print."""
    place = re.match(r"/wagers/(\d+)/(?:paytables|envies)/", fact)
    if place is None:
        return submission
    wager = submission.game.wagers[int(place[1])].id
    return replace(
        submission, paytables=tuple(table for table in submission.paytables if table.wager == wager)
    )


def find_silent(submission: Submission) -> list[str]:
    """Return the counted facts of which a change leaves the rules of play as they are."""
    printed: dict[tuple[str, ...], str] = {}

    def read_before(fact: str) -> str:
        filed = narrow(submission, fact)
        targets = tuple(record.target for record in filed.records)
        if targets not in printed:
            printed[targets] = read_rules(filed)
        return printed[targets]

    return [
        fact
        for fact, changed in changed_submissions(submission)
        if read_rules(narrow(changed, fact)) == read_before(fact)
    ]


def is_silent(submission: Submission, fact: str) -> bool:
    """Return True if a change of one counted fact leaves the rules of play as they are."""
    changed = dict(changed_submissions(submission))[fact]
    return read_rules(changed) == read_rules(submission)


@pytest.mark.parametrize(
    "name", [SMALL, *QUICK, *further([*LARGER, *sorted({*FOREIGN} - {*QUICK})])]
)
def test_each_counted_fact_is_printed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in FOREIGN:
        monkeypatch.chdir(FIELD)
    assert find_silent(build(name, "nevada")) == []


def find_unnamed(submission: Submission) -> list[str]:
    """Return the changes of records that a comparison of the two records does not name."""
    shape = submission.game.hands.shape
    undivided = 0 if shape.is_divided else shape.back

    def compared(side: Submission) -> dict[str, Compared]:
        envies = {
            record.target: side.game.find_wager(record).find_envy(record)
            for record in side.paytables
        }
        return {
            record.target: Compared(
                record=record, undivided=undivided, envy=envies.get(record.target)
            )
            for record in side.records
        }

    before = compared(submission)
    return [
        fact
        for fact, changed in changed_submissions(submission)
        for after in [compared(changed)]
        if before != after
        and not any(
            found.facts or found.rows
            for found in (compare_records(before[name], after[name]) for name in before)
        )
    ]


@pytest.mark.parametrize("name", [SMALL, *QUICK, *further([*sorted({*FOREIGN} - {*QUICK})])])
def test_each_counted_fact_of_a_record_is_named_by_a_comparison(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`diff` said `changed: false` of a bonus that is paid for another hand of the player."""
    if name in FOREIGN:
        monkeypatch.chdir(FIELD)
    assert find_unnamed(build(name, "nevada")) == []


@pytest.mark.parametrize(
    ("game", "words", "fact"),
    [
        ("pai-gow-mania", "numbering.describe_deck", "/hands/deck/ranks"),
        ("caribbean-stud", "view.describe_deck", "/hands/deck/ranks"),
        ("blackjack-eight-decks", "bonus_wager.describe_cards", "/wagers/0/paytables/0/cards"),
        ("blackjack-eight-decks", "bonus_wager.event_words",
         "/events/identical_pair/when/values/0"),
        ("crazy-4-poker", "main_wager.describe_sizes",
         "/wagers/0/options/0/raise_/largest_when removed"),
        ("crazy-4-poker", "terms._words",
         "/wagers/0/options/0/companion/pays/0/when/conditions/0/values/0"),
        ("mini-pai-gow", "terms.describe_counted", "/wagers/0/options/0/raise_/size"),
        ("mini-pai-gow", "numbering.state_ties", "/wagers/0/options/0/ties/low=push"),
        ("four-card-poker", "terms.describe_counted",
         "/wagers/0/options/0/bonus/0/pays/amount"),
    ],
)  # fmt: skip
def test_a_fact_that_is_not_printed_is_found(
    game: str, words: str, fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game in FOREIGN:
        monkeypatch.chdir(FIELD)
    submission = build(game, "nevada")
    assert not is_silent(submission, fact)
    monkeypatch.setattr(f"certify.report.rules.{words}", lambda *_, **__: "")
    monkeypatch.setattr("certify.report.rules.view._count_left_over", lambda _: {})
    assert is_silent(submission, fact)
