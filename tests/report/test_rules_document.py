import re
from collections import Counter
from datetime import date
from fractions import Fraction
from html import unescape
from math import comb
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markupsafe import escape
from msgspec.structs import replace

from certify.model.condition import AllOf, FeatureTest
from certify.model.game import Game, Revision
from certify.model.house_way import HouseWay, HouseWayRule, HouseWaySection
from certify.model.jurisdiction import (
    AggregateLimit,
    Confidence,
    LinkedMeter,
    MeterReduction,
    Party,
    Scope,
    Terms,
)
from certify.model.main_wager import Outcome, Tie, Ties
from certify.model.paytable import Basis, Payout
from certify.model.source import Concern, Dealt, Statement
from certify.model.submission import Submission
from certify.model.topic import Procedure, Topic
from certify.model.vocabulary import NamedFront
from certify.report.rules.bonus_wager import payout_matrices
from certify.report.rules.house_way import house_way_section, number_sections
from certify.report.wording import label
from tests.commands.submissions import compose_part, read_part
from tests.documented_games import GAMES
from tests.html_documents import find_problems, parse, read_text
from tests.oracle import house_way as oracle
from tests.oracle.house_way_sentences import apply_groups, read_group
from tests.printed import document
from tests.report.conftest import Make


def render(submission: Submission) -> str:
    return compose_part(submission, "rules")


def parse_rules(submission: Submission) -> ET.Element:
    return parse(render(submission))


def headings(submission: Submission) -> list[str]:
    return [re.sub(r"^[0-9]+\. ", "", read_text(h)) for h in parse_rules(submission).iter("h2")]


def find_tables(root: ET.Element, caption: str) -> list[list[list[str]]]:
    """Return the rows of every table with this caption, heading row first, as text."""
    return [
        [[read_text(cell) for cell in row] for row in table.iter("tr")]
        for table in root.iter("table")
        if " ".join((table[0].text or "").split()).removesuffix("†").strip() == caption
    ]


def find_payouts(root: ET.Element, wager: str) -> list[list[list[str]]]:
    """Return the rows of every matrix of a wager's payouts, heading row first, as text."""
    return [
        [[read_text(cell) for cell in row] for row in table.iter("tr")]
        for table in root.iter("table")
        if read_text(table[0]).startswith(f"{wager}: payouts")
    ]


def print_pay(payout: Payout) -> str:
    """A second way to print a pay, from the record's own words."""
    if payout.basis in (Basis.PUSH, Basis.LOSS):
        return payout.basis.value.capitalize()
    number = re.match(r"[0-9]+", str(payout))
    assert number is not None
    return str(payout).replace(number[0], f"{int(number[0]):,}", 1)


def test_the_html_breaks_no_rule_of_conformance(make: Make, game: str, jurisdiction: str) -> None:
    assert find_problems(render(make(game, jurisdiction)), language="en-US") == []


def test_the_matrices_hold_every_pay_of_every_filed_table(make: Make, game: str) -> None:
    submission = make(game, "nevada")
    sections = document.parse_rules(render(submission))
    for paytable in submission.paytables:
        wager = next(wager.name for wager in submission.game.wagers if wager.id == paytable.wager)
        lines = sections[wager].tables[label(paytable.id)]
        assert [line.pays for line in lines] == [print_pay(row.payout) for row in paytable.rows]


def test_the_prizes_for_other_players_are_printed_with_their_least_wager(make: Make) -> None:
    root = parse_rules(make("emperors-challenge-exposed", "wsgc"))
    (matrix,) = find_payouts(root, "Emperor's Treasure")
    place = next(at for at, row in enumerate(matrix) if row[0].startswith("Another player's hand"))
    # Appendix C of the source: paytable 1 goes with envy table 1, and so on.
    assert matrix[0][1:] == [f"0{number}" for number in range(1, 9)]
    assert matrix[place][1:] == [f"E0{number}" for number in range(1, 9)]
    rows = {row[0]: row[1] for row in matrix[place:]}
    assert rows["Minimum wager that qualifies"] == "$5"
    # The source's own tables: 7-card straight flush without joker, appendix C.
    assert rows["7-Card Straight Flush, No Joker"] == "$1,000"
    # 0.5398 % of a $5 wager: the step between the printed edges of dynasty table 3 is 0.54 %.
    assert rows["Reduction in house edge per additional player ($5 wager)"] == "0.5398%"


