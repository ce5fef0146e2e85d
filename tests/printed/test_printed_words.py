"""The printed rule is the counted rule: hands settled by the printed words, and by the engine.

The words are those of the composed rules of play, rack cards included. `tests.printed.words` reads
them without anything of certify; the engine's side reads the declared conditions.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.api import explain
from certify.engine.hands.awards import award_order
from certify.engine.hands.cards import hand_features
from certify.engine.hands.conditions import Predicate, find, predicate
from certify.engine.hands.features import FEATURES
from certify.model.condition import FeatureValue
from certify.model.game import Wager
from certify.model.paytable import HandOf, Paytable
from certify.model.submission import Submission
from certify.report.compose import compose
from certify.report.rules.view import rules_view
from certify.report.wording import label
from tests.catalog import catalog
from tests.documented_games import GAMES
from tests.marks import further
from tests.printed.document import Section, find_meaning, parse_rules
from tests.printed.hands import hands_near, pairs_near
from tests.printed.words import (
    Hand,
    Sense,
    Unread,
    dealer_outcome,
    refuse_unread,
    row_test,
    senses,
    two_hands_test,
)
from tests.report.conftest import whole

TEMPLATES = Path(__file__).parents[2] / "templates"
NUMBER = 3000
"""Hands of each wager, or pairs of hands."""

ALL_FEATURES = tuple(FEATURES)
TERMS = "Ranking of hands and terms"
Deal = tuple[tuple[str, ...], tuple[str, ...]]
find_hand = cache(Hand)


@cache
def submission(game: str, option: str = "") -> Submission:
    return whole(game, "nevada", (option,) if option else ())


@cache
def render(game: str, option: str = "") -> str:
    return compose("rules.html.j2", rules_view(submission(game, option)), templates=TEMPLATES)


@cache
def find_features(game: str, cards: tuple[str, ...]) -> tuple[FeatureValue, ...]:
    hands = submission(game).game.hands
    known = hand_features(cards, hands, cards=len(cards))
    return tuple(known[name] for name in ALL_FEATURES)


@cache
def build_deals(paytable: Paytable) -> list[Deal]:
    """Return the hands of player and dealer that a paytable is tried with."""
    if paytable.hand is HandOf.BOTH:
        return pairs_near(NUMBER, seed=31)
    hands = hands_near(paytable.cards, NUMBER, seed=31)
    return [(hand, hand) for hand in hands]


@cache
def engine_rows(game: str, paytable: Paytable) -> list[int | None]:
    """Return the place of the row that the engine pays in each of the deals."""
    events = submission(game).catalog.events
    listed = find(events, [row.event for row in paytable.rows])
    order = award_order(paytable, events)
    tests: list[list[tuple[Predicate, int]]] = []
    for event in listed:
        if paytable.hand is HandOf.BOTH:
            asked = [(event.player, 0), (event.dealer, 1)]
        else:
            asked = [(event.when, 0)]
        tests.append([(predicate(each, ALL_FEATURES), side) for each, side in asked])
    return [
        next(
            (
                place
                for place in order
                if all(holds(find_features(game, deal[side])) for holds, side in tests[place])
            ),
            None,
        )
        for deal in build_deals(paytable)
    ]


def printed_rows(
    section: Section, table: str, sense: Sense, paytable: Paytable, deals: Sequence[Deal]
) -> list[int | None]:
    """Return the place of the row that the printed words pay in each deal."""
    lines = [find_meaning(section, line) for line in section.tables[table]]
    if paytable.hand is HandOf.BOTH:
        both = [two_hands_test(line) for line in lines]
        hands = [(find_hand(player), find_hand(dealer)) for player, dealer in deals]
        return [
            next((n for n, test in enumerate(both) if test(*pair, sense)), None) for pair in hands
        ]
    tests = [row_test(line) for line in lines]
    order = list(range(len(lines)))
    if sense.award.name == "RANK":
        order.sort(key=lambda place: -tests[place][1])
    return [
        next((n for n in order if tests[n][0](hand, sense)), None)
        for hand in (find_hand(player) for player, _ in deals)
    ]


def readings(sections: dict[str, Section], section: Section, table: str) -> Iterator[Sense]:
    """Yield every sense in which the rules, or the rack card alone, can be taken."""
    general = sections[TERMS].rules
    rows = [find_meaning(section, line) for line in section.tables[table]]
    refuse_unread([*general, *section.rules, *section.notes, *rows, section.cards[table].words])
    card = [section.cards[table].words]
    own = [*section.rules, *rows]
    yield from senses(general, own, [*section.rules, *section.notes])
    yield from senses([*general, *own], [*card, *rows], card + section.notes)


def differences(game: str, html: str, wagers: Sequence[Wager]) -> list[str]:
    """Return the deals that the printed words and the engine settle differently."""
    sections = parse_rules(html)
    found = []
    for wager in wagers:
        section = sections[wager.name]
        for paytable in wager.paytables:
            table = label(paytable.id)
            if table not in section.tables:
                continue
            lines = section.tables[table]
            assert [line.name for line in lines] or not paytable.rows
            assert len(lines) == len(paytable.rows), (wager.id, table)
            deals = build_deals(paytable)
            counted = engine_rows(game, paytable)
            for sense in dict.fromkeys(readings(sections, section, table)):
                printed = printed_rows(section, table, sense, paytable, deals)
                for deal, by_words, by_count in zip(deals, printed, counted, strict=True):
                    if by_words != by_count:
                        found.append(
                            f"{game}/{wager.id}/{paytable.id}: {_shown(paytable, deal)}: printed "
                            f"(joker {sense.joker.value}; A-2-3-4-5 {sense.wheel.value}; "
                            f"{sense.award.value} is paid) {_pays(lines, by_words)}, counted "
                            f"{_pays(lines, by_count)}"
                        )
    return found


def _pays(lines: Sequence[object], place: int | None) -> str:
    return "loses" if place is None else f"{lines[place].name} {lines[place].pays}"  # type: ignore[attr-defined]


def _shown(paytable: Paytable, deal: Deal) -> str:
    player, dealer = (" ".join(cards) for cards in deal)
    return f"{player} against {dealer}" if paytable.hand is HandOf.BOTH else player


def bonus_wagers(game: str) -> list[Wager]:
    return [wager for wager in submission(game).game.wagers if wager.paytables]


@pytest.mark.parametrize("game", GAMES)
def test_each_bonus_wager_is_settled_by_its_printed_words(game: str) -> None:
    found = differences(game, render(game), bonus_wagers(game))
    assert found == [], "\n".join([f"{len(found)} differences", *found[:12]])


@pytest.mark.parametrize("game", [*GAMES[:1], *further(GAMES[1:])])
def test_the_hands_tried_reach_each_row_and_lose(game: str) -> None:
    for wager in bonus_wagers(game):
        for paytable in wager.paytables:
            counted = engine_rows(game, paytable)
            assert {*counted} >= {*range(len(paytable.rows)), None}, paytable.target


@pytest.mark.parametrize("game", [*GAMES[:1], *further(GAMES[1:])])
def test_the_engine_side_of_the_comparison_equals_explain(game: str) -> None:
    for wager in bonus_wagers(game):
        paytable = wager.paytables[-1]
        few = slice(None, None, NUMBER // 6)
        for deal, place in zip(
            build_deals(paytable)[few], engine_rows(game, paytable)[few], strict=True
        ):
            both = paytable.hand is HandOf.BOTH
            explained = explain(
                paytable.target, " ".join(deal[0]), dealer=" ".join(deal[1]) if both else None
            )
            event = "all_other" if place is None else paytable.rows[place].event
            assert explained.records[0].event == event, (paytable.target, deal)  # type: ignore[union-attr]


OLD_WORDS = (
    # What the rules of Emperor's Challenge said of the joker, of the ace and of the hand paid.
    ("The ace ranks high, except that A-2-3-4-5 is a straight. The joker completes a straight or a "
     "flush if it can, and the hand is then not paid; otherwise it is an ace.",
     "The ace is high, and the joker counts as an ace.", "pai-gow-insurance"),
    ("The ace ranks high, except that A-2-3-4-5 is a straight. The joker completes a straight or a "
     "flush if it can, and the hand is then not a pai gow; otherwise it is an ace.",
     "The ace ranks high and the joker ranks as an ace.", "pai-gow-insurance"),
    ("Only the first winning hand from the top is paid.", "Only the highest winning hand is paid.",
     "emperors-treasure"),
)  # fmt: skip


@pytest.mark.parametrize(("now", "before", "concerned"), OLD_WORDS)
def test_words_for_another_rule_are_found(now: str, before: str, concerned: str) -> None:
    game = "emperors-challenge-exposed"
    html = render(game)
    assert now in html
    (wager,) = (wager for wager in bonus_wagers(game) if wager.id == concerned)
    first = replace(wager, paytables=wager.paytables[:1])
    found = differences(game, html.replace(now, before), [first])
    assert found
    if "joker" in before:
        assert any("Jk 9s 8h 7d 6c 3s 2h" in each and "Ace-High" in each for each in found)


def test_a_sentence_on_the_joker_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Unread):
        refuse_unread(["The joker is as good as an ace."])


@pytest.mark.parametrize(
    ("game", "option"),
    [(game, option.id) for game in GAMES for option in catalog().games[game].wagers[0].options],
)
def test_rules_on_the_dealers_hand_are_counted_as_printed(game: str, option: str) -> None:
    filed = submission(game, option)
    sections = parse_rules(render(game, option))
    declared = next(each for each in filed.game.wagers[0].options if each.id == option)
    printed = next(
        section.rules
        for section in sections.values()
        if any(rule.startswith("If the dealer") for rule in section.rules)
        or "main wager" in section.title
    )
    card = sections["Rack cards"].cards[filed.game.wagers[0].name].words
    general = sections[TERMS].rules
    refuse_unread([*general, *printed, card])
    tests = [(predicate(rule.when, ALL_FEATURES), rule) for rule in declared.dealer_rules]
    reached = set()
    for sense in senses(general, [], ["The first winning hand from the top is paid."]):
        for cards in hands_near(filed.game.hands.shape.cards, NUMBER, seed=31):
            cell, hand = find_features(game, cards), find_hand(cards)
            rule = next((rule for holds, rule in tests if holds(cell)), None)
            counted = ""
            if rule is not None:
                counted = rule.outcome.value if rule.outcome is not None else "1 to 2"
            reached.add(counted)
            assert dealer_outcome(printed, hand, sense) == counted, (cards, sense)
            words = [f"If {part}" for part in card.split("If ")[1:]]
            assert dealer_outcome(words, hand, sense) == counted, (cards, sense)
    assert len(reached) == len({*declared.dealer_rules}) + 1
