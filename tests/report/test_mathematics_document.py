"""The mathematics report: its eighteen sections, and figures that agree with a second way."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from io import StringIO
from math import comb
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import tinyhtml5  # type: ignore[import-untyped] # it ships no types

from certify import library
from certify.errors import NotConfigured
from certify.intake.read import read_catalogue
from certify.model.analysis import CostlyHand, RowAnalysis
from certify.model.audit import (
    Agreement,
    Comparison,
    CrossCheck,
    FigureJudgement,
    RuleJudgement,
    Standing,
)
from certify.model.game import WagerKind
from certify.model.paytable import Meter, Progressive
from certify.model.published import Convention, PublishedFigure, Quantity
from certify.model.submission import ChecklistLine, ItemState, Submission
from certify.pipeline.audit import judge_figures
from certify.printing.conformance import conformance_problems
from certify.report.compose import compose
from certify.report.mathematics_view import mathematics_view
from certify.report.rules_view import rules_view

Make = Callable[..., Submission]
EXPRESS = "commission-free-pai-gow-express"
TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
SECTIONS = [
    "0. Control page",
    "1. Summary",
    "2. Requirements and where they are met",
    "3. Definitions",
    "4. Assumptions",
    "5. Method",
    "6. Hand frequencies",
    "7. Main wager",
    "8. Bonus wagers",
    "9. Prizes for the hands of other players",
    "10. Progressive wagers",
    "11. Volatility",
    "12. Largest exposure in one round",
    "13. Independent verification",
    "14. Discrepancies of the source",
    "15. Reproducing this report",
    "16. Reliance",
    "17. Signatures",
    "Annex A. What the filing needs",
    "Annex B. Published figures",
]


def html_of(submission: Submission) -> str:
    return compose("mathematics.html.j2", mathematics_view(submission), templates=TEMPLATES)


def tree_of(submission: Submission) -> ET.Element:
    parsed: ET.Element = tinyhtml5.parse(
        StringIO(html_of(submission)), namespace_html_elements=False
    )
    return parsed


def text_of(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def rows_of(root: ET.Element, caption: str) -> list[list[str]]:
    """Return the rows of the table with this caption, heading row first, as text."""
    (table,) = (one for one in root.iter("table") if text_of(one[0]) == caption)
    return [[text_of(cell) for cell in row] for row in table.iter("tr")]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_the_sections_are_the_eighteen_in_order(make: Make, game: str, jurisdiction: str) -> None:
    submission = make(game, jurisdiction)
    root = tree_of(submission)
    assert [text_of(one) for one in root.iter("h2")] == SECTIONS


def test_the_html_breaks_no_rule_of_conformance(make: Make, game: str, jurisdiction: str) -> None:
    assert conformance_problems(html_of(make(game, jurisdiction)), language="en-US") == []


def test_the_contents_lead_to_every_section(make: Make) -> None:
    root = tree_of(make("dealer-open-pai-gow", "nevada"))
    (nav,) = root.iter("nav")
    titles = [text_of(one) for one in nav.iter("a")]
    assert [one for one in titles if one in SECTIONS] == SECTIONS
    targets = {one.get("id") for one in root.iter()}
    assert all((one.get("href") or "")[1:] in targets for one in nav.iter("a"))


def test_washington_says_confidential_and_nevada_does_not(make: Make) -> None:
    assert "Confidential part." in html_of(make("mini-pai-gow", "wsgc"))
    assert "Confidential part." not in html_of(make("mini-pai-gow", "nevada"))


def test_the_master_table_sums_to_the_deck(make: Make, game: str) -> None:
    submission = make(game, "nevada")
    cards = submission.game.hands.shape.cards
    _, *rows, total = rows_of(tree_of(submission), f"Every hand of {cards} cards")
    assert sum(number(row[2]) for row in rows) == number(total[2]) == comb(53, cards)
    names = {row[0]: row[1] for row in rows}
    assert names["Four of a kind"] == submission.events["four_of_a_kind"].text
    assert {"Pair", "Ace-high pai gow"} <= set(names)


def test_the_summary_has_every_filed_wager_once(make: Make, game: str) -> None:
    submission = make(game, "wsgc")
    _, *rows = rows_of(tree_of(submission), "Every wager of this submission")
    options = len(submission.options)
    assert len(rows) == options + len(submission.paytables)
    ids = [row[1].partition(", without")[0].split()[-1] for row in rows]
    assert ids[options:] == [one.id for one in submission.paytables]
    for paytable, row in zip(submission.paytables, rows[options:], strict=True):
        assert (", without " in row[1]) == (paytable.envy is not None)
    option, way = submission.option.id, submission.house_way.name
    assert rows[0][1] == f"{option}; dealer: {way}; player: optimal play"


def test_printed_edges_agree_with_a_second_rounding(make: Make, game: str) -> None:
    submission = make(game, "nevada")
    _, *rows = rows_of(tree_of(submission), "Every wager of this submission")
    rows = rows[len(submission.options) :]
    for paytable, row in zip(submission.paytables, rows, strict=True):
        edge = submission.analyses[paytable.target].house_edge
        if edge is None:
            by = "by meter" if paytable.dynamic is None else "by draw"
            assert [row[2], row[3], row[5]] == [by, by, by]
        else:
            assert abs(Fraction(row[3]) - 100 * edge) <= Fraction(1, 20_000)


def test_every_row_of_a_paytable_is_printed_and_adds_up(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    root = tree_of(submission)
    for paytable in submission.paytables:
        if paytable.wager != "chan-chu":
            continue
        caption = f"Chan Chu, Paytable {paytable.id}: every hand counted"
        tables = [one for one in root.iter("table") if text_of(one[0]) == caption]
        found = [[text_of(cell) for cell in row] for row in tables[-1].iter("tr")]
        names = [row[0] for row in found[1:-2]]
        assert names == [row.name for row in paytable.rows]
        assert sum(number(row[2]) for row in found[1:-1]) == number(found[-1][2])
        # The last cumulative return is the total, and the total is minus the house edge.
        assert found[-2][6] == found[-1][5]


def test_a_top_award_is_never_rounded(make: Make) -> None:
    # A win less 5 % commission nets 0.95: rounded it would claim even money.
    _, main, *_ = rows_of(
        tree_of(make("pai-gow-mania", "nevada")), "Every wager of this submission"
    )
    assert main[6] == "0.95 to 1"


def test_bands_are_twice_the_deviation_of_the_mean(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    caption = "Return over a number of rounds, in percent of what is wagered"
    _, _, first, *_ = rows_of(tree_of(submission), caption)
    variance = submission.analyses[submission.paytables[0].target].variance
    assert variance is not None
    for rounds, printed in zip((10**3, 10**4, 10**5, 10**6), first[3:], strict=True):
        with localcontext() as context:
            context.prec = 40
            ratio = Decimal(variance.numerator) / Decimal(variance.denominator) / rounds
            half = 200 * ratio.sqrt()
        assert abs(Decimal(printed.removeprefix("± ")) - half) <= Decimal("0.0005")


def test_strategies_and_options_are_compared(make: Make) -> None:
    root = tree_of(make("emperors-challenge-exposed", "nevada"))
    rows = rows_of(root, "The filed option under each strategy of the player")
    assert [row[0] for row in rows[1:]] == ["Optimal play", "House way", "Better play is worth"]
    edges = [Fraction(row[4]) for row in rows[1:]]
    assert edges[2] == edges[1] - edges[0]
    others = rows_of(root, "The other options of the main wager")
    assert [row[0] for row in others[1:]] == [
        "any-pai-gow-pays-1-to-2",
        "king-high-or-less-push",
    ]


def test_without_comparison_nothing_is_compared(make: Make) -> None:
    html = html_of(make("mini-pai-gow", "nevada", comparison=(), other_options=()))
    assert "The house way against the best play" not in html
    assert "The main wager has no other option." in html


def test_the_use_of_the_house_way_names_rules_by_number(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    caption = "How often each rule of the house way decided, over all hands"
    _, *rows, total = rows_of(tree_of(submission), caption)
    assert len(rows) == len(submission.house_way.rules)
    assert all(re.fullmatch(r"[0-9]+\.[0-9]+", row[0]) for row in rows)
    places = [tuple(map(int, row[0].split("."))) for row in rows]
    assert places == sorted(places)
    assert sum(number(row[2]) for row in rows) == number(total[2])


def test_a_progressive_has_no_single_return(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",))
    root = tree_of(submission)
    _, _, row = rows_of(root, "Every wager of this submission")
    assert row[2:4] == ["by meter", "by meter"]
    levels = rows_of(root, "Return against meter 1")
    assert not [one for one in root.iter() if "nought" in (one.text or "")]
    at_break_even = next(one for one in levels if one[1] == "100.000")
    assert at_break_even[2] == "0.000"
    assert "no single return is given" in html_of(submission)


def test_declared_seeds_and_increments_are_stated(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",))
    (paytable,) = submission.paytables
    meter = Meter(level="1", seed_cents=100_000, increment=Fraction(25, 100))
    declared = replace(paytable, progressive=Progressive(base_wager_cents=100, meters=(meter,)))
    html = html_of(replace(submission, paytables=(declared,)))
    progressive = submission.analyses[paytable.target].progressive
    assert progressive is not None
    weight = progressive.meters[0].weight
    assert f"({1000 * weight})" in html
    assert "of every wager 25% are put on meter 1" in html
    assert "no single return is given" not in html


def test_what_is_missing_is_a_sentence_and_no_empty_table(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada", discrepancies=())
    root = tree_of(submission)
    assert all(len(list(table.iter("tr"))) > 1 for table in root.iter("table"))
    text = text_of(root)
    for sentence in (
        "No rule of this jurisdiction is recorded.",
        "No wager of this submission pays for the hands of other players.",
        "No wager of this submission pays from a meter.",
        "Nothing was counted a second time for this submission.",
        "No discrepancy of the source is recorded.",
        "No checklist of this jurisdiction is recorded.",
    ):
        assert sentence in text


def test_a_submission_without_bonus_wagers_says_so(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    text = text_of(tree_of(replace(submission, paytables=())))
    assert "No bonus wager is filed." in text


def test_a_second_count_is_printed_row_by_row_with_its_digest(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    target = submission.option.target
    main = submission.analyses[target].main
    assert main is not None
    strategy = main.strategy
    win = Comparison(event="win", exact=Fraction(1, 4), other=Fraction(1, 4), agrees=True)
    edge = Comparison(
        event="house_edge", exact=Fraction(1, 200), other=Fraction(1, 200), agrees=True
    )
    kept = CrossCheck(
        target=target,
        method="exact",
        rounds=2000,
        comparisons=(win, edge),
        house_way="mini-pai-gow",
        strategy=strategy,
        digest="ab" * 32,
        counted=dt.date(2026, 1, 2),
    )
    walk = CrossCheck(
        target=submission.paytables[0].target,
        method="exhaustive",
        rounds=22_957_480,
        comparisons=(
            Comparison(event="flush", exact=Fraction(1, 9), other=Fraction(1, 8), agrees=False),
        ),
    )
    root = tree_of(replace(submission, crosschecks=(kept, walk)))
    summary = rows_of(root, "First count against second count")
    assert [row[-1] for row in summary[1:]] == ["equal", "DIFFERS"]
    assert [row[1].split()[0] for row in summary[1:]] == ["every", "walk"]
    _, line = rows_of(root, "Second counts of two hands")
    assert line[1:] == ["0.5000%", "0.5000%", "2026-01-02", "ab" * 32]
    name = f"{_main_name(submission)}, {submission.option.id}, player: optimal play: pairs of hands"
    assert rows_of(root, name)[1] == ["Outcome win", "500", "500", "equal"]
    assert "Open:" not in text_of(root)


def test_what_was_not_counted_a_second_time_is_open_with_its_command(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    check = CrossCheck(
        target=submission.option.target,
        method="not counted",
        rounds=0,
        comparisons=(),
        house_way="mini-pai-gow",
        strategy=submission.game.strategy,
    )
    root = tree_of(replace(submission, crosschecks=(check,)))
    assert rows_of(root, "First count against second count")[1][-1] == "not counted a second time"
    assert "Run certify crosscheck mini-pai-gow/main --method exact --keep." in text_of(root)


def _main_name(submission: Submission) -> str:
    return next(one.name for one in submission.game.wagers if one.kind is WagerKind.MAIN)


def test_printed_figures_keep_their_verdict_and_reason(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    figure = PublishedFigure(
        id="f",
        target=submission.paytables[0].target,
        quantity=Quantity.HOUSE_EDGE,
        printed="4.35%",
        convention=Convention.PLAIN,
        source=submission.option.source,
    )
    judged = FigureJudgement(
        figure=figure,
        agreement=Agreement.DIFFERS,
        recomputed=Fraction(43489, 1_000_000),
        reason="Because.",
    )
    root = tree_of(replace(submission, figures=(judged,)))
    assert rows_of(root, "Bonus, Paytable A")[1] == [
        "House edge",
        "4.35%",
        "4.3489%",
        "differs: Because.",
    ]
    summary = rows_of(root, "Figures printed in the source")
    assert summary[1] == ["Bonus, Paytable A", "1", "0", "1", "0", "0"]


def test_requirements_and_checklist_are_printed(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "wsgc")
    jurisdiction = submission.jurisdiction
    rules = tuple(
        RuleJudgement(
            rule=rule,
            version=rule.version_at(submission.as_of),
            standing=Standing.UNVERIFIED,
            detail=f"Detail of {rule.id}",
            section="Largest exposure",
        )
        for rule in jurisdiction.rules
    )
    checklist = tuple(
        ChecklistLine(
            item=item, state=ItemState.OPEN if number else ItemState.NOT_NEEDED, detail="why"
        )
        for number, item in enumerate(jurisdiction.checklist)
    )
    root = tree_of(replace(submission, rules=rules, checklist=checklist))
    rows = rows_of(root, "Requirements, and the text applied of each")
    assert [row[0] for row in rows[1:]] == [rule.id for rule in jurisdiction.rules]
    assert rows[1][4] == f"Detail of {jurisdiction.rules[0].id} Where: Largest exposure."
    needed = rows_of(root, f"What a filing in {jurisdiction.name} needs")
    assert [row[0] for row in needed[1:]] == [item.text for item in jurisdiction.checklist]
    assert [row[1] for row in needed[1:3]] == ["not needed", "open"]
    assert "secondary text (another's account of the rule was read)" in text_of(root)
    limits = rows_of(root, "Rules on limits and funds")
    assert {"WA-AGG-1", "WA-AGG-2", "WA-FUND-1"} <= {row[0] for row in limits[1:]}


def test_the_exposure_is_at_the_largest_lawful_wager(make: Make) -> None:
    # WAC 230-15-140: $400; the top award of Chan Chu paytable 1 is 5,000 to 1: $2,000,000.
    submission = make("dealer-open-pai-gow", "wsgc")
    root = tree_of(submission)
    rows = rows_of(root, LOSSES)
    chan_chu = next(row for row in rows if row[0] == "Chan Chu, Paytable 1")
    assert submission.game.players == 6
    assert chan_chu[1:] == ["5,000 to 1", "$400", "$2,000,000", "$12,000,000"]
    terms = replace(submission.terms, players=4)
    rows = rows_of(tree_of(replace(submission, terms=terms)), LOSSES)
    assert next(row for row in rows if row[0] == "Chan Chu, Paytable 1")[4] == "$8,000,000"


LOSSES = "Largest loss of the house on one wager in one round"
BOUND = "Upper bound of a whole round, all wagers and all seats"


def cents(text: str) -> int:
    return round(Fraction(text.replace("$", "").replace(",", "")) * 100)


def test_the_bound_of_a_round_adds_the_greatest_of_every_wager(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "wsgc")
    root = tree_of(submission)
    names = {wager.id: wager.name for wager in submission.game.wagers}
    _, main, *rows = rows_of(root, LOSSES)
    greatest: dict[str, int] = {}
    for paytable, row in zip(submission.paytables, rows, strict=True):
        assert row[0].startswith(names[paytable.wager])
        greatest[paytable.wager] = max(greatest.get(paytable.wager, 0), cents(row[4]))
    _, *envies = rows_of(root, "Largest prizes for the hands of other players in one round")
    envy = max(cents(row[4]) for row in envies)
    _, known, prizes, total = rows_of(root, BOUND)
    assert cents(known[1]) == cents(main[4]) + sum(greatest.values())
    assert cents(prizes[1]) == envy
    assert cents(total[1]) == cents(known[1]) + envy


def test_envy_is_earned_at_its_wager_and_priced_for_every_seat(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "nevada", ("3",))
    root = tree_of(submission)
    (paytable,) = [one for one in submission.paytables if one.envy is not None]
    (table,) = [
        one
        for wager in submission.game.wagers
        for one in wager.envies
        if (wager.id, one.id) == (paytable.wager, paytable.envy)
    ]
    most = max(row.prize_cents for row in table.rows)
    _, row = rows_of(root, "Largest prizes for the hands of other players in one round")
    assert row[2] == f"of ${table.qualifying_wager_cents // 100} or more"
    assert (cents(row[3]), cents(row[4])) == (most, 30 * most)
    each = next(one for one in rows_of(root, BOUND) if "for each $1" in one[0])
    assert cents(each[1]) > 0


def test_a_wager_with_meters_is_priced_at_its_base_wager(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "wsgc", ("PT-PRG-EC-ET-D01",))
    row = rows_of(tree_of(submission), LOSSES)[2]
    assert row == [
        "PT-PRG-EC-ET-D01",
        "100% of meter 1; fixed 200 for 1; dynamic 2,000 for 1",
        "$1 base",
        "$1,999",
        "$11,994",
    ]


def test_a_top_award_names_meters_and_its_basis(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-PGI-01",))
    _, _, row = rows_of(tree_of(submission), "Every wager of this submission")
    assert row[6] == "100% of meter 1; fixed 125 for 1"


def test_contributions_sum_to_minus_the_edge_and_meters_stand_elsewhere(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    for paytable in submission.paytables:
        rows = rows_of(tree_of(submission), f"Bonus, Paytable {paytable.id}: every hand counted")
        edge = submission.analyses[paytable.target].house_edge
        assert edge is not None
        assert rows[0][5:] == ["Contribution", "Cumulative"]
        assert abs(Fraction(rows[-1][5].replace("−", "-")) + edge) <= Fraction(1, 10**8)
    metered = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",))
    _, *rows, total, summed = rows_of(tree_of(metered), "PT-BJS-EC-ET-01: every hand counted")
    assert (total[0], total[5]) == ("Total", "")
    assert summed[0] == "Sum without the hands paid by a meter"
    fixed = [Fraction(row[5].replace("−", "-")) for row in rows if row[5] != "see section 10"]
    assert abs(Fraction(summed[5].replace("−", "-")) - sum(fixed)) <= len(fixed) * Fraction(
        1, 2 * 10**8
    )
    for row in rows:
        assert (row[5] == "see section 10") == ("meter" in row[1])
        assert len(row) == 6
    assert "PT-BJS-EC-ET-01 with a fixed pay, in units for one wagered" in html_of(metered)


def test_a_negative_house_edge_is_explained_where_one_is_printed(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada", comparison=(), other_options=())
    note = "A negative house edge is an advantage of the player."
    assert note not in html_of(submission)
    analysis = submission.analyses[submission.option.target]
    better = replace(analysis, house_edge=Fraction(-1, 100), return_to_player=Fraction(101, 100))
    changed = replace(submission, analyses={**submission.analyses, analysis.target: better})
    assert html_of(changed).count(note) == 2  # the summary, and the figures of the main wager


def test_assumptions_have_an_effect_and_conventions_stand_with_the_method(
    make: Make, game: str, jurisdiction: str
) -> None:
    submission = make(game, jurisdiction)
    root = tree_of(submission)
    _, *assumed = rows_of(root, "Assumptions")
    _, *held = rows_of(root, "Conventions of the count")
    conventions = {row[0] for row in held}
    assert len(held) == len(conventions)
    texts = [row[0] for row in assumed]
    assert len(set(texts)) == len(texts)
    assert all(row[2] for row in assumed)
    stated = [each for one in submission.analyses.values() for each in one.assumptions]
    for one in stated:
        if submission.printed([one]) and one.effect is None:
            # One rule of the deal for both kinds of wager; an award may be an assumption instead.
            if one.id not in {"deal", "award", "base-wheel"}:
                assert one.text in conventions
            assert one.text not in texts
    deals = [text for text in conventions if "every deal is equally likely" in text]
    assert len(deals) == len({one.cards for one in submission.paytables})


def test_a_convention_names_its_wagers_and_repeats_no_assumption(make: Make) -> None:
    rows = rows_of(
        tree_of(make("emperors-challenge-exposed", "nevada")), "Conventions of the count"
    )
    holds = {row[0]: row[1] for row in rows[1:]}
    (first,) = (wagers for text, wagers in holds.items() if "first row in printed order" in text)
    (highest,) = (wagers for text, wagers in holds.items() if "highest ranking hand" in text)
    assert highest == "Emperor's Treasure Dynamic Progressive"
    assert "Pai Gow Insurance" in first
    assert highest not in first
    # Section 4 has it for the Emperor's Treasure.
    assert "Emperor's Treasure," not in first
    assert not first.endswith("Emperor's Treasure")
    # Mini Pai Gow declares both as assumptions.
    mini = rows_of(tree_of(make("mini-pai-gow", "nevada")), "Conventions of the count")
    assert not [row for row in mini if "A-2-3-4-5" in row[0] or "first row" in row[0]]


def test_the_sources_of_assumptions_are_titles(make: Make) -> None:
    _, *rows = rows_of(tree_of(make("emperors-challenge-exposed", "nevada")), "Assumptions")
    places = [row[1] for row in rows]
    assert any(one.startswith("Wizard of Odds, page on the Foxwoods house way: ") for one in places)
    assert not [one for one in places if "wizard-of-odds" in one]


def test_envy_speaks_of_other_players(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    rows = rows_of(
        tree_of(submission), "Chan Chu: house edge in percent by number of other players"
    )
    assert rows[0][2:8] == ["0", "1", "2", "3", "4", "5"]
    text = text_of(tree_of(submission))
    assert "Counted is the hand of every other player who has made this wager too." in text
    dealt_in = text_of(tree_of(make("emperors-challenge-exposed", "nevada")))
    counted = "Counted is the hand of every other player who is dealt in, with or without this"
    assert counted in dealt_in
    assert "bettor" not in text
    figures = rows_of(tree_of(submission), "Chan Chu, Paytable 3: figures")
    assert figures[1][0] == "House edge, without envy"


@pytest.mark.parametrize("jurisdiction", ["nevada", "wsgc"])
@pytest.mark.parametrize("filed", [("community",), ("A",)])
def test_a_game_with_its_own_word_for_prizes_never_says_envy(
    make: Make, jurisdiction: str, filed: tuple[str, ...]
) -> None:
    submission = make("mini-pai-gow", jurisdiction, filed)
    text = text_of(tree_of(submission))
    for words in (text, rules_of(submission)):
        # The path of the embedded file is an id of the data set.
        assert "envy" not in words.lower().replace("bonus/envy/community.json", "")
        assert ("Community Bonus prizes" in words) == (filed == ("community",))
    analyses = submission.analyses.values()
    stated = [one.text for analysis in analyses for one in analysis.assumptions]
    assert not [one for one in stated if "envy" in one.lower()]


def test_published_figures_name_the_document_that_prints_them(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    reference = submission.game.references[0]
    source = replace(submission.option.source, document=reference.id)
    figure = PublishedFigure(
        id="f",
        target=submission.paytables[0].target,
        quantity=Quantity.COMBINATIONS,
        printed="48",
        convention=Convention.PLAIN,
        source=source,
        event=submission.paytables[0].rows[0].event,
    )
    judged = FigureJudgement(
        figure=figure, agreement=Agreement.AGREES, recomputed=Fraction(48), reason=""
    )
    root = tree_of(replace(submission, figures=(judged,)))
    _, row = rows_of(root, "Figures printed in other documents for the same tables")
    assert row[1:] == [f"“{reference.title}” (Wizard of Odds)", "–", "1", "all met"]
    (table,) = [one for one in root.iter("table") if "Recomputed" in text_of(one)]
    assert f"Combinations, {submission.paytables[0].rows[0].name}" in text_of(table)
    assert text_of(root).count("The source prints no figure") == 1


def test_a_table_that_another_document_prints_is_vouched_for(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-02",))
    catalogue, _ = read_catalogue(library.paytables())
    judged = judge_figures(catalogue, submission.game, submission.analyses)
    own = tuple(one for one in judged if one.figure.target in submission.analyses)
    root = tree_of(replace(submission, figures=own))
    _, *rows = rows_of(root, "Figures printed in other documents for the same tables")
    # Express prints 7.77% for its table 3 in the table of edges, Dealer Open for its table 4.
    assert [row[2] for row in rows] == ["7.77%", "7.77%"]
    assert {row[4] for row in rows} == {"all met"}
    titles = {catalogue.games[name].document.title for name in ("dealer-open-pai-gow", EXPRESS)}
    assert {row[1].partition("”")[0].lstrip("“") for row in rows} == titles


def test_every_declared_file_is_listed(make: Make) -> None:
    sources = {"paytables/events.json": "a" * 64, "paytables/jurisdictions/nevada.json": "b" * 64}
    root = tree_of(make("mini-pai-gow", "nevada", sources=sources))
    _, *rows = rows_of(root, "Declared files under paytables/, and their SHA-256 digests")
    assert {row[0]: row[1] for row in rows}["jurisdictions/nevada.json"] == "b" * 64


def test_charts_have_words_for_those_who_cannot_see_them(make: Make) -> None:
    root = tree_of(make("dealer-open-pai-gow", "nevada"))
    drawings = [one for one in root.iter() if str(one.tag).endswith("}svg")]
    assert len(drawings) >= 8
    assert all(len(text_of(one[0])) > 20 for one in drawings)


def with_raise(submission: Submission) -> Submission:
    """Return Mini Pai Gow with outcomes of each kind in its made-up figures."""
    analysis = submission.analyses[submission.option.target]
    win, push, lose = analysis.rows

    def ended(
        row: RowAnalysis, name: str, *, raised: bool = False, qualified: bool = False
    ) -> RowAnalysis:
        assert row.reason is not None
        reason = replace(row.reason, raised=raised, qualified=qualified)
        return replace(row, event=reason.key, name=name, reason=reason)

    rows = (
        ended(win, "Both hands won"),
        ended(win, "Both hands won, Double Down in action", raised=True, qualified=True),
        ended(win, "Both hands won, Double Down pushes", raised=True),
        ended(push, "One hand won, one lost or tied"),
        ended(lose, "Both hands lost or tied"),
        ended(lose, "Both hands lost or tied, Double Down in action", raised=True, qualified=True),
    )
    assert analysis.main is not None
    main = replace(analysis.main, average_wager=Fraction(5, 4), element_of_risk=Fraction(1, 50))
    changed = replace(analysis, rows=rows, main=main, top_award=Fraction(2))
    return replace(submission, analyses={**submission.analyses, analysis.target: changed})


def test_a_second_wager_is_named_wherever_it_counts(make: Make) -> None:
    root = tree_of(with_raise(make("mini-pai-gow", "nevada")))
    rows = rows_of(root, "Outcomes by reason")
    assert [row[:2] for row in rows[1:-1]] == [
        ["Both hands won, no Double Down made", "1 to 1"],
        ["Both hands won, Double Down in action", "1 to 1 on both wagers"],
        ["Both hands won, Double Down pushes", "1 to 1"],
        ["One hand won, one lost or tied, no Double Down made", "Push"],
        ["Both hands lost or tied, no Double Down made", "Loss"],
        ["Both hands lost or tied, Double Down in action", "Loss of both wagers"],
    ]
    assert rows_of(root, "With Double Down") == [
        ["Figure", "Rounded", "Exact"],
        ["Average wager", "1.250000", "5/4"],
        ["Element of risk", "2.0000%", "1/50"],
    ]
    _, main, *_ = rows_of(root, "Every wager of this submission")
    assert main[6] == "2 to 1 (with Double Down)"
    text = text_of(root)
    assert "With Double Down in action the net pay of both wagers counts." in text
    # The summary, the figures of the main wager, and volatility.
    assert text.count("standard deviation are per unit of the first wager.") == 3


def test_dynamic_pays_are_said_to_raise_what_is_printed(make: Make) -> None:
    basis = "Return, break-even, table and curve are those of the default pays alone."
    dynamic = html_of(make("emperors-challenge-exposed", "nevada", ("PT-PRG-EC-ET-D01",)))
    assert f"{basis} Every round draws 1 to 3 of the rows with dynamic pays" in dynamic
    assert basis not in html_of(make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",)))


def test_meters_and_envy_are_spoken_of_where_they_are_filed(make: Make) -> None:
    text = text_of(tree_of(make("pai-gow-mania", "nevada")))
    for words in (
        "section 10 gives",
        "What a meter adds",
        "Prizes for the hands of other players stand",
        "taken at its base",
    ):
        assert words not in text
    whole = text_of(tree_of(make("emperors-challenge-exposed", "wsgc")))
    for words in (
        "section 10 gives",
        "What a meter adds",
        "Prizes for the hands of other players stand in section 9",
        "taken at its base",
        "Mean and standard deviation leave prizes for the hands of other players out.",
        "Prizes for the hands of other players are left out here and stand in the next table.",
        "Limits on the number of games on one hand are not applied to this bound",
        "so that the records are complete.",
    ):
        assert words in whole


def test_options_that_the_player_chooses_among_are_filed_together(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    options = [one for wager in submission.game.wagers for one in wager.options]
    (prepaid,) = [one for one in options if one.commission and one.commission.prepaid]
    assert set(submission.options) == set(options)
    assert submission.other_options == ()
    root = tree_of(submission)
    text = text_of(root)
    for option in options:
        for caption in ("Outcomes by reason", "Win, push and lose", "Figures of the whole wager"):
            assert rows_of(root, f"{caption}, option {option.id}")
    assert f"The figures of option {prepaid.id}, with its commission posted in advance," in text
    assert "are per unit of wager and commission together." in text
    assert "The source of the game gives no house way; this one, published by Wizard" in text
    assert text.count("published for the Las Vegas Fitzgeralds, 19 May 2004.") == 2
    names = tuple(one.id for one in options)
    assert set(make("pai-gow-mania", "nevada", names).options) == set(options)
    with pytest.raises(NotConfigured, match="one option of the main wager, and 2 are named"):
        make("dealer-open-pai-gow", "nevada", ("ace-high-push", "no-push"))
    rules = rules_of(submission)
    assert "Each player chooses one of these ways before the deal" in rules
    assert rules.count("House edge ") >= 2
    assert "is posted beside it in advance" in rules
    assert "is taken from winnings" in rules
    assert rules.count("Las Vegas Fitzgeralds, 19 May 2004") >= 2


def rules_of(submission: Submission) -> str:
    rules = compose("rules.html.j2", rules_view(submission), templates=TEMPLATES)
    return re.sub("\\s+", " ", re.sub("<[^>]*>", "", rules.partition("<body")[2]))


def test_the_player_of_the_main_wager_is_a_sentence(make: Make) -> None:
    text = text_of(tree_of(make("emperors-challenge-exposed", "nevada")))
    assert "The player plays optimally, having seen the dealer's set hand." in text


def test_fronts_are_printed_as_cards_are(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    (analysis, *rest) = submission.comparison
    assert analysis.main is not None
    hand = CostlyHand(
        cards=("As", "Td"), house_front="A-T", best_front="Jk-K", cost=Fraction(1, 10)
    )
    main = replace(analysis.main, costly_hands=(hand,))
    root = tree_of(replace(submission, comparison=(replace(analysis, main=main), *rest)))
    caption = "The hands that the house way sets at the greatest cost"
    assert rows_of(root, caption)[1] == ["A♠ 10♦", "A-10", "Joker-K", "10.00"]


def test_published_figures_stand_in_the_order_of_paytables_with_their_clauses(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    first, second, *_ = submission.paytables
    figure = PublishedFigure(
        id="f",
        target=second.target,
        quantity=Quantity.HOUSE_EDGE,
        printed="4.35%",
        convention=Convention.PLAIN,
        source=replace(submission.option.source, clause="Table 1"),
    )
    again = replace(figure, printed="4.4%", source=replace(figure.source, clause="Table 2"))
    judged = tuple(
        FigureJudgement(figure=one, agreement=Agreement.AGREES, recomputed=Fraction(1, 23))
        for one in (figure, again, replace(figure, target=first.target))
    )
    root = tree_of(replace(submission, figures=judged))
    _, *rows = rows_of(root, "Figures printed in the source")
    assert [row[0] for row in rows] == [f"Bonus, Paytable {one.id}" for one in (first, second)]
    assert [row[0] for row in rows_of(root, "Bonus, Paytable B")[1:]] == [
        "House edge [Table 1]",
        "House edge [Table 2]",
    ]
    assert rows_of(root, "Bonus, Paytable A")[1][0] == "House edge"


def test_restored_cells_are_named_before_the_tables_of_their_wager(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-01",))
    (paytable,) = submission.paytables
    source = replace(paytable.source, reconstructed="Row 3 was read from the layout.")
    html = html_of(replace(submission, paytables=(replace(paytable, source=source),)))
    words = "Cells restored from a damaged text copy:"
    assert html.index(words) < html.index("PT-FLT-EC-ET-01: every hand counted")


@pytest.mark.parametrize(
    ("rule", "standing", "words"),
    [
        ("NV-VAR", Standing.SATISFIED, "satisfied, by a secondary text of 2016"),
        ("NV-EX", Standing.TO_BE_SETTLED, "to be settled, by a secondary text of no known date"),
        ("NV-EX", Standing.BY_PEOPLE, "to be judged"),
        ("WA-AGG-1", Standing.NOT_SATISFIED, "not satisfied, by a verified text of 2021-06-14"),
    ],
)
def test_a_verdict_says_by_which_text_it_stands(
    make: Make, rule: str, standing: Standing, words: str
) -> None:
    submission = make("mini-pai-gow", "nevada" if rule.startswith("NV") else "wsgc")
    declared = next(one for one in submission.jurisdiction.rules if one.id == rule)
    judged = RuleJudgement(
        rule=declared, version=declared.versions[-1], standing=standing, detail="Found."
    )
    item = next(one for one in submission.jurisdiction.checklist if one.proof)
    state = ItemState.DONE if standing is Standing.SATISFIED else ItemState.OPEN
    line = ChecklistLine(item=item, state=state, detail="Here.", judgement=judged)
    root = tree_of(replace(submission, rules=(judged,), checklist=(line,)))
    assert rows_of(root, "Requirements, and the text applied of each")[1][3] == words
    needed = rows_of(root, f"What a filing in {submission.jurisdiction.name} needs")
    done = "done, by a secondary text of 2016" if state is ItemState.DONE else "open"
    assert needed[1][1] == done