def test_sections_follow_the_jurisdiction(make: Make) -> None:
    # Order of the section lists of Nevada and Washington, one section for each bonus wager.
    assert headings(make("mini-pai-gow", "nevada")) == [
        "The game",
        "Ranking of hands and terms",
        "The deal",
        "Setting the hands and settling the main wager",
        "Bonus",
        "Irregularities",
        "House way",
        "Limits",
        "Notices and changes",
        "Signatures",
        "Rack cards",
    ]
    washington = headings(make("dealer-open-pai-gow", "wsgc"))
    assert washington[:3] == ["Names", "The game", "Wagers on one hand"]
    assert washington.index("The deal") < washington.index("Push Ace High")
    assert "Standing clauses" in washington
    assert "Jacks Beat" not in washington


def test_only_what_is_offered_is_named(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    assert "Jacks Beat" not in headings(submission)
    (sentence,) = re.findall(r"Jacks Beat[^.]*\.", read_text(parse_rules(submission)))
    assert sentence == "Jacks Beat is not offered: it has no filed paytable."


def test_equal_tables_share_one_column_with_all_names(make: Make) -> None:
    """A copy of a paytable under another id pays alike."""
    submission = make("emperors-challenge-exposed", "nevada")
    (table, *_) = [each for each in submission.paytables if each.wager == "pai-gow-insurance"]
    again = replace(table, id="PT-FLT-EC-PGI-09")
    analyses = {**submission.analyses, again.target: submission.analyses[table.target]}
    both = replace(submission, paytables=(*submission.paytables, again), analyses=analyses)
    (matrix,) = find_payouts(parse_rules(both), "Pai Gow Insurance")
    assert matrix[0][1] == "01 09"


def test_one_filed_paytable_leaves_out_everything_else(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-03",))
    html = render(submission)
    assert set(re.findall(r"PT-[A-Z]+-[A-Z0-9-]+", html)) == {"PT-FLT-EC-ET-03"}
    assert set(re.findall(r">(E[0-9]+)<", html)) == {"E03"}
    assert "Pai Gow Insurance" not in headings(submission)
    (matrix,) = find_payouts(parse_rules(submission), "Emperor's Treasure")
    assert ["House edge", "7.8279%"] in matrix


def test_a_note_of_one_table_is_printed_with_its_name_and_on_its_card(make: Make) -> None:
    html = render(make("emperors-challenge-exposed", "nevada"))
    note = "A royal flush with a suited ace and king is paid as a royal flush."
    assert html.count(note) == 2
    assert f"PT-BJS-EC-ET-03: {note}" in html


def test_public_rules_hold_no_mathematics_beyond_the_house_edge(make: Make, game: str) -> None:
    html = render(make(game, "wsgc"))
    assert "Public part." in html
    for word in ("ombinations", "variance", "eviation", "requency", "Element of risk"):
        assert word not in html


def test_washington_counts_the_wagers_and_names_the_limits(make: Make) -> None:
    html = render(make("dealer-open-pai-gow", "wsgc"))
    assert "One hand carries 1 main wager and up to 2 optional wagers." in html


def test_a_limit_is_a_rule_only_by_an_official_text_that_was_read(make: Make) -> None:
    """WAC 230-15-140 ($400) and 230-15-040 (6 games, 3 above $5) were not read."""
    submission = make("dealer-open-pai-gow", "wsgc")
    html = render(submission)
    for unread in ("No single wager", "separate games", "Above $5"):
        assert unread not in html
    pack = submission.jurisdiction
    read = [
        replace(
            rule,
            versions=tuple(
                replace(version, confidence=Confidence.VERIFIED_TEXT) for version in rule.versions
            ),
        )
        for rule in pack.rules
    ]
    official = render(replace(submission, jurisdiction=replace(pack, rules=tuple(read))))
    assert "No single wager may exceed $400." in official
    assert "At most 6 separate games" in official
    assert "Above $5" in official


def test_exactly_one_option_of_the_main_wager_is_filed(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "wsgc")
    caption = "Pai Gow Wager: payout, commission and house edge"
    (rows,) = find_tables(parse_rules(submission), caption)
    assert [row[0] for row in rows[1:]] == [submission.option.name]


def test_examples_are_drawn_as_cards(make: Make) -> None:
    root = parse_rules(make("mini-pai-gow", "nevada"))
    styles = {element.get("class") for element in root.iter("span")}
    assert {"card red", "card black", "card joker"} <= styles
    drawn = "".join(read_text(element) for element in root.iter("span"))
    assert all(suit in drawn for suit in "♠♥♦♣")


def test_a_meter_prints_what_is_declared_and_what_is_not(make: Make) -> None:
    root = parse_rules(make("emperors-challenge-exposed", "wsgc", ("PT-PRG-MLP-ET-01",)))
    (rows,) = find_tables(root, "Emperor's Treasure Multi-Level Progressive: meters")
    assert [row[0] for row in rows[1:]] == ["1", "2", "3"]
    assert rows[1][2:] == ["$1", "–", "–", "–", "–"]
    assert re.search("“–”: blank B[0-9]+", read_text(root))


def test_each_thousand_dollars_on_a_meter_adds_an_exact_share(make: Make) -> None:
    """Of 154,143,080 hands 32 win the whole meter, 72 half of it and 196 a quarter, for $1."""
    submission = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",))
    filed = [table for table in submission.paytables if table.id == "PT-BJS-EC-ET-01"]
    wager = next(each for each in submission.game.wagers if each.id == filed[0].wager)
    (matrix,) = payout_matrices(wager, filed, submission)
    assert matrix["adds"] == (("1", (Fraction(117 * 1000, comb(53, 7)),)),)


def test_what_the_card_room_sets_is_printed(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "wsgc")
    silent = render(submission)
    assert "unless an aggregate payout limit that the regulator has approved is posted" in silent
    assert "Meters linked to other tables or games, or a statement that there are none:" in silent
    terms = Terms(
        largest_wagers=(("main", 40_000), ("emperors-treasure", 500)),
        least_wagers=(("main", 1_000),),
        aggregate_limits=(
            AggregateLimit(cents=2_500_000, wagers=("emperors-treasure",), scope=Scope.TABLE),
        ),
        links=((LinkedMeter(paytable="PT-BJS-EC-PGI-01", level="1"),
                LinkedMeter(paytable="PT-BJS-EC-PGI-02", level="1")),),
        meter_reductions=(MeterReduction.AMOUNT_WON, MeterReduction.SEED_RECOVERY),
    )  # fmt: skip
    stated = replace(submission, terms=terms)
    html = render(stated)
    assert (
        "At most $25,000 is paid at odds in one round at one table for Emperor&#39;s Treasure."
        in html
    )
    assert "meter 1 of PT-BJS-EC-PGI-01 and meter 1 of PT-BJS-EC-PGI-02" in html
    assert "The amount was won.</li>" in html
    assert "The seed is recovered.</li>" in html
    assert "The equipment failed." not in html
    assert "or that there are none:" not in html
    (count,) = find_tables(parse_rules(stated), "Minimum and maximum wagers")
    rows = {row[0]: row[1:4] for row in count}
    assert rows["Emperor's Challenge Wager (main)"][:2] == ["$10", "$400"]
    assert rows["Emperor's Treasure"][:2] == ["–", "$5"]


def test_topics_of_the_table_are_printed_where_declared_and_blank_where_required(
    make: Make,
) -> None:
    """Toke wagers in Washington; opening of the table and layout in Pennsylvania."""
    asked = {
        Procedure.TOKES: "Toke wagers: their maximum, and whether they count toward limits:",
        Procedure.TABLE_OPENING: "Opening and closing of the table:",
        Procedure.LAYOUT: "Inscriptions on the layout:",
    }
    required = {
        "nevada": set(),
        "wsgc": {Procedure.TOKES},
        "pennsylvania": {Procedure.TABLE_OPENING, Procedure.LAYOUT},
    }
    stated = {each: f"The table does {each} so." for each in asked}
    for state, needed in required.items():
        submission = make("pai-gow-mania", state)
        silent = read_text(parse_rules(submission))
        assert {each for each, words in asked.items() if words in silent} == needed
        terms = replace(submission.terms, procedures=tuple(stated.items()))
        printed = read_text(parse_rules(replace(submission, terms=terms)))
        assert [each for each, words in stated.items() if printed.count(words) != 1] == []
        assert not any(words in printed for words in asked.values())
    # The layout of this game is in its source.
    assert asked[Procedure.LAYOUT] not in read_text(
        parse_rules(make("mini-pai-gow", "pennsylvania"))
    )


def test_each_control_of_a_meter_has_its_blank(make: Make) -> None:
    """Topics of GLI-12: payment, simultaneous winners, reset, malfunction."""
    text = read_text(parse_rules(make("emperors-challenge-exposed", "wsgc")))
    for asked in (
        "Verification and payment of a hand that wins a meter:",
        "Payment of several winners of a meter in one round:",
        "Amount of a meter after it, or a share of it, is won:",
        "Procedure if a meter or its display malfunctions:",
    ):
        assert asked in text


def test_controls_of_meters_are_blanks_or_terms_of_filings_with_a_meter(make: Make) -> None:
    metered = make("emperors-challenge-exposed", "nevada")
    fails = "Procedure if a meter or its display malfunctions:"
    assert fails in read_text(parse_rules(metered))
    sections = tuple(name for name in metered.jurisdiction.sections if name != "meters")
    older = replace(metered, jurisdiction=replace(metered.jurisdiction, sections=sections))
    assert fails in read_text(parse_rules(older))  # a pack that does not name the section
    terms = Terms(procedures=((Procedure.METER_MALFUNCTION, "The table closes the wager."),))
    stated = read_text(parse_rules(replace(metered, terms=terms)))
    assert "The table closes the wager." in stated
    assert fails not in stated
    for plain in (
        make("mini-pai-gow", "nevada"),
        make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-01",)),
    ):
        text = read_text(parse_rules(plain))
        assert "Progressive meters" not in text
        assert fails not in text


def test_rules_of_another_option_are_left_out(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada")
    html = render(submission)
    assert "If the dealer has an ace-high pai gow, all main wagers push" in html
    assert "king-high pai gow or lower" not in html
    assert "is paid 1 to 2" not in html


def test_what_only_figures_rest_on_is_no_rule_of_play(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada")
    html = render(submission)
    for assumption in submission.game.assumptions:
        if assumption.replaces is None:  # else the ranking says it, with the same sign
            printed = f"{escape(assumption.text)}&nbsp;†" in html
            assert printed is (assumption.concern is Concern.PLAY), assumption.id


def test_every_revision_is_listed(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    changes = (
        Revision(revision="1", date=date(2026, 11, 21), text="First record."),
        Revision(revision="2", date=date(2027, 2, 3), text="The bonus of table C."),
    )
    several = replace(submission, game=replace(submission.game, changes=changes))
    text = read_text(parse_rules(several))
    assert "Revision 1, November 21, 2026: First record." in text
    assert "Revision 2, February 3, 2027: The bonus of table C." in text


def test_the_rack_card_shows_rows_and_prizes(make: Make) -> None:
    root = parse_rules(make("dealer-open-pai-gow", "wsgc", ("dealer-open-pai-gow/chan-chu/3",)))
    cards = [
        element
        for element in root.iter("div")
        if "rack-card" in (element.get("class") or "").split()
    ]
    texts = [read_text(card) for card in cards]
    (card,) = [card for card, text in zip(cards, texts, strict=True) if "Chan Chu" in text]
    _, prizes = [
        {read_text(row[0]): [read_text(cell) for cell in row[1:]] for row in table.iter("tr")}
        for table in card.iter("table")
    ]
    assert prizes["Five Aces"] == ["$50"]
    assert prizes["Your wager is at least"] == ["$5"]
    assert "Only the first winning hand from the top is paid." in read_text(card)


def test_a_card_names_the_commission_before_what_may_be_posted_instead(make: Make) -> None:
    filed = make("pai-gow-mania", "nevada")
    main = next(each for each in filed.options if each.id == "commission-prepaid")
    text = read_text(parse_rules(replace(filed, main=main)))
    words = "Commission 5% of winnings. Or a commission of 5% of the wager posted in advance"
    assert words in text


def test_a_page_of_rack_cards_holds_cards_alone(make: Make, game: str) -> None:
    submission = make(game, "nevada")
    (body,) = parse_rules(submission).iter("body")
    (cards,) = [element for element in body.iter("div") if element.get("class") == "rack-cards"]
    place = list(body).index(cards)
    assert body[place - 1].tag == "h2"
    assert place == len(body) - 1
    titles = [read_text(next(iter(card))) for card in cards]
    wagers = dict.fromkeys(table.wager for table in submission.paytables)
    assert len(titles) == 1 + len(wagers)  # no wager has more than eight paytables
    assert {(card.get("class") or "").split()[0] for card in cards} == {"rack-card"}


UNSAID = re.compile(
    r"\b(the source|not stated|is read as|Interpretations?|Read here|goes? in front|in back|"
    r"What (it brought|sets)|the pays?|house edge is what is left)\b|\d %"
)
"""Commentary on sources, and words that are not those of the trade."""


def test_the_rules_are_rules_and_no_commentary(make: Make, game: str, jurisdiction: str) -> None:
    submission = make(game, jurisdiction)
    text = read_text(parse_rules(submission)).partition("Contents")[2]
    assert [match[0] for match in UNSAID.finditer(text)] == []


def test_no_rule_is_printed_twice(make: Make, game: str, jurisdiction: str) -> None:
    """But for blanks, which are listed again, and for wagers with the same rule."""
    wagers = [wager.name for wager in make(game, jurisdiction).game.wagers]
    section, said = "", Counter[str]()
    for element in parse_rules(make(game, jurisdiction)).iter():
        if element.tag == "h2":
            section = read_text(element).partition(". ")[2]
        if element.get("class") == "provision" and not read_text(element).endswith(":"):
            rule = re.sub(r"^H?[0-9.a-z]+", "", read_text(element))
            said[section * (section in wagers) + rule] += 1
    assert [rule for rule, times in said.items() if times > 1] == []


# The house way in print


def test_rules_are_numbered_and_exceptions_come_first(make: Make) -> None:
    way = make("emperors-challenge-exposed", "nevada").house_way
    for number, (section, printed) in enumerate(
        zip(way.sections, number_sections(way, Dealt(wild=False)), strict=True), start=1
    ):
        assert [rule.number for rule in printed.rules] == [
            f"{number}.{place}" for place in range(1, len(section.rules) + 1)
        ]
        assert printed.rules[-1].id == section.base.id
        clauses = {rule.id: rule.source.clause for rule in section.rules}
        assert {rule.id: rule.clause for rule in printed.rules} == clauses


def test_an_exception_that_goes_before_another_is_printed_before_it(game_record: Game) -> None:
    source = game_record.wagers[0].source

    def rule(name: str, before: tuple[str, ...] = ()) -> HouseWayRule:
        pair = FeatureTest(feature="groups", values=("pair",))
        when = None if name == "base" else pair
        front = NamedFront.LOW_PAIR
        return HouseWayRule(id=name, when=when, front=front, source=source, before=before)

    section = HouseWaySection(
        id="s",
        title="S",
        when=AllOf(conditions=()),
        base=rule("base"),
        exceptions=(rule("late"), rule("middle", ("late",)), rule("first", ("middle",))),
    )
    way = HouseWay(id="w", name="W", cards=7, front=2, source=source, sections=(section,))
    (printed,) = number_sections(way, Dealt(wild=False))
    assert [rule.id for rule in printed.rules] == ["first", "middle", "late", "base"]
    assert printed.rules[0].text == "With one pair, play the pair in the low hand."
    assert printed.rules[-1].text.startswith("Otherwise, play ")


@pytest.fixture
def game_record(make: Make) -> Game:
    return make("mini-pai-gow", "nevada").game


@pytest.mark.parametrize(
    "asked", [Dealt(cards=6), Dealt(hands=8), Dealt(deck=52), Dealt(joker=False)], ids=str
)
def test_a_statement_that_does_not_fit_the_deal_is_not_printed(make: Make, asked: Dealt) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    statement = submission.game.sections[0].statements[0]
    assert submission.filter_statements([statement]) == (statement,)
    assert submission.filter_statements([replace(statement, fits=asked)]) == ()


def test_what_the_terms_state_of_supplier_and_procedures_is_printed(make: Make) -> None:
    bare = make("mini-pai-gow", "nevada")
    stated = Terms(
        supplier=Party(
            name="Sample Games", address="1 Main Street", contact="Jo Doe", licence="M 1"
        ),
        procedures=(
            (Procedure.SHUFFLE, "A machine shuffles the cards."),
            (Procedure.MISDEAL, "A hand with five cards is a misdeal."),
        ),
    )
    root = parse_rules(replace(bare, terms=stated))
    control = dict(row for row in find_tables(root, "Identification")[0] if len(row) == 2)
    assert control["Supplier"] == "Sample Games"
    assert control["Supplier's address"] == "1 Main Street"
    assert control["Contact"] == "Jo Doe"
    assert control["Supplier's license"] == "M 1"
    words = read_text(root)
    misdeal = r"A hand with five cards is a misdeal\.\sTerms of the table, in place of: Dealing"
    assert len(re.findall(misdeal, words)) == 1
    # A term replaces the rule of the source that states the same procedure, at its place.
    replaced = "Only the house shuffle or a shuffle machine is used."
    assert replaced in read_text(parse_rules(bare))
    assert replaced not in words
    assert re.search(r"A machine shuffles the cards\.\sTerms of the table, in place of: ", words)
    assert words.index("The deal") < words.index("A machine shuffles") < words.index("Packets of")
    asked = "Misdeals: definition, and disposition of the wagers:"
    assert asked not in words
    assert read_text(parse_rules(bare)).count(asked) == 1


def test_the_order_of_settlement_is_printed_or_asked(make: Make) -> None:
    order = "Hands are settled from right to left: losing wagers are taken, then others are paid."
    terms = Terms(procedures=((Procedure.SETTLEMENT, order),))
    asked = "Order in which hands are compared, and wagers taken and paid:"
    mini, dealer_open = make("mini-pai-gow", "nevada"), make("dealer-open-pai-gow", "wsgc")
    assert asked in read_text(parse_rules(mini))
    words = read_text(parse_rules(replace(mini, terms=terms)))
    assert order in words
    assert asked not in words
    of_source = "in counterclockwise rotation, starting with the position farthest"
    assert of_source in read_text(parse_rules(dealer_open))
    assert asked not in read_text(parse_rules(dealer_open))
    assert of_source not in read_text(parse_rules(replace(dealer_open, terms=terms)))


@pytest.mark.parametrize("game", GAMES)
def test_a_printed_result_of_a_foul_is_declared_for_the_terms_to_be_compared(
    make: Make, game: str
) -> None:
    """Otherwise the terms could state another result beside it."""
    for option in make(game, "nevada").game.options:
        printed = [rule.text for rule in option.dealer_rules]
        printed += [each.text for each in option.assumptions]
        stated = [text for text in printed if "foul" in text and "push" in text]
        declared = [rule for rule in option.dealer_rules if rule.fouls is Outcome.PUSH]
        assert bool(stated) == bool(declared), option.id


def test_the_terms_state_the_result_of_a_foul_against_a_pushing_hand(make: Make) -> None:
    foul = Terms(procedures=((Procedure.FOUL, "A foul loses."),), foul_against_push=Outcome.LOSE)
    even = "A foul loses even if the dealer's hand makes the other main wagers push."
    pushing, other = (
        make("commission-free-pai-gow-express", "nevada"),
        make("pai-gow-mania", "nevada"),
    )
    assert f"A foul loses. {even}" in read_text(parse_rules(replace(pushing, terms=foul)))
    assert even not in read_text(parse_rules(replace(other, terms=foul)))


def test_the_mathematics_states_the_rule_on_fouls_that_is_printed(make: Make) -> None:
    dealer_open, mania = make("dealer-open-pai-gow", "wsgc"), make("pai-gow-mania", "pennsylvania")
    pushes = "A foul loses the Pai Gow wager, unless the dealer's ace-high pai gow pushes it."
    assert f"The rules of play say: “{pushes}”" in unescape(read_part(dealer_open, "mathematics"))
    assert "foul loses its wager" not in read_part(mania, "mathematics")
    assert "The rules of play say" not in read_part(mania, "mathematics")
    foul = Terms(procedures=((Procedure.FOUL, "A foul pushes."),), foul_against_push=Outcome.PUSH)
    completed = read_part(replace(dealer_open, terms=foul), "mathematics")
    assert (
        "The rules of play say: “A foul pushes. As an exception, a foul pushes and does not lose if"
        in completed
    )


@pytest.mark.parametrize(
    ("game", "jurisdiction"),
    [
        ("emperors-challenge-exposed", "nevada"),
        ("dealer-open-pai-gow", "wsgc"),
        ("mini-pai-gow", "nevada"),
    ],
)
def test_the_hand_drawn_at_a_rule_is_set_by_it(make: Make, game: str, jurisdiction: str) -> None:
    submission = make(game, jurisdiction)
    printed = house_way_section(submission, 7)["groups"]
    groups = [
        read_group(
            section.title.partition(". ")[2], section.scope, [rule.text for rule in section.rules]
        )
        for section in printed
    ]
    for section in printed:
        for rule in section.rules:
            cards = tuple(
                oracle.JOKER
                if card == "Jk"
                else ("23456789TJQKA".index(card[0]) + 2, "cdhs".index(card[1]))
                for card in (*rule.hand.back, *rule.hand.front)
            )
            table = oracle.Table(front=submission.house_way.front)
            found = apply_groups(groups, oracle.SevenCards(cards, table))
            assert rule.text in found.followed, rule.number
            drawn = sorted(cards[len(rule.hand.back) :])
            assert [rank for rank, _ in sorted(found.front)] == [rank for rank, _ in drawn]


def test_rack_cards_are_the_players_text(make: Make, game: str) -> None:
    (cards,) = (
        element
        for element in parse_rules(make(game, "nevada")).iter("div")
        if element.get("class") == "rack-cards"
    )
    assert re.findall("†|\\bmeter [0-9]|Interpretation", read_text(cards)) == []


def test_a_card_has_each_paytable_of_its_wager_in_a_column_to_tick(make: Make) -> None:
    root = parse_rules(make("emperors-challenge-exposed", "nevada"))
    cards = [
        card for card in root.iter("div") if (card.get("class") or "").startswith("rack-card ")
    ]
    (card,) = [card for card in cards if "Emperor's Treasure PT-FLT" in read_text(card)]
    head, *rows = next(card.iter("table")).iter("tr")
    assert [read_text(cell) for cell in head] == ["Hand", *(f"0{number}" for number in range(1, 9))]
    assert sum(part.get("class") == "tick" for part in head.iter("span")) == 8
    lines = {read_text(row[0]): [read_text(cell) for cell in row[1:]] for row in map(list, rows)}
    # Appendix C of the source: only the first table returns the wager for three pairs.
    assert lines["3 Pair"] == ["Push", *["–"] * 7]


@pytest.mark.parametrize("stated", [True, False])
def test_a_numbered_rule_states_ties_as_they_are_counted(make: Make, *, stated: bool) -> None:
    """An own game without a sentence on ties had them on its rack card only."""
    submission = make("pai-gow-mania", "nevada")
    game = submission.game
    kept = tuple(each for each in game.definitions if stated or each.topic != "ties")
    option = submission.options[0]
    main = replace(option, ties=Ties(high=Tie.PUSH, low=Tie.PLAYER, both_push=True))
    submission = replace(submission, game=replace(game, definitions=kept), main=main)
    printed = read_part(submission, "rules")
    assert "ties of either hand" not in printed
    rule = r"\d\.\d+ A tie of the high hands pushes the wager, whatever the other hand does\. "
    rule += r"The player wins a tie of the low hands\. When both hands tie, the wager pushes\."
    assert len(re.findall(rule, printed)) == 1


def test_only_a_statement_on_the_ties_of_the_main_wager_is_derived(make: Make) -> None:
    """Rules of a bonus, clauses of a state and interpretations on ties were replaced, too."""
    submission = make("emperors-challenge-exposed", "wsgc")
    game, source = submission.game, submission.option.source
    bonus = next(wager for wager in submission.wagers if not wager.options)

    def state(name: str, **properties: Any) -> Statement:  # noqa: ANN401 - fields of a statement
        topic = Topic.TIES
        return Statement(id=name, text=f"Typed {name}.", topic=topic, source=source, **properties)

    wagers = tuple(
        replace(wager, rules=(*wager.rules, state("rule"))) if wager == bonus else wager
        for wager in game.wagers
    )
    definitions = (state("main", wager="main"), state("scoped", wager=bonus.id))
    assumptions = (*game.assumptions, state("reading", effect="Not counted."))
    clauses = (state("clause", rule="WA-FILE"),)
    changed = replace(game, wagers=wagers, definitions=definitions, assumptions=assumptions)
    jurisdiction = replace(submission.jurisdiction, clauses=clauses)
    printed = read_part(replace(submission, game=changed, jurisdiction=jurisdiction), "rules")
    assert {*re.findall(r"Typed (\w+)\.", printed)} == {"rule", "scoped", "reading", "clause"}
    assert len(re.findall(r"\d\.\d+ The dealer wins ties of either hand\.", printed)) == 1
